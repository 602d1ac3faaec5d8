(** * All P-positions of a rectangle, in tables

[table_rectangle] answers as [rectangle] of [Rectangles.v] does, with less time and memory
([table_rectangle_right]). The sets that are blocked by one row are a table: cells that are numbered
by the choices u of the rows below it, in lexicographic order ([rank]). So tables are read and
written from one end to the other. [grow] copies cells when a row becomes longer (boards.md, 2 (c)).

Each [block] of cells is used once after it is made: [set] and [copy] may change it in place. In the
extracted program it is an array, by [../verify/cells.ml]. *)

From Coq Require Import Arith NArith List Lia Bool.
From Chomp Require Import Boards Rectangles.
From Chomp Require Counting.
Import ListNotations.

Local Arguments Nat.min : simpl never.
Local Arguments N.add : simpl never.

(** ** The program *)

Definition block : Type := N -> N.

Definition zeros (cells : N) : block := fun _ => 0%N.

Definition get (b : block) (i : N) : N := b i.

Definition set (b : block) (i s : N) : block := fun j => if N.eqb j i then s else b j.

Definition copy (b : block) (from to cells : N) : block := fun j =>
  if N.leb to j && N.ltb j (to + cells) then b (from + (j - to))%N else b j.

Fixpoint sums (s : N) (l : list N) : list N :=
  match l with
  | [] => []
  | x :: l => (s + x)%N :: sums (s + x)%N l
  end.

(** How many choices there are of k rows of at most a squares, for a = 0, 1, ... *)
Fixpoint sizes (k count : nat) : list N :=
  match k with
  | 0 => repeat 1%N count
  | S k' => sums 0 (sizes k' count)
  end.

(** What is copied when the greatest length grows from x to x + 1: (from, to, cells). *)
Fixpoint moves_of (count k x : nat) (first : N) : list (N * N * N) :=
  match k with
  | 0 => []
  | S k' =>
      let before := match x with 0 => 0%N | S x' => nth x' (sizes k count) 0%N end in
      let size := nth x (sizes k count) 0%N in
      (first + before, first + size, size - before)%N :: moves_of count k' x (first + size)%N
  end.

Definition plan (k n : nat) : list (list (N * N * N)) :=
  map (fun x => moves_of n k x 0) (seq 0 n).

Definition grow (moves : list (N * N * N)) (b : block) : block :=
  fold_left (fun b m => copy b (fst (fst m)) (snd (fst m)) (snd m)) moves b.

(** A table, and the number of the cell that comes next. *)
Definition table : Type := block * N.

Fixpoint union (s : N) (l : list table) : N :=
  match l with
  | [] => s
  | (b, i) :: l => union (N.lor s (get b i)) l
  end.

Fixpoint pass (l : list table) : list table :=
  match l with
  | [] => []
  | (b, i) :: l => (b, N.succ i) :: pass l
  end.

(** Adds s to each table, and [last] to the last one, which is that of row 1. *)
Fixpoint put (s last : N) (l : list table) : list table :=
  match l with
  | [] => []
  | (b, i) :: l =>
      (set b i (N.lor (get b i) match l with [] => last | _ => s end), N.succ i) :: put s last l
  end.

Section Program.

Variable A : Type.

(** What is done with a P-position: the rows from row 1 on, the last one first, and the set of the
length of row 0. *)
Variable note : A -> list nat -> N -> A.

Variable full : N.

Section Column.

(** The lengths that are too small for row 0, and the set of the length of row 1. *)
Variables mask mark : N.

Definition leaf (top : list nat) (l : list table) (a : A) : list table * A :=
  let s := least full (union mask l) in
  if N.eqb s 0 then (pass l, a)
  else (put s (if N.eqb s mark then full else s) l, note a top s).

Section Row.

Variable inner : nat -> list nat -> list table -> list block -> A -> list table * list block * A.

Fixpoint lengths (more x : nat) (plan : list (list (N * N * N))) (top : list nat) (l : list table)
    (own : block) (spare : list block) (a : A) : list table * block * list block * A :=
  match more with
  | 0 => (l, own, spare, a)
  | S more =>
      let '(l, spare, a) := inner x (x :: top) ((own, 0%N) :: l) spare a in
      match l with
      | [] => (l, own, spare, a)
      | (own, _) :: l =>
          lengths more (S x) (tl plan) top l (grow (hd [] plan) own) spare a
      end
  end.

End Row.

Fixpoint run (plans : list (list (list (N * N * N)))) (longest : nat) (top : list nat)
    (l : list table) (spare : list block) (a : A) : list table * list block * A :=
  match plans, spare with
  | plan :: plans, own :: spare =>
      let '(l, own, spare, a) :=
        lengths (run plans) (S longest) 0 plan top l (set own 0 0) spare a in
      (l, own :: spare, a)
  | _, _ => let (l, a) := leaf top l a in (l, spare, a)
  end.

End Column.

Fixpoint all_columns (plans : list (list (list (N * N * N)))) (more x : nat)
    (plan : list (list (N * N * N))) (own : block) (spare : list block) (a : A) : A :=
  match more with
  | 0 => a
  | S more =>
      let '(l, spare, a) :=
        run (N.ones (N.of_nat (Nat.max x 1))) (2 ^ N.of_nat x) plans x [x] [(own, 0%N)] spare a in
      match l with
      | [] => a
      | (own, _) :: _ => all_columns plans more (S x) (tl plan) (grow (hd [] plan) own) spare a
      end
  end.

End Program.

Fixpoint plans_of (n k : nat) : list (list (list (N * N * N))) :=
  match k with
  | 0 => []
  | S k' => plan k' n :: plans_of n k'
  end.

(** Tables for all choices of k - 1, k - 2, ..., 0 rows. *)
Fixpoint blocks (n k : nat) : list block :=
  match k with
  | 0 => []
  | S k' => zeros (nth n (sizes k' (S n)) 0%N) :: blocks n k'
  end.

(** Could a bite lead from m x n to such rows? *)
Definition keeps (n : nat) (t : list nat) : bool :=
  forallb (fun x => (x =? n) || (x =? hd 0 t)) t.

(** Counts, and keeps those to which a bite could lead. *)
Definition note (n : nat) (a : N * list (list nat * N)) (t : list nat) (s : N) :
    N * list (list nat * N) :=
  (N.succ (fst a), if keeps n t then (t, s) :: snd a else snd a).

Definition table_rectangle (m n : nat) : N * list (nat * nat) :=
  let k := m - 2 in
  let '(c, kept) :=
    all_columns (N * list (list nat * N)) (note n) (N.ones (N.of_nat (S n))) (plans_of n k) (S n) 0
      (plan k n) (set (zeros (nth n (sizes k (S n)) 0%N)) 0 0) (blocks n k) (0%N, []) in
  let wins b :=
    match b with
    | [] => false
    | p :: u =>
        existsb (fun e =>
          N.eqb (snd e) (2 ^ N.of_nat p) &&
          if list_eq_dec Nat.eq_dec (rev (fst e)) u then true else false) kept
    end in
  (c, filter (fun c => wins (bite (fst c) (snd c) (repeat n m))) (moves (repeat n m))).

(** ** Ranks *)

Fixpoint size (k : nat) : nat -> N :=
  match k with
  | 0 => fun _ => 1%N
  | S k' =>
      fix below (a : nat) : N :=
        match a with
        | 0 => size k' 0
        | S a' => (below a' + size k' a)%N
        end
  end.

(** How many choices of k + 1 rows begin with a number less than x. *)
Definition before (k x : nat) : N := match x with 0 => 0%N | S x' => size (S k) x' end.

Lemma before_next : forall k x, before k (S x) = (before k x + size k x)%N.
Proof. intros k [| x]; reflexivity. Qed.

Lemma before_le : forall k x y, x <= y -> (before k x <= before k y)%N.
Proof.
  intros k x y h. induction h as [| y h IH]; [lia |]. rewrite before_next. lia.
Qed.

Fixpoint rank (u : list nat) : N :=
  match u with
  | [] => 0%N
  | x :: v => (before (length v) x + rank v)%N
  end.

Lemma rank_less : forall u a, Falling a u -> (rank u < size (length u) a)%N.
Proof.
  induction u as [| x v IH]; intros a h; [cbn; lia |]. cbn [rank length]. destruct h as [hx h].
  specialize (IH x h). pose proof (before_next (length v) x).
  pose proof (before_le (length v) (S x) (S a) ltac:(lia)).
  change (size (S (length v)) a) with (before (length v) (S a)). lia.
Qed.

Lemma size_0 : forall k, size k 0 = 1%N.
Proof. induction k; [reflexivity | exact IHk]. Qed.

Lemma sums_right : forall l s (g h : nat -> N), (forall x, x < length l -> nth x l 0%N = g x) ->
  h 0 = N.add s (g 0) -> (forall x, h (S x) = N.add (h x) (g (S x))) ->
  forall x, x < length l -> nth x (sums s l) 0%N = h x.
Proof.
  induction l as [| y l IH]; intros s g h hg h0 hs x hx; [cbn in hx; lia |].
  pose proof (hg 0 ltac:(cbn; lia)) as hy. cbn in hy. destruct x as [| x]; cbn.
  - now rewrite h0, hy.
  - apply (IH (s + y)%N (fun x => g (S x)) (fun x => h (S x))).
    + intros z hz. apply (hg (S z)). cbn. lia.
    + now rewrite hs, h0, hy.
    + intros z. apply hs.
    + cbn in hx. lia.
Qed.

Lemma sums_length : forall l s, length (sums s l) = length l.
Proof. induction l; intros s; cbn; [reflexivity | now rewrite IHl]. Qed.

Lemma sizes_length : forall k count, length (sizes k count) = count.
Proof.
  induction k; intros count; cbn; [apply repeat_length | now rewrite sums_length].
Qed.

Lemma sizes_right : forall count k x, x < count -> nth x (sizes k count) 0%N = size k x.
Proof.
  intros count. induction k as [| k IH]; intros x hx; cbn [sizes].
  - revert x hx. induction count as [| count IHc]; intros x hx; [lia |].
    destruct x; cbn; [reflexivity |]. apply IHc. lia.
  - apply (sums_right _ 0%N (size k) (size (S k))).
    + intros y hy. rewrite sizes_length in hy. now apply IH.
    + cbn. lia.
    + reflexivity.
    + now rewrite sizes_length.
Qed.

Lemma grow_right : forall count k x first b, x < count ->
  let b' := grow (moves_of count k x first) b in
  (forall i, (i < first + size k x)%N -> get b' i = get b i) /\
  forall u, length u = k -> Falling (S x) u ->
    get b' (first + rank u)%N = get b (first + rank (map (Nat.min x) u))%N.
Proof.
  intros count k x first b hx. revert first b. induction k as [| k IH]; intros first b; cbn zeta.
  - split; [reflexivity |]. intros [| y u] hu _; [reflexivity | discriminate].
  - cbn [moves_of]. rewrite sizes_right by exact hx.
    assert (e : match x with 0 => 0%N | S x' => nth x' (sizes (S k) count) 0%N end = before k x).
    { destruct x as [| x]; [reflexivity |]. rewrite sizes_right by lia. reflexivity. }
    rewrite e. clear e.
    assert (es : size (S k) x = (before k x + size k x)%N) by apply before_next.
    unfold grow. cbn [fold_left fst snd].
    set (b1 := copy b (first + before k x) (first + size (S k) x) (size (S k) x - before k x)).
    destruct (IH (first + size (S k) x)%N b1) as [low high]. unfold grow in low, high.
    assert (keep : forall i, (i < first + size (S k) x)%N -> get b1 i = get b i).
    { intros i hi. unfold get, b1, copy.
      destruct (N.leb_spec (first + size (S k) x) i); [lia | reflexivity]. }
    assert (part : forall i, (i < first + size (S k) x)%N ->
      get (fold_left (fun b m => copy b (fst (fst m)) (snd (fst m)) (snd m))
        (moves_of count k x (first + size (S k) x)) b1) i = get b i).
    { intros i hi. rewrite low by lia. now apply keep. }
    split; [exact part |]. intros [| y v] hk hu; [discriminate |]. cbn in hk. injection hk as hk.
    destruct hu as [hy hv]. cbn [map rank]. rewrite map_length, hk.
    destruct (Nat.eq_dec y (S x)) as [-> |].
    + rewrite Nat.min_l by lia. change (before k (S x)) with (size (S k) x).
      rewrite N.add_assoc, high by assumption.
      assert (hr : Falling x (map (Nat.min x) v)) by exact (falling_to 0 _ _ _ hv).
      apply rank_less in hr.
      rewrite map_length, hk in hr. unfold get, b1, copy.
      destruct (N.leb_spec (first + size (S k) x)
        (first + size (S k) x + rank (map (Nat.min x) v)));
        [| lia].
      destruct (N.ltb_spec (first + size (S k) x + rank (map (Nat.min x) v))
        (first + size (S k) x + (size (S k) x - before k x))); [| lia].
      cbn [andb]. f_equal. lia.
    + rewrite Nat.min_r by lia. rewrite (min_falling v y) by (exact hv || lia). apply part.
      pose proof (rank_less (y :: v) x) as hr. cbn [rank length] in hr. rewrite hk in hr.
      specialize (hr ltac:(cbn; split; [lia | exact hv])). lia.
Qed.

(** ** [run] *)

Section Proof.

Variable A : Type.
Variable note : A -> list nat -> N -> A.
Variable n : nat.

Let full : N := N.ones (N.of_nat (S n)).

Section Column.

Variable mask : N.
Variable mark : nat.
Hypothesis small_mark : mark <= n.

Definition HasBit (l : list table) (d : N) (p : nat) : Prop :=
  exists b i, In (b, i) l /\ bit (get b (i + d)) p = true.

(** Between l and l', the tables go on by [cells] cells. Those of the u with [U u], numbered from
[first] on, get what is found. *)
Fixpoint Updated (U : list nat -> Prop) (first cells : N) (top : list nat) (l l' : list table) :
    Prop :=
  match l, l' with
  | [], [] => True
  | (b, i) :: l, (b', i') :: l' =>
      i' = (i + cells)%N /\
      (forall u d p, U u -> (first + d)%N = rank u -> p <= n ->
        (bit (get b' (i + d)) p = true <->
          bit (get b (i + d)) p = true \/ Found top u p \/ (l = [] /\ Found top u mark))) /\
      (forall j, (j < i \/ i + cells <= j)%N -> get b' j = get b j) /\
      Updated U first cells top l l'
  | _, _ => False
  end.

Definition Noted (U : list nat -> Prop) (top : list nat) (a a' : A) : Prop :=
  exists l, a' = fold_left (fun a e => note a (fst e) (snd e)) l a /\ NoDup l /\
    forall t s, In (t, s) l <-> exists u p,
      U u /\ p <= n /\ Found top u p /\ t = rev (top ++ u) /\ s = (2 ^ N.of_nat p)%N.

Definition InRows (k x : nat) (u : list nat) : Prop := length u = k /\ Falling x u.

Definition Right (k : nat)
    (f : nat -> list nat -> list table -> list block -> A -> list table * list block * A) : Prop :=
  forall x top l spare a, x <= n -> l <> [] -> length spare = k -> Fits top k x ->
    (forall u p, InRows k x u -> p <= n ->
      (bit mask p = true \/ HasBit l (rank u) p <-> Outer top u p)) ->
    forall l' spare' a', f x (rev top) l spare a = (l', spare', a') ->
      Updated (InRows k x) 0 (size k x) top l l' /\ length spare' = k /\
      Noted (InRows k x) top a a'.

Lemma union_bit : forall l s p, bit (union s l) p = true <-> bit s p = true \/ HasBit l 0 p.
Proof.
  induction l as [| [b i] l IH]; intros s p; cbn [union].
  - split; [now left |]. intros [h | (b & i & [] & _)]. exact h.
  - rewrite IH. unfold bit at 1. rewrite N.lor_spec, orb_true_iff. unfold HasBit. split.
    + intros [[h | h] | (b' & i' & hin & h)].
      * now left.
      * right. exists b, i. split; [now left |]. rewrite N.add_0_r. exact h.
      * right. exists b', i'. split; [now right | exact h].
    + intros [h | (b' & i' & [e | hin] & h)].
      * left. now left.
      * injection e as -> ->. left. right. rewrite N.add_0_r in h. exact h.
      * right. exists b', i'. now split.
Qed.

Lemma updated_weaker : forall (U U' : list nat -> Prop) first cells top l l',
  (forall u, U u -> U' u) -> Updated U' first cells top l l' -> Updated U first cells top l l'.
Proof.
  intros U U' first cells top l l' h. revert l'.
  induction l as [| [b i] l IH]; intros [| [b' i'] l']; cbn; try easy.
  intros (h1 & h2 & h3 & h4). split; [exact h1 | split; [| split; [exact h3 | now apply IH]]].
  intros u d p hu. apply h2. now apply h.
Qed.

Lemma updated_trans : forall (U1 U2 : list nat -> Prop) first c1 c2 top l l1 l2,
  (forall u, U1 u -> (rank u < first + c1)%N) -> (forall u, U2 u -> (first + c1 <= rank u)%N) ->
  Updated U1 first c1 top l l1 -> Updated U2 (first + c1) c2 top l1 l2 ->
  Updated (fun u => U1 u \/ U2 u) first (c1 + c2) top l l2.
Proof.
  intros U1 U2 first c1 c2 top l l1 l2 r1 r2. revert l1 l2.
  induction l as [| [b i] l IH]; intros [| [b1 i1] l1] [| [b2 i2] l2]; cbn [Updated]; try easy.
  intros (e1 & u1 & f1 & h1) (e2 & u2 & f2 & h2). subst i1 i2.
  assert (nil : l = [] <-> l1 = []).
  { destruct l as [| [? ?] ?], l1 as [| [? ?] ?]; cbn in h1; easy. }
  split; [lia | split; [| split; [| now apply (IH l1)]]].
  - intros u d p [hu | hu] hd hp.
    + specialize (r1 u hu). rewrite f2 by lia. now apply u1.
    + specialize (r2 u hu). specialize (u2 u (d - c1)%N p hu ltac:(lia) hp).
      replace (i + c1 + (d - c1))%N with (i + d)%N in u2 by lia.
      rewrite u2, f1, nil by lia. reflexivity.
  - intros j hj. rewrite f2, f1 by lia. reflexivity.
Qed.

Lemma updated_row : forall k x top l l', l <> [] ->
  Updated (InRows k x) 0 (size k x) (top ++ [x]) l l' ->
  Updated (fun u => exists v, u = x :: v /\ InRows k x v) (before k x) (size k x) top l l'.
Proof.
  intros k x top l l' _. revert l'.
  induction l as [| [b i] l IH]; intros [| [b' i'] l']; cbn [Updated]; try easy.
  intros (h1 & h2 & h3 & h4). split; [exact h1 | split; [| split; [exact h3 | now apply IH]]].
  intros u d p (v & -> & hk & hv) hd hp. cbn [rank] in hd. rewrite hk in hd.
  specialize (h2 v d p (conj hk hv) ltac:(lia) hp). unfold Found in *.
  rewrite <- app_assoc in h2. exact h2.
Qed.

Lemma updated_has : forall U first cells top l l' d p,
  Updated U first cells top l l' -> (HasBit l' d p <-> HasBit l (cells + d) p).
Proof.
  intros U first cells top l l' d p. revert l'.
  induction l as [| [b i] l IH]; intros [| [b' i'] l']; cbn [Updated]; try easy.
  - intros _. split; intros (b & i & [] & _).
  - intros (-> & _ & f & h). specialize (IH l' h). unfold HasBit in *. split.
    + intros (b1 & i1 & [e | hin] & hb).
      * injection e as <- <-. exists b, i. split; [now left |].
        rewrite f in hb by lia. now replace (i + (cells + d))%N with (i + cells + d)%N by lia.
      * destruct IH as [IH _]. destruct IH as (b2 & i2 & h2 & h3); [now exists b1, i1 |].
        exists b2, i2. split; [now right | exact h3].
    + intros (b1 & i1 & [e | hin] & hb).
      * injection e as <- <-. exists b', (i + cells)%N. split; [now left |].
        rewrite f by lia. now replace (i + cells + d)%N with (i + (cells + d))%N by lia.
      * destruct IH as [_ IH]. destruct IH as (b2 & i2 & h2 & h3); [now exists b1, i1 |].
        exists b2, i2. split; [now right | exact h3].
Qed.

Lemma noted_none : forall (U : list nat -> Prop) top a,
  (forall u p, U u -> p <= n -> ~ Found top u p) -> Noted U top a a.
Proof.
  intros U top a h. exists []. split; [reflexivity | split; [constructor |]]. intros t s. cbn.
  split; [easy |]. intros (u & p & hu & hp & hf & _). exact (h u p hu hp hf).
Qed.

Lemma noted_trans : forall (U1 U2 : list nat -> Prop) top a a1 a2,
  (forall u, U1 u -> ~ U2 u) -> Noted U1 top a a1 -> Noted U2 top a1 a2 ->
  Noted (fun u => U1 u \/ U2 u) top a a2.
Proof.
  intros U1 U2 top a a1 a2 apart (l1 & -> & d1 & h1) (l2 & -> & d2 & h2).
  exists (l1 ++ l2). split; [now rewrite fold_left_app | split].
  - apply nodup_app; [exact d1 | exact d2 |]. intros [t s] hl hl'.
    apply h1 in hl. apply h2 in hl'. destruct hl as (u & p & hu & _ & _ & e & _).
    destruct hl' as (u' & p' & hu' & _ & _ & e' & _). rewrite e' in e.
    apply (f_equal (@rev nat)) in e. rewrite !rev_involutive in e. apply app_inv_head in e.
    subst u'. exact (apart u hu hu').
  - intros t s. rewrite in_app_iff, h1, h2. split.
    + intros [(u & p & hu & h) | (u & p & hu & h)]; exists u, p; auto.
    + intros (u & p & [hu | hu] & h); [left | right]; now exists u, p.
Qed.

Lemma noted_same : forall (U U' : list nat -> Prop) top a a',
  (forall u, U u <-> U' u) -> Noted U top a a' -> Noted U' top a a'.
Proof.
  intros U U' top a a' h (l & e & d & hl). exists l. split; [exact e | split; [exact d |]].
  intros t s. rewrite hl.
  split; intros (u & p & hu & r); exists u, p; (split; [now apply h | exact r]).
Qed.

Lemma noted_row : forall k x top a a', Noted (InRows k x) (top ++ [x]) a a' ->
  Noted (fun u => exists v, u = x :: v /\ InRows k x v) top a a'.
Proof.
  intros k x top a a' (l & e & d & hl). exists l. split; [exact e | split; [exact d |]].
  intros t s. rewrite hl. unfold Found. split.
  - intros (v & p & hv & hp & hf & ht & hs). rewrite <- app_assoc in hf, ht. exists (x :: v), p.
    split; [now exists v | now repeat (split; [assumption |])].
  - intros (u & p & (v & -> & hv) & hp & hf & ht & hs). exists v, p.
    rewrite <- app_assoc. split; [exact hv | now repeat (split; [assumption |])].
Qed.

Lemma leaf_right : forall top l a l' a', Fits top 0 0 ->
  (forall p, p <= n -> (bit mask p = true \/ HasBit l 0 p <-> Outer top [] p)) ->
  leaf A note full mask (2 ^ N.of_nat mark) (rev top) l a = (l', a') ->
  Updated (fun u => u = []) 0 1 top l l' /\ Noted (fun u => u = []) top a a'.
Proof.
  intros top l a l' a' hf hl e. unfold leaf in e.
  destruct (least_spec n (union mask l)) as [single hs]. fold full in single, hs.
  cbv zeta in e. remember (least full (union mask l)) as s eqn:hide. clear hide.
  assert (found : forall p, p <= n -> (bit s p = true <-> Found top [] p)).
  { intros p hp. rewrite (hs p hp). unfold Found. rewrite P_least by (apply (hf []); easy).
    assert (eb : forall x, x <= n -> (bit (union mask l) x = true <-> Blocked (top ++ []) x)).
    { intros x hx. rewrite union_bit, hl by exact hx. split; [apply outer_blocked |].
      intros [hb | (j & y & hy & hb)]; [now left |]. right. exists j, y.
      split; [| split; [exact hy | exact hb]]. rewrite app_nil_r in hy.
      destruct (le_lt_dec (length top) j); [| assumption].
      rewrite nth_overflow in hy by assumption. lia. }
    rewrite <- (eb p hp), not_true_iff_false.
    split; intros [h1 h2]; (split; [exact h1 |]); intros x hx; apply eb; try lia; now apply h2. }
  destruct (N.eqb_spec s 0) as [hzero | hne].
  - injection e as <- <-. rewrite hzero in found.
    assert (no : forall p, p <= n -> ~ Found top [] p).
    { intros p hp h. apply found in h; [discriminate | exact hp]. }
    split; [| apply noted_none; intros u p ->; apply no].
    clear - no small_mark. induction l as [| [b i] l IH]; cbn; [easy |].
    split; [lia | split; [| split; [reflexivity | exact IH]]].
    intros u d p -> _ hp. split; [now left |].
    intros [h | [h | [_ h]]]; [exact h | |]; exfalso; [apply (no p) | apply (no mark)]; assumption.
  - destruct single as [| (q & hq & es)]; [contradiction |].
    assert (one : forall p, p <= n -> (p = q <-> Found top [] p)).
    { intros p hp. rewrite <- found, es, (power_bit n), Nat.eqb_eq by exact hp. split; auto. }
    injection e as <- <-. split.
    + set (last := if N.eqb s (2 ^ N.of_nat mark) then full else s).
      assert (hlast : forall p, p <= n ->
        (bit last p = true <-> Found top [] p \/ Found top [] mark)).
      { intros p hp. unfold last. rewrite <- (one p hp), <- (one mark small_mark).
        destruct (N.eqb_spec s (2 ^ N.of_nat mark)) as [e | e].
        - change (bit full p) with (bit (N.ones (N.of_nat (S n))) p). rewrite full_bit by exact hp.
          split; [| reflexivity]. intros _. right.
          pose proof (power_bit n q mark) as h. rewrite <- es, e, (power_bit n), Nat.eqb_refl in h.
          symmetry in h. apply Nat.eqb_eq in h. now symmetry.
        - rewrite es, (power_bit n), Nat.eqb_eq. split; [auto |].
          intros [h | h]; [now symmetry |]. subst q. contradiction. }
      clear - one hlast es. induction l as [| [b i] l IH]; cbn [put Updated]; [easy |].
      split; [lia | split; [| split; [| exact IH]]].
      * intros u d p -> hd hp. cbn [rank] in hd. replace d with 0%N by lia. rewrite N.add_0_r.
        unfold get at 1, set. rewrite N.eqb_refl. unfold bit at 1. rewrite N.lor_spec, orb_true_iff.
        fold (bit (get b i) p). destruct l as [| t l].
        -- fold (bit last p). rewrite (hlast p hp). intuition.
        -- fold (bit s p). rewrite es, (power_bit n), Nat.eqb_eq, <- (one p hp). split.
           ++ intros [h | h]; auto.
           ++ intros [h | [h | [h _]]]; [auto | auto | discriminate].
      * intros j hj. unfold get, set. destruct (N.eqb_spec j i); [lia | reflexivity].
    + exists [(rev top, s)]. split; [reflexivity | split].
      * constructor; [easy | constructor].
      * intros t s'. cbn. split.
        -- intros [e | []]. injection e as <- <-. exists [], q. rewrite app_nil_r.
           split; [reflexivity | split; [exact hq | split; [now apply one | now split]]].
        -- intros (u & p & -> & hp & h & -> & ->). left. apply one in h; [| exact hp]. subst p.
           now rewrite app_nil_r, es.
Qed.

Lemma plan_head : forall k x, x < n -> hd [] (skipn x (plan k n)) = moves_of n k x 0.
Proof.
  intros k x h. unfold plan. rewrite skipn_map.
  assert (e : forall a b c, b <= c -> skipn b (seq a c) = seq (a + b) (c - b)).
  { clear. intros a b. revert a. induction b as [| b IH]; intros a c h.
    - cbn. now rewrite Nat.add_0_r, Nat.sub_0_r.
    - destruct c; [lia |]. cbn. rewrite IH by lia. f_equal. lia. }
  rewrite e by lia. replace (n - x) with (S (n - S x)) by lia. reflexivity.
Qed.

Lemma tl_skipn : forall (B : Type) (l : list B) x, tl (skipn x l) = skipn (S x) l.
Proof.
  intros B l x. revert l. induction x as [| x IH]; intros l; [now destruct l |].
  destruct l; [reflexivity |]. exact (IH l).
Qed.

Definition Later (k x y : nat) (u : list nat) : Prop :=
  exists z v, u = z :: v /\ x <= z <= y /\ InRows k z v.

Lemma later_first : forall k x y u, x <= y ->
  (exists v, u = x :: v /\ InRows k x v) \/ Later k (S x) y u <-> Later k x y u.
Proof.
  clear. intros k x y u hxy. split.
  - intros [(v & -> & hv) | (z & v & -> & hz & hv)].
    + exists x, v. split; [reflexivity | split; [lia | exact hv]].
    + exists z, v. split; [reflexivity | split; [lia | exact hv]].
  - intros (z & v & -> & hz & hv). destruct (Nat.eq_dec z x) as [-> |].
    + left. now exists v.
    + right. exists z, v. split; [reflexivity | split; [lia | exact hv]].
Qed.

Lemma lengths_right : forall k inner, Right k inner ->
  forall y top more x l own spare a, y <= n -> x + more = S y -> l <> [] -> length spare = k ->
    Fits top (S k) y ->
    (forall u d p, Later k x y u -> (before k x + d)%N = rank u -> p <= n ->
      (bit mask p = true \/ HasBit l d p <-> Outer top u p)) ->
    (x <= y -> forall v p, InRows k x v -> p <= n ->
      (bit (get own (rank v)) p = true <-> Own top x v p)) ->
    forall l' own' spare' a',
      lengths A inner more x (skipn x (plan k n)) (rev top) l own spare a =
        (l', own', spare', a') ->
      Updated (Later k x y) (before k x) (before k (S y) - before k x) top l l' /\
      length spare' = k /\ Noted (Later k x y) top a a'.
Proof.
  intros k inner hi y top. induction more as [| more IH];
    intros x l own spare a hy hx hl hsp hf hl1 hown l' own' spare' a' e.
  - cbn in e. injection e as <- <- <- <-.
    assert (none : forall u, ~ Later k x y u) by (intros u (z & v & _ & hz & _); lia).
    split; [| split; [exact hsp |]].
    + replace (before k (S y) - before k x)%N with 0%N by (replace (S y) with x by lia; lia).
      clear - none. induction l as [| [b i] l IHl]; cbn [Updated]; [easy |].
      split; [lia | split; [| split; [reflexivity | exact IHl]]].
      intros u d p hu. destruct (none u hu).
    + apply noted_none. intros u p hu. destruct (none u hu).
  - cbn [lengths] in e.
    assert (et : x :: rev top = rev (top ++ [x])) by now rewrite rev_unit.
    rewrite et in e.
    destruct (inner x (rev (top ++ [x])) ((own, 0%N) :: l) spare a) as [[l1 spare1] a1] eqn:ei.
    assert (hright := hi x (top ++ [x]) ((own, 0%N) :: l) spare a ltac:(lia)
      ltac:(discriminate) hsp (fits_row top k y x ltac:(lia) hf)).
    assert (hpre : forall u p, InRows k x u -> p <= n ->
      (bit mask p = true \/ HasBit ((own, 0%N) :: l) (rank u) p <-> Outer (top ++ [x]) u p)).
    { intros v p hv hp. rewrite <- (outer_own n), <- (hown ltac:(lia) v p hv hp).
      rewrite <- (hl1 (x :: v) (rank v) p); [| | | exact hp].
      - unfold HasBit. split.
        + intros [h | (b & i & [h | hin] & hb)].
          * right. now left.
          * injection h as <- <-. left. now rewrite N.add_0_l in hb.
          * right. right. now exists b, i.
        + intros [h | [h | (b & i & hin & hb)]].
          * right. exists own, 0%N. split; [now left |]. now rewrite N.add_0_l.
          * now left.
          * right. exists b, i. split; [now right | exact hb].
      - exists x, v. split; [reflexivity | split; [lia | exact hv]].
      - cbn [rank]. destruct hv as [-> _]. reflexivity. }
    destruct (hright hpre l1 spare1 a1 ei) as (hu & hsp1 & hn). clear hright hpre ei et.
    destruct l1 as [| [own1 i1] l1]; [now cbn in hu |].
    cbn [Updated] in hu. destruct hu as (_ & hown1 & _ & hu).
    apply updated_row in hu; [| exact hl]. apply noted_row in hn.
    rewrite tl_skipn in e.
    assert (hb : before k (S x) = (before k x + size k x)%N) by apply before_next.
    destruct (IH (S x) l1 (grow (hd [] (skipn x (plan k n))) own1) spare1 a1) with
      (l' := l') (own' := own') (spare' := spare') (a' := a') as (hu2 & hsp2 & hn2);
      try assumption; try lia.
    + destruct l as [| [? ?] ?], l1 as [| [? ?] ?]; cbn in hu; easy.
    + intros u d p (z & v & -> & hz & hv) hd hp.
      rewrite (updated_has _ _ _ _ _ _ d p hu).
      apply (hl1 (z :: v) (size k x + d)%N p); [| lia | exact hp].
      exists z, v. split; [reflexivity | split; [lia | exact hv]].
    + intros hxy v p [hk hv] hp. rewrite plan_head by lia.
      destruct (grow_right n k x 0 own1 ltac:(lia)) as [_ hg].
      specialize (hg v hk hv). rewrite !N.add_0_l in hg. rewrite hg.
      assert (hv' : InRows k x (map (Nat.min x) v)).
      { split; [now rewrite map_length | exact (falling_to n _ _ _ hv)]. }
      specialize (hown1 _ (rank (map (Nat.min x) v)) p hv' (N.add_0_l _) hp).
      rewrite N.add_0_l in hown1. rewrite hown1, (own_next n).
      rewrite (hown ltac:(lia) _ p hv' hp). unfold Found. rewrite <- app_assoc. cbn [app].
      split; [intros [h | [h | [h _]]]; [auto | auto | contradiction] | intros [h | h]; auto].
    + set (U1 := fun u => exists v, u = x :: v /\ InRows k x v) in *.
      assert (r1 : forall u, U1 u -> (rank u < before k x + size k x)%N).
      { intros u (v & -> & hk & hv). cbn [rank]. rewrite hk. apply rank_less in hv.
        rewrite hk in hv. lia. }
      assert (r2 : forall u, Later k (S x) y u -> (before k x + size k x <= rank u)%N).
      { intros u (z & v & -> & hz & hk & hv). cbn [rank]. rewrite hk.
        pose proof (before_le k (S x) z ltac:(lia)). lia. }
      assert (apart : forall u, U1 u -> ~ Later k (S x) y u).
      { intros u (v & -> & _) (z & v' & e' & hz & _). injection e' as e' _. lia. }
      assert (all : forall u, U1 u \/ Later k (S x) y u <-> Later k x y u).
      { intros u. apply later_first. lia. }
      split; [| split; [exact hsp2 |]].
      * pose proof (before_le k (S x) (S y) ltac:(lia)) as hle.
        replace (before k (S y) - before k x)%N
          with (size k x + (before k (S y) - before k (S x)))%N by lia.
        rewrite hb in hu2 at 1.
        apply (updated_weaker _ (fun u => U1 u \/ Later k (S x) y u)); [intros u; apply all |].
        exact (updated_trans _ _ _ _ _ _ _ _ _ r1 r2 hu hu2).
      * apply (noted_same (fun u => U1 u \/ Later k (S x) y u)); [exact all |].
        exact (noted_trans _ _ _ _ _ _ apart hn hn2).
Qed.

Lemma run_right : forall k, Right k (run A note full mask (2 ^ N.of_nat mark) (plans_of n k)).
Proof.
  induction k as [| k IH]; intros x top l spare a hx hl hsp hf hpre l' spare' a' e.
  - destruct spare; [| discriminate]. cbn [plans_of run] in e.
    destruct (leaf A note full mask (2 ^ N.of_nat mark) (rev top) l a) as [l1 a1] eqn:el.
    injection e as <- <- <-.
    assert (rows0 : forall u, InRows 0 x u <-> u = []).
    { intros u. split; [intros [h _]; now destruct u | intros ->; now split]. }
    destruct (leaf_right top l a l1 a1) as [h1 h2]; [| | exact el |].
    + intros u hk hu. destruct u; [| discriminate]. now apply hf.
    + intros p hp. apply (hpre [] p); [now split | exact hp].
    + split; [| split; [reflexivity |]].
      * eapply updated_weaker; [| exact h1]. intros u hu. now apply rows0.
      * eapply noted_same; [| exact h2]. intros u. symmetry. apply rows0.
  - destruct spare as [| own spare]; [discriminate |]. cbn in hsp. injection hsp as hsp.
    cbn [plans_of run] in e.
    destruct (lengths A (run A note full mask (2 ^ N.of_nat mark) (plans_of n k)) (S x) 0 (plan k n)
      (rev top) l (set own 0 0) spare a) as [[[l1 own1] spare1] a1] eqn:el.
    injection e as <- <- <-.
    assert (later : forall u, Later k 0 x u <-> InRows (S k) x u).
    { intros u. split.
      - intros (z & v & -> & hz & hk & hv). split; cbn; [lia | split; [lia | exact hv]].
      - intros [hk hu]. destruct u as [| z v]; [discriminate |]. cbn in hk, hu. exists z, v.
        split; [reflexivity | split; [lia | split; [lia | easy]]]. }
    destruct (lengths_right k _ IH x top (S x) 0 l (set own 0 0) spare a) with
      (l' := l1) (own' := own1) (spare' := spare1) (a' := a1) as (h1 & h2 & h3);
      try assumption; try lia.
    + intros u d p hu hd hp. cbn [before] in hd. replace d with (rank u) by lia.
      apply hpre; [now apply later | exact hp].
    + intros _ v p [hk hv] hp. pose proof (rank_less v 0 hv) as hr. rewrite size_0 in hr.
      replace (rank v) with 0%N by lia. unfold get, set. rewrite N.eqb_refl.
      split; [discriminate |].
      intros (z & hz & _). lia.
    + split; [| split; [cbn; lia |]].
      * cbn [before] in h1. rewrite N.sub_0_r in h1.
        eapply updated_weaker; [| exact h1]. intros u. apply later.
      * eapply noted_same; [| exact h3]. exact later.
Qed.

End Column.

Lemma all_columns_right : forall k more x own spare a, x + more = S n -> length spare = k ->
  (x <= n -> forall v p, InRows k x v -> p <= n ->
    (p < Nat.max x 1 \/ bit (get own (rank v)) p = true <-> Outer [x] v p)) ->
  Noted (Later k x n) [] a
    (all_columns A note full (plans_of n k) more x (skipn x (plan k n)) own spare a).
Proof.
  intros k. induction more as [| more IH]; intros x own spare a hx hsp hown; cbn [all_columns].
  - apply noted_none. intros u p (z & v & _ & hz & _). lia.
  - assert (hxn : x <= n) by lia. specialize (hown hxn).
    destruct (run A note full (N.ones (N.of_nat (Nat.max x 1))) (2 ^ N.of_nat x) (plans_of n k) x
      [x] [(own, 0%N)] spare a) as [[l spare1] a1] eqn:e.
    assert (hmask : forall p, bit (N.ones (N.of_nat (Nat.max x 1))) p = true <-> p < Nat.max x 1).
    { intros p. unfold bit. rewrite N.ones_spec_iff. lia. }
    destruct (run_right (N.ones (N.of_nat (Nat.max x 1))) x hxn k x [x] [(own, 0%N)] spare a hxn
      ltac:(discriminate) hsp (fits_one k x)) with (l' := l) (spare' := spare1) (a' := a1)
      as (hu & hsp1 & hn); [| exact e |].
    + intros u p hu hp. rewrite hmask, <- (hown u p hu hp). unfold HasBit. split.
      * intros [h | (b & i & [h | []] & hb)]; [now left |]. injection h as <- <-. now right.
      * intros [h | h]; [now left |]. right. exists own, 0%N. split; [now left | exact h].
    + destruct l as [| [own1 i1] l]; [now cbn in hu |]. cbn [Updated] in hu.
      destruct hu as (_ & hu & _). rewrite tl_skipn.
      apply (noted_row k x []) in hn.
      apply (noted_same (fun u => (exists v, u = x :: v /\ InRows k x v) \/ Later k (S x) n u)).
      { intros u. apply later_first. lia. }
      refine (noted_trans _ _ _ _ _ _ _ hn (IH (S x) _ spare1 a1 ltac:(lia) hsp1 _)).
      { intros u (v & -> & _) (z & v' & e' & hz & _). injection e' as e' _. lia. }
      intros hx1 v p [hk hv] hp. rewrite (plan_head x hxn) by lia.
      destruct (grow_right n k x 0 own1 ltac:(lia)) as [_ hg].
      specialize (hg v hk hv). rewrite !N.add_0_l in hg. rewrite hg.
      assert (hv' : InRows k x (map (Nat.min x) v)).
      { split; [now rewrite map_length | exact (falling_to n _ _ _ hv)]. }
      specialize (hu _ (rank (map (Nat.min x) v)) p hv' (N.add_0_l _) hp).
      rewrite N.add_0_l in hu. rewrite hu, (outer_next n), <- (hown _ p hv' hp).
      unfold Found. cbn [app]. replace (Nat.max (S x) 1) with (S x) by lia. split.
      * intros [h | [h | [h | [_ h]]]]; auto.
      * intros [h | [[h | h] | [h | h]]]; auto. left. lia.
Qed.

End Proof.

(** ** The theorem *)

Lemma noted_all : forall n l a,
  let a' := fold_left (fun a e => note n a (fst e) (snd e)) l a in
  fst a' = (fst a + N.of_nat (length l))%N /\
  forall e, In e (snd a') <-> In e (snd a) \/ In e l /\ keeps n (fst e) = true.
Proof.
  intros n. induction l as [| [t s] l IH]; intros a; cbn zeta.
  - cbn. split; [lia |]. intros e. split; [now left |]. intros [h | [[] _]]. exact h.
  - cbn [fold_left]. destruct (IH (note n a t s)) as [h1 h2]. split.
    + etransitivity; [exact h1 |]. cbn [note fst length]. lia.
    + intros e. apply (iff_trans (h2 e)). cbn [fst snd note]. destruct (keeps n t) eqn:ek.
      * split.
        -- intros [[<- | h] | [h h']]; [right | now left | right]; (split; [| assumption]);
             [now left | now right].
        -- intros [h | [[<- | h] h']]; [left; now right | left; now left | now right].
      * split.
        -- intros [h | [h h']]; [now left |]. right. split; [now right | exact h'].
        -- intros [h | [[<- | h] h']]; [now left | | now right].
          cbn [fst] in h'. congruence.
Qed.

Lemma bite_repeat : forall i m n y, i < m -> y <= n ->
  bite i y (repeat n m) = repeat n i ++ repeat y (m - i).
Proof.
  induction i as [| i IH]; intros m n y hi hy.
  - cbn. rewrite Nat.sub_0_r. now apply min_repeat.
  - destruct m as [| m]; [lia |]. cbn. f_equal. apply IH; lia.
Qed.

Lemma keeps_bite : forall i m n y, i < m -> keeps n (rev (repeat n i ++ repeat y (m - i))) = true.
Proof.
  intros i m n y h. replace (m - i) with (S (m - S i)) by lia.
  assert (e : hd 0 (rev (repeat n i ++ repeat y (S (m - S i)))) = y).
  { cbn [repeat]. rewrite repeat_cons, app_assoc, rev_unit. reflexivity. }
  unfold keeps. apply forallb_forall. intros x hx. rewrite e. apply in_rev in hx.
  apply in_app_iff in hx. apply orb_true_iff. rewrite !Nat.eqb_eq.
  destruct hx as [hx | hx]; apply repeat_spec in hx; auto.
Qed.

Theorem table_rectangle_right : forall m n, 2 <= m ->
  (exists l, NoDup l /\ length l = N.to_nat (fst (table_rectangle m n)) /\
    forall b, In b l <-> length b = m /\ hd 0 b <= n /\ P b) /\
  (forall i y, In (i, y) (snd (table_rectangle m n)) <->
    (i < m /\ y < n /\ (i, y) <> (0, 0)) /\ P (bite i y (repeat n m))).
Proof.
  intros m n hm. destruct m as [| [| k]]; [lia | lia |]. unfold table_rectangle.
  replace (S (S k) - 2) with k by lia.
  assert (hblocks : length (blocks n k) = k).
  { clear. induction k; cbn; [reflexivity | now f_equal]. }
  pose proof (all_columns_right _ (note n) n k (S n) 0
    (set (zeros (nth n (sizes k (S n)) 0%N)) 0 0) (blocks n k) (0%N, []) eq_refl hblocks) as h.
  cbn [skipn] in h. destruct h as (l & e & hl & hin).
  { intros _ v p [hk hv] hp. pose proof (rank_less v 0 hv) as hr. rewrite size_0 in hr.
    replace (rank v) with 0%N by lia. unfold get, set. rewrite N.eqb_refl.
    rewrite (outer_one n). split.
    - intros [h | h]; [now left | discriminate].
    - intros [h | [(z & hz & _) | (y & hy & _)]]; [now left | lia | lia]. }
  rewrite e. clear e. destruct (noted_all n l (0%N, [])) as [hc hkept].
  destruct (fold_left (fun a e => note n a (fst e) (snd e)) l (0%N, [])) as [c kept].
  cbn [fst snd] in *.
  assert (all : forall p u, length u = S k -> (p <= n /\ P (p :: u) <->
    p <= n /\ In (rev u, (2 ^ N.of_nat p)%N) l)).
  { intros p u hu. rewrite hin. unfold Found. cbn [app]. split.
    - intros [hp h]. split; [exact hp |]. exists u, p.
      split; [| now repeat (split; [assumption |])].
      destruct u as [| x v]; [discriminate |]. pose proof h as hb. destruct hb as [hb _].
      cbn in hb. exists x, v.
      split; [reflexivity | split; [lia | split; [now injection hu | easy]]].
    - intros [hp (u' & p' & _ & _ & h & eu & ep)]. split; [exact hp |].
      apply (f_equal (@rev nat)) in eu. rewrite !rev_involutive in eu. subst u'.
      apply N.pow_inj_r in ep; [| lia]. now replace p with p' by lia. }
  split.
  - exists (map (fun e => N.to_nat (N.log2 (snd e)) :: rev (fst e)) l). split; [| split].
    + apply Counting.nodup_map; [exact hl |].
      intros [t s] [t' s'] h h' eq. cbn in eq. injection eq as ep et.
      apply hin in h. apply hin in h'. destruct h as (u & p & _ & _ & _ & -> & ->).
      destruct h' as (u' & p' & _ & _ & _ & -> & ->).
      rewrite !N.log2_pow2 in ep by lia. rewrite !rev_involutive in et. cbn in et. subst u'.
      now replace p' with p by lia.
    + rewrite map_length, hc. lia.
    + intros b. rewrite in_map_iff. split.
      * intros ([t s] & <- & h). cbn [fst snd]. pose proof h as h0. apply hin in h0.
        destruct h0 as (u & p & hu & hp & hf & -> & ->).
        rewrite N.log2_pow2, Nat2N.id, rev_involutive by lia. unfold Found in hf. cbn [app] in *.
        destruct hu as (z & v & -> & _ & hk & _). cbn. rewrite hk. now split.
      * intros (hb & hp & h). destruct b as [| p u]; [discriminate |]. cbn in hb, hp.
        destruct (all p u ltac:(lia)) as [h1 _]. destruct (h1 (conj hp h)) as [_ hi].
        exists (rev u, (2 ^ N.of_nat p)%N). split; [| exact hi]. cbn [fst snd].
        now rewrite N.log2_pow2, Nat2N.id, rev_involutive by lia.
  - intros i y. rewrite filter_In, moves_spec, move_rectangle. cbn [fst snd].
    assert (hwins : i < S (S k) -> y < n ->
      match bite i y (repeat n (S (S k))) with
      | [] => false
      | p :: u => existsb (fun e => N.eqb (snd e) (2 ^ N.of_nat p) &&
          if list_eq_dec Nat.eq_dec (rev (fst e)) u then true else false) kept
      end = true <-> P (bite i y (repeat n (S (S k))))).
    { intros hi hy. pose proof (bite_length (repeat n (S (S k))) i y) as hlen.
      rewrite repeat_length in hlen.
      assert (hshape : exists j, j < S k /\
        bite i y (repeat n (S (S k))) =
          (if i =? 0 then y else n) :: repeat n j ++ repeat y (S k - j)).
      { rewrite bite_repeat by lia. destruct i as [| i].
        - exists 0. split; [lia | reflexivity].
        - exists i. split; [lia | reflexivity]. }
      destruct hshape as (j & hj & eb). rewrite eb in *. set (p := if i =? 0 then y else n) in *.
      assert (hp : p <= n) by (unfold p; destruct (i =? 0); lia).
      set (u := repeat n j ++ repeat y (S k - j)) in *. cbn [length] in hlen.
      destruct (all p u ltac:(lia)) as [h1 h2]. rewrite existsb_exists. split.
      - intros ([t s] & hk & he). cbn [fst snd] in he. apply andb_true_iff in he.
        destruct he as [he1 he2]. apply N.eqb_eq in he1.
        destruct (list_eq_dec Nat.eq_dec (rev t) u) as [et |]; [| discriminate].
        apply hkept in hk. destruct hk as [[] | [hk _]]. apply h2. split; [exact hp |].
        rewrite <- et, rev_involutive, <- he1. exact hk.
      - intros h. exists (rev u, (2 ^ N.of_nat p)%N). split.
        + apply hkept. right. split; [now apply h1 |]. cbn [fst]. now apply keeps_bite.
        + cbn [fst snd]. rewrite N.eqb_refl, rev_involutive.
          now destruct (list_eq_dec Nat.eq_dec u u). }
    split; intros [(h1 & h2 & h3) h]; (split; [auto |]); now apply hwins.
Qed.

Example four_by_five : table_rectangle 4 5 = (16%N, [(2, 2)]).
Proof. vm_compute. reflexivity. Qed.
