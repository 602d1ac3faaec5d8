(** * The fast checker: columns, states, and the cells of a row

[IsColumn] and [IsState] say which sets of offsets the columns and the states of [FastChecker.v]
represent. [take_is]: in a cell a row takes the mex of its state and its column, as in [walk] of
[Checker.v]. So the walks of both checkers agree. Nothing here is about Chomp. *)

From Coq Require Import NArith List Bool ZArith Lia.
From Chomp Require Import Masks Checker Soundness Completeness Fingerprints FastChecker.
Import ListNotations.

Local Open Scope N_scope.

(** ** Numbers and words *)

Lemma width_is : width = 62.
Proof. reflexivity. Qed.

Lemma split_number : forall p, p = width * (p / width) + p mod width /\ p mod width < width.
Proof. intros p. split; [apply N.div_mod | apply N.mod_lt]; discriminate. Qed.

Lemma number_of_place : forall j i, i < width ->
  (width * j + i) / width = j /\ (width * j + i) mod width = i.
Proof.
  intros j i hi. split; symmetry.
  - now apply (N.div_unique _ _ _ i).
  - now apply (N.mod_unique _ _ j).
Qed.

Lemma testbit_ones : forall i, i < width -> N.testbit ones i = true.
Proof. intros i h. now apply N.ones_spec_low. Qed.

Lemma full_word : forall w i, w = ones -> i < width -> N.testbit w i = true.
Proof. intros w i -> h. now apply testbit_ones. Qed.

Lemma mex_spec : forall x b, N.testbit x b = false -> (forall n, n < b -> N.testbit x n = true) ->
  b = mex x.
Proof.
  intros x b h1 h2. destruct (lowest_zero x) as (h3 & h4).
  destruct (N.lt_trichotomy b (mex x)) as [h | [h | h]]; [| exact h |].
  - rewrite h4 in h1 by exact h. discriminate.
  - rewrite h2 in h3 by exact h. discriminate.
Qed.

Lemma count_cons : forall A (x : A) l, count (x :: l) = N.succ (count l).
Proof. reflexivity. Qed.

(** ** Columns *)

Definition column_bit (x : column) (p : N) : bool :=
  N.testbit (word x (p / width)) (p mod width).

Definition words_bit (l : words) (p : N) : bool := N.testbit (word_of l (p / width)) (p mod width).

(** The lists of a column have the lengths that it states. *)
Definition Formed (x : column) : Prop :=
  cut x = low x + count (front x) /\ top x = cut x + count (rear x).

Definition same_weight (x y : column) : Prop :=
  weight_low x = weight_low y /\ weight_high x = weight_high y.

(** [x] is column q, which blocks the offsets [c]. Words that it has forgotten are filled by [c] and
the diagonal [d]. *)
Record IsColumn (d : words) (q : N) (x : column) (c : N) : Prop := {
  column_formed : Formed x;
  column_past : forall p, p < q -> column_bit x p = true;
  column_low : forall p, q <= p -> p / width < low x ->
    N.testbit c (p - q) = true \/ words_bit d p = true;
  column_bits : forall p, q <= p -> low x <= p / width ->
    column_bit x p = N.testbit c (p - q);
  column_weights : column_weight q = weight_low x + 2 ^ 24 * weight_high x;
}.

(** Two columns with the same words. *)
Lemma is_column_same : forall d q x y c, IsColumn d q x c -> Formed y -> low y = low x ->
  (forall j, low x <= j -> word y j = word x j) -> same_weight y x -> IsColumn d q y c.
Proof.
  intros d q x y c [h1 h2 h3 h4 h5] hf hl hw (e1 & e2).
  assert (all : forall p, column_bit y p = column_bit x p).
  { intros p. unfold column_bit. destruct (N.lt_ge_cases (p / width) (low x)) as [h | h].
    - unfold word. rewrite hl. apply N.ltb_lt in h. now rewrite h.
    - now rewrite hw. }
  constructor; try assumption; intros; rewrite ?all, ?hl, ?e1, ?e2 in *; auto.
Qed.

Lemma at_place_cons : forall w l i, 0 < i -> at_place (w :: l) i = at_place l (N.pred i).
Proof. intros w l i h. simpl. destruct (N.eqb_spec i 0); [lia | reflexivity]. Qed.

Lemma at_place_app_1 : forall l l' i, i < count l -> at_place (l ++ l') i = at_place l i.
Proof.
  intros l l' i h. rewrite !at_place_nth. apply app_nth1. rewrite count_length in h. lia.
Qed.

Lemma at_place_app_2 : forall l l' i, count l <= i ->
  at_place (l ++ l') i = at_place l' (i - count l).
Proof.
  intros l l' i h. rewrite !at_place_nth. rewrite count_length in *. rewrite app_nth2 by lia.
  f_equal. lia.
Qed.

Lemma at_place_rev : forall l i, i < count l ->
  at_place (rev l) i = at_place l (count l - N.succ i).
Proof.
  intros l i h. rewrite !at_place_nth. rewrite count_length in *. rewrite rev_nth by lia.
  f_equal. lia.
Qed.

Lemma count_rev : forall A (l : list A), count (rev l) = count l.
Proof. intros A l. now rewrite !count_length, rev_length. Qed.

(** *** Words at the end *)

Lemma refill_column : forall d q x c, IsColumn d q x c -> IsColumn d q (refill x) c.
Proof.
  intros d q x c h. unfold refill. destruct (front x) as [| w f] eqn:e; [| exact h].
  pose proof (column_formed _ _ _ _ h) as (hcut & htop). rewrite e in hcut.
  change (count []) with 0 in hcut.
  set (a := firstn 3 (rear x)). set (b := skipn 3 (rear x)).
  assert (hab : rear x = a ++ b) by (unfold a, b; now rewrite firstn_skipn).
  rewrite hab, count_app in htop. unfold rev'. rewrite <- rev_alt.
  apply (is_column_same d q x); try easy.
  - split; simpl; rewrite ?count_rev; lia.
  - intros j hj. unfold word. simpl. rewrite e.
    destruct (N.ltb_spec j (low x)); [lia |].
    destruct (N.ltb_spec j (cut x)); [lia |].
    destruct (N.ltb_spec j (top x - count a)), (N.ltb_spec j (top x)); try lia; try reflexivity.
    + rewrite at_place_rev by lia. rewrite hab, at_place_app_2 by lia. f_equal. lia.
    + rewrite hab, at_place_app_1 by lia. reflexivity.
Qed.

Lemma iter_zeros : forall n l, N.iter n (cons 0) l = repeat 0 (N.to_nat n) ++ l.
Proof.
  induction n as [| n IH] using N.peano_ind; intros l; [reflexivity |].
  rewrite N.iter_succ, IH, N2Nat.inj_succ. reflexivity.
Qed.

Lemma count_repeat : forall n, count (repeat 0 (N.to_nat n)) = n.
Proof. intros n. rewrite count_length, repeat_length. lia. Qed.

Lemma at_place_repeat : forall n i, at_place (repeat 0 n) i = 0.
Proof. intros n i. rewrite at_place_nth. apply nth_repeat. Qed.

Lemma reach_column : forall d q x c j, IsColumn d q x c ->
  IsColumn d q (reach x j) c /\ j < top (reach x j) /\ low (reach x j) = low x /\
  same_weight (reach x j) x.
Proof.
  intros d q x c j h. unfold reach. destruct (N.ltb_spec j (top x)) as [hj | hj]; [now split |].
  split; [| simpl; split; [lia | easy]].
  pose proof (column_formed _ _ _ _ h) as (hcut & htop).
  apply (is_column_same d q x); try easy.
  - split; simpl; [exact hcut |]. rewrite iter_zeros, count_app, count_repeat. lia.
  - intros k hk. unfold word. simpl. destruct (k <? low x); [reflexivity |].
    destruct (N.ltb_spec k (cut x)); [reflexivity |]. rewrite iter_zeros.
    destruct (N.ltb_spec k (N.succ j)), (N.ltb_spec k (top x)); try lia; try reflexivity.
    + rewrite at_place_app_2 by (rewrite count_repeat; lia). rewrite count_repeat. f_equal. lia.
    + rewrite at_place_app_1 by (rewrite count_repeat; lia). apply at_place_repeat.
Qed.

Lemma count_put : forall l i w, count (put_place l i w) = count l.
Proof.
  induction l as [| y l IH]; intros i w; [reflexivity |]. simpl. destruct (i =? 0); [reflexivity |].
  rewrite !count_cons. now rewrite IH.
Qed.

Lemma at_place_put : forall l i w k, i < count l ->
  at_place (put_place l i w) k = if k =? i then w else at_place l k.
Proof.
  induction l as [| y l IH]; intros i w k h; [change (i < 0) in h; lia |].
  rewrite count_cons in h. simpl. destruct (N.eqb_spec i 0) as [-> | hi]; simpl.
  - destruct (N.eqb_spec k 0); reflexivity.
  - destruct (N.eqb_spec k 0) as [-> | hk]; simpl.
    + destruct i; [easy | reflexivity].
    + rewrite IH by lia. destruct (N.eqb_spec (N.pred k) (N.pred i)), (N.eqb_spec k i); try lia;
        reflexivity.
Qed.

Lemma put_word_word : forall x j w k, Formed x -> low x <= j < top x ->
  word (put_word x j w) k = (if k =? j then w else word x k) /\ Formed (put_word x j w) /\
  low (put_word x j w) = low x /\ same_weight (put_word x j w) x.
Proof.
  intros x j w k (hcut & htop) hj. unfold put_word.
  destruct (N.ltb_spec j (cut x)) as [h | h]; unfold word, Formed; simpl; rewrite count_put;
    (split; [| easy]).
  - destruct (N.ltb_spec k (low x)).
    + destruct (N.eqb_spec k j); [lia | reflexivity].
    + destruct (N.ltb_spec k (cut x)).
      * rewrite at_place_put by lia.
        destruct (N.eqb_spec (k - low x) (j - low x)), (N.eqb_spec k j); try lia; reflexivity.
      * destruct (N.eqb_spec k j); [lia | reflexivity].
  - destruct (N.ltb_spec k (low x)).
    + destruct (N.eqb_spec k j); [lia | reflexivity].
    + destruct (N.ltb_spec k (cut x)).
      * destruct (N.eqb_spec k j); [lia | reflexivity].
      * destruct (N.ltb_spec k (top x)).
        -- rewrite at_place_put by lia.
           destruct (N.eqb_spec (top x - N.succ k) (top x - N.succ j)), (N.eqb_spec k j); try lia;
             reflexivity.
        -- destruct (N.eqb_spec k j); [lia | reflexivity].
Qed.

Lemma same_place : forall p j i, i < width ->
  (p = width * j + i <-> p / width = j /\ p mod width = i).
Proof.
  intros p j i hi. split.
  - intros ->. now apply number_of_place.
  - intros (<- & <-). apply split_number.
Qed.

(** The column with the offset of a row added. *)
Lemma block_column : forall d q x c j i b, IsColumn d q x c -> i < width ->
  width * j + i = q + b -> IsColumn d q (block x j i) (N.setbit c b).
Proof.
  intros d q x c j i b h hi hb. unfold block. destruct (N.ltb_spec j (low x)) as [hj | hj].
  - pose proof (number_of_place j i hi) as (hn1 & hn2). rewrite hb in hn1.
    destruct h as [h1 h2 h3 h4 h5]. constructor; try assumption; intros p hp hw;
      rewrite N.setbit_eqb.
    + destruct (h3 p hp hw) as [-> | h]; [left | now right]. apply orb_true_r.
    + rewrite h4 by assumption. destruct (N.eqb_spec b (p - q)) as [e |]; [| reflexivity].
      replace p with (q + b) in hw by lia. lia.
  - destruct (reach_column d q x c j h) as (hr & htop & hlow & hweight).
    set (y := reach x j) in *. clearbody y.
    assert (hy : low y <= j < top y) by lia.
    pose proof (column_formed _ _ _ _ hr) as hform.
    set (w := N.setbit (word y j) i).
    assert (hbit : forall p, column_bit (put_word y j w) p = (p =? q + b) || column_bit y p).
    { intros p. unfold column_bit. rewrite (proj1 (put_word_word y j w (p / width) hform hy)).
      pose proof (same_place p j i hi) as hp. rewrite hb in hp.
      destruct (N.eqb_spec (p / width) j) as [e | e].
      - unfold w. rewrite N.setbit_eqb, e. f_equal.
        destruct (N.eqb_spec i (p mod width)) as [e1 | e1], (N.eqb_spec p (q + b)) as [e2 | e2];
          try reflexivity; exfalso.
        + apply e2, hp. now split.
        + apply e1. apply hp in e2. now destruct e2.
      - destruct (N.eqb_spec p (q + b)) as [e' |]; [| reflexivity]. apply hp in e'.
        now destruct e'. }
    destruct (put_word_word y j w 0 hform hy) as (_ & hform' & hlow' & e1 & e2).
    destruct hr as [h1 h2 h3 h4 h5]. constructor; try assumption.
    + intros p hp. rewrite hbit, h2 by exact hp. apply orb_true_r.
    + intros p hp hw. rewrite hlow' in hw. rewrite N.setbit_eqb.
      destruct (h3 p hp hw) as [-> | hd]; [left; apply orb_true_r | now right].
    + intros p hp hw. rewrite hlow' in hw. rewrite hbit, h4, N.setbit_eqb by assumption. f_equal.
      destruct (N.eqb_spec p (q + b)), (N.eqb_spec b (p - q)); try reflexivity; lia.
    + now rewrite e1, e2.
Qed.

Lemma block_weight : forall x j i, same_weight (block x j i) x.
Proof.
  intros x j i. unfold block. destruct (j <? low x); [easy |].
  unfold put_word, reach. destruct (j <? top x); simpl; destruct (j <? cut x); easy.
Qed.

(** ** The state of a row *)

Fixpoint ascending (from past : N) (l : words) : Prop :=
  match l with
  | End => True
  | Word j _ l => from <= j < past /\ ascending (N.succ j) past l
  end.

Definition state_bit (s : row_state) (p : N) : bool :=
  if p / width <? bottom s then words_bit (below_words s) p
  else if p / width <? roof s then is_blocked s p
  else false.

(** [s] is the state [u] of a row in column q; [u] has the diagonal [d]. *)
Record IsState (d : words) (q : N) (s : row_state) (u : N) : Prop := {
  state_bits : forall p, q <= p -> state_bit s p = N.testbit u (p - q);
  state_diagonal : forall p, q <= p -> words_bit d p = true -> N.testbit u (p - q) = true;
  state_below : forall j, j < bottom s -> word_of (below_words s) j = word_of d j;
  state_ascends : ascending (bottom s) (roof s) (partial s);
  state_ordered : bottom s <= roof s;
}.

(** *** Fewer words of a column *)

Lemma drop_full_column : forall d below b q c f x, front x = f -> IsColumn d q x c ->
  (forall j, j < b -> word_of below j = word_of d j) ->
  IsColumn d q (let (l, f) := drop_full below b (low x) f in
    Column l f (cut x) (rear x) (top x) (weight_low x) (weight_high x)) c /\
  low x <= fst (drop_full below b (low x) f).
Proof.
  intros d below b q c f. induction f as [| w f IH]; intros x hf h hb; simpl.
  - split; [| lia]. destruct x; simpl in *. now subst.
  - destruct (N.ltb_spec (low x) b) as [hl |]; simpl;
      [| split; [destruct x; simpl in *; now subst | simpl; lia]].
    destruct (N.eqb_spec (N.lor w (word_of below (low x))) ones) as [hw |];
      [| split; [destruct x; simpl in *; now subst | simpl; lia]].
    set (y := Column (N.succ (low x)) f (cut x) (rear x) (top x) (weight_low x) (weight_high x)).
    assert (hy : IsColumn d q y c).
    { destruct h as [(hcut & htop) h2 h3 h4 h5]. rewrite hf, count_cons in hcut.
      assert (hword : forall j, low x < j -> word y j = word x j).
      { intros j hj. unfold word, y. simpl. rewrite hf.
        destruct (N.ltb_spec j (N.succ (low x))), (N.ltb_spec j (low x)); try lia.
        destruct (j <? cut x); [| reflexivity]. rewrite at_place_cons by lia. f_equal. lia. }
      assert (hfirst : word x (low x) = w).
      { unfold word. rewrite hf. destruct (N.ltb_spec (low x) (low x)); [lia |].
        destruct (N.ltb_spec (low x) (cut x)); [| lia]. now rewrite N.sub_diag. }
      constructor; simpl; try assumption.
      - split; simpl; lia.
      - intros p hp. unfold column_bit.
        destruct (N.lt_ge_cases (p / width) (N.succ (low x))) as [hj | hj].
        + unfold word, y. simpl. apply N.ltb_lt in hj. rewrite hj. apply testbit_ones.
          apply split_number.
        + rewrite hword by lia. now apply h2.
      - intros p hp hj.
        destruct (N.lt_ge_cases (p / width) (low x)) as [hj' | hj']; [now apply h3 |].
        assert (e : p / width = low x) by lia. rewrite <- h4 by assumption.
        assert (hbit : N.testbit (N.lor w (word_of below (low x))) (p mod width) = true).
        { apply full_word; [exact hw | apply split_number]. }
        rewrite N.lor_spec in hbit. apply orb_prop in hbit as [hbit | hbit].
        + left. unfold column_bit. rewrite e, hfirst. exact hbit.
        + right. unfold words_bit. rewrite e, <- hb by lia. exact hbit.
      - intros p hp hj. unfold column_bit. rewrite hword by lia. apply h4; [exact hp | lia]. }
    destruct (IH y eq_refl hy hb) as (i1 & i2). split; [exact i1 |]. simpl in i2. lia.
Qed.

Lemma forget_column : forall d q x c s u, IsColumn d q x c -> IsState d q s u ->
  IsColumn d q (forget x s) c /\ same_weight (forget x s) x.
Proof.
  intros d q x c s u h hs. unfold forget. destruct (low x <? bottom s); [| now split].
  pose proof (refill_column d q x c h) as hr.
  assert (hw : same_weight (refill x) x) by (unfold refill; now destruct (front x)).
  set (y := refill x) in *. clearbody y.
  pose proof (drop_full_column d (below_words s) (bottom s) q c (front y) y eq_refl hr
    (state_below _ _ _ _ hs)) as (hd & _).
  destruct (drop_full _ _ _ _) as [l f]. split; [exact hd | exact hw].
Qed.

(** *** More words of a row *)

Lemma ascending_weaker : forall l from from' past past', from' <= from -> past <= past' ->
  ascending from past l -> ascending from' past' l.
Proof.
  induction l as [| j w l IH]; intros a a' b b' ha hb h; simpl in *; [exact I |].
  destruct h as (h1 & h2). split; [lia |].
  apply (IH (N.succ j) (N.succ j) b b'); [lia | exact hb | exact h2].
Qed.

Lemma in_partial_absent : forall l from past j i, ascending from past l -> j < from ->
  in_partial l j i = true.
Proof.
  induction l as [| k w l IH]; intros a b j i h hj; simpl in *; [reflexivity |].
  destruct h as (h1 & h2). destruct (N.eqb_spec k j); [lia |].
  apply (IH (N.succ k) b); [exact h2 | lia].
Qed.

Lemma state_same : forall d q s s' u, IsState d q s u ->
  (forall p, state_bit s' p = state_bit s p) ->
  (forall j, j < bottom s' -> word_of (below_words s') j = word_of d j) ->
  ascending (bottom s') (roof s') (partial s') -> bottom s' <= roof s' -> IsState d q s' u.
Proof.
  intros d q s s' u [h1 h2 h3 h4 h5] h h' ha hb. constructor; try assumption.
  intros p hp. rewrite h. now apply h1.
Qed.

Lemma grow_down_state : forall d q s u, IsState d q s u -> 0 < bottom s ->
  IsState d q (grow_down s) u /\ bottom (grow_down s) = N.pred (bottom s).
Proof.
  intros d q s u h hpos. pose proof h as [h1 h2 h3 h4 h5].
  set (j := N.pred (bottom s)) in *.
  assert (shape : exists rest, grow_down s =
      RowState j rest (Word j (word_of (below_words s) j) (partial s)) (roof s) /\
      forall k, k < j -> word_of rest k = word_of (below_words s) k).
  { unfold grow_down. fold j. destruct (below_words s) as [| i w rest] eqn:e.
    - exists End. split; [reflexivity | easy].
    - destruct (N.eqb_spec i j) as [-> | hi].
      + exists rest. simpl. rewrite N.eqb_refl. split; [reflexivity |]. intros k hk.
        destruct (N.eqb_spec j k); [lia | reflexivity].
      + exists (Word i w rest). split; [reflexivity | easy]. }
  destruct shape as (rest & -> & hrest). split; [| reflexivity].
  apply (state_same d q s); try assumption; simpl.
  - intros p. unfold state_bit, is_blocked, words_bit. simpl.
    destruct (N.ltb_spec (p / width) j), (N.ltb_spec (p / width) (bottom s)); try lia.
    + now rewrite hrest.
    + assert (e : p / width = j) by lia. rewrite e, N.eqb_refl.
      destruct (N.ltb_spec j (roof s)); [reflexivity | lia].
    + destruct (p / width <? roof s); [| reflexivity].
      destruct (N.eqb_spec j (p / width)); [lia | reflexivity].
  - intros k hk. rewrite hrest by exact hk. apply h3. lia.
  - split; [lia |]. apply (ascending_weaker _ (bottom s) _ (roof s)); [lia | lia | exact h4].
  - lia.
Qed.

Lemma grow_down_to_state : forall n goal d q s u s', IsState d q s u ->
  grow_down_to n goal s = Some s' -> IsState d q s' u /\ bottom s' <= goal.
Proof.
  induction n as [| n IH]; intros goal d q s u s' h e; simpl in e;
    destruct (N.leb_spec (bottom s) goal) as [hb | hb].
  - injection e as <-. now split.
  - discriminate.
  - injection e as <-. now split.
  - apply (IH goal d q (grow_down s)); [| exact e]. apply grow_down_state; [exact h | lia].
Qed.

Lemma append_ascends : forall l from past j w, ascending from past l -> past <= j -> from <= j ->
  ascending from (N.succ j) (append l j w).
Proof.
  induction l as [| k v l IH]; intros a b j w h hj ha; simpl in *; [lia |].
  destruct h as (h1 & h2). split; [lia |]. apply (IH _ b); [exact h2 | exact hj | lia].
Qed.

Lemma in_partial_append : forall l from past j k i, ascending from past l -> past <= j ->
  in_partial (append l j 0) k i = if k =? j then false else in_partial l k i.
Proof.
  induction l as [| m v l IH]; intros a b j k i h hj; simpl in *.
  - destruct (N.eqb_spec j k), (N.eqb_spec k j); try lia; reflexivity.
  - destruct h as (h1 & h2). rewrite (IH (N.succ m) b) by assumption.
    destruct (N.eqb_spec m k), (N.eqb_spec k j); try lia; reflexivity.
Qed.

Lemma grow_up_state : forall d q s u, IsState d q s u -> IsState d q (grow_up s) u.
Proof.
  intros d q s u h. pose proof h as [h1 h2 h3 h4 h5].
  apply (state_same d q s); try assumption; simpl.
  - intros p. unfold state_bit, is_blocked, grow_up. simpl.
    destruct (p / width <? bottom s); [reflexivity |].
    rewrite (in_partial_append _ (bottom s) (roof s)) by (assumption || lia).
    destruct (N.ltb_spec (p / width) (N.succ (roof s))), (N.ltb_spec (p / width) (roof s)),
      (N.eqb_spec (p / width) (roof s)); try lia; reflexivity.
  - apply (append_ascends _ _ (roof s)); [exact h4 | lia | lia].
  - lia.
Qed.

(** *** The number that a row takes *)

Lemma first_free_is : forall x l from past, ascending from past l ->
  match first_free x l with
  | Nowhere => forall j i, from <= j -> i < width ->
      N.testbit (word x j) i = true \/ in_partial l j i = true
  | At j i => from <= j < past /\
      (i < width -> N.testbit (word x j) i = false /\ in_partial l j i = false) /\
      forall j' i', from <= j' -> i' < width -> j' < j \/ j' = j /\ i' < i ->
        N.testbit (word x j') i' = true \/ in_partial l j' i' = true
  end.
Proof.
  intros x l. induction l as [| j w l IH]; intros a b h; simpl; [now right |].
  destruct h as (h1 & h2). specialize (IH (N.succ j) b h2).
  set (z := N.lor w (word x j)).
  destruct (N.eqb_spec z ones) as [hz | hz].
  - assert (full : forall i, i < width ->
      N.testbit (word x j) i = true \/ N.testbit w i = true).
    { intros i hi. pose proof (full_word z i hz hi) as hb. unfold z in hb.
      rewrite N.lor_spec in hb. apply orb_prop in hb. tauto. }
    destruct (first_free x l) as [| j' i'].
    + intros k i hk hi. destruct (N.eqb_spec j k) as [<- |]; [now apply full |].
      destruct (N.lt_ge_cases k j) as [hlt | hge].
      * right. now apply (in_partial_absent l (N.succ j) b); [| lia].
      * apply IH; [lia | exact hi].
    + destruct IH as (i1 & i2 & i3). split; [lia |]. split.
      * intros hi. destruct (N.eqb_spec j j'); [lia |]. now apply i2.
      * intros k i hk hi hless. destruct (N.eqb_spec j k) as [<- |]; [now apply full |].
        destruct (N.lt_ge_cases k j) as [hlt | hge].
        -- right. now apply (in_partial_absent l (N.succ j) b); [| lia].
        -- apply i3; [lia | exact hi | exact hless].
  - destruct (lowest_zero z) as (z1 & z2). split; [lia |]. split.
    + intros hi. rewrite N.eqb_refl. unfold z in z1 at 1. rewrite N.lor_spec in z1.
      apply orb_false_elim in z1. tauto.
    + intros k i hk hi [hlt | (-> & hlt)].
      * right. destruct (N.eqb_spec j k); [lia |].
        now apply (in_partial_absent l (N.succ j) b); [| lia].
      * rewrite N.eqb_refl. specialize (z2 i hlt). unfold z in z2. rewrite N.lor_spec in z2.
        apply orb_prop in z2. tauto.
Qed.

Lemma find_state : forall n d q x s u s' j i, IsState d q s u ->
  find n x s = Some (s', j, i) ->
  IsState d q s' u /\ bottom s' = bottom s /\ i < width /\ first_free x (partial s') = At j i.
Proof.
  induction n as [| n IH]; intros d q x s u s' j i h e; simpl in e;
    destruct (first_free x (partial s)) as [| j1 i1] eqn:ef; try discriminate.
  - destruct (N.ltb_spec i1 width) as [hi |]; [| discriminate]. injection e as <- <- <-. now split.
  - apply (IH d q x _ u) in e; [| now apply grow_up_state]. simpl in e. exact e.
  - destruct (N.ltb_spec i1 width) as [hi |]; [| discriminate]. injection e as <- <- <-. now split.
Qed.

Lemma set_bit_ascends : forall l from past j i, ascending from past l ->
  ascending from past (set_bit l j i).
Proof.
  induction l as [| k w l IH]; intros a b j i h; simpl in *; [exact I |].
  destruct h as (h1 & h2). destruct (k =? j).
  - destruct (_ =? ones); simpl; [| now split].
    apply (ascending_weaker _ (N.succ k) _ b); [lia | lia | exact h2].
  - simpl. split; [exact h1 | now apply IH].
Qed.

Lemma in_partial_set_bit : forall l from past j i k i', ascending from past l -> i' < width ->
  in_partial (set_bit l j i) k i' = in_partial l k i' || ((k =? j) && (i' =? i)).
Proof.
  induction l as [| m w l IH]; intros a b j i k i' h hi; simpl in *; [reflexivity |].
  destruct h as (h1 & h2). destruct (N.eqb_spec m j) as [<- | hm].
  - assert (hw : N.testbit (N.setbit w i) i' = N.testbit w i' || (i' =? i)).
    { rewrite N.setbit_eqb, orb_comm. f_equal. apply N.eqb_sym. }
    destruct (N.eqb_spec (N.setbit w i) ones) as [e | e]; simpl.
    + destruct (N.eqb_spec m k) as [<- | hk].
      * rewrite !N.eqb_refl, andb_true_l, <- hw. rewrite (full_word _ _ e hi).
        apply (in_partial_absent l (N.succ m) b); [exact h2 | lia].
      * destruct (N.eqb_spec k m); [lia |]. now rewrite orb_false_r.
    + destruct (N.eqb_spec m k) as [<- | hk].
      * now rewrite !N.eqb_refl, andb_true_l, hw.
      * destruct (N.eqb_spec k m); [lia |]. now rewrite orb_false_r.
  - simpl. destruct (N.eqb_spec m k) as [<- | hk].
    + destruct (N.eqb_spec m j); [lia |]. now rewrite orb_false_r.
    + now apply (IH (N.succ m) b).
Qed.

Lemma next_state_bit : forall u b n, N.testbit (next_state u b) n =
  (b =? N.succ n) || N.testbit u (N.succ n).
Proof.
  intros u b n. unfold next_state, one_less. rewrite N.div2_spec, N.shiftr_spec by lia.
  rewrite N.add_1_r. apply N.setbit_eqb.
Qed.

(** A row takes the mex of its state and its column. *)
Theorem take_is : forall d q x c s u p x' s', IsColumn d q x c -> IsState d q s u ->
  take x s = Cell p x' s' ->
  let b := mex (N.lor u c) in
  p = q + b /\ IsColumn d q x' (N.setbit c b) /\ same_weight x' x /\
  IsState d (N.succ q) s' (next_state u b).
Proof.
  intros d q x c s u p x' s' hx hs h. unfold take in h.
  destruct (forget_column d q x c s u hx hs) as (hx1 & hweight).
  set (x1 := forget x s) in *. clearbody x1.
  destruct (grow_down_to _ _ _) as [s1 |] eqn:e1 in h; [| discriminate].
  destruct (grow_down_to_state _ _ d q s u s1 hs e1) as (hs1 & hb1).
  destruct (find steps x1 s1) as [[[s2 j] i] |] eqn:e2; [| discriminate].
  destruct (find_state _ d q x1 s1 u s2 j i hs1 e2) as (hs2 & hb2 & hi & hfree).
  injection h as <- <- <-. clear e1 e2.
  pose proof (first_free_is x1 (partial s2) _ _ (state_ascends _ _ _ _ hs2)) as hf.
  rewrite hfree in hf. destruct hf as (f1 & f2 & f3). destruct (f2 hi) as (f4 & f5). clear f2 hfree.
  destruct (number_of_place j i hi) as (n1 & n2). set (p := width * j + i) in *.
  assert (hcolumn : column_bit x1 p = false) by (unfold column_bit; now rewrite n1, n2).
  assert (hq : q <= p).
  { destruct (N.le_gt_cases q p) as [hq | hq]; [exact hq |].
    rewrite (column_past _ _ _ _ hx1 p hq) in hcolumn. discriminate. }
  assert (hlow : low x1 <= j).
  { destruct (N.le_gt_cases (low x1) j) as [hj | hj]; [exact hj |].
    unfold word in f4. apply N.ltb_lt in hj. rewrite hj, testbit_ones in f4 by exact hi.
    discriminate. }
  assert (hbits : forall p', state_bit s2 p' =
    if p' / width <? bottom s2 then words_bit (below_words s2) p'
    else if p' / width <? roof s2 then in_partial (partial s2) (p' / width) (p' mod width)
    else false) by reflexivity.
  assert (hmex : p - q = mex (N.lor u c)).
  { apply mex_spec.
    - rewrite N.lor_spec. apply orb_false_intro.
      + rewrite <- (state_bits _ _ _ _ hs2 p hq), hbits, n1, n2, f5.
        destruct (N.ltb_spec j (bottom s2)); [lia |]. now destruct (j <? roof s2).
      + rewrite <- (column_bits _ _ _ _ hx1 p hq); [exact hcolumn | now rewrite n1].
    - intros n hn. rewrite N.lor_spec. apply orb_true_iff.
      replace n with (q + n - q) by lia. set (p' := q + n). assert (hp' : q <= p') by lia.
      destruct (split_number p') as (m1 & m2). set (j' := p' / width) in *.
      set (i' := p' mod width) in *.
      destruct (N.lt_ge_cases j' (low x1)) as [hl | hl].
      + destruct (column_low _ _ _ _ hx1 p' hp' hl) as [hc | hd]; [now right | left].
        now apply (state_diagonal _ _ _ _ hs2).
      + assert (hless : j' < j \/ j' = j /\ i' < i).
        { assert (hpp : 62 * j' + i' < 62 * j + i).
          { change (width * j' + i' < p). rewrite <- m1. unfold p'. lia. }
          change (i' < 62) in m2. change (i < 62) in hi. clear - hpp m2 hi. lia. }
        assert (hbelow : bottom s2 <= j') by (rewrite hb2; lia).
        destruct (f3 j' i' hbelow m2 hless) as [hc | hu].
        * right. rewrite <- (column_bits _ _ _ _ hx1 p' hp' hl). exact hc.
        * left. rewrite <- (state_bits _ _ _ _ hs2 p' hp'), hbits. fold j' i'. rewrite hu.
          destruct (N.ltb_spec j' (bottom s2)); [lia |].
          destruct (N.ltb_spec j' (roof s2)); [reflexivity | lia]. }
  cbv zeta. rewrite <- hmex. assert (hp : p = q + (p - q)) by (clearbody p; lia).
  split; [exact hp |]. split; [now apply block_column |].
  split.
  { destruct hweight as (w1 & w2), (block_weight x1 j i) as (w3 & w4). split; congruence. }
  destruct hs2 as [t1 t2 t3 t4 t5]. constructor; simpl; try assumption.
  - intros p' hp'. rewrite next_state_bit. replace (N.succ (p' - N.succ q)) with (p' - q) by lia.
    rewrite <- (t1 p') by lia. rewrite hbits. unfold state_bit, is_blocked. simpl.
    rewrite (in_partial_set_bit _ _ _ _ _ _ _ t4) by apply split_number.
    assert (hsame : (p - q =? p' - q) = (p' / width =? j) && (p' mod width =? i)).
    { pose proof (same_place p' j i hi) as hplace. fold p in hplace.
      destruct (N.eqb_spec (p - q) (p' - q)) as [e | e].
      - assert (e' : p' = p) by lia. apply hplace in e' as (-> & ->). now rewrite !N.eqb_refl.
      - destruct (N.eqb_spec (p' / width) j), (N.eqb_spec (p' mod width) i); try reflexivity.
        exfalso. apply e. f_equal. symmetry. apply hplace. now split. }
    rewrite hsame. destruct (N.ltb_spec (p' / width) (bottom s2)).
    + destruct (N.eqb_spec (p' / width) j); [lia | reflexivity].
    + destruct (N.ltb_spec (p' / width) (roof s2)); [apply orb_comm |].
      destruct (N.eqb_spec (p' / width) j); [lia | reflexivity].
  - intros p' hp' hd. rewrite next_state_bit. replace (N.succ (p' - N.succ q)) with (p' - q) by lia.
    rewrite (t2 p') by (exact hd || lia). apply orb_true_r.
  - now apply set_bit_ascends.
Qed.

(** ** A walk *)

Fixpoint AreColumns (d : words) (q : N) (xs : list column) (cs : list N) : Prop :=
  match xs, cs with
  | [], [] => True
  | x :: xs, c :: cs => IsColumn d q x c /\ AreColumns d (N.succ q) xs cs
  | _, _ => False
  end.

Lemma are_columns_count : forall d xs q cs, AreColumns d q xs cs -> count xs = count cs.
Proof.
  intros d xs. induction xs as [| x xs IH]; intros q [| c cs] h; simpl in h; try easy.
  rewrite !count_cons. f_equal. now apply (IH (N.succ q)).
Qed.

Lemma are_columns_app : forall d xs q cs ys es, AreColumns d q xs cs ->
  AreColumns d (q + count cs) ys es -> AreColumns d q (xs ++ ys) (cs ++ es).
Proof.
  intros d xs. induction xs as [| x xs IH]; intros q [| c cs] ys es h h'; simpl in h; try easy.
  - change (count []) with 0 in h'. now rewrite N.add_0_r in h'.
  - destruct h as (h1 & h2). split; [exact h1 |]. apply IH; [exact h2 |].
    rewrite count_cons in h'. now replace (N.succ q + count cs) with (q + N.succ (count cs)) by lia.
Qed.

(** The walk of a row r has come to [g]: the state is [u], the offsets so far are [head], and the
columns passed and to come are [ps] and [cs]. *)
Record Going (d : words) (r : N) (g : progress) (u : N) (head ps cs : list N) : Prop := {
  going_at : at_column g = r + count ps;
  going_state : IsState d (at_column g) (row_now g) u;
  going_passed : AreColumns d r (rev (passed g)) ps;
  going_rest : AreColumns d (at_column g) (rest g) cs;
  going_offsets : rev (offsets g) = head;
  going_count : count head = count ps;
  going_sum : sum_of g = fingerprint r head;
}.

Lemma weighted_sum_app : forall l r b,
  weighted_sum r (l ++ [b]) = weighted_sum r l + b * column_weight (r + count l).
Proof.
  induction l as [| x l IH]; intros r b.
  - change (count []) with 0. cbn [app weighted_sum]. now rewrite !N.add_0_r, N.add_0_l.
  - rewrite <- app_comm_cons, count_cons. cbn [weighted_sum]. rewrite IH, N.add_assoc.
    now replace (N.succ r + count l) with (r + N.succ (count l)) by lia.
Qed.

Lemma modulo_2_64_is : forall x, modulo_2_64 x = x mod 2 ^ 64.
Proof. intros x. apply N.land_ones. Qed.

Lemma next_sum : forall l h b wl wh s,
  modulo_2_64 (l + places_24 * h) = modulo_2_64 s ->
  modulo_2_64 (l + b * wl + places_24 * N.land (h + b * wh) ones_40) =
  modulo_2_64 (s + b * (wl + 2 ^ 24 * wh)).
Proof.
  intros l h b wl wh s e. rewrite !modulo_2_64_is in *. unfold ones_40, places_24 in *.
  rewrite N.land_ones. set (y := h + b * wh).
  transitivity ((l + 2 ^ 24 * h + b * (wl + 2 ^ 24 * wh)) mod 2 ^ 64).
  - pose proof (N.div_mod y (2 ^ 40) ltac:(discriminate)) as hy.
    rewrite <- (N.mod_add (l + b * wl + 2 ^ 24 * (y mod 2 ^ 40)) (y / 2 ^ 40)) by discriminate.
    f_equal. change (2 ^ 64) with (2 ^ 24 * 2 ^ 40). unfold y in *. nia.
  - rewrite <- N.add_mod_idemp_l, e, N.add_mod_idemp_l by discriminate. reflexivity.
Qed.

Lemma next_cell_going : forall d r g u head ps cs b g', Going d r g u head ps cs ->
  next_cell g = Some (b, g') ->
  exists c cs', cs = c :: cs' /\ b = mex (N.lor u c) /\
    Going d r g' (next_state u b) (head ++ [b]) (ps ++ [N.setbit c b]) cs'.
Proof.
  intros d r g u head ps cs b g' [h1 h2 h3 h4 h5 h6 h7] h. unfold next_cell in h.
  destruct (rest g) as [| x xs]; [discriminate |].
  destruct (take x (row_now g)) as [| p x' s'] eqn:e; [discriminate |].
  destruct cs as [| c cs]; [easy |]. simpl in h4. destruct h4 as (hx & hxs).
  destruct (take_is d (at_column g) x c (row_now g) u p x' s' hx h2 e) as (-> & hx' & hw & hs').
  injection h as hb <-. replace (at_column g + mex (N.lor u c) - at_column g)
    with (mex (N.lor u c)) in * by lia.
  exists c, cs. split; [reflexivity |]. split; [now symmetry |]. rewrite hb in *.
  constructor; simpl.
  - rewrite count_app, h1. change (count [N.setbit c b]) with 1. lia.
  - exact hs'.
  - apply are_columns_app; [exact h3 |]. rewrite <- h1. now split.
  - exact hxs.
  - now rewrite h5.
  - rewrite !count_app, h6. reflexivity.
  - unfold sum_of. simpl. unfold fingerprint. rewrite weighted_sum_app, h6, <- h1.
    rewrite (column_weights _ _ _ _ hx). apply next_sum. exact h7.
Qed.

Lemma compute_fast_walk : forall columns d r n g u head ps cs g', Going d r g u head ps cs ->
  compute_fast columns n g = Some g' ->
  exists l ps' u' cs', walk u l cs = Some (ps', u', cs') /\ count l = n /\
    Going d r g' u' (head ++ l) (ps ++ ps') cs'.
Proof.
  induction columns as [| x columns IH]; intros d r n g u head ps cs g' hg h; simpl in h;
    destruct (N.eqb_spec n 0) as [-> | hn].
  - injection h as <-. exists [], [], u, cs. rewrite !app_nil_r. now split.
  - discriminate.
  - injection h as <-. exists [], [], u, cs. rewrite !app_nil_r. now split.
  - destruct (next_cell g) as [[b g1] |] eqn:e; [| discriminate].
    destruct (N.eqb_spec b 0) as [| hb]; [discriminate |].
    destruct (next_cell_going d r g u head ps cs b g1 hg e) as (c & cs1 & -> & hmex & hg1).
    destruct (IH d r _ _ _ _ _ _ _ hg1 h) as (l & ps' & u' & cs' & hw & hl & hg').
    exists (b :: l), (N.setbit c b :: ps'), u', cs'. split; [| split].
    + simpl. rewrite <- hmex, N.eqb_refl, hw. now destruct (N.eqb_spec b 0).
    + rewrite count_cons. lia.
    + now rewrite <- !app_assoc in hg'.
Qed.

Lemma follow_walk : forall stated d r g u head ps cs g', Going d r g u head ps cs ->
  follow stated g = Some g' ->
  exists ps' u' cs', walk u stated cs = Some (ps', u', cs') /\
    Going d r g' u' (head ++ stated) (ps ++ ps') cs'.
Proof.
  induction stated as [| b stated IH]; intros d r g u head ps cs g' hg h; simpl in h.
  - injection h as <-. exists [], u, cs. rewrite !app_nil_r. now split.
  - destruct (next_cell g) as [[b' g1] |] eqn:e; [| discriminate].
    destruct (N.eqb_spec b b') as [<- |]; [| discriminate].
    destruct (N.eqb_spec b 0) as [| hb]; [discriminate |].
    destruct (next_cell_going d r g u head ps cs b g1 hg e) as (c & cs1 & -> & hmex & hg1).
    destruct (IH d r _ _ _ _ _ _ hg1 h) as (ps' & u' & cs' & hw & hg').
    exists (N.setbit c b :: ps'), u', cs'. split.
    + simpl. rewrite <- hmex, N.eqb_refl, hw. now destruct (N.eqb_spec b 0).
    + now rewrite <- !app_assoc in hg'.
Qed.
