(** * The rules of Chomp with any number of rows

A board is the list of its row lengths, the longest first; missing rows have length 0. The poisoned
square is at the beginning of the first row, which is row 0 here. The bite [(i, y)] takes the square
of row i that has y squares to its left, with all squares below it and to the right of it. So it
leaves y squares in row i, and at most y in the rows below. As in [Rules.v], the bite at the
poisoned square does not count as a move, and a board is P if and only if no bite leads from it to a
P-position.

With three rows this is the game of [Rules.v] ([three_rows]). [P_least] is fact 1 of
[../boards.md]. *)

From Coq Require Import Arith List Lia Bool.
From Chomp Require Rules.
Import ListNotations.

Local Arguments Nat.min : simpl never.

(** ** Boards and bites *)

(** No number is greater than [a], or than one before it. *)
Fixpoint Falling (a : nat) (t : list nat) : Prop :=
  match t with
  | [] => True
  | x :: u => x <= a /\ Falling x u
  end.

Definition Board (b : list nat) : Prop :=
  match b with
  | [] => False
  | p :: t => 1 <= p /\ Falling p t
  end.

Fixpoint bite (i y : nat) (b : list nat) : list nat :=
  match i, b with
  | 0, _ => map (Nat.min y) b
  | S _, [] => []
  | S i, x :: t => x :: bite i y t
  end.

(** The bites that are moves. *)
Definition Move (b : list nat) (c : nat * nat) : Prop :=
  let (i, y) := c in y < nth i b 0 /\ (i = 0 -> 0 < y).

Definition moves (b : list nat) : list (nat * nat) :=
  filter (fun c => negb ((fst c =? 0) && (snd c =? 0)))
    (flat_map (fun i => map (pair i) (seq 0 (nth i b 0))) (seq 0 (length b))).

Definition squares (b : list nat) : nat := list_sum b.

(** ** P *)

(** Is [b] P? The answer is right if [n] is at least the number of squares of [b]. *)
Fixpoint isP_within (n : nat) (b : list nat) : bool :=
  match n with
  | 0 => true
  | S n => negb (existsb (fun c => isP_within n (bite (fst c) (snd c) b)) (moves b))
  end.

Definition P (b : list nat) : Prop := Board b /\ isP_within (squares b) b = true.

(** ** What follows at once *)

Lemma moves_spec : forall b c, In c (moves b) <-> Move b c.
Proof.
  intros b [i y]. unfold moves, Move. rewrite filter_In, in_flat_map. split.
  - intros ((j & hj & h) & hc). apply in_map_iff in h. destruct h as (z & e & hz).
    injection e as -> ->. apply in_seq in hz. split; [lia |]. intros ->. cbn in hc.
    destruct y; [discriminate | lia].
  - intros (hy & h0). split.
    + exists i. split.
      * apply in_seq. destruct (le_lt_dec (length b) i); [| lia].
        rewrite nth_overflow in hy by assumption. lia.
      * apply in_map, in_seq. lia.
    + cbn. destruct i; [| reflexivity]. destruct y; [lia | reflexivity].
Qed.

Lemma squares_min : forall y b, squares (map (Nat.min y) b) <= squares b.
Proof.
  intros y b. unfold squares, list_sum. induction b as [| x b IH]; cbn [map fold_right]; lia.
Qed.

Lemma bite_fewer : forall b i y, y < nth i b 0 -> squares (bite i y b) < squares b.
Proof.
  induction b as [| x t IH]; intros i y h.
  - destruct i; cbn in h; lia.
  - pose proof (squares_min y t). unfold squares, list_sum in *.
    destruct i as [| i]; cbn [nth bite map fold_right] in *.
    + lia.
    + specialize (IH i y h). lia.
Qed.

Lemma falling_weaker : forall t a b, a <= b -> Falling a t -> Falling b t.
Proof. intros [| x t] a b h; cbn; [easy |]. intros [? ?]. split; [lia | assumption]. Qed.

Lemma falling_min : forall t a y, Falling a t -> Falling (Nat.min y a) (map (Nat.min y) t).
Proof.
  induction t as [| x t IH]; cbn; intros a y h; [easy |]. split; [lia |]. now apply IH.
Qed.

Lemma falling_bite : forall t a i y, Falling a t -> Falling a (bite i y t).
Proof.
  induction t as [| x t IH]; intros a i y h.
  - now destruct i.
  - destruct i as [| i]; cbn in *.
    + split; [lia |]. now apply falling_min.
    + split; [easy |]. now apply IH.
Qed.

Lemma min_falling : forall t a y, Falling a t -> a <= y -> map (Nat.min y) t = t.
Proof.
  induction t as [| x t IH]; cbn; intros a y h hy; [reflexivity |]. f_equal; [lia |].
  apply (IH x); [easy | lia].
Qed.

Lemma bite_board : forall b i y, Board b -> Move b (i, y) -> Board (bite i y b).
Proof.
  intros [| p t] i y h [hy h0]; cbn in h; [easy |]. destruct i as [| i]; cbn in *.
  - split; [lia |]. now apply falling_min.
  - split; [easy |]. now apply falling_bite.
Qed.

Lemma isP_within_enough : forall n m b, squares b <= n -> squares b <= m ->
  isP_within n b = isP_within m b.
Proof.
  assert (stuck : forall b, squares b = 0 -> moves b = []).
  { intros b h. destruct (moves b) as [| [i y] l] eqn:e; [reflexivity |].
    assert (m : Move b (i, y)) by (apply moves_spec; rewrite e; now left).
    destruct m as [m _]. apply bite_fewer in m. lia. }
  induction n as [| n IH]; intros m b hn hm.
  - destruct m; cbn; [reflexivity |]. now rewrite (stuck b) by lia.
  - destruct m as [| m]; cbn.
    + now rewrite (stuck b) by lia.
    + f_equal. apply Rules.existsb_ext_in. intros [i y] h. apply moves_spec in h.
      destruct h as [h _]. apply bite_fewer in h. cbn. apply IH; lia.
Qed.

(** P: no bite leads to a P-position. *)
Theorem P_iff : forall b, Board b ->
  (P b <-> forall i y, Move b (i, y) -> ~ P (bite i y b)).
Proof.
  intros b hb. unfold P. rewrite (isP_within_enough (squares b) (S (squares b))) by lia.
  cbn [isP_within]. rewrite negb_true_iff, <- not_true_iff_false, existsb_exists. split.
  - intros [_ h] i y hm [_ hp]. apply h. exists (i, y). split; [now apply moves_spec |].
    cbn. rewrite <- hp. apply isP_within_enough; [| lia]. destruct hm as [hm _].
    apply bite_fewer in hm. lia.
  - intros h. split; [exact hb |]. intros ([i y] & hc & hp). apply moves_spec in hc. cbn in hp.
    apply (h i y hc). split; [now apply bite_board |]. rewrite <- hp.
    destruct hc as [hc _]. apply bite_fewer in hc. apply isP_within_enough; lia.
Qed.

Theorem P_dec : forall b, Board b -> {P b} + {~ P b}.
Proof.
  intros b h. destruct (isP_within (squares b) b) eqn:e.
  - left. now split.
  - right. intros [_ hp]. congruence.
Defined.

Lemma bite_length : forall b i y, length (bite i y b) = length b.
Proof.
  induction b as [| x t IH]; intros [| i] y; cbn; try reflexivity.
  - now rewrite map_length.
  - now rewrite IH.
Qed.

(** N: some bite leads to a P-position. *)
Theorem N_iff : forall b, Board b ->
  (~ P b <-> exists i y, Move b (i, y) /\ P (bite i y b)).
Proof.
  intros b hb. split.
  - intros hn.
    destruct (existsb (fun c => isP_within (squares (bite (fst c) (snd c) b))
      (bite (fst c) (snd c) b)) (moves b)) eqn:e.
    + apply existsb_exists in e. destruct e as ([i y] & hc & hp). apply moves_spec in hc.
      exists i, y. split; [exact hc |]. split; [now apply bite_board | exact hp].
    + exfalso. apply hn, P_iff; [exact hb |]. intros i y hm [_ hp].
      apply not_true_iff_false in e. apply e, existsb_exists. exists (i, y).
      split; [now apply moves_spec | exact hp].
  - intros (i & y & hm & hp) h. exact (proj1 (P_iff b hb) h i y hm hp).
Qed.

(** ** Fact 1 of boards.md

[P (p :: t)] says that p is the f(t) of boards.md. *)

(** No p that is so small; or t is shut. *)
Definition Base (t : list nat) (p : nat) : Prop :=
  p < Nat.max (hd 0 t) 1 \/ exists x, 1 <= x < hd 0 t /\ P (x :: map (Nat.min x) t).

Definition Blocked (t : list nat) (p : nat) : Prop :=
  Base t p \/ exists j y, y < nth j t 0 /\ P (p :: bite j y t).

Theorem P_least : forall t p, Falling (hd 0 t) t ->
  (P (p :: t) <-> ~ Blocked t p /\ forall x, x < p -> Blocked t x).
Proof.
  intros t p ht.
  assert (board : forall x, Nat.max (hd 0 t) 1 <= x -> Board (x :: t)).
  { intros x hx. split; [lia |]. apply (falling_weaker _ (hd 0 t)); [lia | exact ht]. }
  assert (up : forall x, hd 0 t <= x -> map (Nat.min x) t = t).
  { intros x hx. now apply (min_falling t (hd 0 t)). }
  assert (right : forall p, P (p :: t) -> ~ Blocked t p /\ forall x, x < p -> Blocked t x).
  { clear p. intros p hp. pose proof hp as hb. destruct hb as [hb _].
    assert (hmax : Nat.max (hd 0 t) 1 <= p).
    { destruct hb as [h1 h2]. destruct t as [| a t]; cbn in *; lia. }
    pose proof (proj1 (P_iff _ hb) hp) as no.
    assert (shut : forall x, 1 <= x < p -> ~ P (x :: map (Nat.min x) t)).
    { intros x hx. specialize (no 0 x). cbn in no. rewrite Nat.min_l in no by lia.
      apply no. lia. }
    split.
    - intros [[h | (x & hx & h)] | (j & y & hy & h)].
      + lia.
      + apply (shut x); [lia | exact h].
      + apply (no (S j) y); [split; [exact hy | discriminate] | exact h].
    - intros x hx. destruct (le_lt_dec (Nat.max (hd 0 t) 1) x) as [hx1 |]; [| left; now left].
      assert (hn : ~ P (x :: t)).
      { intros h. apply (shut x); [lia |]. now rewrite up by lia. }
      apply N_iff in hn; [| now apply board]. destruct hn as ([| j] & y & [hy hy0] & h).
      + cbn in h, hy. rewrite Nat.min_l in h by lia. destruct (le_lt_dec (hd 0 t) y).
        * exfalso. apply (shut y); [lia | exact h].
        * left. right. exists y. split; [lia | exact h].
      + right. now exists j, y. }
  split; [apply right |]. intros [hp hx].
  assert (hmax : Nat.max (hd 0 t) 1 <= p).
  { destruct (le_lt_dec (Nat.max (hd 0 t) 1) p); [assumption |]. destruct hp. left. now left. }
  apply P_iff; [now apply board |]. intros [| j] y [hy hy0] h.
  - cbn in h, hy. rewrite Nat.min_l in h by lia. destruct (le_lt_dec (hd 0 t) y) as [hle |].
    + rewrite up in h by exact hle. apply right in h. destruct h as [h _]. apply h, hx. exact hy.
    + apply hp. left. right. exists y. split; [lia | exact h].
  - apply hp. right. now exists j, y.
Qed.

(** ** Three rows *)

Theorem three_rows : forall p q r, Rules.Position (p, q, r) ->
  (P [p; q; r] <-> Rules.P (p, q, r)).
Proof.
  intros p q r h.
  pose (Q := fun x : Rules.position => let '(p, q, r) := x in P [p; q; r]).
  change (Q (p, q, r) <-> Rules.P (p, q, r)). apply Rules.P_unique; [| exact h]. clear p q r h.
  intros [[p q] r] h. unfold Q. rewrite P_iff by (cbn in *; lia). split.
  - intros no y hb hy. inversion hb; subst.
    + apply (no 0 p'); [cbn; lia |]. cbn. rewrite Nat.min_l by lia.
      now rewrite (Nat.min_comm p' q), (Nat.min_comm p' r).
    + apply (no 1 q'); [cbn; lia |]. cbn. rewrite Nat.min_l by lia.
      now rewrite (Nat.min_comm q' r).
    + apply (no 2 r'); [cbn; lia |]. cbn. now rewrite Nat.min_l by lia.
  - intros no [| [| [| i]]] y [hy h0]; cbn in hy |- *.
    + rewrite Nat.min_l by lia. apply (no (y, Nat.min y q, Nat.min y r)).
      rewrite (Nat.min_comm y q), (Nat.min_comm y r). constructor. lia.
    + rewrite Nat.min_l by lia. apply (no (p, y, Nat.min y r)).
      rewrite (Nat.min_comm y r). constructor. lia.
    + rewrite Nat.min_l by lia. apply (no (p, q, y)). constructor. lia.
    + destruct i; lia.
Qed.
