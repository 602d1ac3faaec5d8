(** * The recurrence: facts 1 and 6, and corollary 1a

[F q r p] says [p = f(q,r)]: the position [(p,q,r)] is P. There is at most one such p (fact 6), and
unless row r ended before q there is one: the least [p >= q] that is not blocked (fact 1), which is
also the least positive number that is not in Brouwer's list (corollary 1a), and at most [q+r+1]. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules.

Definition F (q r p : nat) : Prop := q <= p /\ r <= q /\ P (p, q, r).

(** Row r ended before q. *)
Definition Ended (r q : nat) : Prop := exists x, x < q /\ F x r x.

(** Blocked by 0, by the diagonal (D), by the row's own past (R). *)
Definition RowBlocked (r q p : nat) : Prop :=
  p = 0 \/ (exists c, c < r /\ F c c p) \/ (exists q', r <= q' < q /\ F q' r p).

(** Blocked by the column (C). A row c that ended before q has no [F q c p] ([ended_stays]). *)
Definition ColumnBlocked (r q p : nat) : Prop := exists c, c < r /\ F q c p.

Definition Blocked (r q p : nat) : Prop :=
  p = 0 \/ (exists c, c < r /\ F c c p) \/ (exists q', r <= q' < q /\ F q' r p) \/
  (exists c, c < r /\ F q c p).

(** Brouwer's list: diagonal values, the row's past, the column, and the last values of rows below
that ended before q. *)
Definition Listed (r q p : nat) : Prop :=
  (exists c, c < r /\ F c c p) \/ (exists q', r <= q' < q /\ F q' r p) \/
  (exists c, c < r /\ F q c p) \/ (exists c, c < r /\ p < q /\ F p c p).

Theorem Blocked_iff : forall r q p, Blocked r q p <-> RowBlocked r q p \/ ColumnBlocked r q p.
Proof. intros r q p. unfold Blocked, RowBlocked, ColumnBlocked. tauto. Qed.

(** ** All properties here are decidable *)

Lemma or_dec : forall A B : Prop, {A} + {~ A} -> {B} + {~ B} -> {A \/ B} + {~ (A \/ B)}.
Proof. tauto. Defined.

Lemma and_dec : forall A B : Prop, {A} + {~ A} -> {B} + {~ B} -> {A /\ B} + {~ (A /\ B)}.
Proof. tauto. Defined.

Lemma exists_below_dec : forall A : nat -> Prop, (forall x, {A x} + {~ A x}) ->
  forall n, {exists x, x < n /\ A x} + {~ exists x, x < n /\ A x}.
Proof.
  intros A dec n. induction n as [| n [h | h]].
  - right. intros (x & h & _). lia.
  - left. destruct h as (x & h & hx). exists x. split; [lia | exact hx].
  - destruct (dec n) as [hn | hn].
    + left. exists n. split; [lia | exact hn].
    + right. intros (x & hx & ha). apply h. exists x. split; [| exact ha].
      destruct (Nat.eq_dec x n) as [-> |]; [contradiction | lia].
Defined.

Lemma all_below_dec : forall A : nat -> Prop, (forall x, {A x} + {~ A x}) ->
  forall n, {forall x, x < n -> A x} + {~ forall x, x < n -> A x}.
Proof.
  intros A dec n. destruct (exists_below_dec (fun x => ~ A x)) with (n := n) as [h | h].
  - intros x. destruct (dec x); [right; tauto | now left].
  - right. intros all. destruct h as (x & hx & ha). auto.
  - left. intros x hx. destruct (dec x) as [ha | ha]; [exact ha |]. destruct h. now exists x.
Defined.

Lemma least_exists : forall A : nat -> Prop, (forall x, {A x} + {~ A x}) ->
  forall n, A n -> exists x, x <= n /\ A x /\ forall y, y < x -> ~ A y.
Proof.
  intros A dec n. induction n as [n IH] using lt_wf_ind. intros hn.
  destruct (exists_below_dec A dec n) as [(x & hx & ha) | h].
  - destruct (IH x hx ha) as (y & hy & hay & least). exists y. repeat split; auto. lia.
  - exists n. repeat split; auto. intros y hy ha. apply h. now exists y.
Qed.

Theorem F_dec : forall q r p, {F q r p} + {~ F q r p}.
Proof.
  intros q r p. unfold F. apply and_dec; [apply le_dec |].
  apply and_dec; [apply le_dec | apply P_dec].
Defined.

Theorem Ended_dec : forall r q, {Ended r q} + {~ Ended r q}.
Proof. intros r q. apply exists_below_dec. intros x. apply F_dec. Defined.

Theorem RowBlocked_dec : forall r q p, {RowBlocked r q p} + {~ RowBlocked r q p}.
Proof.
  intros r q p. apply or_dec; [apply Nat.eq_dec |]. apply or_dec.
  - apply exists_below_dec. intros c. apply F_dec.
  - destruct (exists_below_dec (fun x => r <= x /\ F x r p)) with (n := q) as [h | h].
    + intros x. apply and_dec; [apply le_dec | apply F_dec].
    + left. destruct h as (x & h1 & h2 & h3). now exists x.
    + right. intros (x & h1 & h2). apply h. exists x. tauto.
Defined.

Theorem ColumnBlocked_dec : forall r q p, {ColumnBlocked r q p} + {~ ColumnBlocked r q p}.
Proof. intros r q p. apply exists_below_dec. intros c. apply F_dec. Defined.

Theorem Blocked_dec : forall r q p, {Blocked r q p} + {~ Blocked r q p}.
Proof.
  intros r q p. destruct (or_dec _ _ (RowBlocked_dec r q p) (ColumnBlocked_dec r q p)) as [h | h];
    rewrite <- Blocked_iff in h; [now left | now right].
Defined.

(** ** Facts *)

Theorem F_positive : forall q r p, F q r p -> 1 <= p.
Proof. intros q r p (_ & _ & h). apply P_position in h. simpl in h. lia. Qed.

Theorem F_P : forall q r p, F q r p <-> P (p, q, r).
Proof.
  intros q r p. unfold F. split; [tauto |]. intros h.
  pose proof (P_position _ h) as hx. simpl in hx. split; [lia |]. split; [lia | exact h].
Qed.

(** No bite leads from a P-position to a P-position. *)
Lemma bite_not_P : forall x y, P x -> Bite x y -> ~ P y.
Proof. intros x y hx. exact (proj1 (P_iff x (P_position x hx)) hx y). Qed.

(** Fact 6. *)
Theorem F_unique : forall q r p p', F q r p -> F q r p' -> p = p'.
Proof.
  assert (less : forall q r p p', F q r p -> F q r p' -> ~ p < p').
  { intros q r p p' (hq & hr & h) (_ & _ & h') hlt.
    pose proof (P_position _ h) as hx. simpl in hx.
    apply (bite_not_P _ _ h') in h; [exact h |].
    replace (p, q, r) with (p, min q p, min r p) by (repeat f_equal; lia).
    constructor. lia. }
  intros q r p p' h h'. pose proof (less q r p p' h h'). pose proof (less q r p' p h' h). lia.
Qed.

(** A row has no P-position after the column in which it ends. *)
Theorem ended_stays : forall r x q p, F x r x -> x < q -> ~ F q r p.
Proof.
  intros r x q p (_ & hr & h) hlt (hq & _ & h').
  pose proof (P_position _ h) as hx. simpl in hx.
  apply (bite_not_P _ _ h') in h; [exact h |].
  replace (x, x, r) with (x, min q x, min r x) by (repeat f_equal; lia).
  constructor. lia.
Qed.

Corollary ended_no_F : forall r q p, Ended r q -> ~ F q r p.
Proof. intros r q p (x & hlt & h). exact (ended_stays r x q p h hlt). Qed.

Lemma not_ended_before : forall r q q', q' <= q -> ~ Ended r q -> ~ Ended r q'.
Proof. intros r q q' h hq (x & hx & hf). apply hq. exists x. split; [lia | exact hf]. Qed.

(** Strategy stealing: if a bite leads from [x] to [y], and from [x] bites lead to all positions to
which bites lead from [y], then [x] is N. *)
Lemma strategy_stealing : forall x y, Position x -> Bite x y ->
  (forall z, Bite y z -> Bite x z) -> N x.
Proof.
  intros x y hx hb steal. pose proof (bite_position x y hx hb) as hy. apply N_iff; [exact hx |].
  destruct (P_or_N y hy) as [h | h].
  - now exists y.
  - apply N_iff in h; [| exact hy]. destruct h as (z & hz & hp). exists z. auto.
Qed.
Theorem full_board_N : forall n, 1 <= n -> N (n, n, n).
Proof.
  intros n hn. apply (strategy_stealing _ (n, n, n - 1)).
  - simpl. lia.
  - constructor. lia.
  - intros z hz. inversion hz; subst.
    + replace (min (n - 1) p') with (min n p') by lia. now constructor.
    + replace (min (n - 1) q') with (min n q') by lia. now constructor.
    + constructor. lia.
Qed.

Theorem two_full_rows_N : forall n, 1 <= n -> N (n, n, 0).
Proof.
  intros n hn. apply (strategy_stealing _ (n, n - 1, 0)).
  - simpl. lia.
  - apply (bite_middle n n 0 (n - 1)). lia.
  - intros z hz. inversion hz; subst.
    + replace (min (n - 1) p') with (min n p') by lia. now constructor.
    + constructor. lia.
    + lia.
Qed.

Corollary full_board_not_P : forall n, ~ P (n, n, n).
Proof.
  intros n h. apply (not_P_and_N _ h), full_board_N. apply P_position in h. simpl in h. lia.
Qed.

(** From a position that is not P, a bite leads to a P-position: the cases of fact 1. *)
Lemma N_cases : forall p q r, r <= q <= p -> 1 <= p -> ~ P (p, q, r) ->
  (exists p', p' < p /\ F q r p') \/
  (exists x, x < q /\ F x r x) \/
  (exists q', r <= q' < q /\ F q' r p) \/
  (exists c, c < r /\ F c c p) \/
  (exists c, c < r /\ F q c p).
Proof.
  intros p q r hqr hp hn. assert (hx : Position (p, q, r)) by (simpl; lia).
  destruct (P_or_N _ hx) as [h | h]; [contradiction |].
  apply N_iff in h; [| exact hx]. destruct h as (y & hb & hy).
  inversion hb; subst.
  - destruct (le_lt_dec q p') as [h1 | h1].
    + left. exists p'. split; [lia |]. apply F_P.
      replace (min q p') with q in hy by lia. now replace (min r p') with r in hy by lia.
    + replace (min q p') with p' in hy by lia. destruct (le_lt_dec r p') as [h2 | h2].
      * right. left. exists p'. split; [lia |]. apply F_P.
        now replace (min r p') with r in hy by lia.
      * replace (min r p') with p' in hy by lia. now apply full_board_not_P in hy.
  - destruct (le_lt_dec r q') as [h1 | h1].
    + right. right. left. exists q'. split; [lia |]. apply F_P.
      now replace (min r q') with r in hy by lia.
    + right. right. right. left. exists q'. split; [lia |]. apply F_P.
      now replace (min r q') with q' in hy by lia.
  - right. right. right. right. exists r'. split; [lia |]. now apply F_P.
Qed.

Theorem blocked_not_F : forall r q p, Blocked r q p -> ~ F q r p.
Proof.
  intros r q p hb h. pose proof (F_positive _ _ _ h). destruct h as (hq & hr & h).
  destruct hb as [-> | [(c & hc & hf) | [(q' & hq' & hf) | (c & hc & hf)]]]; [lia | | |];
    apply F_P in hf; revert hf; apply (bite_not_P _ _ h).
  - replace (p, c, c) with (p, c, min r c) by (repeat f_equal; lia). constructor. lia.
  - replace (p, q', r) with (p, q', min r q') by (repeat f_equal; lia). constructor. lia.
  - constructor. lia.
Qed.

(** If p is not blocked, then f(q,r) is p or less. *)
Lemma blocked_or_F : forall r q p, r <= q <= p -> ~ Ended r q ->
  Blocked r q p \/ exists p', p' <= p /\ F q r p'.
Proof.
  intros r q p hq he. destruct (P_dec (p, q, r)) as [h | h].
  - right. exists p. split; [lia | now apply F_P].
  - destruct (Nat.eq_dec p 0) as [h0 | h0]; [left; now left |].
    destruct (N_cases p q r) as [(p' & h1 & h2) | [h1 | [h1 | [h1 | h1]]]]; try lia; try easy.
    + right. exists p'. split; [lia | exact h2].
    + left. right. right. now left.
    + left. right. now left.
    + left. right. right. now right.
Qed.

(** Fact 1. *)
Theorem fact_1 : forall r q p, r <= q -> ~ Ended r q ->
  (F q r p <-> q <= p /\ ~ Blocked r q p /\ forall p', q <= p' < p -> Blocked r q p').
Proof.
  intros r q p hr he. split.
  - intros h. split; [apply h |]. split; [intros hb; exact (blocked_not_F r q p hb h) |].
    intros p' hp'. destruct (blocked_or_F r q p') as [hb | (x & hx & hf)]; try lia; try easy.
    rewrite (F_unique _ _ _ _ h hf) in hp'. lia.
  - intros (hq & hb & least). destruct (blocked_or_F r q p) as [| (x & hx & hf)]; try lia; try easy.
    destruct (Nat.eq_dec x p) as [-> | hne]; [exact hf |].
    destruct (blocked_not_F r q x); [| exact hf]. apply least. destruct hf. lia.
Qed.

(** ** Corollary 1a and the bound *)

(** The numbers from 1 to q - 1 are all in Brouwer's list. *)
Lemma listed_below : forall r q p, r <= q -> ~ Ended r q -> 1 <= p < q -> Listed r q p.
Proof.
  intros r q p hr he hp. assert (hn : ~ P (p, p, min p r)).
  { destruct (le_lt_dec r p) as [h | h].
    - replace (min p r) with r by lia. intros hP. apply he. exists p. split; [lia | now apply F_P].
    - replace (min p r) with p by lia. apply full_board_not_P. }
  destruct (N_cases p p (min p r)) as
    [(x & hx & hf) | [(x & hx & hf) | [(x & hx & hf) | [(c & hc & hf) | (c & hc & hf)]]]];
    try lia; try easy.
  - destruct hf. lia.
  - destruct (le_lt_dec r p) as [h | h].
    + replace (min p r) with r in hf by lia. destruct he. exists x. split; [lia | exact hf].
    + destruct hf as (_ & hf & _). lia.
  - right. left. destruct (le_lt_dec r p) as [h | h]; [| lia].
    exists x. replace (min p r) with r in * by lia. split; [lia | exact hf].
  - left. exists c. split; [lia | exact hf].
  - right. right. right. exists c. split; [lia |]. split; [lia | exact hf].
Qed.

Lemma listed_blocked : forall r q p, q <= p -> Listed r q p -> Blocked r q p.
Proof.
  intros r q p hq [h | [h | [h | (c & hc & hp & _)]]]; [| | | lia]; right; tauto.
Qed.

Lemma blocked_listed : forall r q p, 1 <= p -> Blocked r q p -> Listed r q p.
Proof. intros r q p hp [h | [h | [h | h]]]; [lia | | |]; unfold Listed; tauto. Qed.

Lemma listed_not_F : forall r q p, Listed r q p -> ~ F q r p.
Proof.
  intros r q p hl h. apply (blocked_not_F r q p); [| exact h].
  apply listed_blocked; [apply h | exact hl].
Qed.

(** The list has at most q + r members. The i-th one is a diagonal value for i < r, a value of the
row's past for r <= i < q, and the number that row i - q contributes for q <= i < q + r. *)
Definition Member (r q i p : nat) : Prop :=
  (i < r /\ F i i p) \/ (r <= i < q /\ F i r p) \/
  (q <= i /\ (F q (i - q) p \/ (p < q /\ F p (i - q) p))).

Lemma listed_member : forall r q p, r <= q -> Listed r q p ->
  exists i, i < q + r /\ Member r q i p.
Proof.
  intros r q p hr [(c & hc & h) | [(x & hx & h) | [(c & hc & h) | (c & hc & hp & h)]]].
  - exists c. split; [lia |]. now left.
  - exists x. split; [lia |]. right. now left.
  - exists (q + c). split; [lia |]. right. right. split; [lia |]. left.
    now replace (q + c - q) with c by lia.
  - exists (q + c). split; [lia |]. right. right. split; [lia |]. right.
    now replace (q + c - q) with c by lia.
Qed.

Lemma member_unique : forall r q i p p', r <= q -> Member r q i p -> Member r q i p' -> p = p'.
Proof.
  intros r q i p p' hr
    [(h & hf) | [(h & hf) | (h & [hf | (hp & hf)])]]
    [(h' & hf') | [(h' & hf') | (h' & [hf' | (hp' & hf')])]]; try lia;
    try (exact (F_unique _ _ _ _ hf hf')).
  - now apply (ended_stays _ _ _ _ hf') in hf.
  - now apply (ended_stays _ _ _ _ hf) in hf'.
  - destruct (lt_eq_lt_dec p p') as [[hlt | heq] | hlt]; [| exact heq |].
    + now apply (ended_stays _ _ _ _ hf hlt) in hf'.
    + now apply (ended_stays _ _ _ _ hf' hlt) in hf.
Qed.

(** Pigeonhole principle: n + 1 numbers cannot be in n places with at most one in each. *)
Lemma pigeonhole : forall n (R : nat -> nat -> Prop),
  (forall p, 1 <= p <= n + 1 -> exists i, i < n /\ R i p) ->
  (forall i p p', R i p -> R i p' -> p = p') -> False.
Proof.
  induction n as [| n IH]; intros R total unique.
  - destruct (total 1) as (i & hi & _); lia.
  - destruct (total (S n + 1)) as (i0 & hi0 & h0); [lia |].
    apply (IH (fun i p => p <= n + 1 /\ R (if i <? i0 then i else S i) p)).
    + intros p hp. destruct (total p) as (i & hi & h); [lia |].
      destruct (lt_eq_lt_dec i i0) as [[hlt | heq] | hlt].
      * exists i. split; [lia |]. split; [lia |]. apply Nat.ltb_lt in hlt. now rewrite hlt.
      * subst i. pose proof (unique _ _ _ h h0). lia.
      * exists (i - 1). split; [lia |]. split; [lia |].
        destruct (Nat.ltb_spec (i - 1) i0); [lia |]. now replace (S (i - 1)) with i by lia.
    + intros i p p' [_ h] [_ h']. exact (unique _ _ _ h h').
Qed.

(** The second half of fact 1, with the bound of corollary 1a. *)
Theorem F_exists : forall r q, r <= q -> ~ Ended r q -> exists p, p <= q + r + 1 /\ F q r p.
Proof.
  intros r q hr he.
  destruct (exists_below_dec (fun p => F q r p)) with (n := q + r + 2) as [h | h].
  - intros p. apply F_dec.
  - destruct h as (p & hp & h). exists p. split; [lia | exact h].
  - exfalso. apply (pigeonhole (q + r) (Member r q)).
    + intros p hp. apply listed_member; [exact hr |]. destruct (le_lt_dec q p) as [hq | hq].
      * apply blocked_listed; [lia |].
        destruct (blocked_or_F r q p) as [| (x & hx & hf)]; try lia; try easy.
        destruct h. exists x. split; [lia | exact hf].
      * apply listed_below; [exact hr | exact he | lia].
    + intros i p p'. now apply member_unique.
Qed.

(** Row r has a P-position in column q if and only if it has not ended before q. *)
Corollary F_exists_iff : forall r q, r <= q -> ((exists p, F q r p) <-> ~ Ended r q).
Proof.
  intros r q hr. split.
  - intros (p & h) he. now apply (ended_no_F _ _ p) in he.
  - intros he. destruct (F_exists r q hr he) as (p & _ & h). now exists p.
Qed.

Theorem F_bound : forall r q p, F q r p -> p <= q + r + 1.
Proof.
  intros r q p h. destruct (F_exists r q) as (x & hx & hf).
  - apply h.
  - intros he. now apply (ended_no_F _ _ p) in he.
  - now rewrite (F_unique _ _ _ _ h hf).
Qed.

(** Corollary 1a, Brouwer's form. *)
Theorem corollary_1a : forall r q p, r <= q -> ~ Ended r q ->
  (F q r p <-> 1 <= p /\ ~ Listed r q p /\ forall p', 1 <= p' < p -> Listed r q p').
Proof.
  intros r q p hr he. split.
  - intros h. split; [apply (F_positive _ _ _ h) |].
    split; [intros hl; exact (listed_not_F _ _ _ hl h) |]. intros p' hp'.
    destruct (le_lt_dec q p') as [hq | hq].
    + apply blocked_listed; [lia |]. apply (fact_1 r q p hr he); [exact h | lia].
    + apply listed_below; [exact hr | exact he | lia].
  - intros (hp & hl & least). destruct (F_exists r q hr he) as (x & _ & hf).
    destruct (lt_eq_lt_dec p x) as [[hlt | ->] | hlt]; [| exact hf |].
    + destruct hl. destruct (le_lt_dec q p) as [hq | hq].
      * apply blocked_listed; [lia |]. apply (fact_1 r q x hr he); [exact hf | lia].
      * apply listed_below; [exact hr | exact he | lia].
    + destruct (listed_not_F r q x); [| exact hf]. apply least.
      pose proof (F_positive _ _ _ hf). lia.
Qed.

(** ** U(q) of fact 3 *)

(** U(q+1) comes from U(q) and f(q,r). *)
Theorem RowBlocked_step : forall r q p, r <= q ->
  (RowBlocked r (S q) p <-> RowBlocked r q p \/ F q r p).
Proof.
  intros r q p hr. unfold RowBlocked. split.
  - intros [h | [h | (x & hx & h)]]; [tauto | tauto |].
    destruct (Nat.eq_dec x q) as [-> |]; [now right |].
    left. right. right. exists x. split; [lia | exact h].
  - intros [[h | [h | (x & hx & h)]] | h]; [tauto | tauto | |]; right; right.
    + exists x. split; [lia | exact h].
    + exists q. split; [lia | exact h].
Qed.

(** The offsets that the row blocks, U(q) of fact 3, are at most r. *)
Theorem RowBlocked_bound : forall r q p, r <= q -> RowBlocked r q p -> p <= q + r.
Proof.
  intros r q p hr [h | [(c & hc & h) | (x & hx & h)]]; [lia | |];
    apply F_bound in h; lia.
Qed.
