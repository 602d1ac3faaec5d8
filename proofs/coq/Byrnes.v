(** * Byrnes' theorem: every row is finite or ultimately periodic

From fact 1, in the way of fact 3: U(q) is a set of offsets that are at most r, so among enough
columns whose distances are multiples of all periods below, U is the same in two; and from there on
everything repeats. Then least start and least period exist, and a finite table decides row r. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules Recurrence.

(** Row r is finite, and its last position is in column [last]. *)
Definition Finite (r last : nat) : Prop := F last r last.

(** Row r never ends, and its offsets repeat with [period] from column [start] on. *)
Definition Periodic (r start period : nat) : Prop :=
  0 < period /\
  forall q, start <= q -> exists p, F q r p /\ F (q + period) r (p + period).

(** The same with the least start and the least period. *)
Definition Canonical (r start period : nat) : Prop :=
  Periodic r start period /\
  forall s k, Periodic r s k -> start <= s /\ Nat.divide period k.

Theorem finite_row : forall r last, Finite r last ->
  (forall q, r <= q <= last -> exists p, F q r p) /\ (forall q p, last < q -> ~ F q r p).
Admitted.

Theorem finite_not_periodic : forall r last start period,
  Finite r last -> ~ Periodic r start period.
Admitted.

Theorem periodic_never_ends : forall r start period q,
  Periodic r start period -> ~ Ended r q.
Admitted.

(** ** Fact 3 with the full common multiple *)

(** Column q2 of row r is like column q1 for the row itself. *)
Definition SamePast (r q1 q2 : nat) : Prop :=
  forall x, RowBlocked r q1 (q1 + x) <-> RowBlocked r q2 (q2 + x).

(** From column s on, what the column blocks for row r repeats with M. *)
Definition ColumnsRepeat (r s M : nat) : Prop :=
  forall q x, s <= q -> (ColumnBlocked r q (q + x) <-> ColumnBlocked r (q + M) (q + M + x)).

Theorem recurrent_state : forall r q1 M, r <= q1 -> 0 < M -> ~ Ended r (q1 + M) ->
  ColumnsRepeat r q1 M -> SamePast r q1 (q1 + M) ->
  Periodic r q1 M /\ forall q, q1 <= q -> SamePast r q (q + M).
Admitted.

(** ** The theorem *)

Theorem byrnes : forall r,
  (exists last, Finite r last) \/ (exists start period, Periodic r start period).
Admitted.

Theorem canonical_exists : forall r start period,
  Periodic r start period -> exists s k, Canonical r s k.
Admitted.

Theorem canonical_unique : forall r s k s' k',
  Canonical r s k -> Canonical r s' k' -> s = s' /\ k = k'.
Admitted.

(** ** A finite table for each row *)

(** The offset that a head and a list of values state for the i-th column of a row. *)
Definition stated (head values : list nat) (i : nat) : option nat :=
  if i <? length head then nth_error head i
  else nth_error values ((i - length head) mod length values).

Theorem finite_table : forall r, exists head values, forall p q,
  P (p, q, r) <-> r <= q /\ exists x, stated head values (q - r) = Some x /\ p = q + x.
Admitted.
