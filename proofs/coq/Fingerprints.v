(** * Records whose heads are fingerprints

A data set has, for each row, the offsets of its head or their fingerprint ([docs/FORMAT.md]). This
file reads the second form. The checker computes the head by fact 1, compares its fingerprint with
the stated one, and then checks the record with that head. [check_sealed_iff]: it accepts a list if
and only if these are the records that [check] accepts, with their heads replaced by fingerprints.

Different heads can have the same fingerprint. So a fingerprint proves nothing about the offsets:
what is proved is the record with the computed head. *)

From Coq Require Import NArith List Bool Lia.
From Chomp Require Import Masks Checker.
Import ListNotations.

Local Open Scope N_scope.

(** ** The fingerprint of a head *)

(** Constants have names, so that the extracted program computes them once. *)
Definition ones_64 : N := N.ones 64.
Definition gamma : N := 0x9e3779b97f4a7c15.
Definition factor_1 : N := 0xbf58476d1ce4e5b9.
Definition factor_2 : N := 0x94d049bb133111eb.

Definition modulo_2_64 (x : N) : N := N.land x ones_64.

Definition splitmix64 (q : N) : N :=
  let x := modulo_2_64 (q + gamma) in
  let x := modulo_2_64 (N.lxor x (N.shiftr x 30) * factor_1) in
  let x := modulo_2_64 (N.lxor x (N.shiftr x 27) * factor_2) in
  N.lxor x (N.shiftr x 31).

(** w(q) *)
Definition column_weight (q : N) : N := N.lor (splitmix64 q) 1.

(** The sum of [offset * w(q)] over the columns q, q + 1, ... of the offsets. *)
Fixpoint weighted_sum (q : N) (offsets : list N) : N :=
  match offsets with
  | [] => 0
  | x :: offsets => x * column_weight q + weighted_sum (N.succ q) offsets
  end.

Definition fingerprint (row : N) (head : list N) : N := modulo_2_64 (weighted_sum row head).

(** The examples of [docs/FORMAT.md], and the first output of the published generator. *)
Example weight_of_column_0 : column_weight 0 = 0xe220a8397b1dcdaf.
Proof. reflexivity. Qed.
Example weight_of_column_1 : column_weight 1 = 0x910a2dec89025cc1.
Proof. reflexivity. Qed.
Example fingerprint_of_row_1 : fingerprint 1 [2; 0] = 0x22145bd91204b982.
Proof. reflexivity. Qed.

(** ** Records with a fingerprint *)

Inductive sealed :=
| SealedFinite (row first last sum : N)
| SealedPeriodic (row first start : N) (values : list N) (proof : certificate) (sum : N).

(** A record with the fingerprint of its head instead of the head. *)
Definition seal (x : record) : sealed :=
  match x with
  | FiniteRow row first last head => SealedFinite row first last (fingerprint row head)
  | PeriodicRow row first start values proof head =>
      SealedPeriodic row first start values proof (fingerprint row head)
  end.

(** The first n offsets of fact 1, from the state [u] and the columns. *)
Fixpoint compute (u n : N) (columns : list N) : list N :=
  match columns with
  | [] => []
  | c :: columns =>
      if n =? 0 then []
      else let b := mex (N.lor u c) in b :: compute (next_state u b) (N.pred n) columns
  end.

(** The offsets of the current row in the columns before [past], which is at most [far]. *)
Definition computed_head (b : below) (row past far : N) : list N :=
  compute (diagonal b) (past - row) (columns_to b far).

(** The record with the computed head. For it the columns are computed as far as [step] needs
them. *)
Definition with_head (b : below) (x : sealed) : record :=
  match x with
  | SealedFinite row first last _ =>
      FiniteRow row first last (computed_head b row (N.succ last) (N.succ last))
  | SealedPeriodic row first start values proof _ =>
      PeriodicRow row first start values proof (computed_head b row start (recurs proof))
  end.

Definition sum_is_right (x : sealed) (y : record) : bool :=
  match x, y with
  | SealedFinite row _ _ sum, FiniteRow _ _ _ head
  | SealedPeriodic row _ _ _ _ sum, PeriodicRow _ _ _ _ _ head => fingerprint row head =? sum
  | _, _ => false
  end.

(** The rows below the next row, if this record is right. *)
Definition step_sealed (b : below) (x : sealed) : option below :=
  let y := with_head b x in if sum_is_right x y then step b y else None.

Fixpoint check_sealed_from (b : below) (records : list sealed) : bool :=
  match records with
  | [] => true
  | x :: records =>
      match step_sealed b x with Some b' => check_sealed_from b' records | None => false end
  end.

Definition check_sealed (records : list sealed) : bool := check_sealed_from none_below records.

(** ** It accepts what [check] accepts *)

Theorem step_sealed_sound : forall b x b', step_sealed b x = Some b' ->
  exists y, seal y = x /\ step b y = Some b'.
Proof.
  intros b x b' h. unfold step_sealed in h. destruct (sum_is_right x _) eqn:e in h;
    [| discriminate]. exists (with_head b x). split; [| exact h]. clear h.
  destruct x; simpl in *; apply N.eqb_eq in e; now rewrite e.
Qed.

(** The walk of [Checker.v] compares with the offsets that [compute] computes. *)
Lemma compute_walked : forall offsets u columns passed u' rest more,
  walk u offsets columns = Some (passed, u', rest) ->
  compute u (count offsets + more) columns = offsets ++ compute u' more rest.
Proof.
  induction offsets as [| b offsets IH]; intros u columns passed u' rest more h.
  - simpl in h. now injection h as _ <- <-.
  - destruct columns as [| c columns]; [discriminate |]. simpl in h.
    destruct (N.eqb_spec b (mex (N.lor u c))) as [hb |]; [| discriminate]. simpl in h.
    destruct (negb _); [| discriminate].
    destruct (walk (next_state u b) offsets columns) as [[[passed1 u1] rest1] |] eqn:ew;
      [| discriminate].
    injection h as _ <- <-. change (count (b :: offsets)) with (N.succ (count offsets)).
    simpl compute. rewrite <- hb.
    replace (N.succ (count offsets) + more =? 0) with false by (symmetry; apply N.eqb_neq; lia).
    replace (N.pred (N.succ (count offsets) + more)) with (count offsets + more) by lia.
    simpl. f_equal. now apply (IH _ _ passed1).
Qed.

Lemma count_app : forall A (l l' : list A), count (l ++ l') = count l + count l'.
Proof.
  intros A l l'. induction l as [| x l IH]; [reflexivity |].
  change (N.succ (count (l ++ l')) = N.succ (count l) + count l'). rewrite IH. lia.
Qed.

(** If [check] accepts a record, the computed head is its head. *)
Lemma with_head_seal : forall b y b', step b y = Some b' -> with_head b (seal y) = y.
Proof.
  intros b [row first last head | row first s vs proof head] b' h; simpl in *; f_equal.
  - unfold step_finite in h. destruct (_ && _)%bool eqn:e in h; [| discriminate].
    apply andb_prop in e as (e & hlast). apply andb_prop in e as (_ & hzero).
    apply N.eqb_eq in hzero, hlast.
    destruct (walk _ _ _) as [[[passed u] [| c rest]] |] eqn:ew in h; try discriminate.
    destruct (N.eqb_spec (mex (N.lor u c)) 0) as [hm |]; [| discriminate].
    assert (hhead : head = removelast head ++ [0]).
    { destruct head as [| x head]; [discriminate |]. rewrite <- hzero.
      replace (List.last (x :: head) 1) with (List.last (x :: head) 0).
      - apply app_removelast_last. discriminate.
      - clear. revert x. induction head as [| y head IH]; intros x; [reflexivity |]. apply IH. }
    unfold computed_head. transitivity (removelast head ++ [0]); [| now symmetry].
    replace (N.succ last - row) with (count (removelast head) + 1).
    + rewrite (compute_walked _ _ _ _ _ _ _ ew). simpl. rewrite hm. now destruct rest.
    + assert (hcount : count head = count (removelast head) + 1).
      { rewrite hhead at 1. apply count_app. }
      lia.
  - unfold step_periodic in h. destruct (structure_is_right _ _ _ _ _ _ _) eqn:e in h;
      [| discriminate].
    unfold structure_is_right in e. rewrite !andb_true_iff in e.
    destruct e as (((((((((((_ & _) & hstart) & _) & _) & _) & _) & _) & _) & _) & _) & _).
    apply N.eqb_eq in hstart.
    destruct (walk _ (head ++ _) _) as [[[passed u] rest] |] eqn:ew in h; [| discriminate].
    unfold computed_head. replace (s - row) with (count head + 0) by lia.
    assert (hprefix : forall l l' u columns, walk u (l ++ l') columns <> None ->
      exists passed u' rest, walk u l columns = Some (passed, u', rest)).
    { clear. induction l as [| x l IH]; intros l' u columns h; simpl in *; [eauto |].
      destruct columns as [| c columns]; [easy |]. destruct (_ && _); [| easy].
      destruct (walk _ (l ++ l') _) as [[[? ?] ?] |] eqn:e; [| easy].
      destruct (IH l' (next_state u x) columns) as (passed & u' & rest & ->); [congruence |].
      eauto. }
    destruct (hprefix head _ _ _ ltac:(rewrite ew; discriminate)) as (passed1 & u1 & rest1 & e).
    rewrite (compute_walked _ _ _ _ _ _ _ e).
    replace (compute u1 0 rest1) with (@nil N) by (now destruct rest1). apply app_nil_r.
Qed.

Theorem step_sealed_complete : forall b y b', step b y = Some b' ->
  step_sealed b (seal y) = Some b'.
Proof.
  intros b y b' h. unfold step_sealed. rewrite (with_head_seal b y b' h), h.
  destruct y; simpl; now rewrite N.eqb_refl.
Qed.

Lemma check_sealed_from_iff : forall records b, check_sealed_from b records = true <->
  exists opened, map seal opened = records /\ check_from b opened = true.
Proof.
  induction records as [| x records IH]; intros b; simpl.
  - split; [| reflexivity]. intros _. now exists [].
  - split.
    + destruct (step_sealed b x) as [b' |] eqn:e; [| discriminate]. intros h.
      apply IH in h as (opened & <- & h). apply step_sealed_sound in e as (y & <- & e).
      exists (y :: opened). split; [reflexivity |]. simpl. now rewrite e.
    + intros ([| y opened] & hmap & h); [discriminate |]. simpl in hmap, h.
      injection hmap as <- <-. destruct (step b y) as [b' |] eqn:e; [| discriminate].
      rewrite (step_sealed_complete b y b' e). apply IH. now exists opened.
Qed.

(** Records with fingerprints are accepted if and only if they come from records that [check]
accepts. *)
Theorem check_sealed_iff : forall records, check_sealed records = true <->
  exists opened, map seal opened = records /\ check opened = true.
Proof. intros records. apply check_sealed_from_iff. Qed.
