(** * The law of a row

Theorems 2.5, 3.8 and 3.9 of [uniqueness.md]: which rows have a number, in how many columns a
diagonal value is, and how ends and diagonal values compare with those of Wythoff's game. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules Recurrence Byrnes Values Counting Uniqueness Columns.

(** key(p) of [uniqueness.md] is k: p is the diagonal value of column k, or row k ends at p. *)
Definition Key (p k : nat) : Prop := F k k p \/ F p k p.

Lemma key_exists : forall p, 1 <= p -> exists k, Key p k.
Proof.
  intros p hp. destruct (end_or_diagonal p hp) as [(k & h) | (k & h)]; exists k;
    [now right | now left].
Qed.

Lemma key_unique : forall p k k', Key p k -> Key p k' -> k = k'.
Proof.
  intros p k k' [h | h] [h' | h'].
  - exact (diagonal_injective _ _ _ h h').
  - destruct (end_not_diagonal p); [now exists k' | now exists k].
  - destruct (end_not_diagonal p); [now exists k | now exists k'].
  - exact (F_column_injective _ _ _ _ h h').
Qed.

Lemma key_less : forall p k, Key p k -> k < p.
Proof.
  intros p k [h | h].
  - apply diagonal_bounds in h. lia.
  - destruct (Nat.eq_dec k p) as [-> |]; [now apply F_P, full_board_not_P in h |].
    destruct h. lia.
Qed.

Lemma key_at_least : forall p k, Key p k -> p <= 2 * k + 1.
Proof.
  intros p k [h | h]; [apply diagonal_bounds in h | apply ends_early in h]; lia.
Qed.

(** 2.5. *)
Theorem row_law : forall b p k, Key p k -> ~ Ended b p -> ((exists q, F q b p) <-> b <= k).
Proof.
  intros b p k hk he. split.
  - intros (q & h). destruct hk as [hk | hk]; [exact (diagonal_blocks _ _ _ _ h hk) |].
    destruct (le_lt_dec b k) as [| hlt]; [assumption |].
    now apply (end_not_above p k q b hk hlt) in h.
  - intros hb. pose proof (key_less p k hk) as hkp. destruct (Nat.eq_dec b k) as [-> |].
    { destruct hk; [now exists k | now exists p]. }
    destruct (F_exists b p) as (v & _ & hv); [lia | exact he |].
    assert (p <= v) by apply hv.
    assert (v <> p). { intros ->. pose proof (key_unique p b k (or_intror hv) hk). lia. }
    destruct (proj1 (fact_1 b p v ltac:(lia) he) hv) as (_ & _ & least).
    destruct (least p) as [h0 | [(c & hc & h) | [(q & _ & h) | (c & hc & h)]]]; [lia | lia | | |].
    + pose proof (key_unique p c k (or_introl h) hk). lia.
    + now exists q.
    + pose proof (key_unique p c k (or_intror h) hk). lia.
Qed.

(** ** 3.8. The columns that have a diagonal value *)

Section DiagonalValue.

Variables (j p e : nat).
Hypothesis positive : 1 <= j.
Hypothesis diagonal : F j j p.

(** e(p), the number of ends to p. *)
Hypothesis ends : Counts (fun y => y <= p /\ End y) e.

Let no_end : ~ End p.
Proof. intros h. apply (end_not_diagonal p h). now exists j. Qed.

Let ends_below : Counts (fun y => y < p /\ End y) e.
Proof.
  revert ends. apply counts_ext. intros y. split; intros (hy & h); (split; [| exact h]); [| lia].
  destruct (Nat.eq_dec y p) as [-> |]; [contradiction | lia].
Qed.

(** The rows to j that do not have p ended before p. *)
Theorem columns_and_rows : forall s g, Counts (fun q => InColumn q p) s ->
  Counts (fun b => b < j /\ Ended b p /\ ~ exists q, F q b p) g -> s + g = 1 + j.
Proof.
  intros s g hs hg.
  assert (rows : Counts (fun b => exists q, F q b p) s).
  { apply (counts_image (fun q => InColumn q p) _ (fun q b => F q b p)).
    - intros q (b & h). exists b. split; [now exists q | exact h].
    - intros q q' b _ _. apply F_injective.
    - intros q b b' _. apply F_column_injective.
    - intros b (q & h). exists q. split; [now exists b | exact h].
    - exact hs. }
  apply (counts_unique (fun b => (exists q, F q b p) \/
    (b < j /\ Ended b p /\ ~ exists q, F q b p))).
  - apply counts_or; [tauto | exact rows | exact hg].
  - apply (counts_ext (fun b => 0 <= b < 0 + (1 + j))); [| apply counts_interval].
    intros b. split.
    + intros hb. destruct (Ended_dec b p) as [he | he].
      * destruct (exists_below_dec (fun q => F q b p)) with (n := p) as [(q & _ & h) | hn].
        { intros q. apply F_dec. }
        { left. now exists q. }
        assert (b <> j).
        { intros ->. apply hn. exists j. split; [| exact diagonal].
          apply diagonal_bounds in diagonal. lia. }
        right. split; [lia |]. split; [exact he |]. intros (q & h). apply hn. exists q.
        split; [| exact h]. assert (hq : q <= p) by apply h.
        destruct (Nat.eq_dec q p) as [-> |]; [| lia]. destruct no_end. now exists b.
      * left. apply (row_law b p j); [now left | exact he | lia].
    + intros [(q & h) | (hb & _)]; [| lia]. pose proof (diagonal_blocks _ _ _ _ h diagonal). lia.
Qed.

(** The other diagonal values in column j. *)
Theorem diagonal_values_in_column : forall d,
  Counts (fun y => Diagonal y /\ InColumn j y /\ y <> p) d -> d + e = j.
Proof.
  intros d hd. destruct (counts_below End End_dec j) as (e' & _ & he').
  destruct (column_count j e' positive he') as (n & hn & rows).
  assert (numbers : Counts (fun y => InColumn j y) n).
  { apply (counts_image (fun r => exists y, F j r y) _ (fun r y => F j r y)).
    - intros r (y & h). exists y. split; [now exists r | exact h].
    - intros r r' y _ _. apply F_column_injective.
    - intros r y y' _. apply F_unique.
    - intros y (r & h). exists r. split; [now exists y | exact h].
    - exact rows. }
  destruct (diagonal_bounds j p diagonal) as (hjp & _).
  destruct (counts_part (fun y => j <= y) _ e (le_dec j) ends_below) as (k & _ & hk).
  assert (sum : e = k + e').
  { apply (counts_split (fun y => j <= y) _ e k e' (le_dec j) ends_below hk).
    revert he'. apply counts_ext. intros y. rewrite Nat.nle_gt. intuition lia. }
  assert (n = d + (1 + k)); [| lia].
  apply (counts_unique (InColumn j) _ _ numbers).
  apply (counts_ext (fun y => (Diagonal y /\ InColumn j y /\ y <> p) \/
    (p <= y < p + 1 \/ (y < p /\ End y) /\ j <= y))).
  - intros y. split.
    + intros [(_ & h & _) | [hy | ((hy & he) & hj)]]; [exact h | |].
      * replace y with p by lia. now exists j.
      * destruct (Nat.eq_dec y j) as [-> |]; [destruct he as (c & h); now exists c |].
        apply (column_has_end y j p he); [lia | exact diagonal | exact hy].
    + intros h. assert (hy : j <= y) by (destruct h as (b & h); apply h).
      destruct (end_or_diagonal y) as [he | hD]; [lia | |].
      * right. right. split; [| exact hy]. split; [| exact he].
        destruct (Nat.eq_dec y j) as [-> |]; [lia |].
        apply (column_has_end y j p he); [lia | exact diagonal | exact h].
      * destruct (Nat.eq_dec y p) as [-> |]; [right; left; lia |]. left. now split.
  - apply counts_or; [| exact hd | apply counts_or; [lia | apply counts_interval | exact hk]].
    intros y (hD & _ & hne) [hy | ((_ & he) & _)]; [lia |]. exact (end_not_diagonal y he hD).
Qed.

(** The columns q before p with a diagonal value of at least p, which is d_q. *)
Theorem columns_with_and_without : forall s z, Counts (fun q => InColumn q p) s ->
  Counts (fun q => (q < p /\ exists d, F q q d /\ p < d) /\ ~ InColumn q p) z -> s + z = 1 + e.
Proof.
  intros s z hs hz. destruct (diagonal_bounds j p diagonal) as (hjp & _).
  destruct (counts_below Diagonal Diagonal_dec p) as (d & _ & hd).
  pose proof (ends_and_diagonal p e d ltac:(lia) ends_below hd).
  assert (less : Counts (fun q => q < p /\ exists y, F q q y /\ y < p) d).
  { apply (counts_image (fun y => y < p /\ Diagonal y) _ (fun y q => F q q y)).
    - intros y (hy & q & h). exists q. pose proof (diagonal_bounds q y h).
      split; [| exact h]. split; [lia |]. now exists y.
    - intros y y' q _ _. apply F_unique.
    - intros y q q' _. apply diagonal_injective.
    - intros q (_ & y & h & hy). exists y. split; [| exact h]. split; [exact hy | now exists q].
    - exact hd. }
  assert (p = d + (s + z)); [| lia].
  apply (counts_unique (fun q => 0 <= q < 0 + p)); [apply counts_interval |].
  apply (counts_ext (fun q => (q < p /\ exists y, F q q y /\ y < p) \/
    (InColumn q p \/ (q < p /\ exists d, F q q d /\ p < d) /\ ~ InColumn q p))).
  - intros q. split.
    + intros [(hq & _) | [(b & h) | ((hq & _) & _)]]; [lia | | lia].
      assert (hq : q <= p) by apply h. destruct (Nat.eq_dec q p) as [-> |]; [| lia].
      destruct no_end. now exists b.
    + intros hq. destruct (diagonal_exists q) as (y & _ & h).
      destruct (lt_eq_lt_dec y p) as [[hlt | ->] | hlt].
      * left. split; [lia |]. now exists y.
      * right. left. now exists q.
      * right. destruct (InColumn_dec q p); [now left | right]. split; [| assumption].
        split; [lia |]. now exists y.
  - apply counts_or; [| exact less | apply counts_or; [tauto | exact hs | exact hz]].
    intros q (hq & y & h & hy) [(b & hb) | ((_ & y' & h' & hy') & _)].
    + assert (b <= q) by apply hb. destruct (Nat.eq_dec b q) as [-> |].
      * pose proof (F_unique _ _ _ _ h hb). lia.
      * pose proof (diagonal_is_greatest q y b p h ltac:(lia) hb). lia.
    + pose proof (F_unique _ _ _ _ h h'). lia.
Qed.

End DiagonalValue.

(** ** 3.9. Ends as in Wythoff's game *)

(** y is the n-th diagonal value by size. *)
Definition NthDiagonal (n y : nat) : Prop := Diagonal y /\ Counts (fun z => z <= y /\ Diagonal z) n.

Theorem nth_diagonal_at_least : forall t y e, 1 <= t -> NthDiagonal (t + 1) y ->
  Counts (fun x => x < t /\ End x) e -> 2 * t <= y + e.
Proof.
  intros t y e ht (_ & hy) he. destruct (le_lt_dec (2 * t) (y + e)) as [| hlt]; [assumption |].
  exfalso. assert (t + 1 <= t); [| lia].
  apply (counts_le _ (fun q => 0 <= q < 0 + t) (fun z q => F q q z)) with (3 := hy)
    (4 := counts_interval 0 t).
  - intros z (hz & q & h). exists q. split; [| exact h].
    destruct (le_lt_dec t q) as [hq |]; [| lia]. exfalso.
    destruct (counts_below End End_dec q) as (e' & _ & he').
    pose proof (diagonal_at_least q z e' ltac:(lia) h he').
    assert (e' <= e + (q - t)); [| lia].
    apply (counts_subset (fun x => x < q /\ End x)
      (fun x => (x < t /\ End x) \/ t <= x < t + (q - t))); [| exact he' |].
    + intros x (hx & hend). destruct (le_lt_dec t x); [right; lia | now left].
    + apply counts_or; [lia | exact he | apply counts_interval].
  - intros z z' q _ _. apply F_unique.
Qed.

Theorem end_and_diagonal_value : forall n x y, NthEnd n x -> NthDiagonal n y -> x <= n + y + 1.
Proof.
  intros n x y hx hy. destruct (diagonal_before n x hx) as (hn & hd).
  destruct (ends_before n x hx) as (h1 & _). set (J := x - n) in *.
  destruct (le_lt_dec J 1) as [|hJ]; [lia |].
  destruct (counts_nth Diagonal Diagonal_dec (x - 1) J J) as (w & hw & hD & hc); [| lia |].
  { revert hd. apply counts_ext. intros z. intuition lia. }
  destruct (counts_below End End_dec (J - 1)) as (e & _ & he).
  assert (2 * (J - 1) <= w + e).
  { apply (nth_diagonal_at_least (J - 1) w e); [lia | | exact he].
    replace (J - 1 + 1) with J by lia. now split. }
  destruct (counts_below Diagonal Diagonal_dec (J - 1)) as (d & _ & hd').
  pose proof (ends_and_diagonal (J - 1) e d ltac:(lia) he hd').
  destruct (le_lt_dec (J - 1) y) as [| hlt]; [lia |]. exfalso.
  assert (n <= d); [| lia].
  apply (counts_subset _ _ _ _) with (2 := proj2 hy) (3 := hd').
  intros z (hz & h). split; [lia | exact h].
Qed.
