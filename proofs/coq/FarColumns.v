(** * Far columns

[cascade.md] speaks of the far columns of a row: those from which on all rows below have settled,
and no diagonal value matters. There the offsets of the row, and those that the rows below block,
repeat with a common period. They are continued with it to all integers, as [Laws.v] needs them. *)

From Coq Require Import Arith List ZArith Lia Bool.
From Chomp Require Import Rules Recurrence Byrnes Values Counting Uniqueness Laws.
Import ListNotations.

Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** C are the offsets that the rows below row r block in far columns, continued with the period P to
all integers. *)
Definition Blocks (r : nat) (P : Z) (C : Z -> nat -> Prop) : Prop :=
  0 < P /\ (forall q o, C (q + P) o <-> C q o) /\
  exists X : nat, forall q : nat, (X <= q)%nat ->
    forall o, C q o <-> ColumnBlocked r q (q + o).

(** v are the offsets of row r, continued in the same way. *)
Definition Continues (r : nat) (P : Z) (v : Z -> nat) : Prop :=
  0 < P /\ (forall q, v (q + P) = v q) /\
  exists X : nat, forall q : nat, (X <= q)%nat -> F q r (q + v q).

(** ** The continuation of a periodic row *)

Lemma continuation_exists : forall r s k, Periodic r s k -> exists v, Continues r k v.
Proof.
  intros r s k h. assert (hk : (0 < k)%nat) by apply h.
  assert (hs : (r <= s)%nat).
  { destruct h as [_ h]. destruct (h s (le_n s)) as (p & (_ & hrs & _) & _). exact hrs. }
  destruct (list_of nat (fun i x => F (s + i) r (s + i + x)) k) as (l & _ & hl).
  { intros i _. apply offset_exists; [lia |]. exact (periodic_never_ends r s k (s + i) h). }
  exists (fun q => nth (Z.to_nat ((q - s) mod k)) l O). split; [lia |]. split.
  - intros q. replace (q + k - s) with (q - s + 1 * k) by lia. now rewrite Z.mod_add by lia.
  - exists s. intros q hq. pose proof (Z.mod_pos_bound (q - s) k ltac:(lia)) as hm.
    pose proof (Z.div_mod (q - s) k ltac:(lia)) as e.
    pose proof (Z.div_pos (q - s) k ltac:(lia) ltac:(lia)) as hd.
    set (i := Z.to_nat ((q - s) mod k)). set (n := Z.to_nat ((q - s) / k)).
    destruct (hl i) as (x & hx & hf); [lia |]. rewrite (nth_error_nth l i O hx).
    apply (repeats_multiple r s k n (periodic_repeats r s k h)) in hf; [| lia].
    now replace q with (s + i + n * k)%nat by nia.
Qed.

(** From column q on, going to far columns. *)
Lemma far_shift : forall (P : Z) (q : Z) (B : nat), 0 < P ->
  exists (k : Z) (n : nat), q + k * P = n /\ (B <= n)%nat.
Proof.
  intros P q B hP. exists (B + Z.abs q). exists (Z.to_nat (q + (B + Z.abs q) * P)). nia.
Qed.

Section FarColumns.

Variables (r start k finite : nat) (P : Z) (v : Z -> nat) (C : Z -> nat -> Prop).
Hypothesis periodic : Periodic r start k.
Hypothesis counted : Counts (fun c => (c < r)%nat /\ Ends c) finite.
Hypothesis continues : Continues r P v.
Hypothesis blocks : Blocks r P C.

Let P_positive : 0 < P.
Proof. apply blocks. Qed.

Let v_shift : forall n q, v (q + n * P) = v q.
Proof. apply period_multiple, continues. Qed.

Lemma C_shift : forall n q o, C (q + n * P) o <-> C q o.
Proof.
  destruct blocks as (_ & h & _).
  assert (up : forall (n : nat) q o, C (q + n * P) o <-> C q o).
  { induction n as [| n IH]; intros q o; [now replace (q + 0%nat * P) with q by lia |].
    replace (q + S n * P) with (q + n * P + P) by lia. now rewrite h. }
  intros n q o. destruct (Z_le_gt_dec 0 n).
  - replace n with (Z.of_nat (Z.to_nat n)) by lia. apply up.
  - rewrite <- (up (Z.to_nat (- n)) (q + n * P)).
    now replace (q + n * P + Z.to_nat (- n) * P) with q by lia.
Qed.

Lemma U_shift : forall n q o, U v (q + n * P) o <-> U v q o.
Proof.
  intros n q o. split; intros (x & hx & h).
  - exists (x - n * P). rewrite <- (v_shift n). replace (x - n * P + n * P) with x by lia. lia.
  - exists (x + n * P). rewrite v_shift. lia.
Qed.

Let alive : forall q, ~ Ended r q.
Proof. intros q. exact (periodic_never_ends r start k q periodic). Qed.

(** A column from which on v, C and U are those of the row. *)
Lemma far_meaning : exists B : nat, forall q : nat, (B <= q)%nat ->
  F q r (q + v q) /\ (forall o, C q o <-> ColumnBlocked r q (q + o)) /\
  (forall o, U v q o <-> Offsets r q o) /\ Counts (Offsets r q) (1 + finite) /\ Offsets r q 0.
Proof.
  destruct continues as (_ & _ & X1 & h1). destruct blocks as (_ & _ & X2 & h2).
  destruct (far_columns r start k finite periodic counted) as (X3 & _ & h3).
  exists (X1 + X2 + X3 + 2 * r + 2)%nat. intros q hq.
  split; [apply h1; lia |]. split; [apply h2; lia |]. split; [| apply h3; lia].
  assert (small : forall x, (v x <= r + 1)%nat).
  { intros x. destruct (far_shift P x X1 P_positive) as (j & n & e & hn).
    rewrite <- (v_shift j), e. pose proof (F_bound _ _ _ (h1 n hn)). lia. }
  intros o. split.
  - intros (x & hx & e). pose proof (small x).
    assert (ex : x = Z.of_nat (Z.to_nat x)) by lia. set (t := Z.to_nat x) in *.
    right. right. exists t. split; [lia |].
    replace (q + o)%nat with (t + v t)%nat by (rewrite <- ex; lia). apply h1. lia.
  - intros [h | [(c & hc & h) | (t & ht & h)]].
    + lia.
    + apply F_bound in h. lia.
    + pose proof (F_bound _ _ _ h). exists t. split; [lia |].
      pose proof (F_unique _ _ _ _ h (h1 t ltac:(lia))). lia.
Qed.

Theorem far_row : FarRow P v C (1 + finite).
Proof.
  destruct far_meaning as (B & far).
  assert (go : forall q, exists j (n : nat), q + j * P = n /\ (B <= n)%nat).
  { intros q. apply far_shift, P_positive. }
  split.
  - exact P_positive.
  - apply continues.
  - intros q. destruct (go q) as (j & n & e & hn). rewrite <- (v_shift j), e.
    destruct (far n hn) as (h & _). destruct (v n); [| lia].
    rewrite Nat.add_0_r in h. destruct (alive (S n)). exists n. split; [lia | exact h].
  - intros x y hxy. destruct (far_shift P x (B + Z.to_nat (Z.abs (x - y))) P_positive)
      as (j & n & e & hn).
    pose proof (far n ltac:(lia)) as (hx & _). rewrite <- e, v_shift in hx.
    pose proof (far (Z.to_nat (y + j * P)) ltac:(lia)) as (hy & _).
    replace (Z.of_nat (Z.to_nat (y + j * P))) with (y + j * P) in hy by lia. rewrite v_shift in hy.
    replace (Z.to_nat (y + j * P) + v y)%nat with (n + v x)%nat in hy by lia.
    pose proof (F_injective _ _ _ _ hx hy). lia.
  - intros q h. destruct (go q) as (j & n & e & hn). rewrite <- (C_shift j), e in h.
    rewrite <- (v_shift j), e in h. destruct (far n hn) as (hf & hc & _). apply hc in h.
    apply (blocked_not_F r n (n + v n)); [| exact hf]. apply Blocked_iff. now right.
  - intros q o ho. destruct (go q) as (j & n & e & hn).
    rewrite <- (U_shift j), <- (C_shift j), e. rewrite <- (v_shift j), e in ho.
    destruct (far n hn) as (hf & hc & hu & _). rewrite hu, hc.
    assert (hr : (r <= n)%nat) by apply hf.
    destruct (proj1 (fact_1 r n _ hr (alive n)) hf) as (_ & _ & least).
    apply Blocked_iff, least. lia.
  - intros q. destruct (go q) as (j & n & e & hn). apply (U_shift j). rewrite e.
    destruct (far n hn) as (_ & _ & hu & _ & h0). now apply hu.
  - intros q. destruct (go q) as (j & n & e & hn). destruct (far n hn) as (_ & _ & hu & hc & _).
    revert hc. apply counts_ext. intros o. rewrite <- (U_shift j), e. symmetry. apply hu.
Qed.

End FarColumns.

(** ** Periods, and the next row *)

Lemma blocks_multiple : forall r P C (n : nat), (0 < n)%nat -> Blocks r P C -> Blocks r (n * P) C.
Proof.
  intros r P C n hn h. split; [destruct h; nia |]. split; [| apply h].
  intros q o. apply (C_shift r P C h).
Qed.

Lemma obeys_multiple : forall P C m e w N (n : nat), (0 < n)%nat ->
  Obeys P C m e w N -> Obeys (n * P) C m e w N.
Proof.
  intros P C m e w N n hn [law range l1 l1' l2 balls]. split; try assumption.
  destruct law as [hP he hw hf hx]. split; try assumption; [nia | |]; intros q;
    now apply period_multiple.
Qed.

Lemma continues_multiple : forall r P v (n : nat), (0 < n)%nat ->
  Continues r P v -> Continues r (n * P) v.
Proof.
  intros r P v n hn (hP & hv & h). split; [nia |]. split; [| exact h].
  intros q. now apply period_multiple.
Qed.

Lemma blocks_next : forall r P v C, Continues r P v -> Blocks r P C -> Blocks (S r) P (C' v C).
Proof.
  intros r P v C (hP & hv & X & h) (_ & hC & X' & h'). split; [exact hP |]. split.
  - intros q o. unfold C'. now rewrite hC, hv.
  - exists (X + X')%nat. intros q hq o. unfold C', ColumnBlocked. rewrite (h' q ltac:(lia) o).
    pose proof (h q ltac:(lia)) as hf. split.
    + intros [(c & hc & hb) | ->]; [exists c; split; [lia | exact hb] | exists r].
      split; [lia | exact hf].
    + intros (c & hc & hb). destruct (Nat.eq_dec c r) as [-> |].
      * right. pose proof (F_unique _ _ _ _ hf hb). lia.
      * left. exists c. split; [lia | exact hb].
Qed.

Lemma blocks_after_end : forall r P C, Ends r -> Blocks r P C -> Blocks (S r) P C.
Proof.
  intros r P C (x & hx) (hP & hC & X & h). split; [exact hP |]. split; [exact hC |].
  exists (X + x + 1)%nat. intros q hq o. rewrite (h q ltac:(lia) o). split.
  - intros (c & hc & hb). exists c. split; [lia | exact hb].
  - intros (c & hc & hb). exists c. split; [| exact hb].
    destruct (Nat.eq_dec c r) as [-> |]; [| lia].
    apply (ended_stays _ _ _ _ hx) in hb; [destruct hb | lia].
Qed.

(** There are no rows below row 0: one ball. *)
Lemma no_rows : Blocks 0 1 (fun _ _ => False) /\
  Obeys 1 (fun _ _ => False) 0 (fun _ => O) (fun _ => 1%nat) 1.
Proof.
  split.
  - split; [lia |]. split; [reflexivity |]. exists O. intros q _ o. split; [easy |].
    intros (c & hc & _). lia.
  - split.
    + split; intros; unfold fell, next; lia.
    + intros q o [].
    + lia.
    + intros q (_ & []).
    + intros x q d h. unfold next in h. lia.
    + intros q. apply (counts_ext (fun j => 0 <= j < 0 + 1)%nat); [| apply counts_interval].
      intros j. unfold Last. lia.
Qed.

(** Row r is constant from some column on. *)
Definition Constant (r : nat) : Prop := exists s, Periodic r s 1.

(** The periods of a row are those of its continuation. *)
Lemma periods : forall r P v k, Continues r P v -> (0 < k)%nat ->
  ((exists s, Periodic r s k) <-> forall q, v (q + k) = v q).
Proof.
  intros r P v k (hP & hv & X & hf) hk. split.
  - intros (s & _ & hs) x. destruct (far_shift P x (X + s) hP) as (j & n & e & hn).
    rewrite <- (period_multiple _ v P hv j x), <- (period_multiple _ v P hv j (x + k)).
    replace (x + k + j * P) with (Z.of_nat (n + k)) by lia. rewrite e.
    destruct (hs n) as (p & h1 & h2); [lia |].
    pose proof (F_unique _ _ _ _ h1 (hf n ltac:(lia))).
    pose proof (F_unique _ _ _ _ h2 (hf (n + k)%nat ltac:(lia))). lia.
  - intros h. exists X. split; [exact hk |]. intros q hq. exists (q + v q)%nat.
    split; [now apply hf |]. pose proof (hf (q + k)%nat ltac:(lia)) as h2.
    rewrite Nat2Z.inj_add, h in h2.
    now replace (q + v q + k)%nat with (q + k + v q)%nat by lia.
Qed.

Lemma constant_values : forall r P v, Continues r P v ->
  (Constant r <-> forall x y, v x = v y).
Proof.
  intros r P v h. unfold Constant. rewrite (periods r P v 1 h) by lia. split.
  - intros hv x y. rewrite <- (period_multiple _ v 1 hv (x - y) y). f_equal. lia.
  - intros hv q. apply hv.
Qed.

Lemma periodic_row : forall r, ~ Ends r -> exists s k, Periodic r s k.
Proof.
  intros r hr. destruct (byrnes r) as [(l & hl) | hp]; [| exact hp]. destruct hr. now exists l.
Qed.

(** A row that does not end, and the rows below it, are continued with a common period. *)
Theorem common_period : forall r m P0 C, ~ Ends r ->
  Counts (fun c => (c < r)%nat /\ Ends c) m -> Blocks r P0 C ->
  exists (n : nat) v, (0 < n)%nat /\ Continues r (n * P0) v /\ Blocks r (n * P0) C /\
    FarRow (n * P0) v C (1 + m).
Proof.
  intros r m P0 C hr hc hb. destruct (periodic_row r hr) as (s & k & hp).
  destruct (continuation_exists r s k hp) as (v & hv). assert (hk : (0 < k)%nat) by apply hp.
  assert (hP : 0 < P0) by apply hb.
  apply (continues_multiple _ _ _ (Z.to_nat P0)) in hv; [| lia].
  replace (Z.to_nat P0 * k) with (k * P0) in hv by lia.
  pose proof (blocks_multiple _ _ _ k hk hb) as hb'. exists k, v.
  split; [exact hk |]. split; [exact hv |]. split; [exact hb' |].
  exact (far_row r s k m _ v C hp hc hv hb').
Qed.

Theorem blocks_exist : forall r, exists P C, Blocks r P C /\ forall q o, C q o -> (1 <= o)%nat.
Proof.
  induction r as [| r (P & C & hb & positive)].
  - exists 1, (fun _ _ => False). split; [apply no_rows | easy].
  - destruct (ends_or_not r) as [he | he].
    + exists P, C. split; [now apply blocks_after_end | exact positive].
    + destruct (finite_rows_below r) as (m & _ & hm).
      destruct (common_period r m P C he hm hb) as (n & v & _ & hv & hb' & row).
      exists (n * P), (C' v C). split; [now apply blocks_next |].
      intros q o [h | ->]; [exact (positive q o h) | apply row].
Qed.
