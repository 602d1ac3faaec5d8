(** * How early a row repeats

[effective.md]: lemmas 1.1 to 1.3, and theorems 2.1, 3.1 and 3.2; in 2.1 (c) and 3.2 with 2^(m - 1)
in the place of the binomial, which is not greater. In most sections below the rows below row r
repeat with [period] from column [from] on, and have no offset above m there. *)

From Coq Require Import Arith Bool List ZArith Lia.
From Chomp Require Import Rules Recurrence Byrnes Values Counting Uniqueness Columns RowLaw Density.
From Chomp Require FiniteRows Cascade.
Import ListNotations.

(** ** Counting in an interval *)

(** The number of x with f x among n numbers from a on. *)
Definition number (f : nat -> bool) (a n : nat) : nat := length (filter f (seq a n)).

Lemma number_counts : forall f a n, Counts (fun x => a <= x < a + n /\ f x = true) (number f a n).
Proof.
  intros f a n. exists (filter f (seq a n)). split; [| reflexivity].
  split; [apply NoDup_filter, seq_NoDup |]. intros x. now rewrite filter_In, in_seq.
Qed.

Lemma number_negb : forall f a n, number f a n + number (fun x => negb (f x)) a n = n.
Proof.
  intros f a n. revert a. induction n as [| n IH]; intros a; [reflexivity |].
  specialize (IH (S a)). unfold number in *. simpl. destruct (f a); simpl; lia.
Qed.

Lemma number_split : forall f a n m, number f a (n + m) = number f a n + number f (a + n) m.
Proof.
  intros f a n m. unfold number. now rewrite seq_app, filter_app, app_length.
Qed.

Lemma number_one : forall f a, f a = true -> number f a 1 = 1.
Proof. intros f a h. unfold number. simpl. now rewrite h. Qed.

Lemma number_zero : forall f a n, (forall x, a <= x < a + n -> f x = false) -> number f a n = 0.
Proof.
  intros f a n h. apply (counts_unique _ _ _ (number_counts f a n)), counts_none.
  intros x (hx & hf). rewrite h in hf by exact hx. discriminate.
Qed.

Lemma number_shift : forall f g a b n, (forall i, i < n -> f (a + i) = g (b + i)) ->
  number f a n = number g b n.
Proof.
  intros f g a b n. revert a b. induction n as [| n IH]; intros a b h; [reflexivity |].
  unfold number in *. simpl. pose proof (h 0 ltac:(lia)) as h0. rewrite !Nat.add_0_r in h0.
  rewrite h0. specialize (IH (S a) (S b)). destruct (g b); simpl; rewrite IH; try reflexivity;
    intros i hi; rewrite !Nat.add_succ_comm; apply h; lia.
Qed.

(** The member with exactly k greater ones. *)
Lemma number_nth : forall f n a k, k < number f a n ->
  exists x, a <= x < a + n /\ f x = true /\ number f (S x) (a + n - S x) = k.
Proof.
  intros f n. induction n as [| n IH]; intros a k hk; [unfold number in hk; simpl in hk; lia |].
  assert (e : number f a (S n) = number f a 1 + number f (S a) n).
  { replace (S n) with (1 + n) by lia. rewrite number_split.
    now replace (a + 1) with (S a) by lia. }
  destruct (le_lt_dec (number f (S a) n) k) as [hle | hlt].
  - exists a. assert (f a = true /\ k = number f (S a) n) as (h1 & ->).
    { unfold number at 2 in e. simpl in e.
      destruct (f a); simpl in e; split; (reflexivity || lia). }
    split; [lia |]. split; [exact h1 |]. now replace (a + S n - S a) with n by lia.
  - destruct (IH (S a) k hlt) as (x & hx & h1 & h2). exists x. split; [lia |]. split; [exact h1 |].
    now replace (a + S n - S x) with (S a + n - S x) by lia.
Qed.

(** ** 1.1. A row as a juggler

Row r does not end, and the rows below it that end have ended before column q. *)

Section Juggler.

Variables (r q finite : nat).
Hypothesis column : r <= q.
Hypothesis positive : 1 <= q.
Hypothesis alive : forall q, ~ Ended r q.
Hypothesis counted : Counts (fun c => c < r /\ Ends c) finite.
Hypothesis ended : forall c x, c < r -> F x c x -> x < q.

Theorem juggler : Counts (Offsets r q) (1 + finite) /\ Offsets r q 0.
Proof.
  split.
  - apply offsets_count, blocked_by_the_row; [exact column | exact positive | apply alive |].
    revert counted. apply counts_ext. intros c. split; intros (hc & he); (split; [exact hc |]).
    + destruct he as (x & hx). exists x. split; [| exact hx]. exact (ended c x hc hx).
    + destruct he as (x & _ & hx). now exists x.
  - unfold Offsets. rewrite Nat.add_0_r. apply zero_blocked; [lia | lia | apply alive |].
    intros c hc h. pose proof (ended c q hc h). lia.
Qed.

End Juggler.

Lemma offsets_step : forall r q o, r <= q ->
  (Offsets r (S q) o <-> Offsets r q (S o) \/ F q r (q + S o)).
Proof.
  intros r q o hq. unfold Offsets. rewrite RowBlocked_step by lia. now rewrite Nat.add_succ_comm.
Qed.

(** ** Rows that repeat *)

Section Below.

Variables (r from period m : nat).
Hypothesis far : r <= from.
Hypothesis positive : 0 < period.
Hypothesis below : forall c, c < r -> Repeats c from period.
Hypothesis range : forall q o, from <= q -> ColumnBlocked r q (q + o) -> o <= m.

Lemma below_ended : forall c x, c < r -> F x c x -> x < from.
Proof.
  intros c x hc h. destruct (le_lt_dec from x) as [hx |]; [| assumption]. exfalso.
  pose proof (below c hc x hx 0) as same. rewrite !Nat.add_0_r in same. apply same in h as h'.
  apply (ended_stays c x (x + period) (x + period) h); [lia | exact h'].
Qed.

Lemma below_alive : forall c q p p', c < r -> from <= q -> F q c p -> ~ Ended c p'.
Proof.
  intros c q p p' hc hq h (x & _ & hx). apply (below_ended c x hc) in hx as hx'.
  apply (ended_stays _ _ _ _ hx) in h; [exact h | lia].
Qed.

(** 1.3. Column q misses p. *)
Definition misses (q p : nat) : bool := if ColumnBlocked_dec r q p then false else true.

Lemma misses_spec : forall q p, misses q p = true <-> ~ ColumnBlocked r q p.
Proof. intros q p. unfold misses. destruct (ColumnBlocked_dec r q p); split; easy. Qed.

Lemma misses_not : forall q p, misses q p = false <-> ColumnBlocked r q p.
Proof. intros q p. unfold misses. destruct (ColumnBlocked_dec r q p); split; easy. Qed.

Lemma misses_shift : forall n q p, from <= q <= p ->
  misses (q + n * period) (p + n * period) = misses q p.
Proof.
  assert (same : forall n q p, from <= q <= p ->
    (ColumnBlocked r q p <-> ColumnBlocked r (q + n * period) (p + n * period))).
  { intros n q p hq.
    assert (h : forall c, c < r -> Repeats c from (n * period)).
    { intros c hc. apply repeats_multiple, below, hc. }
    pose proof (columns_repeat r from (n * period) h q (p - q) ltac:(lia)) as e.
    replace (q + (p - q)) with p in e by lia.
    now replace (q + n * period + (p - q)) with (p + n * period) in e by lia. }
  intros n q p hq. specialize (same n q p hq). unfold misses.
  destruct (ColumnBlocked_dec r q p), (ColumnBlocked_dec r (q + n * period) (p + n * period));
    tauto.
Qed.

(** The missing numbers of column q that are greater than p, and the columns before q that miss
p. *)
Definition greater (q p : nat) : nat := number (misses q) (S p) (q + m - p).
Definition earlier (q p : nat) : nat := number (fun t => misses t p) (p - m) (q - (p - m)).

Lemma greater_shift : forall n q p, from <= q <= p ->
  greater (q + n * period) (p + n * period) = greater q p.
Proof.
  intros n q p hq. unfold greater.
  replace (q + n * period + m - (p + n * period)) with (q + m - p) by lia.
  apply number_shift. intros i _.
  replace (S (p + n * period) + i) with (S p + i + n * period) by lia. apply misses_shift. lia.
Qed.

Lemma earlier_shift : forall n q p, from + m <= p -> q <= p ->
  earlier (q + n * period) (p + n * period) = earlier q p.
Proof.
  intros n q p hp hq. unfold earlier.
  replace (p + n * period - m) with (p - m + n * period) by lia.
  replace (q + n * period - (p - m + n * period)) with (q - (p - m)) by lia.
  apply number_shift. intros i hi.
  replace (p - m + n * period + i) with (p - m + i + n * period) by lia. apply misses_shift. lia.
Qed.

Lemma greater_less : forall q p p', p < p' <= q + m -> misses q p' = true ->
  greater q p' < greater q p.
Proof.
  intros q p p' hp h. unfold greater.
  replace (q + m - p) with ((p' - p - 1) + (1 + (q + m - p'))) by lia.
  rewrite !number_split. replace (S p + (p' - p - 1)) with p' by lia.
  rewrite (number_one _ p' h). replace (p' + 1) with (S p') by lia. lia.
Qed.

Lemma earlier_less : forall q q' p, p - m <= q < q' -> misses q p = true ->
  earlier q p < earlier q' p.
Proof.
  intros q q' p hq h. unfold earlier.
  replace (q' - (p - m)) with ((q - (p - m)) + (1 + (q' - q - 1))) by lia.
  rewrite !number_split. replace (p - m + (q - (p - m))) with q by lia.
  rewrite (number_one (fun t => misses t p) q h). lia.
Qed.

(** A row below r with a number in a far column has every far number, in a column not far from
it. *)
Lemma row_has : forall c q v p, c < r -> from <= q -> F q c v -> from + r + m <= p ->
  exists t, p - m <= t <= p /\ F t c p.
Proof.
  intros c q v p hc hq h hp. destruct (key_exists p) as (k & hk); [lia |].
  pose proof (key_at_least p k hk).
  destruct (proj2 (row_law c p k hk (below_alive c q v p hc hq h))) as (t & ht); [lia |].
  exists t. split; [| exact ht]. assert (t <= p) by apply ht. pose proof (F_bound _ _ _ ht).
  assert (p - t <= m); [| lia]. apply (range t); [lia |]. exists c.
  split; [exact hc |]. now replace (t + (p - t)) with p by lia.
Qed.

(** The relation of n and t: one row has n in column q and p in column t. *)
Lemma rows_injective : forall q p n n' t,
  (exists c, c < r /\ F q c n /\ F t c p) -> (exists c, c < r /\ F q c n' /\ F t c p) -> n = n'.
Proof.
  intros q p n n' t (c & _ & h1 & h2) (c' & _ & h1' & h2').
  rewrite (F_column_injective _ _ _ _ h2 h2') in h1. exact (F_unique _ _ _ _ h1 h1').
Qed.

Lemma earlier_at_most : forall q p, from + r + m <= p -> q <= p <= q + m -> misses q p = true ->
  earlier q p <= greater q p.
Proof.
  intros q p hp hq h. rewrite misses_spec in h. unfold earlier, greater.
  pose proof (number_negb (misses q) (S p) (q + m - p)) as e1.
  pose proof (number_negb (fun t => misses t p) (p - m) (q - (p - m))) as e2.
  assert (number (fun x => negb (misses q x)) (S p) (q + m - p) <=
    number (fun t => negb (misses t p)) (p - m) (q - (p - m))); [| lia].
  eapply (counts_le _ _ (fun n t => exists c, c < r /\ F q c n /\ F t c p));
    [| | apply number_counts | apply number_counts].
  - intros n (hn & hb). apply negb_true_iff, misses_not in hb. destruct hb as (c & hc & hf).
    destruct (row_has c q n p hc) as (t & ht & hf'); [lia | exact hf | exact hp |].
    exists t. split; [| now exists c].
    assert (hb : ColumnBlocked r t p) by now exists c.
    split; [| now apply negb_true_iff, misses_not]. assert (t < q); [| lia].
    destruct (lt_eq_lt_dec t q) as [[ht' | ->] | ht']; [assumption | contradiction |]. exfalso.
    assert (c <= q) by apply hf. destruct (value_before t c q p hf') as (v & hv & hf''); [lia | |].
    + intros (b & hb' & hf''). apply h. exists b. split; [lia | exact hf''].
    + pose proof (F_unique _ _ _ _ hf hf''). lia.
  - intros n n' t _ _. apply rows_injective.
Qed.

(** In each column there is a number as great among those missing as there is a rank. *)
Lemma rank_exists : forall q p q', from + r + m <= p -> q <= p <= q + m -> misses q p = true ->
  from <= q' -> exists p', q' <= p' <= q' + m /\ misses q' p' = true /\
    greater q' p' = earlier q p.
Proof.
  intros q p q' hp hq h hq'.
  destruct (number_nth (misses q') (S m) q' (earlier q p)) as (p' & hp' & h1 & h2).
  - assert (hlt : earlier q p < earlier (S p) p) by (apply earlier_less; [lia | exact h]).
    unfold earlier in hlt at 2. replace (S p - (p - m)) with (S m) in hlt by lia.
    pose proof (number_negb (misses q') q' (S m)) as e1.
    pose proof (number_negb (fun t => misses t p) (p - m) (S m)) as e2.
    assert (number (fun x => negb (misses q' x)) q' (S m) <=
      number (fun t => negb (misses t p)) (p - m) (S m)); [| lia].
    eapply (counts_le _ _ (fun n t => exists c, c < r /\ F q' c n /\ F t c p));
      [| | apply number_counts | apply number_counts].
    + intros n (_ & hb). apply negb_true_iff, misses_not in hb. destruct hb as (c & hc & hf).
      destruct (row_has c q' n p hc hq' hf hp) as (t & ht & hf'). exists t.
      split; [| now exists c]. split; [lia |]. apply negb_true_iff, misses_not. now exists c.
    + intros n n' t _ _. apply rows_injective.
  - exists p'. split; [lia |]. split; [exact h1 |]. rewrite <- h2. unfold greater.
    now replace (q' + S m - S p') with (q' + m - p') by lia.
Qed.

Lemma earlier_unique : forall q q' p, p - m <= q -> p - m <= q' -> misses q p = true ->
  misses q' p = true -> earlier q p = earlier q' p -> q = q'.
Proof.
  intros q q' p h1 h2 h h' e. destruct (lt_eq_lt_dec q q') as [[hlt | eq] | hlt]; [| exact eq |].
  - pose proof (earlier_less q q' p ltac:(lia) h). lia.
  - pose proof (earlier_less q' q p ltac:(lia) h'). lia.
Qed.

(** Numbers that differ by a multiple of the period. *)
Lemma same_residue : forall p p', p <= p' -> p mod period = p' mod period ->
  exists n, p' = p + n * period.
Proof.
  intros p p' hle e. exists (p' / period - p / period).
  pose proof (Nat.div_mod p period ltac:(lia)). pose proof (Nat.div_mod p' period ltac:(lia)).
  pose proof (Nat.div_le_mono p p' period ltac:(lia) hle). nia.
Qed.

Lemma rank_far : forall k q p, from + r + m <= p -> q <= p <= q + m -> misses q p = true ->
  earlier q p = k -> greater q p = k.
Proof.
  induction k as [k IH] using lt_wf_ind.
  (* A number of greater rank k is one of earlier rank k. *)
  assert (only : forall q p, from + r + m <= p -> q <= p <= q + m -> misses q p = true ->
    greater q p = k -> earlier q p = k).
  { intros q p hp hq h e. pose proof (earlier_at_most q p hp hq h) as hle.
    destruct (Nat.eq_dec (earlier q p) k) as [| hne]; [assumption |].
    pose proof (IH (earlier q p) ltac:(lia) q p hp hq h eq_refl). lia. }
  (* So such a number is in one column only, up to multiples of the period. *)
  assert (one : forall q p q' p', from + r + m <= p -> q <= p <= q + m -> misses q p = true ->
    greater q p = k -> q' <= p' <= q' + m -> misses q' p' = true -> earlier q' p' = k ->
    p <= p' -> p mod period = p' mod period ->
    exists n, p' = p + n * period /\ q' = q + n * period).
  { intros q p q' p' hp hq h e hq' h' e' hle hmod.
    destruct (same_residue p p' hle hmod) as (n & ->). exists n. split; [reflexivity |].
    apply (earlier_unique _ _ (p + n * period)); [lia | lia | exact h' | |].
    - now rewrite misses_shift by lia.
    - rewrite e', earlier_shift by lia. symmetry. now apply only. }
  intros q p hp hq h e. set (a := from + r + m).
  destruct (counts_onto (fun t => a <= t < a + period) (fun z => 0 <= z < 0 + period)
    (fun t z => exists p', t <= p' <= t + m /\ misses t p' = true /\ greater t p' = k /\
      z = p' mod period) period) with (y := p mod period)
    as (t & ht & p' & hp' & h1 & h2 & hmod); try apply counts_interval.
  - intros t ht. destruct (rank_exists q p t hp hq h) as (p' & h1 & h2 & h3); [lia |].
    exists (p' mod period). split; [pose proof (Nat.mod_upper_bound p' period); lia |].
    exists p'. split; [exact h1 |]. split; [exact h2 |]. split; [lia | reflexivity].
  - assert (half : forall t t' p p', a <= t < a + period -> a <= t' < a + period ->
      t <= p <= t + m -> misses t p = true -> greater t p = k ->
      t' <= p' <= t' + m -> misses t' p' = true -> greater t' p' = k ->
      p <= p' -> p mod period = p' mod period -> t = t').
    { intros t t' n n' ht ht' h1 h2 h3 h1' h2' h3' hle hmod.
      destruct (one t n t' n') as (i & _ & hi); try assumption; [unfold a in *; lia | |].
      - apply only; [unfold a in *; lia | assumption | assumption | assumption].
      - destruct i; [lia | nia]. }
    intros t t' z ht ht' (n & h1 & h2 & h3 & hz) (n' & h1' & h2' & h3' & hz').
    destruct (le_lt_dec n n').
    + apply (half t t' n n'); assumption || congruence.
    + symmetry. apply (half t' t n' n); assumption || lia || congruence.
  - pose proof (Nat.mod_upper_bound p period). lia.
  - destruct (le_lt_dec p' p) as [hle | hlt].
    + destruct (one t p' q p) as (n & -> & ->); try assumption; [unfold a in *; lia | congruence |].
      rewrite greater_shift; [exact h2 | unfold a in *; lia].
    + destruct (same_residue p p' ltac:(lia) hmod) as (n & ->).
      assert (t = q + n * period) as ->.
      { apply (earlier_unique _ _ (p + n * period)); [lia | lia | exact h1 | |].
        - rewrite misses_shift; [exact h | lia].
        - rewrite earlier_shift, e by lia.
          apply only; [lia | exact hp' | exact h1 | exact h2]. }
      rewrite greater_shift in h2 by lia. exact h2.
Qed.

(** If p is the k-th greatest missing number of column q, q is the k-th least column that misses
p. *)
Theorem ranks : forall q p, from + m <= p -> q <= p <= q + m -> misses q p = true ->
  greater q p = earlier q p.
Proof.
  intros q p hp hq h. rewrite <- (greater_shift r q p), <- (earlier_shift r q p) by lia.
  apply (rank_far (earlier (q + r * period) (p + r * period))); [nia | lia | | reflexivity].
  now rewrite misses_shift by lia.
Qed.

(** ** One row

Row r does not end, and [finite] rows below it do. *)

Section Row.

Variable finite : nat.
Hypothesis from_positive : 1 <= from.
Hypothesis alive : forall q, ~ Ended r q.
Hypothesis counted : Counts (fun c => c < r /\ Ends c) finite.

Lemma members : forall q, from <= q -> Counts (Offsets r q) (1 + finite) /\ Offsets r q 0.
Proof.
  intros q hq. apply juggler; [lia | lia | exact alive | exact counted |].
  intros c x hc h. pose proof (below_ended c x hc h). lia.
Qed.

Lemma one_is_met : forall q, from <= q -> Offsets r q 1 \/ F q r (q + 1).
Proof. intros q hq. apply offsets_step; [lia |]. apply members. lia. Qed.

(** The offset of the row: it is free, and lesser ones are not. *)
Lemma offset : forall q, from <= q -> exists v, F q r (q + v) /\ 1 <= v /\ ~ Offsets r q v /\
  ~ ColumnBlocked r q (q + v) /\ forall o, o < v -> Offsets r q o \/ ColumnBlocked r q (q + o).
Proof.
  intros q hq. destruct (offset_exists r q ltac:(lia) (alive q)) as (v & hv). exists v.
  split; [exact hv |]. destruct (proj1 (fact_1 r q (q + v) ltac:(lia) (alive q)) hv)
    as (_ & hn & least). rewrite Blocked_iff in hn. unfold Offsets. split; [| split; [tauto |]].
  - destruct v; [| lia]. destruct hn. left. apply members. exact hq.
  - split; [tauto |]. intros o ho. apply Blocked_iff, least. lia.
Qed.

Lemma offset_at_most : forall q v b, from <= q -> F q r (q + v) -> m <= b ->
  (forall o, Offsets r q o -> o <= b) -> v <= b + 1.
Proof.
  intros q v b hq hv hb hU. destruct (offset q hq) as (v' & hv' & _ & _ & _ & least).
  pose proof (F_unique _ _ _ _ hv hv'). replace v' with v in * by lia.
  destruct (le_lt_dec v (b + 1)) as [| hlt]; [assumption |].
  destruct (least (b + 1) hlt) as [h | h]; [apply hU in h; lia | apply range in h; lia].
Qed.

(** 1.2. *)
Definition Low (q : nat) : Prop := forall o, Offsets r q o -> o <= m.

Lemma low_next : forall q, from <= q -> Low q -> Low (S q).
Proof.
  intros q hq h o ho. apply offsets_step in ho; [| lia]. destruct ho as [ho | ho].
  - apply h in ho. lia.
  - apply (offset_at_most q _ m) in ho; try assumption; lia.
Qed.

Lemma low_later : forall q n, from <= q -> Low q -> Low (q + n).
Proof.
  intros q n hq h. induction n as [| n IH]; [now rewrite Nat.add_0_r |].
  rewrite Nat.add_succ_r. apply low_next; [lia | exact IH].
Qed.

(** As long as an offset above m is blocked: the greatest one is M, and a number that is not blocked
was one in column [from], and i greater. *)
Definition High (i M : nat) : Prop := m < M /\ Offsets r (from + i) M /\
  (forall o, Offsets r (from + i) o -> o <= M) /\
  forall o, r <= o + i -> o <= M -> Offsets r (from + i) o.

Lemma high_next : forall i M, High i M -> Low (from + S i) \/ exists M', High (S i) M'.
Proof.
  intros i M (hM & hin & most & holes). rewrite Nat.add_succ_r.
  destruct (offset (from + i) ltac:(lia)) as (v & hv & _).
  pose proof (offset_at_most (from + i) v M ltac:(lia) hv ltac:(lia) most) as hle.
  assert (step : forall o, Offsets r (S (from + i)) o <-> Offsets r (from + i) (S o) \/ S o = v).
  { intros o. rewrite offsets_step by lia. split; intros [h | h]; try (now left).
    - right. pose proof (F_unique _ _ _ _ hv h). lia.
    - right. now rewrite h. }
  destruct (Nat.eq_dec v (M + 1)) as [-> |].
  - right. exists M. unfold High. rewrite Nat.add_succ_r. split; [exact hM |].
    split; [apply step; right; lia |]. split.
    + intros o ho. apply step in ho. destruct ho as [ho |]; [apply most in ho; lia | lia].
    + intros o h1 h2. apply step. destruct (Nat.eq_dec o M) as [-> |]; [right; lia | left].
      apply holes; lia.
  - assert (least : forall o, Offsets r (S (from + i)) o -> o <= M - 1).
    { intros o ho. apply step in ho. destruct ho as [ho |]; [apply most in ho; lia | lia]. }
    destruct (Nat.eq_dec (M - 1) m) as [e |].
    + left. intros o ho. apply least in ho. lia.
    + right. exists (M - 1). unfold High. rewrite Nat.add_succ_r. split; [lia |].
      split; [apply step; left; now replace (S (M - 1)) with M by lia |]. split; [exact least |].
      intros o h1 h2. apply step. left. apply holes; lia.
Qed.

Lemma high_or_low : forall i, Low (from + i) \/ exists M, High i M.
Proof.
  induction i as [| i [IH | (M & IH)]].
  - rewrite Nat.add_0_r.
    assert (bound : forall o, Offsets r from o -> o <= r).
    { intros o ho. apply RowBlocked_bound in ho; lia. }
    destruct (exists_below_dec (fun o => m < o /\ Offsets r from o)) with (n := S r) as [h | h].
    + intros o. apply and_dec; [apply lt_dec | apply RowBlocked_dec].
    + right. destruct h as (o & ho & hmo & hin).
      destruct (least_exists (fun k => Offsets r from (r - k))) with (n := r - o)
        as (k & hk & hink & least).
      * intros k. apply RowBlocked_dec.
      * now replace (r - (r - o)) with o by lia.
      * exists (r - k). unfold High. rewrite Nat.add_0_r. split; [lia |]. split; [exact hink |].
        split; [| intros o' h1 h2; now replace o' with (r - k) by lia].
        intros o' ho'. pose proof (bound o' ho').
        destruct (le_lt_dec o' (r - k)) as [| hlt]; [assumption |]. exfalso.
        apply (least (r - o')); [lia |]. now replace (r - (r - o')) with o' by lia.
    + left. intros o ho. destruct (le_lt_dec o m) as [| hlt]; [assumption |].
      destruct h. exists o. pose proof (bound o ho). split; [lia |]. now split.
  - left. rewrite Nat.add_succ_r. apply low_next; [lia | exact IH].
  - exact (high_next i M IH).
Qed.

(** If the members of U are the numbers to b, and no row below has an offset above b. *)
Lemma constant_from : forall q b, from <= q -> m <= b -> (forall o, Offsets r q o <-> o <= b) ->
  forall n, F (q + n) r (q + n + (1 + finite)).
Proof.
  intros q b hq hb h n.
  assert (e : b = finite).
  { destruct (members q hq) as (hc & _). assert (S b = 1 + finite); [| lia].
    apply (counts_unique (Offsets r q)); [| exact hc].
    apply (counts_ext (fun x => 0 <= x < 0 + S b)); [| apply counts_interval].
    intros x. rewrite h. lia. }
  subst b. assert (all : forall n, forall o, Offsets r (q + n) o <-> o <= finite).
  2: { destruct (offset (q + n) ltac:(lia)) as (v & hv & _ & hn & _).
    rewrite (all n v) in hn. replace (1 + finite) with v; [exact hv |].
    apply (offset_at_most _ _ finite) in hv; [lia | lia | exact hb |].
    intros o ho. now apply all in ho. }
  clear n. induction n as [| n IH]; [now rewrite Nat.add_0_r |]. intros o.
  rewrite Nat.add_succ_r, offsets_step by lia. rewrite IH.
  destruct (offset (q + n) ltac:(lia)) as (v & hv & _ & hn & _). rewrite IH in hn.
  assert (v <= finite + 1).
  { apply (offset_at_most (q + n)); [lia | exact hv | exact hb | intros o' ho'; now apply IH]. }
  split.
  - intros [ho | ho]; [lia |]. pose proof (F_unique _ _ _ _ hv ho). lia.
  - intros ho. destruct (Nat.eq_dec o finite) as [-> |]; [right | left; lia].
    now replace (S finite) with v by lia.
Qed.

(** The column tau. *)
Let tau := from + (r - 1).

Theorem settled : (forall q, tau <= q -> forall o, Offsets r q o -> o <= m) \/
  (forall q, tau <= q -> F q r (q + (1 + finite))).
Proof.
  destruct (high_or_low (r - 1)) as [h | (M & hM & _ & most & holes)].
  - left. intros q hq. replace q with (tau + (q - tau)) by lia. apply low_later; [| exact h].
    unfold tau. lia.
  - right. intros q hq. replace q with (tau + (q - tau)) by lia.
    apply (constant_from tau M); [unfold tau; lia | lia |]. intros o. split; [apply most |].
    intros ho. destruct o; [apply members; unfold tau; lia |]. apply holes; lia.
Qed.

Lemma constant_periodic : (forall q, tau <= q -> F q r (q + (1 + finite))) ->
  Periodic r tau (1 * period).
Proof.
  intros h. split; [lia |]. intros q hq. exists (q + (1 + finite)). split; [now apply h |].
  replace (q + (1 + finite) + 1 * period) with (q + 1 * period + (1 + finite)) by lia. apply h. lia.
Qed.

(** 2.1 (a). *)
Theorem no_hole : m <= finite -> forall q, tau <= q -> F q r (q + (1 + finite)).
Proof.
  intros hm. destruct settled as [h | h]; [| exact h]. intros q hq.
  replace q with (tau + (q - tau)) by lia.
  assert (htau : from <= tau) by (unfold tau; lia).
  apply (constant_from tau m); [exact htau | lia |].
  destruct (members tau htau) as (hc & _). intros o. split; [now apply h |]. intros ho.
  destruct (RowBlocked_dec r tau (tau + o)) as [| hn]; [assumption |]. exfalso.
  assert (1 + finite <= m); [| lia].
  set (others := fun x => 0 <= x < 0 + o \/ o + 1 <= x < o + 1 + (m - o)).
  apply (counts_subset (Offsets r tau) others _ _) with (2 := hc); unfold others.
  - intros x hx. assert (x <> o) by (intros ->; contradiction). apply h in hx; [lia | lia].
  - enough (Counts others (o + (m - o))) as h1 by now replace (o + (m - o)) with m in h1 by lia.
    apply counts_or; [lia | |]; apply counts_interval.
Qed.

(** 2.1 (b). *)

Section OneHole.

Hypothesis one : m = 1 + finite.
Hypothesis low : forall q, tau <= q -> forall o, Offsets r q o -> o <= m.

(** The hole of column q. *)
Definition Hole (q o : nat) : Prop := forall x, Offsets r q x <-> x <= m /\ x <> o.

Lemma hole_exists : exists o, 1 <= o <= m /\ Hole tau o.
Proof.
  assert (htau : from <= tau) by (unfold tau; lia). destruct (members tau htau) as (hc & h0).
  destruct (exists_below_dec (fun o => ~ Offsets r tau o)) with (n := S m) as [(o & ho & hn) | h].
  - intros o. destruct (RowBlocked_dec r tau (tau + o)); [right | left]; unfold Offsets; tauto.
  - exists o. assert (o <> 0) by (intros ->; contradiction). split; [lia |]. intros x. split.
    + intros hx. split; [now apply (low tau) | intros ->; contradiction].
    + intros (hx & hne). destruct (RowBlocked_dec r tau (tau + x)) as [| hn']; [assumption |].
      exfalso. assert (1 + finite + 2 <= m + 1); [| lia].
      apply (counts_subset (fun y => Offsets r tau y \/ (y = o \/ y = x))
        (fun y => 0 <= y < 0 + (m + 1))); [| | apply counts_interval].
      * intros y [hy | hy]; [apply (low tau) in hy; lia | lia].
      * apply counts_or; [intros y hy [-> | ->]; contradiction | exact hc |].
        exists [o; x]. split; [| reflexivity]. split.
        -- repeat constructor; simpl; intuition lia.
        -- intros y. simpl. intuition lia.
  - exfalso. assert (m + 1 <= 1 + finite); [| lia].
    apply (counts_subset (fun x => 0 <= x < 0 + (m + 1)) (Offsets r tau));
      [| apply counts_interval |].
    + intros x hx. destruct (RowBlocked_dec r tau (tau + x)) as [| hn]; [assumption |].
      destruct h. exists x. split; [lia | exact hn].
    + exact hc.
Qed.

Lemma hole_unique : forall q o o', o <= m -> Hole q o -> Hole q o' -> o = o'.
Proof.
  intros q o o' ho h h'. destruct (Nat.eq_dec o o') as [| hne]; [assumption |].
  destruct (proj1 (h o)) as (_ & hn); [| now destruct hn]. now apply h'.
Qed.

Lemma hole_positive : forall q o, from <= q -> Hole q o -> o <> 0.
Proof.
  intros q o hq h ->. destruct (members q hq) as (_ & h0). now apply (h 0) in h0.
Qed.

(** The number q + o is missed in column q, and filled, or not. *)
Lemma hole_next : forall q o, from <= q -> o <= m -> Hole q o ->
  (~ ColumnBlocked r q (q + o) -> F q r (q + o) /\ Hole (S q) m) /\
  (ColumnBlocked r q (q + o) -> 2 <= o /\ Hole (S q) (o - 1)).
Proof.
  intros q o hq ho h. destruct (offset q hq) as (v & hv & hpos & hn & hnc & least).
  assert (step : forall x, Offsets r (S q) x <-> (S x <= m /\ S x <> o) \/ S x = v).
  { intros x. rewrite offsets_step by lia. rewrite (h (S x)).
    split; (intros [hx | hx]; [now left | right]).
    - pose proof (F_unique _ _ _ _ hv hx). lia.
    - now rewrite hx. }
  rewrite (h v) in hn. pose proof (hole_positive q o hq h). split.
  - intros hfree. assert (v = o) as ->.
    { destruct (lt_eq_lt_dec v o) as [[hlt | e] | hlt]; [lia | exact e |].
      destruct (least o hlt) as [hb | hb]; [apply h in hb; lia | contradiction]. }
    split; [exact hv |]. intros x. rewrite step. lia.
  - intros hb. assert (v <> o) by (intros ->; contradiction).
    assert (v <= m + 1).
    { apply (offset_at_most q); [exact hq | exact hv | lia |]. intros x hx. now apply h in hx. }
    assert (2 <= o).
    { destruct (one_is_met q hq) as [h1 | h1]; [apply h in h1; lia |].
      pose proof (F_unique _ _ _ _ hv h1). lia. }
    split; [assumption |]. intros x. rewrite step. lia.
Qed.

(** A hole is born after column x. *)
Definition Born (x : nat) : Prop := Hole (S x) m.

(** The hole of column q is filled in the first column y that misses its number. *)
Lemma hole_filled : forall q o, from <= q -> o <= m -> Hole q o ->
  exists y, q <= y < q + o /\ Born y /\ ~ ColumnBlocked r y (q + o) /\
    forall t, q <= t < y -> ~ Born t /\ ColumnBlocked r t (q + o).
Proof.
  intros q o. revert q. induction o as [o IH] using lt_wf_ind. intros q hq ho h.
  pose proof (hole_positive q o hq h). destruct (hole_next q o hq ho h) as (h1 & h2).
  destruct (ColumnBlocked_dec r q (q + o)) as [hb | hn].
  - destruct (h2 hb) as (h3 & h4).
    destruct (IH (o - 1) ltac:(lia) (S q)) as (y & hy & h5 & h6 & h7); [lia | lia | exact h4 |].
    replace (S q + (o - 1)) with (q + o) in * by lia. exists y. split; [lia |].
    split; [exact h5 |]. split; [exact h6 |]. intros t ht.
    destruct (Nat.eq_dec t q) as [-> |]; [| apply h7; lia]. split; [| exact hb].
    intros hborn. pose proof (hole_unique (S q) (o - 1) m ltac:(lia) h4 hborn). lia.
  - exists q. split; [lia |]. split; [now apply h1 |]. split; [exact hn |]. lia.
Qed.

(** The next column in which a hole is filled misses no number that is greater. *)
Lemma next_filled : forall x, tau <= x -> Born x -> exists y, x < y <= x + m /\ Born y /\
  misses y (S x + m) = true /\ greater y (S x + m) = 0 /\ forall t, x < t < y -> ~ Born t.
Proof.
  intros x hx hb. assert (htau : from <= tau) by (unfold tau; lia).
  destruct (hole_filled (S x) m) as (y & hy & h1 & h2 & h3); [lia | lia | exact hb |].
  exists y. split; [lia |]. split; [exact h1 |].
  assert (hm : misses y (S x + m) = true) by now apply misses_spec.
  split; [exact hm |]. split; [| intros t ht; apply h3; lia].
  rewrite ranks by (exact hm || lia). unfold earlier. apply number_zero. intros t ht.
  apply misses_not, h3. lia.
Qed.

Lemma previous_filled : forall n x y, tau <= x < y -> y - x <= n -> Born x -> Born y ->
  exists x', x <= x' < y /\ y <= x' + m /\ Born x' /\ misses y (S x' + m) = true /\
    greater y (S x' + m) = 0.
Proof.
  induction n as [| n IH]; intros x y hx hn hb hy; [lia |].
  destruct (next_filled x) as (z & hz & h1 & h2 & h3 & h4); [lia | exact hb |].
  destruct (lt_eq_lt_dec z y) as [[hlt | ->] | hlt].
  - destruct (IH z y) as (x' & h5 & h6); [lia | lia | exact h1 | exact hy |].
    exists x'. split; [lia | exact h6].
  - exists x. split; [lia |]. split; [lia |]. split; [exact hb |]. now split.
  - destruct (h4 y); [lia | exact hy].
Qed.

Lemma descend : forall n x y j, tau <= x <= y -> y - x <= n -> Born x -> Born y ->
  Born (y + j * period) -> Born (x + j * period).
Proof.
  induction n as [| n IH]; intros x y j hx hn hb hy hj; [now replace x with y by lia |].
  destruct (Nat.eq_dec x y) as [-> |]; [exact hj |].
  destruct (previous_filled (S n) x y) as (x1 & h1 & h2 & h3 & h4 & h5);
    [lia | exact hn | exact hb | exact hy |].
  destruct (previous_filled (y + j * period - x) x (y + j * period))
    as (x2 & h1' & h2' & h3' & h4' & h5'); [lia | lia | exact hb | exact hj |].
  assert (htau : from <= tau) by (unfold tau; lia).
  assert (x2 = x1 + j * period).
  { rewrite <- (misses_shift j) in h4 by lia. rewrite <- (greater_shift j) in h5 by lia.
    set (p := S x1 + m + j * period) in *. set (p' := S x2 + m) in *.
    assert (p = p'); [| lia]. destruct (lt_eq_lt_dec p p') as [[hlt | e] | hlt]; [| exact e |].
    - pose proof (greater_less (y + j * period) p p' ltac:(lia) h4'). lia.
    - pose proof (greater_less (y + j * period) p' p ltac:(lia) h4). lia. }
  subst x2. apply (IH x x1); try assumption; lia.
Qed.

(** The hole as a function. *)
Definition hole (q : nat) : nat :=
  hd 0 (filter (fun o => if RowBlocked_dec r q (q + o) then false else true) (seq 0 (S m))).

Lemma hole_is : forall q o, o <= m -> Hole q o -> hole q = o.
Proof.
  intros q o ho h. unfold hole.
  assert (hin : forall x, In x (filter (fun o => if RowBlocked_dec r q (q + o) then false else true)
    (seq 0 (S m))) <-> x = o).
  { intros x. rewrite filter_In, in_seq. specialize (h x). unfold Offsets in h.
    destruct (RowBlocked_dec r q (q + x)) as [hr | hr].
    - apply h in hr. split; [easy | lia].
    - split; [| intros ->; split; [lia | reflexivity]]. intros (hx & _).
      destruct (Nat.eq_dec x o) as [| hne]; [assumption |]. destruct hr. apply h. lia. }
  destruct (filter _ _) as [| x l]; [destruct (proj2 (hin o) eq_refl) |].
  simpl. apply hin. now left.
Qed.

Lemma hole_always : forall q, tau <= q -> exists o, 1 <= o <= m /\ Hole q o.
Proof.
  intros q hq. replace q with (tau + (q - tau)) by lia.
  induction (q - tau) as [| n (o & ho & h)]; [rewrite Nat.add_0_r; exact hole_exists |].
  rewrite Nat.add_succ_r.
  destruct (hole_next (tau + n) o ltac:(unfold tau; lia) ltac:(lia) h) as (h1 & h2).
  destruct (ColumnBlocked_dec r (tau + n) (tau + n + o)) as [hb | hn].
  - exists (o - 1). destruct (h2 hb). split; [lia | assumption].
  - exists m. destruct (h1 hn). split; [lia | assumption].
Qed.

Lemma same_hole : forall q q' o, Hole q o -> Hole q' o -> SamePast r q q'.
Proof. intros q q' o h h' x. specialize (h x). specialize (h' x). unfold Offsets in *. tauto. Qed.

Lemma repeats_from : forall q j o, tau <= q -> 0 < j -> Hole q o -> Hole (q + j * period) o ->
  Periodic r q (j * period) /\ forall q', q <= q' -> SamePast r q' (q' + j * period).
Proof.
  intros q j o hq hj h h'. apply recurrent_state; [unfold tau in *; lia | nia | apply alive | |].
  - apply columns_repeat. intros c hc. apply (repeats_later c from); [unfold tau in *; lia |].
    apply repeats_multiple, below, hc.
  - exact (same_hole _ _ o h h').
Qed.

Theorem one_hole : exists s j, s <= tau + m /\ 1 <= j <= m /\ Periodic r s (j * period).
Proof.
  assert (htau : from <= tau) by (unfold tau; lia).
  destruct hole_exists as (o & ho & h).
  destruct (hole_filled tau o htau ltac:(lia) h) as (x & hx & hb & _).
  destruct (values_recur nat Nat.eq_dec (fun i => hole (S x + i * period)) (seq 1 m))
    as (i & j & hij & e).
  { intros i. destruct (hole_always (S x + i * period)) as (o' & ho' & h'); [lia |].
    rewrite (hole_is _ o') by (exact h' || lia). apply in_seq. lia. }
  rewrite seq_length in hij. set (q := S x + i * period) in *.
  assert (eq : S x + j * period = q + (j - i) * period) by (unfold q; nia). rewrite eq in e.
  destruct (hole_always q) as (o1 & ho1 & h1); [lia |].
  destruct (hole_always (q + (j - i) * period)) as (o2 & ho2 & h2); [lia |].
  rewrite (hole_is _ o1), (hole_is _ o2) in e by (assumption || lia). subst o2.
  destruct (repeats_from q (j - i) o1) as (_ & again); [lia | lia | exact h1 | exact h2 |].
  destruct (hole_filled q o1) as (y & hy & hby & _); [lia | lia | exact h1 |].
  assert (hby' : Born (y + (j - i) * period)).
  { intros z. unfold Offsets. rewrite <- (hby z). symmetry. unfold Offsets.
    replace (S (y + (j - i) * period)) with (S y + (j - i) * period) by lia. apply again. lia. }
  exists (S x), (j - i). split; [lia |]. split; [lia |].
  apply (repeats_from (S x) (j - i) m); [lia | lia | exact hb |].
  replace (S x + (j - i) * period) with (S (x + (j - i) * period)) by lia.
  apply (descend (y - x) x y); try assumption; lia.
Qed.

End OneHole.

(** 2.1 (c), with the number 2^(m - 1) of the sets of offsets from 1 to m - 1: U(q) has 0, and the
number of its members decides whether it has m. *)
Lemma bit_lists_length : forall n, length (bit_lists n) = 2 ^ n.
Proof.
  induction n as [| n IH]; [reflexivity |]. simpl. rewrite app_length, !map_length, IH. lia.
Qed.

Definition bits (q : nat) : list bool :=
  map (fun o => if RowBlocked_dec r q (q + o) then true else false) (seq 1 (m - 1)).

Lemma bits_same : forall q q', from <= q -> from <= q' -> Low q -> Low q' -> bits q = bits q' ->
  SamePast r q q'.
Proof.
  intros q q' hq hq' hl hl' e.
  assert (inner : forall o, 1 <= o < m -> (Offsets r q o <-> Offsets r q' o)).
  { intros o ho. assert (h := f_equal (fun l => nth_error l (o - 1)) e).
    unfold bits in h. cbv beta in h.
    assert (hn : nth_error (seq 1 (m - 1)) (o - 1) = Some o).
    { rewrite (nth_error_nth' _ 0) by (rewrite seq_length; lia). f_equal. rewrite seq_nth; lia. }
    rewrite !nth_error_map, hn in h. simpl in h. unfold Offsets.
    destruct (RowBlocked_dec r q (q + o)), (RowBlocked_dec r q' (q' + o)); easy. }
  destruct (members q hq) as (hc & h0), (members q' hq') as (hc' & h0').
  assert (last : forall q1 q2, Low q1 -> Low q2 -> Counts (Offsets r q1) (1 + finite) ->
    Counts (Offsets r q2) (1 + finite) -> Offsets r q1 0 -> Offsets r q2 0 ->
    (forall o, 1 <= o < m -> (Offsets r q1 o <-> Offsets r q2 o)) -> Offsets r q1 m ->
    Offsets r q2 m).
  { clear. intros q1 q2 hl hl' hc hc' h0 h0' inner h.
    destruct (RowBlocked_dec r q2 (q2 + m)) as [| hn]; [assumption |]. exfalso.
    assert (1 + finite + 1 <= 1 + finite); [| lia].
    apply (counts_subset (fun o => Offsets r q2 o \/ m <= o < m + 1) (Offsets r q1));
      [| | exact hc].
    - intros o [ho | ho]; [| replace o with m by lia; exact h].
      assert (o <= m) by now apply hl'. destruct (Nat.eq_dec o 0) as [-> |]; [exact h0 |].
      destruct (Nat.eq_dec o m) as [-> |]; [exact h |]. apply inner; [lia | exact ho].
    - apply counts_or; [| exact hc' | apply counts_interval]. intros o ho hom.
      replace o with m in ho by lia. contradiction. }
  intros o. change (Offsets r q o <-> Offsets r q' o).
  destruct (Nat.eq_dec o 0) as [-> |]; [tauto |].
  destruct (lt_eq_lt_dec o m) as [[hlt | ->] | hlt].
  - apply inner. lia.
  - split; intros h; [apply (last q q') | apply (last q' q)]; try assumption.
    intros o' ho'. symmetry. now apply inner.
  - split; intros h; [apply hl in h | apply hl' in h]; lia.
Qed.

Theorem row_with_holes : exists s j, s <= tau + (2 ^ (m - 1) - 1) * period /\
  1 <= j <= 2 ^ (m - 1) /\ Periodic r s (j * period).
Proof.
  assert (htau : from <= tau) by (unfold tau; lia).
  assert (1 <= 2 ^ (m - 1)) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
  destruct settled as [h | h].
  - destruct (values_recur (list bool) (list_eq_dec bool_dec)
      (fun i => bits (tau + i * period)) (bit_lists (m - 1))) as (i & j & hij & e).
    { intros i. assert (hl : length (bits (tau + i * period)) = m - 1).
      { unfold bits. now rewrite map_length, seq_length. }
      rewrite <- hl. apply bit_lists_all. }
    rewrite bit_lists_length in hij. exists (tau + i * period), (j - i).
    split; [nia |]. split; [lia |].
    assert (e2 : tau + i * period + (j - i) * period = tau + j * period) by nia.
    apply recurrent_state; [unfold tau in *; lia | nia | apply alive | |]; rewrite ?e2.
    + apply columns_repeat. intros c hc. apply (repeats_later c from); [unfold tau in *; lia |].
      apply repeats_multiple, below, hc.
    + assert (hi : forall i, tau <= tau + i * period) by (intros i0; lia).
      apply bits_same; [| | exact (h _ (hi i)) | exact (h _ (hi j)) | exact e];
        (eapply Nat.le_trans; [exact htau | apply hi]).
  - exists tau, 1. split; [apply Nat.le_add_r |]. split; [lia |]. now apply constant_periodic.
Qed.

(** A row with at most one hole. *)
Theorem row_with_one_hole : m <= 1 + finite ->
  let w := if m =? 1 + finite then m else 0 in
  exists s j, s <= tau + w /\ 1 <= j <= Nat.max 1 w /\ Periodic r s (j * period).
Proof.
  intros hm. destruct (Nat.eqb_spec m (1 + finite)) as [e | hne]; cbv zeta iota.
  - destruct settled as [h | h].
    + destruct (one_hole e h) as (s & j & h1 & h2 & h3). exists s, j. split; [exact h1 |].
      split; [lia | exact h3].
    + exists tau, 1. split; [lia |]. split; [lia |]. now apply constant_periodic.
  - exists tau, 1. split; [lia |]. split; [lia |]. apply constant_periodic, no_hole. lia.
Qed.

End Row.

End Below.

(** ** All rows *)

(** 3.2, with the offsets of the rows below at most r, for m. *)
Section Always.

Variable f : nat -> nat.
Hypothesis counted : CountsFinite f.

Lemma alive_row : forall r, ~ Ends r -> forall q, ~ Ended r q.
Proof. intros r hr q (x & _ & hx). apply hr. now exists x. Qed.

Lemma f_next : forall r, f (S r) = f r + (if Ends_dec r then 1 else 0).
Proof.
  intros r. destruct (count_next r (f r) (counted r)) as (h1 & h2).
  destruct (Ends_dec r) as [he | he]; rewrite ?Nat.add_0_r;
    apply (counts_unique _ _ _ (counted (S r))); auto.
Qed.

(** The sum of the b - 1 over the periodic rows b below r. *)
Fixpoint powers (r : nat) : nat :=
  match r with 0 => 0 | S r => powers r + (if Ends_dec r then 0 else r - 1) end.

Definition column_always (r : nat) : nat := Nat.max 1 (2 * r - 1) + powers r + (2 ^ powers r - 1).

Lemma power_positive : forall n, 1 <= 2 ^ n.
Proof. intros n. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia. Qed.

Lemma row_settles_always : forall r from period, r <= from -> 1 <= from -> 0 < period ->
  (forall c, c < r -> Repeats c from period) -> ~ Ends r ->
  exists s j, s <= from + (r - 1) + (2 ^ (r - 1) - 1) * period /\ 1 <= j <= 2 ^ (r - 1) /\
    Periodic r s (j * period).
Proof.
  intros r from period hr hfrom hp below he.
  apply (row_with_holes r from period r hr hp below) with (finite := f r);
    [| exact hfrom | apply alive_row, he | apply counted].
  intros q o _ (c & hc & h). apply F_bound in h. lia.
Qed.

Lemma rows_settle_always : forall r, exists period, 0 < period <= 2 ^ powers r /\
  forall c, c < r -> Repeats c (column_always r) period.
Proof.
  induction r as [| r (period & hp & below)]; [exists 1; simpl; split; lia |].
  assert (next : column_always (S r) = 2 * r + 1 + powers (S r) + (2 ^ powers (S r) - 1)).
  { unfold column_always. lia. }
  pose proof (power_positive (powers r)) as h1.
  destruct (Ends_dec r) as [he | he].
  - assert (e : powers (S r) = powers r).
    { simpl. destruct (Ends_dec r); [lia | contradiction]. }
    exists period. rewrite next, e. split; [exact hp |].
    intros c hc. destruct (Nat.eq_dec c r) as [-> |].
    + destruct he as (x & hx). apply (repeats_later r (S x)); [| now apply finite_repeats].
      apply ends_early in hx. lia.
    + apply (repeats_later c (column_always r)); [unfold column_always; lia |]. apply below. lia.
  - assert (e : powers (S r) = powers r + (r - 1)).
    { simpl. destruct (Ends_dec r); [contradiction | reflexivity]. }
    destruct (row_settles_always r (column_always r) period) as (s & j & hs & hj & h3);
      try assumption; try (unfold column_always; lia); try lia.
    exists (j * period). rewrite next, e, Nat.pow_add_r.
    pose proof (power_positive (r - 1)) as h2. set (A := 2 ^ powers r) in *.
    set (B := 2 ^ (r - 1)) in *. split; [nia |].
    assert (hB : (B - 1) * period <= A * B - A) by nia.
    intros c hc. destruct (Nat.eq_dec c r) as [-> |].
    + apply (repeats_later r s); [| now apply periodic_repeats]. unfold column_always in hs. nia.
    + apply (repeats_later c (column_always r)); [unfold column_always; nia |].
      apply repeats_multiple, below. lia.
Qed.

Lemma powers_at_most : forall r, let n := r - f (S r) in
  f (S r) <= r /\ 2 * powers (S r) + n + n * n <= 2 * n * r.
Proof.
  induction r as [| r (hle & IH)]; cbv zeta in *.
  - rewrite f_next, (f_0 f counted). simpl.
    destruct (Ends_dec 0) as [he |]; [now apply row_0_never_ends in he | lia].
  - change (powers (S (S r))) with (powers (S r) + (if Ends_dec (S r) then 0 else S r - 1)).
    rewrite (f_next (S r)).
    pose proof (f_less f counted (S r) ltac:(lia)).
    destruct (Ends_dec (S r)) as [he | he].
    + replace (S r - (f (S r) + 1)) with (r - f (S r)) by lia. split; [lia | nia].
    + set (n := r - f (S r)) in *. replace (S r - (f (S r) + 0)) with (n + 1) by lia.
      split; [lia | nia].
Qed.

Theorem start_always : forall r, 1 <= r -> ~ Ends r -> exists s k d, 8 * d + 2 * r <= 3 * (r * r) /\
  s + 2 <= 2 ^ d + d + 2 * r /\ k <= 2 ^ d /\ Periodic r s k.
Proof.
  intros r hr he. destruct (rows_settle_always r) as (period & hp & below).
  destruct (row_settles_always r (column_always r) period) as (s & j & hs & hj & h3);
    try assumption; try (unfold column_always; lia); try lia.
  assert (e : powers (S r) = powers r + (r - 1)).
  { simpl. destruct (Ends_dec r); [contradiction | reflexivity]. }
  exists s, (j * period), (powers (S r)). destruct (powers_at_most r) as (h1 & h2).
  pose proof (Columns.finite_rows_at_least (S r) _ (counted (S r))).
  pose proof (Nat.div_mod (S r) 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (S r) 2 ltac:(lia)).
  set (n := r - f (S r)) in *. assert (hn : 2 * n <= r) by lia. split.
  - clearbody n. assert (2 * n * (2 * n) <= r * (2 * n)) by nia. nia.
  - rewrite e, Nat.pow_add_r in *. unfold column_always in hs.
    pose proof (power_positive (r - 1)). pose proof (power_positive (powers r)).
    set (A := 2 ^ powers r) in *. set (B := 2 ^ (r - 1)) in *.
    assert (hB : (B - 1) * period + A <= A * B) by nia.
    split; [lia |]. split; [nia | exact h3].
Qed.

End Always.

Section AllRows.

Variables (h : nat -> Z) (f : nat -> nat).
Hypothesis queue : Cascade.Queue h.
Hypothesis counted : CountsFinite f.

(** What row c adds to the start, and to the common period. *)
Definition delay (c : nat) : nat :=
  if Ends_dec c then 0 else c - 1 + (if (h c =? 1)%Z then f c + 1 else 0).

Definition factor (c : nat) : nat :=
  if Ends_dec c then 1 else if (h c =? 1)%Z then f c + 1 else 1.

Fixpoint delays (r : nat) : nat := match r with 0 => 0 | S r => delays r + delay r end.

Fixpoint factors (r : nat) : nat := match r with 0 => 1 | S r => factors r * factor r end.

Definition column (r : nat) : nat := Nat.max 1 (2 * r - 1) + delays r.

(** A row that does not end, if the rows below have settled. *)
Lemma row_settles : forall r from period, r <= from -> 1 <= from -> 0 < period ->
  (forall c, c < r -> Repeats c from period) -> ~ Ends r -> (h r <= 1)%Z ->
  exists s j, s <= from + delay r /\ 1 <= j <= factor r /\ Periodic r s (j * period).
Proof.
  intros r from period hr hfrom hp below he hh. destruct (Cascade.state_exists h queue r)
    as (m & N & (e & w & _ & _ & _ & _ & X & range) & n & hn & hm).
  rewrite (counts_unique _ _ _ hn (counted r)) in hm. clear n hn.
  assert (far : forall q o, from <= q -> ColumnBlocked r q (q + o) -> o <= m).
  { intros q o hq hb. apply (proj1 (range (q + X * period) ltac:(nia))).
    refine (proj1 (columns_repeat r from (X * period) _ q o hq) hb).
    intros c hc. apply repeats_multiple, below, hc. }
  destruct (row_with_one_hole r from period m hr hp below far (f r) hfrom (alive_row r he)
    (counted r)) as (s & j & h1 & h2 & h3); [lia |]. exists s, j.
  unfold delay, factor. destruct (Ends_dec r); [contradiction |].
  destruct (Nat.eqb_spec m (1 + f r)), (Z.eqb_spec (h r) 1); try lia.
  - split; [lia |]. split; [lia | exact h3].
  - split; [lia |]. split; [lia | exact h3].
Qed.

Lemma column_at_least : forall r, r <= column r /\ 1 <= column r.
Proof. intros r. unfold column. lia. Qed.

Lemma column_next : forall r, column (S r) = 2 * r + 1 + (delays r + delay r).
Proof. intros r. unfold column. change (delays (S r)) with (delays r + delay r). lia. Qed.

Lemma rows_settle : forall r, (forall c, c < r -> ~ Ends c -> (h c <= 1)%Z) ->
  exists period, 0 < period <= factors r /\ forall c, c < r -> Repeats c (column r) period.
Proof.
  induction r as [| r IH]; intros hh; [exists 1; simpl; split; lia |].
  destruct IH as (period & hp & below); [intros c hc; apply hh; lia |].
  assert (later : column r <= column (S r)) by (rewrite column_next; unfold column; lia).
  destruct (column_at_least r) as (h1 & h2). destruct (Ends_dec r) as [he | he].
  - exists period. simpl. unfold factor. destruct (Ends_dec r); [| contradiction].
    split; [lia |]. intros c hc. destruct (Nat.eq_dec c r) as [-> |].
    + destruct he as (x & hx). apply (repeats_later r (S x)); [| now apply finite_repeats].
      apply ends_early in hx. rewrite column_next. lia.
    + apply (repeats_later c (column r)); [exact later |]. apply below. lia.
  - destruct (row_settles r (column r) period) as (s & j & hs & hj & h3); try assumption; try lia.
    { apply hh; [lia | exact he]. }
    exists (j * period). simpl. split; [nia |]. intros c hc. destruct (Nat.eq_dec c r) as [-> |].
    + apply (repeats_later r s); [| now apply periodic_repeats].
      rewrite column_next. unfold column in hs. lia.
    + apply (repeats_later c (column r)); [exact later |]. apply repeats_multiple, below. lia.
Qed.

(** 3.1. *)
Theorem start_and_period : forall r, (forall c, c <= r -> ~ Ends c -> (h c <= 1)%Z) -> ~ Ends r ->
  exists s k, s <= Nat.max 1 (2 * r - 1) + delays (S r) /\ k <= factors (S r) /\ Periodic r s k.
Proof.
  intros r hh he. destruct (rows_settle r) as (period & hp & below).
  { intros c hc. apply hh. lia. }
  destruct (column_at_least r).
  destruct (row_settles r (column r) period) as (s & j & hs & hj & h3); try assumption; try lia.
  { now apply hh. }
  exists s, (j * period). unfold column in hs.
  change (delays (S r)) with (delays r + delay r). split; [lia |]. split; [simpl; nia | exact h3].
Qed.

(** The sum, by the numbers F(b) of finite rows below. *)
Lemma delays_at_most : forall r, let n := r - f (S r) in
  f (S r) <= r /\ 14 * delays (S r) + 12 * n * n <= n * (24 * r + 8).
Proof.
  induction r as [| r (hle & IH)].
  - cbv zeta. rewrite (f_next f counted), (f_0 f counted). simpl. unfold delay.
    destruct (Ends_dec 0) as [he |]; [now apply row_0_never_ends in he |].
    rewrite (f_0 f counted), (proj1 queue). simpl. lia.
  - cbv zeta in *. change (delays (S (S r))) with (delays (S r) + delay (S r)).
    rewrite (f_next f counted (S r)). unfold delay.
    pose proof (FiniteRows.finite_rows_at_most (S r) _ ltac:(lia) (counted (S r))) as h5.
    destruct (Ends_dec (S r)) as [he | he].
    + replace (S r - (f (S r) + 1)) with (r - f (S r)) by lia. split; [lia |]. nia.
    + set (n := r - f (S r)) in *. replace (S r - (f (S r) + 0)) with (n + 1) by lia.
      split; [lia |].
      assert (14 * (S r - 1 + (if (h (S r) =? 1)%Z then f (S r) + 1 else 0)) <= 24 * S r - 4).
      { destruct (h (S r) =? 1)%Z; lia. }
      nia.
Qed.

Theorem polynomial_start : forall r, 1 <= r -> (forall c, c <= r -> ~ Ends c -> (h c <= 1)%Z) ->
  ~ Ends r -> exists s k, 14 * s + 14 <= 9 * (r * r) + 32 * r /\ k <= factors (S r) /\
    Periodic r s k.
Proof.
  intros r hr hh he. destruct (start_and_period r hh he) as (s & k & hs & hk & hp).
  exists s, k. split; [| now split]. destruct (delays_at_most r) as (h1 & h2).
  pose proof (finite_rows_at_least (S r) _ (counted (S r))).
  pose proof (Nat.div_mod (S r) 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (S r) 2 ltac:(lia)).
  set (n := r - f (S r)) in *. assert (2 * n <= r) by lia.
  assert (14 * delays (S r) <= 9 * (r * r) + 4 * r); [| lia].
  assert (n * (24 * r + 8) <= 9 * (r * r) + 4 * r + 12 * n * n); [| lia].
  clearbody n. assert (2 * n * (2 * n) <= r * (2 * n)) by nia. nia.
Qed.

End AllRows.
