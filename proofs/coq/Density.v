(** * The density of finite rows as one equation

Section 5 of [uniqueness.md]. F(r) is the number of finite rows below r. F(F(b)) - 4F(b) + 2b is
bounded for all b if and only if F(b) - (2 - √2)b is; and it is if two estimates hold, of the end of
row b, and of the diagonal values. *)

From Coq Require Import Arith List ZArith Lia.
From Chomp Require Import Rules Recurrence Byrnes Values Counting Uniqueness Columns.
Import ListNotations.

(** a and b differ by at most C. *)
Definition Near (C a b : nat) : Prop := a <= b + C /\ b <= a + C.

(** Whether a row is finite is decidable, as row c ends at 2c or before. *)
Lemma Ends_dec : forall c, {Ends c} + {~ Ends c}.
Proof.
  intros c. destruct (exists_below_dec (fun x => F x c x)) with (n := 2 * c + 1) as [h | h].
  - intros x. apply F_dec.
  - left. destruct h as (x & _ & h). now exists x.
  - right. intros (x & hx). apply h. exists x. split; [| exact hx]. apply ends_early in hx. lia.
Defined.

(** f(r) is the number of finite rows below r. *)
Definition CountsFinite (f : nat -> nat) : Prop :=
  forall r, Counts (fun c => c < r /\ Ends c) (f r).

Theorem finite_rows_function : exists f, CountsFinite f.
Proof.
  exists (fun r => length (filter (fun c => if Ends_dec c then true else false) (seq 0 r))).
  intros r. exists (filter (fun c => if Ends_dec c then true else false) (seq 0 r)).
  split; [| reflexivity]. split; [apply NoDup_filter, seq_NoDup |].
  intros c. rewrite filter_In, in_seq. destruct (Ends_dec c); intuition (easy || lia).
Qed.

Lemma row_0_never_ends : ~ Ends 0.
Proof. intros (x & h). pose proof (ends_early x 0 h). pose proof (F_positive _ _ _ h). lia. Qed.

Section Density.

Variable f : nat -> nat.
Hypothesis counted : CountsFinite f.

Lemma f_0 : f 0 = 0.
Proof. apply (counts_unique _ _ _ (counted 0)), counts_none. lia. Qed.

Lemma f_monotone : forall a b, a <= b -> f a <= f b.
Proof.
  intros a b h. apply (counts_subset _ _ _ _) with (2 := counted a) (3 := counted b).
  intros c (hc & he). split; [lia | exact he].
Qed.

Lemma f_add : forall a n, f (a + n) <= f a + n.
Proof.
  intros a n.
  apply (counts_subset (fun c => c < a + n /\ Ends c)
    (fun c => (c < a /\ Ends c) \/ a <= c < a + n)); [| apply counted |].
  - intros c (hc & he). destruct (le_lt_dec a c); [right; lia | left; split; [lia | exact he]].
  - apply counts_or; [lia | apply counted | apply counts_interval].
Qed.

Lemma f_less : forall b, 1 <= b -> f b < b.
Proof.
  intros b hb. assert (f b <= b - 1); [| lia].
  apply (counts_subset (fun c => c < b /\ Ends c) (fun c => 1 <= c < 1 + (b - 1)));
    [| apply counted | apply counts_interval].
  intros c (hc & he). destruct (Nat.eq_dec c 0) as [-> |]; [now apply row_0_never_ends in he | lia].
Qed.

Lemma f_at_most : forall b, f b <= b.
Proof.
  intros b. destruct (Nat.eq_dec b 0) as [-> |]; [rewrite f_0; lia |].
  pose proof (f_less b ltac:(lia)). lia.
Qed.

(** ** 5.2. From the equation to the density *)

Section Root.

Local Open Scope Z_scope.

(** [a + b√2 >= 0]. *)
Definition Nonnegative (a b : Z) : Prop :=
  (0 <= a /\ 0 <= b) \/ (0 <= a /\ 2 * (b * b) <= a * a) \/ (0 <= b /\ a * a <= 2 * (b * b)).

(** Times [2 - √2]. *)
Lemma nonnegative_times : forall a b, Nonnegative a b -> Nonnegative (2 * a - 2 * b) (2 * b - a).
Proof.
  intros a b [(ha & hb) | [(ha & h) | (hb & h)]]; unfold Nonnegative.
  - right. destruct (Z_le_gt_dec (2 * (b * b)) (a * a)); [left | right]; split; nia.
  - right. left. split; nia.
  - right. right. split; nia.
Qed.

(** Plus [(1 + √2)t]. *)
Lemma nonnegative_plus : forall a b t, 0 <= t -> Nonnegative a b -> Nonnegative (a + t) (b + t).
Proof.
  intros a b t ht [(ha & hb) | [(ha & h) | (hb & h)]].
  - left. lia.
  - destruct (Z_le_gt_dec 0 (b + t)); [left; lia |]. right. left. split; [lia | nia].
  - destruct (Z_le_gt_dec 0 (a + t)); [left; lia |]. right. right. split; [lia | nia].
Qed.

Lemma nonnegative_half : forall a b, Nonnegative (2 * a) (2 * b) -> Nonnegative a b.
Proof.
  intros a b [h | [h | h]]; [left; lia | right; left | right; right]; split; nia.
Qed.

Variable C : nat.
Hypothesis equation : forall b, Near C (f (f b) + 2 * b) (4 * f b).

Lemma density_from_equation : forall b,
  Nonnegative (Z.of_nat C - Z.of_nat (f b)) (Z.of_nat b - Z.of_nat (f b)) /\
  Nonnegative (Z.of_nat C + Z.of_nat (f b)) (Z.of_nat (f b) - Z.of_nat b).
Proof.
  induction b as [b IH] using lt_wf_ind. destruct (Nat.eq_dec b 0) as [-> |].
  - rewrite f_0. split; left; lia.
  - destruct (IH (f b)) as (up & low); [apply f_less; lia |].
    destruct (equation b) as (h1 & h2).
    set (c := Z.of_nat C) in *. set (x := Z.of_nat b). set (y := Z.of_nat (f b)) in *.
    set (w := Z.of_nat (f (f b))) in *.
    assert (e1 : 0 <= c + (w - 4 * y + 2 * x)) by lia.
    assert (e2 : 0 <= c - (w - 4 * y + 2 * x)) by lia.
    split; apply nonnegative_half.
    + pose proof (nonnegative_times _ _ (nonnegative_plus _ _ _ e1 up)) as h.
      replace (2 * (c - y)) with
        (2 * (c - w + (c + (w - 4 * y + 2 * x))) - 2 * (y - w + (c + (w - 4 * y + 2 * x)))) by lia.
      replace (2 * (x - y)) with
        (2 * (y - w + (c + (w - 4 * y + 2 * x))) - (c - w + (c + (w - 4 * y + 2 * x)))) by lia.
      exact h.
    + pose proof (nonnegative_times _ _ (nonnegative_plus _ _ _ e2 low)) as h.
      replace (2 * (c + y)) with
        (2 * (c + w + (c - (w - 4 * y + 2 * x))) - 2 * (w - y + (c - (w - 4 * y + 2 * x)))) by lia.
      replace (2 * (y - x)) with
        (2 * (w - y + (c - (w - 4 * y + 2 * x))) - (c + w + (c - (w - 4 * y + 2 * x)))) by lia.
      exact h.
Qed.

End Root.

(** F(b) differs from √2 (b - F(b)) by at most C. *)
Theorem bounded_discrepancy : forall C, (forall b, Near C (f (f b) + 2 * b) (4 * f b)) ->
  forall b, let k := b - f b in
  (f b - C) * (f b - C) <= 2 * (k * k) /\ 2 * (k * k) <= (f b + C) * (f b + C).
Proof.
  intros C h b k. pose proof (f_at_most b) as hb.
  destruct (density_from_equation C h b) as (up & low). unfold Nonnegative in *.
  assert (ek : (Z.of_nat b - Z.of_nat (f b) = Z.of_nat k)%Z) by lia.
  assert (ek' : (Z.of_nat (f b) - Z.of_nat b = - Z.of_nat k)%Z) by lia.
  rewrite ek in up. rewrite ek' in low. clear ek ek' h. split; apply Nat2Z.inj_le.
  - destruct (le_lt_dec (f b) C).
    + replace (f b - C) with 0 by lia. lia.
    + rewrite !Nat2Z.inj_mul, Nat2Z.inj_sub by lia. nia.
  - rewrite !Nat2Z.inj_mul, Nat2Z.inj_add. nia.
Qed.

(** The converse: a bound for F(b) - √2 (b - F(b)) gives the equation with twice that bound. *)
Section Converse.

Local Open Scope Z_scope.

Lemma square_le : forall a b, 0 <= a -> a <= b -> a * a <= b * b.
Proof. intros. nia. Qed.

Lemma square_le_inv : forall a b, 0 <= b -> a * a <= b * b -> a <= b.
Proof. intros. nia. Qed.

Lemma no_squares : forall C u X, 0 <= C -> 0 <= u -> X * X <= 2 * (u * u) -> 0 <= X + C - 1 ->
  2 * ((u + C + 1) * (u + C + 1)) <= (X + C - 1) * (X + C - 1) -> False.
Proof.
  intros C u X hC hu hX h0 h. assert (X <= 2 * u) by nia.
  assert (X * C <= 2 * (u * C)) by nia. destruct (Z_le_gt_dec 0 X); nia.
Qed.

Lemma up : forall C y k l, 0 <= C -> 0 <= k -> 0 <= l <= y ->
  2 * (k * k) <= (y + C) * (y + C) ->
  (y - l - C <= 0 \/ (y - l - C) * (y - l - C) <= 2 * (l * l)) ->
  2 * k <= l + y + 2 * C.
Proof.
  intros C y k l hC hk hl h h'. apply Z.nlt_ge. intros hlt.
  assert (a : (l + y + 2 * C + 1) * (l + y + 2 * C + 1) <= 2 * ((y + C) * (y + C))).
  { transitivity (2 * k * (2 * k)); [apply square_le; lia | lia]. }
  (* with A = y + C and u = l + C + 1: (A - u)^2 >= 2 u^2 *)
  assert (b : 2 * ((l + C + 1) * (l + C + 1)) <= (y - l - 1) * (y - l - 1)) by lia.
  destruct h' as [h' | h'].
  - assert (y - l <= C) by lia. assert (l + C + 1 <= y - l - 1); [| lia].
    destruct (Z_le_gt_dec (y - l) 0); [exfalso; nia |]. apply square_le_inv; lia || nia.
  - assert (y <> l). { intros ->. assert (1 <= (l + C + 1) * (l + C + 1)) by nia. lia. }
    apply (no_squares C l (y - l - C)); try lia.
Qed.

Lemma down : forall C y k l, 0 <= C -> 0 <= k -> 0 <= l <= y ->
  (y - C <= 0 \/ (y - C) * (y - C) <= 2 * (k * k)) -> 2 * (l * l) <= (y - l + C) * (y - l + C) ->
  l + y <= 2 * k + 2 * C.
Proof.
  intros C y k l hC hk hl h h'. apply Z.nlt_ge. intros hlt. destruct h as [h | h]; [lia |].
  assert (a : 2 * ((y - C) * (y - C)) <= (l + y - 2 * C - 1) * (l + y - 2 * C - 1)).
  { transitivity (2 * k * (2 * k)); [lia | apply square_le; lia]. }
  (* with A = y - C and u = l - C - 1: (A - u)^2 <= 2 u^2 *)
  assert (b : (y - l + 1) * (y - l + 1) <= 2 * ((l - C - 1) * (l - C - 1))) by lia.
  assert (0 <= l - C - 1).
  { apply Z.nlt_ge. intros hn. assert (l <= C) by lia.
    destruct (Z_le_gt_dec 0 (y - C)); [| lia].
    assert (y - C <= l + y - 2 * C - 1) by nia. lia. }
  apply (no_squares C (l - C - 1) (y - l + 1)); try lia.
Qed.

End Converse.

Theorem equation_from_discrepancy : forall C,
  (forall b, let k := b - f b in
    (f b - C) * (f b - C) <= 2 * (k * k) /\ 2 * (k * k) <= (f b + C) * (f b + C)) ->
  forall b, Near (2 * C) (f (f b) + 2 * b) (4 * f b).
Proof.
  intros C h b. pose proof (h b) as (h1 & h2). pose proof (h (f b)) as (h3 & h4). cbv zeta in *.
  pose proof (f_at_most b) as hb. pose proof (f_at_most (f b)) as hy.
  remember (f (f b)) as w eqn:ew. remember (f b) as y eqn:ey. clear ew ey h.
  remember (b - y) as k eqn:ek. remember (y - w) as l eqn:el.
  assert (below : forall a c : nat, (a - C) * (a - C) <= 2 * (c * c) ->
    (Z.of_nat a - Z.of_nat C <= 0 \/ (Z.of_nat a - Z.of_nat C) * (Z.of_nat a - Z.of_nat C) <=
      2 * (Z.of_nat c * Z.of_nat c))%Z).
  { intros a c hac. destruct (le_lt_dec a C); [left; lia | right].
    rewrite <- Nat2Z.inj_sub by lia. lia. }
  apply below in h1, h3. replace w with (y - l) in * by lia.
  pose proof (up (Z.of_nat C) (Z.of_nat y) (Z.of_nat k) (Z.of_nat l)) as hup.
  pose proof (down (Z.of_nat C) (Z.of_nat y) (Z.of_nat k) (Z.of_nat l)) as hdown.
  rewrite Nat2Z.inj_sub in h3 by lia. split.
  - assert (2 * Z.of_nat k <= Z.of_nat l + Z.of_nat y + 2 * Z.of_nat C)%Z; [| lia].
    apply hup; lia.
  - assert (Z.of_nat l + Z.of_nat y <= 2 * Z.of_nat k + 2 * Z.of_nat C)%Z; [| lia].
    apply hdown; lia.
Qed.

(** ** 5.1. From two estimates to the equation *)

(** b + K(b), where K(b) is the number of periodic rows below b. *)
Definition g (b : nat) : nat := b + (b - f b).

Lemma g_step : forall b, g b + 1 <= g (b + 1) <= g b + 2.
Proof.
  intros b. unfold g. pose proof (f_add b 1). pose proof (f_monotone b (b + 1) ltac:(lia)).
  pose proof (f_at_most b). lia.
Qed.

Lemma g_add : forall b n, g b + n <= g (b + n) <= g b + 2 * n.
Proof.
  intros b n. induction n as [| n IH].
  - replace (b + 0) with b by lia. lia.
  - pose proof (g_step (b + n)). replace (b + S n) with (b + n + 1) by lia. lia.
Qed.

Lemma g_near : forall a b C, Near C a b -> Near (2 * C) (g a) (g b).
Proof.
  assert (half : forall a b C, a <= b -> b <= a + C -> Near (2 * C) (g a) (g b)).
  { intros a b C h h'. pose proof (g_add a (b - a)) as hg.
    replace (a + (b - a)) with b in hg by lia.
    unfold Near. lia. }
  intros a b C (h & h'). destruct (le_lt_dec a b).
  - now apply half.
  - destruct (half b a C); unfold Near; lia.
Qed.

(** b is the greatest number with b + K(b) <= y. *)
Definition Greatest (y b : nat) : Prop := g b <= y /\ y < g (b + 1).

Lemma greatest_exists_for : forall y, exists b, Greatest y b.
Proof.
  induction y as [| y (b & h & h')].
  - exists 0. pose proof (g_step 0). assert (g 0 = 0) by (unfold g; now rewrite f_0).
    split; lia.
  - destruct (le_lt_dec (g (b + 1)) (S y)).
    + exists (b + 1). pose proof (g_step (b + 1)). split; lia.
    + exists b. split; lia.
Qed.

Lemma greatest_add : forall y n b b', Greatest y b -> Greatest (y + n) b' -> b <= b' <= b + n.
Proof.
  intros y n b b' (h1 & h2) (h3 & h4). split.
  - destruct (le_lt_dec b b') as [| hlt]; [assumption |].
    pose proof (g_add (b' + 1) (b - (b' + 1))) as hg.
    replace (b' + 1 + (b - (b' + 1))) with b in hg by lia. lia.
  - destruct (le_lt_dec b' (b + n)) as [| hlt]; [assumption |].
    pose proof (g_add (b + 1) (b' - (b + 1))) as hg.
    replace (b + 1 + (b' - (b + 1))) with b' in hg by lia. lia.
Qed.

Lemma diagonal_index : forall z, exists j t, Greatest j t /\ j + t <= z <= j + t + 1.
Proof.
  induction z as [| z (j & t & h & hz)].
  - destruct (greatest_exists_for 0) as (t & h). exists 0, t. split; [exact h |].
    destruct h as (h & _). unfold g in h. lia.
  - destruct (le_lt_dec (S z) (j + t + 1)).
    + exists j, t. split; [exact h | lia].
    + destruct (greatest_exists_for (j + 1)) as (t' & h').
      pose proof (greatest_add j 1 t t' h h'). exists (j + 1), t'. split; [exact h' | lia].
Qed.

Section Estimates.

Variables C1 C2 : nat.

(** (P) and (Q) of [uniqueness.md]. *)
Hypothesis end_near : forall b x, F x b x -> Near C1 x (g b).
Hypothesis diagonal_near : forall y d b, F y y d -> Greatest y b -> Near C2 d (y + b).

Lemma ends_near : forall b e, Counts (fun y => y < S (g b) /\ End y) e -> Near (C1 + 1) e (f b).
Proof.
  intros b e he. split.
  - assert (e <= f (b + (C1 + 1))).
    { apply (counts_le _ _ (fun y c => F y c y)) with (3 := he) (4 := counted (b + (C1 + 1))).
      - intros y (hy & c & hc). exists c. split; [| exact hc]. split; [| now exists y].
        destruct (end_near c y hc).
        destruct (le_lt_dec (b + (C1 + 1)) c) as [hle |]; [| assumption].
        pose proof (g_add b (c - b)) as hg. replace (b + (c - b)) with c in hg by lia. lia.
      - intros y y' c _ _. apply finite_unique. }
    pose proof (f_add b (C1 + 1)). lia.
  - assert (f (b - C1) <= e).
    { apply (counts_le _ _ (fun c y => F y c y)) with (3 := counted (b - C1)) (4 := he).
      - intros c (hc & y & hy). exists y. split; [| exact hy]. split; [| now exists c].
        destruct (end_near c y hy). pose proof (g_add c (b - c)) as hg.
        replace (c + (b - c)) with b in hg by lia. lia.
      - intros c c' y _ _. apply F_column_injective. }
    pose proof (f_add (b - C1) C1). pose proof (f_monotone b (b - C1 + C1) ltac:(lia)). lia.
Qed.

Lemma diagonal_values_near : forall z d j t, Greatest j t -> j + t <= z <= j + t + 1 ->
  Counts (fun y => y < S z /\ Diagonal y) d -> Near (C2 + 2) d j.
Proof.
  intros z d j t h hz hd. split.
  - rewrite Nat.add_comm.
    apply (counts_le _ (fun y => 0 <= y < 0 + (C2 + 2 + j)) (fun p y => F y y p))
      with (3 := hd) (4 := counts_interval 0 (C2 + 2 + j)).
    + intros p (hp & y & hy). exists y. split; [| exact hy].
      destruct (le_lt_dec (C2 + 2 + j) y) as [hle | hlt]; [| lia]. exfalso.
      destruct (greatest_exists_for y) as (t' & h'). destruct (diagonal_near y p t' hy h').
      replace y with (j + (y - j)) in h' by lia. pose proof (greatest_add _ _ _ _ h h'). lia.
    + intros p p' y _ _. apply F_unique.
  - assert (j - C2 <= d); [| lia].
    apply (counts_le (fun y => 0 <= y < 0 + (j - C2)) _ (fun y p => F y y p))
      with (3 := counts_interval 0 (j - C2)) (4 := hd).
    + intros y hy. destruct (diagonal_exists y) as (p & _ & hp). exists p.
      split; [| exact hp]. split; [| now exists y].
      destruct (greatest_exists_for y) as (t' & h'). destruct (diagonal_near y p t' hp h').
      replace j with (y + (j - y)) in h by lia. pose proof (greatest_add _ _ _ _ h' h). lia.
    + intros y y' p _ _. apply diagonal_injective.
Qed.

Theorem equation_from_estimates : forall b,
  Near (3 * (C1 + C2) + 12) (f (f b) + 2 * b) (4 * f b).
Proof.
  intros b. set (z := g b). destruct (diagonal_index z) as (j & t & h & hz).
  destruct (counts_below End End_dec (S z)) as (e & _ & he).
  destruct (counts_below Diagonal Diagonal_dec (S z)) as (d & _ & hd).
  pose proof (ends_and_diagonal (S z) e d ltac:(lia) he hd) as sum.
  destruct (ends_near b e he). destruct (diagonal_values_near z d j t h hz hd).
  pose proof (f_at_most b). pose proof (f_at_most (f b)).
  assert (hzb : z + f b = 2 * b) by (unfold z, g; lia).
  destruct (g_near t (f b) (C1 + C2 + 4)); [unfold Near; lia |].
  destruct h as (h1 & h2). pose proof (g_step t).
  assert (hgf : g (f b) + f (f b) = 2 * f b) by (unfold g; lia). unfold Near. lia.
Qed.

End Estimates.

End Density.
