(** * Boards as sets of squares

A board is the list of its row lengths in [Boards.v]. Here it is the set of its squares: a finite
set that has with each square all squares above it and to the left of it, and so the poisoned one
([shape_of_board], [board_of_shape]). The rule of the game for such sets, "P if no bite leaves a set
that is P", determines the same P-positions ([P_by_squares_unique]). The bites of [Levels.v] are the
same as well ([cut_bite]), and the value 0 means P ([level_0]). *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Boards.
From Chomp Require Byrnes Levels.
Import ListNotations.

(** ** Squares *)

Definition SquareOf (b : list nat) (i j : nat) : Prop := j < nth i b 0.

(** The squares that are left of S after a bite at square j of row i. *)
Definition LeftAfter (S : nat -> nat -> Prop) (i j i' j' : nat) : Prop :=
  S i' j' /\ ~ (i <= i' /\ j <= j').

Lemma bite_nth : forall i y b i',
  nth i' (bite i y b) 0 = if i <=? i' then Nat.min y (nth i' b 0) else nth i' b 0.
Proof.
  intros i y b. revert i. induction b as [| x t IH]; intros i i'.
  - destruct i, i'; simpl; try destruct (_ <=? _); lia.
  - destruct i as [| i].
    + change (bite 0 y (x :: t)) with (map (Nat.min y) (x :: t)). simpl (0 <=? i').
      rewrite <- (map_nth (Nat.min y)). now rewrite Nat.min_0_r.
    + destruct i' as [| i']; [reflexivity | exact (IH i i')].
Qed.

Lemma bite_squares : forall b i j i' j',
  SquareOf (bite i j b) i' j' <-> LeftAfter (SquareOf b) i j i' j'.
Proof.
  intros b i j i' j'. unfold SquareOf, LeftAfter. rewrite bite_nth.
  destruct (Nat.leb_spec i i'); lia.
Qed.

Lemma move_square : forall b i j, Move b (i, j) <-> SquareOf b i j /\ (i <> 0 \/ j <> 0).
Proof. intros b i j. unfold Move, SquareOf. lia. Qed.

(** ** Shapes *)

Definition Shape (S : nat -> nat -> Prop) : Prop :=
  S 0 0 /\ (forall i j, S i j \/ ~ S i j) /\
  (forall i j i' j', S i j -> i' <= i -> j' <= j -> S i' j') /\
  exists n, forall i j, S i j -> i < n /\ j < n.

Lemma falling_nth : forall t a, Falling a t <-> forall i, nth i t 0 <= nth i (a :: t) 0.
Proof.
  induction t as [| x t IH]; intros a.
  - split; [intros _ [| [| i]]; simpl; lia | intros _; exact I].
  - split.
    + intros (hx & h) [| i]; [exact hx | exact (proj1 (IH x) h i)].
    + intros h. split; [exact (h 0) |]. apply IH. intros i. exact (h (S i)).
Qed.

Lemma board_nth : forall b, Board b <->
  1 <= nth 0 b 0 /\ forall i, nth (S i) b 0 <= nth i b 0.
Proof.
  intros [| p t]; simpl.
  - split; [easy | lia].
  - rewrite falling_nth. reflexivity.
Qed.

Lemma rows_descend : forall b i i', Board b -> i' <= i -> nth i b 0 <= nth i' b 0.
Proof.
  intros b i i' h hi. apply board_nth in h as (_ & h). replace i with (i' + (i - i')) by lia.
  generalize (i - i'). intros n. induction n as [| n IH]; [now rewrite Nat.add_0_r |].
  rewrite Nat.add_succ_r. specialize (h (i' + n)). lia.
Qed.

Lemma shape_of_board : forall b, Board b -> Shape (SquareOf b).
Proof.
  intros b hb. unfold Shape, SquareOf. split; [now apply board_nth in hb |].
  split; [intros i j; lia |]. split.
  - intros i j i' j' h hi hj. pose proof (rows_descend b i i' hb hi). lia.
  - exists (nth 0 b 0 + length b). intros i j h.
    pose proof (rows_descend b i 0 hb (Nat.le_0_l i)).
    destruct (le_lt_dec (length b) i) as [hi | hi]; [| lia].
    rewrite nth_overflow in h by exact hi. lia.
Qed.

(** The length of a row. *)
Lemma row_length : forall A : nat -> Prop, (forall j, A j \/ ~ A j) ->
  (forall j j', A j -> j' <= j -> A j') -> forall n, (forall j, A j -> j < n) ->
  exists x, forall j, A j <-> j < x.
Proof.
  intros A dec down n. induction n as [| n IH]; intros h.
  - exists 0. intros j. split; [apply h | lia].
  - destruct (dec n) as [hn | hn].
    + exists (S n). intros j. split; [apply h |]. intros hj. apply (down n j hn). lia.
    + apply IH. intros j hj. specialize (h j hj). destruct (Nat.eq_dec j n) as [-> |]; [easy | lia].
Qed.

Lemma board_of_shape : forall S, Shape S ->
  exists b, Board b /\ forall i j, S i j <-> SquareOf b i j.
Proof.
  intros S (h0 & dec & down & n & hn).
  destruct (Byrnes.list_of nat (fun i x => forall j, S i j <-> j < x) n) as (b & hl & hb).
  { intros i _. apply (row_length (S i)) with (n := n); [apply dec | | apply hn].
    intros j j' hj hle. exact (down i j i j' hj (le_n i) hle). }
  assert (same : forall i j, S i j <-> SquareOf b i j).
  { intros i j. unfold SquareOf. destruct (le_lt_dec n i) as [hi | hi].
    - rewrite nth_overflow by lia. split; [intros h; apply hn in h; lia | lia].
    - destruct (hb i hi) as (x & hx & h). now rewrite (nth_error_nth b i 0 hx). }
  exists b. split; [| exact same]. apply board_nth. split; [now apply same |]. intros i.
  destruct (le_lt_dec (nth (Datatypes.S i) b 0) (nth i b 0)) as [h | h]; [exact h |].
  apply same in h. apply (down _ _ i (nth i b 0)) in h; [| lia | lia].
  apply same in h. unfold SquareOf in h. lia.
Qed.

Lemma shape_ext : forall S T, (forall i j, S i j <-> T i j) -> Shape S -> Shape T.
Proof.
  intros S T h (h0 & dec & down & n & hn). unfold Shape. setoid_rewrite <- h.
  repeat (split; [assumption |]). now exists n.
Qed.

(** ** P *)

(** W says which sets of squares are P. *)
Definition PBySquares (W : (nat -> nat -> Prop) -> Prop) : Prop :=
  (forall S T, (forall i j, S i j <-> T i j) -> W S -> W T) /\
  forall S, Shape S ->
    (W S <-> forall i j, S i j -> i <> 0 \/ j <> 0 -> ~ W (LeftAfter S i j)).

Theorem P_by_squares_unique : forall W, PBySquares W ->
  forall b, Board b -> (P b <-> W (SquareOf b)).
Proof.
  intros W (ext & rule). enough (h : forall n b, squares b < n -> Board b ->
    (P b <-> W (SquareOf b))) by (intros b; exact (h _ b (Nat.lt_succ_diag_r _))).
  induction n as [| n IH]; intros b hn hb; [lia |].
  rewrite (P_iff b hb), (rule _ (shape_of_board b hb)).
  assert (next : forall i j, Move b (i, j) ->
    (P (bite i j b) <-> W (LeftAfter (SquareOf b) i j))).
  { intros i j hm. rewrite (IH (bite i j b)).
    - split; apply ext; intros i' j'; [| symmetry]; apply bite_squares.
    - destruct hm as (hm & _). apply bite_fewer in hm. lia.
    - now apply bite_board. }
  setoid_rewrite move_square in next. setoid_rewrite move_square. split.
  - intros h i j hs hne hw. apply (h i j); [now split | now apply next].
  - intros h i j hm hp. apply (h i j); [apply hm | apply hm | now apply next].
Qed.

(** Boards with the same squares differ in empty rows at most. *)
Lemma same_squares_P : forall n b b', squares b < n -> Board b -> Board b' ->
  (forall i j, SquareOf b i j <-> SquareOf b' i j) -> (P b <-> P b').
Proof.
  induction n as [| n IH]; intros b b' hn hb hb' same; [lia |].
  rewrite (P_iff b hb), (P_iff b' hb').
  assert (next : forall i j, Move b (i, j) -> (P (bite i j b) <-> P (bite i j b'))).
  { intros i j hm. assert (hm' : Move b' (i, j)).
    { rewrite move_square in *. now rewrite <- same. }
    apply IH; [| now apply bite_board | now apply bite_board |].
    - destruct hm as (hm & _). apply bite_fewer in hm. lia.
    - intros i' j'. rewrite !bite_squares. unfold LeftAfter. now rewrite same. }
  setoid_rewrite move_square in next. setoid_rewrite move_square.
  split; intros h i j (hs & hne) hp.
  - apply same in hs. apply (h i j); [now split | now apply next].
  - apply (h i j); [rewrite <- same; now split | now apply next].
Qed.

Theorem P_by_squares_exists : exists W, PBySquares W.
Proof.
  exists (fun S => exists b, P b /\ forall i j, S i j <-> SquareOf b i j). split.
  - intros S T h (b & hb & same). exists b. split; [exact hb |]. intros i j. now rewrite <- h.
  - intros S hS. destruct (board_of_shape S hS) as (b & hb & same). split.
    + intros (c & hc & samec) i j hs hne (d & hd & samed). pose proof (proj1 hc) as hcb.
      assert (hm : Move c (i, j)) by (apply move_square; now rewrite <- samec).
      apply (proj1 (P_iff c hcb) hc i j hm).
      apply (same_squares_P (Datatypes.S (squares d)) d); [lia | apply hd | | | exact hd].
      * now apply bite_board.
      * intros i' j'. rewrite <- samed, bite_squares. unfold LeftAfter. now rewrite samec.
    + intros h. exists b. split; [| exact same]. apply P_iff; [exact hb |]. intros i j hm hp.
      apply move_square in hm as (hs & hne). apply (h i j); [now apply same | exact hne |].
      exists (bite i j b). split; [exact hp |]. intros i' j'. rewrite bite_squares.
      unfold LeftAfter. now rewrite same.
Qed.

(** ** The bites and values of [Levels.v] *)

Lemma cut_bite : forall i z x, Levels.cut i z x = bite i z x.
Proof.
  unfold Levels.cut. induction i as [| i IH]; intros z x; [reflexivity |].
  destruct x as [| a x]; [reflexivity |]. simpl. now rewrite IH.
Qed.

Lemma bite_move : forall x y, Levels.Bite x y <->
  exists i z, Move x (i, z) /\ y = bite i z x.
Proof.
  intros x y. unfold Levels.Bite, Move.
  split; intros (i & z & h); exists i, z; rewrite cut_bite in *; intuition lia.
Qed.

Theorem bite_by_squares : forall x y, Levels.Bite x y <-> length y = length x /\
  exists i j, SquareOf x i j /\ (i <> 0 \/ j <> 0) /\
    forall i' j', SquareOf y i' j' <-> LeftAfter (SquareOf x) i j i' j'.
Proof.
  intros x y. rewrite bite_move. split.
  - intros (i & j & hm & ->). split; [apply bite_length |]. exists i, j.
    apply move_square in hm as (hs & hne). split; [exact hs |]. split; [exact hne |].
    apply bite_squares.
  - intros (hl & i & j & hs & hne & h). exists i, j.
    split; [apply move_square; now split |].
    apply (nth_ext _ _ 0 0); [now rewrite bite_length |]. intros k _.
    assert (same : forall l, l < nth k y 0 <-> l < nth k (bite i j x) 0).
    { intros l. specialize (h k l). rewrite <- bite_squares in h. exact h. }
    pose proof (same (nth k y 0)). pose proof (same (nth k (bite i j x) 0)). lia.
Qed.

Theorem level_0 : forall G, Levels.GrundyValues G -> forall b, Board b -> (P b <-> G b = 0).
Proof.
  intros G hG. enough (h : forall n b, squares b < n -> Board b -> (P b <-> G b = 0))
    by (intros b; exact (h _ b (Nat.lt_succ_diag_r _))).
  induction n as [| n IH]; intros b hn hb; [lia |]. rewrite (P_iff b hb).
  destruct (hG b) as (differs & below). setoid_rewrite bite_move in differs.
  setoid_rewrite bite_move in below.
  assert (next : forall i j, Move b (i, j) -> (P (bite i j b) <-> G (bite i j b) = 0)).
  { intros i j hm. apply IH; [| now apply bite_board].
    destruct hm as (hm & _). apply bite_fewer in hm. lia. }
  split.
  - intros h. destruct (G b) as [| g] eqn:e; [reflexivity | exfalso].
    destruct (below 0) as (y & (i & j & hm & ->) & hy); [lia |].
    apply (h i j hm). now apply next.
  - intros h i j hm hp. apply next in hp; [| exact hm].
    apply (differs (bite i j b)); [now exists i, j | congruence].
Qed.
