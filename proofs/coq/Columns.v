(** * Columns and ends

Theorems 3.3 to 3.7 of [uniqueness.md]. The diagonal value is the greatest number of its column; the
n-th end is in n columns before its own; row c ends at 2c or before; and infinitely many rows are
finite. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules Recurrence Byrnes Values Counting Uniqueness.
Import ListNotations.

(** ** 3.3. The diagonal value is the greatest of its column *)

(** Row r has p in column q, or ended at p before. *)
Definition Filled (q r p : nat) : Prop := F q r p \/ p < q /\ F p r p.

Lemma filled_exists : forall q r, r <= q -> exists p, Filled q r p.
Proof.
  intros q r hr. destruct (Ended_dec r q) as [(x & hx & h) | he].
  - exists x. right. now split.
  - destruct (F_exists r q hr he) as (p & _ & h). exists p. now left.
Qed.

Lemma filled_unique : forall q r p p', Filled q r p -> Filled q r p' -> p = p'.
Proof.
  intros q r p p' [h | (hp & h)] [h' | (hp' & h')].
  - exact (F_unique _ _ _ _ h h').
  - now apply (ended_stays _ _ _ _ h') in h.
  - now apply (ended_stays _ _ _ _ h) in h'.
  - exact (finite_unique r p p' h h').
Qed.

Lemma filled_injective : forall q r r' p, Filled q r p -> Filled q r' p -> r = r'.
Proof.
  intros q r r' p [h | (hp & h)] [h' | (hp' & h')].
  - exact (F_column_injective _ _ _ _ h h').
  - destruct h. lia.
  - destruct h'. lia.
  - exact (F_column_injective _ _ _ _ h h').
Qed.

Lemma filled_positive : forall q r p, Filled q r p -> 1 <= p.
Proof. intros q r p [h | (_ & h)]; exact (F_positive _ _ _ h). Qed.

(** A lesser number in a row above is in row r, in a column between. *)
Lemma filled_above : forall q r u p w, r < u <= q -> F q r p -> Filled q u w -> w < p ->
  exists t, r < t < q /\ F t r w.
Proof.
  intros q r u p w hu h hw hlt. assert (hr : r <= q) by lia.
  assert (he : ~ Ended r q) by (intros he; exact (ended_no_F r q p he h)).
  pose proof (filled_positive _ _ _ hw) as hpos.
  assert (diagonal : forall c, c < u -> ~ F c c w).
  { intros c hc hf. destruct hw as [hw | (_ & hw)];
      pose proof (diagonal_blocks _ _ _ _ hw hf); lia. }
  assert (column : forall c, c < u -> ~ Filled q c w).
  { intros c hc hf. pose proof (filled_injective _ _ _ _ hw hf). lia. }
  destruct (proj1 (corollary_1a r q p hr he) h) as (_ & _ & least).
  destruct (least w) as [(c & hc & hf) | [(t & ht & hf) | [(c & hc & hf) | (c & hc & hwq & hf)]]];
    [lia | | | |].
  - now apply diagonal in hf; [| lia].
  - exists t. split; [| exact hf]. destruct (Nat.eq_dec t r) as [-> |]; [| lia].
    now apply diagonal in hf; [| lia].
  - destruct (column c); [lia | now left].
  - destruct (column c); [lia | now right].
Qed.

Lemma greatest_exists : forall q n, n <= q -> exists r p, r <= n /\ Filled q r p /\
  forall r' p', r' <= n -> Filled q r' p' -> p' <= p.
Proof.
  intros q n. induction n as [| n IH]; intros hn.
  - destruct (filled_exists q 0 hn) as (p & h). exists 0, p. split; [lia |]. split; [exact h |].
    intros r' p' hr h'. replace r' with 0 in h' by lia. now rewrite (filled_unique _ _ _ _ h h').
  - destruct IH as (r & p & hr & h & most); [lia |].
    destruct (filled_exists q (S n) hn) as (p' & h').
    assert (each : forall m, p <= m -> p' <= m -> forall r1 p1, r1 <= S n ->
      Filled q r1 p1 -> p1 <= m).
    { intros m hm hm' r1 p1 hr1 h1. destruct (Nat.eq_dec r1 (S n)) as [-> |].
      - now rewrite (filled_unique _ _ _ _ h1 h').
      - pose proof (most r1 p1 ltac:(lia) h1). lia. }
    destruct (le_lt_dec p' p).
    + exists r, p. split; [lia |]. split; [exact h |]. now apply each.
    + exists (S n), p'. split; [lia |]. split; [exact h' |]. apply each; lia.
Qed.

Lemma greatest_on_diagonal : forall q, exists d, q < d /\ F q q d /\
  forall r p, r <= q -> Filled q r p -> p <= d.
Proof.
  intros q. destruct (greatest_exists q q (le_n q)) as (r & p & hr & h & most).
  assert (hp : q + 1 <= p).
  { apply (counts_le (fun r => 0 <= r < 0 + (q + 1)) (fun w => 1 <= w < 1 + p) (Filled q));
      try apply counts_interval.
    - intros u hu. destruct (filled_exists q u) as (w & hw); [lia |]. exists w.
      split; [| exact hw]. pose proof (filled_positive _ _ _ hw).
      pose proof (most u w ltac:(lia) hw). lia.
    - intros u u' w _ _. apply filled_injective. }
  destruct h as [h | (hlt & _)]; [| lia].
  destruct (Nat.eq_dec r q) as [-> | hne].
  - exists p. split; [lia |]. split; [exact h | exact most].
  - exfalso. assert (le : q - r <= q - r - 1); [| lia].
    apply (counts_le (fun u => S r <= u < S r + (q - r)) (fun t => S r <= t < S r + (q - r - 1))
      (fun u t => exists w, Filled q u w /\ F t r w)); try apply counts_interval.
    + intros u hu. destruct (filled_exists q u) as (w & hw); [lia |].
      assert (w <> p).
      { intros ->. pose proof (filled_injective _ _ _ _ hw (or_introl h)). lia. }
      pose proof (most u w ltac:(lia) hw).
      destruct (filled_above q r u p w) as (t & ht & hf); [lia | exact h | exact hw | lia |].
      exists t. split; [lia |]. exists w. now split.
    + intros u u' t _ _ (w & hw & h1) (w' & hw' & h1').
      rewrite (F_unique _ _ _ _ h1 h1') in hw. exact (filled_injective _ _ _ _ hw hw').
Qed.

Theorem diagonal_is_greatest : forall q d r p, F q q d -> r < q -> F q r p -> p < d.
Proof.
  intros q d r p hd hr h. destruct (greatest_on_diagonal q) as (d' & _ & hd' & most).
  rewrite (F_unique _ _ _ _ hd hd') in *. pose proof (most r p ltac:(lia) (or_introl h)).
  assert (p <> d'); [| lia]. intros ->. pose proof (F_column_injective _ _ _ _ h hd'). lia.
Qed.

Lemma diagonal_bounds : forall q d, F q q d -> q < d <= 2 * q + 1.
Proof.
  intros q d h. pose proof (F_bound _ _ _ h).
  destruct (greatest_on_diagonal q) as (d' & hq & h' & _).
  pose proof (F_unique _ _ _ _ h h'). lia.
Qed.

Lemma diagonal_injective : forall q q' d, F q q d -> F q' q' d -> q = q'.
Proof.
  intros q q' d h h'. pose proof (diagonal_blocks _ _ _ _ h h').
  pose proof (diagonal_blocks _ _ _ _ h' h). lia.
Qed.

(** 3.4. *)
Theorem column_has_end : forall x q d, End x -> q < x -> F q q d -> (InColumn q x <-> x < d).
Proof.
  intros x q d he hq hd. split.
  - intros (b & h). assert (b <= q) by apply h. destruct (Nat.eq_dec b q) as [-> |].
    + destruct (end_not_diagonal x he). now exists q.
    + apply (diagonal_is_greatest q d b x hd); [lia | exact h].
  - intros hlt. assert (alive : ~ Ended q q) by (intros (y & hy & (_ & h & _)); lia).
    destruct (proj1 (fact_1 q q d (le_n q) alive) hd) as (_ & _ & least).
    destruct (least x) as [h0 | [(c & hc & hf) | [(t & ht & hf) | (c & hc & hf)]]];
      [lia | lia | | lia |].
    + destruct (end_not_diagonal x he). now exists c.
    + now exists c.
Qed.

(** ** 3.5 and 3.6. The n-th end *)

(** x is the n-th end by size. *)
Definition NthEnd (n x : nat) : Prop := End x /\ Counts (fun y => y <= x /\ End y) n.

Lemma nth_end_exists : forall x, End x -> exists n, 1 <= n /\ NthEnd n x.
Proof.
  intros x h. destruct (counts_below End End_dec (S x)) as (n & _ & hn).
  assert (hc : Counts (fun y => y <= x /\ End y) n).
  { apply (counts_ext (fun y => y < S x /\ End y)); [| exact hn]. intros y. intuition lia. }
  exists n. split; [| now split].
  apply (counts_subset (fun y => x <= y < x + 1) (fun y => y <= x /\ End y));
    [| apply counts_interval | exact hc].
  intros y hy. replace y with x by lia. split; [lia | exact h].
Qed.

Lemma ends_before : forall n x, NthEnd n x -> 1 <= n /\ Counts (fun y => y < x /\ End y) (n - 1).
Proof.
  intros n x (h & hn). destruct (counts_below End End_dec x) as (m & _ & hm).
  assert (e : n = m + 1).
  { apply (counts_unique _ _ _ hn).
    apply (counts_ext (fun y => (y < x /\ End y) \/ x <= y < x + 1)).
    - intros y. split.
      + intros [[hy he] | hy]; [split; [lia | exact he] |]. replace y with x by lia. auto.
      + intros [hy he]. destruct (Nat.eq_dec y x); [right; lia | left; split; [lia | exact he]].
    - apply counts_or; [lia | exact hm | apply counts_interval]. }
  split; [lia |]. now replace (n - 1) with m by lia.
Qed.

Lemma nth_end_positive : forall n x, NthEnd n x -> 1 <= x.
Proof. intros n x ((c & h) & _). exact (F_positive _ _ _ h). Qed.

(** Every positive number less than q is an end or a diagonal value. *)
Lemma ends_and_diagonal : forall q e d, 1 <= q ->
  Counts (fun y => y < q /\ End y) e -> Counts (fun y => y < q /\ Diagonal y) d -> q - 1 = e + d.
Proof.
  intros q e d hq he hd.
  apply (counts_unique (fun y => 1 <= y < 1 + (q - 1))); [apply counts_interval |].
  apply (counts_ext (fun y => (y < q /\ End y) \/ (y < q /\ Diagonal y))).
  - intros y. split.
    + intros [(hy & c & hf) | (hy & c & hf)]; apply F_positive in hf; lia.
    + intros hy. destruct (end_or_diagonal y); [lia | left | right]; (split; [lia | assumption]).
  - apply counts_or; [| exact he | exact hd].
    intros y (_ & h1) (_ & h2). exact (end_not_diagonal y h1 h2).
Qed.

(** Of the numbers less than the n-th end x, x - n are diagonal values. *)
Lemma diagonal_before : forall n x, NthEnd n x ->
  n <= x /\ Counts (fun y => y < x /\ Diagonal y) (x - n).
Proof.
  intros n x h. pose proof (nth_end_positive n x h) as hx.
  destruct (ends_before n x h) as (hn & he).
  destruct (counts_below Diagonal Diagonal_dec x) as (m & _ & hm).
  pose proof (ends_and_diagonal x _ m hx he hm). split; [lia |].
  now replace (x - n) with m by lia.
Qed.

(** The columns whose diagonal value is less than the n-th end. *)
Lemma columns_with_less : forall n x, NthEnd n x ->
  Counts (fun q => q < x /\ ~ InColumn q x) (x - n).
Proof.
  intros n x h. destruct (diagonal_before n x h) as (_ & hd).
  apply (counts_image (fun y => y < x /\ Diagonal y) _ (fun y q => F q q y)).
  - intros y (hy & q & hq). exists q. split; [| exact hq]. pose proof (diagonal_bounds q y hq).
    split; [lia |]. rewrite (column_has_end x q y); [lia | apply h | lia | exact hq].
  - intros y y' q _ _ h1 h2. exact (F_unique _ _ _ _ h1 h2).
  - intros y q q' _. apply diagonal_injective.
  - intros q (hq & hn). destruct (diagonal_exists q) as (d & _ & hd'). exists d.
    split; [| exact hd']. rewrite (column_has_end x q d) in hn; [| apply h | exact hq | exact hd'].
    assert (d <> x). { intros ->. apply (end_not_diagonal x); [apply h | now exists q]. }
    split; [lia | now exists q].
  - exact hd.
Qed.

(** 3.5: the n-th end is in n columns before its own. *)
Theorem columns_with_the_end : forall n x, NthEnd n x -> Counts (fun q => q < x /\ InColumn q x) n.
Proof.
  intros n x h. destruct (diagonal_before n x h) as (hn & _).
  destruct (counts_below (fun q => InColumn q x) (fun q => InColumn_dec q x) x) as (m & _ & hm).
  pose proof (columns_with_less n x h) as hl.
  assert (e : x = m + (x - n)).
  { apply (counts_split (fun q => InColumn q x) (fun q => q < x)); [| | exact hm | exact hl].
    - intros q. apply InColumn_dec.
    - apply (counts_ext (fun q => 0 <= q < 0 + x)); [| apply counts_interval]. intros q. lia. }
  now replace n with m by lia.
Qed.

(** The rows that have x before its own column are below the row that ends there. *)
Lemma row_with_end : forall x c q b, F x c x -> q < x -> F q b x -> b < c.
Proof.
  intros x c q b h hq hb. destruct (lt_eq_lt_dec b c) as [[| ->] | hlt]; [assumption | |].
  - pose proof (F_injective _ _ _ _ h hb). lia.
  - now apply (end_not_above x c q b h hlt) in hb.
Qed.

(** 3.6, first claim. *)
Theorem ends_early : forall x c, F x c x -> x <= 2 * c.
Proof.
  intros x c h. assert (hc : c <= x) by apply h. assert (le : x - c <= c); [| lia].
  apply (counts_le (fun t => c <= t < c + (x - c)) (fun b => 0 <= b < 0 + c) (fun t b => F t b x));
    try apply counts_interval.
  - intros t ht. destruct (columns_before_end x c t h) as (b & hb & hf); [lia |].
    exists b. split; [lia | exact hf].
  - intros t t' b _ _. apply F_injective.
Qed.

Lemma end_minus_row : forall n x c, NthEnd n x -> F x c x -> x - c <= n.
Proof.
  intros n x c hn h.
  apply (counts_subset (fun t => c <= t < c + (x - c)) (fun q => q < x /\ InColumn q x)).
  - intros t ht. split; [lia |]. destruct (columns_before_end x c t h) as (b & _ & hf); [lia |].
    now exists b.
  - apply counts_interval.
  - now apply columns_with_the_end.
Qed.

(** A row below that has not ended before x has x before column x. *)
Lemma row_has_end : forall x c b, F x c x -> b < c -> ~ Ended b x -> exists q, q < x /\ F q b x.
Proof.
  intros x c b h hb he. assert (hc : c <= x) by apply h.
  destruct (F_exists b x) as (v & _ & hv); [lia | exact he |].
  assert (x <= v) by apply hv.
  assert (v <> x). { intros ->. pose proof (F_column_injective _ _ _ _ h hv). lia. }
  destruct (proj1 (fact_1 b x v ltac:(lia) he) hv) as (_ & _ & least).
  pose proof (F_positive _ _ _ h).
  destruct (least x) as [h0 | [(j & hj & hf) | [(t & ht & hf) | (j & hj & hf)]]];
    [lia | lia | | |].
  - destruct (end_not_diagonal x); [now exists c | now exists j].
  - exists t. split; [lia | exact hf].
  - pose proof (F_column_injective _ _ _ _ h hf). lia.
Qed.

Theorem row_of_nth_end : forall n x c, NthEnd n x -> F x c x -> c <= 2 * n - 1.
Proof.
  intros n x c hn h. destruct (ends_before n x hn) as (h1 & he).
  destruct (counts_below (fun b => Ended b x) (fun b => Ended_dec b x) c) as (m & _ & hm).
  destruct (counts_below (fun b => ~ Ended b x)) with (n := c) as (m' & _ & hm').
  { intros b. destruct (Ended_dec b x); [now right | now left]. }
  assert (e : c = m + m').
  { apply (counts_split (fun b => Ended b x) (fun b => b < c)); [| | exact hm | exact hm'].
    - intros b. apply Ended_dec.
    - apply (counts_ext (fun b => 0 <= b < 0 + c)); [| apply counts_interval]. intros b. lia. }
  assert (m <= n - 1).
  { apply (counts_le (fun b => b < c /\ Ended b x) (fun y => y < x /\ End y) (fun b y => F y b y));
      [| | exact hm | exact he].
    - intros b (_ & y & hy & hf). exists y. split; [| exact hf]. split; [exact hy | now exists b].
    - intros b b' y _ _. apply F_column_injective. }
  assert (m' <= n).
  { apply (counts_le (fun b => b < c /\ ~ Ended b x) (fun q => q < x /\ InColumn q x)
      (fun b q => F q b x)); [| | exact hm' | now apply columns_with_the_end].
    - intros b (hb & hne). destruct (row_has_end x c b h hb hne) as (q & hq & hf). exists q.
      split; [| exact hf]. split; [exact hq | now exists b].
    - intros b b' q _ _. apply F_column_injective. }
  lia.
Qed.

Theorem nth_end_bounds : forall n x, NthEnd n x -> 2 * n <= x <= 3 * n - 1.
Proof.
  intros n x hn. destruct (proj1 hn) as (c & h). pose proof (row_of_nth_end n x c hn h).
  pose proof (end_minus_row n x c hn h). assert (c <= x) by apply h. split; [| lia].
  destruct (diagonal_before n x hn) as (hnx & hd).
  assert (half : (x + 1) / 2 <= x - n).
  { apply (counts_le (fun q => 0 <= q < 0 + (x + 1) / 2) (fun y => y < x /\ Diagonal y)
      (fun q y => F q q y)); [| | apply counts_interval | exact hd].
    - intros q hq. destruct (diagonal_exists q) as (d & hb & hdq). exists d. split; [| exact hdq].
      assert (2 * ((x + 1) / 2) <= x + 1) by (apply Nat.mul_div_le; lia).
      assert (d <> x). { intros ->. apply (end_not_diagonal x); [now exists c | now exists q]. }
      split; [lia | now exists q].
    - intros q q' y _ _. apply diagonal_injective. }
  pose proof (Nat.div_mod (x + 1) 2 ltac:(lia)).
  pose proof (Nat.mod_upper_bound (x + 1) 2 ltac:(lia)).
  lia.
Qed.

(** ** 3.7. Columns, and infinitely many finite rows *)

(** The rows that have ended before column q are as many as the ends before it. *)
Lemma rows_ended_before : forall q e, Counts (fun y => y < q /\ End y) e ->
  Counts (fun c => c < q /\ Ended c q) e.
Proof.
  intros q e. apply (counts_image _ _ (fun y c => F y c y)).
  - intros y (hy & c & h). exists c. split; [| exact h]. assert (c <= y) by apply h.
    split; [lia |]. exists y. now split.
  - intros y y' c _ _ h h'. exact (finite_unique c y y' h h').
  - intros y c c' _. apply F_column_injective.
  - intros c (_ & y & hy & h). exists y. split; [split; [exact hy | now exists c] | exact h].
Qed.

Lemma column_count : forall q e, 1 <= q -> Counts (fun y => y < q /\ End y) e ->
  exists n, n + e = q + 1 /\ Counts (fun r => exists p, F q r p) n.
Proof.
  intros q e hq he. apply rows_ended_before in he.
  destruct (counts_part (fun r => ~ Ended r q) (fun r => 0 <= r < 0 + (q + 1)) (q + 1))
    as (n & _ & hn).
  { intros r. destruct (Ended_dec r q); [now right | now left]. }
  { apply counts_interval. }
  exists n. split.
  - rewrite Nat.add_comm. symmetry.
    apply (counts_split (fun r => Ended r q) _ _ _ _ (fun r => Ended_dec r q)
      (counts_interval 0 (q + 1))); [| exact hn].
    apply (counts_ext (fun c => c < q /\ Ended c q)); [| exact he].
    intros c. split; intros [hc h]; (split; [| exact h]); [lia |].
    destruct h as (y & hy & (_ & h & _)). lia.
  - apply (counts_ext (fun r => 0 <= r < 0 + (q + 1) /\ ~ Ended r q)); [| exact hn].
    intros r. split.
    + intros (hr & h). apply F_exists_iff; [lia | exact h].
    + intros (p & h). assert (r <= q) by apply h. split; [lia |].
      apply F_exists_iff; [lia | now exists p].
Qed.

Theorem positions_in_column : forall q k, 1 <= q ->
  Counts (fun j => exists d, d < q /\ F j j d) k -> Counts (fun r => exists p, F q r p) (2 + k).
Proof.
  intros q k hq hk. destruct (counts_below End End_dec q) as (e & _ & he).
  destruct (column_count q e hq he) as (n & hn & h).
  assert (hd : Counts (fun y => y < q /\ Diagonal y) k).
  { apply (counts_image (fun j => exists d, d < q /\ F j j d) _ (fun j d => d < q /\ F j j d)).
    - intros j (d & hd & h'). exists d. split; [split; [exact hd | now exists j] | now split].
    - intros j j' d _ _ (_ & h1) (_ & h2). exact (diagonal_injective _ _ _ h1 h2).
    - intros j d d' _ (_ & h1) (_ & h2). exact (F_unique _ _ _ _ h1 h2).
    - intros d (hd & j & hj). exists j. split; [now exists d | now split].
    - exact hk. }
  pose proof (ends_and_diagonal q e k hq he hd). now replace (2 + k) with n by lia.
Qed.

(** All numbers of column q are from q to the diagonal value. *)
Lemma diagonal_at_least : forall q d e, 1 <= q -> F q q d -> Counts (fun y => y < q /\ End y) e ->
  2 * q <= d + e.
Proof.
  intros q d e hq hd he. destruct (column_count q e hq he) as (n & hn & h).
  pose proof (diagonal_bounds q d hd). assert (n <= d - q + 1); [| lia].
  apply (counts_le (fun r => exists p, F q r p) (fun p => q <= p < q + (d - q + 1))
    (fun r p => F q r p)); [| | exact h | apply counts_interval].
  - intros r (p & hp). exists p. split; [| exact hp].
    assert (q <= p /\ r <= q) by (split; apply hp).
    destruct (Nat.eq_dec r q) as [-> |].
    + rewrite (F_unique _ _ _ _ hp hd). lia.
    + pose proof (diagonal_is_greatest q d r p hd ltac:(lia) hp). lia.
  - intros r r' p _ _. apply F_column_injective.
Qed.

Lemma ends_to : forall n e, Counts (fun y => y < 3 * n + 4 /\ End y) e -> n < e.
Proof.
  intros n e he. destruct (le_lt_dec e n) as [hle |]; [| assumption]. exfalso.
  destruct (counts_below Diagonal Diagonal_dec (3 * n + 4)) as (d & _ & hd).
  pose proof (ends_and_diagonal (3 * n + 4) e d ltac:(lia) he hd).
  assert (d <= 2 * n + 2); [| lia].
  apply (counts_le (fun y => y < 3 * n + 4 /\ Diagonal y) (fun j => 0 <= j < 0 + (2 * n + 2))
    (fun y j => F j j y)); [| | exact hd | apply counts_interval].
  - intros y (hy & j & hj). exists j. split; [| exact hj].
    destruct (Nat.eq_dec j 0) as [-> |]; [lia |].
    destruct (counts_below End End_dec j) as (e' & _ & he').
    pose proof (diagonal_at_least j y e' ltac:(lia) hj he').
    pose proof (diagonal_bounds j y hj).
    assert (e' <= e); [| lia].
    apply (counts_subset (fun y => y < j /\ End y) (fun y => y < 3 * n + 4 /\ End y));
      [| exact he' | exact he].
    intros z (hz & h). split; [lia | exact h].
  - intros y y' j _ _ h h'. exact (F_unique _ _ _ _ h h').
Qed.

Theorem infinitely_many_ends : forall n, 1 <= n -> exists x, NthEnd n x.
Proof.
  intros n hn. destruct (counts_below End End_dec (3 * n + 4)) as (e & _ & he).
  pose proof (ends_to n e he).
  destruct (counts_nth End End_dec (3 * n + 3) e n) as (x & _ & h & hx); [| lia |].
  - apply (counts_ext (fun y => y < 3 * n + 4 /\ End y)); [| exact he]. intros y. intuition lia.
  - exists x. now split.
Qed.

Theorem finite_rows_at_least : forall r m, Counts (fun c => c < r /\ Ends c) m -> r / 2 <= m.
Proof.
  intros r m hm.
  apply (counts_le (fun n => 1 <= n < 1 + r / 2) (fun c => c < r /\ Ends c)
    (fun n c => exists x, NthEnd n x /\ F x c x)); [| | apply counts_interval | exact hm].
  - intros n hn. destruct (infinitely_many_ends n) as (x & hx); [lia |].
    destruct (proj1 hx) as (c & h). exists c. pose proof (row_of_nth_end n x c hx h).
    assert (2 * (r / 2) <= r) by (apply Nat.mul_div_le; lia).
    split; [split; [lia | now exists x] | exists x; now split].
  - intros n n' c _ _ (x & hx & h) (x' & hx' & h').
    rewrite (finite_unique c x x' h h') in hx. exact (counts_unique _ _ _ (proj2 hx) (proj2 hx')).
Qed.
