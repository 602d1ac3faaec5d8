(** * All P-positions of a rectangle

[rectangle m n] counts the P-positions with m rows of at most n squares, m >= 2, and finds the bites
that win on the rectangle itself. [rectangle_right] proves both answers.

This is the recurrence of [../boards.md], 1 and 2. For lower rows t, at most one p makes (p, t) a
P-position: the least one that is not blocked. A number blocked for t is a bit of a set. The sets of
all u with k rows of at most a squares are a [tree]; [sets_at] reads it. Parts with equal sets are
one leaf; so trees are small where nothing is found, or everything is blocked.

- [solve k a t] goes over the choices u of the last k rows, and returns the tree of what it finds:
  at u the set of the one p, or the empty set. In [t], the sets have all that is blocked for u by
  the rows above, which are fixed.
- [rows] does this for one row: its length goes from 0 to a. [own], the table of boards.md, has what
  was found for smaller lengths. [wider] copies it when the length grows (boards.md, 2 (c)).
- [columns] does it for row 1 (the second one), where a set also has the p that are too small, and
  is full if u is shut (boards.md, 2 (d)).

For example, with two rows and n = 3, so k = 0, a tree is one set. Column 0 begins with the set {0}
and finds 1; column 1 with {0, 1}, finds 2; and so on: the P-positions are (x + 1, x). *)

From Coq Require Import Arith NArith List Lia Bool FinFun.
From Chomp Require Import Boards.
Import ListNotations.

Local Arguments Nat.min : simpl never.
Local Arguments N.add : simpl never.

(** ** The program *)

(** For each u: with [Split rest last], [last] has the u that begin with the greatest length, and
[rest] the others. *)
Inductive tree : Type :=
| Same (s : N)
| Split (rest last : tree).

Fixpoint sets_at (a : nat) (t : tree) (u : list nat) : N :=
  match t with
  | Same s => s
  | Split rest last =>
      match u with
      | [] => sets_at a last []
      | x :: v => if x =? a then sets_at a last v else sets_at (pred a) rest u
      end
  end.

Definition split (rest last : tree) : tree :=
  match rest, last with
  | Same s, Same s' => if N.eqb s s' then rest else Split rest last
  | _, _ => Split rest last
  end.

Definition rest_of (t : tree) : tree := match t with Same _ => t | Split rest _ => rest end.

Definition last_of (t : tree) : tree := match t with Same _ => t | Split _ last => last end.

(** The tree for lengths to [a + 1] whose set at u is the set of t at [min(u, a)]. *)
Fixpoint wider (t : tree) : tree :=
  match t with
  | Same _ => t
  | Split _ last => Split t (wider last)
  end.

Section Program.

(** The set of all numbers from 0 to n. *)
Variable full : N.

Fixpoint paint_all (s : N) (t : tree) : tree :=
  match t with
  | Same s' => Same (N.lor s s')
  | Split rest last => split (paint_all s rest) (paint_all s last)
  end.

(** The union of s and each set of t. *)
Definition paint (s : N) (t : tree) : tree :=
  if N.eqb s 0 then t else if N.eqb s full then Same full else paint_all s t.

(** The unions of the sets of t and t'. *)
Fixpoint merge (t t' : tree) : tree :=
  match t, t' with
  | Same s, _ => paint s t'
  | _, Same s => paint s t
  | Split rest last, Split rest' last' => split (merge rest rest') (merge last last')
  end.

(** [full] in the place of the sets that have x. *)
Fixpoint shut (x : N) (t : tree) : tree :=
  match t with
  | Same s => Same (if N.testbit s x then full else s)
  | Split rest last => split (shut x rest) (shut x last)
  end.

Definition is_full (t : tree) : bool :=
  match t with Same s => N.eqb s full | Split _ _ => false end.

(** The set of the least number to n that is not in s; the empty set if there is none. *)
Definition least (s : N) : N :=
  let free := N.ldiff (N.succ s) s in
  if N.leb free full then free else 0%N.

Section Row.

(** [solve] for one row less. *)
Variable inner : nat -> tree -> tree.

(** What is found, and [own] for the next length of this row. *)
Fixpoint rows (a : nat) (t : tree) : tree * tree :=
  if is_full t then (Same 0, Same 0) else
  match a with
  | 0 =>
      let found := inner 0 (last_of t) in
      (found, wider found)
  | S a' =>
      let (before, own) := rows a' (rest_of t) in
      let found := inner a (merge own (last_of t)) in
      (split before found, wider (merge own found))
  end.

End Row.

Fixpoint solve (k a : nat) (t : tree) : tree :=
  match k with
  | 0 => Same (least (sets_at a t []))
  | S k' => fst (rows (solve k') a t)
  end.

(** How many u have a set that is not empty. *)
Fixpoint count (k : nat) : nat -> tree -> N :=
  match k with
  | 0 => fun a t => if N.eqb (sets_at a t []) 0 then 0%N else 1%N
  | S k' =>
      fix below (a : nat) (t : tree) : N :=
        match t with
        | Same 0 => 0%N
        | _ =>
            match a with
            | 0 => count k' 0 (last_of t)
            | S a' => (below a' (rest_of t) + count k' a (last_of t))%N
            end
        end
  end.

(** The tree that [solve] needs for column x; how many P-positions the columns before x have; and
the sets found at (y, y, ..., y) for y < x. *)
Fixpoint columns (k x : nat) : tree * N * list N :=
  match x with
  | 0 => (Same 1, 0%N, [])
  | S x' =>
      let '(t, c, squares) := columns k x' in
      let found := solve k x' t in
      (paint (N.ones (N.of_nat x)) (wider (merge t (shut (N.of_nat x') found))),
       (c + count k x' found)%N, squares ++ [sets_at x' found (repeat x' k)])
  end.

End Program.

Definition rectangle (m n : nat) : N * list (nat * nat) :=
  let full := N.ones (N.of_nat (S n)) in
  let k := m - 2 in
  let '(t, c, squares) := columns full k n in
  let found := solve full k n t in
  let wins (b : list nat) :=
    match b with
    | p :: x :: u => N.testbit (if x =? n then sets_at n found u else nth x squares 0%N) (N.of_nat p)
    | _ => false
    end in
  ((c + count k n found)%N,
   filter (fun c => wins (bite (fst c) (snd c) (repeat n m))) (moves (repeat n m))).

(** ** Trees *)

Lemma split_at : forall rest last a u,
  sets_at a (split rest last) u = sets_at a (Split rest last) u.
Proof.
  intros [s |] [s' |] a u; try reflexivity. unfold split.
  destruct (N.eqb_spec s s') as [<- |]; [| reflexivity].
  destruct u as [| x u]; cbn; [reflexivity |].
  now destruct (x =? a).
Qed.

Lemma last_at : forall t a u, sets_at a (last_of t) u = sets_at a t (a :: u).
Proof. intros [s |] a u; cbn; [reflexivity |]. now rewrite Nat.eqb_refl. Qed.

Lemma rest_at : forall t a x u, x <= a -> sets_at a (rest_of t) (x :: u) = sets_at (S a) t (x :: u).
Proof.
  intros [s |] a x u h; [reflexivity |]. cbn [rest_of sets_at].
  destruct (Nat.eqb_spec x (S a)); [lia | reflexivity].
Qed.

Lemma zeros_at : forall t v, Falling 0 v -> sets_at 0 t (0 :: v) = sets_at 0 t v.
Proof.
  assert (all : forall t u v, Falling 0 u -> Falling 0 v -> sets_at 0 t u = sets_at 0 t v).
  { induction t as [s | rest _ last IH]; intros u v hu hv; [reflexivity |].
    assert (e : forall w, Falling 0 w -> sets_at 0 (Split rest last) w = sets_at 0 last []).
    { intros [| x w] hw; [reflexivity |]. cbn in hw. destruct hw as [hx hw].
      replace x with 0 in * by lia. cbn. now apply IH. }
    now rewrite !e. }
  intros t v h. apply all; cbn; auto.
Qed.

Lemma wider_at : forall t a u, Falling (S a) u ->
  sets_at (S a) (wider t) u = sets_at a t (map (Nat.min a) u).
Proof.
  induction t as [s | rest _ last IH]; intros a u h; [reflexivity |].
  destruct u as [| x u]; cbn [wider sets_at map].
  - exact (IH a [] I).
  - cbn in h. destruct h as [hx h]. destruct (Nat.eqb_spec x (S a)) as [-> |].
    + rewrite Nat.min_l, Nat.eqb_refl by lia. now apply IH.
    + rewrite Nat.min_r by lia. rewrite (min_falling u x) by (exact h || lia). reflexivity.
Qed.

Definition bit (s : N) (p : nat) : bool := N.testbit s (N.of_nat p).

Section Proof.

Variable n : nat.

Let full : N := N.ones (N.of_nat (S n)).

Lemma full_bit : forall p, p <= n -> bit full p = true.
Proof. intros p h. apply N.ones_spec_low. lia. Qed.

Lemma paint_at : forall s t a u p, p <= n ->
  bit (sets_at a (paint full s t) u) p = bit s p || bit (sets_at a t u) p.
Proof.
  intros s t a u p hp. unfold paint.
  destruct (N.eqb_spec s 0) as [-> |]; [reflexivity |].
  destruct (N.eqb_spec s full) as [-> |]; [cbn; now rewrite full_bit |].
  revert a u. induction t as [s' | rest IH last IH']; intros a u.
  - apply N.lor_spec.
  - cbn [paint_all]. rewrite split_at. destruct u as [| x u]; cbn [sets_at]; [apply IH' |].
    destruct (x =? a); [apply IH' | apply IH].
Qed.

Lemma merge_at : forall t t' a u p, p <= n ->
  bit (sets_at a (merge full t t') u) p = bit (sets_at a t u) p || bit (sets_at a t' u) p.
Proof.
  induction t as [s | rest IH last IH']; intros t' a u p hp; [now apply paint_at |].
  destruct t' as [s | rest' last']; cbn [merge].
  - rewrite paint_at by exact hp. apply orb_comm.
  - rewrite split_at. destruct u as [| x u]; cbn [sets_at]; [now apply IH' |].
    destruct (x =? a); [now apply IH' | now apply IH].
Qed.

Lemma shut_at : forall x t a u p, p <= n ->
  bit (sets_at a (shut full (N.of_nat x) t) u) p =
  bit (sets_at a t u) p || bit (sets_at a t u) x.
Proof.
  intros x t a u p hp. revert a u. induction t as [s | rest IH last IH']; intros a u.
  - cbn. unfold bit at 3. destruct (N.testbit s (N.of_nat x)).
    + now rewrite full_bit, orb_true_r.
    + now rewrite orb_false_r.
  - cbn [shut]. rewrite split_at. destruct u as [| y u]; cbn [sets_at]; [apply IH' |].
    destruct (y =? a); [apply IH' | apply IH].
Qed.

(** ** The least number *)

Lemma lowest : forall s, exists q,
  N.ldiff (N.succ s) s = (2 ^ N.of_nat q)%N /\ bit s q = false /\ forall x, x < q -> bit s x = true.
Proof.
  unfold bit. induction s as [| s _ | s (q & e & h & below)] using N.binary_ind.
  - exists 0. repeat split. lia.
  - exists 0. rewrite N.double_spec. split; [| split; [apply N.testbit_even_0 | lia]].
    apply N.bits_inj. intros i. rewrite N.ldiff_spec.
    replace (N.succ (2 * s)) with (2 * s + 1)%N by lia.
    destruct i as [| i] using N.peano_ind.
    + now rewrite N.testbit_odd_0, N.testbit_even_0.
    + rewrite N.testbit_odd_succ, N.testbit_even_succ, andb_negb_r by lia.
      symmetry. apply N.bits_above_log2. cbn. lia.
  - exists (S q). rewrite N.succ_double_spec, Nat2N.inj_succ. split; [| split].
    + replace (N.succ (2 * s + 1)) with (2 * N.succ s)%N by lia.
      rewrite N.pow_succ_r', <- e. apply N.bits_inj. intros i. rewrite N.ldiff_spec.
      destruct i as [| i _] using N.peano_ind.
      * now rewrite !N.testbit_even_0.
      * now rewrite !N.testbit_even_succ, N.testbit_odd_succ, N.ldiff_spec by lia.
    + rewrite N.testbit_odd_succ by lia. exact h.
    + intros [| x] hx; [apply N.testbit_odd_0 |].
      rewrite Nat2N.inj_succ, N.testbit_odd_succ by lia. apply below. lia.
Qed.

Lemma power_bit : forall q p, bit (2 ^ N.of_nat q) p = (q =? p).
Proof.
  intros q p. unfold bit. rewrite N.pow2_bits_eqb.
  destruct (Nat.eqb_spec q p) as [-> |]; [apply N.eqb_refl | apply N.eqb_neq; lia].
Qed.

(** The empty set, or that of one number to n. *)
Definition Single (s : N) : Prop := s = 0%N \/ exists q, q <= n /\ s = (2 ^ N.of_nat q)%N.

Lemma least_spec : forall s, Single (least full s) /\
  forall p, p <= n ->
    (bit (least full s) p = true <-> bit s p = false /\ forall x, x < p -> bit s x = true).
Proof.
  intros s. destruct (lowest s) as (q & e & free & below). unfold least. rewrite e.
  assert (small : (2 ^ N.of_nat q <=? full)%N = (q <=? n)).
  { unfold full. rewrite N.ones_equiv. destruct (Nat.leb_spec q n) as [h | h].
    - apply N.leb_le, N.lt_le_pred, N.pow_lt_mono_r; lia.
    - apply N.leb_gt.
      assert (2 ^ N.of_nat (S n) <= 2 ^ N.of_nat q)%N by (apply N.pow_le_mono_r; lia).
      assert (2 ^ N.of_nat (S n) <> 0)%N by (apply N.pow_nonzero; lia). lia. }
  rewrite small. destruct (Nat.leb_spec q n) as [h | h].
  - split; [right; now exists q |]. intros p hp. rewrite power_bit, Nat.eqb_eq. split.
    + intros <-. now split.
    + intros [h1 h2]. destruct (lt_eq_lt_dec q p) as [[hl | hl] | hl]; [| exact hl |].
      * rewrite h2 in free by exact hl. discriminate.
      * rewrite below in h1 by exact hl. discriminate.
  - split; [now left |]. intros p hp. split; [discriminate |]. intros [h1 _].
    rewrite below in h1 by lia. discriminate.
Qed.

(** ** [solve] *)

(** The sets of t, for k rows of at most a squares, have the p to n with [G u p]. *)
Definition Spec (k a : nat) (t : tree) (G : list nat -> nat -> Prop) : Prop :=
  forall u p, length u = k -> Falling a u -> p <= n -> (bit (sets_at a t u) p = true <-> G u p).

(** What is blocked for the lower rows [top ++ u] without bites in the rows u. *)
Definition Outer (top u : list nat) (p : nat) : Prop :=
  Base (top ++ u) p \/ exists j y,
    j < length top /\ y < nth j (top ++ u) 0 /\ P (p :: bite j y (top ++ u)).

Definition Found (top u : list nat) (p : nat) : Prop := P (p :: top ++ u).

(** What the lengths less than x of the next row find. *)
Definition Own (top : list nat) (x : nat) (u : list nat) (p : nat) : Prop :=
  exists y, y < x /\ P (p :: top ++ y :: map (Nat.min y) u).

Definition Fits (top : list nat) (k a : nat) : Prop :=
  forall u, length u = k -> Falling a u -> Falling (hd 0 (top ++ u)) (top ++ u).

Lemma outer_blocked : forall top u p, Outer top u p -> Blocked (top ++ u) p.
Proof.
  intros top u p [h | (j & y & _ & h)]; [now left |]. right. now exists j, y.
Qed.

Lemma bite_app : forall top y u, bite (length top) y (top ++ u) = top ++ map (Nat.min y) u.
Proof. induction top as [| x top IH]; intros y u; cbn; [reflexivity |]. now rewrite IH. Qed.

Lemma outer_own : forall top x u p,
  Own top x u p \/ Outer top (x :: u) p <-> Outer (top ++ [x]) u p.
Proof.
  intros top x u p. unfold Own, Outer. rewrite <- app_assoc, app_length. cbn [app length].
  assert (e : nth (length top) (top ++ x :: u) 0 = x).
  { rewrite app_nth2, Nat.sub_diag by lia. reflexivity. }
  assert (b : forall y, y < x ->
    bite (length top) y (top ++ x :: u) = top ++ y :: map (Nat.min y) u).
  { intros y hy. rewrite bite_app. cbn. now rewrite Nat.min_l by lia. }
  split.
  - intros [(y & hy & h) | [h | (j & y & hj & h)]].
    + right. exists (length top), y. rewrite e, b by exact hy.
      split; [lia | split; [exact hy | exact h]].
    + now left.
    + right. exists j, y. split; [lia | exact h].
  - intros [h | (j & y & hj & hy & h)]; [now right; left |].
    destruct (Nat.eq_dec j (length top)) as [-> |].
    + left. exists y. rewrite e in hy. rewrite b in h by exact hy. now split.
    + right. right. exists j, y. split; [lia | split; [exact hy | exact h]].
Qed.

Lemma min_min : forall x y u, y <= x -> map (Nat.min y) (map (Nat.min x) u) = map (Nat.min y) u.
Proof. intros x y u h. rewrite map_map. apply map_ext. intros z. lia. Qed.

Lemma falling_to : forall a u x, Falling a u -> Falling x (map (Nat.min x) u).
Proof.
  intros a u x h. apply (falling_weaker _ (Nat.min x a)); [lia |]. now apply falling_min.
Qed.

Lemma own_next : forall top x u p,
  Own top (S x) u p <-> Own top x (map (Nat.min x) u) p \/ Found top (x :: map (Nat.min x) u) p.
Proof.
  intros top x u p. unfold Own, Found. split.
  - intros (y & hy & h). destruct (Nat.eq_dec y x) as [-> |]; [now right |].
    left. exists y. rewrite min_min by lia. split; [lia | exact h].
  - intros [(y & hy & h) | h].
    + exists y. rewrite min_min in h by lia. split; [lia | exact h].
    + exists x. split; [lia | exact h].
Qed.

Lemma full_finds_none : forall top k a t u p, Fits top k a -> is_full full t = true ->
  Spec k a t (Outer top) -> length u = k -> Falling a u -> p <= n -> ~ Found top u p.
Proof.
  intros top k a [s |] u p hf e ht hk hu hp h; [| discriminate]. cbn in e.
  apply N.eqb_eq in e. subst s.
  apply P_least in h; [| now apply hf]. destruct h as [h _]. apply h, outer_blocked.
  apply (ht u p hk hu hp). now apply full_bit.
Qed.

Definition Solves (inner : nat -> tree -> tree) (k : nat) : Prop :=
  forall top a t, Fits top k a -> Spec k a t (Outer top) -> Spec k a (inner a t) (Found top).

Lemma fits_row : forall top k a x, x <= a -> Fits top (S k) a -> Fits (top ++ [x]) k x.
Proof.
  intros top k a x hx h u hk hu. rewrite <- app_assoc. cbn [app]. apply h; cbn; auto.
Qed.

Lemma rows_right : forall inner k, Solves inner k ->
  forall top a t, Fits top (S k) a -> Spec (S k) a t (Outer top) ->
    Spec (S k) a (fst (rows full inner a t)) (Found top) /\
    Spec k (S a) (snd (rows full inner a t)) (Own top (S a)).
Proof.
  intros inner k hi top.
  assert (none : forall a t, Fits top (S k) a -> Spec (S k) a t (Outer top) ->
    is_full full t = true -> Spec (S k) a (Same 0) (Found top) /\
    Spec k (S a) (Same 0) (Own top (S a))).
  { intros a t hf ht e. split.
    - intros u p hk hu hp. cbn. split; [discriminate |]. intros h.
      destruct (full_finds_none top (S k) a t u p hf e ht hk hu hp h).
    - intros u p hk hu hp. cbn. split; [discriminate |]. intros (y & hy & h).
      refine (False_ind _ (full_finds_none top (S k) a t _ p hf e ht _ _ hp h)).
      + cbn. now rewrite map_length, hk.
      + cbn. split; [lia |]. now apply (falling_to (S a)). }
  induction a as [| a IH]; intros t hf ht; cbn [rows];
    destruct (is_full full t) eqn:e; try (now apply (none _ t)); clear none e.
  - assert (hfound : Spec k 0 (inner 0 (last_of t)) (Found (top ++ [0]))).
    { apply hi; [now apply (fits_row top k 0) |]. intros u p hk hu hp.
      rewrite <- outer_own, last_at, (ht (0 :: u) p); [| cbn; lia | cbn; auto | exact hp].
      split; [now right |]. intros [(y & hy & _) | h]; [lia | exact h]. }
    unfold Found in hfound. cbn [fst snd]. split.
    + intros [| x u] p hk hu hp; [discriminate |]. cbn in hk, hu. destruct hu as [hx hu].
      replace x with 0 in * by lia. rewrite zeros_at by exact hu.
      rewrite (hfound u p) by (exact hu || lia). now rewrite <- app_assoc.
    + intros u p hk hu hp. rewrite wider_at by exact hu.
      rewrite (hfound (map (Nat.min 0) u) p);
        [| now rewrite map_length | now apply (falling_to 1) | exact hp].
      rewrite own_next, <- app_assoc. unfold Found. split; [now right |].
      intros [(y & hy & _) | h]; [lia | exact h].
  - destruct (IH (rest_of t)) as [hbefore hown].
    { intros u hk hu. apply hf; [exact hk |]. apply (falling_weaker _ a); [lia | exact hu]. }
    { intros [| x u] p hk hu hp; [discriminate |]. cbn in hu.
      rewrite rest_at by lia. apply ht; [exact hk | cbn; split; [lia | easy] | exact hp]. }
    destruct (rows full inner a (rest_of t)) as [before own]. cbn [fst snd] in hbefore, hown |- *.
    set (found := inner (S a) (merge full own (last_of t))).
    assert (hfound : Spec k (S a) found (Found (top ++ [S a]))).
    { apply hi; [now apply (fits_row top k (S a)) |]. intros u p hk hu hp.
      rewrite merge_at, orb_true_iff, <- outer_own by exact hp. rewrite last_at.
      rewrite (hown u p hk hu hp), (ht (S a :: u) p);
        [reflexivity | cbn; lia | cbn; auto | exact hp]. }
    clearbody found. unfold Found in hfound. split.
    + intros [| x u] p hk hu hp; [discriminate |]. rewrite split_at. cbn [sets_at].
      cbn in hk, hu. destruct hu as [hx hu]. destruct (Nat.eqb_spec x (S a)) as [-> |].
      * rewrite (hfound u p) by (exact hu || lia). now rewrite <- app_assoc.
      * cbn [pred]. apply hbefore; [cbn; lia | cbn; split; [lia | exact hu] | exact hp].
    + intros u p hk hu hp. rewrite wider_at, merge_at, orb_true_iff by assumption.
      assert (hu' : Falling (S a) (map (Nat.min (S a)) u)) by now apply (falling_to (S (S a))).
      rewrite (hown _ p), (hfound _ p), (own_next top (S a) u p)
        by (rewrite ?map_length; assumption).
      now rewrite <- app_assoc.
Qed.

Lemma solve_right : forall k, Solves (solve full k) k.
Proof.
  induction k as [| k IH]; intros top a t hf ht.
  - intros u p hk hu hp. destruct u; [| discriminate]. cbn [solve sets_at].
    destruct (least_spec (sets_at a t [])) as [_ h]. rewrite (h p hp). unfold Found.
    rewrite P_least by now apply hf.
    assert (e : forall x, x <= n -> (bit (sets_at a t []) x = true <-> Blocked (top ++ []) x)).
    { intros x hx. rewrite (ht [] x eq_refl I hx). split; [apply outer_blocked |].
      intros [hb | (j & y & hy & hb)]; [now left |]. right. exists j, y.
      split; [| split; [exact hy | exact hb]]. rewrite app_nil_r in hy.
      destruct (le_lt_dec (length top) j); [| assumption].
      rewrite nth_overflow in hy by assumption. lia. }
    rewrite <- (e p hp), not_true_iff_false.
    split; intros [h1 h2]; (split; [exact h1 |]); intros x hx; apply e; try lia; now apply h2.
  - cbn [solve]. now apply rows_right.
Qed.

(** ** Every set that is found has at most one number *)

Fixpoint Singles (t : tree) : Prop :=
  match t with
  | Same s => Single s
  | Split rest last => Singles rest /\ Singles last
  end.

Lemma singles_at : forall t a u, Singles t -> Single (sets_at a t u).
Proof.
  induction t as [s | rest IH last IH']; intros a u h; [exact h |]. destruct h as [h h'].
  destruct u as [| x u]; cbn; [now apply IH' |]. destruct (x =? a); [now apply IH' | now apply IH].
Qed.

Lemma singles_split : forall rest last, Singles rest -> Singles last -> Singles (split rest last).
Proof.
  intros [s |] [s' |] h h'; try (now split). unfold split.
  destruct (N.eqb s s'); [easy | now split].
Qed.

Lemma solve_singles : forall k a t, Singles (solve full k a t).
Proof.
  induction k as [| k IH]; intros a t; cbn [solve].
  - apply least_spec.
  - revert t. induction a as [| a IHa]; intros t; cbn [rows];
      destruct (is_full full t); try (now left).
    + apply IH.
    + specialize (IHa (rest_of t)). destruct (rows full (solve full k) a (rest_of t)).
      cbn [fst] in *. now apply singles_split.
Qed.

(** ** [count] *)

(** All choices of k rows of at most a squares. *)
Fixpoint falls (k : nat) : nat -> list (list nat) :=
  match k with
  | 0 => fun _ => [[]]
  | S k' =>
      fix below (a : nat) : list (list nat) :=
        match a with
        | 0 => map (cons 0) (falls k' 0)
        | S a' => below a' ++ map (cons a) (falls k' a)
        end
  end.

Lemma in_falls : forall k a u, In u (falls k a) <-> length u = k /\ Falling a u.
Proof.
  induction k as [| k IH].
  - intros a u. cbn. split; [now intros [<- |] |]. intros [h _].
    destruct u; [now left | discriminate].
  - assert (one : forall a u, In u (map (cons a) (falls k a)) <->
      exists v, u = a :: v /\ length v = k /\ Falling a v).
    { intros a u. rewrite in_map_iff. setoid_rewrite IH. split; intros (v & h & h'); now exists v. }
    induction a as [| a IHa]; intros u; cbn [falls].
    + rewrite one. split.
      * intros (v & -> & h & h'). cbn. auto.
      * intros [h h']. destruct u as [| x v]; [discriminate |]. cbn in h, h'. exists v.
        destruct h' as [hx h']. replace x with 0 in * by lia.
        split; [reflexivity | split; [lia | exact h']].
    + rewrite in_app_iff, one. cbn [falls] in IHa. rewrite IHa. split.
      * intros [[h h'] | (v & -> & h & h')].
        -- split; [exact h |]. apply (falling_weaker _ a); [lia | exact h'].
        -- cbn. auto.
      * intros [h h']. destruct u as [| x v]; [discriminate |]. cbn in h, h'.
        destruct (Nat.eq_dec x (S a)) as [-> |].
        -- right. exists v. repeat split; [lia | easy].
        -- left. split; [exact h |]. cbn. split; [lia | easy].
Qed.

Lemma nodup_app : forall (A : Type) (l l' : list A), NoDup l -> NoDup l' ->
  (forall x, In x l -> ~ In x l') -> NoDup (l ++ l').
Proof.
  intros A l l' h h' apart. induction h as [| x l hx h IH]; cbn; [exact h' |].
  constructor.
  - rewrite in_app_iff. intros [|]; [easy |]. apply (apart x); [now left | assumption].
  - apply IH. intros y hy. apply apart. now right.
Qed.

Lemma nodup_falls : forall k a, NoDup (falls k a).
Proof.
  induction k as [| k IH]; intros a.
  - cbn. constructor; [easy | constructor].
  - assert (one : forall a, NoDup (map (cons a) (falls k a))).
    { intros b. apply Injective_map_NoDup; [| apply IH]. intros u v e. now injection e. }
    induction a as [| a IHa]; [apply one |]. cbn [falls].
    apply nodup_app; [exact IHa | apply one |].
    intros u h h'. change (In u (falls (S k) a)) in h. apply in_falls in h.
    apply in_map_iff in h'. destruct h' as (v & <- & _). cbn in h. lia.
Qed.

Definition filled (a : nat) (t : tree) (u : list nat) : bool := negb (N.eqb (sets_at a t u) 0).

Lemma length_filter_map : forall (A B : Type) (f : B -> bool) (g : A -> B) l,
  length (filter f (map g l)) = length (filter (fun x => f (g x)) l).
Proof.
  intros A B f g l. induction l as [| x l IH]; cbn; [reflexivity |].
  destruct (f (g x)); cbn; now rewrite IH.
Qed.

Lemma count_right : forall k a t,
  count k a t = N.of_nat (length (filter (filled a t) (falls k a))).
Proof.
  induction k as [| k IH]; intros a t.
  - cbn. unfold filled. now destruct (N.eqb (sets_at a t []) 0).
  - assert (one : forall a t, count k a (last_of t) =
      N.of_nat (length (filter (filled a t) (map (cons a) (falls k a))))).
    { intros b t'. rewrite length_filter_map, IH. f_equal. f_equal. apply filter_ext.
      intros u. unfold filled. now rewrite last_at. }
    assert (empty : forall a l, length (filter (filled a (Same 0)) l) = 0).
    { intros b l. induction l as [| u l IHl]; [reflexivity | exact IHl]. }
    clear IH. revert t. induction a as [| a IHa]; intros t.
    + assert (e : t = Same 0 \/ count (S k) 0 t = count k 0 (last_of t)).
      { destruct t as [[|] |]; auto. }
      destruct e as [-> | ->]; [now rewrite empty | apply one].
    + assert (e : t = Same 0 \/
        count (S k) (S a) t = (count (S k) a (rest_of t) + count k (S a) (last_of t))%N).
      { destruct t as [[|] |]; auto. }
      destruct e as [-> | ->]; [now rewrite empty |]. rewrite IHa, one, <- Nat2N.inj_add.
      change (falls (S k) (S a)) with (falls (S k) a ++ map (cons (S a)) (falls k (S a))).
      rewrite filter_app, app_length. f_equal. f_equal. f_equal. apply filter_ext_in.
      intros u h. apply in_falls in h. destruct h as [h h'].
      destruct u as [| x u]; [discriminate |]. cbn in h'. unfold filled. now rewrite rest_at by lia.
Qed.

(** ** [columns] *)

Lemma single_is : forall s p, Single s -> bit s p = true -> s = (2 ^ N.of_nat p)%N.
Proof.
  intros s p [-> | (q & hq & ->)] h; [discriminate |]. rewrite power_bit in h.
  apply Nat.eqb_eq in h. now subst q.
Qed.

(** The P-positions with y squares in row 1. *)
Lemma column_right : forall k y found, Spec k y found (Found [y]) -> Singles found ->
  exists l, NoDup l /\ length l = N.to_nat (count k y found) /\
    forall b, In b l <->
      exists p u, b = p :: y :: u /\ length u = k /\ Falling y u /\ p <= n /\ P b.
Proof.
  intros k y found hs h1.
  exists (map (fun u => N.to_nat (N.log2 (sets_at y found u)) :: y :: u)
    (filter (filled y found) (falls k y))).
  split; [| split].
  - apply Injective_map_NoDup; [intros u v e; now injection e |].
    apply NoDup_filter, nodup_falls.
  - rewrite map_length, count_right. symmetry. apply Nat2N.id.
  - intros b. rewrite in_map_iff. split.
    + intros (u & <- & hu). apply filter_In in hu. destruct hu as [hu hn]. apply in_falls in hu.
      destruct hu as [hk hu]. unfold filled in hn.
      destruct (singles_at found y u h1) as [e | (q & hq & e)].
      * rewrite e in hn. discriminate.
      * exists q, u. rewrite e, N.log2_pow2, Nat2N.id by lia.
        split; [reflexivity | split; [exact hk | split; [exact hu | split; [exact hq |]]]].
        apply (hs u q hk hu hq). now rewrite e, power_bit, Nat.eqb_refl.
    + intros (p & u & -> & hk & hu & hp & h). exists u.
      apply (hs u p hk hu hp) in h. pose proof (single_is _ _ (singles_at _ _ _ h1) h) as e. split.
      * now rewrite e, N.log2_pow2, Nat2N.id by lia.
      * apply filter_In. split; [now apply in_falls |]. unfold filled.
        destruct (N.eqb_spec (sets_at y found u) 0) as [e0 |]; [| reflexivity].
        rewrite e0 in h. discriminate.
Qed.

Lemma outer_one : forall x u p, Outer [x] u p <->
  p < Nat.max x 1 \/
  (exists z, 1 <= z < x /\ P (z :: z :: map (Nat.min z) u)) \/
  (exists y, y < x /\ P (p :: y :: map (Nat.min y) u)).
Proof.
  intros x u p. unfold Outer, Base. cbn [app hd map length]. split.
  - intros [[h | (z & hz & h)] | (j & y & hj & hy & h)].
    + now left.
    + right. left. exists z. rewrite Nat.min_l in h by lia. now split.
    + replace j with 0 in * by lia. cbn in hy, h. right. right. exists y.
      rewrite Nat.min_l in h by lia. now split.
  - intros [h | [(z & hz & h) | (y & hy & h)]].
    + left. now left.
    + left. right. exists z. rewrite Nat.min_l by lia. now split.
    + right. exists 0, y. cbn. rewrite Nat.min_l by lia. split; [lia | now split].
Qed.

Lemma outer_next : forall x u p, Outer [S x] u p <->
  p < S x \/ Outer [x] (map (Nat.min x) u) p \/ P (p :: x :: map (Nat.min x) u) \/
  P (x :: x :: map (Nat.min x) u).
Proof.
  intros x u p. rewrite !outer_one. split.
  - intros [h | [(z & hz & h) | (y & hy & h)]].
    + left. lia.
    + destruct (Nat.eq_dec z x) as [-> |]; [now right; right; right |].
      right. left. right. left. exists z. rewrite min_min by lia. split; [lia | exact h].
    + destruct (Nat.eq_dec y x) as [-> |]; [now right; right; left |].
      right. left. right. right. exists y. rewrite min_min by lia. split; [lia | exact h].
  - intros [h | [[h | [(z & hz & h) | (y & hy & h)]] | [h | h]]].
    + left. lia.
    + left. lia.
    + right. left. exists z. rewrite min_min in h by lia. split; [lia | exact h].
    + right. right. exists y. rewrite min_min in h by lia. split; [lia | exact h].
    + right. right. exists x. split; [lia | exact h].
    + right. left. exists x. split; [| exact h]. destruct h as [[h _] _]. lia.
Qed.

Lemma fits_one : forall k x, Fits [x] k x.
Proof. intros k x u hk hu. cbn. auto. Qed.

Definition Columns (k x : nat) (state : tree * N * list N) : Prop :=
  let '(t, c, squares) := state in
  Spec k x t (Outer [x]) /\
  (exists l, NoDup l /\ length l = N.to_nat c /\
    forall b, In b l <-> exists p y u,
      b = p :: y :: u /\ y < x /\ length u = k /\ Falling y u /\ p <= n /\ P b) /\
  length squares = x /\
  forall y p, y < x -> p <= n ->
    (bit (nth y squares 0%N) p = true <-> P (p :: y :: repeat y k)).

Lemma falling_repeat : forall y k, Falling y (repeat y k).
Proof. intros y k. induction k; cbn; auto. Qed.

Lemma columns_right : forall k x, x <= n -> Columns k x (columns full k x).
Proof.
  intros k. induction x as [| x IH]; intros hx; cbn [columns].
  - split; [| split; [| split; [reflexivity | lia]]].
    + intros u p hk hu hp. rewrite outer_one. change 1%N with (2 ^ N.of_nat 0)%N.
      cbn [sets_at]. rewrite power_bit, Nat.eqb_eq. split; [lia |].
      intros [h | [(z & hz & _) | (y & hy & _)]]; lia.
    + exists []. split; [constructor | split; [reflexivity |]]. intros b. cbn.
      split; [easy |]. intros (p & y & u & _ & hy & _). lia.
  - specialize (IH ltac:(lia)). destruct (columns full k x) as [[t c] squares].
    destruct IH as (ht & (l & hl & hc & hin) & hlen & hsq).
    pose proof (solve_right k [x] x t (fits_one k x) ht) as hfound.
    pose proof (solve_singles k x t) as hsingle.
    set (found := solve full k x t) in *. clearbody found.
    split; [| split; [| split]].
    + intros u p hk hu hp.
      rewrite paint_at, wider_at, merge_at, shut_at, !orb_true_iff, outer_next by assumption.
      assert (hu' : Falling x (map (Nat.min x) u)) by now apply (falling_to (S x)).
      assert (hk' : length (map (Nat.min x) u) = k) by now rewrite map_length.
      rewrite (ht _ p hk' hu' hp), (hfound _ p hk' hu' hp), (hfound _ x hk' hu') by lia.
      unfold bit. rewrite N.ones_spec_iff. unfold Found. cbn [app].
      assert (e : (N.of_nat p < N.of_nat (S x))%N <-> p < S x) by lia. rewrite e. reflexivity.
    + destruct (column_right k x found hfound hsingle) as (l' & hl' & hc' & hin').
      exists (l ++ l'). split; [| split].
      * apply nodup_app; [exact hl | exact hl' |]. intros b h h'.
        apply hin in h. destruct h as (p & y & u & -> & hy & _).
        apply hin' in h'. destruct h' as (p' & u' & e & _). injection e. lia.
      * rewrite app_length, hc, hc'. lia.
      * intros b. rewrite in_app_iff, hin, hin'. split.
        -- intros [(p & y & u & e & hy & h) | (p & u & e & h)].
           ++ exists p, y, u. split; [exact e | split; [lia | exact h]].
           ++ exists p, x, u. split; [exact e | split; [lia | exact h]].
        -- intros (p & y & u & e & hy & h). destruct (Nat.eq_dec y x) as [-> |].
           ++ right. now exists p, u.
           ++ left. exists p, y, u. split; [exact e | split; [lia | exact h]].
    + rewrite app_length. cbn. lia.
    + intros y p hy hp. destruct (Nat.eq_dec y x) as [-> |].
      * rewrite app_nth2, hlen, Nat.sub_diag by lia. cbn [nth].
        rewrite (hfound _ p (repeat_length x k) (falling_repeat x k) hp). reflexivity.
      * rewrite app_nth1 by lia. apply hsq; [lia | exact hp].
Qed.

End Proof.

(** ** The theorem *)

Lemma move_rectangle : forall m n i y,
  Move (repeat n m) (i, y) <-> i < m /\ y < n /\ (i, y) <> (0, 0).
Proof.
  intros m n i y. unfold Move.
  assert (e : forall m i, y < nth i (repeat n m) 0 <-> i < m /\ y < n).
  { clear. induction m as [| m IH]; intros [| i]; cbn; try lia. rewrite IH. lia. }
  rewrite e. split.
  - intros [h h0]. split; [easy | split; [easy |]]. intros e0. injection e0. lia.
  - intros (h & h' & h0). split; [easy |]. intros ->. destruct y; [now destruct h0 | lia].
Qed.

Lemma min_repeat : forall k x y, y <= x -> map (Nat.min y) (repeat x k) = repeat y k.
Proof.
  intros k x y h. induction k as [| k IH]; cbn; [reflexivity |]. now rewrite IH, Nat.min_l by lia.
Qed.

(** [rectangle m n] counts the P-positions with m rows of at most n squares (rows may be empty), and
lists the bites on the board of m rows of n squares that leave a P-position. *)
Theorem rectangle_right : forall m n, 2 <= m ->
  (exists l, NoDup l /\ length l = N.to_nat (fst (rectangle m n)) /\
    forall b, In b l <-> length b = m /\ hd 0 b <= n /\ P b) /\
  (forall i y, In (i, y) (snd (rectangle m n)) <->
    (i < m /\ y < n /\ (i, y) <> (0, 0)) /\ P (bite i y (repeat n m))).
Proof.
  intros m n hm. destruct m as [| [| k]]; [lia | lia |]. unfold rectangle.
  replace (S (S k) - 2) with k by lia.
  pose proof (columns_right n k n (le_n n)) as h.
  destruct (columns (N.ones (N.of_nat (S n))) k n) as [[t c] squares].
  destruct h as (ht & (l & hl & hc & hin) & hlen & hsq).
  pose proof (solve_right n k [n] n t (fits_one k n) ht) as hfound.
  pose proof (solve_singles n k n t) as hsingle.
  set (found := solve (N.ones (N.of_nat (S n))) k n t) in *. clearbody found. cbn [fst snd]. split.
  - destruct (column_right n k n found hfound hsingle) as (l' & hl' & hc' & hin').
    exists (l ++ l'). split; [| split].
    + apply nodup_app; [exact hl | exact hl' |]. intros b h h'.
      apply hin in h. destruct h as (p & y & u & -> & hy & _).
      apply hin' in h'. destruct h' as (p' & u' & e & _). injection e. lia.
    + rewrite app_length, hc, hc'. lia.
    + intros b. rewrite in_app_iff, hin, hin'. split.
      * intros [(p & y & u & -> & hy & hk & hu & hp & h) | (p & u & -> & hk & hu & hp & h)];
          (split; [cbn; lia | split; [exact hp | exact h]]).
      * intros (hk & hp & h). destruct b as [| p [| y u]]; [discriminate | discriminate |].
        cbn in hk, hp. pose proof h as hb. destruct hb as [hb _]. cbn in hb.
        destruct hb as (_ & hy & hu). destruct (Nat.eq_dec y n) as [-> |].
        -- right. exists p, u. split; [reflexivity | split; [lia | split; [exact hu | now split]]].
        -- left. exists p, y, u.
           split; [reflexivity | split; [lia | split; [lia | split; [exact hu | now split]]]].
  - intros i y. rewrite filter_In, moves_spec, move_rectangle. cbn [fst snd].
    assert (e : i < S (S k) -> y < n ->
      match bite i y (repeat n (S (S k))) with
      | p :: x :: u =>
          N.testbit (if x =? n then sets_at n found u else nth x squares 0%N) (N.of_nat p)
      | _ => false
      end = true <-> P (bite i y (repeat n (S (S k))))).
    { intros hi hy. destruct i as [| [| i]]; cbn [repeat bite map].
      - rewrite Nat.min_l, min_repeat by lia. destruct (Nat.eqb_spec y n); [lia |].
        apply hsq; lia.
      - rewrite Nat.min_l, min_repeat by lia. destruct (Nat.eqb_spec y n); [lia |].
        apply hsq; lia.
      - rewrite Nat.eqb_refl. apply (hfound _ n).
        + rewrite bite_length. apply repeat_length.
        + apply falling_bite, falling_repeat.
        + lia. }
    split; intros [(h1 & h2 & h3) h]; (split; [auto |]); now apply e.
Qed.

(** ** Rectangles, evaluated here *)

(** Exactly the bites [l], as (row, squares left in it), rows counted from 0, win on m x n. *)
Definition Openings (m n : nat) (l : list (nat * nat)) : Prop :=
  forall i y, (i < m /\ y < n /\ (i, y) <> (0, 0)) /\ P (bite i y (repeat n m)) <-> In (i, y) l.

Lemma evaluated : forall m n c l, 2 <= m -> rectangle m n = (c, l) -> Openings m n l.
Proof.
  intros m n c l hm e i y. destruct (rectangle_right m n hm) as [_ h]. rewrite e in h.
  symmetry. apply h.
Qed.

Theorem openings_4_5 : Openings 4 5 [(2, 2)].
Proof. apply (evaluated 4 5 16%N); [lia | vm_compute; reflexivity]. Qed.

Theorem openings_6_13 : Openings 6 13 [(3, 11); (4, 8)].
Proof. apply (evaluated 6 13 895%N); [lia | vm_compute; reflexivity]. Qed.

Theorem openings_8_10 : Openings 8 10 [(3, 8); (4, 5)].
Proof. apply (evaluated 8 10 1000%N); [lia | vm_compute; reflexivity]. Qed.
