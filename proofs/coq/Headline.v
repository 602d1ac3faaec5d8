(** * What is proved

Each theorem is stated in the terms of [Rules.v], of this file, and of arithmetic, so that a reader
who knows these definitions can judge it without reading a proof. A few more definitions occur:

- [Board], [Move], [bite] and [P] of [Boards.v], the rules for any number of rows, and the function
  [table_rectangle] of [Tables.v], which [chomp-verify] prints;
- [stated] of [Byrnes.v], a row as a head and values that repeat; [letter] of [Words.v];
- [element] of [TwoChains.v], the elements of two chains and of a set A;
- the types [record] and [certificate] of [Checker.v], and [seal] of [Fingerprints.v] with the type
  [sealed]: what a checker reads;
- the checkers themselves, [check] of [Checker.v], [check_sealed] of [Fingerprints.v] and
  [check_by_columns] of [ByColumns.v]. What the first two accept, and that the third accepts nothing
  false, is what the theorems about them say.

For each theorem, [.ci/proofs] prints its assumptions, and fails if there are any. *)

From Coq Require Import Arith Bool List NArith ZArith Lia Sorted.
From Coq Require Eqdep_dec.
From Chomp Require Import Rules Recurrence Byrnes Values.
From Chomp Require Counting Uniqueness Columns RowLaw FiniteRows Density Effective.
From Chomp Require Laws Balls FarColumns Cascade Words Patterns Levels TwoChains.
From Chomp Require Certificate Checker Soundness Completeness Existence Fingerprints Records Rows.
From Chomp Require ByColumns ColumnsSoundness.
From Chomp Require Boards Shapes Rectangles Tables.
Import ListNotations.

(** ** The game *)

(** The rules by squares. Square j of row i, both counted from 0, is on the board of a position: *)
Definition Square (x : position) (i j : nat) : Prop :=
  let '(p, q, r) := x in
  match i with 0 => j < p | 1 => j < q | 2 => j < r | _ => False end.

(** A bite at square j of row i, which is not the poisoned one, takes it with all squares below it
and to the right of it; y has the squares that are left. *)
Definition BiteAt (x : position) (i j : nat) (y : position) : Prop :=
  Square x i j /\ (i <> 0 \/ j <> 0) /\
    forall i' j', Square y i' j' <-> Square x i' j' /\ ~ (i <= i' /\ j <= j').

Lemma same_squares : forall y y', (forall i j, Square y i j <-> Square y' i j) -> y = y'.
Proof.
  assert (same : forall a b, (forall k, k < a <-> k < b) -> a = b).
  { intros a b h. pose proof (h a). pose proof (h b). lia. }
  intros [[a b] c] [[a' b'] c'] h.
  now rewrite (same a a' (h 0)), (same b b' (h 1)), (same c c' (h 2)).
Qed.

Theorem bites_by_squares : forall x y, Position x -> (Bite x y <-> exists i j, BiteAt x i j y).
Proof.
  intros [[p q] r] y hx. simpl in hx. split.
  - intros hb. inversion hb as [? ? ? n hn | ? ? ? n hn | ? ? ? n hn]; subst;
      [exists 0, n | exists 1, n | exists 2, n];
      (split; [simpl; lia | split; [lia |]]; intros [| [| [| i]]] j; simpl; lia).
  - intros (i & j & hs & hne & h).
    assert (left : forall z, (forall i' j', Square z i' j' <->
      Square (p, q, r) i' j' /\ ~ (i <= i' /\ j <= j')) -> y = z).
    { intros z hz. apply same_squares. intros i' j'. now rewrite h, hz. }
    destruct i as [| [| [| i]]]; simpl in hs; [| | | easy].
    + rewrite (left (j, min q j, min r j)); [constructor; lia |].
      intros [| [| [| i]]] k; simpl; lia.
    + rewrite (left (p, j, min r j)); [constructor; lia |].
      intros [| [| [| i]]] k; simpl; lia.
    + rewrite (left (p, q, j)); [constructor; lia |].
      intros [| [| [| i]]] k; simpl; lia.
Qed.

(** Each square but the poisoned one can be bitten, and the bite leaves one position. Bites at
different squares leave different positions. *)
Theorem one_bite_at_each_square : forall x, Position x ->
  (forall i j, Square x i j -> i <> 0 \/ j <> 0 -> exists! y, BiteAt x i j y) /\
  (forall i j i' j' y, BiteAt x i j y -> BiteAt x i' j' y -> (i, j) = (i', j')).
Proof.
  intros [[p q] r] hx. split.
  - intros i j hs hne.
    assert (h : exists y, BiteAt (p, q, r) i j y).
    { destruct i as [| [| [| i]]]; simpl in hs, hx; [| | | easy];
        [exists (j, min q j, min r j) | exists (p, j, min r j) | exists (p, q, j)];
        (split; [exact hs | split; [exact hne |]]; intros [| [| [| i]]] k; simpl; lia). }
    destruct h as (y & hy). exists y. split; [exact hy |]. intros z hz.
    apply same_squares. intros i' j'. destruct hy as (_ & _ & hy), hz as (_ & _ & hz).
    now rewrite hy, hz.
  - intros i j i' j' y (hs & _ & h) (hs' & _ & h').
    assert (taken : forall a b, (forall k l, Square y k l <->
      Square (p, q, r) k l /\ ~ (a <= k /\ b <= l)) ->
      forall k l, Square (p, q, r) k l -> (~ Square y k l <-> a <= k /\ b <= l)).
    { intros a b hab k l hk. rewrite hab. destruct (le_dec a k), (le_dec b l); tauto. }
    assert (h1 : i <= i' /\ j <= j') by (apply (taken i j h), (taken i' j' h'); trivial; lia).
    assert (h2 : i' <= i /\ j' <= j) by (apply (taken i' j' h'), (taken i j h); trivial; lia).
    f_equal; lia.
Qed.

(** A position is P if and only if no bite leads from it to a P-position. It is N if and only if
some bite does. It is exactly one of the two. *)
Theorem P_and_N : forall x, Position x ->
  (P x <-> forall y, Bite x y -> ~ P y) /\ (N x <-> exists y, Bite x y /\ P y) /\
  (P x /\ ~ N x \/ N x /\ ~ P x).
Proof.
  intros x hx. split; [now apply P_iff |]. split; [now apply N_iff |].
  destruct (P_or_N x hx) as [h | h]; [left | right];
    (split; [exact h |]); intros h'; now apply (not_P_and_N x).
Qed.

(** Only one set of positions satisfies this rule. *)
Theorem P_is_determined : forall Q : position -> Prop,
  (forall x, Position x -> (Q x <-> forall y, Bite x y -> ~ Q y)) ->
  forall x, Position x -> (Q x <-> P x).
Proof. exact P_unique. Qed.

(** The P-positions with at most five columns, computed from the rules alone. They are those of the
small table on Brouwer's page. *)
Example small_positions :
  filter (fun '(p, q, r) => if (r <=? q) && (q <=? p) then isP p q r else false)%bool
    (list_prod (list_prod (seq 1 5) (seq 0 6)) (seq 0 6)) =
  [(1, 0, 0); (2, 1, 0); (2, 2, 1); (3, 1, 1); (3, 2, 0); (4, 2, 2); (4, 3, 0); (5, 3, 2);
   (5, 4, 0); (5, 5, 3)].
Proof. vm_compute. reflexivity. Qed.

(** Strategy stealing. *)
Theorem full_boards_are_N : forall n, 1 <= n -> N (n, n, n) /\ N (n, n, 0).
Proof. intros n hn. split; [now apply full_board_N | now apply two_full_rows_N]. Qed.

(** ** f(q,r), which is the p of a P-position (p,q,r) *)

(** Fact 6: f is a function. *)
Theorem f_is_a_function : forall p p' q r, P (p, q, r) -> P (p', q, r) -> p = p'.
Proof. intros p p' q r. rewrite <- !F_P. apply F_unique. Qed.

(** A row has no P-position after the column in which it ends. *)
Theorem a_row_that_ended : forall x p q r, P (x, x, r) -> x < q -> ~ P (p, q, r).
Proof. intros x p q r. rewrite <- !F_P. apply ended_stays. Qed.

(** The numbers that fact 1 forbids for f(q,r): 0, the diagonal below r, row r before column q, and
column q below row r. *)
Definition Forbidden (q r p : nat) : Prop :=
  p = 0 \/
  (exists c, c < r /\ P (p, c, c)) \/
  (exists q', r <= q' < q /\ P (p, q', r)) \/
  (exists c, c < r /\ P (p, q, c)).

Lemma forbidden_blocked : forall q r p, Forbidden q r p <-> Blocked r q p.
Proof. intros q r p. unfold Forbidden, Blocked. repeat setoid_rewrite F_P. reflexivity. Qed.

(** Fact 1: unless row r ended before q, f(q,r) exists, is the least number from q on that is not
forbidden, and is at most q + r + 1. *)
Theorem the_recurrence : forall q r, r <= q -> (forall x, x < q -> ~ P (x, x, r)) ->
  exists p, q <= p <= q + r + 1 /\ P (p, q, r) /\
    ~ Forbidden q r p /\ forall p', q <= p' < p -> Forbidden q r p'.
Proof.
  intros q r hr he. assert (hne : ~ Ended r q).
  { intros (x & hx & h). apply F_P in h. exact (he x hx h). }
  destruct (F_exists r q hr hne) as (p & hp & h). exists p.
  pose proof (proj1 (fact_1 r q p hr hne) h) as (hq & hb & least).
  split; [lia |]. split; [now rewrite <- F_P |]. rewrite forbidden_blocked. split; [exact hb |].
  intros p' hp'. now apply forbidden_blocked, least.
Qed.

(** The numbers of Brouwer's list. Unlike [Forbidden], it does not include 0, and it includes the
last values of the rows below r that ended before q. *)
Definition InBrouwersList (q r p : nat) : Prop :=
  (exists c, c < r /\ P (p, c, c)) \/
  (exists q', r <= q' < q /\ P (p, q', r)) \/
  (exists c, c < r /\ P (p, q, c)) \/
  (exists c, c < r /\ p < q /\ P (p, p, c)).

(** Corollary 1a: f(q,r) is the least positive number that is not in Brouwer's list. *)
Theorem brouwers_recurrence : forall p q r, r <= q -> (forall x, x < q -> ~ P (x, x, r)) ->
  (P (p, q, r) <->
    1 <= p /\ ~ InBrouwersList q r p /\ forall p', 1 <= p' < p -> InBrouwersList q r p').
Proof.
  intros p q r hr he. assert (same : forall p, InBrouwersList q r p <-> Listed r q p).
  { intros n. unfold InBrouwersList, Listed. repeat setoid_rewrite F_P. reflexivity. }
  rewrite <- F_P, (corollary_1a r q p hr).
  - setoid_rewrite same. reflexivity.
  - intros (x & hx & h). apply F_P in h. exact (he x hx h).
Qed.

(** ** Rows *)

(** Byrnes' theorem: a row is finite, and has a P-position in each column from its first to its last
one; or from some column on it has a P-position in every column, and the offsets repeat. *)
Theorem every_row_is_finite_or_periodic : forall r,
  (exists last, r <= last /\ P (last, last, r) /\
    (forall q, r <= q <= last -> exists p, P (p, q, r)) /\
    (forall p q, last < q -> ~ P (p, q, r))) \/
  (exists start period, 0 < period /\
    forall q, start <= q -> exists p, P (p, q, r) /\ P (p + period, q + period, r)).
Proof.
  intros r. destruct (byrnes r) as [(l & h) | (s & k & hk & h)].
  - left. exists l. destruct (finite_row r l h) as [before after].
    split; [apply h |]. split; [now rewrite <- F_P |]. split.
    + intros q hq. destruct (before q hq) as (p & hp). exists p. now rewrite <- F_P.
    + intros p q hq. rewrite <- F_P. now apply after.
  - right. exists s, k. split; [exact hk |]. intros q hq.
    destruct (h q hq) as (p & h1 & h2). exists p. now rewrite <- !F_P.
Qed.

(** A row that repeats has a unique start and period that are least: every start is at least this
start, and every period is a multiple of this period. *)
Theorem least_start_and_least_period : forall r,
  let Repeats s k :=
    0 < k /\ forall q, s <= q -> exists p, P (p, q, r) /\ P (p + k, q + k, r) in
  (exists s k, Repeats s k) ->
  exists! sk, Repeats (fst sk) (snd sk) /\
    forall s k, Repeats s k -> fst sk <= s /\ Nat.divide (snd sk) k.
Proof.
  intros r Repeats. assert (same : forall s k, Repeats s k <-> Periodic r s k).
  { intros s k. unfold Repeats, Periodic. repeat setoid_rewrite F_P. reflexivity. }
  intros (s0 & k0 & h). apply same, canonical_exists in h. destruct h as (s & k & h).
  exists (s, k). split.
  - split; [apply same, h |]. intros s' k' h'. now apply h, same.
  - intros [s' k'] [h' least].
    destruct (canonical_unique r s k s' k' h) as [-> ->]; [| reflexivity].
    split; [now apply same |]. intros s'' k'' h''. now apply least, same.
Qed.

(** From column s on, row r has a P-position in every column, and the offsets repeat with k. They do
not repeat from an earlier column on, or with a period that k does not divide. *)
Definition RepeatsFirst (r s k : nat) : Prop :=
  let Repeats s k :=
    0 < k /\ forall q, s <= q -> exists p, P (p, q, r) /\ P (p + k, q + k, r) in
  Repeats s k /\ forall s' k', Repeats s' k' -> s <= s' /\ Nat.divide k k'.

Lemma repeats_first : forall r s k, RepeatsFirst r s k <-> Canonical r s k.
Proof. exact Rows.repeats_first_canonical. Qed.

(** A row is determined by a finite table of offsets: a head, and values that repeat for ever. A
finite row has no values. *)
Theorem every_row_has_a_finite_table : forall r, exists head values : list nat, forall p q,
  P (p, q, r) <-> r <= q <= p /\
    (nth_error head (q - r) = Some (p - q) \/
     length head <= q - r /\
     nth_error values ((q - r - length head) mod length values) = Some (p - q)).
Proof.
  intros r. destruct (finite_table r) as (head & values & table). exists head, values.
  intros p q. rewrite table. unfold stated. split.
  - intros (hr & x & e & ->). split; [lia |]. replace (q + x - q) with x by lia.
    destruct (Nat.ltb_spec (q - r) (length head)); [now left | now right].
  - intros (hq & e). split; [lia |]. exists (p - q). split; [| lia].
    destruct (Nat.ltb_spec (q - r) (length head)) as [hi | hi].
    + destruct e as [e | [he _]]; [exact e | lia].
    + destruct e as [e | [_ e]]; [| exact e]. apply nth_error_None in hi. congruence.
Qed.

(** Fact 4: the values of a periodic row are a juggling sequence. Their mean is an integer, and if
they are extended with their period to all integers q, every integer is [q + v q] for exactly one
integer q. *)
Theorem values_juggle : forall r start period (v : nat -> nat),
  0 < period ->
  (forall q, start <= q -> exists p, P (p, q, r) /\ P (p + period, q + period, r)) ->
  (forall i, i < period -> P (start + i + v i, start + i, r)) ->
  Nat.divide period (fold_right Nat.add 0 (map v (seq 0 period))) /\
  forall z, exists! q, (q + Z.of_nat (v (Z.to_nat (q mod Z.of_nat period))) = z)%Z.
Proof.
  intros r start k v hk h hv. assert (periodic : Periodic r start k).
  { split; [exact hk |]. intros q hq. destruct (h q hq) as (p & h1 & h2).
    exists p. now rewrite !F_P. }
  assert (values : forall i, i < k -> F (start + i) r (start + i + v i)).
  { intros i hi. rewrite F_P. now apply hv. }
  split; [exact (mean_is_an_integer r start k v periodic values) |].
  exact (juggling r start k v periodic values).
Qed.

(** Fact 5: P-positions with more than R squares in the bottom row have at least R + 2 in the top
row, and at least as many as the P-positions of row R in the columns after its first. *)
Theorem what_rows_to_R_decide : forall R m, (forall p q, R < q -> P (p, q, R) -> m <= p) ->
  forall p q s, R < s -> P (p, q, s) -> R + 2 <= p /\ m <= p.
Proof.
  intros R m least. apply fact_5. intros q p hq h. apply (least p q hq). now rewrite <- F_P.
Qed.

(** ** Openings and ends *)

(** Different bites lead to different positions. *)
Theorem bites_lead_to_different_positions : forall x, Position x ->
  NoDup (bites x) /\ forall y, In y (bites x) <-> Bite x y.
Proof. intros x hx. split; [now apply Uniqueness.bites_differ | apply bites_spec]. Qed.

(** From every board with three full rows, exactly one bite wins: a theorem of Sheiner
(arXiv 2605.23837, 2026). *)
Theorem one_winning_opening : forall n, 1 <= n -> exists! y, Bite (n, n, n) y /\ P y.
Proof. exact Uniqueness.unique_opening. Qed.

(** It leaves (n,q,q) or (n,n,c): a bite in the top row does not win. *)
Theorem winning_openings : forall n y, Bite (n, n, n) y -> P y ->
  exists m, m < n /\ (y = (n, m, m) \/ y = (n, n, m)).
Proof.
  intros n y hb hy. destruct (Uniqueness.opening_cases n y hb hy)
    as [(m & hm & _ & e) | (m & hm & _ & e)]; exists m; auto.
Qed.

(** In terms of squares: from every board with three full rows, the bite at exactly one square
wins. *)
Theorem one_winning_square : forall n, 1 <= n ->
  exists! square, exists y, BiteAt (n, n, n) (fst square) (snd square) y /\ P y.
Proof.
  intros n hn. assert (hx : Position (n, n, n)) by (simpl; lia).
  destruct (one_winning_opening n hn) as (y & (hb & hy) & one).
  apply (bites_by_squares _ _ hx) in hb as (i & j & h). exists (i, j).
  split; [exists y; now split |]. intros [i' j'] (y' & h' & hy').
  assert (hb' : Bite (n, n, n) y') by (apply (bites_by_squares _ _ hx); now exists i', j').
  rewrite <- (one y' (conj hb' hy')) in h'.
  exact (proj2 (one_bite_at_each_square _ hx) _ _ _ _ _ h h').
Qed.

(** This square is in row 1 or in row 2, below the top row. *)
Theorem winning_squares : forall n i j y, BiteAt (n, n, n) i j y -> P y ->
  i = 1 /\ y = (n, j, j) \/ i = 2 /\ y = (n, n, j).
Proof.
  intros n i j y h hy. assert (hx : Position (n, n, n)).
  { destruct h as (h & _). destruct i as [| [| [| i]]]; simpl in *; lia. }
  assert (hb : Bite (n, n, n) y) by (apply (bites_by_squares _ _ hx); now exists i, j).
  pose proof (proj2 (one_bite_at_each_square _ hx)) as one.
  destruct (winning_openings n y hb hy) as (m & hm & [-> | ->]); [left | right].
  - assert (h' : BiteAt (n, n, n) 1 m (n, m, m)).
    { split; [simpl; lia | split; [lia |]]. intros [| [| [| k]]] l; simpl; lia. }
    injection (one _ _ _ _ _ h h') as -> ->. now split.
  - assert (h' : BiteAt (n, n, n) 2 m (n, n, m)).
    { split; [simpl; lia | split; [lia |]]. intros [| [| [| k]]] l; simpl; lia. }
    injection (one _ _ _ _ _ h h') as -> ->. now split.
Qed.

(** No row ends at a diagonal value, and every positive number is the end of a row or a diagonal
value. *)
Theorem ends_and_diagonal_values :
  (forall n c q, P (n, n, c) -> ~ P (n, q, q)) /\
  (forall n, 1 <= n -> (exists c, P (n, n, c)) \/ (exists q, P (n, q, q))).
Proof.
  split.
  - intros n c q. rewrite <- !F_P. intros h h'.
    apply (Uniqueness.end_not_diagonal n); [now exists c | now exists q].
  - intros n hn. destruct (Uniqueness.end_or_diagonal n hn) as [(c & h) | (q & h)];
      [left; exists c | right; exists q]; now rewrite <- F_P.
Qed.

(** The rightmost hole. Below row r, let column q not have p, and let each column between q and p
have it. Then column q has all numbers between q and p below row r. *)
Theorem the_rightmost_hole : forall p q r, r <= q ->
  let Has t n := exists b, b < r /\ P (n, t, b) in
  ~ Has q p -> (forall t, q < t < p -> Has t p) -> forall v, q < v < p -> Has q v.
Proof.
  intros p q r hr Has. assert (same : forall t n, Has t n <-> ColumnBlocked r t n).
  { intros t n. unfold Has, ColumnBlocked. setoid_rewrite F_P. reflexivity. }
  setoid_rewrite same. now apply Uniqueness.rightmost_hole.
Qed.

(** T2: if row c ends at x, each column from c to before x has x in a row below c. *)
Theorem columns_before_an_end : forall x c t, P (x, x, c) -> c <= t < x ->
  exists b, b < c /\ P (x, t, b).
Proof.
  intros x c t h ht. rewrite <- F_P in h.
  destruct (Uniqueness.columns_before_end x c t h ht) as (b & hb & hf).
  exists b. split; [exact hb | now rewrite <- F_P].
Qed.

(** M*: if row c ends at x, no row above it has the number x. *)
Theorem an_end_is_not_above : forall x c q r, P (x, x, c) -> c < r -> ~ P (x, q, r).
Proof. intros x c q r. rewrite <- !F_P. apply Uniqueness.end_not_above. Qed.

(** k is the key of p: p is the diagonal value of column k, or row k ends at p. *)
Definition Key (p k : nat) : Prop := P (p, k, k) \/ P (p, p, k).

Theorem every_number_has_one_key : forall p, 1 <= p -> exists! k, Key p k /\ k < p.
Proof.
  assert (same : forall p k, Key p k <-> RowLaw.Key p k).
  { intros p k. unfold Key, RowLaw.Key. now rewrite !F_P. }
  intros p hp. destruct (RowLaw.key_exists p hp) as (k & hk). exists k.
  split; [split; [now apply same | now apply RowLaw.key_less] |].
  intros k' (hk' & _). apply same in hk'. exact (RowLaw.key_unique p k k' hk hk').
Qed.

(** The law of a row: if row b has not ended before column p, it has p if and only if the key of p
is at least b. So a row that never ends has exactly the numbers with such keys. *)
Theorem the_law_of_a_row : forall b p k, Key p k -> (forall x, x < p -> ~ P (x, x, b)) ->
  ((exists q, P (p, q, b)) <-> b <= k).
Proof.
  intros b p k hk he. unfold Key in hk. rewrite <- !F_P in hk.
  rewrite <- (RowLaw.row_law b p k hk).
  - setoid_rewrite F_P. reflexivity.
  - intros (x & hx & h). apply F_P in h. exact (he x hx h).
Qed.

(** ** Finite rows

Row c is finite if some (x,x,c) is a P-position; then it ends at x. *)

(** Exactly k numbers have the property A. *)
Definition Counts (A : nat -> Prop) (k : nat) : Prop :=
  exists l : list nat, (NoDup l /\ forall x, In x l <-> A x) /\ length l = k.

(** F(r) is the number of finite rows below row r. *)
Definition CountsFiniteRows (F : nat -> nat) : Prop :=
  forall r, Counts (fun c => c < r /\ exists x, P (x, x, c)) (F r).

Lemma counts_ends : forall r k, Counts (fun c => c < r /\ exists x, P (x, x, c)) k <->
  Counting.Counts (fun c => c < r /\ Uniqueness.Ends c) k.
Proof.
  assert (same : forall r c, (c < r /\ exists x, P (x, x, c)) <-> (c < r /\ Uniqueness.Ends c)).
  { intros r c. unfold Uniqueness.Ends. setoid_rewrite F_P. reflexivity. }
  intros r k. split; apply Counting.counts_ext; intros c; [| symmetry]; apply same.
Qed.

Theorem finite_rows_are_counted : exists F, CountsFiniteRows F.
Proof.
  destruct Density.finite_rows_function as (f & h). exists f. intros r. now apply counts_ends.
Qed.

(** The offset x is in U(q): the number q + x is blocked for row r in column q by 0, the diagonal
below r, or row r before column q. *)
Definition InU (r q x : nat) : Prop :=
  q + x = 0 \/ (exists c, c < r /\ P (q + x, c, c)) \/
  (exists q', r <= q' < q /\ P (q + x, q', r)).

Lemma in_u : forall r q x, InU r q x <-> Uniqueness.Offsets r q x.
Proof.
  intros r q x. unfold InU, Uniqueness.Offsets, RowBlocked. setoid_rewrite F_P. reflexivity.
Qed.

(** T6: if row r has not ended before column q, U(q) has one more member than rows below r have
ended before q. *)
Theorem members_of_U : forall r q k, r <= q -> 1 <= q -> (forall x, x < q -> ~ P (x, x, r)) ->
  Counts (fun c => c < r /\ exists x, x < q /\ P (x, x, c)) k -> Counts (InU r q) (1 + k).
Proof.
  intros r q k hr hq he hk. apply (Counting.counts_ext (Uniqueness.Offsets r q)).
  { intros x. symmetry. apply in_u. }
  apply Uniqueness.offsets_count, Uniqueness.blocked_by_the_row; [exact hr | exact hq | |].
  - intros (x & hx & h). apply F_P in h. exact (he x hx h).
  - revert hk. apply Counting.counts_ext. intros c. unfold Ended. setoid_rewrite F_P. reflexivity.
Qed.

(** M: the mean of the values of a periodic row is one more than the number of finite rows below
it. *)
Theorem the_mean_of_a_row : forall F r start period (v : nat -> nat),
  CountsFiniteRows F ->
  0 < period ->
  (forall q, start <= q -> exists p, P (p, q, r) /\ P (p + period, q + period, r)) ->
  (forall i, i < period -> P (start + i + v i, start + i, r)) ->
  fold_right Nat.add 0 (map v (seq 0 period)) = period * (1 + F r).
Proof.
  intros F r start k v hF hk h hv. apply (Uniqueness.mean_counts_finite_rows r start k v).
  - split; [exact hk |]. intros q hq. destruct (h q hq) as (p & h1 & h2).
    exists p. now rewrite !F_P.
  - intros i hi. rewrite F_P. now apply hv.
  - now apply counts_ends.
Qed.

(** The diagonal value is the greatest number of its column. *)
Theorem diagonal_values_are_greatest : forall d q r p,
  P (d, q, q) -> r < q -> P (p, q, r) -> p < d.
Proof. intros d q r p. rewrite <- !F_P. apply Columns.diagonal_is_greatest. Qed.

(** T9: if a row ends at x, a column q before x has x if and only if x is less than its diagonal
value d. *)
Theorem columns_with_an_end : forall x c q d, P (x, x, c) -> q < x -> P (d, q, q) ->
  ((exists b, P (x, q, b)) <-> x < d).
Proof.
  intros x c q d hx hq hd. apply F_P in hx, hd.
  rewrite <- (Columns.column_has_end x q d (ex_intro _ c hx) hq hd).
  unfold Uniqueness.InColumn. setoid_rewrite F_P. reflexivity.
Qed.

(** x is the n-th end: a row ends at x, and n ends are at most x. *)
Definition NthEnd (n x : nat) : Prop :=
  (exists c, P (x, x, c)) /\ Counts (fun y => y <= x /\ exists b, P (y, y, b)) n.

Lemma nth_end : forall n x, NthEnd n x <-> Columns.NthEnd n x.
Proof.
  assert (same : forall y, (exists b, P (y, y, b)) <-> Uniqueness.End y).
  { intros y. unfold Uniqueness.End. setoid_rewrite F_P. reflexivity. }
  intros n x. unfold NthEnd, Columns.NthEnd. rewrite same. apply and_iff_compat_l.
  split; apply Counting.counts_ext; intros y; now rewrite same.
Qed.

(** Let row c end at x, and let x be the n-th end. Then n columns before column x have x. *)
Theorem the_nth_end : forall n x c, NthEnd n x -> P (x, x, c) ->
  Counts (fun q => q < x /\ exists b, P (x, q, b)) n /\
  x <= 2 * c /\ c <= 2 * n - 1 /\ x - c <= n /\ 2 * n <= x <= 3 * n - 1.
Proof.
  intros n x c h hx. apply nth_end in h. rewrite <- F_P in hx. split.
  - generalize (Columns.columns_with_the_end n x h). apply Counting.counts_ext.
    intros q. unfold Uniqueness.InColumn. setoid_rewrite F_P. reflexivity.
  - split; [now apply Columns.ends_early |].
    split; [now apply (Columns.row_of_nth_end n x) |].
    split; [now apply Columns.end_minus_row | now apply Columns.nth_end_bounds].
Qed.

(** I1: let l rows above c have ended before x, and A rows below c that have ended before x have x.
Then c = 2n - 1 - l - A. *)
Theorem first_identity : forall n x c l A, NthEnd n x -> P (x, x, c) ->
  Counts (fun b => c < b /\ exists y, y < x /\ P (y, y, b)) l ->
  Counts (fun b => b < c /\ (exists y, y < x /\ P (y, y, b)) /\ exists q, P (x, q, b)) A ->
  c + l + A + 1 = 2 * n.
Proof.
  assert (same : forall b x, (exists y, y < x /\ P (y, y, b)) <-> Ended b x).
  { intros b x. unfold Ended. setoid_rewrite F_P. reflexivity. }
  intros n x c l A h hx hl hA. apply nth_end in h. apply F_P in hx.
  apply (FiniteRows.first_identity n x c l A h hx).
  - revert hl. apply Counting.counts_ext. intros b. rewrite same. reflexivity.
  - revert hA. apply Counting.counts_ext. intros b. rewrite same. setoid_rewrite F_P. tauto.
Qed.

(** I2: let M columns before c have a diagonal value greater than x, and let N diagonal values of
columns before x be from x to d - 1 and not in column x, d being its diagonal value. Then
x = c + n - M, and d - x - c = N - M + 1. *)
Theorem second_identity : forall n x c d M N, NthEnd n x -> P (x, x, c) -> P (d, x, x) ->
  Counts (fun t => t < c /\ exists d', x < d' /\ P (d', t, t)) M ->
  Counts (fun y => x <= y < d /\ (exists j, j < x /\ P (y, j, j)) /\ ~ exists b, P (y, x, b)) N ->
  x + M = c + n /\ d + M = x + c + N + 1.
Proof.
  intros n x c d M N h hx hd hM hN. apply nth_end in h. apply F_P in hx, hd.
  assert (hM' : Counting.Counts (fun t => t < c /\ exists d', x < d' /\ Recurrence.F t t d') M).
  { revert hM. apply Counting.counts_ext. intros t. setoid_rewrite F_P. reflexivity. }
  split.
  - pose proof (FiniteRows.second_identity n x c M h hx hM'). lia.
  - apply (FiniteRows.third_identity n x c d M N h hx hd hM').
    revert hN. apply Counting.counts_ext. intros y. unfold Uniqueness.InColumn.
    setoid_rewrite F_P. reflexivity.
Qed.

(** B: the row of the n-th end x is at least n, plus the number of those rows b that end at some y
with y + b < x. *)
Theorem row_of_the_nth_end_at_least : forall n x c m, NthEnd n x -> P (x, x, c) ->
  Counts (fun b => exists y, P (y, y, b) /\ y + b < x) m -> n + m <= c.
Proof.
  intros n x c m h hx hm. apply nth_end in h. apply F_P in hx.
  apply (FiniteRows.row_at_least n x c m h hx). revert hm. apply Counting.counts_ext.
  intros b. setoid_rewrite F_P. reflexivity.
Qed.

(** Of the rows below r, at least (r - 1)/2 and at most (5r - 2)/7 are finite. All others are
periodic: so at least 2/7 of the rows. *)
Theorem how_many_rows_are_finite : forall F r, CountsFiniteRows F -> 1 <= r ->
  r <= 2 * F r + 1 /\ 7 * F r + 2 <= 5 * r.
Proof.
  intros F r hF hr. specialize (hF r). apply counts_ends in hF.
  split; [| exact (FiniteRows.finite_rows_at_most r _ hr hF)].
  pose proof (Columns.finite_rows_at_least r _ hF).
  pose proof (Nat.div_mod r 2 ltac:(lia)). pose proof (Nat.mod_upper_bound r 2 ltac:(lia)). lia.
Qed.

(** In column q, q >= 1, the number of P-positions is two more than that of the diagonal values less
than q. *)
Theorem positions_of_a_column : forall q k, 1 <= q ->
  Counts (fun j => exists d, d < q /\ P (d, j, j)) k ->
  Counts (fun r => exists p, P (p, q, r)) (2 + k).
Proof.
  intros q k hq hk.
  apply (Counting.counts_ext (fun r => exists p, Recurrence.F q r p)).
  - intros r. setoid_rewrite F_P. reflexivity.
  - apply Columns.positions_in_column; [exact hq |]. revert hk. apply Counting.counts_ext.
    intros j. setoid_rewrite F_P. reflexivity.
Qed.

(** Let p be the diagonal value of column j, and let e ends be at most p. Let S columns have p, and
let Z columns before p with a greater diagonal value not have it; let g rows below j end before p
and not have it; and let D diagonal values besides p be in column j. *)
Theorem columns_with_a_diagonal_value : forall j p e S Z g D, 1 <= j -> P (p, j, j) ->
  Counts (fun y => y <= p /\ exists c, P (y, y, c)) e ->
  Counts (fun q => exists b, P (p, q, b)) S ->
  Counts (fun q => (q < p /\ exists d, P (d, q, q) /\ p < d) /\ ~ exists b, P (p, q, b)) Z ->
  Counts (fun b => b < j /\ (exists x, x < p /\ P (x, x, b)) /\ ~ exists q, P (p, q, b)) g ->
  Counts (fun y => (exists q, P (y, q, q)) /\ (exists b, P (y, j, b)) /\ y <> p) D ->
  S + g = 1 + j /\ D + e = j /\ S + Z = 1 + e /\ D + Z = g.
Proof.
  intros j p e S Z g D hj hp he hS hZ hg hD. apply F_P in hp.
  assert (he' : Counting.Counts (fun y => y <= p /\ Uniqueness.End y) e).
  { revert he. apply Counting.counts_ext. intros y. unfold Uniqueness.End.
    setoid_rewrite F_P. reflexivity. }
  assert (h1 : S + g = 1 + j).
  { apply (RowLaw.columns_and_rows j p hj hp).
    - revert hS. apply Counting.counts_ext. intros q. unfold Uniqueness.InColumn.
      setoid_rewrite F_P. reflexivity.
    - revert hg. apply Counting.counts_ext. intros b. unfold Ended.
      repeat setoid_rewrite F_P. reflexivity. }
  assert (h2 : D + e = j).
  { apply (RowLaw.diagonal_values_in_column j p e hj hp he'). revert hD.
    apply Counting.counts_ext. intros y. unfold Uniqueness.Diagonal, Uniqueness.InColumn.
    repeat setoid_rewrite F_P. reflexivity. }
  assert (h3 : S + Z = 1 + e).
  { apply (RowLaw.columns_with_and_without j p e hj hp he').
    - revert hS. apply Counting.counts_ext. intros q. unfold Uniqueness.InColumn.
      setoid_rewrite F_P. reflexivity.
    - revert hZ. apply Counting.counts_ext. intros q. unfold Uniqueness.InColumn.
      repeat setoid_rewrite F_P. reflexivity. }
  repeat (split; [assumption |]). lia.
Qed.

(** y is the n-th diagonal value by size. *)
Definition NthDiagonalValue (n y : nat) : Prop :=
  (exists q, P (y, q, q)) /\ Counts (fun z => z <= y /\ exists q, P (z, q, q)) n.

(** As in Wythoff's game: the n-th end is at most the sum of n, the n-th diagonal value and 1. If e
ends are less than t, the diagonal value with the number t + 1 is at least 2t - e. *)
Theorem ends_and_diagonal_values_by_size :
  (forall n x y, NthEnd n x -> NthDiagonalValue n y -> x <= n + y + 1) /\
  (forall t y e, 1 <= t -> NthDiagonalValue (t + 1) y ->
    Counts (fun x => x < t /\ exists c, P (x, x, c)) e -> 2 * t <= y + e).
Proof.
  assert (same : forall n y, NthDiagonalValue n y <-> RowLaw.NthDiagonal n y).
  { assert (one : forall z, (exists q, P (z, q, q)) <-> Uniqueness.Diagonal z).
    { intros z. unfold Uniqueness.Diagonal. setoid_rewrite F_P. reflexivity. }
    intros n y. unfold NthDiagonalValue, RowLaw.NthDiagonal. rewrite one. apply and_iff_compat_l.
    split; apply Counting.counts_ext; intros z; now rewrite one. }
  setoid_rewrite same. setoid_rewrite nth_end. split; [exact RowLaw.end_and_diagonal_value |].
  intros t y e ht hy he. apply (RowLaw.nth_diagonal_at_least t y e ht hy). revert he.
  apply Counting.counts_ext. intros x. unfold Uniqueness.End. setoid_rewrite F_P. reflexivity.
Qed.

(** The density as one equation: if F(F(b)) - 4F(b) + 2b is in [-C,C] for all b, then
F(b) - √2 (b - F(b)) is in [-C,C] for all b. So F(b) - (2 - √2) b is bounded. *)
Theorem one_equation_bounds_the_discrepancy : forall F C, CountsFiniteRows F ->
  (forall b, F (F b) + 2 * b <= 4 * F b + C /\ 4 * F b <= F (F b) + 2 * b + C) ->
  forall b, let K := b - F b in
  (F b - C) * (F b - C) <= 2 * (K * K) /\ 2 * (K * K) <= (F b + C) * (F b + C).
Proof.
  intros F C hF. apply Density.bounded_discrepancy. intros r. now apply counts_ends.
Qed.

(** Conversely, if F(b) - √2 (b - F(b)) is in [-C,C] for all b, F(F(b)) - 4F(b) + 2b is in [-2C,2C]
for all b. So the equation is another form of the claim that F(b) - (2 - √2) b is bounded. *)
Theorem the_discrepancy_bounds_the_equation : forall F C, CountsFiniteRows F ->
  (forall b, let K := b - F b in
    (F b - C) * (F b - C) <= 2 * (K * K) /\ 2 * (K * K) <= (F b + C) * (F b + C)) ->
  forall b, F (F b) + 2 * b <= 4 * F b + 2 * C /\ 4 * F b <= F (F b) + 2 * b + 2 * C.
Proof.
  intros F C hF. apply Density.equation_from_discrepancy. intros r. now apply counts_ends.
Qed.

(** That equation follows from two estimates, with errors of at most C1 and C2: row b, if it is
finite, ends near b + K(b), where K(b) = b - F(b); and the diagonal value of column y is near y + b,
for the greatest b with b + K(b) <= y. *)
Theorem two_estimates_give_the_equation : forall F C1 C2, CountsFiniteRows F ->
  let G b := b + (b - F b) in
  (forall b x, P (x, x, b) -> x <= G b + C1 /\ G b <= x + C1) ->
  (forall y d b, P (d, y, y) -> G b <= y < G (b + 1) -> d <= y + b + C2 /\ y + b <= d + C2) ->
  exists C, forall b, F (F b) + 2 * b <= 4 * F b + C /\ 4 * F b <= F (F b) + 2 * b + C.
Proof.
  intros F C1 C2 hF G hP hQ. exists (3 * (C1 + C2) + 12).
  apply Density.equation_from_estimates.
  - intros r. now apply counts_ends.
  - intros b x h. apply F_P in h. now apply hP.
  - intros y d b h (h1 & h2). apply F_P in h. now apply hQ.
Qed.

(** ** Constant rows *)

(** The offsets of row r are constant from some column on. *)
Definition ConstantRow (r : nat) : Prop :=
  exists s, forall q, s <= q -> exists p, P (p, q, r) /\ P (p + 1, q + 1, r).

(** The number h(r) of 5.2 of [cascade.md], for all rows. After a finite row it is one less. After
another row it is one more, or 1 if it was negative. *)
Definition Queue (h : nat -> Z) : Prop :=
  h 0 = 0%Z /\ forall r,
    ((exists x, P (x, x, r)) -> h (r + 1) = (h r - 1)%Z) /\
    ((forall x, ~ P (x, x, r)) -> h (r + 1) = (Z.max (h r) 0 + 1)%Z).

Lemma constant_row : forall r, ConstantRow r <-> FarColumns.Constant r.
Proof.
  intros r. unfold ConstantRow, FarColumns.Constant, Periodic. setoid_rewrite F_P.
  split; intros (s & h); exists s; [split; [lia | exact h] | apply h].
Qed.

Lemma never_ends : forall r, (forall x, ~ P (x, x, r)) <-> ~ Uniqueness.Ends r.
Proof.
  intros r. unfold Uniqueness.Ends. setoid_rewrite F_P. split.
  - intros h (x & hx). exact (h x hx).
  - intros h x hx. apply h. now exists x.
Qed.

Lemma queue_same : forall h, Queue h -> Cascade.Queue h.
Proof.
  intros h (h0 & hq). split; [exact h0 |]. intros r. destruct (hq r) as (h1 & h2).
  rewrite Nat.add_1_r in *. split.
  - intros (x & hx). apply h1. exists x. exact (proj1 (F_P x r x) hx).
  - intros hn. apply h2, (proj2 (never_ends r) hn).
Qed.

Theorem queue_exists : exists h, Queue h.
Proof.
  destruct Cascade.queue_exists as (h & h0 & hq). exists h. split; [exact h0 |]. intros r.
  destruct (hq r) as (h1 & h2). rewrite Nat.add_1_r. split.
  - intros (x & hx). apply h1. exists x. exact (proj2 (F_P x r x) hx).
  - intros hn. apply h2, (proj1 (never_ends r) hn).
Qed.

(** A row that never ends is constant if its number is not positive. *)
Theorem rows_that_are_constant : forall h, Queue h -> forall r,
  (forall x, ~ P (x, x, r)) -> (h r <= 0)%Z -> ConstantRow r.
Proof.
  intros h hq r hr. rewrite constant_row. apply Cascade.constant_without_holes.
  - now apply queue_same.
  - exact (proj1 (never_ends r) hr).
Qed.

(** If the number has not been more than 1 since row 0, or since a row with a negative number, the
converse holds as well: so the finite rows decide which rows are constant. *)
Theorem which_rows_are_constant : forall h, Queue h -> forall b r, b <= r ->
  (forall x, ~ P (x, x, b)) -> (forall x, ~ P (x, x, r)) -> b = 0 \/ (h b < 0)%Z ->
  (forall c, b <= c <= r -> (forall x, ~ P (x, x, c)) -> (h c <= 1)%Z) ->
  (ConstantRow r <-> (h r <= 0)%Z).
Proof.
  intros h hq b r hbr hb hr hbegins hc. rewrite constant_row.
  apply (Cascade.constant_iff h (queue_same h hq) b).
  - split; [exact (proj1 (never_ends b) hb) | exact hbegins].
  - exact hbr.
  - intros c hcr he. exact (hc c hcr (proj2 (never_ends c) he)).
  - exact (proj1 (never_ends r) hr).
Qed.

(** 1.3 of [cascade.md]. Let row r never end, let m be its mean, and let no row below have an offset
above m in far columns. If the rows below have the offsets m, m - 1, .., m - d + 1 in each far
column, and m - d in none, row r has the offset m - d in one of d + 1 successive columns, and m + 1
in the others. So it has the period d + 1. *)
Theorem static_obstacles : forall F r d X, CountsFiniteRows F -> (forall x, ~ P (x, x, r)) ->
  let m := 1 + F r in
  (forall p q c, X <= q -> c < r -> P (p, q, c) -> p <= q + m) ->
  (forall q i, X <= q -> i < d -> i <= m /\ exists c, c < r /\ P (q + (m - i), q, c)) ->
  (forall q c, X <= q -> c < r -> d <= m -> ~ P (q + (m - d), q, c)) ->
  exists a far, forall q, far <= q ->
    P (q + (if (q + a) mod (d + 1) =? 0 then m - d else m + 1), q, r).
Proof.
  intros F r d X hF hr m range low free.
  destruct (Cascade.obstacles_of_row r m d X (proj1 (never_ends r) hr)) as (_ & a & far & h).
  - replace (m - 1) with (F r) by lia. now apply counts_ends.
  - lia.
  - intros q o hq (c & hc & h). apply F_P in h. pose proof (range _ _ _ hq hc h). lia.
  - intros q i hq hi. destruct (low q i hq hi) as (him & c & hc & h). split; [exact him |].
    exists c. split; [exact hc | now apply F_P].
  - intros q hq hd (c & hc & h). apply F_P in h. exact (free q c hq hc hd h).
  - exists a, far. intros q hq. rewrite <- F_P. now apply h.
Qed.

(** ** How early a row repeats

In the column [from], and in all later columns, the rows below row r repeat with the period k: *)
Definition RowsBelowRepeat (r from k : nat) : Prop :=
  r <= from /\ 1 <= from /\ 0 < k /\ forall c, c < r -> forall q x, from <= q ->
    (P (q + x, q, c) <-> P (q + k + x, q + k, c)).

(** No row below r has an offset above m from there on. *)
Definition OffsetsAtMost (r from m : nat) : Prop :=
  forall q x c, from <= q -> c < r -> P (q + x, q, c) -> x <= m.

Lemma rows_below_repeat : forall r from k, RowsBelowRepeat r from k ->
  forall c, c < r -> Repeats c from k.
Proof.
  intros r from k (_ & _ & _ & h) c hc q hq x. rewrite !F_P. now apply h.
Qed.

Lemma offsets_at_most : forall r from m, OffsetsAtMost r from m ->
  forall q o, from <= q -> ColumnBlocked r q (q + o) -> o <= m.
Proof. intros r from m h q o hq (c & hc & hf). apply F_P in hf. now apply (h q o c). Qed.

(** 1.1 of [effective.md]: let row r never end, and let all rows below that end have ended before
column q. Then U(q) has 1 + F(r) members. One of them is 0. U(q+1) comes from U(q) and the offset of
row r in column q, if each loses 1, and 0 is lost. *)
Theorem a_row_as_a_juggler : forall F r q, CountsFiniteRows F -> (forall x, ~ P (x, x, r)) ->
  r <= q -> 1 <= q -> (forall c x, c < r -> P (x, x, c) -> x < q) ->
  Counts (InU r q) (1 + F r) /\ InU r q 0 /\
  forall x, InU r (q + 1) x <-> InU r q (x + 1) \/ P (q + (x + 1), q, r).
Proof.
  intros F r q hF hr hq h1 he. destruct (Effective.juggler r q (F r) hq h1) as (h2 & h3).
  - intros q' (x & _ & hx). apply F_P in hx. exact (hr x hx).
  - now apply counts_ends.
  - intros c x hc hx. apply F_P in hx. exact (he c x hc hx).
  - split; [revert h2; apply Counting.counts_ext; intros x; symmetry; apply in_u |].
    split; [now apply in_u |]. intros x. rewrite !in_u, <- F_P, !Nat.add_1_r.
    now apply Effective.offsets_step.
Qed.

(** 1.2: in the column r - 1 columns after [from], and in all later ones, the members of U are at
most m; or row r has the offset 1 + F(r) in all of these columns. *)
Theorem when_U_has_settled : forall F r from k m, CountsFiniteRows F -> (forall x, ~ P (x, x, r)) ->
  RowsBelowRepeat r from k -> OffsetsAtMost r from m ->
  (forall q, from + (r - 1) <= q -> forall x, InU r q x -> x <= m) \/
  (forall q, from + (r - 1) <= q -> P (q + (1 + F r), q, r)).
Proof.
  intros F r from k m hF hr hb hm. pose proof hb as (h1 & h2 & h3 & _).
  setoid_rewrite in_u. setoid_rewrite <- F_P.
  apply (Effective.settled r from k m h1 h3 (rows_below_repeat _ _ _ hb)
    (offsets_at_most _ _ _ hm)).
  - exact h2.
  - intros q (x & _ & hx). apply F_P in hx. exact (hr x hx).
  - now apply counts_ends.
Qed.

(** 1.3, the lemma of ranks: let column q miss p, which means that no row below r has p there. Of
the numbers to q + m that column q misses, as many are greater than p as columns before q, from
p - m on, miss p. *)
Theorem ranks_of_missing_numbers : forall r from k m, RowsBelowRepeat r from k ->
  OffsetsAtMost r from m ->
  let Misses q p := ~ exists c, c < r /\ P (p, q, c) in
  forall q p a b, from + m <= p -> q <= p <= q + m -> Misses q p ->
  Counts (fun n => p < n <= q + m /\ Misses q n) a ->
  Counts (fun t => p - m <= t < q /\ Misses t p) b -> a = b.
Proof.
  intros r from k m hb hm Misses q p a b hp hq h ha hb'. pose proof hb as (h1 & h2 & h3 & _).
  assert (same : forall t n, Misses t n <-> Effective.misses r t n = true).
  { intros t n. rewrite Effective.misses_spec. unfold Misses, ColumnBlocked.
    setoid_rewrite F_P. reflexivity. }
  pose proof (Effective.ranks r from k m h1 h3 (rows_below_repeat _ _ _ hb)
    (offsets_at_most _ _ _ hm) q p hp hq (proj1 (same q p) h)) as e.
  unfold Effective.greater, Effective.earlier in e.
  transitivity (Effective.number (Effective.misses r q) (S p) (q + m - p)).
  - apply (Counting.counts_unique _ _ _ ha).
    generalize (Effective.number_counts (Effective.misses r q) (S p) (q + m - p)).
    apply Counting.counts_ext. intros x. rewrite same. intuition lia.
  - rewrite e. symmetry. apply (Counting.counts_unique _ _ _ hb').
    generalize (Effective.number_counts (fun t => Effective.misses r t p) (p - m) (q - (p - m))).
    apply Counting.counts_ext. intros x. rewrite same. intuition lia.
Qed.

(** B(r) is the product of the numbers F(c) + 1 of those rows c below r that never end and have
h(c) = 1. *)
Definition BoundsPeriods (F : nat -> nat) (h : nat -> Z) (B : nat -> nat) : Prop :=
  B 0 = 1 /\ forall r,
    ((forall x, ~ P (x, x, r)) /\ h r = 1%Z -> B (r + 1) = B r * (F r + 1)) /\
    ((exists x, P (x, x, r)) \/ h r <> 1%Z -> B (r + 1) = B r).

(** 3.1, an effective form of Byrnes' theorem: let no row to r that never ends have h >= 2. Then the
rows to r that never end have a common period of at most B(r+1). Each of them, other than row 0, has
this period from a column of at most (9 c² + 32 c - 14)/14 on, if c is its number. *)
Theorem how_early_a_row_repeats : forall F h B r, CountsFiniteRows F -> Queue h ->
  BoundsPeriods F h B -> (forall c, c <= r -> (forall x, ~ P (x, x, c)) -> (h c <= 1)%Z) ->
  exists k, 0 < k <= B (r + 1) /\
    forall c, 1 <= c <= r -> (forall x, ~ P (x, x, c)) ->
    exists s, 14 * s + 14 <= 9 * (c * c) + 32 * c /\
      forall q, s <= q -> exists p, P (p, q, c) /\ P (p + k, q + k, c).
Proof.
  intros F h B r hF hq (hB0 & hB) hh.
  assert (hF' : Density.CountsFinite F) by (intros c; now apply counts_ends).
  assert (hh' : forall c, c <= r -> ~ Uniqueness.Ends c -> (h c <= 1)%Z).
  { intros c hc he. apply hh; [exact hc | now apply never_ends]. }
  assert (eB : forall n, B n = Effective.factors h F n).
  { induction n as [| n IH]; [exact hB0 |]. destruct (hB n) as (h1 & h2). simpl.
    rewrite <- IH. unfold Effective.factor. rewrite <- Nat.add_1_r.
    destruct (Density.Ends_dec n) as [he | he].
    - rewrite h2; [lia |]. left. destruct he as (x & hx). exists x. exact (proj1 (F_P x n x) hx).
    - destruct (Z.eqb_spec (h n) 1) as [e | hne].
      + apply h1. split; [now apply never_ends | exact e].
      + rewrite h2; [lia | now right]. }
  destruct (Effective.rows_settle h F (queue_same h hq) hF' (S r)) as (k & hk & settled).
  { intros c hc. apply hh'. lia. }
  exists k. rewrite eB, Nat.add_1_r. split; [exact hk |]. intros c hc he.
  assert (hn : ~ Uniqueness.Ends c) by now apply never_ends.
  destruct (Effective.polynomial_start h F (queue_same h hq) hF' c) as (s & k' & hs & _ & hp).
  - lia.
  - intros b hb. apply hh'. lia.
  - exact hn.
  - exists s. split; [exact hs |].
    assert (hrep : Repeats c s k).
    { apply (repeats_earlier c s k' (Effective.column h F (S r))); [apply hp | |].
      - now apply periodic_repeats.
      - apply settled. lia. }
    assert (hsc : c <= s).
    { destruct hp as [_ hp]. destruct (hp s (le_n s)) as (p & (_ & hcs & _) & _). exact hcs. }
    intros q hq'. destruct (repeats_periodic c s k hsc ltac:(lia)
      (Effective.alive_row c hn) hrep) as (_ & h'). destruct (h' q hq') as (p & h1 & h2).
    exists p. now rewrite <- !F_P.
Qed.

(** 3.2, without a condition: a row r >= 1 that never ends repeats from a column of at most
2^d + d + 2r - 2 on, with a period of at most 2^d, for some d <= (3 r² - 2r)/8. *)
Theorem how_early_a_row_repeats_in_any_case : forall r, 1 <= r -> (forall x, ~ P (x, x, r)) ->
  exists d s k, 8 * d + 2 * r <= 3 * (r * r) /\ s + 2 <= 2 ^ d + d + 2 * r /\ 0 < k <= 2 ^ d /\
    forall q, s <= q -> exists p, P (p, q, r) /\ P (p + k, q + k, r).
Proof.
  intros r hr he. destruct Density.finite_rows_function as (F & hF).
  destruct (Effective.start_always F hF r hr) as (s & k & d & h1 & h2 & h3 & h4 & h).
  { now apply never_ends. }
  exists d, s, k. split; [exact h1 |]. split; [exact h2 |]. split; [now split |].
  intros q hq. destruct (h q hq) as (p & hp & hp'). exists p. now rewrite <- !F_P.
Qed.

(** ** Laws

Depths are measured from a number m: offset m - d has depth d. *)

(** A row below row r has the offset of depth d in column q. *)
Definition BlockedDepth (r m q d : nat) : Prop :=
  d <= m /\ exists c, c < r /\ P (q + (m - d), q, c).

(** 2.1 of [cascade.md]. The rows below row r have the law e, with N balls: e and w are periodic,
[x -> x + w x] is the inverse of [q -> q - e q - 1], and N of the x with [x <= q] have [x + w x]
greater than q. In far columns no row below has an offset above m; e(q) is the least depth that is
not blocked; and depth [q - x - 1] is blocked in the columns q between x and [x + w x]. *)
Definition LawOfRows (r m N : nat) (e w : Z -> nat) : Prop :=
  let fell q := (q - Z.of_nat (e q) - 1)%Z in
  let next x := (x + Z.of_nat (w x))%Z in
  (exists k, (0 < k)%Z /\ (forall q, e (q + k)%Z = e q) /\ (forall x, w (x + k)%Z = w x)) /\
  (forall q, next (fell q) = q) /\ (forall x, fell (next x) = x) /\
  (forall q, Counts (fun j => (Z.of_nat j < Z.of_nat (w (q - Z.of_nat j)))%Z) N) /\
  exists X, forall q, X <= q ->
    (forall p c, c < r -> P (p, q, c) -> p <= q + m) /\
    (forall d, d < e (Z.of_nat q) -> BlockedDepth r m q d) /\
    ~ BlockedDepth r m q (e (Z.of_nat q)) /\
    (forall x d, (x < Z.of_nat q < next x)%Z -> Z.of_nat q = (x + Z.of_nat d + 1)%Z ->
      BlockedDepth r m q d).

Lemma blocked_depth : forall r m q d, BlockedDepth r m q d <-> Cascade.BlockedDepth r m q d.
Proof.
  intros r m q d. unfold BlockedDepth, Cascade.BlockedDepth, ColumnBlocked.
  setoid_rewrite F_P. reflexivity.
Qed.

Lemma law_of_rows : forall r m N e w, LawOfRows r m N e w <-> Cascade.LawOfRows r m N e w.
Proof.
  intros r m N e w. unfold LawOfRows, Cascade.LawOfRows. cbv zeta.
  setoid_rewrite blocked_depth.
  assert (range : forall q, (forall p c, c < r -> P (p, q, c) -> p <= q + m) <->
    (forall o, ColumnBlocked r q (q + o) -> o <= m)).
  { intros q. split.
    - intros h o (c & hc & hf). apply F_P in hf. pose proof (h _ _ hc hf). lia.
    - intros h p c hc hp. apply F_P in hp. assert (hq : q <= p) by apply hp.
      specialize (h (p - q)). replace (q + (p - q)) with p in h by lia.
      assert (p - q <= m); [apply h; now exists c | lia]. }
  setoid_rewrite range. reflexivity.
Qed.

Theorem law_of_row_0 : LawOfRows 0 0 1 (fun _ => 0) (fun _ => 1).
Proof. apply law_of_rows, Cascade.law_of_no_rows. Qed.

Theorem law_after_a_finite_row : forall r x m N e w, P (x, x, r) ->
  LawOfRows r m N e w -> LawOfRows (S r) m N e w.
Proof.
  intros r x m N e w hx. rewrite !law_of_rows. apply Cascade.next_law_after_finite.
  exists x. now apply F_P.
Qed.

Theorem every_row_has_a_law : forall r, exists m N e w, LawOfRows r m N e w.
Proof.
  intros r. destruct Cascade.queue_exists as (h & hq).
  destruct (Cascade.state_exists h hq r) as (m & N & (e & w & hl) & _).
  exists m, N, e, w. now apply law_of_rows.
Qed.

(** 5.1 of [cascade.md], for a row r that never ends. Its far offsets v are continued with their
period to all integers. [V q] says that v(q) is at most m. If m < F(r), row r is constant.
Otherwise it has m - F(r) holes, and V is the union of g balls. *)
Theorem law_after_a_periodic_row : forall F r m N e w, CountsFiniteRows F ->
  (forall x, ~ P (x, x, r)) -> LawOfRows r m N e w ->
  exists v : Z -> nat,
    (exists k, (0 < k)%Z /\ forall q, v (q + k)%Z = v q) /\
    (exists X, forall q, X <= q -> P (q + v (Z.of_nat q), q, r)) /\
    let V q := v q <=? m in
    (m < F r /\ (forall q, v q = 1 + F r) /\
       LawOfRows (S r) (1 + F r) 2 (fun _ => 1) (fun _ => 2) \/
     F r <= m /\ (forall x, V (x + Z.of_nat (w x))%Z = V x) /\
       (forall q, V q = false -> v q = S m) /\
       exists g, (forall q, Counts (fun j =>
           (Z.of_nat j < Z.of_nat (w (q - Z.of_nat j)))%Z /\ V (q - Z.of_nat j)%Z = true) g) /\
         g <= m - F r /\ g <= N /\ (1 <= m - F r -> 1 <= g) /\
         (g = m - F r -> forall q, V q = true -> v q + e q = m) /\
         LawOfRows (S r) (S m) (N + 1 - g)
           (fun q => if V q then 0 else S (e q))
           (fun x => if V (x + 1)%Z then 1 else S (w (x + 1)%Z))).
Proof.
  intros F r m N e w hF hr hl. apply law_of_rows in hl. pose proof (hF r) as hc.
  apply counts_ends in hc. destruct (Cascade.next_law r m N e w (F r)
    (proj1 (never_ends r) hr) hl hc) as (k & v & (hk & hv & X & hX) & h).
  exists v. split; [now exists k |]. split; [exists X; intros q hq; apply F_P, hX, hq |].
  destruct h as [(h1 & h2 & h3) | (h1 & h2 & h3 & g & h4 & h5 & h6 & h7 & h8 & h9)]; [left | right].
  - split; [exact h1 |]. split; [exact h2 |]. now apply law_of_rows.
  - split; [exact h1 |]. split; [exact h2 |]. split; [exact h3 |]. exists g.
    split; [exact h4 |]. split; [exact h5 |]. split; [exact h6 |]. split; [exact h7 |].
    split; [exact h8 |]. apply law_of_rows. exact h9.
Qed.

(** 2.2 and 3.2 of [cascade.md]. Let m be the mean of row r, and let the rows below have a law with
N balls and the period k. Then row r fills its hole in the columns V of one ball, and has a period
ck with c <= N. If every ball is a shift of this one by a multiple of k, and k is the least period
of e, the least period of row r is Nk. *)
Theorem period_of_a_row : forall F r N e w k, CountsFiniteRows F -> (forall x, ~ P (x, x, r)) ->
  let m := 1 + F r in
  LawOfRows r m N e w ->
  0 < k -> let K := Z.of_nat k in
  (forall q, e (q + K)%Z = e q) -> (forall x, w (x + K)%Z = w x) ->
  let Repeats n := 0 < n /\
    exists s, forall q, s <= q -> exists p, P (p, q, r) /\ P (p + n, q + n, r) in
  exists (c : nat) (V : Z -> bool), 1 <= c <= N /\
    (forall x, V (x + Z.of_nat (w x))%Z = V x) /\
    (forall q, Counts (fun j =>
      (Z.of_nat j < Z.of_nat (w (q - Z.of_nat j)))%Z /\ V (q - Z.of_nat j)%Z = true) 1) /\
    (exists X, forall q, X <= q ->
      P (q + (if V (Z.of_nat q) then m - e (Z.of_nat q) else m + 1), q, r)) /\
    Repeats (c * k) /\
    ((forall q, exists i, V (q + i * K)%Z = true) ->
      (forall n, (forall q, e (q + n)%Z = e q) -> (K | n)%Z) ->
      c = N /\ forall n, Repeats n -> Nat.divide (c * k) n).
Proof.
  intros F r N e w k hF hr m hl hk K he hw Repeats. apply law_of_rows in hl.
  pose proof (hF r) as hc. apply counts_ends in hc.
  assert (same : forall n, Repeats n <-> exists s, Periodic r s n).
  { intros n. unfold Repeats, Periodic. setoid_rewrite F_P. split.
    - intros (hn & s & h). exists s. now split.
    - intros (s & hn & h). split; [exact hn | now exists s]. }
  destruct (Cascade.period_of_row r m N e w K (proj1 (never_ends r) hr)) as
    (c & V & hcN & hone & closed & (X & hX) & hp & hleast); try assumption.
  - now replace (m - 1) with (F r) by (unfold m; lia).
  - unfold m. lia.
  - unfold K. lia.
  - replace (Z.to_nat K) with k in * by (unfold K; lia). exists c, V.
    split; [exact hcN |]. split; [exact closed |]. split; [exact hone |].
    split; [exists X; intros q hq; apply F_P, hX, hq |].
    split; [now apply same |]. intros every least. destruct (hleast every least) as (e0 & h).
    split; [exact e0 |]. intros n hn. apply same in hn. destruct hn as (s & hn). exact (h s n hn).
Qed.

(** *** Holes *)

(** In column q the members of U are the numbers from 0 to m, but for the one of depth d, the
hole. *)
Definition HoleIs (r m q d : nat) : Prop :=
  d <= m /\ forall x, InU r q x <-> x <= m /\ x <> m - d.

Lemma hole_is : forall r m q d, HoleIs r m q d <-> Cascade.HoleIs r m q d.
Proof.
  intros r m q d. unfold HoleIs, Cascade.HoleIs. setoid_rewrite in_u. reflexivity.
Qed.

(** 1.1 and 1.2 of [cascade.md]. Let row r never end, let m be its mean, and let no row below have
an offset above m in far columns. Then each far column has one hole. If a row below has its offset,
row r has the offset m + 1, and the hole is one deeper in the next column. If not, row r has its
offset, and in the next column the hole has depth 0. *)
Theorem one_hole : forall F r X, CountsFiniteRows F -> (forall x, ~ P (x, x, r)) ->
  let m := 1 + F r in
  (forall p q c, X <= q -> c < r -> P (p, q, c) -> p <= q + m) ->
  exists far, forall q, far <= q -> exists d, HoleIs r m q d /\
    (BlockedDepth r m q d -> P (q + (m + 1), q, r) /\ HoleIs r m (q + 1) (d + 1)) /\
    (~ BlockedDepth r m q d -> P (q + (m - d), q, r) /\ HoleIs r m (q + 1) 0).
Proof.
  intros F r X hF hr m range.
  destruct (Cascade.hole_of_row r m X (proj1 (never_ends r) hr)) as (far & h).
  - replace (m - 1) with (F r) by (unfold m; lia). now apply counts_ends.
  - unfold m. lia.
  - intros q o hq (c & hc & h). apply F_P in h. pose proof (range _ _ _ hq hc h). lia.
  - exists far. intros q hq. destruct (h q hq) as (d & h1 & h2 & h3). exists d.
    rewrite !hole_is, blocked_depth, <- !F_P. now split.
Qed.

(** 5.2: h(r) is the number of holes. Each row r has a law with m = F(r) + h(r). If row r never ends
and h(r) is not negative, the members of U in far columns are numbers to m, and h(r) of the numbers
to m are not in U. *)
Theorem queue_counts_holes : forall F h r, CountsFiniteRows F -> Queue h ->
  exists m N e w, LawOfRows r m N e w /\ Z.of_nat m = (Z.of_nat (F r) + h r)%Z /\
    ((forall x, ~ P (x, x, r)) -> (0 <= h r)%Z -> exists far, forall q, far <= q ->
      (forall x, InU r q x -> x <= m) /\
      Counts (fun x => x <= m /\ ~ InU r q x) (Z.to_nat (h r))).
Proof.
  intros F h r hF hq. pose proof (hF r) as hc. apply counts_ends in hc.
  destruct (Cascade.state_exists h (queue_same h hq) r) as (m & N & (e & w & hl) & f & hf & hm).
  rewrite (Counting.counts_unique _ _ _ hf hc) in hm. exists m, N, e, w.
  split; [now apply law_of_rows |]. split; [exact hm |]. intros hr h0.
  destruct (Cascade.holes_of_row r m N e w (F r) (proj1 (never_ends r) hr) hl hc ltac:(lia))
    as (far & hfar).
  exists far. intros q hq'. destruct (hfar q hq') as (h1 & h2). split.
  - intros x hx. now apply h1, in_u.
  - replace (Z.to_nat (h r)) with (m - F r) by lia. revert h2. apply Counting.counts_ext.
    intros x. now rewrite in_u.
Qed.

(** *** Balls *)

(** 3.1: the number of balls is one more than the mean of e. *)
Theorem number_of_balls : forall r m N e w k, LawOfRows r m N e w -> 0 < k ->
  (forall q, e (q + Z.of_nat k)%Z = e q) -> forall q,
  fold_right Nat.add 0 (map (fun i => e (q + Z.of_nat i)%Z) (seq 1 k)) + k = k * N.
Proof.
  intros r m N e w k hl. apply law_of_rows in hl. now apply Cascade.balls_of_rows with (1 := hl).
Qed.

(** V are the columns of one ball of a law with this w. *)
Definition OneBall (w : Z -> nat) (V : Z -> bool) : Prop :=
  (forall x, V (x + Z.of_nat (w x))%Z = V x) /\
  forall q, Counts (fun j =>
    (Z.of_nat j < Z.of_nat (w (q - Z.of_nat j)))%Z /\ V (q - Z.of_nat j)%Z = true) 1.

(** X(q) is the number, less than N, of the ball that falls in column q. *)
Definition NumbersBalls (w : Z -> nat) (N : nat) (X : Z -> nat) : Prop :=
  (forall x, X (x + Z.of_nat (w x))%Z = X x) /\ (forall q, X q < N) /\
  forall q j j', (Z.of_nat j < Z.of_nat (w (q - Z.of_nat j)))%Z ->
    (Z.of_nat j' < Z.of_nat (w (q - Z.of_nat j')))%Z ->
    X (q - Z.of_nat j)%Z = X (q - Z.of_nat j')%Z -> j = j'.

Lemma numbers_balls : forall w N X, NumbersBalls w N X <-> Balls.Numbers w N X.
Proof. intros w N X. split; [intros (h1 & h2 & h3) | intros [h1 h2 h3]]; now split. Qed.

(** The exchange of 0 and x. *)
Definition exchange (x i : nat) : nat := if i =? 0 then x else if i =? x then 0 else i.

(** The sigma(q) are permutations of the numbers less than N, and sigma(q) is sigma(q - 1) after the
exchange of 0 and X(q). *)
Definition Exchanges (N : nat) (X : Z -> nat) (sigma : Z -> nat -> nat) : Prop :=
  (forall q i, i < N -> sigma q i < N) /\
  (forall q i i', i < N -> i' < N -> sigma q i = sigma q i' -> i = i') /\
  forall q i, i < N -> sigma q i = sigma (q - 1)%Z (exchange (X q) i).

(** 3.5 of [cascade.md], for rows. Row r fills its hole with one ball, which falls in the columns V.
Let X number the balls of the rows below, and let 0 be the number of this ball. Then the exchanges
number the balls of the rows to r. *)
Theorem exchanges_number_the_balls : forall F r N e w, CountsFiniteRows F ->
  (forall x, ~ P (x, x, r)) ->
  let m := 1 + F r in
  LawOfRows r m N e w ->
  exists V, OneBall w V /\
    (exists far, forall q, far <= q ->
      P (q + (if V (Z.of_nat q) then m - e (Z.of_nat q) else m + 1), q, r)) /\
    let w' := fun x => if V (x + 1)%Z then 1 else S (w (x + 1)%Z) in
    LawOfRows (S r) (S m) N (fun q => if V q then 0 else S (e q)) w' /\
    forall X sigma, NumbersBalls w N X -> (forall q, V q = (X q =? 0)) -> Exchanges N X sigma ->
      NumbersBalls w' N (fun q => sigma q 0).
Proof.
  intros F r N e w hF hr m hl. apply law_of_rows in hl. pose proof (hF r) as hc.
  apply counts_ends in hc.
  destruct (Cascade.exchanges_of_row r m N e w (proj1 (never_ends r) hr)) as
    (V & h1 & h2 & (far & h3) & h4 & h5); [| unfold m; lia | exact hl |].
  { now replace (m - 1) with (F r) by (unfold m; lia). }
  exists V. split; [now split |]. split; [exists far; intros q hq; now apply F_P, h3 |].
  split; [now apply law_of_rows |]. intros X sigma hX h0 (s1 & s2 & s3).
  apply numbers_balls. apply numbers_balls in hX. exact (h5 X sigma hX h0 s3 s1 s2).
Qed.

(** A shift by a period of X permutes the balls of the rows to r as the exchanges of one period do,
one after the other, up to a change of the numbers. *)
Theorem exchanges_of_one_period : forall w N X sigma n gamma q0,
  NumbersBalls w N X -> Exchanges N X sigma ->
  (forall q, X (q + Z.of_nat n)%Z = X q) ->
  (forall i, i < N -> sigma (q0 + Z.of_nat n)%Z i = gamma (sigma q0 i)) ->
  (forall q i, i < N -> sigma (q + Z.of_nat n)%Z i = gamma (sigma q i)) /\
  forall q i, i < N -> sigma (q + Z.of_nat n)%Z i =
    sigma q (fold_right (fun t => exchange (X (q + Z.of_nat t)%Z)) i (seq 1 n)).
Proof.
  intros w N X sigma n gamma q0 hX (_ & _ & step) period h0. apply numbers_balls in hX. split.
  - exact (Balls.exchanges_shift w X N sigma hX step n gamma q0 period h0).
  - exact (Balls.exchanges_product w X N sigma hX step n).
Qed.

(** *** Words *)

Import Words(letter, s, A).

(** 5.3: the laws of a word, which is given from its last letter on. The word [k:] is k letters s
here. *)
Inductive LawOfWord : list letter -> (Z -> nat) -> (Z -> nat) -> Prop :=
| law_of_no_letter : LawOfWord [] (fun _ => 0) (fun _ => 1)
| law_of_s l e w : LawOfWord l e w ->
    LawOfWord (s :: l) (fun q => S (e q)) (fun x => S (w (x + 1)%Z))
| law_of_A l e w V : LawOfWord l e w -> OneBall w V ->
    LawOfWord (A :: l) (fun q => if V q then 0 else S (e q))
      (fun x => if V (x + 1)%Z then 1 else S (w (x + 1)%Z)).

(** The word of the rows below row r, in the cluster that includes row r or ends below it. *)
Inductive Word (h : nat -> Z) : nat -> list letter -> Prop :=
| word_of_no_row : Word h 0 []
| word_after_a_reset r : (forall x, ~ P (x, x, r)) -> (h r < 0)%Z -> Word h (S r) [s]
| word_after_a_finite_row r l : (exists x, P (x, x, r)) -> Word h r l -> Word h (S r) l
| word_after_s r l : (forall x, ~ P (x, x, r)) -> h r = 0%Z -> Word h r l -> Word h (S r) (s :: l)
| word_after_A r l : (forall x, ~ P (x, x, r)) -> h r = 1%Z -> Word h r l -> Word h (S r) (A :: l).

Lemma ends : forall r, (exists x, P (x, x, r)) <-> Uniqueness.Ends r.
Proof. intros r. unfold Uniqueness.Ends. setoid_rewrite F_P. reflexivity. Qed.

Lemma word_same : forall h r l, Word h r l <-> Words.Word h r l.
Proof.
  intros h r l. split; intros hw; induction hw; constructor; try assumption;
    (apply never_ends || apply ends); assumption.
Qed.

Lemma law_of_word_same : forall l e w, Words.LawOfWord l e w -> LawOfWord l e w.
Proof. intros l e w hl. induction hl; constructor; try assumption. now split. Qed.

(** As long as no row of a cluster has h >= 2, its rows have words: b is 0, or follows a reset. *)
Theorem words_exist : forall h b r, b <= r ->
  b = 0 \/ (exists c, b = S c /\ (forall x, ~ P (x, x, c)) /\ (h c < 0)%Z) ->
  (forall c, b <= c < r -> (forall x, ~ P (x, x, c)) -> (h c <= 1)%Z) -> exists l, Word h r l.
Proof.
  intros h b r hbr hb hc. setoid_rewrite word_same. apply (Words.word_exists h b r).
  - setoid_rewrite <- word_same. destruct hb as [-> | (c & -> & hn & hneg)].
    + exists []. constructor.
    + exists [s]. now constructor.
  - exact hbr.
  - intros c hcr he. apply (hc c hcr), never_ends, he.
Qed.

(** 5.4: the pattern of a row is one of the patterns of its word. Let l be the word of the rows
below row r, and let m be the mean of row r. If h(r) = 0, row r has the offset m in all far columns.
If h(r) = 1, it has the offset m - e(q) in the columns q of one ball of a law of l, and m + 1 in the
others. *)
Theorem the_pattern_of_a_row : forall F h r l, CountsFiniteRows F -> Queue h ->
  (forall x, ~ P (x, x, r)) -> Word h r l ->
  let m := 1 + F r in
  (h r = 0%Z -> exists far, forall q, far <= q -> P (q + m, q, r)) /\
  (h r = 1%Z -> exists e w V far, LawOfWord l e w /\ OneBall w V /\ forall q, far <= q ->
    P (q + (if V (Z.of_nat q) then m - e (Z.of_nat q) else m + 1), q, r)).
Proof.
  intros F h r l hF hq hr hw m. apply word_same in hw. pose proof (hF r) as hc.
  apply counts_ends in hc. assert (all : h r = 0%Z \/ h r = 1%Z -> _) by
    exact (Words.pattern_of_word h (queue_same h hq) r l (proj1 (never_ends r) hr) hw).
  split; intros e0; (destruct all as (k & v & f & (_ & _ & far & hv) & hf & h1); [tauto |]);
    pose proof (Counting.counts_unique _ _ _ hf hc) as ef; subst f;
    destruct h1 as [(e1 & h1) | (e1 & e & w & V & h1 & h2 & h3 & h4)]; try lia.
  - exists far. intros q hq'. rewrite <- F_P. unfold m. rewrite <- (h1 (Z.of_nat q)). now apply hv.
  - exists e, w, V, far. split; [now apply law_of_word_same |]. split; [now split |].
    intros q hq'. rewrite <- F_P. specialize (hv q hq'). specialize (h4 (Z.of_nat q)).
    destruct (V (Z.of_nat q)).
    + now replace (m - e (Z.of_nat q)) with (v (Z.of_nat q)) by (unfold m; lia).
    + now replace (m + 1) with (v (Z.of_nat q)) by (unfold m; lia).
Qed.

(** Row r has the offsets m + v(q) in far columns. *)
Definition HasPattern (r m : nat) (v : Z -> Z) : Prop :=
  exists far, forall q, far <= q -> P (q + Z.to_nat (Z.of_nat m + v (Z.of_nat q)), q, r).

Lemma pattern_of_word : forall F h r l, CountsFiniteRows F -> Queue h ->
  (forall x, ~ P (x, x, r)) -> Word h r l -> h r = 1%Z ->
  exists v, Patterns.Pattern l v /\ forall u, (forall q, u q = v q) -> HasPattern r (1 + F r) u.
Proof.
  intros F h r l hF hq hr hw hh.
  destruct (Patterns.row_has_pattern h (queue_same h hq) r l (proj1 (never_ends r) hr)) as
    (K & v & f & (_ & _ & far & hv) & hf & hp); [now apply word_same | exact hh |].
  pose proof (hF r) as hc. apply counts_ends in hc.
  rewrite (Counting.counts_unique _ _ _ hf hc) in hp.
  exists (fun q => Z.of_nat (v q) - Z.of_nat (1 + F r))%Z. split; [exact hp |].
  intros u hu. exists far. intros q hq'. rewrite hu, <- F_P.
  replace (Z.to_nat _) with (v (Z.of_nat q)) by lia. now apply hv.
Qed.

(** 5.5: the rows of a word have finitely many patterns. *)
Theorem finitely_many_patterns : forall l, exists patterns : list (Z -> Z),
  forall F h r, CountsFiniteRows F -> Queue h -> (forall x, ~ P (x, x, r)) -> Word h r l ->
  (h r <= 1)%Z -> exists v, In v patterns /\ HasPattern r (1 + F r) v.
Proof.
  intros l. exists ((fun _ => 0%Z) :: Patterns.patterns l). intros F h r hF hq hr hw h1.
  assert (hh : (h r < 0 \/ h r = 0 \/ h r = 1)%Z) by lia.
  assert (constant : forall far, (forall q, far <= q -> P (q + (1 + F r), q, r)) ->
    HasPattern r (1 + F r) (fun _ => 0%Z)).
  { intros far hfar. exists far. intros q hq'. replace (Z.to_nat _) with (1 + F r) by lia.
    now apply hfar. }
  destruct hh as [hh | [hh | hh]].
  - exists (fun _ => 0%Z). split; [now left |].
    destruct (queue_counts_holes F h r hF hq) as (m & N & e & w & hl & hm & _).
    destruct (law_after_a_periodic_row F r m N e w hF hr hl) as
      (v & _ & (X & hX) & [(_ & hv & _) | (hle & _)]); [| lia].
    apply (constant X). intros q hq'. rewrite <- (hv (Z.of_nat q)). now apply hX.
  - exists (fun _ => 0%Z). split; [now left |].
    destruct (the_pattern_of_a_row F h r l hF hq hr hw) as (h0 & _).
    destruct (h0 hh) as (far & hfar). exact (constant far hfar).
  - destruct (pattern_of_word F h r l hF hq hr hw hh) as (v & hp & hv).
    destruct (Patterns.patterns_are_listed l v hp) as (u & hin & same). exists u.
    split; [now right | now apply hv].
Qed.

(** The rows of the words 1:A, 1:AA, .. : the last of n + 1 letters A has the period 2, 4, 4, 8, ..
That is 6.1. *)
Theorem doubling : forall h r n, Queue h -> (forall x, ~ P (x, x, r)) ->
  Word h r (repeat A n ++ [s]) -> h r = 1%Z ->
  exists start, RepeatsFirst r start (2 ^ Nat.log2_up (n + 2)).
Proof.
  intros h r n hq hr hw hh. setoid_rewrite repeats_first.
  apply (Patterns.period_of_word h (queue_same h hq) r (repeat A n ++ [s])).
  - exact (proj1 (never_ends r) hr).
  - now apply word_same.
  - exact hh.
  - pose proof (Nat.pow_nonzero 2 (Nat.log2_up (n + 2))). lia.
  - intros v hv p. rewrite (Patterns.doubling n v hv p), Nat2Z.inj_pow. reflexivity.
Qed.

(** The patterns of a word, for a row with one more letter A. *)
Definition PatternOf (l : list letter) (v : Z -> Z) : Prop :=
  exists e w V, LawOfWord l e w /\ OneBall w V /\
    forall q, v q = if V q then (- Z.of_nat (e q))%Z else 1%Z.

Lemma pattern_same : forall l v, PatternOf l v <-> Patterns.Pattern l v.
Proof.
  assert (law : forall l e w, LawOfWord l e w -> Words.LawOfWord l e w).
  { intros l e w hl. induction hl as [| | l e w V hl IH (closed & one)]; now constructor. }
  intros l v. split; intros (e & w & V & hl & (h1 & h2) & hv); exists e, w, V.
  - split; [now apply law | now split].
  - split; [now apply law_of_word_same | now split].
Qed.

(** Of 6.1: the patterns of the word 1:A..A, with n + 1 letters, are 2^(n+1) functions. *)
Theorem number_of_patterns : forall n, exists patterns : list (Z -> Z),
  length patterns = 2 ^ (n + 1) /\
  (forall v, PatternOf (repeat A n ++ [s]) v <-> exists u, In u patterns /\ forall q, u q = v q) /\
  forall i j u v, nth_error patterns i = Some u -> nth_error patterns j = Some v ->
    (forall q, u q = v q) -> i = j.
Proof.
  intros n. setoid_rewrite pattern_same. rewrite Nat.add_1_r. exact (Patterns.number_of_patterns n).
Qed.

(** Up to shifts, they are [2^(n+1)] divided by the period. *)
Theorem patterns_up_to_shifts : forall n, exists patterns : list (Z -> Z),
  length patterns * 2 ^ Nat.log2_up (n + 2) = 2 ^ (n + 1) /\
  (forall v, PatternOf (repeat A n ++ [s]) v <->
    exists u k, In u patterns /\ forall q, u (q + Z.of_nat k)%Z = v q) /\
  forall i j u v k, nth_error patterns i = Some u -> nth_error patterns j = Some v ->
    (forall q, u (q + Z.of_nat k)%Z = v q) -> i = j.
Proof.
  intros n. setoid_rewrite pattern_same. rewrite Nat.add_1_r.
  exact (Patterns.patterns_up_to_shifts n).
Qed.

(** 6.2: the rows of the words k:A and k:AA have the periods k + 1 and (k + 1)². *)
Theorem squares : forall h r k, Queue h -> (forall x, ~ P (x, x, r)) -> 1 <= k -> h r = 1%Z ->
  (Word h r (repeat s k) -> exists start, RepeatsFirst r start (k + 1)) /\
  (Word h r (A :: repeat s k) -> exists start, RepeatsFirst r start ((k + 1) * (k + 1))).
Proof.
  intros h r k hq hr hk hh. setoid_rewrite repeats_first.
  destruct (Patterns.squares k) as (h1 & h2).
  assert (he : ~ Uniqueness.Ends r) by exact (proj1 (never_ends r) hr).
  split; intros hw; apply word_same in hw.
  - apply (Patterns.period_of_word h (queue_same h hq) r _ _ he hw hh); [lia |].
    intros v hv p. rewrite (h1 v hv p).
    now replace (Z.of_nat (k + 1)) with (Z.of_nat k + 1)%Z by lia.
  - apply (Patterns.period_of_word h (queue_same h hq) r _ _ he hw hh); [lia |].
    intros v hv p. rewrite (h2 hk v hv p).
    now replace (Z.of_nat ((k + 1) * (k + 1))) with ((Z.of_nat k + 1) * (Z.of_nat k + 1))%Z by lia.
Qed.

(** They have one pattern each, up to a shift by b. *)
Theorem patterns_of_squares : forall F h r k, CountsFiniteRows F -> Queue h ->
  (forall x, ~ P (x, x, r)) -> 1 <= k -> h r = 1%Z ->
  let n := Z.of_nat (k + 1) in
  (Word h r (repeat s k) -> exists b, HasPattern r (1 + F r) (fun q =>
    if (q - b) mod n =? 0 then 1 - n else 1)%Z) /\
  (Word h r (A :: repeat s k) -> exists b, HasPattern r (1 + F r) (fun q =>
    let t := (q - b) mod (n * n) in
    if t mod (n + 1) =? 0 then (if t =? 0 then 0 else - n) else 1)%Z).
Proof.
  intros F h r k hF hq hr hk hh n. assert (e : n = (Z.of_nat k + 1)%Z) by (unfold n; lia).
  rewrite e. clear n e. split; intros hw;
    destruct (pattern_of_word F h r _ hF hq hr hw hh) as (v & hp & hv).
  - destruct (Patterns.pattern_over_constant_rows k v hp) as (b & hb). exists b. apply hv.
    intros q. rewrite hb. destruct (_ =? 0)%Z; lia.
  - destruct (Patterns.pattern_over_one_ball k v hk hp) as (b & hb). exists b. apply hv.
    intros q. now rewrite hb.
Qed.

(** ** Boards with any number of rows

A board is the list of its row lengths ([Boards.v]), and a bite at (i, y) leaves y squares in row i,
counted from 0, and at most y in each row below. Square j of row i is on the board: *)
Definition SquareOf (b : list nat) (i j : nat) : Prop := j < nth i b 0.

(** The same without lists: a shape is a finite set of squares that has the poisoned one and, with
each square, all squares above it and to the left of it. *)
Definition Shape (S : nat -> nat -> Prop) : Prop :=
  S 0 0 /\ (forall i j, S i j \/ ~ S i j) /\
  (forall i j i' j', S i j -> i' <= i -> j' <= j -> S i' j') /\
  exists n, forall i j, S i j -> i < n /\ j < n.

(** What a bite at square j of row i leaves of S: it takes this square, with all squares below it
and to the right of it. *)
Definition LeftAfter (S : nat -> nat -> Prop) (i j i' j' : nat) : Prop :=
  S i' j' /\ ~ (i <= i' /\ j <= j').

Theorem boards_are_shapes : forall S,
  Shape S <-> exists b, Boards.Board b /\ forall i j, S i j <-> SquareOf b i j.
Proof.
  intros S. split; [apply Shapes.board_of_shape |]. intros (b & hb & same).
  apply (Shapes.shape_ext (SquareOf b)); [now symmetry | now apply Shapes.shape_of_board].
Qed.

(** The moves of [Boards.v] are the bites at squares other than the poisoned one. *)
Theorem bites_of_boards_by_squares : forall b i j,
  (Boards.Move b (i, j) <-> SquareOf b i j /\ (i <> 0 \/ j <> 0)) /\
  forall i' j', SquareOf (Boards.bite i j b) i' j' <-> LeftAfter (SquareOf b) i j i' j'.
Proof. intros b i j. split; [apply Shapes.move_square | apply Shapes.bite_squares]. Qed.

(** W says which shapes are P: those from which no bite leads to a shape that is P. *)
Definition PBySquares (W : (nat -> nat -> Prop) -> Prop) : Prop :=
  (forall S T, (forall i j, S i j <-> T i j) -> W S -> W T) /\
  forall S, Shape S ->
    (W S <-> forall i j, S i j -> i <> 0 \/ j <> 0 -> ~ W (LeftAfter S i j)).

(** This rule for sets of squares has the P-positions of [Boards.v] as its only solution. *)
Theorem P_of_boards_by_squares : (exists W, PBySquares W) /\
  forall W, PBySquares W -> forall b, Boards.Board b -> (Boards.P b <-> W (SquareOf b)).
Proof. split; [exact Shapes.P_by_squares_exists | exact Shapes.P_by_squares_unique]. Qed.

(** Boards with three rows are the positions of three-rowed Chomp. *)
Theorem three_rows : forall p q r,
  (forall i j, SquareOf [p; q; r] i j <-> Square (p, q, r) i j) /\
  (Position (p, q, r) -> (Boards.P [p; q; r] <-> P (p, q, r))).
Proof.
  intros p q r. split; [| apply Boards.three_rows].
  intros [| [| [| [| i]]]] j; unfold SquareOf; simpl; lia.
Qed.

(** ** Levels, and longer tails

A bite in row i, counted from 0, leaves z squares there, and at most z in each row below. *)

Definition BiteInRow (x y : list nat) : Prop :=
  exists i z, z < nth i x 0 /\ (0 < i \/ 0 < z) /\
    y = firstn i x ++ map (Nat.min z) (skipn i x).

Theorem bites_in_rows_by_squares : forall x y, BiteInRow x y <-> length y = length x /\
  exists i j, SquareOf x i j /\ (i <> 0 \/ j <> 0) /\
    forall i' j', SquareOf y i' j' <-> LeftAfter (SquareOf x) i j i' j'.
Proof. exact Shapes.bite_by_squares. Qed.

(** The Grundy value of a board is the least number that is not the value of a board to which a bite
leads. *)
Definition GrundyValues (G : list nat -> nat) : Prop :=
  forall x, (forall y, BiteInRow x y -> G y <> G x) /\
    forall h, h < G x -> exists y, BiteInRow x y /\ G y = h.

Theorem every_board_has_one_value :
  (exists G, GrundyValues G) /\
  forall G G', GrundyValues G -> GrundyValues G' -> forall x, G x = G' x.
Proof. split; [exact Levels.grundy_values_exist | exact Levels.grundy_values_unique]. Qed.

(** The boards with the value 0 are the P-positions, with three rows and with any number. *)
Theorem level_0 : forall G, GrundyValues G ->
  (forall b, Boards.Board b -> (Boards.P b <-> G b = 0)) /\
  (forall p q r, Position (p, q, r) -> (P (p, q, r) <-> G [p; q; r] = 0)).
Proof.
  intros G hG. split; [exact (Shapes.level_0 G hG) |]. intros p q r hx.
  rewrite <- (Shapes.level_0 G hG); [| simpl in *; lia]. symmetry. now apply three_rows.
Qed.

(** Fact 12 (a). Row (g;t) are the boards with the value g, with rows p and q and the tail t below
them. It has at most one of them in each column q. *)
Theorem one_position_in_a_column : forall G, GrundyValues G -> forall t q p p',
  list_max t <= q -> q <= p -> 1 <= p -> q <= p' -> 1 <= p' ->
  G (p :: q :: t) = G (p' :: q :: t) -> p = p'.
Proof. exact Levels.value_unique. Qed.

(** Row (g;t) is empty by some x, or has ended in some column x, before column q. *)
Definition EmptyOrEnded (G : list nat -> nat) (t : list nat) (g q : nat) : Prop :=
  exists x, 1 <= x < q /\ G (x :: x :: map (Nat.min x) t) = g.

(** What (D) and (R), (C), and (L) block in column q. *)
Definition BlockedOnLevel (G : list nat -> nat) (t : list nat) (g q p : nat) : Prop :=
  (exists y, y < q /\ G (p :: y :: map (Nat.min y) t) = g) \/
  (exists i z, z < nth i t 0 /\ G (p :: q :: firstn i t ++ map (Nat.min z) (skipn i t)) = g) \/
  (exists h, h < g /\ G (p :: q :: t) = h).

(** Fact 12 (c): the recurrence. *)
Theorem the_recurrence_of_levels : forall G, GrundyValues G -> forall t g q, list_max t <= q ->
  (EmptyOrEnded G t g q -> forall p, q <= p -> G (p :: q :: t) <> g) /\
  (~ EmptyOrEnded G t g q -> exists p, q <= p /\ 1 <= p /\ G (p :: q :: t) = g /\
    ~ BlockedOnLevel G t g q p /\ forall z, q <= z < p -> 1 <= z -> BlockedOnLevel G t g q z).
Proof.
  intros G hG t g q ht. assert (same : forall p, BlockedOnLevel G t g q p <->
    Levels.Past G t g q p \/ Levels.Below G t g q p).
  { intros p. unfold BlockedOnLevel, Levels.Past, Levels.Below. apply or_iff_compat_l. split.
    - intros [(i & z & hz & e) | (h & hh & e)].
      + exists (Levels.cut i z t, g). split; [| exact e]. apply Levels.rows_below_in.
        left. now exists i, z.
      + exists (t, h). split; [| exact e]. apply Levels.rows_below_in. right. now exists h.
    - intros (x & hx & e). apply Levels.rows_below_in in hx as
        [(i & z & hz & ->) | (h & hh & ->)]; [left; now exists i, z | right; now exists h]. }
  split.
  - intros hd p hp e. destruct hd as (x & hx & e').
    destruct (Levels.value_not_blocked G hG t g q p ht hp ltac:(lia) e) as (hd & _).
    apply hd. now exists x.
  - intros hd. destruct (Levels.value_exists G hG t g q ht hd) as (p & hp & h1 & e). exists p.
    split; [exact hp |]. split; [exact h1 |]. split; [exact e |].
    apply (Levels.level_recurrence G hG t g q p ht hp h1 hd) in e as (free & least).
    rewrite same. split; [exact free |]. intros z hz hz1. now apply same, least.
Qed.

(** Fact 12 (f). Row (g;t) is empty by x or ends in column x, has a position in each column to x,
and none after it; or it repeats from some column on. *)
Theorem rows_of_levels_and_tails : forall G, GrundyValues G -> forall t g,
  (exists x, 1 <= x /\ G (x :: x :: map (Nat.min x) t) = g /\
    (forall p q, list_max t <= q -> q <= p -> x < q -> G (p :: q :: t) <> g) /\
    (forall q, list_max t <= q <= x -> exists p, q <= p /\ 1 <= p /\ G (p :: q :: t) = g)) \/
  (exists start period, 1 <= period /\ list_max t <= start /\ forall q, start <= q ->
    exists p, q <= p /\ G (p :: q :: t) = g /\ G (p + period :: q + period :: t) = g).
Proof. exact Levels.level_rows. Qed.

(** ** Posets that grow along two chains

Their elements are those of two chains, [C 0 < C 1 < ..] and [D 0 < D 1 < ..], and finitely many
others. No element of the second chain is below one of the first. Of the relations between the
chains, nothing else is assumed. [le x y] says that x is y or below it. The poisoned element, if
there is one, is the least one. *)

Import TwoChains(element, C, D, Other).

Definition GrowsAlongTwoChains {A : Type} (le : element A -> element A -> bool)
    (poison : element A -> bool) : Prop :=
  (exists all : list A, forall a, In a all) /\
  (forall x, le x x = true) /\
  (forall x y z, le x y = true -> le y z = true -> le x z = true) /\
  (forall x y, le x y = true -> le y x = true -> x = y) /\
  (forall i j, le (C i) (C j) = true <-> i <= j) /\
  (forall i j, le (D i) (D j) = true <-> i <= j) /\
  (forall i j, le (D j) (C i) = false) /\
  forall e, poison e = true -> forall e', le e e' = true.

(** Three-rowed Chomp is such a game: the chains are the first two rows, and the others are the
squares of a third row of r squares. *)
Theorem three_rows_grow_along_two_chains : forall r,
  let Third := {a : nat | (a <? r) = true} in
  let row (x : element Third) := match x with C _ => 0 | D _ => 1 | Other _ => 2 end in
  let column (x : element Third) :=
    match x with C i => i | D j => j | Other a => proj1_sig a end in
  GrowsAlongTwoChains (fun x y => (row x <=? row y) && (column x <=? column y))
    (fun x => (row x =? 0) && (column x =? 0)).
Proof.
  intros r Third row column.
  assert (le_iff : forall x y, (row x <=? row y) && (column x <=? column y) = true <->
    row x <= row y /\ column x <= column y).
  { intros x y. now rewrite andb_true_iff, !Nat.leb_le. }
  split; [| setoid_rewrite le_iff; split; [intros; lia |]; split; [intros; lia |]; split].
  - exists (flat_map (fun a => match bool_dec (a <? r) true with
      | left h => [exist _ a h]
      | right _ => []
      end) (seq 0 r)).
    intros (a & ha). apply in_flat_map. exists a. split.
    + apply in_seq. apply Nat.ltb_lt in ha. lia.
    + destruct (bool_dec (a <? r) true) as [h | h]; [| contradiction]. left.
      f_equal. apply Eqdep_dec.UIP_dec, bool_dec.
  - intros x y (h1 & h2) (h3 & h4).
    assert (hr : row x = row y) by lia. assert (hc : column x = column y) by lia.
    destruct x as [i | j | (a & ha)], y as [i' | j' | (a' & ha')]; simpl in hr, hc;
      try discriminate; subst; try reflexivity. do 2 f_equal. apply Eqdep_dec.UIP_dec, bool_dec.
  - split; [intros i j; simpl; lia |]. split; [intros i j; simpl; lia |].
    split; [reflexivity |]. intros x hx y. apply andb_true_iff in hx as (h1 & h2).
    apply Nat.eqb_eq in h1, h2. lia.
Qed.

(** (p,n,J) has the first p elements of one chain, the first n of the other, and the set J of the
other elements. *)
Definition Includes {A : Type} (x : nat * nat * (A -> bool)) (e : element A) : Prop :=
  let '(p, n, J) := x in
  match e with C i => i < p | D j => j < n | Other a => J a = true end.

(** It is a position if it has with each element all elements below, and the poisoned one. *)
Definition PosetPosition {A : Type} (le : element A -> element A -> bool)
    (poison : element A -> bool) (x : nat * nat * (A -> bool)) : Prop :=
  (forall e e', Includes x e -> le e' e = true -> Includes x e') /\
  forall e, poison e = true -> Includes x e.

(** A bite takes an element e other than the poisoned one, with all elements above it; y has the
elements that are left. *)
Definition PosetBite {A : Type} (le : element A -> element A -> bool) (poison : element A -> bool)
    (x y : nat * nat * (A -> bool)) : Prop :=
  exists e, Includes x e /\ poison e = false /\
    forall e', Includes y e' <-> Includes x e' /\ le e e' = false.

(** The Grundy values of positions. They do not depend on how the set J is given. *)
Definition PosetValues {A : Type} (le : element A -> element A -> bool)
    (poison : element A -> bool) (G : nat * nat * (A -> bool) -> nat) : Prop :=
  (forall x y, (forall e, Includes x e <-> Includes y e) -> G x = G y) /\
  forall x, PosetPosition le poison x ->
    (forall y, PosetBite le poison x y -> G y <> G x) /\
    forall h, h < G x -> exists y, PosetBite le poison x y /\ G y = h.

Lemma poset_values : forall A le poison (G : nat * nat * (A -> bool) -> nat),
  PosetValues le poison G <->
  TwoChains.GrundyValues A (fun x y => le x y = true) poison G.
Proof.
  intros A le poison G. unfold PosetValues, TwoChains.GrundyValues. apply and_iff_compat_l.
  assert (left : forall x e y, TwoChains.Left A (fun x y => le x y = true) x e y <->
    forall e', Includes y e' <-> Includes x e' /\ le e e' = false).
  { intros x e y. unfold TwoChains.Left. setoid_rewrite not_true_iff_false. reflexivity. }
  split; intros h x hx; destruct (h x hx) as (h1 & h2); split.
  - intros e y he hp hy. apply h1. exists e. now rewrite <- left.
  - intros v hv. destruct (h2 v hv) as (y & (e & he & hp & hy) & ey). exists e, y.
    now rewrite left.
  - intros y (e & he & hp & hy). apply (h1 e y he hp). now apply left.
  - intros v hv. destruct (h2 v hv) as (e & y & he & hp & hy & ey). exists y.
    split; [| exact ey]. exists e. now rewrite <- left.
Qed.

Theorem every_position_of_a_poset_has_one_value : forall A le (poison : element A -> bool),
  GrowsAlongTwoChains le poison ->
  (exists G, PosetValues le poison G) /\
  forall G G', PosetValues le poison G -> PosetValues le poison G' ->
    forall x, PosetPosition le poison x -> G x = G' x.
Proof.
  intros A le poison ((all & finite) & h1 & h2 & h3 & h4 & h5 & _ & h7).
  assert (dec : forall x y, {le x y = true} + {~ le x y = true}) by (intros; apply bool_dec).
  setoid_rewrite poset_values. split.
  - exact (TwoChains.grundy_values_exist A all _ poison finite dec h1 h2 h4 h5).
  - exact (TwoChains.grundy_values_unique A all _ poison finite dec h1 h2 h3 h4 h5 h7).
Qed.

(** Fact 13 (a). Row (g;J) are the positions with the value g that have the set J. It has at most
one of them for each n, and at most one for each p. *)
Theorem one_position_of_a_poset : forall A le (poison : element A -> bool) G,
  GrowsAlongTwoChains le poison -> PosetValues le poison G -> forall J p p' n n',
  PosetPosition le poison (p, n, J) -> PosetPosition le poison (p', n', J) ->
  G (p, n, J) = G (p', n', J) -> (p = p' <-> n = n').
Proof.
  intros A le poison G (_ & _ & _ & _ & h4 & h5 & _) hG. apply poset_values in hG.
  exact (TwoChains.one_position A _ poison h4 h5 G hG).
Qed.

(** Facts 13 (f) and (g), Byrnes' theorem for any two chains: a row has finitely many positions, or
repeats from some column on. The proof needs the law of excluded middle, which is a hypothesis
here. *)
Theorem byrnes_for_two_chains : (forall Q : Prop, Q \/ ~ Q) ->
  forall A le (poison : element A -> bool) G,
  GrowsAlongTwoChains le poison -> PosetValues le poison G -> forall J g,
  let Row p n := PosetPosition le poison (p, n, J) /\ G (p, n, J) = g in
  (exists last, forall p n, Row p n -> p <= last /\ n <= last) \/
  (exists start period, 0 < period /\
    forall n, start <= n -> exists p, Row p n /\ Row (p + period) (n + period)).
Proof.
  intros classical A le poison G ((all & finite) & h1 & h2 & h3 & h4 & h5 & h6 & h7) hG J g Row.
  apply poset_values in hG.
  destruct (TwoChains.rows_of_two_chains A all _ poison finite
    (fun x y => bool_dec (le x y) true) h1 h2 h3 h4 h5) with (G := G) (J := J) (g := g)
    as [(last & h) | (start & period & hk & h)].
  - intros i j. rewrite h6. discriminate.
  - exact h7.
  - exact hG.
  - exact classical.
  - left. exists last. intros p n (hx & e). now apply h.
  - right. exists start, period. split; [exact hk |]. intros n hn.
    destruct (h n hn) as (p & hx & e & hx' & e'). exists p.
    exact (conj (conj hx e) (conj hx' e')).
Qed.

(** ** The checkers, and rows 0 to 400 *)

(** The statement of a record, as in [docs/FORMAT.md]. A finite row has the offsets p - q of the
head in the columns from r to [last]. A periodic row has those of the head before [start], and from
there on the values, which repeat. *)
Definition States (r : nat) (x : Checker.record) (p q : nat) : Prop :=
  let offset (l : list BinNums.N) i := nth_error l i = Some (N.of_nat (p - q)) in
  match x with
  | Checker.FiniteRow _ _ last head => r <= q <= p /\ q <= N.to_nat last /\ offset head (q - r)
  | Checker.PeriodicRow _ _ start values _ head =>
      r <= q <= p /\
      (q < N.to_nat start /\ offset head (q - r) \/
       N.to_nat start <= q /\ offset values ((q - N.to_nat start) mod length values))
  end.

(** If the checker accepts a list, its r-th record states the P-positions of row r. *)
Theorem the_checker_is_sound : forall records, Checker.check records = true ->
  forall r x, nth_error records r = Some x ->
  forall p q, P (p, q, r) <-> States r x p q.
Proof.
  intros records h r x hx p q.
  destruct (proj1 (Completeness.check_iff records) h r x hx) as (htrue & hform).
  assert (member : forall l i, nth_error (Soundness.numbers l) i = Some (p - q) <->
    nth_error l i = Some (N.of_nat (p - q))).
  { intros l i. rewrite Soundness.nth_error_numbers. split.
    - intros (y & hy & ->). now rewrite N2Nat.id.
    - intros hy. exists (N.of_nat (p - q)). now rewrite Nat2N.id. }
  destruct x as [row first last head | row first start values proof head]; simpl in *.
  - destruct htrue as (_ & _ & hfin & his). split.
    + intros hP. pose proof (P_position _ hP) as hx'. simpl in hx'.
      split; [lia |]. split.
      * destruct (le_lt_dec q (N.to_nat last)) as [| hlt]; [assumption |].
        rewrite <- F_P in hP. now apply (ended_stays _ _ _ _ hfin hlt) in hP.
      * apply his in hP as (_ & y & hy & hp). apply member.
        replace (p - q) with y by lia. revert hy. unfold stated.
        destruct (_ <? _); [easy |]. simpl. now destruct (q - r - _).
    + intros (hq & hl & e). apply his. split; [lia |]. exists (p - q). split; [| lia].
      apply member in e. unfold stated.
      destruct (Nat.ltb_spec (q - r) (length (Soundness.numbers head))) as [| hi]; [exact e |].
      apply nth_error_None in hi. congruence.
  - destruct htrue as (_ & _ & _ & his), hform as (hs & _). split.
    + intros hP. pose proof (P_position _ hP) as hx'. simpl in hx'. split; [lia |].
      apply his in hP as (hr & y & hy & hp). revert hy. unfold stated.
      rewrite !Soundness.numbers_length.
      destruct (Nat.ltb_spec (q - r) (length head)) as [hi | hi]; intros hy; [left | right].
      * split; [lia |]. apply member. now replace (p - q) with y by lia.
      * split; [lia |]. apply member. replace (p - q) with y by lia.
        now replace (q - N.to_nat start) with (q - r - length head) by lia.
    + intros (hq & hl). apply his. split; [lia |]. exists (p - q). split; [| lia].
      unfold stated. rewrite !Soundness.numbers_length.
      destruct hl as [(hi & e) | (hi & e)]; apply member in e.
      * destruct (Nat.ltb_spec (q - r) (length head)); [exact e | lia].
      * destruct (Nat.ltb_spec (q - r) (length head)); [lia |].
        now replace (q - r - length head) with (q - N.to_nat start) by lia.
Qed.

(** Row r ends in column [last]: (last,last,r) is a P-position, and no later column has one. (By
fact 1 all columns from r to [last] have one.) *)
Definition Ends (r last : nat) : Prop :=
  P (last, last, r) /\ forall p q, last < q -> ~ P (p, q, r).

(** *** The first checker decides

It accepts a list of records if and only if each record is right, in the following sense. *)

(** Row c has ended before column q, or repeats from q on. *)
Definition HasSettled (c q : nat) : Prop :=
  (exists last, last < q /\ P (last, last, c)) \/ exists s k, RepeatsFirst c s k /\ s <= q.

(** h is the least number that some U of the columns from q1 to before q2 does not have, and w the
largest offset there. *)
Definition WindowIs (r q1 q2 h w : nat) : Prop :=
  (forall q x, q1 <= q < q2 -> x < h -> InU r q x) /\
  (exists q, q1 <= q < q2 /\ ~ InU r q h) /\
  (forall q x, q1 <= q < q2 -> P (q + x, q, r) -> x <= w) /\
  (exists q, q1 <= q < q2 /\ P (q + w, q, r)).

(** m is the least common multiple of the periods of the rows below row r that have an offset from h
to w in a column from q1 on. *)
Definition ModulusIs (r q1 h w m : nat) : Prop :=
  let Common n := forall c s k, c < r -> RepeatsFirst c s k ->
    (exists q x, q1 <= q /\ h <= x <= w /\ P (q + x, q, c)) -> Nat.divide k n in
  Common m /\ forall n, Common n -> Nat.divide m n.

(** The certificate of row r, whose values begin in column [start] and have the period k. *)
Definition CertificateIsRight (r start k : nat) (c : Checker.certificate) : Prop :=
  let q1 := N.to_nat (Checker.from c) in
  let q2 := N.to_nat (Checker.recurs c) in
  let m := N.to_nat (Checker.modulus c) in
  let Stated x := x < N.to_nat (Checker.filled c) \/ In x (map N.to_nat (Checker.above c)) in
  start <= q1 < q2 /\
  (forall d, d < r -> HasSettled d q1) /\
  (forall x, InU r q1 x <-> Stated x) /\
  Sorted.Sorted N.lt (Checker.filled c :: Checker.above c) /\
  (forall x, InU r q1 x <-> InU r q2 x) /\
  (exists h w, WindowIs r q1 q2 h w /\ ModulusIs r q1 h w m) /\
  (Checker.recurs c - Checker.from c)%N = N.lcm (N.of_nat k) (Checker.modulus c).

(** The P-positions of row r are those with the offsets of the head in the columns from r on, and
after them, repeated for ever, with the values. *)
Definition TableIsRight (r : nat) (head values : list BinNums.N) : Prop :=
  forall p q, P (p, q, r) <-> r <= q /\ exists x,
    stated (map N.to_nat head) (map N.to_nat values) (q - r) = Some x /\ p = q + x.

Definition RecordIsRight (r : nat) (x : Checker.record) : Prop :=
  match x with
  | Checker.FiniteRow row first last head =>
      row = N.of_nat r /\ P (N.to_nat first, r, r) /\
      P (N.to_nat last, N.to_nat last, r) /\ TableIsRight r head []
  | Checker.PeriodicRow row first start values proof head =>
      row = N.of_nat r /\ P (N.to_nat first, r, r) /\
      RepeatsFirst r (N.to_nat start) (length values) /\ TableIsRight r head values /\
      N.to_nat start = r + length head /\
      CertificateIsRight r (N.to_nat start) (length values) proof
  end.

Lemma has_settled : forall c q, HasSettled c q <-> Certificate.Settles c q.
Proof.
  intros c q. unfold HasSettled, Certificate.Settles, Ended.
  setoid_rewrite F_P. setoid_rewrite repeats_first. reflexivity.
Qed.

Lemma window_is : forall r q1 q2 h w, WindowIs r q1 q2 h w <-> Certificate.Window r q1 q2 h w.
Proof.
  intros r q1 q2 h w. unfold WindowIs, Certificate.Window, Certificate.Offset.
  setoid_rewrite in_u. setoid_rewrite F_P. reflexivity.
Qed.

Lemma modulus_is : forall r q1 h w m, ModulusIs r q1 h w m <-> Certificate.Modulus r q1 h w m.
Proof.
  intros r q1 h w m.
  unfold ModulusIs, Certificate.Modulus, Certificate.CommonMultiple, Certificate.ValueIn,
    Certificate.Offset.
  setoid_rewrite F_P. setoid_rewrite repeats_first. reflexivity.
Qed.

Lemma certificate_is_right : forall r start k c,
  CertificateIsRight r start k c <-> Completeness.TrueCertificate r start k c.
Proof.
  intros r start k c. unfold CertificateIsRight. cbv zeta.
  setoid_rewrite in_u. setoid_rewrite has_settled. setoid_rewrite window_is.
  setoid_rewrite modulus_is. split.
  - intros (h1 & h2 & h3 & h4 & h5 & h6 & h7). now constructor.
  - intros [h1 h2 h3 h4 h5 h6 h7]. now repeat (split; [assumption |]).
Qed.

Lemma record_is_right : forall r x, RecordIsRight r x <-> Completeness.TrueRecord r x.
Proof.
  intros r [row first last head | row first start values proof head];
    unfold Completeness.TrueRecord; simpl; unfold Byrnes.Finite; rewrite ?F_P;
    rewrite ?repeats_first, ?certificate_is_right; unfold TableIsRight, Soundness.RowIs,
    Soundness.numbers; tauto.
Qed.

(** Sound and complete: the checker accepts exactly the lists of right records. *)
Theorem the_checker_decides : forall records, Checker.check records = true <->
  forall r x, nth_error records r = Some x -> RecordIsRight r x.
Proof.
  intros records. rewrite Completeness.check_iff. setoid_rewrite record_is_right. reflexivity.
Qed.

(** Every row has a right record. So for each n the checker accepts n records. *)
Theorem every_row_has_a_right_record :
  (forall r, exists x, RecordIsRight r x) /\
  forall n, exists records, length records = n /\ Checker.check records = true.
Proof.
  split; [| exact Existence.accepted_records].
  intros r. destruct (Existence.true_record_exists r) as (x & hx). exists x.
  now apply record_is_right.
Qed.

(** *** Records with fingerprints

[Fingerprints.seal] replaces the head of a record by its fingerprint. The fast checker, which reads
such records, accepts only those that come from right records. So does the first checker with
[Fingerprints.check_sealed], and it accepts all that do. The converse for the fast checker is not
needed: a verdict rests on what it accepts, and where it refuses a record, the first checker decides
([chomp-verify --reference]). *)

Theorem the_fast_checker_is_sound : forall records, ByColumns.check_by_columns records = true ->
  exists opened, map Fingerprints.seal opened = records /\
    forall r x, nth_error opened r = Some x -> RecordIsRight r x.
Proof.
  intros records h.
  apply ColumnsSoundness.by_columns_sound, Fingerprints.check_sealed_iff in h.
  destruct h as (opened & hmap & h). exists opened. split; [exact hmap |].
  now apply the_checker_decides.
Qed.

Theorem fingerprints_are_decided : forall records, Fingerprints.check_sealed records = true <->
  exists opened, map Fingerprints.seal opened = records /\
    forall r x, nth_error opened r = Some x -> RecordIsRight r x.
Proof.
  intros records. rewrite Fingerprints.check_sealed_iff. setoid_rewrite the_checker_decides.
  reflexivity.
Qed.

(** *** Rows 0 to 400 *)

(** Rows below 120 are finite or have period 1. *)
Theorem rows_below_120 : forall r, r < 120 ->
  (exists last, Ends r last) \/ (exists s, RepeatsFirst r s 1).
Proof. exact Rows.rows_below_120. Qed.

(** Row 120 has period 2 from column 170 on, and not before. *)
Theorem row_120 : RepeatsFirst 120 170 2.
Proof. exact Rows.row_120. Qed.

(** The rows to 400 with a period other than 1 are 120 and 400. *)
Theorem rows_to_400 : forall r, r <= 400 ->
  (r = 120 \/ r = 400 <-> exists s k, RepeatsFirst r s k /\ k <> 1).
Proof.
  intros r hr. split.
  - intros [-> | ->].
    + exists 170, 2. split; [exact Rows.row_120 | lia].
    + exists 566, 2. split; [exact Rows.row_400 | lia].
  - intros (s & k & h & hk). apply (Rows.rows_to_400 r hr). split.
    + intros (last & hl). exact (Rows.ends_or_repeats r last s k hl (proj1 h)).
    + intros (s' & h'). destruct h as (_ & least). destruct (least s' 1 h') as (_ & hd).
      apply hk. now apply Nat.divide_1_r in hd.
Qed.

(** ** Rectangles

A set of boards is *complete* if no move leads from one of them to another, and from every board
that is not among them some move leads to one. *)
Definition Complete (Q : list nat -> Prop) : Prop :=
  (forall b, Q b -> Boards.Board b) /\
  (forall b i y, Q b -> Boards.Move b (i, y) -> ~ Q (Boards.bite i y b)) /\
  (forall b, Boards.Board b -> ~ Q b ->
    exists i y, Boards.Move b (i, y) /\ Q (Boards.bite i y b)).

Lemma complete_is_P : forall Q, Complete Q -> forall k b, Boards.squares b < k ->
  Boards.Board b -> (Q b -> Boards.P b) /\ (Boards.P b -> ~ ~ Q b).
Proof.
  intros Q (hboard & hno & hsome). induction k as [| k IH]; intros b hk hb; [lia |].
  assert (fewer : forall i y, Boards.Move b (i, y) -> Boards.squares (Boards.bite i y b) < k).
  { intros i y [hm _]. apply Boards.bite_fewer in hm. lia. }
  split.
  - intros hq. apply Boards.P_iff; [exact hb |]. intros i y hm hp.
    exact (proj2 (IH _ (fewer i y hm) (proj1 hp)) hp (hno b i y hq hm)).
  - intros hp hn. destruct (hsome b hb hn) as (i & y & hm & hq).
    apply (proj1 (Boards.P_iff b hb) hp i y hm).
    exact (proj1 (IH _ (fewer i y hm) (hboard _ hq)) hq).
Qed.

(** The boards of complete sets are the P-positions of [Boards.v]. *)
Theorem P_of_boards : forall b, (exists Q, Complete Q /\ Q b) <-> Boards.P b.
Proof.
  intros b. split.
  - intros (Q & hc & hq). pose proof (proj1 hc b hq) as hb.
    exact (proj1 (complete_is_P Q hc (S (Boards.squares b)) b (Nat.lt_succ_diag_r _) hb) hq).
  - intros hp. exists Boards.P. split; [| exact hp]. split; [now intros b' [h _] |]. split.
    + intros b' i y h. exact (proj1 (Boards.P_iff b' (proj1 h)) h i y).
    + intros b' hb h. exact (proj1 (Boards.N_iff b' hb) h).
Qed.

Definition WinningOpening (b c : list nat) : Prop :=
  exists i y, Boards.Move b (i, y) /\ c = Boards.bite i y b /\ exists Q, Complete Q /\ Q c.

(** [chomp-verify board m n] prints the bites that the function [table_rectangle] finds. *)
Theorem openings_of_a_rectangle : forall m n, 2 <= m -> forall c,
  WinningOpening (repeat n m) c <->
  exists i y, In (i, y) (snd (Tables.table_rectangle m n)) /\ c = Boards.bite i y (repeat n m).
Proof.
  intros m n hm c. destruct (Tables.table_rectangle_right m n hm) as [_ h].
  split.
  - intros (i & y & hmove & -> & hp). exists i, y. split; [| reflexivity].
    apply h. split; [now apply Rectangles.move_rectangle | now apply P_of_boards].
  - intros (i & y & hin & ->). apply h in hin. destruct hin as [hmove hp]. exists i, y.
    split; [now apply Rectangles.move_rectangle |]. split; [reflexivity | now apply P_of_boards].
Qed.

(** If [chomp-verify board 10 42] prints these three bites, exactly three openings win on 10 x 42.
They leave rows of 42 squares, and rows of 35, 29 or 25. *)
Theorem ten_by_42 : snd (Tables.table_rectangle 10 42) = [(4, 35); (6, 29); (7, 25)] ->
  forall c, WinningOpening (repeat 42 10) c <->
    c = repeat 42 4 ++ repeat 35 6 \/ c = repeat 42 6 ++ repeat 29 4 \/
    c = repeat 42 7 ++ repeat 25 3.
Proof.
  intros e c. rewrite (openings_of_a_rectangle 10 42) by lia. rewrite e. clear e. split.
  - intros (i & y & [e | [e | [e | []]]] & ->); injection e as <- <-; auto.
  - intros [-> | [-> | ->]]; [exists 4, 35 | exists 6, 29 | exists 7, 25]; cbn [In]; auto.
Qed.
