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
Admitted.

(** ** Everything here can be decided *)

Theorem F_dec : forall q r p, {F q r p} + {~ F q r p}.
Admitted.

Theorem Ended_dec : forall r q, {Ended r q} + {~ Ended r q}.
Admitted.

Theorem RowBlocked_dec : forall r q p, {RowBlocked r q p} + {~ RowBlocked r q p}.
Admitted.

Theorem ColumnBlocked_dec : forall r q p, {ColumnBlocked r q p} + {~ ColumnBlocked r q p}.
Admitted.

Theorem Blocked_dec : forall r q p, {Blocked r q p} + {~ Blocked r q p}.
Admitted.

(** ** Facts *)

(** Fact 6. *)
Theorem F_unique : forall q r p p', F q r p -> F q r p' -> p = p'.
Admitted.

Theorem F_positive : forall q r p, F q r p -> 1 <= p.
Admitted.

Theorem F_P : forall q r p, F q r p <-> P (p, q, r).
Admitted.

(** A row that ended stays ended. *)
Theorem ended_stays : forall r x q p, F x r x -> x < q -> ~ F q r p.
Admitted.

(** Strategy stealing. *)
Theorem full_board_N : forall n, 1 <= n -> N (n, n, n).
Admitted.

Theorem two_full_rows_N : forall n, 1 <= n -> N (n, n, 0).
Admitted.

Theorem blocked_not_F : forall r q p, Blocked r q p -> ~ F q r p.
Admitted.

(** Fact 1. *)
Theorem fact_1 : forall r q p, r <= q -> ~ Ended r q ->
  (F q r p <-> q <= p /\ ~ Blocked r q p /\ forall p', q <= p' < p -> Blocked r q p').
Admitted.

(** The second half of fact 1, with the bound of corollary 1a. *)
Theorem F_exists : forall r q, r <= q -> ~ Ended r q -> exists p, p <= q + r + 1 /\ F q r p.
Admitted.

Theorem F_bound : forall r q p, F q r p -> p <= q + r + 1.
Admitted.

(** Corollary 1a, Brouwer's form. *)
Theorem corollary_1a : forall r q p, r <= q -> ~ Ended r q ->
  (F q r p <-> 1 <= p /\ ~ Listed r q p /\ forall p', 1 <= p' < p -> Listed r q p').
Admitted.

(** What is blocked by the row ascends with q, and what is blocked by the column with r. *)
Theorem RowBlocked_step : forall r q p, r <= q ->
  (RowBlocked r (S q) p <-> RowBlocked r q p \/ F q r p).
Admitted.

(** The offsets that the row blocks, U(q) of fact 3, are at most r. *)
Theorem RowBlocked_bound : forall r q p, r <= q -> RowBlocked r q p -> p <= q + r.
Admitted.
