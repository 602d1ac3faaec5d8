(** * The fast run of a row

[run_fast] of [ByColumns.v] returns what [run] does: [run_fast_is_run]. *)

From Coq Require Import NArith List Bool Lia.
From Chomp Require Import Masks FastChecker ByColumns.
Import ListNotations.

Local Open Scope N_scope.

(** ** Words of a column *)

Lemma word_fast_is_word : forall x j, word_fast x j = word x j.
Proof.
  intros x j. unfold word_fast. destruct (j <? low x) eqn:e; [unfold word; now rewrite e |].
  apply N.ltb_ge in e. destruct (j <? cut x) eqn:ec.
  - destruct (front x) as [| w l] eqn:ef; [reflexivity |].
    destruct (N.eqb_spec j (low x)) as [-> | _]; [| reflexivity].
    unfold word. now rewrite N.ltb_irrefl, ec, ef, N.sub_diag.
  - destruct (rear x) as [| w l] eqn:er; [reflexivity |].
    destruct (N.eqb_spec (N.succ j) (top x)) as [et | _]; [| reflexivity].
    unfold word. apply N.ltb_ge in e. rewrite e, ec, er.
    replace (j <? top x) with true by (symmetry; apply N.ltb_lt; lia).
    now rewrite <- et, N.sub_diag.
Qed.

Lemma put_word_fast_is_put_word : forall x j w, put_word_fast x j w = put_word x j w.
Proof.
  intros x j w. unfold put_word_fast. destruct (j <? cut x) eqn:ec.
  - destruct (front x) as [| y l] eqn:ef; [reflexivity |].
    destruct (N.eqb_spec j (low x)) as [-> | _]; [| reflexivity].
    unfold put_word. now rewrite ec, ef, N.sub_diag.
  - destruct (rear x) as [| y l] eqn:er; [reflexivity |].
    destruct (N.eqb_spec (N.succ j) (top x)) as [et | _]; [| reflexivity].
    unfold put_word. now rewrite ec, er, <- et, N.sub_diag.
Qed.

(** In a word that the column has, [block] sets one bit. *)
Lemma block_is_put : forall x j i, low x <= j -> j < top x ->
  block x j i = put_word x j (N.lor (word x j) (2 ^ i)).
Proof.
  intros x j i h1 h2. unfold block, reach. apply N.ltb_ge in h1. apply N.ltb_lt in h2.
  rewrite h1, h2. cbv zeta. unfold N.setbit. now rewrite N.shiftl_1_l.
Qed.

(** ** A cell *)

(** The cell that [take_fast] finds. *)
Lemma take_of_first_free : forall x s j i, low x = bottom s -> first_free x (partial s) = At j i ->
  i < width ->
  take x s =
  Cell (width * j + i) (block x j i)
    (RowState (bottom s) (below_words s) (set_bit (partial s) j i) (roof s)).
Proof.
  intros x s j i hl hf hi. unfold take, forget. rewrite hl, N.ltb_irrefl.
  replace (grow_down_to steps (low x) s) with (Some s)
    by (rewrite hl; unfold steps; destruct (N.to_nat 100000); cbn [grow_down_to];
        now rewrite N.leb_refl).
  replace (find steps x s) with (Some (s, j, i)); [reflexivity |].
  symmetry. destruct steps; cbn [find]; rewrite hf; apply N.ltb_lt in hi; now rewrite hi.
Qed.

Lemma first_free_of_word : forall x j w l, N.lor w (word x j) <> ones ->
  first_free x (Word j w l) = At j (mex (N.lor w (word x j))).
Proof.
  intros x j w l h. cbn [first_free]. cbv zeta. apply N.eqb_neq in h. now rewrite h.
Qed.

Lemma set_bit_first : forall j w l i,
  set_bit (Word j w l) j i =
  if N.lor w (2 ^ i) =? ones then l else Word j (N.lor w (2 ^ i)) l.
Proof.
  intros j w l i. cbn [set_bit]. rewrite N.eqb_refl. cbv zeta. unfold N.setbit.
  now rewrite N.shiftl_1_l.
Qed.

(** All bits of a word that the column has forgotten are 1. *)
Lemma not_forgotten : forall x j w, mex (N.lor w (word x j)) < width -> low x <= j.
Proof.
  intros x j w h. destruct (N.le_gt_cases (low x) j) as [| hj]; [assumption |].
  apply N.ltb_lt in hj. unfold word in h. rewrite hj in h.
  destruct (lowest_zero (N.lor w ones)) as (h1 & _).
  rewrite N.lor_spec, orb_false_iff in h1. destruct h1 as (_ & h1).
  unfold ones in h1. rewrite N.ones_spec_low in h1; [discriminate | exact h].
Qed.

(** What a fast cell stands for. *)
Definition cell_of (c : cell_fast) : cell :=
  match c with
  | NoCellFast => NoCell
  | CellFast p x s l => Cell p x (with_partial s l)
  end.

Lemma with_its_partial : forall s, with_partial s (partial s) = s.
Proof. now intros []. Qed.

Lemma take_plain_is_take : forall x s l, cell_of (take_plain x s l) = take x (with_partial s l).
Proof.
  intros x s l. unfold take_plain.
  destruct (take x (with_partial s l)) as [| p x' s']; [reflexivity |].
  cbn [cell_of]. now rewrite with_its_partial.
Qed.

Theorem take_fast_is_take : forall x s l, cell_of (take_fast x s l) = take x (with_partial s l).
Proof.
  intros x s l. unfold take_fast.
  destruct (N.eqb_spec (low x) (bottom s)) as [hl |]; [| apply take_plain_is_take].
  destruct l as [| j w l]; [apply take_plain_is_take |]. rewrite word_fast_is_word. cbv zeta.
  rewrite lowest_zero_bit, N.log2_pow2 by apply N.le_0_l.
  destruct (N.eqb_spec (N.lor w (word x j)) ones) as [e1 | e1].
  - destruct l as [| j' w' l]; [apply take_plain_is_take |]. rewrite word_fast_is_word.
    rewrite lowest_zero_bit, N.log2_pow2 by apply N.le_0_l.
    destruct (_ || _) eqn:e; [apply take_plain_is_take |]. rewrite !orb_false_iff in e.
    destruct e as (((e2 & e3) & e5) & e6). apply N.eqb_neq in e2. apply N.leb_gt in e3, e5.
    pose proof (not_forgotten _ _ _ e5) as e4. cbn [cell_of].
    rewrite (take_of_first_free x _ j' (mex (N.lor w' (word x j')))); [| exact hl | | exact e5].
    + rewrite put_word_fast_is_put_word, block_is_put by assumption.
      cbn [with_partial partial bottom below_words roof]. unfold with_partial. do 2 f_equal.
      cbn [set_bit]. rewrite e6. f_equal. symmetry. exact (set_bit_first _ _ _ _).
    + cbn [with_partial partial first_free]. cbv zeta. apply N.eqb_eq in e1. rewrite e1.
      now apply first_free_of_word.
  - destruct (_ || _) eqn:e; [apply take_plain_is_take |]. rewrite !orb_false_iff in e.
    destruct e as (e3 & e5). apply N.leb_gt in e3, e5.
    pose proof (not_forgotten _ _ _ e5) as e4. cbn [cell_of].
    rewrite (take_of_first_free x _ j (mex (N.lor w (word x j)))); [| exact hl | | exact e5].
    + rewrite put_word_fast_is_put_word, block_is_put by assumption.
      cbn [with_partial partial bottom below_words roof]. unfold with_partial. do 2 f_equal.
      symmetry. exact (set_bit_first _ _ _ _).
    + now apply first_free_of_word.
Qed.

(** ** A row *)

(** One column of a row of which more than one offset of the head is left. *)
Lemma run_in_head : forall w n q s l low high last first x xs, 1 < n ->
  run (in_head w n q s l low high last first) (x :: xs) =
  match take x (with_partial s l) with
  | NoCell => None
  | Cell p x' s =>
      if p - q =? 0 then None
      else
        match
          run (in_head w (N.pred n) (N.succ q) s (partial s) (low + (p - q) * weight_low x)
                 (N.land (high + (p - q) * weight_high x) ones_40) (p - q) first) xs
        with
        | None => None
        | Some (w, xs) => Some (w, x' :: xs)
        end
  end.
Proof.
  intros [f r d] n q s l low high last first x xs hn.
  assert (h0 : (n =? 0) = false) by (apply N.eqb_neq; lia).
  assert (h1 : (N.pred n =? 0) = false) by (apply N.eqb_neq; lia).
  unfold in_head. cbn [run under record_of duty_now].
  destruct r as [row r_first r_last sum | row r_first start values proof sum];
    cbn [feed feed_finite feed_periodic]; unfold cell_in; cbn [row_now at_column offsets push];
    destruct (take x (with_partial s l)) as [| p x' s']; try reflexivity; cbv zeta;
    rewrite ?h0, with_its_partial; destruct (p - q =? 0); try reflexivity.
  unfold to_start. now rewrite h1.
Qed.

Lemma run_head_is_run : forall xs w n q s l low high last first,
  run_head w n q s l low high last first xs = run (in_head w n q s l low high last first) xs.
Proof.
  induction xs as [| x xs IH]; intros w n q s l low high last first; [reflexivity |].
  cbn [run_head]. destruct (n <=? 1) eqn:e; [reflexivity |]. apply N.leb_gt in e. cbv zeta.
  rewrite run_in_head by exact e. rewrite <- take_fast_is_take.
  destruct (take_fast x s l) as [| p x' s' l']; [reflexivity |]. cbn [cell_of].
  destruct (p - q =? 0); [reflexivity |]. rewrite IH. unfold in_head.
  now rewrite with_its_partial.
Qed.

Theorem run_fast_is_run : forall w xs, run_fast w xs = run w xs.
Proof.
  intros [f r d] xs. unfold run_fast. cbn [duty_now].
  destruct d as [n [q s low high [| b1 [| b2 []]] [] []] | | | |]; try reflexivity.
  rewrite run_head_is_run. unfold in_head, with_partial. now destruct s.
Qed.
