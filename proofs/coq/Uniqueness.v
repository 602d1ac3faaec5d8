(** * The rightmost hole, ends, and means

Sections 1 to 3 of [uniqueness.md]. Row c ends at x if [F x c x]. No end is a diagonal value, so
every board with three full rows has exactly one winning opening; and the mean of a periodic row is
one more than the number of finite rows below it. *)

From Coq Require Import Arith List Permutation Lia.
From Chomp Require Import Rules Recurrence Byrnes Values Counting.
Import ListNotations.

(** x is an end: some row ends there. *)
Definition End (x : nat) : Prop := exists c, F x c x.

(** x is a diagonal value. *)
Definition Diagonal (x : nat) : Prop := exists q, F q q x.

(** Column q has x. *)
Definition InColumn (q x : nat) : Prop := exists b, F q b x.

(** In a column, no p occurs twice. *)
Lemma F_column_injective : forall q r r' p, F q r p -> F q r' p -> r = r'.
Proof.
  assert (less : forall q r r' p, F q r p -> F q r' p -> ~ r < r').
  { intros q r r' p h h' hlt. apply (blocked_not_F r' q p); [| exact h'].
    right. right. right. now exists r. }
  intros q r r' p h h'. pose proof (less q r r' p h h'). pose proof (less q r' r p h' h). lia.
Qed.

(** A diagonal value does not occur in a row above its own. *)
Lemma diagonal_blocks : forall q r c p, F q r p -> F c c p -> r <= c.
Proof.
  intros q r c p h hc. destruct (le_lt_dec r c) as [| hlt]; [assumption |].
  destruct (blocked_not_F r q p); [| exact h]. right. left. now exists c.
Qed.

Lemma below_column : forall q b p, F q b p -> b < S q.
Proof. intros q b p (_ & h & _). lia. Qed.

Lemma End_dec : forall x, {End x} + {~ End x}.
Proof.
  intros x. destruct (exists_below_dec (fun c => F x c x)) with (n := S x) as [h | h].
  - intros c. apply F_dec.
  - left. destruct h as (c & _ & h). now exists c.
  - right. intros (c & hc). apply h. exists c. split; [| exact hc]. now apply below_column in hc.
Defined.

Lemma InColumn_dec : forall q x, {InColumn q x} + {~ InColumn q x}.
Proof.
  intros q x. destruct (exists_below_dec (fun b => F q b x)) with (n := S q) as [h | h].
  - intros b. apply F_dec.
  - left. destruct h as (b & _ & h). now exists b.
  - right. intros (b & hb). apply h. exists b. split; [| exact hb]. now apply below_column in hb.
Defined.

Lemma diagonal_exists : forall q, exists d, d <= 2 * q + 1 /\ F q q d.
Proof.
  intros q. destruct (F_exists q q) as (d & hd & h); [lia | |].
  - intros (x & hx & (_ & h & _)). lia.
  - exists d. split; [lia | exact h].
Qed.

(** ** 1. The rightmost hole *)

Lemma value_before : forall q r t p, F q r p -> r <= t < q -> ~ ColumnBlocked r t p ->
  exists v, t < v < p /\ F t r v.
Proof.
  intros q r t p h ht hc. assert (hq : q <= p) by apply h.
  assert (he : ~ Ended r t).
  { intros (x & hx & hf). apply (ended_stays _ _ _ _ hf) in h; [exact h | lia]. }
  destruct (F_exists r t) as (v & _ & hv); [lia | exact he |]. exists v. split; [| exact hv].
  assert (t <= v) by apply hv.
  assert (v <> t).
  { intros ->. apply (ended_stays _ _ _ _ hv) in h; [exact h | lia]. }
  assert (v <> p).
  { intros ->. pose proof (F_injective _ _ _ _ h hv). lia. }
  destruct (le_lt_dec v p) as [| hlt]; [lia |].
  destruct (proj1 (fact_1 r t v ltac:(lia) he) hv) as (_ & _ & least).
  destruct (least p) as [h0 | [(c & hd & hf) | [(x & hx & hf) | hb]]]; [lia | lia | | |].
  - pose proof (diagonal_blocks _ _ _ _ h hf). lia.
  - pose proof (F_injective _ _ _ _ h hf). lia.
  - contradiction.
Qed.

Theorem rightmost_hole : forall q r p, r <= q -> ~ ColumnBlocked r q p ->
  (forall t, q < t < p -> ColumnBlocked r t p) ->
  forall v, q < v < p -> ColumnBlocked r q v.
Proof.
  intros q r p hr hn all v hv.
  destruct (counts_onto (fun t => S q <= t < S q + (p - S q)) (fun v => S q <= v < S q + (p - S q))
    (fun t v => exists b, b < r /\ F t b p /\ F q b v) (p - S q)) with (y := v)
    as (t & _ & b & hb & _ & h); try apply counts_interval; [| | lia |].
  - intros t ht. destruct (all t) as (b & hb & h); [lia |].
    destruct (value_before t b q p h) as (w & hw & h'); [lia | |].
    + intros (c & hc & hf). apply hn. exists c. split; [lia | exact hf].
    + exists w. split; [lia |]. exists b. now split.
  - intros t t' w _ _ (b & _ & h & hw) (b' & _ & h' & hw').
    rewrite (F_column_injective _ _ _ _ hw hw') in h. exact (F_injective _ _ _ _ h h').
  - exists b. now split.
Qed.

(** ** 2. Ends *)

Theorem columns_before_end : forall x c t, F x c x -> c <= t < x -> ColumnBlocked c t x.
Proof.
  intros x c t h. remember (x - t) as n eqn:e. revert t e.
  induction n as [n IH] using lt_wf_ind. intros t e ht.
  destruct (ColumnBlocked_dec c t x) as [| hn]; [assumption |]. exfalso.
  assert (later : forall u, t < u <= x -> exists b, b <= c /\ b <= t /\ F u b x).
  { intros u hu. destruct (Nat.eq_dec u x) as [-> |].
    - exists c. split; [lia |]. split; [lia | exact h].
    - destruct (IH (x - u)) with (t := u) as (b & hb & hf); try lia.
      exists b. split; [lia |]. split; [lia | exact hf]. }
  assert (le : x - t <= x - t - 1); [| lia].
  apply (counts_le (fun u => S t <= u < S t + (x - t)) (fun v => S t <= v < S t + (x - t - 1))
    (fun u v => exists b, F u b x /\ F t b v)); try apply counts_interval.
  - intros u hu. destruct (later u) as (b & hb & hbt & hf); [lia |].
    destruct (value_before u b t x hf) as (v & hv & hf'); [lia | |].
    + intros (b' & hb' & hf'). apply hn. exists b'. split; [lia | exact hf'].
    + exists v. split; [lia |]. exists b. now split.
  - intros u u' v _ _ (b & hb & hv) (b' & hb' & hv').
    rewrite (F_column_injective _ _ _ _ hv hv') in hb. exact (F_injective _ _ _ _ hb hb').
Qed.

(** M*: the end of a row does not occur in a row above it. *)
Theorem end_not_above : forall x c q r, F x c x -> c < r -> ~ F q r x.
Proof.
  intros x c q r h hc hf. assert (hq : q <= x /\ r <= q) by (split; apply hf).
  destruct (Nat.eq_dec q x) as [-> |].
  - pose proof (F_column_injective _ _ _ _ h hf). lia.
  - destruct (columns_before_end x c q h) as (b & hb & hf'); [lia |].
    pose proof (F_column_injective _ _ _ _ hf hf'). lia.
Qed.

Theorem end_not_diagonal : forall x, End x -> ~ Diagonal x.
Proof.
  intros x (c & h) (q & hq). destruct (lt_eq_lt_dec q c) as [[hlt | ->] | hlt].
  - pose proof (diagonal_blocks _ _ _ _ h hq). lia.
  - pose proof (F_injective _ _ _ _ h hq). subst. now apply F_P, full_board_not_P in hq.
  - now apply (end_not_above x c q q h hlt) in hq.
Qed.

Theorem end_or_diagonal : forall n, 1 <= n -> End n \/ Diagonal n.
Proof.
  intros n hn. destruct (N_cases n n n) as
    [(p & hp & h) | [(x & hx & h) | [(x & hx & h) | [(c & hc & h) | (c & hc & h)]]]]; try lia.
  - apply full_board_not_P.
  - destruct h. lia.
  - destruct h as (_ & h & _). lia.
  - right. now exists c.
  - left. now exists c.
Qed.

Lemma Diagonal_dec : forall x, {Diagonal x} + {~ Diagonal x}.
Proof.
  intros x. destruct (exists_below_dec (fun q => F q q x)) with (n := S x) as [h | h].
  - intros q. apply F_dec.
  - left. destruct h as (q & _ & h). now exists q.
  - right. intros (q & hq). apply h. exists q. split; [| exact hq]. destruct hq. lia.
Defined.

(** Different bites lead to different positions. *)
Theorem bites_differ : forall x, Position x -> NoDup (bites x).
Proof.
  intros [[p q] r] hx. simpl in hx. unfold bites.
  assert (distinct : forall (f : nat -> position) n m,
    (forall i j, m <= i < m + n -> m <= j < m + n -> f i = f j -> i = j) ->
    NoDup (map f (seq m n))).
  { intros f n. induction n as [| n IH]; intros m h; simpl; [constructor |]. constructor.
    - rewrite in_map_iff. intros (i & e & hi). apply in_seq in hi.
      pose proof (h i m ltac:(lia) ltac:(lia) e). lia.
    - apply IH. intros i j hi hj. apply h; lia. }
  assert (append : forall l l' : list position, NoDup l -> NoDup l' ->
    (forall y, In y l -> ~ In y l') -> NoDup (l ++ l')).
  { intros l l' h h'. induction h as [| y l hy h IH]; intros apart; simpl; [exact h' |].
    constructor.
    - rewrite in_app_iff. intros [hin | hin]; [contradiction | apply (apart y); simpl; auto].
    - apply IH. intros z hz. apply apart. now right. }
  apply append; [apply distinct | apply append; try apply distinct |].
  - intros i j _ _ e. now injection e.
  - intros i j _ _ e. now injection e.
  - intros i j _ _ e. now injection e.
  - intros y. rewrite !in_map_iff. intros (i & <- & hi) (j & e & hj).
    apply in_seq in hi, hj. injection e. lia.
  - intros y. rewrite in_app_iff, !in_map_iff.
    intros (i & <- & hi) [(j & e & hj) | (j & e & hj)]; apply in_seq in hi, hj; injection e; lia.
Qed.

(** The P-positions to which one bite leads from the board of 3 rows of n squares. *)
Lemma opening_cases : forall n y, Bite (n, n, n) y -> P y ->
  (exists q, q < n /\ F q q n /\ y = (n, q, q)) \/ (exists c, c < n /\ F n c n /\ y = (n, n, c)).
Proof.
  intros n y hb hy. inversion hb; subst.
  - replace (min n p') with p' in hy by lia. now apply full_board_not_P in hy.
  - left. exists q'. replace (min n q') with q' in * by lia.
    split; [lia |]. split; [now apply F_P | reflexivity].
  - right. exists r'. split; [lia |]. split; [now apply F_P | reflexivity].
Qed.

Theorem unique_opening : forall n, 1 <= n -> exists! y, Bite (n, n, n) y /\ P y.
Proof.
  intros n hn. assert (N (n, n, n)) as h by now apply full_board_N.
  apply N_iff in h; [| simpl; lia]. destruct h as (y & hb & hy). exists y.
  split; [now split |]. intros z [hb' hz].
  destruct (opening_cases n y hb hy) as [(q & _ & hf & ->) | (c & _ & hf & ->)],
    (opening_cases n z hb' hz) as [(q' & _ & hf' & ->) | (c' & _ & hf' & ->)].
  - pose proof (diagonal_blocks _ _ _ _ hf hf'). pose proof (diagonal_blocks _ _ _ _ hf' hf).
    now replace q' with q by lia.
  - destruct (end_not_diagonal n); [now exists c' | now exists q].
  - destruct (end_not_diagonal n); [now exists c | now exists q'].
  - now rewrite (F_column_injective _ _ _ _ hf hf').
Qed.

(** ** 3. Counts *)

(** (D) or (R) for row r in column q, as a set of numbers, with the column t that each is in. *)
Definition Past (r q t p : nat) : Prop := t < q /\ F t (min t r) p.

Lemma row_blocked_past : forall r q p, r <= q ->
  (RowBlocked r q p <-> p = 0 \/ exists t, Past r q t p).
Proof.
  intros r q p hr. unfold RowBlocked, Past. split.
  - intros [h | [(c & hc & h) | (t & ht & h)]]; [now left | |]; right.
    + exists c. rewrite Nat.min_l by lia. split; [lia | exact h].
    + exists t. rewrite Nat.min_r by lia. split; [lia | exact h].
  - intros [h | (t & ht & h)]; [now left |]. right. destruct (le_lt_dec r t).
    + right. exists t. rewrite Nat.min_r in h by lia. split; [lia | exact h].
    + left. exists t. rewrite Nat.min_l in h by lia. split; [lia | exact h].
Qed.

Lemma past_value : forall r q t, r <= q -> ~ Ended r q -> t < q -> exists p, Past r q t p.
Proof.
  intros r q t hr he ht. destruct (F_exists (min t r) t) as (p & _ & h); [lia | |].
  - destruct (le_lt_dec r t).
    + rewrite Nat.min_r by lia. apply (not_ended_before r q); [lia | exact he].
    + rewrite Nat.min_l by lia. intros (x & hx & (_ & h & _)). lia.
  - exists p. now split.
Qed.

Lemma past_injective : forall r q t t' p, Past r q t p -> Past r q t' p -> t = t'.
Proof.
  assert (less : forall r q t t' p, Past r q t p -> Past r q t' p -> ~ t < t').
  { intros r q t t' p (ht & h) (ht' & h') hlt. destruct (le_lt_dec r t).
    - rewrite Nat.min_r in h by lia. rewrite Nat.min_r in h' by lia.
      pose proof (F_injective _ _ _ _ h h'). lia.
    - rewrite Nat.min_l in h by lia. pose proof (diagonal_blocks _ _ _ _ h' h). lia. }
  intros r q t t' p h h'. pose proof (less r q t t' p h h'). pose proof (less r q t' t p h' h). lia.
Qed.

Lemma past_not_end : forall r q t p c, c < r -> Past r q t p -> ~ F p c p.
Proof.
  intros r q t p c hc (ht & h) he. destruct (le_lt_dec r t).
  - rewrite Nat.min_r in h by lia. exact (end_not_above p c t r he hc h).
  - rewrite Nat.min_l in h by lia. apply (end_not_diagonal p); [now exists c | now exists t].
Qed.

(** Of the numbers from q on, (D) or (R) blocks one more than the rows below that ended before. *)
Theorem blocked_by_the_row : forall r q k, r <= q -> 1 <= q -> ~ Ended r q ->
  Counts (fun c => c < r /\ Ended c q) k ->
  Counts (fun p => q <= p /\ RowBlocked r q p) (1 + k).
Proof.
  intros r q k hr hq he hk.
  assert (values : Counts (fun p => exists t, Past r q t p) q).
  { apply (counts_image (fun t => 0 <= t < 0 + q) _ (Past r q)).
    - intros t ht. destruct (past_value r q t hr he) as (p & hp); [lia |].
      exists p. split; [now exists t | exact hp].
    - intros t t' p _ _. apply past_injective.
    - intros t p p' _ [_ h] [_ h']. exact (F_unique _ _ _ _ h h').
    - intros p (t & hp). exists t. split; [destruct hp; lia | exact hp].
    - apply counts_interval. }
  assert (ends : Counts (fun x => x < q /\ exists c, c < r /\ F x c x) k).
  { apply (counts_image (fun c => c < r /\ Ended c q) _ (fun c x => x < q /\ F x c x)).
    - intros c (hc & x & hx & h). exists x. split; [| now split].
      split; [exact hx |]. now exists c.
    - intros c c' x _ _ (_ & h) (_ & h'). exact (F_column_injective _ _ _ _ h h').
    - intros c x x' _ (_ & h) (_ & h'). exact (finite_unique c x x' h h').
    - intros x (hx & c & hc & h). exists c. split; [| now split].
      split; [exact hc |]. now exists x.
    - exact hk. }
  destruct (counts_below (fun p => exists t, Past r q t p)) with (n := q) as (m & _ & low).
  { intros p. apply exists_below_dec. intros t. apply F_dec. }
  assert (below : m + k = q - 1).
  { apply (counts_unique (fun p => 1 <= p < 1 + (q - 1))); [| apply counts_interval].
    apply (counts_ext (fun p => (p < q /\ exists t, Past r q t p) \/
      (p < q /\ exists c, c < r /\ F p c p))).
    - intros p. split.
      + intros [(hp & t & _ & h) | (hp & c & _ & h)]; apply F_positive in h; lia.
      + intros hp. destruct (listed_below r q p hr he) as [h | [h | [(c & _ & h) | (c & hc & h)]]];
          [lia | | | |].
        * left. split; [lia |]. assert (hb : RowBlocked r q p) by (right; now left).
          apply row_blocked_past in hb; [| exact hr]. destruct hb as [-> |]; [lia | assumption].
        * left. split; [lia |]. assert (hb : RowBlocked r q p) by (right; now right).
          apply row_blocked_past in hb; [| exact hr]. destruct hb as [-> |]; [lia | assumption].
        * destruct h. lia.
        * right. split; [lia |]. exists c. tauto.
    - apply counts_or; [| exact low | exact ends].
      intros p (_ & t & h) (_ & c & hc & h'). exact (past_not_end r q t p c hc h h'). }
  destruct (counts_part (fun p => q <= p) _ q (le_dec q) values) as (k' & _ & above).
  assert (e : q = k' + m).
  { apply (counts_split (fun p => q <= p) _ _ _ _ (le_dec q) values above).
    apply (counts_ext (fun p => p < q /\ exists t, Past r q t p)); [| exact low].
    intros p. rewrite Nat.nle_gt. tauto. }
  replace (1 + k) with k' by lia.
  apply (counts_ext (fun p => (exists t, Past r q t p) /\ q <= p)); [| exact above].
  intros p. rewrite (row_blocked_past r q p hr). split; [tauto |].
  intros (hp & [-> | h]); [lia | tauto].
Qed.

(** ** Means *)

(** Row c is finite. *)
Definition Ends (c : nat) : Prop := exists x, F x c x.

Lemma ends_or_not : forall c, Ends c \/ ~ Ends c.
Proof.
  intros c. destruct (byrnes c) as [(l & h) | (s & k & h)]; [left; now exists l |].
  right. intros (l & h'). exact (finite_not_periodic c l s k h' h).
Qed.

Lemma count_next : forall r f, Counts (fun c => (c < r) /\ Ends c) f ->
  (Ends r -> Counts (fun c => (c < S r) /\ Ends c) (f + 1)) /\
  (~ Ends r -> Counts (fun c => (c < S r) /\ Ends c) f).
Proof.
  intros r f hf. split; intros hr.
  - apply (counts_ext (fun c => ((c < r) /\ Ends c) \/ (r <= c < r + 1))).
    + intros c. split.
      * intros [(hc & he) | hc]; [split; [lia | exact he] |]. replace c with r by lia. auto.
      * intros (hc & he). destruct (Nat.eq_dec c r); [right; lia | left; split; [lia | exact he]].
    + apply counts_or; [lia | exact hf | apply counts_interval].
  - revert hf. apply counts_ext. intros c. split; intros (hc & he); (split; [| exact he]); [lia |].
    destruct (Nat.eq_dec c r) as [-> |]; [contradiction | lia].
Qed.

(** The finite rows below r can be counted. *)
Theorem finite_rows_below : forall r, exists k, k <= r /\ Counts (fun c => c < r /\ Ends c) k.
Proof.
  induction r as [| r (k & hk & h)].
  - exists 0. split; [lia |]. apply counts_none. lia.
  - destruct (count_next r k h) as (h1 & h2). destruct (ends_or_not r) as [hr | hr].
    + exists (k + 1). split; [lia | now apply h1].
    + exists k. split; [lia | now apply h2].
Qed.

(** All of them have ended before some column. *)
Lemma all_have_ended : forall r, exists q, forall c, c < r -> Ends c -> Ended c q.
Proof.
  induction r as [| r (q & h)].
  - exists 0. lia.
  - destruct (ends_or_not r) as [(x & hx) | hr].
    + exists (q + x + 1). intros c hc he. destruct (Nat.eq_dec c r) as [-> |].
      * exists x. split; [lia | exact hx].
      * destruct (h c) as (y & hy & hf); [lia | exact he |]. exists y. split; [lia | exact hf].
    + exists q. intros c hc he. apply h; [| exact he].
      destruct (Nat.eq_dec c r) as [-> |]; [contradiction | lia].
Qed.

Lemma ended_ends : forall r q, (forall c, c < r -> Ends c -> Ended c q) ->
  forall q' c, q <= q' -> (c < r /\ Ended c q' <-> c < r /\ Ends c).
Proof.
  intros r q h q' c hq. split; intros [hc he]; (split; [exact hc |]).
  - destruct he as (x & _ & hx). now exists x.
  - destruct (h c hc he) as (x & hx & hf). exists x. split; [lia | exact hf].
Qed.

(** Offset 0 is in U(q) if row r goes beyond column q, and no row below ends there. *)
Lemma zero_blocked : forall r q, r <= q -> 1 <= q -> ~ Ended r (S q) ->
  (forall c, c < r -> ~ F q c q) -> RowBlocked r q q.
Proof.
  intros r q hr hq he none.
  destruct (listed_below r (S q) q) as [h | [(t & ht & h) | [(c & _ & h) | (c & hc & _ & h)]]];
    [lia | exact he | lia | | | |].
  - right. now left.
  - right. right. exists t. split; [| exact h]. destruct (Nat.eq_dec t q) as [-> |]; [| lia].
    destruct he. exists q. split; [lia | exact h].
  - destruct h. lia.
  - now apply none in h.
Qed.

(** The offsets in U(q). *)
Definition Offsets (r q x : nat) : Prop := RowBlocked r q (q + x).

Lemma offsets_count : forall r q k,
  Counts (fun p => q <= p /\ RowBlocked r q p) k -> Counts (Offsets r q) k.
Proof.
  intros r q k. apply (counts_image _ _ (fun p x => p = q + x)).
  - intros p (hp & h). exists (p - q). unfold Offsets.
    replace (q + (p - q)) with p by lia. now split.
  - intros; lia.
  - intros; lia.
  - intros x h. exists (q + x). split; [split; [lia | exact h] | reflexivity].
Qed.

(** From one column to the next, each offset loses 1, offset 0 is lost, and the new one is added. *)
Lemma offsets_sum : forall r q x l m, r <= q -> Offsets r q 0 -> F q r (q + x) ->
  Lists (Offsets r q) l -> Lists (Offsets r (S q)) m -> sum m + length m = sum l + x.
Proof.
  intros r q x l m hr h0 hx [hd hl] [hd' hm].
  assert (same : Permutation (0 :: map S m) (x :: l)).
  { apply NoDup_Permutation.
    - constructor; [rewrite in_map_iff; intros (y & e & _); lia |].
      apply FinFun.Injective_map_NoDup; [| exact hd']. intros y z. lia.
    - constructor; [| exact hd]. intros h. apply hl in h. apply (blocked_not_F r q (q + x)).
      + apply Blocked_iff. now left.
      + exact hx.
    - intros y. simpl. rewrite in_map_iff, hl. split.
      + intros [<- | (z & <- & hz)]; [now right |]. apply hm in hz. unfold Offsets in hz.
        apply RowBlocked_step in hz; [| exact hr]. rewrite Nat.add_succ_comm in hz.
        destruct hz as [hz | hz]; [now right |]. left. pose proof (F_unique _ _ _ _ hx hz). lia.
      + intros h. destruct y as [| y]; [now left |]. right. exists y. split; [reflexivity |].
        apply hm. unfold Offsets. apply RowBlocked_step; [exact hr |].
        rewrite Nat.add_succ_comm. destruct h as [<- | h]; [now right | now left]. }
  apply sum_permutation in same. simpl in same.
  assert (each : forall l, sum (map S l) = sum l + length l).
  { induction l0 as [| y l0 IH]; simpl; lia. }
  rewrite each in same. lia.
Qed.

(** Far from the diagonal, the past of a periodic row repeats. *)
Lemma past_repeats : forall r s k q, Periodic r s k -> s + 2 * r + 2 <= q ->
  SamePast r q (q + k).
Proof.
  intros r s k q hp hq x. pose proof (periodic_repeats r s k hp) as hr.
  split; intros [h | [(c & hc & h) | (t & ht & h)]]; try lia;
    try (apply F_bound in h; lia); right; right; pose proof (F_bound _ _ _ h).
  - exists (t + k). split; [lia |]. assert (t <= q + x) by apply h.
    replace (q + x) with (t + (q + x - t)) in h by lia. apply (hr t) in h; [| lia].
    now replace (q + k + x) with (t + k + (q + x - t)) by lia.
  - exists (t - k). split; [lia |]. assert (t <= q + k + x) by apply h.
    replace (q + x) with (t - k + (q + k + x - t)) by lia. apply (hr (t - k)); [lia |].
    replace (t - k + k) with t by lia. now replace (t + (q + k + x - t)) with (q + k + x) by lia.
Qed.

Section Mean.

Variables (r start k : nat) (v : nat -> nat) (finite : nat).
Hypothesis periodic : Periodic r start k.
Hypothesis values : forall i, i < k -> F (start + i) r (start + i + v i).
Hypothesis counted : Counts (fun c => c < r /\ Ends c) finite.

Let alive : forall q, ~ Ended r q.
Proof. intros q. exact (periodic_never_ends r start k q periodic). Qed.

(** In far columns U(q) has 1 + [finite] members, and 0 is one of them. *)
Lemma far_columns : exists far, r < far /\ forall q, far <= q ->
  Counts (Offsets r q) (1 + finite) /\ Offsets r q 0.
Proof.
  destruct (all_have_ended r) as (q0 & h0). exists (q0 + r + 1). split; [lia |]. intros q hq. split.
  - apply offsets_count, blocked_by_the_row; [lia | lia | apply alive |].
    apply (counts_ext (fun c => c < r /\ Ends c)); [| exact counted].
    intros c. symmetry. apply (ended_ends r q0 h0). lia.
  - unfold Offsets. rewrite Nat.add_0_r. apply zero_blocked; [lia | lia | apply alive |].
    intros c hc h. destruct (h0 c hc) as (x & hx & hf); [now exists q |].
    pose proof (finite_unique c q x h hf). lia.
Qed.

(** M: the mean of a periodic row is one more than the number of finite rows below it. *)
Theorem mean_counts_finite_rows : sum (map v (seq 0 k)) = k * (1 + finite).
Proof.
  destruct far_columns as (far & hr & h). assert (hk : 0 < k) by apply periodic.
  set (n := far + 2 * r + 2). set (q := start + n * k).
  assert (hq : far <= q /\ start + 2 * r + 2 <= q) by (unfold q, n; nia).
  assert (sums : forall j, j <= k -> exists l l', Lists (Offsets r q) l /\
    Lists (Offsets r (q + j)) l' /\ sum l' + j * (1 + finite) = sum l + sum (map v (seq 0 j))).
  { induction j as [| j IH]; intros hj.
    - destruct (h q) as ((l & hl & _) & _); [lia |]. exists l, l. rewrite Nat.add_0_r.
      split; [exact hl |]. split; [exact hl |]. simpl. lia.
    - destruct IH as (l & m & hl & hm & e); [lia |]. exists l.
      destruct (h (S (q + j))) as ((m' & hm' & len) & _); [lia |]. exists m'.
      split; [exact hl |]. rewrite Nat.add_succ_r. split; [exact hm' |].
      assert (step : sum m' + length m' = sum m + v j).
      { apply (offsets_sum r (q + j)); try assumption; [lia | apply h; lia |].
        pose proof (values_repeat r start k v periodic values j n) as hv.
        replace (q + j) with (start + j + n * k) by (unfold q; lia).
        replace (start + j + n * k + v j) with (start + j + v j + n * k) by lia. apply hv. lia. }
      rewrite seq_S, map_app. simpl.
      assert (app : forall a b, sum (a ++ b) = sum a + sum b).
      { induction a as [| y a IHa]; intros b; simpl; [lia |]. rewrite IHa. lia. }
      rewrite app. simpl. lia. }
  destruct (sums k (le_n k)) as (l & m & hl & hm & e).
  assert (same : sum m = sum l); [| lia].
  apply sum_permutation, (lists_permutation (Offsets r (q + k))); [exact hm |].
  apply (lists_ext (Offsets r q)); [| exact hl].
  intros x. apply (past_repeats r start k q periodic). lia.
Qed.

End Mean.
