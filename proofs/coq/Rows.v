(** * Rows 0 to 400

This is the whole range of Zeilberger's computations. Coq evaluates the checker on the records of
[Records.v], and by [soundness] the records are theorems about P-positions: rows below 120 are
finite or have period 1; row 120 has period 2 from column 170 on and not before; the rows to 400
with a period other than 1 are 120 and 400. The statements use only [Rules.v] and arithmetic.

The end of the file has false records, which the checker refuses. *)

From Chomp Require Import Rules Recurrence Byrnes Checker Soundness Records.
From Coq Require Import BinNums Arith NArith List Bool Lia.
Import ListNotations.

(** ** Properties of a row *)

(** Row r is finite: it ends with the P-position (last,last,r), after which there is none. *)
Definition Ends (r last : nat) : Prop :=
  P (last, last, r) /\ forall p q, last < q -> ~ P (p, q, r).

(** Row r has a P-position in every column from s on, and their offsets repeat with period k. *)
Definition Repeats (r s k : nat) : Prop :=
  0 < k /\ forall q, s <= q -> exists p, P (p, q, r) /\ P (p + k, q + k, r).

(** The start s is the least, and every period is a multiple of k. *)
Definition RepeatsFirst (r s k : nat) : Prop :=
  Repeats r s k /\ forall s' k', Repeats r s' k' -> s <= s' /\ Nat.divide k k'.

Lemma ends_finite : forall r last, Ends r last <-> Byrnes.Finite r last.
Proof.
  intros r last. unfold Ends, Byrnes.Finite. rewrite <- F_P. split; [easy |].
  intros h. split; [exact h |]. intros p q hq. rewrite <- F_P. now apply (ended_stays r last).
Qed.

Lemma repeats_periodic : forall r s k, Repeats r s k <-> Byrnes.Periodic r s k.
Proof.
  intros r s k. unfold Repeats, Byrnes.Periodic. setoid_rewrite F_P. reflexivity.
Qed.

Lemma repeats_first_canonical : forall r s k, RepeatsFirst r s k <-> Canonical r s k.
Proof.
  intros r s k. unfold RepeatsFirst, Canonical. setoid_rewrite repeats_periodic. reflexivity.
Qed.

(** A row cannot both end and repeat. *)
Lemma ends_or_repeats : forall r last s k, Ends r last -> ~ Repeats r s k.
Proof. intros r last s k. rewrite ends_finite, repeats_periodic. apply finite_not_periodic. Qed.

(** ** The records are true *)

Lemma records_are_right : check records = true.
Proof. vm_compute. reflexivity. Qed.

Lemma record_is_true : forall r x, nth_error records r = Some x -> TrueRow r x.
Proof. exact (soundness records records_are_right). Qed.

(** The period that a record states, 0 if the row is finite. *)
Definition period_of (x : record) : nat :=
  match x with
  | FiniteRow _ _ _ _ => 0
  | PeriodicRow _ _ _ values _ _ => length values
  end.

Lemma row_of_record : forall r x, TrueRow r x ->
  period_of x = 0 /\ (exists last, Ends r last) \/
  0 < period_of x /\ exists s, RepeatsFirst r s (period_of x).
Proof.
  intros r [row first last head | row first s values proof head] h; simpl in *.
  - destruct h as (_ & _ & h & _). left. split; [reflexivity |].
    exists (N.to_nat last). now apply ends_finite.
  - destruct h as (_ & _ & h & _). right. split.
    + destruct h as ((h & _) & _). exact h.
    + exists (N.to_nat s). now apply repeats_first_canonical.
Qed.

Definition periods : list nat := map period_of records.

(** The stated periods are those of the rows. *)
Lemma row_of_period : forall r k, nth_error periods r = Some k ->
  k = 0 /\ (exists last, Ends r last) \/ 0 < k /\ exists s, RepeatsFirst r s k.
Proof.
  intros r k h. unfold periods in h. rewrite nth_error_map in h.
  destruct (nth_error records r) as [x |] eqn:e; [| discriminate]. injection h as <-.
  now apply row_of_record, record_is_true.
Qed.

Lemma stated_periods : forall (f : nat -> nat -> bool) n, n <= 401 ->
  forallb (fun r => match nth_error periods r with Some k => f r k | None => false end) (seq 0 n)
    = true ->
  forall r, r < n -> exists k, f r k = true /\
    (k = 0 /\ (exists last, Ends r last) \/ 0 < k /\ exists s, RepeatsFirst r s k).
Proof.
  intros f n hn h r hr. rewrite forallb_forall in h.
  specialize (h r). rewrite in_seq in h. specialize (h ltac:(lia)).
  destruct (nth_error periods r) as [k |] eqn:e; [| discriminate].
  exists k. split; [exact h | now apply row_of_period].
Qed.

(** ** Theorems *)

(** Rows below 120 are finite or have period 1. *)
Theorem rows_below_120 : forall r, r < 120 ->
  (exists last, Ends r last) \/ (exists s, RepeatsFirst r s 1).
Proof.
  intros r hr.
  destruct (stated_periods (fun _ k => k <=? 1) 120 ltac:(lia) eq_refl r hr)
    as (k & hk & [(_ & h) | (hpos & h)]).
  - now left.
  - right. apply Nat.leb_le in hk. replace k with 1 in h by lia. exact h.
Qed.

(** A periodic row's table, from its record. *)
Lemma periodic_table : forall r row first s values proof head,
  nth_error records r = Some (PeriodicRow row first s values proof head) ->
  RepeatsFirst r (N.to_nat s) (length values) /\ RowIs r head values.
Proof.
  intros r row first s values proof head h. apply record_is_true in h as (_ & _ & h1 & h2).
  split; [now apply repeats_first_canonical | exact h2].
Qed.

(** Row 120 has period 2 from column 170 on, and not before. *)
Theorem row_120 : RepeatsFirst 120 170 2.
Proof. exact (proj1 (periodic_table 120 _ _ _ _ _ _ eq_refl)). Qed.

(** From column 170 on, its offsets are 72, 70, 72, 70, ... *)
Theorem row_120_offsets : forall p n,
  (P (p, 170 + 2 * n, 120) <-> p = 170 + 2 * n + 72) /\
  (P (p, 171 + 2 * n, 120) <-> p = 171 + 2 * n + 70).
Proof.
  assert (h : forall p q i, 170 <= q -> (q - 170) mod 2 = i ->
    (P (p, q, 120) <-> p = q + nth i [72; 70] 0)).
  { intros p q i hq hi. destruct (periodic_table 120 _ _ _ _ _ _ eq_refl) as (_ & table).
    rewrite (table p q). unfold stated. rewrite !numbers_length. cbn [length].
    rewrite (proj2 (Nat.ltb_ge _ _)) by lia. replace (q - 120 - 50) with (q - 170) by lia.
    rewrite hi.
    assert (i < 2) by (subst i; apply Nat.mod_upper_bound; lia).
    destruct i as [| [| i]]; [| | lia]; simpl.
    - split; [intros (_ & x & hx & ->); now injection hx as <- | intros ->].
      split; [lia |]. now exists 72.
    - split; [intros (_ & x & hx & ->); now injection hx as <- | intros ->].
      split; [lia |]. now exists 70. }
  intros p n. split.
  - rewrite (h p _ 0); [reflexivity | lia |].
    replace (170 + 2 * n - 170) with (0 + n * 2) by lia. now rewrite Nat.mod_add.
  - rewrite (h p _ 1); [reflexivity | lia |].
    replace (171 + 2 * n - 170) with (1 + n * 2) by lia. now rewrite Nat.mod_add.
Qed.

(** Row 400 has period 2 from column 566 on, and not before. *)
Theorem row_400 : RepeatsFirst 400 566 2.
Proof. exact (proj1 (periodic_table 400 _ _ _ _ _ _ eq_refl)). Qed.

(** The rows to 400 with a period other than 1 are 120 and 400: the others end, or repeat with
period 1. *)
Theorem rows_to_400 : forall r, r <= 400 ->
  (r = 120 \/ r = 400 <-> ~ (exists last, Ends r last) /\ ~ (exists s, Repeats r s 1)).
Proof.
  assert (no : forall r s, RepeatsFirst r s 2 ->
    ~ (exists last, Ends r last) /\ ~ (exists s, Repeats r s 1)).
  { intros r s (h & least). split.
    - intros (last & h'). exact (ends_or_repeats r last s 2 h' h).
    - intros (s' & h'). destruct (least s' 1 h') as (_ & j & hj). lia. }
  intros r hr. split.
  - intros [-> | ->]; [exact (no _ _ row_120) | exact (no _ _ row_400)].
  - intros (h1 & h2).
    destruct (stated_periods (fun r k => (k <=? 1) || (r =? 120) || (r =? 400)) 401 ltac:(lia)
      eq_refl r ltac:(lia)) as (k & hk & hrow).
    destruct (Nat.eq_dec r 120); [now left |]. destruct (Nat.eq_dec r 400); [now right |].
    exfalso. rewrite !orb_true_iff, Nat.leb_le, !Nat.eqb_eq in hk.
    destruct hrow as [(_ & h) | (hpos & s & h & _)]; [now apply h1 |].
    apply h2. exists s. now replace 1 with k by lia.
Qed.

(** Of the rows to 400, 234 are finite. *)
Theorem finite_rows_to_400 : exists rows, NoDup rows /\ length rows = 234 /\
  forall r, r <= 400 -> (In r rows <-> exists last, Ends r last).
Proof.
  exists (filter (fun r => nth r periods 1 =? 0) (seq 0 401)). split.
  - apply NoDup_filter, seq_NoDup.
  - split; [vm_compute; reflexivity |]. intros r hr.
    rewrite filter_In, in_seq, Nat.eqb_eq.
    destruct (nth_error periods r) as [k |] eqn:e.
    + rewrite (nth_error_nth _ _ 1 e). destruct (row_of_period r k e) as [(-> & h) | (hk & h)].
      * split; [easy |]. intros _. split; [lia | reflexivity].
      * split; [lia |]. intros (last & hlast). destruct h as (s & h & _).
        destruct (ends_or_repeats r last s k hlast h).
    + apply nth_error_None in e. assert (hn : length periods = 401) by (vm_compute; reflexivity).
      lia.
Qed.

(** ** False records

Each is a changed true record, after the true records of the rows below. *)

Definition altered (r : nat) (f : record -> record) : list record :=
  firstn r records ++ map f (firstn 1 (skipn r records)).

Example control :
  check (altered 120 (fun x => x)) = true /\ check (altered 121 (fun x => x)) = true.
Proof. vm_compute. auto. Qed.

Definition periodic_with (s : N) (new_values : list N -> list N) (new_head : list N -> list N)
    (new_proof : certificate -> certificate) (x : record) : record :=
  match x with
  | PeriodicRow row first _ values proof head =>
      PeriodicRow row first s (new_values values) (new_proof proof) (new_head head)
  | x => x
  end.

Definition same {A : Type} (x : A) : A := x.

(** Row 120 with the start 169, the values that this start would require, and a shorter head. *)
Example start_169 :
  check (altered 120 (periodic_with 169 (fun _ => [70; 72]%N) (@removelast N) same)) = false.
Proof. vm_compute. reflexivity. Qed.

Example start_171 :
  check (altered 120 (periodic_with 171 (fun _ => [70; 72]%N) (fun l => l ++ [72%N])
    (fun c => Certificate 171 173 1 70 [71%N]))) = false.
Proof. vm_compute. reflexivity. Qed.

Example period_1 :
  check (altered 120 (periodic_with 170 (fun _ => [72]%N) same same)) = false /\
  check (altered 120 (periodic_with 170 (fun _ => [72]%N) same
    (fun c => Certificate 170 171 1 71 []))) = false /\
  check (altered 120 (periodic_with 170 (fun _ => [71]%N) same
    (fun c => Certificate 170 171 1 71 []))) = false.
Proof. vm_compute. auto. Qed.

Example period_4 :
  check (altered 120 (periodic_with 170 (fun _ => [72; 70; 72; 70]%N) same
    (fun c => Certificate 170 174 1 71 []))) = false.
Proof. vm_compute. reflexivity. Qed.

Example wrong_state :
  check (altered 120 (periodic_with 170 same same (fun c => Certificate 170 172 1 71 [73%N])))
    = false /\
  check (altered 120 (periodic_with 170 same same (fun c => Certificate 170 172 1 70 []))) = false.
Proof. vm_compute. auto. Qed.

Example wrong_modulus :
  check (altered 120 (periodic_with 170 same same (fun c => Certificate 170 172 2 71 []))) = false.
Proof. vm_compute. reflexivity. Qed.

Example wrong_offset :
  check (altered 120 (periodic_with 170 same
    (fun l => firstn 10 l ++ [68%N] ++ skipn 11 l) same)) = false.
Proof. vm_compute. reflexivity. Qed.

(** Row 121 ends in column 172: not in 171, with or without its last offset. *)
Definition finite_with (last : N) (new_head : list N -> list N) (x : record) : record :=
  match x with
  | FiniteRow row first _ head => FiniteRow row first last (new_head head)
  | x => x
  end.

Example last_one_less :
  check (altered 121 (finite_with 171 same)) = false /\
  check (altered 121 (finite_with 171 (@removelast N))) = false /\
  check (altered 121 (finite_with 171 (fun l => removelast (removelast l) ++ [0%N]))) = false.
Proof. vm_compute. auto. Qed.
