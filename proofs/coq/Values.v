(** * Facts 4 and 5: juggling, and what rows 0 to R decide

Fact 4: the values of a periodic row, extended to all integers, are a juggling sequence: every
integer is [q + v_q] for exactly one q; and their mean is an integer. Fact 5: a lower bound for the
top row of the P-positions with more than R squares in the bottom row. *)

From Coq Require Import Arith List Permutation ZArith Lia.
From Chomp Require Import Rules Recurrence Byrnes.
Import ListNotations.

(** In a row, no p occurs twice. *)
Lemma F_injective : forall r q q' p, F q r p -> F q' r p -> q = q'.
Proof.
  assert (less : forall r q q' p, F q r p -> F q' r p -> ~ q < q').
  { intros r q q' p h h' hlt. apply (blocked_not_F r q' p); [| exact h'].
    right. right. left. exists q. split; [| exact h]. assert (r <= q) by apply h. lia. }
  intros r q q' p h h'. pose proof (less r q q' p h h'). pose proof (less r q' q p h' h). lia.
Qed.

(** ** Fact 4 *)

Definition sum (l : list nat) : nat := fold_right Nat.add 0 l.

Lemma sum_permutation : forall l l', Permutation l l' -> sum l = sum l'.
Proof.
  intros l l' h. induction h; simpl; lia.
Qed.

Section Juggling.

Variables (r start k : nat) (v : nat -> nat).
Hypothesis periodic : Periodic r start k.
Hypothesis values : forall i, i < k -> F (start + i) r (start + i + v i).

Let k_positive : 0 < k.
Proof. apply periodic. Qed.

Lemma values_repeat : forall i n, i < k -> F (start + i + n * k) r (start + i + v i + n * k).
Proof.
  intros i n hi.
  pose proof (repeats_multiple r start k n (periodic_repeats r start k periodic)) as h.
  replace (start + i + v i + n * k) with (start + i + n * k + v i) by lia.
  apply (h (start + i)); [lia | now apply values].
Qed.

(** Two values that land on the same place, up to a multiple of the period, are one. *)
Lemma landings_differ : forall i j n, i < k -> j < k -> i + v i = j + v j + n * k -> i = j.
Proof.
  intros i j n hi hj e. pose proof (values i hi) as h. pose proof (values_repeat j n hj) as h'.
  replace (start + j + v j + n * k) with (start + i + v i) in h' by lia.
  pose proof (F_injective r _ _ _ h h') as same. destruct n; nia.
Qed.

Definition landing (i : nat) : nat := (i + v i) mod k.

Lemma landing_injective : forall i j, i < k -> j < k -> landing i = landing j -> i = j.
Proof.
  intros i j hi hj e. unfold landing in e.
  pose proof (Nat.div_mod (i + v i) k ltac:(lia)) as ei.
  pose proof (Nat.div_mod (j + v j) k ltac:(lia)) as ej. rewrite e in ei.
  set (n := (i + v i) / k) in *. set (m := (j + v j) / k) in *.
  destruct (le_lt_dec m n).
  - apply (landings_differ i j (n - m)); try assumption. nia.
  - symmetry. apply (landings_differ j i (m - n)); try assumption. nia.
Qed.

Lemma landings_permute : Permutation (map landing (seq 0 k)) (seq 0 k).
Proof.
  apply NoDup_Permutation_bis.
  - assert (distinct : forall n, n <= k -> NoDup (map landing (seq 0 n))).
    { induction n as [| n IH]; intros hn; [constructor |].
      rewrite seq_S, map_app. simpl. apply (NoDup_Add (Add_app (landing n) _ [])).
      rewrite app_nil_r. split; [apply IH; lia |].
      rewrite in_map_iff. intros (i & e & hi). apply in_seq in hi.
      apply landing_injective in e; lia. }
    now apply distinct.
  - now rewrite map_length.
  - intros x hx. apply in_map_iff in hx. destruct hx as (i & <- & _). apply in_seq.
    pose proof (Nat.mod_upper_bound (i + v i) k). unfold landing. lia.
Qed.

Theorem mean_is_an_integer : Nat.divide k (sum (map v (seq 0 k))).
Proof.
  pose proof (sum_permutation _ _ landings_permute) as e.
  exists (sum (map (fun i => (i + v i) / k) (seq 0 k))).
  assert (split : forall l, sum l + sum (map v l) =
    sum (map landing l) + k * sum (map (fun i => (i + v i) / k) l)).
  { induction l as [| i l IH]; simpl; [lia |].
    pose proof (Nat.div_mod (i + v i) k ltac:(lia)). unfold landing in *. lia. }
  specialize (split (seq 0 k)). lia.
Qed.

(** The values, extended to all integers; 0 is the start. *)
Definition extended (q : Z) : Z := Z.of_nat (v (Z.to_nat (q mod Z.of_nat k))).

Open Scope Z_scope.

Theorem juggling : forall z : Z, exists! q : Z, q + extended q = z.
Proof.
  assert (hk : 0 < Z.of_nat k) by lia. intros z.
  assert (to : forall q, q mod Z.of_nat k = Z.of_nat (Z.to_nat (q mod Z.of_nat k))).
  { intros q. pose proof (Z.mod_pos_bound q _ hk). lia. }
  assert (small : forall q, (Z.to_nat (q mod Z.of_nat k) < k)%nat).
  { intros q. pose proof (Z.mod_pos_bound q _ hk). lia. }
  assert (lands : forall q, (q + extended q) mod Z.of_nat k =
    Z.of_nat (landing (Z.to_nat (q mod Z.of_nat k)))).
  { intros q. unfold extended, landing. rewrite Nat2Z.inj_mod, Nat2Z.inj_add, <- to.
    now rewrite Z.add_mod_idemp_l by lia. }
  assert (hit : In (Z.to_nat (z mod Z.of_nat k)) (map landing (seq 0 k))).
  { apply (Permutation_in _ (Permutation_sym landings_permute)), in_seq.
    specialize (small z). lia. }
  apply in_map_iff in hit. destruct hit as (i & e & hi). apply in_seq in hi.
  exists (z - Z.of_nat (v i)). split.
  - assert (place : (z - Z.of_nat (v i)) mod Z.of_nat k = Z.of_nat i).
    { rewrite <- Zminus_mod_idemp_l, (to z), <- e. unfold landing. rewrite Nat2Z.inj_mod.
      rewrite Zminus_mod_idemp_l, Nat2Z.inj_add, Z.add_simpl_r. apply Z.mod_small. lia. }
    unfold extended. rewrite place, Nat2Z.id. lia.
  - intros q <-. assert (same : Z.to_nat (q mod Z.of_nat k) = i).
    { apply landing_injective; [apply small | lia |]. rewrite e, lands. lia. }
    unfold extended. rewrite same. lia.
Qed.

Close Scope Z_scope.

End Juggling.

(** ** Fact 5 *)

(** [m] is the least f(q,R) with q > R, or any smaller number. *)
Theorem fact_5 : forall R m, (forall q p, R < q -> F q R p -> m <= p) ->
  forall p q s, R < s -> P (p, q, s) -> R + 2 <= p /\ m <= p.
Proof.
  intros R m least p q s hs h. apply F_P in h. assert (hq : q <= p /\ s <= q) by (split; apply h).
  split.
  - assert (p <> s); [| lia]. intros ->. replace q with s in h by lia. apply F_P in h.
    now apply full_board_not_P in h.
  - destruct (le_lt_dec m p) as [| hlt]; [assumption |]. exfalso.
    assert (he : ~ Ended R q).
    { intros (x & hx & hf). assert (R <= x) by apply hf. destruct (Nat.eq_dec x R) as [-> | hne].
      - apply F_P, full_board_not_P in hf. exact hf.
      - apply least in hf; lia. }
    destruct (F_exists R q) as (p0 & _ & h0); [lia | exact he |].
    assert (m <= p0) by (apply (least q); [lia | exact h0]).
    apply (blocked_not_F s q p); [| exact h].
    destruct (proj1 (fact_1 R q p0 ltac:(lia) he) h0) as (_ & _ & below).
    destruct (below p) as [hb | [(c & hc & hf) | [(x & hx & hf) | (c & hc & hf)]]]; [lia | | | |].
    + now left.
    + right. left. exists c. split; [lia | exact hf].
    + destruct (Nat.eq_dec x R) as [-> | hne].
      * right. left. exists R. split; [lia | exact hf].
      * apply least in hf; lia.
    + right. right. right. exists c. split; [lia | exact hf].
Qed.
