(** * The rules of three-rowed Chomp

A position is three row lengths [(p,q,r)], [p >= q >= r], the poisoned square at the beginning of
the top row. A bite takes a square with all squares below it and to the right of it. A player who
bites the poisoned square loses, so this bite does not count as a move. The empty board is not a
position, and a player whose turn it is at [(1,0,0)] has lost.

A position is P if and only if no bite leads from it to a P-position, and N otherwise. This is a
recursion on the number of squares, defined here as a computable function ([isP]). [P_iff] and
[N_iff] prove that the function satisfies this recursion, [P_unique] that no other set of positions
does.

These definitions are all that a statement of [Headline.v] about the game rests on, with those of
[Headline.v] itself and the few that its first lines name. *)

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
Proof.
  intros x y hx hb. destruct hb; simpl in *; lia.
Qed.

Theorem bite_fewer : forall x y, Bite x y -> squares y < squares x.
Proof.
  intros x y hb. destruct hb; simpl; lia.
Qed.

Theorem bites_spec : forall x y, In y (bites x) <-> Bite x y.
Proof.
  intros [[p q] r] y. unfold bites. rewrite !in_app_iff, !in_map_iff. split.
  - intros [(p' & <- & h) | [(q' & <- & h) | (r' & <- & h)]]; apply in_seq in h;
      constructor; lia.
  - intros h. inversion h; subst.
    + left. exists p'. split; [reflexivity | apply in_seq; lia].
    + right. left. exists q'. split; [reflexivity | apply in_seq; lia].
    + right. right. exists r'. split; [reflexivity | apply in_seq; lia].
Qed.

Lemma existsb_ext_in : forall (A : Type) (f g : A -> bool) l,
  (forall a, In a l -> f a = g a) -> existsb f l = existsb g l.
Proof.
  intros A f g l. induction l as [| a l IH]; simpl; intros h; [reflexivity |].
  rewrite h by auto. rewrite IH by auto. reflexivity.
Qed.

(** If [n] is at least the number of squares, the answer does not depend on it. *)
Lemma isP_within_enough : forall n x,
  squares x <= n -> isP_within n x = isP_within (squares x) x.
Proof.
  assert (more : forall k n m x, squares x <= k -> squares x <= n -> squares x <= m ->
    isP_within n x = isP_within m x).
  { induction k as [| k IH]; intros n m x hk hn hm.
    - assert (none : forall y, ~ In y (bites x)).
      { intros y hy. apply bites_spec, bite_fewer in hy. lia. }
      assert (nil : bites x = []).
      { destruct (bites x) as [| y l]; [reflexivity |]. destruct (none y). now left. }
      destruct n, m; simpl; now rewrite ?nil.
    - destruct (Nat.eq_dec (squares x) 0); [apply IH; lia |].
      destruct n as [| n], m as [| m]; try lia. simpl. f_equal.
      apply existsb_ext_in. intros y hy. apply bites_spec, bite_fewer in hy. apply IH; lia. }
  intros n x h. apply (more (squares x)); lia.
Qed.

(** The recursion of [isP], for all triples of numbers. *)
Lemma isP_within_iff : forall x,
  isP_within (squares x) x = true <->
  forall y, Bite x y -> isP_within (squares y) y = false.
Proof.
  intros x. rewrite <- (isP_within_enough (S (squares x))) by lia. simpl.
  rewrite Bool.negb_true_iff, <- Bool.not_true_iff_false, existsb_exists. split.
  - intros h y hy. apply Bool.not_true_iff_false. intros hp. apply h. exists y. split.
    + now apply bites_spec.
    + rewrite isP_within_enough; [exact hp | apply bite_fewer in hy; lia].
  - intros h (y & hy & hp). apply bites_spec in hy.
    rewrite isP_within_enough in hp by (apply bite_fewer in hy; lia).
    rewrite h in hp by exact hy. discriminate.
Qed.

Lemma P_unfold : forall x, P x <-> Position x /\ isP_within (squares x) x = true.
Proof. intros [[p q] r]. reflexivity. Qed.

Lemma N_unfold : forall x, N x <-> Position x /\ isP_within (squares x) x = false.
Proof. intros [[p q] r]. reflexivity. Qed.

(** P: no bite leads to a P-position. *)
Theorem P_iff : forall x, Position x -> (P x <-> forall y, Bite x y -> ~ P y).
Proof.
  intros x hx. rewrite P_unfold, isP_within_iff. split.
  - intros [_ h] y hb hy. apply P_unfold in hy. destruct hy as [_ hy].
    rewrite h in hy by exact hb. discriminate.
  - intros h. split; [exact hx |]. intros y hb. apply Bool.not_true_iff_false. intros hy.
    apply (h y hb), P_unfold. split; [now apply (bite_position x) | exact hy].
Qed.

(** Every position is one or the other, and not both. *)
Theorem P_or_N : forall x, Position x -> {P x} + {N x}.
Proof.
  intros x hx. destruct (isP_within (squares x) x) eqn:e.
  - left. now apply P_unfold.
  - right. now apply N_unfold.
Defined.

Theorem not_P_and_N : forall x, P x -> ~ N x.
Proof.
  intros x hp hn. apply P_unfold in hp. apply N_unfold in hn. destruct hp, hn. congruence.
Qed.

Theorem P_dec : forall x, {P x} + {~ P x}.
Proof.
  intros [[p q] r]. destruct (le_dec r q) as [h1 |]; [| right; intros [h _]; simpl in h; lia].
  destruct (le_dec q p) as [h2 |]; [| right; intros [h _]; simpl in h; lia].
  destruct (le_dec 1 p) as [h3 |]; [| right; intros [h _]; simpl in h; lia].
  destruct (P_or_N (p, q, r)) as [h | h].
  - simpl. lia.
  - now left.
  - right. intros hp. exact (not_P_and_N _ hp h).
Defined.

(** N: some bite leads to a P-position. *)
Theorem N_iff : forall x, Position x -> (N x <-> exists y, Bite x y /\ P y).
Proof.
  intros x hx. split.
  - intros hn. destruct (existsb (fun y => isP_within (squares y) y) (bites x)) eqn:e.
    + apply existsb_exists in e. destruct e as (y & hy & hp). apply bites_spec in hy.
      exists y. split; [exact hy |]. apply P_unfold.
      split; [now apply (bite_position x) | exact hp].
    + destruct (not_P_and_N x); [| exact hn]. apply P_iff; [exact hx |]. intros y hy hp.
      apply P_unfold in hp. destruct hp as [_ hp]. apply bites_spec in hy.
      rewrite <- Bool.not_true_iff_false in e. apply e, existsb_exists. now exists y.
  - intros (y & hb & hy). destruct (P_or_N x hx) as [hp | hn]; [| exact hn].
    destruct (proj1 (P_iff x hx) hp y hb hy).
Qed.

Theorem P_position : forall x, P x -> Position x.
Proof. intros x [h _]. exact h. Qed.

(** The rule decides: a set of positions that satisfies it is the set of P-positions. *)
Theorem P_unique : forall Q : position -> Prop,
  (forall x, Position x -> (Q x <-> forall y, Bite x y -> ~ Q y)) ->
  forall x, Position x -> (Q x <-> P x).
Proof.
  intros Q hQ.
  assert (all : forall n x, squares x < n -> Position x -> (Q x <-> P x)).
  { induction n as [| n IH]; intros x hn hx; [lia |].
    rewrite (hQ x hx), (P_iff x hx). split; intros h y hb hy; apply (h y hb);
      apply IH; try exact hy; try (now apply (bite_position x)); apply bite_fewer in hb; lia. }
  intros x. apply (all (S (squares x))). lia.
Qed.
