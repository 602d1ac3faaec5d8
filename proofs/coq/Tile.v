(** * One tile of Chomp

The window theorem of [Skip.v] has hypotheses. Here they are evaluated for a tile of the rows 384 to
391 and the columns 431 to 438, with windows of 40 and 24 bits and a guard of 1, as an engine has
them. The
masks at the start of the tile are literals; Coq compares them with the rows and columns below, as
the records of [Records.v] state them. The records are true ([Rows.v]). So the theorem applies, and
the 64 cells of the tile take the values of f. *)

From Coq Require Import Arith Bool List NArith Lia.
From Chomp Require Import Rules Recurrence.
From Chomp Require Checker Soundness Records Rows.
From Chomp Require Import Skip.
Import ListNotations.

(** ** f by the records *)

Definition head_and_values (x : Checker.record) : list BinNums.N * list BinNums.N :=
  match x with
  | Checker.FiniteRow _ _ _ head => (head, [])
  | Checker.PeriodicRow _ _ _ values _ head => (head, values)
  end.

(** f(q,r), if the record of row r states it. *)
Definition f (q r : nat) : option nat :=
  match nth_error Records.records r with
  | None => None
  | Some x =>
      let (head, values) := head_and_values x in
      let n := length head in
      let offset :=
        if q - r <? n then nth_error head (q - r)
        else nth_error values ((q - r - n) mod length values) in
      if r <=? q then option_map (fun o => q + N.to_nat o) offset else None
  end.

Lemma f_is : forall q r p, r <= 400 -> (F q r p <-> f q r = Some p).
Proof.
  intros q r p hr. rewrite F_P. unfold f.
  destruct (nth_error Records.records r) as [x |] eqn:e.
  2: { apply nth_error_None in e.
    assert (h : length Records.records = 401) by (vm_compute; reflexivity).
    rewrite h in e. lia. }
  assert (table : Soundness.RowIs r (fst (head_and_values x)) (snd (head_and_values x))).
  { apply Rows.record_is_true in e. destruct x; apply e. }
  destruct (head_and_values x) as [head values]. simpl fst in table. simpl snd in table.
  rewrite (table p q). unfold Byrnes.stated. rewrite !Soundness.numbers_length. cbv zeta.
  destruct (Nat.leb_spec r q) as [hq | hq].
  2: { split; [intros (h & _); exfalso; lia | discriminate]. }
  assert (same : forall l i, (exists y, nth_error (Soundness.numbers l) i = Some y /\ p = q + y) <->
    option_map (fun o => q + N.to_nat o) (nth_error l i) = Some p).
  { intros l i. destruct (nth_error l i) as [o |] eqn:eo; simpl.
    - split.
      + intros (y & hy & ->). apply Soundness.nth_error_numbers in hy as (z & hz & ->).
        congruence.
      + intros h. injection h as <-. exists (N.to_nat o). split; [| reflexivity].
        apply Soundness.nth_error_numbers. now exists o.
    - split; [| discriminate]. intros (y & hy & _).
      apply Soundness.nth_error_numbers in hy as (z & hz & _). congruence. }
  destruct (q - r <? length head); rewrite <- same; tauto.
Qed.

(** ** Sets of numbers *)

Definition set_of (l : list (option nat)) : BinNums.N :=
  fold_right (fun p x => match p with Some p => N.setbit x (N.of_nat p) | None => x end) 0%N l.

Lemma set_of_bit : forall l p, bit (set_of l) p = true <-> In (Some p) l.
Proof.
  intros l p. unfold bit. induction l as [| [n |] l IH].
  - change (N.testbit 0 (N.of_nat p) = true <-> False). rewrite N.bits_0. split; easy.
  - change (N.testbit (N.setbit (set_of l) (N.of_nat n)) (N.of_nat p) = true <->
      Some n = Some p \/ In (Some p) l).
    rewrite N.setbit_eqb, orb_true_iff, N.eqb_eq, IH, Nat2N.inj_iff.
    split; (intros [h | h]; [left; congruence | now right]).
  - change (N.testbit (set_of l) (N.of_nat p) = true <-> None = Some p \/ In (Some p) l).
    rewrite IH. split; [now right | intros [h | h]; [discriminate | exact h]].
Qed.

(** The numbers that (C) blocks in column q for row r. *)
Definition column_set (r q : nat) : BinNums.N := set_of (map (f q) (seq 0 r)).

(** Those that (D) blocks for row r, and those that (D) and (R) block when it comes to column q. *)
Definition diagonal_set (r : nat) : BinNums.N := set_of (Some 0 :: map (fun c => f c c) (seq 0 r)).
Definition row_set (r q : nat) : BinNums.N :=
  N.lor (diagonal_set r) (set_of (map (fun t => f t r) (seq r (q - r)))).

Lemma column_set_is : forall r q p, r <= 400 ->
  bit (column_set r q) p = true <-> ColumnBlocked r q p.
Proof.
  intros r q p hr. unfold column_set, ColumnBlocked. rewrite set_of_bit, in_map_iff.
  split; intros (c & h1 & h2); exists c.
  - apply in_seq in h2. split; [lia |]. apply f_is; [lia | exact h1].
  - split; [apply f_is; [lia | exact h2] | apply in_seq; lia].
Qed.

Lemma diagonal_set_is : forall r p, r <= 400 ->
  bit (diagonal_set r) p = true <-> DiagonalBlocked r p.
Proof.
  intros r p hr. unfold diagonal_set, DiagonalBlocked. rewrite set_of_bit. simpl In.
  rewrite in_map_iff. split; (intros [h | (c & h1 & h2)]; [left; congruence | right; exists c]).
  - apply in_seq in h2. split; [lia |]. apply f_is; [lia | exact h1].
  - split; [apply f_is; [lia | exact h2] | apply in_seq; lia].
Qed.

Lemma row_set_is : forall r q p, r <= 400 ->
  bit (row_set r q) p = true <-> RowBlocked r q p.
Proof.
  intros r q p hr. unfold row_set.
  assert (past : bit (set_of (map (fun t => f t r) (seq r (q - r)))) p = true <->
    exists t, r <= t < q /\ F t r p).
  { rewrite set_of_bit, in_map_iff. split; intros (t & h1 & h2); exists t.
    - apply in_seq in h2. split; [lia |]. apply f_is; [lia | exact h1].
    - split; [apply f_is; [lia | exact h2] | apply in_seq; lia]. }
  unfold bit in *. rewrite N.lor_spec, orb_true_iff, past.
  fold (bit (diagonal_set r) p). rewrite diagonal_set_is by exact hr.
  unfold DiagonalBlocked, RowBlocked. tauto.
Qed.

Lemma bit_or : forall x y i, bit (N.lor x y) i = bit x i || bit y i.
Proof. intros x y i. apply N.lor_spec. Qed.

(** The w numbers from n on that are not in a set. *)
Definition window (w : nat) (x : BinNums.N) (n : nat) : BinNums.N :=
  N.ldiff (N.ones (N.of_nat w)) (N.shiftr x (N.of_nat n)).

Lemma window_bit : forall w x n i,
  bit (window w x n) i = true <-> i < w /\ ~ bit x (n + i) = true.
Proof.
  intros w x n i. unfold bit, window.
  rewrite N.ldiff_spec, N.shiftr_spec', andb_true_iff, negb_true_iff, not_true_iff_false.
  replace (N.of_nat i + N.of_nat n)%N with (N.of_nat (n + i)) by lia.
  rewrite N.ones_spec_iff. intuition lia.
Qed.

(** ** The tile *)

Definition first_row := 384.
Definition first_column := 431.
Definition rows := seq first_row 8.
Definition columns := seq first_column 8.
Definition low_anchor := 621.
Definition high_anchor := 690.

(** Row after row. *)
Definition cells : list (nat * nat) := flat_map (fun r => map (fun q => (q, r)) columns) rows.

Definition anchors (x _ : nat) : nat := x.

Definition literals (first : nat) (l : list BinNums.N) (i : nat) : BinNums.N :=
  nth (i - first) l 0%N.

(** The free numbers of the two windows, for each row, and for each column. *)
Definition at_start : masks := Masks
  (literals first_row [0x3; 0x4b; 0x4b; 0x24b; 0xa4b; 0xa4b; 0x10ca4b; 0x10ca4b]%N)
  (literals first_row
    [0xffffff; 0xfffffc; 0xfffffc; 0xfffff2; 0xfffff0; 0xfffff0; 0xffff80; 0xffff80]%N)
  (literals first_column
    [0xd222108086; 0x54143048; 0x4d90590970; 0x8388410210;
     0x272ca9c1; 0x1840800227; 0x3c19324608; 0x60414ca]%N)
  (literals first_column
    [0xffffff; 0xffffff; 0xfffffc; 0xfffffe; 0xfffff8; 0xfffff8; 0xffffff; 0xffffe0]%N).

Definition result : list (option nat) * masks :=
  tile (anchors low_anchor) (anchors high_anchor) (anchors low_anchor) (anchors high_anchor)
    at_start cells.

Lemma cells_in : forall q r, In (q, r) cells -> In q columns /\ In r rows.
Proof.
  intros q r h. apply in_flat_map in h as (r' & hr & h). apply in_map_iff in h as (q' & e & hq).
  injection e as <- <-. now split.
Qed.

Lemma cells_range : forall q r, In (q, r) cells -> 384 <= r <= 391 /\ 431 <= q <= 438.
Proof.
  intros q r h. apply cells_in in h as (hq & hr).
  unfold rows, columns, first_row, first_column in *. apply in_seq in hq, hr. lia.
Qed.

(** ** What Coq evaluates *)

Definition masks_are (w : nat) (a : nat -> BinNums.N) (anchor : nat) (set : nat -> BinNums.N)
    (l : list nat) : bool :=
  forallb (fun k => N.eqb (a k) (window w (set k) anchor)) l.

Definition row_then k := row_set k first_column.
Definition column_then k := column_set first_row k.

Lemma masks_evaluated :
  masks_are 40 (row_low at_start) low_anchor row_then rows = true /\
  masks_are 24 (row_high at_start) high_anchor row_then rows = true /\
  masks_are 40 (column_low at_start) low_anchor column_then columns = true /\
  masks_are 24 (column_high at_start) high_anchor column_then columns = true.
Proof. vm_compute. auto. Qed.

Definition all_in (x : BinNums.N) (from n : nat) : bool := forallb (bit x) (seq from n).

(** V5. *)
Lemma below_evaluated :
  forallb (fun q => all_in (N.lor (diagonal_set first_row) (column_then q)) q (low_anchor - q))
    columns = true.
Proof. vm_compute. reflexivity. Qed.

(** V6. *)
Lemma gap_evaluated :
  forallb (fun r => all_in (row_then r) (low_anchor + 40) (high_anchor - (low_anchor + 40))) rows
    = true.
Proof. vm_compute. reflexivity. Qed.

(** The rows have not ended. *)
Lemma alive_evaluated :
  forallb (fun r => match f first_column r with Some _ => true | None => false end) rows = true.
Proof. vm_compute. reflexivity. Qed.

(** V7, and the topmost place of the columns. *)
Lemma guard_evaluated :
  forallb (fun r => all_in (row_high (snd result) r) 23 1) rows = true /\
  forallb (fun q => bit (column_high at_start q) 23) columns = true.
Proof. vm_compute. auto. Qed.

Fixpoint ordered (s t : nat -> nat) (l : list (nat * nat)) : bool :=
  match l with
  | [] => true
  | (q, r) :: l => (s r =? q) && (t q =? r) && ordered (next s r) (next t q) l
  end.

Lemma ordered_is : forall l s t, ordered s t l = true -> Ordered s t l.
Proof.
  induction l as [| [q r] l IH]; intros s t h; simpl in *; [exact I |].
  rewrite !andb_true_iff, !Nat.eqb_eq in h. destruct h as ((h1 & h2) & h3).
  split; [exact h1 |]. split; [exact h2 | now apply IH].
Qed.

Lemma order_evaluated : ordered (fun _ => first_column) (fun _ => first_row) cells = true.
Proof. vm_compute. reflexivity. Qed.

(** The numbers that the cells take. *)
Definition taken : list (list nat) :=
  [[622; 690; 692; 691; 621; 693; 694; 695];
   [692; 624; 627; 693; 694; 621; 695; 622];
   [693; 627; 694; 692; 695; 622; 624; 696];
   [691; 694; 695; 630; 627; 696; 697; 624];
   [694; 695; 632; 696; 697; 630; 698; 627];
   [695; 696; 697; 694; 632; 698; 630; 699];
   [636; 641; 698; 697; 699; 700; 635; 701];
   [641; 697; 699; 698; 636; 701; 700; 702]].

Lemma taken_evaluated : fst result = map Some (concat taken).
Proof. vm_compute. reflexivity. Qed.

(** ** The hypotheses *)

Lemma masks_are_bit : forall w a anchor set l k i, masks_are w a anchor set l = true -> In k l ->
  (bit (a k) i = true <-> i < w /\ ~ bit (set k) (anchor + i) = true).
Proof.
  intros w a anchor set l k i h hk. unfold masks_are in h. rewrite forallb_forall in h.
  apply h, N.eqb_eq in hk. rewrite hk. apply window_bit.
Qed.

Lemma all_in_bit : forall x from n p, all_in x from n = true -> from <= p < from + n ->
  bit x p = true.
Proof.
  intros x from n p h hp. unfold all_in in h. rewrite forallb_forall in h. apply h, in_seq. lia.
Qed.

Lemma in_all : forall (P : nat -> bool) l k, forallb P l = true -> In k l -> P k = true.
Proof. intros P l k h. rewrite forallb_forall in h. apply h. Qed.

Lemma exact_at_start : Exact 40 24 1 (anchors low_anchor) (anchors high_anchor) (anchors low_anchor)
  (anchors high_anchor) cells (fun _ => first_column) (fun _ => first_row) at_start.
Proof.
  destruct masks_evaluated as (m1 & m2 & m3 & m4).
  constructor; intros q r h; pose proof (cells_range q r h) as hrange;
    apply cells_in in h as (hq & hr); unfold anchors; cbv beta.
  - intros i. rewrite <- row_set_is by lia. exact (masks_are_bit _ _ _ _ _ r i m1 hr).
  - intros i. rewrite <- row_set_is by lia. exact (masks_are_bit _ _ _ _ _ r i m2 hr).
  - intros p hp. assert (hb : p - low_anchor < 40) by lia.
    rewrite <- column_set_is by (unfold first_row; lia).
    rewrite (masks_are_bit _ _ _ _ _ q _ m3 hq).
    replace (low_anchor + (p - low_anchor)) with p by lia.
    unfold column_then. split; [intros (_ & h'); exact h' | intros h'; exact (conj hb h')].
  - intros p hp. assert (hb : p - high_anchor < 24) by lia.
    rewrite <- column_set_is by (unfold first_row; lia).
    rewrite (masks_are_bit _ _ _ _ _ q _ m4 hq).
    replace (high_anchor + (p - high_anchor)) with p by lia.
    unfold column_then. split; [intros (_ & h'); exact h' | intros h'; exact (conj hb h')].
Qed.

Lemma cells_alive : forall q r, In (q, r) cells ->
  first_row <= r <= q /\ q <= low_anchor /\ ~ Ended r first_column.
Proof.
  intros q r h. pose proof (cells_range q r h) as hrange. apply cells_in in h as (hq & hr).
  unfold first_row, low_anchor. split; [lia |]. split; [lia |]. intros (x & hx & hf).
  pose proof (in_all _ _ r alive_evaluated hr) as alive. cbv beta in alive.
  destruct (f first_column r) as [p |] eqn:e; [| discriminate].
  apply f_is in e; [| lia]. exact (ended_stays _ _ _ _ hf hx e).
Qed.

(** ** The theorem *)

(** To compare terms of the proof, Coq does not run the tile or compute sets. *)
Strategy 1000 [tile set_of N.testbit].

(** The cells of the tile take the values of f, and the masks at its end are right. *)
Theorem a_tile_of_chomp : Right cells (map Some (concat taken)) /\
  Exact 40 24 1 (anchors low_anchor) (anchors high_anchor) (anchors low_anchor)
    (anchors high_anchor) cells (rows_after (fun _ => first_column) cells)
    (columns_after (fun _ => first_row) cells) (snd result).
Proof.
  destruct guard_evaluated as (v7 & top). rewrite <- taken_evaluated.
  pose proof (window_theorem_common_anchors 40 24 1 low_anchor high_anchor first_row cells
    (fun _ => first_column) (fun _ => first_row) at_start) as theorem. cbv beta zeta in theorem.
  change (fun _ : nat => low_anchor) with (anchors low_anchor) in theorem.
  change (fun _ : nat => high_anchor) with (anchors high_anchor) in theorem.
  revert theorem v7. unfold result.
  generalize (tile (anchors low_anchor) (anchors high_anchor) (anchors low_anchor)
    (anchors high_anchor) at_start cells).
  intros [ps m']. cbv beta iota delta [fst snd]. intros theorem v7.
  apply theorem; clear theorem; cbv beta.
  - unfold low_anchor, high_anchor. lia.
  - lia.
  - exact cells_alive.
  - exact (ordered_is _ _ _ order_evaluated).
  - intros q r h p hp. apply cells_in in h as (hq & _).
    pose proof (in_all _ _ q below_evaluated hq) as all. cbv beta in all.
    apply (all_in_bit _ _ _ p) in all; [| lia]. rewrite bit_or, orb_true_iff in all.
    unfold column_then in all. destruct all as [all | all]; [left | right].
    + exact (proj1 (diagonal_set_is first_row p ltac:(unfold first_row; lia)) all).
    + exact (proj1 (column_set_is first_row q p ltac:(unfold first_row; lia)) all).
  - intros q r h p hp. pose proof (cells_range q r h). apply cells_in in h as (_ & hr).
    apply (proj1 (row_set_is r first_column p ltac:(lia))).
    apply (all_in_bit _ (low_anchor + 40) (high_anchor - (low_anchor + 40))); [| lia].
    exact (in_all _ _ r gap_evaluated hr).
  - exact exact_at_start.
  - intros q r h. apply cells_in in h as (hq & _). exact (in_all _ _ q top hq).
  - intros q r h i hi. apply cells_in in h as (_ & hr).
    apply (all_in_bit _ 23 1); [| lia]. exact (in_all _ _ r v7 hr).
Qed.
