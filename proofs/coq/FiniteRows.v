(** * How many rows are finite

Section 4 of [uniqueness.md]: at most 5/7 of the rows are finite, so at least 2/7 are periodic. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules Recurrence Byrnes Values Counting Uniqueness Columns.
Import ListNotations.

(** 4.1. (I1): l rows above c ended before x; A rows below c ended before x, and have x. *)
Theorem first_identity : forall n x c l A, NthEnd n x -> F x c x ->
  Counts (fun b => c < b /\ Ended b x) l ->
  Counts (fun b => (b < c /\ Ended b x) /\ exists q, F q b x) A -> c + l + A + 1 = 2 * n.
Proof.
  intros n x c l A hn h hl hA. destruct (ends_before n x hn) as (h1 & he).
  pose proof (columns_with_the_end n x hn) as hcol.
  destruct (counts_below (fun b => Ended b x) (fun b => Ended_dec b x) c) as (m & _ & hm).
  destruct (counts_part (fun b => ~ Ended b x) (fun b => 0 <= b < 0 + c) c) as (k & _ & hk);
    [intros b; destruct (Ended_dec b x); [now right | now left] | apply counts_interval |].
  assert (e1 : c = m + k).
  { apply (counts_split (fun b => Ended b x) _ _ _ _ (fun b => Ended_dec b x)
      (counts_interval 0 c)); [| exact hk].
    revert hm. apply counts_ext. intros b. split; intros (hb & he'); (split; [lia | exact he']). }
  assert (e2 : n - 1 = m + l).
  { apply (counts_unique (fun b => (b < c /\ Ended b x) \/ (c < b /\ Ended b x))).
    - revert he. apply (counts_image _ _ (fun y b => F y b y)).
      + intros y (hy & b & hb). exists b. split; [| exact hb].
        destruct (lt_eq_lt_dec b c) as [[| ->] |]; [left | | right].
        * split; [assumption |]. exists y. now split.
        * pose proof (finite_unique c x y h hb). lia.
        * split; [assumption |]. exists y. now split.
      + intros y y' b _ _. apply finite_unique.
      + intros y b b' _. apply F_column_injective.
      + intros b [(_ & y & hy & hb) | (_ & y & hy & hb)]; exists y;
          (split; [split; [exact hy | now exists b] | exact hb]).
    - apply counts_or; [lia | exact hm | exact hl]. }
  assert (e3 : n = k + A); [| lia].
  apply (counts_unique (fun b => (0 <= b < 0 + c /\ ~ Ended b x) \/
    ((b < c /\ Ended b x) /\ exists q, F q b x))).
  - revert hcol. apply (counts_image _ _ (fun q b => q < x /\ F q b x)).
    + intros q (hq & b & hb). exists b. pose proof (row_with_end x c q b h hq hb).
      split; [| now split]. destruct (Ended_dec b x) as [he' | he'].
      * right. split; [now split | now exists q].
      * left. split; [lia | exact he'].
    + intros q q' b _ _ (_ & hb) (_ & hb'). exact (F_injective _ _ _ _ hb hb').
    + intros q b b' _ (_ & hb) (_ & hb'). exact (F_column_injective _ _ _ _ hb hb').
    + intros b [(hb & he') | ((hb & he') & q & hq)].
      * destruct (row_has_end x c b h) as (q & hq & hf); [lia | exact he' |]. exists q.
        split; [split; [exact hq | now exists b] | now split].
      * assert (q < x).
        { destruct (le_lt_dec x q) as [hle |]; [| assumption].
          apply (ended_no_F b q x) in hq; [destruct hq |].
          destruct he' as (y & hy & hf). exists y. split; [lia | exact hf]. }
        exists q. split; [split; [assumption | now exists b] | now split].
  - apply counts_or; [tauto | exact hk | exact hA].
Qed.

(** (I2), first half: M columns before c have a diagonal value greater than x. *)
Theorem second_identity : forall n x c M, NthEnd n x -> F x c x ->
  Counts (fun t => t < c /\ exists d, x < d /\ F t t d) M -> n + c = x + M.
Proof.
  intros n x c M hn h hM. assert (hc : c <= x) by apply h. assert (e : n = (x - c) + M); [| lia].
  apply (counts_unique (fun q => q < x /\ InColumn q x)); [now apply columns_with_the_end |].
  apply (counts_ext (fun q => c <= q < c + (x - c) \/ (q < c /\ exists d, x < d /\ F q q d))).
  - intros q. split.
    + intros [hq | (hq & d & hd & hf)].
      * split; [lia |]. destruct (columns_before_end x c q h) as (b & _ & hb); [lia |].
        now exists b.
      * split; [lia |]. apply (column_has_end x q d); [now exists c | lia | exact hf | exact hd].
    + intros (hq & hin). destruct (le_lt_dec c q); [left; lia | right]. split; [assumption |].
      destruct (diagonal_exists q) as (d & _ & hd). exists d. split; [| exact hd].
      apply (column_has_end x q d); [now exists c | exact hq | exact hd | exact hin].
  - apply counts_or; [lia | apply counts_interval | exact hM].
Qed.

(** (I2), second half: column x passes over N diagonal values of columns before it. *)
Theorem third_identity : forall n x c d M N, NthEnd n x -> F x c x -> F x x d ->
  Counts (fun t => t < c /\ exists d', x < d' /\ F t t d') M ->
  Counts (fun y => x <= y < d /\ (exists j, j < x /\ F j j y) /\ ~ InColumn x y) N ->
  d + M = x + c + N + 1.
Proof.
  intros n x c d M N hn h hd hM hN. pose proof (second_identity n x c M hn h hM) as e2.
  pose proof (diagonal_bounds x d hd) as hxd. pose proof (nth_end_positive n x hn).
  destruct (diagonal_before n x hn) as (hnx & hdiag).
  assert (hcol : Counts (fun r => exists p, F x r p) (2 + (x - n))).
  { apply positions_in_column; [lia |].
    revert hdiag. apply (counts_image _ _ (fun y j => F j j y)).
    - intros y (hy & j & hj). exists j. split; [now exists y | exact hj].
    - intros y y' j _ _. apply F_unique.
    - intros y j j' _. apply diagonal_injective.
    - intros j (y & hy & hj). exists y. split; [split; [exact hy | now exists j] | exact hj]. }
  assert (hnum : Counts (fun y => InColumn x y) (2 + (x - n))).
  { revert hcol. apply (counts_image _ _ (fun r y => F x r y)).
    - intros r (p & hp). exists p. split; [now exists r | exact hp].
    - intros r r' y _ _. apply F_column_injective.
    - intros r y y' _. apply F_unique.
    - intros y (r & hr). exists r. split; [now exists y | exact hr]. }
  assert (e : d + 1 - x = (2 + (x - n)) + N); [| lia].
  apply (counts_unique (fun y => x <= y < x + (d + 1 - x))); [apply counts_interval |].
  apply (counts_ext (fun y => InColumn x y \/
    (x <= y < d /\ (exists j, j < x /\ F j j y) /\ ~ InColumn x y))).
  - intros y. split.
    + intros [(r & hr) | hy]; [| lia]. assert (x <= y /\ r <= x) by (split; apply hr).
      destruct (Nat.eq_dec r x) as [-> |].
      * pose proof (F_unique _ _ _ _ hd hr). lia.
      * pose proof (diagonal_is_greatest x d r y hd ltac:(lia) hr). lia.
    + intros hy. destruct (InColumn_dec x y) as [hin | hin]; [now left | right].
      assert (y <> d). { intros ->. apply hin. now exists x. }
      split; [lia |]. split; [| exact hin].
      assert (alive : ~ Ended x x) by (intros (z & hz & (_ & hf & _)); lia).
      destruct (proj1 (fact_1 x x d (le_n x) alive) hd) as (_ & _ & least).
      destruct (least y) as [h0 | [hj | [(t & ht & _) | (r & _ & hf)]]];
        [lia | lia | exact hj | lia |].
      destruct hin. now exists r.
  - apply counts_or; [tauto | exact hnum | exact hN].
Qed.

(** 4.2, with the rows whose end and number sum to less than x in the place of their indices. *)
Theorem row_at_least : forall n x c m, NthEnd n x -> F x c x ->
  Counts (fun b => exists y, F y b y /\ y + b < x) m -> n + m <= c.
Proof.
  intros n x c m hn h hm. pose proof (columns_with_the_end n x hn) as hq.
  assert (below : forall q, q < x /\ InColumn q x -> exists b, b < c /\ F q b x).
  { intros q (hqx & b & hb). exists b. split; [| exact hb]. exact (row_with_end x c q b h hqx hb). }
  assert (hnc : n <= c).
  { apply (counts_le (fun q => q < x /\ InColumn q x) (fun b => 0 <= b < 0 + c)
      (fun q b => F q b x)); [| | exact hq | apply counts_interval].
    - intros q hx. destruct (below q hx) as (b & hb & hf). exists b. split; [lia | exact hf].
    - intros q q' b _ _. apply F_injective. }
  assert (low : forall b y, F y b y -> y + b < x -> b < c).
  { intros b y hy hlt. destruct (lt_eq_lt_dec b c) as [[| ->] | hbc]; [assumption | |].
    - pose proof (finite_unique c x y h hy). lia.
    - exfalso. destruct (nth_end_exists y) as (k & _ & hk); [now exists b |].
      pose proof (nth_end_bounds k y hk). pose proof (row_of_nth_end k y b hk hy).
      pose proof (end_minus_row n x c hn h). lia. }
  assert (without : forall b y q, F y b y -> y + b < x -> q < x -> ~ F q b x).
  { intros b y q hy hlt hqx hf. destruct (lt_eq_lt_dec q y) as [[hqy | ->] | hqy].
    - apply F_bound in hf. lia.
    - pose proof (F_unique _ _ _ _ hy hf). lia.
    - now apply (ended_stays _ _ _ _ hy hqy) in hf. }
  apply (counts_le (fun i => (i < x /\ InColumn i x) \/
      (x <= i /\ exists b, i = x + b /\ exists y, F y b y /\ y + b < x))
    (fun b => 0 <= b < 0 + c)
    (fun i b => (i < x /\ F i b x) \/ (i = x + b /\ exists y, F y b y /\ y + b < x)));
    [| | | apply counts_interval].
  - intros i [hx | (_ & b & -> & y & hy & hlt)].
    + destruct (below i hx) as (b & hb & hf). exists b.
      split; [lia | left; split; [lia | exact hf]].
    + exists b. pose proof (low b y hy hlt).
      split; [lia | right; split; [reflexivity | now exists y]].
  - intros i i' b _ _ [(hi & hf) | (-> & y & hy & hlt)] [(hi' & hf') | (-> & y' & hy' & hlt')].
    + exact (F_injective _ _ _ _ hf hf').
    + now apply (without b y' i hy' hlt' hi) in hf.
    + now apply (without b y i' hy hlt hi') in hf'.
    + reflexivity.
  - apply counts_or; [lia | exact hq |].
    apply (counts_image (fun b => exists y, F y b y /\ y + b < x) _ (fun b i => i = x + b)).
    + intros b hb. exists (x + b). split; [| reflexivity]. split; [lia |]. now exists b.
    + intros; lia.
    + intros; lia.
    + intros i (_ & b & -> & hb). now exists b.
    + exact hm.
Qed.

(** The rows of the first (2n + 1)/5 ends are among those of [row_at_least]. *)
Theorem row_of_nth_end_at_least : forall n x c, NthEnd n x -> F x c x -> n + (2 * n + 1) / 5 <= c.
Proof.
  intros n x c hn h. set (m := (2 * n + 1) / 5).
  assert (hm : 5 * m <= 2 * n + 1) by (apply Nat.mul_div_le; lia).
  assert (small : forall k y b, NthEnd k y -> F y b y -> k <= m -> y + b < x).
  { intros k y b hk hy hkm. pose proof (row_of_nth_end k y b hk hy).
    pose proof (end_minus_row k y b hk hy). pose proof (nth_end_bounds n x hn).
    destruct (ends_before k y hk). lia. }
  destruct (counts_below (fun b => exists y, y < x /\ (F y b y /\ y + b < x))) with (n := x)
    as (m' & _ & hm').
  { intros b. apply exists_below_dec. intros y. apply and_dec; [apply F_dec | apply lt_dec]. }
  assert (hle : m <= m').
  { apply (counts_le (fun k => 1 <= k < 1 + m)
      (fun b => b < x /\ exists y, y < x /\ (F y b y /\ y + b < x))
      (fun k b => exists y, NthEnd k y /\ F y b y)); [| | apply counts_interval | exact hm'].
    - intros k hk. destruct (ends_before n x hn) as (h1 & _).
      destruct (counts_nth End End_dec x n k) as (y & _ & (b & hy) & hc); [apply hn | lia |].
      assert (hky : NthEnd k y) by (split; [now exists b | exact hc]).
      exists b. split; [| exists y; now split]. pose proof (small k y b hky hy ltac:(lia)).
      split; [lia |]. exists y. split; [lia |]. now split.
    - intros k k' b _ _ (y & hy & hf) (y' & hy' & hf').
      rewrite (finite_unique b y y' hf hf') in hy.
      apply (counts_unique _ _ _ (proj2 hy) (proj2 hy')). }
  assert (n + m' <= c); [| lia]. apply (row_at_least n x c m' hn h).
  apply (counts_ext (fun b => b < x /\ exists y, y < x /\ (F y b y /\ y + b < x))); [| exact hm'].
  intros b. split.
  - intros (_ & y & _ & hy). now exists y.
  - intros (y & hy & hlt). split; [lia |]. exists y. split; [lia |]. now split.
Qed.

(** Of the finite rows below r, the one with the greatest end. *)
Lemma greatest_end : forall r m, Counts (fun c => c < r /\ Ends c) m -> 1 <= m ->
  exists c x, c < r /\ F x c x /\ forall c' x', c' < r -> F x' c' x' -> x' <= x.
Proof.
  induction r as [| r IH]; intros m hm h1.
  - assert (m = 0); [| lia]. apply (counts_unique _ _ _ hm), counts_none. lia.
  - destruct (finite_rows_below r) as (m' & _ & hm').
    destruct (Nat.eq_dec m' 0) as [-> | hne].
    + assert (none : forall c x, c < r -> ~ F x c x).
      { intros c x hc h. destruct hm' as (l & (_ & hl) & hlen). destruct l; [| discriminate].
        apply (hl c). split; [exact hc | now exists x]. }
      destruct (ends_or_not r) as [(x & h) | hn].
      * exists r, x. split; [lia |]. split; [exact h |]. intros c' x' hc h'.
        destruct (Nat.eq_dec c' r) as [-> |]; [now rewrite (finite_unique r x x' h h') |].
        now apply none in h'; [| lia].
      * assert (m = 0); [| lia]. apply (counts_unique _ _ _ hm), counts_none.
        intros c (hc & x & h). destruct (Nat.eq_dec c r) as [-> |].
        -- apply hn. now exists x.
        -- now apply none in h; [| lia].
    + destruct (IH m' hm') as (c & x & hc & h & most); [lia |].
      destruct (ends_or_not r) as [(x0 & h0) | hn].
      * assert (each : forall y, x <= y -> x0 <= y ->
          forall c' x', c' < S r -> F x' c' x' -> x' <= y).
        { intros y hy hy0 c' x' hc' h'. destruct (Nat.eq_dec c' r) as [-> |].
          - now rewrite (finite_unique r x' x0 h' h0).
          - pose proof (most c' x' ltac:(lia) h'). lia. }
        destruct (le_lt_dec x0 x).
        -- exists c, x. split; [lia |]. split; [exact h | now apply each].
        -- exists r, x0. split; [lia |]. split; [exact h0 | apply each; lia].
      * exists c, x. split; [lia |]. split; [exact h |]. intros c' x' hc' h'.
        destruct (Nat.eq_dec c' r) as [-> |]; [destruct hn; now exists x' |].
        apply (most c' x'); [lia | exact h'].
Qed.

(** 4.3: at most (5r - 2)/7 of the rows below r are finite. *)
Theorem finite_rows_at_most : forall r m, 1 <= r -> Counts (fun c => c < r /\ Ends c) m ->
  7 * m + 2 <= 5 * r.
Proof.
  intros r m hr hm. destruct (Nat.eq_dec m 0); [lia |].
  destruct (greatest_end r m hm) as (c & x & hc & h & most); [lia |].
  destruct (nth_end_exists x) as (i & _ & hi); [now exists c |].
  assert (hmn : m <= i).
  { apply (counts_le _ _ (fun c y => F y c y) m i) with (3 := hm) (4 := proj2 hi).
    - intros c' (hc' & y & hy). exists y. split; [| exact hy].
      split; [exact (most c' y hc' hy) | now exists c'].
    - intros c' c'' y _ _. apply F_column_injective. }
  pose proof (row_of_nth_end_at_least i x c hi h).
  pose proof (Nat.div_mod (2 * i + 1) 5 ltac:(lia)).
  pose proof (Nat.mod_upper_bound (2 * i + 1) 5 ltac:(lia)). lia.
Qed.
