(** * Sets of offsets as binary numbers

A finite set of naturals is a number: i is in the set if and only if bit i is 1. The checker uses a
few operations on such numbers. This file proves the meaning of each. *)

From Coq Require Import Arith NArith List Lia.
From Chomp Require Import Recurrence Certificate.
Import ListNotations.

Local Open Scope N_scope.

(** The least number that is not in the set: the lowest bit that is 0. *)
Definition mex (x : N) : N := N.log2 (N.ldiff (N.succ x) x).

(** OneLess: the members from 1 on, each less one. *)
Definition one_less (x : N) : N := N.div2 x.

(** U(q+1) from U(q) and the offset of column q. *)
Definition next_state (u b : N) : N := one_less (N.setbit u b).

(** A list of numbers as a set, together with those of [x]. *)
Definition with_all (members : list N) (x : N) : N :=
  fold_right (fun b x => N.setbit x b) x members.

(** [Mask x S]: the number [x] is the set [S]. *)
Definition Mask (x : N) (S : nat -> Prop) : Prop :=
  forall i, N.testbit x (N.of_nat i) = true <-> S i.

Lemma mask_ext : forall x S T, (forall i, S i <-> T i) -> Mask x S -> Mask x T.
Proof. intros x S T h hx i. rewrite (hx i). apply h. Qed.

Lemma mask_of_equal : forall x y S, Mask x S -> x = y -> Mask y S.
Proof. intros x y S h <-. exact h. Qed.

Lemma mask_unique : forall x y S, Mask x S -> Mask y S -> x = y.
Proof.
  intros x y S hx hy. apply N.bits_inj. intros n. rewrite <- (N2Nat.id n).
  apply Bool.eq_iff_eq_true. now rewrite (hx (N.to_nat n)), (hy (N.to_nat n)).
Qed.

Lemma mask_empty : Mask 0 (fun _ => False).
Proof. intros i. rewrite N.bits_0. easy. Qed.

Lemma mask_union : forall x y S T, Mask x S -> Mask y T -> Mask (N.lor x y) (fun i => S i \/ T i).
Proof.
  intros x y S T hx hy i. now rewrite N.lor_spec, Bool.orb_true_iff, (hx i), (hy i).
Qed.

Lemma mask_add : forall x b S, Mask x S -> Mask (N.setbit x b) (fun i => S i \/ i = N.to_nat b).
Proof.
  intros x b S hx i. rewrite N.setbit_iff, (hx i). split; intros [h | h]; auto.
  - right. now rewrite h, Nat2N.id.
  - left. now rewrite h, N2Nat.id.
Qed.

Lemma mask_one_less : forall x S, Mask x S -> Mask (one_less x) (fun i => S (Datatypes.S i)).
Proof.
  intros x S hx i. unfold one_less. rewrite N.div2_spec, N.shiftr_spec by lia.
  rewrite <- (hx (Datatypes.S i)). now rewrite Nat2N.inj_succ, N.add_1_r.
Qed.

Lemma mask_next_state : forall u b S, Mask u S ->
  Mask (next_state u b) (fun i => S (Datatypes.S i) \/ Datatypes.S i = N.to_nat b).
Proof. intros u b S h. exact (mask_one_less _ _ (mask_add _ _ _ h)). Qed.

Lemma mask_with_all : forall members x S, Mask x S ->
  Mask (with_all members x) (fun i => S i \/ In i (map N.to_nat members)).
Proof.
  induction members as [| b members IH]; intros x S h; simpl.
  - apply (mask_ext x S); [tauto | exact h].
  - apply mask_ext with (S := fun i => (S i \/ In i (map N.to_nat members)) \/ i = N.to_nat b).
    + intros i. split; intros hi; intuition auto.
    + now apply mask_add, IH.
Qed.

Lemma mask_ones : forall n, Mask (N.ones n) (fun i => (i < N.to_nat n)%nat).
Proof. intros n i. rewrite N.ones_spec_iff. lia. Qed.

(** ** The mex *)

Lemma ldiff_succ_odd : forall x,
  N.ldiff (N.succ (2 * x + 1)) (2 * x + 1) = 2 * N.ldiff (N.succ x) x.
Proof.
  intros x. replace (N.succ (2 * x + 1)) with (2 * N.succ x) by lia.
  apply N.bits_inj. intros n. destruct (N.zero_or_succ n) as [-> | (k & ->)].
  - now rewrite N.ldiff_spec, !N.testbit_even_0.
  - rewrite N.ldiff_spec, !N.testbit_even_succ, N.testbit_odd_succ by lia.
    now rewrite N.ldiff_spec.
Qed.

Lemma ldiff_succ_even : forall x, N.ldiff (N.succ (2 * x)) (2 * x) = 1.
Proof.
  intros x. rewrite <- N.add_1_r. apply N.bits_inj. intros n.
  destruct (N.zero_or_succ n) as [-> | (k & ->)].
  - now rewrite N.ldiff_spec, N.testbit_odd_0, N.testbit_even_0.
  - rewrite N.ldiff_spec, N.testbit_odd_succ, N.testbit_even_succ by lia.
    change 1 with (2 * 0 + 1) at 1. rewrite N.testbit_odd_succ, N.bits_0 by lia.
    now destruct (N.testbit x k).
Qed.

(** The lowest bit that is 0, as a number. *)
Lemma lowest_zero_bit : forall x, N.ldiff (N.succ x) x = 2 ^ mex x.
Proof.
  unfold mex. induction x as [| x IH | x IH] using N.binary_ind.
  - reflexivity.
  - now rewrite N.double_spec, ldiff_succ_even.
  - rewrite N.succ_double_spec, ldiff_succ_odd, N.log2_double by (rewrite IH; lia).
    now rewrite IH at 1; rewrite N.pow_succ_r'.
Qed.

Lemma mex_odd : forall x, mex (2 * x + 1) = N.succ (mex x).
Proof.
  intros x. unfold mex. rewrite ldiff_succ_odd. apply N.log2_double. rewrite lowest_zero_bit. lia.
Qed.

Lemma mex_even : forall x, mex (2 * x) = 0.
Proof. intros x. unfold mex. now rewrite ldiff_succ_even. Qed.

Lemma lowest_zero : forall x,
  N.testbit x (mex x) = false /\ forall n, n < mex x -> N.testbit x n = true.
Proof.
  induction x as [| x IH | x IH] using N.binary_ind.
  - split; [easy |]. intros n hn. change (mex 0) with 0 in hn. lia.
  - rewrite N.double_spec, mex_even, N.testbit_even_0. split; [easy | lia].
  - rewrite N.succ_double_spec, mex_odd, N.testbit_odd_succ by lia. destruct IH as (IH1 & IH2).
    split; [exact IH1 |]. intros n hn. destruct (N.zero_or_succ n) as [-> | (k & ->)].
    + apply N.testbit_odd_0.
    + rewrite N.testbit_odd_succ by lia. apply IH2. lia.
Qed.

Theorem mex_is_mex : forall x S, Mask x S -> Mex S (N.to_nat (mex x)).
Proof.
  intros x S hx. destruct (lowest_zero x) as (h1 & h2). split.
  - rewrite <- (hx _), N2Nat.id, h1. discriminate.
  - intros y hy. apply hx, h2. lia.
Qed.

Lemma mex_unique : forall S x y, Mex S x -> Mex S y -> x = y.
Proof.
  intros S x y (hx1 & hx2) (hy1 & hy2). destruct (lt_eq_lt_dec x y) as [[h | h] | h].
  - destruct (hx1 (hy2 x h)).
  - exact h.
  - destruct (hy1 (hx2 y h)).
Qed.
