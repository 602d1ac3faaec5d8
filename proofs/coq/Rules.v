(** * The rules of three-rowed Chomp

A position is three row lengths [(p,q,r)], [p >= q >= r], the poisoned square at the beginning of
the top row. A bite takes a square with all squares below it and to the right of it. To bite the
poisoned square is to lose, not to move: the empty board is no position, and who finds [(1,0,0)] has
lost.

A position is P if and only if no bite leads from it to a P-position, and N otherwise. That is a
recursion on the number of squares, here a function that can be computed ([isP]). [P_iff] and
[N_iff] say that it is the recursion just stated, [P_unique] that no other set of positions
satisfies it.

Nothing else in this folder needs to be read to judge a statement of [Headline.v]. *)

From Coq Require Import Arith List Lia Wf_nat.
Import ListNotations.

(** ** Positions and bites *)

Definition position : Type := nat * nat * nat.

Definition Position (x : position) : Prop :=
  let '(p, q, r) := x in r <= q <= p /\ 1 <= p.

(** [Bite x y]: one bite leads from [x] to [y]. It leaves [p'] squares of the top row, or [q'] of
the middle row, or [r'] of the bottom row, and no more than that of the rows below. *)
Inductive Bite : position -> position -> Prop :=
| bite_top p q r p' : 0 < p' < p -> Bite (p, q, r) (p', min q p', min r p')
| bite_middle p q r q' : q' < q -> Bite (p, q, r) (p, q', min r q')
| bite_bottom p q r r' : r' < r -> Bite (p, q, r) (p, q, r').

(** The positions to which one bite leads, as a list. *)
Definition bites (x : position) : list position :=
  let '(p, q, r) := x in
  map (fun p' => (p', min q p', min r p')) (seq 1 (p - 1)) ++
  map (fun q' => (p, q', min r q')) (seq 0 q) ++
  map (fun r' => (p, q, r')) (seq 0 r).

Definition squares (x : position) : nat := let '(p, q, r) := x in p + q + r.

(** ** P and N *)

(** Is [x] P? The answer is right if [n] is at least the number of squares of [x]. *)
Fixpoint isP_within (n : nat) (x : position) : bool :=
  match n with
  | 0 => true
  | S n => negb (existsb (isP_within n) (bites x))
  end.

Definition isP (p q r : nat) : bool := isP_within (squares (p, q, r)) (p, q, r).

Definition P (x : position) : Prop :=
  Position x /\ let '(p, q, r) := x in isP p q r = true.

Definition N (x : position) : Prop :=
  Position x /\ let '(p, q, r) := x in isP p q r = false.

(** ** What follows at once *)

Theorem bite_position : forall x y, Position x -> Bite x y -> Position y.
Admitted.

Theorem bite_fewer : forall x y, Bite x y -> squares y < squares x.
Admitted.

Theorem bites_spec : forall x y, In y (bites x) <-> Bite x y.
Admitted.

(** P: no bite leads to a P-position. *)
Theorem P_iff : forall x, Position x -> (P x <-> forall y, Bite x y -> ~ P y).
Admitted.

(** N: some bite leads to a P-position. *)
Theorem N_iff : forall x, Position x -> (N x <-> exists y, Bite x y /\ P y).
Admitted.

(** Every position is one or the other, and not both. *)
Theorem P_or_N : forall x, Position x -> {P x} + {N x}.
Admitted.

Theorem not_P_and_N : forall x, P x -> ~ N x.
Admitted.

Theorem P_dec : forall x, {P x} + {~ P x}.
Admitted.

Theorem P_position : forall x, P x -> Position x.
Proof. intros x [h _]. exact h. Qed.

(** The rule decides: a set of positions that satisfies it is the set of P-positions. *)
Theorem P_unique : forall Q : position -> Prop,
  (forall x, Position x -> (Q x <-> forall y, Bite x y -> ~ Q y)) ->
  forall x, Position x -> (Q x <-> P x).
Admitted.
