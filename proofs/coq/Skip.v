(** * The skip lemma, and the window theorem for one tile

Sections 2.3, 3.1 and 5.1 of [proofs/sweep.md]: the columns in which an engine need not look for a
state that recurs; the numbers among which it must look for f(q,r); and the proof that the lowest
bit that two words share is f(q,r).

The window theorem is more general than the engines need. Windows have any width. Every row and
every column has anchors of its own. Below the column's own anchor, every number must be blocked by
the column or by the diagonal; between the column's anchor and that of a row that it meets, every
number that is free in the column's low mask must be blocked by the diagonal. The cells can come in
any order in which each row meets its columns one after the other, and each column its rows.
[window_theorem] is the theorem in this generality, [window_theorem_common_anchors] that of 5.1. *)

From Coq Require Import Arith Bool List Lia.
From Chomp Require Import Rules Recurrence Byrnes.
From Coq Require Import NArith.
Import ListNotations.

(** ** Three monotonicities (section 1) *)

(** (D), with 0 as a diagonal value. *)
Definition DiagonalBlocked (r p : nat) : Prop := p = 0 \/ exists c, c < r /\ F c c p.

Lemma diagonal_row_blocked : forall r q p, DiagonalBlocked r p -> RowBlocked r q p.
Proof. unfold DiagonalBlocked, RowBlocked. tauto. Qed.

(** 1.1 *)
Lemma row_blocked_later : forall r q q' p, q <= q' -> RowBlocked r q p -> RowBlocked r q' p.
Proof.
  intros r q q' p hq [h | [h | (x & hx & h)]]; [now left | right; now left |].
  right. right. exists x. split; [lia | exact h].
Qed.

(** 1.2 *)
Lemma column_blocked_later : forall r r' q p,
  r <= r' -> ColumnBlocked r q p -> ColumnBlocked r' q p.
Proof. intros r r' q p hr (c & hc & h). exists c. split; [lia | exact h]. Qed.

Lemma diagonal_blocked_later : forall r r' p,
  r <= r' -> DiagonalBlocked r p -> DiagonalBlocked r' p.
Proof.
  intros r r' p hr [h | (c & hc & h)]; [now left | right]. exists c. split; [lia | exact h].
Qed.

Lemma column_blocked_step : forall r q p,
  ColumnBlocked (S r) q p <-> ColumnBlocked r q p \/ F q r p.
Proof.
  intros r q p. split.
  - intros (c & hc & h). destruct (Nat.eq_dec c r) as [-> | hne]; [now right |].
    left. exists c. split; [lia | exact h].
  - intros [(c & hc & h) | h]; [exists c | exists r]; (split; [lia | exact h]).
Qed.

Lemma not_not_row_blocked : forall r q p, ~ ~ RowBlocked r q p -> RowBlocked r q p.
Proof. intros r q p h. destruct (RowBlocked_dec r q p); tauto. Qed.

Lemma not_not_column_blocked : forall r q p, ~ ~ ColumnBlocked r q p -> ColumnBlocked r q p.
Proof. intros r q p h. destruct (ColumnBlocked_dec r q p); tauto. Qed.

(** ** Columns that need not be compared (2.3) *)

(** If U(q1) = U(q2), and an offset is free for the row in column q1, then so are all offsets that
are greater by a multiple of [q2 - q1]. *)
Lemma free_in_steps : forall r q1 q2 o n, r <= q1 < q2 -> SamePast r q1 q2 ->
  ~ RowBlocked r q1 (q1 + o) -> ~ RowBlocked r q1 (q1 + (o + n * (q2 - q1))).
Proof.
  intros r q1 q2 o n hq same free. induction n as [| n IH]; [now rewrite Nat.add_0_r |].
  intros hb. apply IH. apply same. apply (row_blocked_later r q1 q2); [lia |].
  now replace (q2 + (o + n * (q2 - q1))) with (q1 + (o + S n * (q2 - q1))) by lia.
Qed.

(** The claim of 2.3, with G for its n. If in a column an offset o is free for the row, and G
consecutive greater offsets are not, then the column is in no pair (q1,q2) with U(q1) = U(q2) and
[q2 - q1 <= G]. (As U is the same in q1 and q2, it is enough to assume this for q1.) *)
Theorem skipped_columns : forall r q1 q2 o top G, r <= q1 < q2 -> SamePast r q1 q2 ->
  o < top -> ~ RowBlocked r q1 (q1 + o) ->
  (forall x, top <= x < top + G -> RowBlocked r q1 (q1 + x)) ->
  G < q2 - q1.
Proof.
  intros r q1 q2 o top G hq same ho free blocked.
  destruct (le_lt_dec (q2 - q1) G) as [h |]; [exfalso | assumption].
  set (d := q2 - q1) in *. set (n := (top - o + d - 1) / d).
  pose proof (Nat.div_mod (top - o + d - 1) d ltac:(lia)) as e. fold n in e.
  pose proof (Nat.mod_upper_bound (top - o + d - 1) d ltac:(lia)).
  apply (free_in_steps r q1 q2 o n hq same free), blocked. fold d. nia.
Qed.

(** ** The skip lemma (3.1) *)

(** [m], the [least_q] of 3.1, may be the least number from q on that neither (D) nor (C) blocks, or
any smaller one. *)
Theorem skip_lemma : forall r q m lo hi p, r <= q <= m -> ~ Ended r q ->
  (forall x, q <= x < m -> DiagonalBlocked r x \/ ColumnBlocked r q x) ->
  (forall x, lo <= x < hi -> RowBlocked r q x) ->
  let Candidate x := m <= x < lo \/ max hi m <= x in
  let Free x := ~ RowBlocked r q x /\ ~ ColumnBlocked r q x in
  F q r p <-> Candidate p /\ Free p /\ forall x, x < p -> Candidate x -> ~ Free x.
Proof.
  intros r q m lo hi p hq he below gap Candidate Free.
  assert (free : forall x, Free x <-> ~ Blocked r q x).
  { intros x. unfold Free. rewrite Blocked_iff. tauto. }
  assert (others : forall x, q <= x -> Candidate x \/ Blocked r q x).
  { intros x hx. unfold Candidate. rewrite Blocked_iff.
    destruct (le_lt_dec m x) as [hm | hm].
    - destruct (le_lt_dec lo x), (le_lt_dec hi x); try (left; lia).
      right. left. apply gap. lia.
    - right. destruct (below x) as [h | h]; [lia | left | now right].
      now apply diagonal_row_blocked. }
  rewrite (fact_1 r q p) by (lia || exact he). rewrite free. split.
  - intros (hp & hn & least). destruct (others p hp) as [hc | hb]; [| contradiction].
    split; [exact hc |]. split; [exact hn |]. intros x hx hcx. rewrite free. intros hf.
    apply hf, least. unfold Candidate in hcx. lia.
  - intros (hc & hn & least). split; [unfold Candidate in hc; lia |]. split; [exact hn |].
    intros x hx. destruct (others x) as [hcx | hb]; [lia | | exact hb].
    destruct (Blocked_dec r q x) as [hb | hb]; [exact hb |].
    destruct (least x) as []; [lia | exact hcx | now apply free].
Qed.

(** ** Masks *)

Definition bit (x : N) (i : nat) : bool := N.testbit x (N.of_nat i).

Definition without (x : N) (i : nat) : N := N.clearbit x (N.of_nat i).

Lemma bit_and : forall x y i, bit (N.land x y) i = bit x i && bit y i.
Proof. intros x y i. apply N.land_spec. Qed.

Lemma bit_shift : forall x d i, bit (N.shiftr x (N.of_nat d)) i = bit x (d + i).
Proof.
  intros x d i. unfold bit. rewrite N.shiftr_spec' , <- Nat2N.inj_add.
  now rewrite (Nat.add_comm d).
Qed.

Lemma bit_without : forall x i j, bit (without x i) j = true <-> bit x j = true /\ j <> i.
Proof.
  intros x i j. unfold bit, without. rewrite N.clearbit_eqb, andb_true_iff, negb_true_iff.
  rewrite N.eqb_neq. split; intros [h hne]; (split; [exact h |]); lia.
Qed.

(** The place of the lowest bit. *)
Fixpoint lowest_of (x : positive) : nat :=
  match x with
  | xO y => S (lowest_of y)
  | _ => 0
  end.

Definition lowest (x : N) : option nat :=
  match x with
  | N0 => None
  | Npos x => Some (lowest_of x)
  end.

Lemma bit_double : forall x i, bit (Npos (xO x)) (S i) = bit (Npos x) i.
Proof.
  intros x i. unfold bit. rewrite Nat2N.inj_succ.
  exact (N.testbit_even_succ (Npos x) (N.of_nat i) (N.le_0_l _)).
Qed.

Lemma lowest_some : forall x i, lowest x = Some i ->
  bit x i = true /\ forall j, j < i -> bit x j = false.
Proof.
  intros [| x] i e; [discriminate |]. injection e as <-.
  induction x as [x _ | x [h below] |]; simpl lowest_of.
  - split; [reflexivity | lia].
  - split; [now rewrite bit_double |]. intros [| j] hj; [reflexivity |].
    rewrite bit_double. apply below. lia.
  - split; [reflexivity | lia].
Qed.

Lemma lowest_none : forall x, lowest x = None -> forall j, bit x j = false.
Proof. intros [| x] e j; [apply N.bits_0 | discriminate]. Qed.

(** ** A tile *)

Record masks := Masks {
  row_low : nat -> N;
  row_high : nat -> N;
  column_low : nat -> N;
  column_high : nat -> N
}.

Definition clear (f : nat -> N) (k i : nat) : nat -> N :=
  fun j => if j =? k then without (f j) i else f j.

Definition next (f : nat -> nat) (k : nat) : nat -> nat := fun j => if j =? k then S (f j) else f j.

Section Tile.

(** Bit i of a mask of row r says whether [A r + i], or [B r + i], is free in the row, of a mask of
column q whether [a q + i], or [b q + i], is free in the column. The low masks of rows have [v]
bits, the high ones [w], of which the topmost [g] are guarded. *)
Variables (v w g : nat) (A B a b : nat -> nat).

Definition shared_low (m : masks) (q r : nat) : N :=
  N.land (row_low m r) (N.shiftr (column_low m q) (N.of_nat (A r - a q))).

Definition shared_high (m : masks) (q r : nat) : N :=
  N.land (row_high m r) (N.shiftr (column_high m q) (N.of_nat (B r - b q))).

(** A cell takes the lowest bit that row and column share, and returns its number. *)
Definition cell (m : masks) (q r : nat) : option nat * masks :=
  match lowest (shared_low m q r), lowest (shared_high m q r) with
  | Some i, _ => (Some (A r + i),
      Masks (clear (row_low m) r i) (row_high m)
        (clear (column_low m) q (A r - a q + i)) (column_high m))
  | None, Some i => (Some (B r + i),
      Masks (row_low m) (clear (row_high m) r i)
        (column_low m) (clear (column_high m) q (B r - b q + i)))
  | None, None => (None, m)
  end.

(** The cells [(q,r)] of a list, one after the other: what they take, and the masks at the end. *)
Fixpoint tile (m : masks) (cells : list (nat * nat)) : list (option nat) * masks :=
  match cells with
  | [] => ([], m)
  | (q, r) :: cells =>
      let (p, m) := cell m q r in
      let (ps, m) := tile m cells in
      (p :: ps, m)
  end.

(** Row r has come to column [s r], and column q to row [t q]. *)
Fixpoint Ordered (s t : nat -> nat) (cells : list (nat * nat)) : Prop :=
  match cells with
  | [] => True
  | (q, r) :: cells => s r = q /\ t q = r /\ Ordered (next s r) (next t q) cells
  end.

(** The columns that the rows have reached after the cells; then the rows that the columns have
reached. *)
Fixpoint rows_after (s : nat -> nat) (cells : list (nat * nat)) : nat -> nat :=
  match cells with
  | [] => s
  | (_, r) :: cells => rows_after (next s r) cells
  end.

Fixpoint columns_after (t : nat -> nat) (cells : list (nat * nat)) : nat -> nat :=
  match cells with
  | [] => t
  | (q, _) :: cells => columns_after (next t q) cells
  end.

(** V5 between a column's anchor and a row's anchor: when the two meet, every number there that is
free in the column is a diagonal value. *)
Definition NothingDropped (m : masks) (q r : nat) : Prop :=
  forall p, a q <= p < A r -> bit (column_low m q) (p - a q) = true -> DiagonalBlocked r p.

Fixpoint NothingBelow (m : masks) (cells : list (nat * nat)) : Prop :=
  match cells with
  | [] => True
  | (q, r) :: cells => NothingDropped m q r /\ NothingBelow (snd (cell m q r)) cells
  end.

(** The cells of the tile. *)
Variable T : list (nat * nat).

(** The masks of row r represent exactly the numbers that are free in it. So do those of column q,
but for the guarded places of the rows that it meets. Nothing is assumed about the masks of columns
in the guarded places. *)
Record Exact (s t : nat -> nat) (m : masks) : Prop := {
  exact_row_low : forall q r, In (q, r) T ->
    forall i, bit (row_low m r) i = true <-> i < v /\ ~ RowBlocked r (s r) (A r + i);
  exact_row_high : forall q r, In (q, r) T ->
    forall i, bit (row_high m r) i = true <-> i < w /\ ~ RowBlocked r (s r) (B r + i);
  exact_column_low : forall q r, In (q, r) T -> forall p, a q <= p < A r + v ->
    (bit (column_low m q) (p - a q) = true <-> ~ ColumnBlocked (t q) q p);
  exact_column_high : forall q r, In (q, r) T -> forall p, B r <= p < B r + (w - g) ->
    (bit (column_high m q) (p - b q) = true <-> ~ ColumnBlocked (t q) q p)
}.

(** The other hypotheses, when rows have reached the columns [s] and columns the rows [t]. *)
Record Windows (s t : nat -> nat) : Prop := {
  (** V5 below the column's own anchor. *)
  nothing_below : forall q r, In (q, r) T -> forall p, q <= p < a q ->
    DiagonalBlocked r p \/ ColumnBlocked (t q) q p;
  (** V6: the gap. *)
  gap : forall q r, In (q, r) T -> forall p, A r + v <= p < B r -> RowBlocked r (s r) p;
  not_ended : forall q r, In (q, r) T -> forall x, x < s r -> F x r x -> A r <= x
}.

(** V10: the windows fit. *)
Record Fit : Prop := {
  columns_fit : forall q r, In (q, r) T -> r <= q <= A r;
  column_anchors : forall q r, In (q, r) T -> a q <= A r /\ b q <= B r;
  low_below_high : forall q r q' r', In (q, r) T -> In (q', r') T -> A r + v <= B r'
}.

Hypothesis fit : Fit.

(** V7, for row r. *)
Definition Guarded (m : masks) (r : nat) : Prop :=
  forall i, w - g <= i < w -> bit (row_high m r) i = true.

(** *** One cell *)

Section Cell.

Variables (s t : nat -> nat) (m : masks) (q r : nat).
Hypothesis (inside : In (q, r) T) (row_here : s r = q) (column_here : t q = r).
Hypothesis (exact : Exact s t m) (windows : Windows s t) (dropped : NothingDropped m q r).

Lemma not_ended_here : ~ Ended r q.
Proof.
  intros (x & hx & h). destruct (columns_fit fit q r inside).
  pose proof (not_ended s t windows q r inside x). rewrite row_here in *. specialize (H1 hx h). lia.
Qed.

Lemma low_bit : forall i, i < v ->
  (bit (shared_low m q r) i = true <-> ~ Blocked r q (A r + i)).
Proof.
  intros i hi. destruct (column_anchors fit q r inside). unfold shared_low.
  rewrite bit_and, bit_shift, andb_true_iff, Blocked_iff.
  rewrite (exact_row_low s t m exact q r inside), row_here.
  replace (A r - a q + i) with (A r + i - a q) by lia.
  rewrite (exact_column_low s t m exact q r inside), column_here by lia. intuition lia.
Qed.

Lemma high_bit : forall i, i < w - g ->
  (bit (shared_high m q r) i = true <-> ~ Blocked r q (B r + i)).
Proof.
  intros i hi. destruct (column_anchors fit q r inside). unfold shared_high.
  rewrite bit_and, bit_shift, andb_true_iff, Blocked_iff.
  rewrite (exact_row_high s t m exact q r inside), row_here.
  replace (B r - b q + i) with (B r + i - b q) by lia.
  rewrite (exact_column_high s t m exact q r inside), column_here by lia. intuition lia.
Qed.

Lemma low_width : forall i, bit (shared_low m q r) i = true -> i < v.
Proof.
  intros i h. unfold shared_low in h. rewrite bit_and, andb_true_iff in h.
  now apply (exact_row_low s t m exact q r inside).
Qed.

(** Everything below the low window is blocked. *)
Lemma below_low : forall p, q <= p < A r -> Blocked r q p.
Proof.
  intros p hp. apply Blocked_iff. destruct (le_lt_dec (a q) p) as [ha | ha].
  - destruct (ColumnBlocked_dec r q p) as [h | h]; [now right | left].
    apply diagonal_row_blocked, dropped; [lia |].
    apply (exact_column_low s t m exact q r inside); [lia |]. now rewrite column_here.
  - destruct (nothing_below s t windows q r inside p) as [h | h]; [lia | left | right].
    + now apply diagonal_row_blocked.
    + now rewrite column_here in h.
Qed.

Lemma not_not_blocked : forall p, ~ ~ Blocked r q p -> Blocked r q p.
Proof. intros p h. destruct (Blocked_dec r q p); tauto. Qed.

Lemma low_right : forall i, lowest (shared_low m q r) = Some i -> F q r (A r + i).
Proof.
  intros i e. apply lowest_some in e. destruct e as [h below].
  pose proof (low_width i h) as hi. destruct (columns_fit fit q r inside).
  apply fact_1; [lia | apply not_ended_here |]. split; [lia |]. split; [now apply low_bit |].
  intros p hp. destruct (le_lt_dec (A r) p) as [hA | hA]; [| apply below_low; lia].
  apply not_not_blocked. replace p with (A r + (p - A r)) by lia. rewrite <- low_bit by lia.
  rewrite below by lia. discriminate.
Qed.

Lemma high_right : forall i, lowest (shared_low m q r) = None ->
  lowest (shared_high m q r) = Some i -> i < w - g -> F q r (B r + i).
Proof.
  intros i none e hi. apply lowest_some in e. destruct e as [h below].
  destruct (columns_fit fit q r inside).
  pose proof (low_below_high fit q r q r inside inside).
  apply fact_1; [lia | apply not_ended_here |]. split; [lia |]. split; [now apply high_bit |].
  intros p hp. destruct (le_lt_dec (A r) p) as [hA | hA]; [| apply below_low; lia].
  destruct (le_lt_dec (A r + v) p) as [hg | hg].
  - destruct (le_lt_dec (B r) p) as [hB | hB].
    + apply not_not_blocked. replace p with (B r + (p - B r)) by lia. rewrite <- high_bit by lia.
      rewrite below by lia. discriminate.
    + apply Blocked_iff. left. rewrite <- row_here. now apply (gap s t windows q r inside).
  - apply not_not_blocked. replace p with (A r + (p - A r)) by lia. rewrite <- low_bit by lia.
    rewrite (lowest_none _ none). discriminate.
Qed.

(** *** The masks after a cell *)

(** [m'] is [m] without the number p, in row r and in column q. *)
Record Takes (p : nat) (m' : masks) : Prop := {
  takes_row_low : forall q' r', In (q', r') T -> forall i,
    bit (row_low m' r') i = true <-> bit (row_low m r') i = true /\ ~ (r' = r /\ A r' + i = p);
  takes_row_high : forall q' r', In (q', r') T -> forall i,
    bit (row_high m' r') i = true <-> bit (row_high m r') i = true /\ ~ (r' = r /\ B r' + i = p);
  takes_column_low : forall q' r', In (q', r') T -> forall x, a q' <= x < A r' + v ->
    (bit (column_low m' q') (x - a q') = true <->
     bit (column_low m q') (x - a q') = true /\ ~ (q' = q /\ x = p));
  takes_column_high : forall q' r', In (q', r') T -> forall x, B r' <= x < B r' + (w - g) ->
    (bit (column_high m' q') (x - b q') = true <->
     bit (column_high m q') (x - b q') = true /\ ~ (q' = q /\ x = p))
}.

Lemma bit_clear : forall f k i j l,
  bit (clear f k i j) l = true <-> bit (f j) l = true /\ ~ (j = k /\ l = i).
Proof.
  intros f k i j l. unfold clear. destruct (Nat.eqb_spec j k) as [-> | hne].
  - rewrite bit_without. intuition.
  - intuition.
Qed.

Lemma takes_low : forall i, i < v ->
  Takes (A r + i) (Masks (clear (row_low m) r i) (row_high m)
    (clear (column_low m) q (A r - a q + i)) (column_high m)).
Proof.
  intros i hi. destruct (column_anchors fit q r inside).
  constructor; simpl; intros q' r' h';
    pose proof (low_below_high fit q r q' r' inside h');
    destruct (column_anchors fit q' r' h').
  - intros j. rewrite bit_clear. split; intros [h hn]; (split; [exact h |]); intros [-> e];
      apply hn; lia.
  - intros j. split; [intros h; split; [exact h |]; lia | tauto].
  - intros x hx. rewrite bit_clear. split; intros [h hn]; (split; [exact h |]); intros [-> e];
      apply hn; lia.
  - intros x hx. split; [intros h; split; [exact h |]; lia | tauto].
Qed.

Lemma takes_high : forall i, i < w - g ->
  Takes (B r + i) (Masks (row_low m) (clear (row_high m) r i)
    (column_low m) (clear (column_high m) q (B r - b q + i))).
Proof.
  intros i hi. destruct (column_anchors fit q r inside).
  constructor; simpl; intros q' r' h';
    pose proof (low_below_high fit q' r' q r h' inside);
    destruct (column_anchors fit q' r' h').
  - intros j. split; [intros h; split; [exact h |] | tauto].
    apply (exact_row_low s t m exact q' r' h') in h. lia.
  - intros j. rewrite bit_clear. split; intros [h hn]; (split; [exact h |]); intros [-> e];
      apply hn; lia.
  - intros x hx. split; [intros h; split; [exact h |]; lia | tauto].
  - intros x hx. rewrite bit_clear. split; intros [h hn]; (split; [exact h |]); intros [-> e];
      apply hn; lia.
Qed.

Lemma row_blocked_next : forall q' r' p x, In (q', r') T -> F q r p ->
  (~ RowBlocked r' (next s r r') x <-> ~ RowBlocked r' (s r') x /\ ~ (r' = r /\ x = p)).
Proof.
  intros q' r' p x h hf. unfold next. destruct (Nat.eqb_spec r' r) as [-> | hne]; [| intuition].
  destruct (columns_fit fit q r inside). rewrite RowBlocked_step by lia. rewrite row_here.
  assert (F q r x <-> x = p).
  { split; [intros hx; exact (F_unique _ _ _ _ hx hf) | now intros ->]. }
  tauto.
Qed.

Lemma column_blocked_next : forall q' p x, F q r p ->
  (~ ColumnBlocked (next t q q') q' x <-> ~ ColumnBlocked (t q') q' x /\ ~ (q' = q /\ x = p)).
Proof.
  intros q' p x hf. unfold next. destruct (Nat.eqb_spec q' q) as [-> | hne]; [| intuition].
  rewrite column_blocked_step, column_here.
  assert (F q r x <-> x = p).
  { split; [intros hx; exact (F_unique _ _ _ _ hx hf) | now intros ->]. }
  tauto.
Qed.

Lemma exact_next : forall p m', F q r p -> Takes p m' -> Exact (next s r) (next t q) m'.
Proof.
  intros p m' hf [rl rh cl ch]. constructor; intros q' r' h'.
  - intros i. rewrite (rl q' r' h'), (row_blocked_next q' r' p) by assumption.
    rewrite (exact_row_low s t m exact q' r' h'). tauto.
  - intros i. rewrite (rh q' r' h'), (row_blocked_next q' r' p) by assumption.
    rewrite (exact_row_high s t m exact q' r' h'). tauto.
  - intros x hx. rewrite (cl q' r' h' x hx), (column_blocked_next q' p) by assumption.
    now rewrite (exact_column_low s t m exact q' r' h' x hx).
  - intros x hx. rewrite (ch q' r' h' x hx), (column_blocked_next q' p) by assumption.
    now rewrite (exact_column_high s t m exact q' r' h' x hx).
Qed.

Lemma next_later : forall f k j, f j <= next f k j.
Proof. intros f k j. unfold next. destruct (j =? k); lia. Qed.

Lemma windows_next : forall p, F q r p -> A r <= p -> Windows (next s r) (next t q).
Proof.
  intros p hf hp. constructor; intros q' r' h' x hx.
  - destruct (nothing_below s t windows q' r' h' x hx) as [h | h]; [now left | right].
    apply (column_blocked_later (t q')); [apply next_later | exact h].
  - apply (row_blocked_later r' (s r')); [apply next_later |].
    now apply (gap s t windows q' r' h').
  - intros h. unfold next in hx. destruct (Nat.eqb_spec r' r) as [-> | hne].
    + destruct (Nat.eq_dec x (s r)) as [-> | hx'].
      * rewrite row_here in *. now rewrite (F_unique _ _ _ _ h hf).
      * apply (not_ended s t windows q' r h'); [lia | exact h].
    + now apply (not_ended s t windows q' r' h').
Qed.

(** If a cell takes a number that is not guarded, the number is f(q,r), and the masks after it are
right. *)
Lemma cell_right : forall p m', cell m q r = (Some p, m') -> Guarded m' r ->
  F q r p /\ Exact (next s r) (next t q) m' /\ Windows (next s r) (next t q).
Proof.
  intros p m' e guarded. unfold cell in e.
  destruct (lowest (shared_low m q r)) as [i |] eqn:low.
  - injection e as <- <-. pose proof (low_right i low) as hf.
    apply lowest_some in low. destruct low as [low _]. apply low_width in low.
    split; [exact hf |]. split; [| now apply (windows_next (A r + i)); [| lia]].
    apply (exact_next (A r + i)); [exact hf | now apply takes_low].
  - destruct (lowest (shared_high m q r)) as [i |] eqn:high; [| discriminate].
    injection e as <- <-. assert (hi : i < w - g).
    { destruct (le_lt_dec (w - g) i) as [hi |]; [| assumption].
      apply lowest_some in high. destruct high as [high _]. unfold shared_high in high.
      rewrite bit_and, andb_true_iff in high. destruct high as [high _].
      apply (exact_row_high s t m exact q r inside) in high.
      specialize (guarded i). simpl in guarded. rewrite bit_clear in guarded.
      destruct guarded as [_ []]; [lia | now split]. }
    pose proof (high_right i low high hi) as hf.
    pose proof (low_below_high fit q r q r inside inside).
    split; [exact hf |]. split; [| now apply (windows_next (B r + i)); [| lia]].
    apply (exact_next (B r + i)); [exact hf | now apply takes_high].
Qed.

End Cell.

(** *** All cells *)

(** A mask never regains a bit. *)
Lemma cell_loses : forall m q r k i,
  bit (row_high (snd (cell m q r)) k) i = true -> bit (row_high m k) i = true.
Proof.
  intros m q r k i. unfold cell.
  destruct (lowest (shared_low m q r)); [easy |].
  destruct (lowest (shared_high m q r)); [simpl; rewrite bit_clear; tauto | easy].
Qed.

Lemma tile_loses : forall cells m k i,
  bit (row_high (snd (tile m cells)) k) i = true -> bit (row_high m k) i = true.
Proof.
  induction cells as [| [q r] cells IH]; intros m k i; simpl; [easy |].
  pose proof (cell_loses m q r k i) as loses. destruct (cell m q r) as [p m1].
  specialize (IH m1 k i). destruct (tile m1 cells) as [ps m2]. simpl in *. auto.
Qed.

(** The cells have taken the values of f. *)
Definition Right (cells : list (nat * nat)) (ps : list (option nat)) : Prop :=
  Forall2 (fun '(q, r) p => exists x, p = Some x /\ F q r x) cells ps.

Lemma cells_right : forall cells s t m,
  incl cells T -> Ordered s t cells -> Exact s t m -> Windows s t -> NothingBelow m cells ->
  (forall q r, In (q, r) T -> Guarded (snd (tile m cells)) r) ->
  ~ In None (fst (tile m cells)) ->
  Right cells (fst (tile m cells)) /\
  Exact (rows_after s cells) (columns_after t cells) (snd (tile m cells)).
Proof.
  induction cells as [| [q r] cells IH]; intros s t m inside order exact windows below guarded took.
  - split; [constructor | exact exact].
  - simpl in order, below.
    destruct order as (row_here & column_here & order), below as [dropped below].
    assert (here : In (q, r) T) by (apply inside; now left).
    simpl in *. destruct (cell m q r) as [p m1] eqn:e. pose proof (tile_loses cells m1) as loses.
    specialize (IH (next s r) (next t q) m1).
    destruct (tile m1 cells) as [ps m2]. simpl in *.
    destruct p as [p |]; [| tauto].
    destruct (cell_right s t m q r here row_here column_here exact windows dropped p m1 e)
      as (hf & exact1 & windows1).
    + intros i hi. now apply loses, (guarded q r).
    + destruct IH as [right exact2]; auto.
      * intros c hc. apply inside. now right.
      * split; [constructor; [now exists p | exact right] | exact exact2].
Qed.

(** V8: every cell takes a number. *)
Definition EveryCell (m : masks) : Prop := ~ In None (fst (tile m T)).

(** V8 follows from V7 if all rows have the same high anchor, and the topmost place of the high
window is free in every column at the start: by V7 no row takes it, so rows and columns share it
throughout. *)
Lemma every_cell_takes : forall high, (forall r, B r = high) -> (forall q, b q = high) ->
  0 < g <= w -> forall cells m,
  (forall q r, In (q, r) cells -> bit (column_high m q) (w - 1) = true) ->
  (forall q r, In (q, r) cells -> Guarded (snd (tile m cells)) r) ->
  ~ In None (fst (tile m cells)).
Proof.
  intros high hB hb hg. induction cells as [| [q r] cells IH]; intros m top guarded; [easy |].
  pose proof (guarded q r (or_introl eq_refl) (w - 1) ltac:(lia)) as final.
  pose proof (top q r (or_introl eq_refl)) as here. simpl in *.
  destruct (cell m q r) as [p m1] eqn:e. pose proof (tile_loses cells m1 r (w - 1)) as loses.
  specialize (IH m1). destruct (tile m1 cells) as [ps m2]. simpl in *.
  specialize (loses final). pose proof (cell_loses m q r r (w - 1)) as before.
  rewrite e in before. specialize (before loses). unfold cell in e.
  destruct (lowest (shared_low m q r)) as [i |].
  - injection e as <- <-. intros [h | h]; [discriminate |]. revert h. apply IH; simpl.
    + intros q' r' h'. apply (top q' r'). now right.
    + intros q' r' h'. apply (guarded q' r'). now right.
  - destruct (lowest (shared_high m q r)) as [i |] eqn:shared.
    + injection e as <- <-. simpl in loses. rewrite bit_clear in loses.
      intros [h | h]; [discriminate |]. revert h. apply IH; simpl.
      * intros q' r' h'. rewrite bit_clear. split; [apply (top q' r'); now right |].
        intros (_ & hi). apply (proj2 loses). rewrite hB, hb in hi. split; [reflexivity | lia].
      * intros q' r' h'. apply (guarded q' r'). now right.
    + exfalso. apply (lowest_none _) with (j := w - 1) in shared. unfold shared_high in shared.
      rewrite bit_and, before, bit_shift, hB, hb, Nat.sub_diag in shared. simpl in shared.
      congruence.
Qed.

(** *** The theorem *)

(** A tile finds the values of f, and its masks are right at the end. *)
Theorem window_theorem : forall s t m,
  let (ps, m') := tile m T in
  Ordered s t T -> Exact s t m -> Windows s t -> NothingBelow m T ->
  (forall q r, In (q, r) T -> Guarded m' r) -> EveryCell m ->
  Right T ps /\ Exact (rows_after s T) (columns_after t T) m'.
Proof.
  intros s t m. pose proof (cells_right T s t m (incl_refl T)) as right. unfold EveryCell.
  destruct (tile m T) as [ps m']. simpl in *. auto.
Qed.

End Tile.

(** ** 5.1: common anchors *)

(** For a tile with one low anchor A and one high anchor B, of rows from [first] on. *)
Theorem window_theorem_common_anchors : forall v w g A B first T s t m,
  A + v <= B -> 0 < g <= w ->
  (forall q r, In (q, r) T -> first <= r <= q /\ q <= A /\ ~ Ended r (s r)) ->
  Ordered s t T ->
  (* V5 *)
  (forall q r, In (q, r) T -> forall p, q <= p < A ->
    DiagonalBlocked first p \/ ColumnBlocked (t q) q p) ->
  (* V6 *)
  (forall q r, In (q, r) T -> forall p, A + v <= p < B -> RowBlocked r (s r) p) ->
  (* The masks *)
  let anchors (x : nat) (_ : nat) := x in
  Exact v w g (anchors A) (anchors B) (anchors A) (anchors B) T s t m ->
  (* The topmost place of the high window is free in every column. *)
  (forall q r, In (q, r) T -> bit (column_high m q) (w - 1) = true) ->
  let (ps, m') := tile (anchors A) (anchors B) (anchors A) (anchors B) m T in
  (* V7 *)
  (forall q r, In (q, r) T -> Guarded w g m' r) ->
  Right T ps /\
  Exact v w g (anchors A) (anchors B) (anchors A) (anchors B) T
    (rows_after s T) (columns_after t T) m'.
Proof.
  intros v w g A B first T s t m hAB hg cells order below gap anchors exact top.
  assert (fit : Fit v (anchors A) (anchors B) (anchors A) (anchors B) T).
  { constructor; unfold anchors; intros; [| lia | lia].
    destruct (cells q r) as (h1 & h2 & _); [assumption | lia]. }
  pose proof (window_theorem v w g _ _ _ _ T fit s t m) as theorem.
  pose proof (every_cell_takes w g (anchors A) (anchors B) (anchors A) (anchors B) B
    (fun _ => eq_refl) (fun _ => eq_refl) hg T m top) as every. unfold EveryCell in theorem.
  destruct (tile (anchors A) (anchors B) (anchors A) (anchors B) m T) as [ps m'].
  intros guarded. apply theorem; try assumption; [| | now apply every].
  - constructor; unfold anchors; intros q r h.
    + intros p hp. destruct (below q r h p hp) as [hd | hc]; [left | now right].
      apply (diagonal_blocked_later first); [now apply (cells q) | exact hd].
    + now apply (gap q).
    + intros x hx hf. destruct (cells q r h) as (_ & _ & he). destruct he. now exists x.
  - assert (all : forall l m, NothingBelow (anchors A) (anchors B) (anchors A) (anchors B) m l).
    { induction l as [| [q r] l IH]; intros m0; simpl; [exact I |].
      split; [| apply IH]. intros p hp. unfold anchors in hp. lia. }
    apply all.
Qed.
