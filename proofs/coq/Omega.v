(** * Fact 10: rows of ω squares

A row may have a square for each natural number. A bite in it leaves finitely many squares there,
and in the rows below it at most as many. [omega_rule] says that the set [PO], which fact 10 names,
satisfies the rule of P-positions, and [omega_unique] that no other set does. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules Recurrence.

(** ** Positions and bites *)

Inductive row_length := Fin (n : nat) | Omega.

Definition at_most (x y : row_length) : Prop :=
  match x, y with
  | _, Omega => True
  | Omega, Fin _ => False
  | Fin m, Fin n => m <= n
  end.

Definition less (n : nat) (x : row_length) : Prop :=
  match x with
  | Fin m => n < m
  | Omega => True
  end.

(** The length of a row after a bite that leaves n squares in a row above. *)
Definition cut (x : row_length) (n : nat) : row_length :=
  match x with
  | Fin m => Fin (min m n)
  | Omega => Fin n
  end.

Definition positionO : Type := row_length * row_length * row_length.

Definition PositionO (x : positionO) : Prop :=
  let '(p, q, r) := x in at_most r q /\ at_most q p /\ less 0 p.

Inductive BiteO : positionO -> positionO -> Prop :=
| biteO_top p q r p' : 0 < p' -> less p' p -> BiteO (p, q, r) (Fin p', cut q p', cut r p')
| biteO_middle p q r q' : less q' q -> BiteO (p, q, r) (p, Fin q', cut r q')
| biteO_bottom p q r r' : less r' r -> BiteO (p, q, r) (p, q, Fin r').

(** The P-positions: those with finite rows, and (ω,ω,0). *)
Definition PO (x : positionO) : Prop :=
  match x with
  | (Fin p, Fin q, Fin r) => P (p, q, r)
  | (Omega, Omega, Fin 0) => True
  | _ => False
  end.

(** ** The finite positions are those of [Rules.v] *)

Lemma bite_finite : forall p q r y,
  BiteO (Fin p, Fin q, Fin r) y <->
  exists p' q' r', y = (Fin p', Fin q', Fin r') /\ Bite (p, q, r) (p', q', r').
Proof.
  intros p q r y. split.
  - intros h. inversion h; subst; simpl in *; do 3 eexists; (split; [reflexivity |]);
      constructor; lia.
  - intros (p' & q' & r' & -> & h). inversion h; subst.
    + apply (biteO_top (Fin _) (Fin _) (Fin _)); simpl; lia.
    + apply (biteO_middle (Fin _) (Fin _) (Fin _)). simpl. lia.
    + apply (biteO_bottom (Fin _) (Fin _) (Fin _)). simpl. lia.
Qed.

Lemma position_finite : forall p q r,
  PositionO (Fin p, Fin q, Fin r) <-> Position (p, q, r).
Proof. intros p q r. simpl. lia. Qed.

(** ** (a): (ω,q,r) *)

(** A top-row bite from (ω,q,r) that leaves a P-position leaves (f(q,r),q,r), or (x,x,r) if row r
ended at x < q. *)
Lemma top_bite : forall q r p', 0 < p' -> r <= q ->
  (PO (Fin p', Fin (min q p'), Fin (min r p')) <->
   (q <= p' /\ F q r p') \/ (p' < q /\ F p' r p')).
Proof.
  intros q r p' hp hr. simpl. rewrite <- F_P.
  destruct (le_lt_dec q p') as [h1 | h1].
  - replace (min q p') with q by lia. replace (min r p') with r by lia. intuition lia.
  - replace (min q p') with p' by lia. destruct (le_lt_dec r p') as [h2 | h2].
    + replace (min r p') with r by lia. intuition lia.
    + replace (min r p') with p' by lia. split.
      * intros h. apply F_P, full_board_not_P in h. easy.
      * intros [(h & _) | (_ & (_ & h & _))]; lia.
Qed.

(** Exactly one bite from (ω,q,r) leaves a P-position. It is in the top row. *)
Theorem fact_10a : forall q r, r <= q -> exists p, 0 < p /\
  ((q <= p /\ F q r p) \/ (p < q /\ F p r p)) /\
  forall y, BiteO (Omega, Fin q, Fin r) y ->
    (PO y <-> y = (Fin p, Fin (min q p), Fin (min r p))).
Proof.
  intros q r hr.
  assert (some : exists p, 0 < p /\ ((q <= p /\ F q r p) \/ (p < q /\ F p r p))).
  { destruct (Ended_dec r q) as [(x & hx & h) | he].
    - exists x. split; [exact (F_positive _ _ _ h) | right; now split].
    - destruct (F_exists r q hr he) as (p & _ & h). exists p.
      split; [exact (F_positive _ _ _ h) | left; split; [apply h | exact h]]. }
  destruct some as (p & hp & h). exists p. split; [exact hp |]. split; [exact h |].
  intros y hb. inversion hb; subst; simpl cut.
  - rewrite top_bite by assumption. split.
    + intros h'. enough (p' = p) as -> by reflexivity.
      destruct h as [(h1 & h2) | (h1 & h2)], h' as [(h1' & h2') | (h1' & h2')].
      * exact (F_unique _ _ _ _ h2' h2).
      * now apply (ended_stays _ _ _ _ h2') in h2.
      * now apply (ended_stays _ _ _ _ h2) in h2'.
      * destruct (lt_eq_lt_dec p p') as [[hlt | e] | hlt]; [| now symmetry |].
        -- now apply (ended_stays _ _ _ _ h2 hlt) in h2'.
        -- now apply (ended_stays _ _ _ _ h2' hlt) in h2.
    + intros e. injection e as -> _ _. exact h.
  - simpl. split; [easy | discriminate].
  - simpl. split; [easy | discriminate].
Qed.

Lemma omega_q_r_N : forall q r, r <= q -> exists y, BiteO (Omega, Fin q, Fin r) y /\ PO y.
Proof.
  intros q r hr. destruct (fact_10a q r hr) as (p & hp & _ & h).
  exists (Fin p, Fin (min q p), Fin (min r p)).
  assert (hb : BiteO (Omega, Fin q, Fin r) (Fin p, Fin (min q p), Fin (min r p))).
  { now apply (biteO_top Omega (Fin q) (Fin r) p hp). }
  split; [exact hb |]. now apply (h _ hb).
Qed.

(** ** (b), (c) and (d) *)

(** (b): no bite from 2×ω, (ω,ω,0), leaves a P-position. *)
Theorem fact_10b : forall y, BiteO (Omega, Omega, Fin 0) y -> ~ PO y.
Proof.
  intros y hb. inversion hb; subst; simpl in *.
  - intros h. apply (not_P_and_N _ h). now apply two_full_rows_N.
  - easy.
  - lia.
Qed.

(** (c): the bites from (ω,ω,r) that leave P-positions are the bite that removes the bottom row and,
if row r ends at x, the bite in the top row that leaves (x,x,r). *)
Theorem fact_10c : forall r y, 1 <= r -> BiteO (Omega, Omega, Fin r) y ->
  (PO y <-> y = (Omega, Omega, Fin 0) \/ exists x, F x r x /\ y = (Fin x, Fin x, Fin r)).
Proof.
  intros r y hr hb. inversion hb; subst.
  - simpl. destruct (le_lt_dec r p') as [h | h].
    + replace (min r p') with r by lia. rewrite <- F_P. split.
      * intros hf. right. now exists p'.
      * intros [e | (x & hf & e)]; [discriminate |]. now injection e as ->.
    + replace (min r p') with p' by lia. split.
      * intros hp. now apply full_board_not_P in hp.
      * intros [e | (x & hf & e)]; [discriminate |]. injection e. lia.
  - simpl. split; [easy |]. intros [e | (x & _ & e)]; discriminate.
  - simpl in *. destruct r' as [| r'].
    + split; [now left | easy].
    + split; [easy |]. intros [e | (x & _ & e)]; discriminate.
Qed.

(** (d): exactly one bite from 3×ω leaves a P-position: it removes the bottom row. *)
Theorem fact_10d : forall y, BiteO (Omega, Omega, Omega) y ->
  (PO y <-> y = (Omega, Omega, Fin 0)).
Proof.
  intros y hb. inversion hb; subst; simpl.
  - split; [intros h; now apply full_board_not_P in h | discriminate].
  - split; [easy | discriminate].
  - destruct r' as [| r']; [easy |]. split; [easy | discriminate].
Qed.

(** ** The rule *)

Theorem omega_rule : forall x, PositionO x -> (PO x <-> forall y, BiteO x y -> ~ PO y).
Proof.
  intros [[[p |] [q |]] [r |]] hx; try (simpl in hx; tauto).
  - apply position_finite in hx. change (PO (Fin p, Fin q, Fin r)) with (P (p, q, r)).
    rewrite (P_iff _ hx). split.
    + intros h y hb. apply bite_finite in hb. destruct hb as (p' & q' & r' & -> & hb).
      exact (h _ hb).
    + intros h [[p' q'] r'] hb. apply (h (Fin p', Fin q', Fin r')), bite_finite.
      now exists p', q', r'.
  - assert (hr : r <= q) by (simpl in hx; lia).
    destruct (omega_q_r_N q r hr) as (y & hb & hy).
    split; [intros h; easy | intros h; exact (h y hb hy)].
  - destruct r as [| r].
    + split; [intros _; exact fact_10b | easy].
    + split; [easy |]. intros h. apply (h (Omega, Omega, Fin 0)); [| easy].
      apply biteO_bottom. simpl. lia.
  - split; [easy |]. intros h. apply (h (Omega, Omega, Fin 0)); [| easy].
    now apply biteO_bottom.
Qed.

Lemma biteO_position : forall x y, PositionO x -> BiteO x y -> PositionO y.
Proof.
  intros x y hx hb. destruct hb as [[p |] [q |] [r |] p' h1 h2 | [p |] [q |] [r |] q' h |
    [p |] [q |] [r |] r' h]; simpl in *; lia.
Qed.

(** A set that satisfies the rule is PO. *)
Theorem omega_unique : forall Q : positionO -> Prop,
  (forall x, PositionO x -> (Q x <-> forall y, BiteO x y -> ~ Q y)) ->
  forall x, PositionO x -> (Q x <-> PO x).
Proof.
  intros Q hQ.
  (* If Q and PO agree after every bite, they agree. *)
  assert (step : forall x, PositionO x ->
    (forall y, BiteO x y -> PositionO y -> (Q y <-> PO y)) -> (Q x <-> PO x)).
  { intros x hx h. rewrite (hQ x hx), (omega_rule x hx).
    split; intros h' y hb hy; apply (h' y hb); apply h; try assumption;
      now apply (biteO_position x). }
  assert (finite : forall p q r, PositionO (Fin p, Fin q, Fin r) ->
    (Q (Fin p, Fin q, Fin r) <-> PO (Fin p, Fin q, Fin r))).
  { enough (all : forall n p q r, p + q + r < n -> PositionO (Fin p, Fin q, Fin r) ->
      (Q (Fin p, Fin q, Fin r) <-> PO (Fin p, Fin q, Fin r))).
    { intros p q r. apply (all (S (p + q + r))). lia. }
    induction n as [| n IH]; intros p q r hn hx; [lia |]. apply (step _ hx).
    intros y hb hy. apply bite_finite in hb. destruct hb as (p' & q' & r' & -> & hb).
    apply bite_fewer in hb. simpl in hb. apply IH; [lia | exact hy]. }
  assert (one : forall n q r, q + r < n -> PositionO (Omega, Fin q, Fin r) ->
    (Q (Omega, Fin q, Fin r) <-> PO (Omega, Fin q, Fin r))).
  { induction n as [| n IH]; intros q r hn hx; [lia |]. apply (step _ hx).
    intros y hb hy. inversion hb; subst; simpl in *; [now apply finite | |];
      apply IH; simpl; lia. }
  assert (two : forall n r, r < n ->
    (Q (Omega, Omega, Fin r) <-> PO (Omega, Omega, Fin r))).
  { induction n as [| n IH]; intros r hn; [lia |]. apply step; [simpl; tauto |].
    intros y hb hy. inversion hb; subst; simpl cut in *.
    - now apply finite.
    - apply (one (S (q' + min r q'))); [lia | exact hy].
    - simpl in *. apply IH. lia. }
  intros [[[p |] [q |]] [r |]] hx; try (simpl in hx; tauto).
  - now apply finite.
  - apply (one (S (q + r))); [lia | exact hx].
  - apply (two (S r)). lia.
  - apply (step _ hx). intros y hb hy. inversion hb; subst; simpl cut in *.
    + now apply finite.
    + apply (one (S (q' + q'))); [lia | exact hy].
    + apply (two (S r')). lia.
Qed.
