(** * Byrnes' theorem: every row is finite or ultimately periodic

The proof uses fact 1 and is similar to that of fact 3. The members of U(q) are at most r. So among
sufficiently many columns whose distances are multiples of all periods below, there are two with the
same U, and from the first of them on the row is periodic. Then a least start and a least period
exist, and a finite table determines row r. *)

From Coq Require Import Arith List Bool Lia.
From Chomp Require Import Rules Recurrence.
Import ListNotations.

(** Row r is finite, and its last position is in column [last]. *)
Definition Finite (r last : nat) : Prop := F last r last.

(** Row r never ends, and its offsets repeat with [period] from column [start] on. *)
Definition Periodic (r start period : nat) : Prop :=
  0 < period /\
  forall q, start <= q -> exists p, F q r p /\ F (q + period) r (p + period).

(** The same with the least start and the least period. *)
Definition Canonical (r start period : nat) : Prop :=
  Periodic r start period /\
  forall s k, Periodic r s k -> start <= s /\ Nat.divide period k.

Theorem finite_row : forall r last, Finite r last ->
  (forall q, r <= q <= last -> exists p, F q r p) /\ (forall q p, last < q -> ~ F q r p).
Proof.
  intros r last h. split.
  - intros q hq. apply F_exists_iff; [lia |]. intros (x & hx & hf).
    apply (ended_stays _ _ _ _ hf) in h; [exact h | lia].
  - intros q p hq. now apply (ended_stays _ _ _ _ h).
Qed.

Lemma finite_unique : forall r l l', Finite r l -> Finite r l' -> l = l'.
Proof.
  intros r l l' h h'. destruct (lt_eq_lt_dec l l') as [[hlt | heq] | hlt]; [| exact heq |].
  - now apply (ended_stays _ _ _ _ h hlt) in h'.
  - now apply (ended_stays _ _ _ _ h' hlt) in h.
Qed.

Theorem periodic_never_ends : forall r start period q,
  Periodic r start period -> ~ Ended r q.
Proof.
  intros r s k q [_ h] (x & hx & hf). destruct (h (s + q)) as (p & hp & _); [lia |].
  apply (ended_stays _ _ _ _ hf) in hp; [exact hp | lia].
Qed.

Theorem finite_not_periodic : forall r last start period,
  Finite r last -> ~ Periodic r start period.
Proof.
  intros r l s k hf hp. apply (periodic_never_ends r s k (S l) hp).
  exists l. split; [lia | exact hf].
Qed.

(** ** Fact 3 with the full common multiple *)

(** The state of row r is the same in the columns q1 and q2. *)
Definition SamePast (r q1 q2 : nat) : Prop :=
  forall x, RowBlocked r q1 (q1 + x) <-> RowBlocked r q2 (q2 + x).

(** From column s on, the offsets that the column blocks for row r repeat with M. *)
Definition ColumnsRepeat (r s M : nat) : Prop :=
  forall q x, s <= q -> (ColumnBlocked r q (q + x) <-> ColumnBlocked r (q + M) (q + M + x)).

(** Row r has the same offset in the columns q1 and q2, or none in both. *)
Definition SameOffset (r q1 q2 : nat) : Prop := forall x, F q1 r (q1 + x) <-> F q2 r (q2 + x).

Lemma same_offset : forall r q1 q2, r <= q1 -> r <= q2 -> ~ Ended r q1 -> ~ Ended r q2 ->
  (forall x, Blocked r q1 (q1 + x) <-> Blocked r q2 (q2 + x)) -> SameOffset r q1 q2.
Proof.
  assert (half : forall r q1 q2, r <= q1 -> r <= q2 -> ~ Ended r q1 -> ~ Ended r q2 ->
    (forall x, Blocked r q1 (q1 + x) <-> Blocked r q2 (q2 + x)) ->
    forall x, F q1 r (q1 + x) -> F q2 r (q2 + x)).
  { intros r q1 q2 h1 h2 he1 he2 hb x hf. apply fact_1 in hf; try assumption.
    destruct hf as (_ & hn & least). apply fact_1; try assumption. split; [lia |].
    rewrite <- hb. split; [exact hn |]. intros p hp. replace p with (q2 + (p - q2)) by lia.
    apply hb, least. lia. }
  intros r q1 q2 h1 h2 he1 he2 hb x. split; apply half; try assumption.
  intros y. now rewrite hb.
Qed.

Lemma same_past_step : forall r q1 q2, r <= q1 -> r <= q2 ->
  SamePast r q1 q2 -> SameOffset r q1 q2 -> SamePast r (S q1) (S q2).
Proof.
  intros r q1 q2 h1 h2 hp ho x. rewrite !RowBlocked_step by assumption.
  rewrite !Nat.add_succ_comm. now rewrite (hp (S x)), (ho (S x)).
Qed.

Theorem recurrent_state : forall r q1 M, r <= q1 -> 0 < M -> ~ Ended r (q1 + M) ->
  ColumnsRepeat r q1 M -> SamePast r q1 (q1 + M) ->
  Periodic r q1 M /\ forall q, q1 <= q -> SamePast r q (q + M).
Proof.
  intros r q1 M hr hM he hc hu.
  assert (offset : forall q, q1 <= q -> ~ Ended r (q + M) -> SamePast r q (q + M) ->
    SameOffset r q (q + M)).
  { intros q hq hne hs. apply same_offset; try lia; try exact hne.
    - apply (not_ended_before r (q + M)); [lia | exact hne].
    - intros x. rewrite !Blocked_iff. now rewrite (hs x), (hc q x hq). }
  assert (all : forall i, ~ Ended r (q1 + i + M) /\ SamePast r (q1 + i) (q1 + i + M)).
  { induction i as [| i [hne hs]].
    - now rewrite Nat.add_0_r.
    - pose proof (offset (q1 + i) ltac:(lia) hne hs) as ho. rewrite !Nat.add_succ_r. simpl. split.
      + intros (x & hx & hf). destruct (Nat.eq_dec x (q1 + i + M)) as [-> |].
        * pose proof (ho 0) as h0. rewrite !Nat.add_0_r in h0. apply h0 in hf.
          apply hne. exists (q1 + i). split; [lia | exact hf].
        * apply hne. exists x. split; [lia | exact hf].
      + apply same_past_step; [lia | lia | exact hs | exact ho]. }
  assert (from : forall q, q1 <= q -> ~ Ended r (q + M) /\ SamePast r q (q + M)).
  { intros q hq. replace q with (q1 + (q - q1)) by lia. apply all. }
  split; [split; [exact hM |] |].
  - intros q hq. destruct (from q hq) as [hne hs].
    destruct (F_exists r q) as (p & _ & hf).
    + lia.
    + apply (not_ended_before r (q + M)); [lia | exact hne].
    + exists p. split; [exact hf |]. assert (q <= p) by apply hf.
      replace p with (q + (p - q)) in hf by lia. apply (offset q hq hne hs) in hf.
      now replace (p + M) with (q + M + (p - q)) by lia.
  - intros q hq. apply from, hq.
Qed.

(** ** Offsets that repeat *)

(** The offsets of row r repeat with k from column s on. This holds also after the end of a row,
where there are none. *)
Definition Repeats (r s k : nat) : Prop := forall q, s <= q -> SameOffset r q (q + k).

Lemma same_offset_sym : forall r q1 q2, SameOffset r q1 q2 -> SameOffset r q2 q1.
Proof. intros r q1 q2 h x. now rewrite (h x). Qed.

Lemma same_offset_trans : forall r q1 q2 q3,
  SameOffset r q1 q2 -> SameOffset r q2 q3 -> SameOffset r q1 q3.
Proof. intros r q1 q2 q3 h h' x. now rewrite (h x), (h' x). Qed.

Lemma periodic_repeats : forall r s k, Periodic r s k -> Repeats r s k.
Proof.
  intros r s k [_ h] q hq x. destruct (h q hq) as (p & h1 & h2). split; intros hf.
  - rewrite (F_unique _ _ _ _ h1 hf) in h2. now replace (q + k + x) with (q + x + k) by lia.
  - replace (q + x) with p; [exact h1 |]. pose proof (F_unique _ _ _ _ h2 hf). lia.
Qed.

Lemma repeats_periodic : forall r s k, r <= s -> 0 < k -> (forall q, ~ Ended r q) ->
  Repeats r s k -> Periodic r s k.
Proof.
  intros r s k hr hk he h. split; [exact hk |]. intros q hq.
  destruct (F_exists r q) as (p & _ & hf); [lia | apply he |].
  exists p. split; [exact hf |]. assert (q <= p) by apply hf.
  replace p with (q + (p - q)) in hf by lia. apply (h q hq) in hf.
  now replace (p + k) with (q + k + (p - q)) by lia.
Qed.

Lemma finite_repeats : forall r last k, Finite r last -> Repeats r (S last) k.
Proof.
  intros r l k h q hq x.
  split; intros hf; apply (ended_stays _ _ _ _ h) in hf; (exact hf || lia || destruct hf).
Qed.

Lemma repeats_later : forall r s s' k, s <= s' -> Repeats r s k -> Repeats r s' k.
Proof. intros r s s' k hs h q hq. apply h. lia. Qed.

Lemma repeats_multiple : forall r s k n, Repeats r s k -> Repeats r s (n * k).
Proof.
  intros r s k n h. induction n as [| n IH]; intros q hq.
  - rewrite Nat.add_0_r. now intros x.
  - apply (same_offset_trans r q (q + n * k)); [now apply IH |].
    replace (q + S n * k) with (q + n * k + k) by lia. apply h. lia.
Qed.

(** If the offsets repeat with some period from column s on, then a period from another column on is
a period from s on. *)
Lemma repeats_earlier : forall r s k s' k', 0 < k ->
  Repeats r s k -> Repeats r s' k' -> Repeats r s k'.
Proof.
  intros r s k s' k' hk h h' q hq. pose proof (repeats_multiple r s k s' h) as far.
  apply (same_offset_trans r q (q + s' * k)); [now apply far |].
  apply (same_offset_trans r _ (q + s' * k + k')).
  - apply h'. nia.
  - apply same_offset_sym. replace (q + s' * k + k') with (q + k' + s' * k) by lia.
    apply far. lia.
Qed.

Lemma repeats_difference : forall r s a b, Repeats r s (a + b) -> Repeats r s a -> Repeats r s b.
Proof.
  intros r s a b h ha q hq. apply (same_offset_trans r q (q + (a + b))); [now apply h |].
  apply same_offset_sym. replace (q + (a + b)) with (q + b + a) by lia. apply ha. lia.
Qed.

Lemma repeats_mod : forall r s k k', 0 < k' ->
  Repeats r s k -> Repeats r s k' -> Repeats r s (k mod k').
Proof.
  intros r s k k' hk h h'. apply (repeats_difference r s (k / k' * k')).
  - rewrite Nat.mul_comm, <- Nat.div_mod by lia. exact h.
  - now apply repeats_multiple.
Qed.

(** ** The rows below settle *)

Lemma below_settle : forall r,
  (forall c, c < r -> exists s k, 0 < k /\ Repeats c s k) ->
  exists s M, 0 < M /\ forall c, c < r -> Repeats c s M.
Proof.
  induction r as [| r IH]; intros h.
  - exists 0, 1. split; [lia |]. intros c hc. lia.
  - destruct IH as (s & M & hM & below); [intros c hc; apply h; lia |].
    destruct (h r) as (s' & k & hk & hr); [lia |]. exists (s + s'), (M * k). split; [nia |].
    intros c hc. destruct (Nat.eq_dec c r) as [-> |].
    + apply (repeats_later r s'); [lia |]. now apply repeats_multiple.
    + apply (repeats_later c s); [lia |]. rewrite Nat.mul_comm. apply repeats_multiple, below. lia.
Qed.

Lemma columns_repeat : forall r s M, (forall c, c < r -> Repeats c s M) -> ColumnsRepeat r s M.
Proof.
  intros r s M h q x hq.
  split; intros (c & hc & hf); exists c; (split; [exact hc |]); now apply (h c hc q hq).
Qed.

(** ** A state recurs *)

Fixpoint bit_lists (n : nat) : list (list bool) :=
  match n with
  | 0 => [[]]
  | S n => map (cons true) (bit_lists n) ++ map (cons false) (bit_lists n)
  end.

Lemma bit_lists_all : forall l, In l (bit_lists (length l)).
Proof.
  induction l as [| b l IH]; simpl; [now left |]. apply in_or_app.
  destruct b; [left | right]; now apply in_map.
Qed.

(** If all values of f are in a list of n members, two of the values f 0, ..., f n are equal. *)
Lemma values_recur : forall (A : Type) (dec : forall a b : A, {a = b} + {a <> b})
  (f : nat -> A) (l : list A),
  (forall i, In (f i) l) -> exists i j, i < j <= length l /\ f i = f j.
Proof.
  intros A dec f l h.
  destruct (exists_below_dec (fun j => exists i, i < j /\ f i = f j))
    with (n := S (length l)) as [hd | hd].
  - intros j. apply exists_below_dec. intros i. apply dec.
  - destruct hd as (j & hj & i & hi & e). exists i, j. split; [lia | exact e].
  - assert (distinct : forall n, n <= S (length l) -> NoDup (map f (seq 0 n))).
    { induction n as [| n IH]; intros hn; [constructor |].
      rewrite seq_S, map_app. simpl. apply (NoDup_Add (Add_app (f n) _ [])).
      rewrite app_nil_r. split; [apply IH; lia |].
      rewrite in_map_iff. intros (i & e & hi). apply in_seq in hi.
      apply hd. exists n. split; [lia |]. exists i. split; [lia | exact e]. }
    assert (inside : incl (map f (seq 0 (S (length l)))) l).
    { intros a ha. apply in_map_iff in ha. destruct ha as (i & <- & _). apply h. }
    apply (NoDup_incl_length (distinct (S (length l)) (le_n _))) in inside.
    rewrite map_length, seq_length in inside. lia.
Qed.

(** U(q) as a list of bits. *)
Definition past (r q : nat) : list bool :=
  map (fun x => if RowBlocked_dec r q (q + x) then true else false) (seq 0 (S r)).

Lemma past_same : forall r q1 q2, r <= q1 -> r <= q2 -> past r q1 = past r q2 -> SamePast r q1 q2.
Proof.
  intros r q1 q2 h1 h2 e x. destruct (le_lt_dec x r) as [hx | hx].
  - assert (bit : forall q, nth_error (past r q) x =
      Some (if RowBlocked_dec r q (q + x) then true else false)).
    { intros q. unfold past.
      rewrite (map_nth_error _ x (seq 0 (S r)) (d := x)); [reflexivity |].
      rewrite (nth_error_nth' _ 0) by (rewrite seq_length; lia). f_equal. apply seq_nth. lia. }
    pose proof (bit q1) as b1. rewrite e, (bit q2) in b1.
    destruct (RowBlocked_dec r q1 (q1 + x)), (RowBlocked_dec r q2 (q2 + x)); try easy.
  - split; intros h; apply RowBlocked_bound in h; lia.
Qed.

(** ** The theorem *)

Theorem byrnes : forall r,
  (exists last, Finite r last) \/ (exists start period, Periodic r start period).
Proof.
  induction r as [r IH] using lt_wf_ind.
  destruct (below_settle r) as (s & M & hM & below).
  { intros c hc. destruct (IH c hc) as [(l & h) | (s & k & h)].
    - exists (S l), 1. split; [lia | now apply finite_repeats].
    - exists s, k. split; [apply h | now apply periodic_repeats]. }
  set (n := length (bit_lists (S r))). set (column := fun i => r + s + i * M).
  destruct (Ended_dec r (column n)) as [(l & _ & hf) | he]; [left; now exists l |]. right.
  destruct (values_recur (list bool) (list_eq_dec bool_dec)
    (fun i => past r (column i)) (bit_lists (S r))) as (i & j & hij & e).
  - intros i. replace (S r) with (length (past r (column i))); [apply bit_lists_all |].
    unfold past. now rewrite map_length, seq_length.
  - exists (column i), ((j - i) * M). unfold column in *.
    assert (far : r + s + i * M + (j - i) * M = r + s + j * M) by nia.
    apply recurrent_state; [lia | nia | | |]; rewrite ?far.
    + apply (not_ended_before r (r + s + n * M)); [nia | exact he].
    + apply columns_repeat. intros c hc.
      apply (repeats_later c s), repeats_multiple, below, hc. lia.
    + apply past_same; [lia | lia | exact e].
Qed.

(** ** Least start and least period *)

Lemma same_offset_dec : forall r q1 q2, {SameOffset r q1 q2} + {~ SameOffset r q1 q2}.
Proof.
  intros r q1 q2.
  destruct (all_below_dec (fun x => F q1 r (q1 + x) <-> F q2 r (q2 + x))) with (n := r + 2)
    as [h | h].
  - intros x. destruct (F_dec q1 r (q1 + x)), (F_dec q2 r (q2 + x));
      [left | right | right | left]; tauto.
  - left. intros x. destruct (le_lt_dec x (r + 1)); [apply h; lia |].
    split; intros hf; apply F_bound in hf; lia.
  - right. intros all. apply h. intros x _. apply all.
Defined.

(** If a row repeats, it is decidable whether it repeats with k from s on. *)
Lemma repeats_dec : forall r s0 k0, 0 < k0 -> Repeats r s0 k0 ->
  forall s k, {Repeats r s k} + {~ Repeats r s k}.
Proof.
  intros r s0 k0 hk0 h0 s k. set (m := max s s0).
  destruct (all_below_dec (fun q => s <= q -> SameOffset r q (q + k))) with (n := m + k0)
    as [h | h].
  - intros q. destruct (le_dec s q); [| left; lia].
    destruct (same_offset_dec r q (q + k)); [left | right]; tauto.
  - left. intros q hq. destruct (le_lt_dec (m + k0) q) as [hm | hm]; [| now apply h].
    pose proof (Nat.div_mod (q - m) k0 ltac:(lia)) as e.
    pose proof (Nat.mod_upper_bound (q - m) k0 ltac:(lia)) as hu.
    set (n := (q - m) / k0) in *. set (q' := m + (q - m) mod k0).
    assert (eq : q = q' + n * k0) by (unfold q'; nia).
    pose proof (repeats_multiple r s0 k0 n h0) as hn.
    apply (same_offset_trans r q q'); [| apply (same_offset_trans r q' (q' + k))].
    + apply same_offset_sym. rewrite eq. apply hn. unfold q'. lia.
    + apply h; unfold q'; lia.
    + replace (q + k) with (q' + k + n * k0) by lia. apply hn. unfold q'. lia.
  - right. intros all. apply h. intros q _. apply all.
Defined.

Theorem canonical_exists : forall r start period,
  Periodic r start period -> exists s k, Canonical r s k.
Proof.
  intros r s0 k0 h. assert (he : forall q, ~ Ended r q).
  { intros q. now apply (periodic_never_ends r s0 k0). }
  assert (hs : forall s k, Periodic r s k -> r <= s).
  { intros s k [_ hs]. destruct (hs s) as (p & (_ & hr & _) & _); [lia | exact hr]. }
  pose proof (periodic_repeats _ _ _ h) as h0. assert (hk0 : 0 < k0) by apply h.
  pose proof (repeats_dec r s0 k0 hk0 h0) as dec.
  destruct (least_exists (fun k => 0 < k /\ Repeats r s0 k)) with (n := k0)
    as (k1 & _ & (hk1 & h1) & least_k).
  { intros k. apply and_dec; [apply lt_dec | apply dec]. }
  { now split. }
  destruct (least_exists (fun s => r <= s /\ Repeats r s k1)) with (n := s0)
    as (s1 & _ & (hs1 & h2) & least_s).
  { intros s. apply and_dec; [apply le_dec | apply dec]. }
  { split; [now apply (hs s0 k0) | exact h1]. }
  exists s1, k1. split; [now apply repeats_periodic |]. intros s k hp.
  pose proof (periodic_repeats _ _ _ hp) as hr. assert (hk : 0 < k) by apply hp. split.
  - destruct (le_lt_dec s1 s) as [| hlt]; [assumption |]. destruct (least_s s hlt).
    split; [now apply (hs s k) | now apply (repeats_earlier r s k s0)].
  - apply Nat.mod_divide; [lia |]. destruct (Nat.eq_dec (k mod k1) 0) as [| hne]; [assumption |].
    destruct (least_k (k mod k1)); [apply Nat.mod_upper_bound; lia |]. split; [lia |].
    apply repeats_mod; [exact hk1 | | exact h1]. now apply (repeats_earlier r s0 k0 s).
Qed.

Theorem canonical_unique : forall r s k s' k',
  Canonical r s k -> Canonical r s' k' -> s = s' /\ k = k'.
Proof.
  intros r s k s' k' [h least] [h' least'].
  destruct (least _ _ h') as [h1 d1], (least' _ _ h) as [h2 d2].
  split; [lia | now apply Nat.divide_antisym].
Qed.

(** ** A finite table for each row *)

(** The offset that a head and a list of values state for the i-th column of a row. *)
Definition stated (head values : list nat) (i : nat) : option nat :=
  if i <? length head then nth_error head i
  else nth_error values ((i - length head) mod length values).

Lemma list_of : forall (A : Type) (R : nat -> A -> Prop) n, (forall i, i < n -> exists x, R i x) ->
  exists l, length l = n /\ forall i, i < n -> exists x, nth_error l i = Some x /\ R i x.
Proof.
  intros A R n. induction n as [| n IH]; intros h.
  - exists []. split; [reflexivity | lia].
  - destruct IH as (l & hl & hi); [intros i hi; apply h; lia |].
    destruct (h n) as (x & hx); [lia |]. exists (l ++ [x]). split.
    + rewrite app_length. simpl. lia.
    + intros i hin. destruct (Nat.eq_dec i n) as [-> | hne].
      * exists x. rewrite nth_error_app2, hl, Nat.sub_diag by lia. now split.
      * rewrite nth_error_app1 by lia. apply hi. lia.
Qed.

Lemma offset_exists : forall r q, r <= q -> ~ Ended r q -> exists x, F q r (q + x).
Proof.
  intros r q hr he. destruct (F_exists r q hr he) as (p & _ & h). exists (p - q).
  assert (q <= p) by apply h. now replace (q + (p - q)) with p by lia.
Qed.

(** A table is right if it states the offset in every column, and none after the end. *)
Lemma table_from_offsets : forall r head values,
  (forall q, r <= q -> match stated head values (q - r) with
    | Some x => F q r (q + x)
    | None => Ended r q
    end) ->
  forall p q, P (p, q, r) <-> r <= q /\ exists x, stated head values (q - r) = Some x /\ p = q + x.
Proof.
  intros r head values h p q. rewrite <- F_P. split.
  - intros hf. assert (hr : r <= q) by apply hf. split; [exact hr |]. specialize (h q hr).
    destruct (stated head values (q - r)) as [x |].
    + exists x. split; [reflexivity | exact (F_unique _ _ _ _ hf h)].
    + now apply (ended_no_F _ _ p) in h.
  - intros (hr & x & e & ->). specialize (h q hr). now rewrite e in h.
Qed.

Lemma table_of_finite_row : forall r last, Finite r last -> exists head, forall p q,
  P (p, q, r) <-> r <= q /\ exists x, stated head [] (q - r) = Some x /\ p = q + x.
Proof.
  intros r l h.
  destruct (list_of nat (fun i x => F (r + i) r (r + i + x)) (S (l - r))) as (head & hl & hh).
  { intros i hi. assert (r <= l) by apply h. apply offset_exists; [lia |].
    apply F_exists_iff; [lia |]. apply (finite_row r l h). lia. }
  exists head. apply table_from_offsets. intros q hq. unfold stated.
  destruct (Nat.ltb_spec (q - r) (length head)) as [hi | hi].
  - destruct (hh (q - r)) as (x & -> & hx); [lia |].
    now replace (r + (q - r)) with q in hx by lia.
  - simpl. destruct ((q - r - length head)); exists l; (split; [lia | exact h]).
Qed.

Lemma table_of_periodic_row : forall r s k, Periodic r s k -> exists head values,
  r + length head = s /\ length values = k /\ forall p q,
  P (p, q, r) <-> r <= q /\ exists x, stated head values (q - r) = Some x /\ p = q + x.
Proof.
  intros r s k h. assert (he : forall q, ~ Ended r q).
  { intros q. now apply (periodic_never_ends r s k). }
  assert (hk : 0 < k) by apply h. pose proof (periodic_repeats r s k h) as hr.
  assert (hs : r <= s).
  { destruct h as [_ h]. destruct (h s) as (p & (_ & hrs & _) & _); [lia | exact hrs]. }
  destruct (list_of nat (fun i x => F (r + i) r (r + i + x)) (s - r)) as (head & hl & hh).
  { intros i _. apply offset_exists; [lia | apply he]. }
  destruct (list_of nat (fun i x => F (s + i) r (s + i + x)) k) as (values & hl' & hv).
  { intros i _. apply offset_exists; [lia | apply he]. }
  exists head, values. split; [lia |]. split; [exact hl' |].
  apply table_from_offsets. intros q hq. unfold stated.
  destruct (Nat.ltb_spec (q - r) (length head)) as [hi | hi].
  - destruct (hh (q - r)) as (x & -> & hx); [lia |].
    now replace (r + (q - r)) with q in hx by lia.
  - rewrite hl, hl' in *. replace (q - r - (s - r)) with (q - s) by lia.
    destruct (hv ((q - s) mod k)) as (x & -> & hx); [apply Nat.mod_upper_bound; lia |].
    pose proof (Nat.div_mod (q - s) k ltac:(lia)) as e.
    apply (repeats_multiple r s k ((q - s) / k) hr) in hx; [| lia].
    replace (s + (q - s) mod k + (q - s) / k * k) with q in hx by nia. exact hx.
Qed.

Theorem finite_table : forall r, exists head values, forall p q,
  P (p, q, r) <-> r <= q /\ exists x, stated head values (q - r) = Some x /\ p = q + x.
Proof.
  intros r. destruct (byrnes r) as [(l & h) | (s & k & h)].
  - destruct (table_of_finite_row r l h) as (head & table). now exists head, [].
  - destruct (table_of_periodic_row r s k h) as (head & values & _ & _ & table).
    now exists head, values.
Qed.
