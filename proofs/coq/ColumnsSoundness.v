(** * What is accepted column by column is right

[run_is_step]: a row that has done its duties has done what [step_fast] does. [first_row]: the
lowest row can do all its cells before the others, and then those do the same. So
[by_columns_sound] follows from what [FastSoundness.v] proves of [step_fast]. *)

From Coq Require Import NArith List Bool ZArith Lia.
From Chomp Require Import Masks Checker Soundness Completeness Fingerprints FastChecker.
From Chomp Require Import FastCells FastTables FastSoundness ByColumns FastRuns.
Import ListNotations.

Local Open Scope N_scope.

(** ** A row *)

(** *** The ends of a head *)

(** The last offset and the first one of a list that begins with the last one. *)
Definition ends_of (os : list N) : list N :=
  match os with
  | b :: (_ :: _) as l => [b; List.last l 0]
  | _ => os
  end.

Lemma push_ends : forall b os, push b (ends_of os) = ends_of (b :: os).
Proof. intros b [| x [| y os]]; reflexivity. Qed.

Lemma ends_same : forall os, (os = [] /\ rev' (ends_of os) = []) \/
  exists z l l', rev' os = z :: l /\ rev' (ends_of os) = z :: l' /\
    forall x, List.last (z :: l) x = List.last (z :: l') x.
Proof.
  intros os. unfold rev'. rewrite <- !rev_alt.
  destruct os as [| b [| y os]]; [now left | right | right].
  - now exists b, [], [].
  - destruct (exists_last (l := y :: os)) as (l0 & z & e); [discriminate |].
    unfold ends_of. rewrite e, last_last. exists z, (rev l0 ++ [b]), [b].
    cbn [rev]. rewrite rev_app_distr. cbn [rev app]. split; [reflexivity |].
    split; [reflexivity |]. intros x. now rewrite app_comm_cons, last_last.
Qed.

Lemma first_of_ends : forall b first os, first_is b first (rev' (ends_of os)) = true ->
  first_is b first (rev' os) = true.
Proof.
  intros b first os h. destruct (ends_same os) as [(-> & _) | (z & l & l' & e1 & e2 & _)];
    [discriminate |]. now rewrite e1, e2 in *.
Qed.

Lemma structure_of_ends : forall b row first start vs proof os,
  (row <=? start) && (start <=? from proof)
    && structure_is_right b row first (row + count (rev' (ends_of os))) vs proof
      (rev' (ends_of os)) = true ->
  count os = start - row ->
  structure_is_right b row first start vs proof (rev' os) = true.
Proof.
  intros b row first start vs proof os h hc. unfold structure_is_right in *.
  rewrite !andb_true_iff in *.
  destruct h as ((hrow & hfrom) & ((((((((((h1 & h2) & h3) & h4) & h5) & h6) & h7) & h8) & h9)
    & h10) & h11) & h12).
  repeat split; try assumption.
  - destruct (ends_same os) as [(-> & _) | (z & l & l' & e1 & e2 & _)]; [exact h2 |].
    now rewrite e1, e2 in *.
  - apply N.eqb_eq. apply N.leb_le in hrow. unfold rev'. rewrite <- rev_alt, count_rev, hc. lia.
  - destruct (ends_same os) as [(-> & _) | (z & l & l' & e1 & e2 & e3)]; [exact h6 |].
    rewrite e1, e2, <- e3 in *. exact h6.
Qed.

(** *** A cell *)

(** [g] with the offsets and columns that [FastChecker.v] keeps there. *)
Definition among (g : progress) (os : list N) (passed rest : list column) : progress :=
  Progress (at_column g) (row_now g) (sum_low g) (sum_high g) os passed rest.

Lemma cell_is_next : forall x g b g' x' os ps rs, cell_in x g = Taken b g' x' ->
  next_cell (among g os ps (x :: rs)) = Some (b, among g' (b :: os) (x' :: ps) rs) /\
  (offsets g = ends_of os -> offsets g' = ends_of (b :: os)).
Proof.
  intros x g b g' x' os ps rs h. unfold cell_in in h. unfold next_cell, among.
  cbn [rest row_now]. destruct (take x (row_now g)) as [| p y s]; [discriminate |].
  injection h as <- <- <-. split; [reflexivity |]. cbn [offsets]. intros ->. apply push_ends.
Qed.

(** The last duty of a row is done. *)
Definition over (w : work) : bool :=
  match duty_now w with Over | Repeats _ => true | _ => false end.

Lemma run_cons : forall f s d x xs w zs, run (Work f s d) (x :: xs) = Some (w, zs) ->
  exists d' x' us, feed f s d x = Fed d' x' /\ run (Work f s d') xs = Some (w, us) /\
    zs = x' :: us.
Proof.
  intros f s d x xs w zs h. cbn [run under record_of duty_now] in h.
  destruct (feed f s d x) as [| d' x']; [discriminate |].
  destruct (run (Work f s d') xs) as [[w' us] |] eqn:e; [| discriminate].
  injection h as <- <-. now exists d', x', us.
Qed.

(** *** A finite row *)

Lemma run_over : forall xs f row first last sum w zs,
  run (Work f (SealedFinite row first last sum) Over) xs = Some (w, zs) -> zs = xs.
Proof.
  induction xs as [| x xs IH]; intros f row first last sum w zs h.
  - simpl in h. now injection h.
  - apply run_cons in h as (d & x' & us & hf & hr & ->). simpl in hf. injection hf as <- <-.
    f_equal. exact (IH _ _ _ _ _ _ _ hr).
Qed.

Lemma run_finite : forall xs f row first last sum n g os ps w zs,
  run (Work f (SealedFinite row first last sum) (Head n g)) xs = Some (w, zs) ->
  over w = true -> offsets g = ends_of os ->
  exists g1 g2, compute_fast xs n (among g os ps xs) = Some g1 /\ next_cell g1 = Some (0, g2) /\
    first_is (outline f) first (rev' (offsets g2)) = true /\ (sum_of g2 =? sum) = true /\
    rev_append (passed g2) (rest g2) = rev_append ps zs.
Proof.
  induction xs as [| x xs IH]; intros f row first last sum n g os ps w zs h hw ho.
  - simpl in h. injection h as <- <-. discriminate.
  - apply run_cons in h as (d & x' & us & hf & hr & ->). cbn [feed feed_finite] in hf.
    destruct (cell_in x g) as [| b g' y] eqn:ec; [discriminate |].
    destruct (cell_is_next x g b g' y os ps xs ec) as (hn & ho').
    specialize (ho' ho). cbn [compute_fast]. destruct (n =? 0).
    + destruct (_ && _) eqn:e in hf; [| discriminate]. injection hf as <- <-.
      rewrite !andb_true_iff in e. destruct e as ((hb & hfirst) & hsum).
      apply N.eqb_eq in hb. subst b. apply run_over in hr as ->. rewrite ho' in hfirst.
      apply first_of_ends in hfirst.
      now exists (among g os ps (x :: xs)), (among g' (0 :: os) (y :: ps) xs).
    + rewrite hn. destruct (b =? 0); [discriminate |]. injection hf as <- <-.
      destruct (IH f row first last sum (N.pred n) g' (b :: os) (y :: ps) w us hr hw ho')
        as (g1 & g2 & h1 & h2 & h3 & h4 & h5).
      now exists g1, g2.
Qed.

(** *** A periodic row *)

Section Periodic.

Variables (f : fast) (row first start : N) (values : list N) (proof : certificate) (sum : N).

Let this := Tail start values.
Let again := tabulate (value this) (from proof) (recurs proof - from proof).
Let run_with d := run (Work f (SealedPeriodic row first start values proof sum) d).

Lemma run_repeats : forall xs q w zs, run_with (Repeats q) xs = Some (w, zs) ->
  zs = enter_fast this q xs.
Proof.
  unfold run_with. induction xs as [| x xs IH]; intros q w zs h.
  - simpl in h. now injection h.
  - apply run_cons in h as (d & x' & us & hf & hr & ->). cbn [feed feed_periodic] in hf.
    injection hf as <- <-. cbn [enter_fast]. f_equal. exact (IH _ _ _ hr).
Qed.

(** The last columns that a row computes. *)
Definition Recurs (g : progress) (ps zs : list column) : Prop :=
  state_is (row_now g) (recurs proof) (filled proof) (above proof)
    && (modulus proof
        =? modulus_within (lowest (state_of proof) again) (highest again) (long_tails f)) = true /\
  rev_append (passed g) (enter_fast this (recurs proof) (rest g)) = rev_append ps zs.

Lemma run_to_recurs : forall xs l g os ps d w zs, to_recurs f start values proof l g = Some d ->
  run_with d xs = Some (w, zs) -> over w = true ->
  exists g1, follow l (among g os ps xs) = Some g1 /\ Recurs g1 ps zs.
Proof.
  induction xs as [| x xs IH]; intros [| b l] g os ps d w zs hd h hw; cbn [to_recurs] in hd.
  1, 3: destruct (_ && _) eqn:e in hd; [| discriminate]; injection hd as <-;
    apply run_repeats in h as ->; eexists; split; [reflexivity |]; now split.
  - injection hd as <-. injection h as <- <-. discriminate.
  - injection hd as <-. apply run_cons in h as (d & x' & us & hf & hr & ->).
    cbn [feed feed_periodic] in hf.
    destruct (cell_in x g) as [| b' g' y] eqn:ec; [discriminate |].
    cbn [follow]. rewrite (proj1 (cell_is_next x g b' g' y os ps xs ec)).
    destruct ((b =? b') && negb (b =? 0)); [| discriminate].
    destruct (to_recurs f start values proof l g') as [d1 |] eqn:e; [| discriminate].
    injection hf as <- <-. exact (IH l g' (b' :: os) (y :: ps) d1 w us e hr hw).
Qed.

Lemma run_to_from : forall xs l g os ps d w zs, to_from f start values proof l g = Some d ->
  run_with d xs = Some (w, zs) -> over w = true ->
  exists g1 g2, follow l (among g os ps xs) = Some g1 /\
    state_is (row_now g1) (from proof) (filled proof) (above proof) = true /\
    follow again g1 = Some g2 /\ Recurs g2 ps zs.
Proof.
  induction xs as [| x xs IH]; intros [| b l] g os ps d w zs hd h hw; cbn [to_from] in hd.
  1, 3: destruct (state_is _ _ _ _) eqn:e in hd; [| discriminate];
    destruct (run_to_recurs _ _ g os ps d w zs hd h hw) as (g2 & h1 & h2);
    eexists; exists g2; split; [reflexivity |]; now split.
  - injection hd as <-. injection h as <- <-. discriminate.
  - injection hd as <-. apply run_cons in h as (d & x' & us & hf & hr & ->).
    cbn [feed feed_periodic] in hf.
    destruct (cell_in x g) as [| b' g' y] eqn:ec; [discriminate |].
    cbn [follow]. rewrite (proj1 (cell_is_next x g b' g' y os ps xs ec)).
    destruct ((b =? b') && negb (b =? 0)); [| discriminate].
    destruct (to_from f start values proof l g') as [d1 |] eqn:e; [| discriminate].
    injection hf as <- <-. exact (IH l g' (b' :: os) (y :: ps) d1 w us e hr hw).
Qed.

Lemma run_to_start : forall xs n g os ps d w zs,
  to_start f row first start values proof sum n g = Some d ->
  run_with d xs = Some (w, zs) -> over w = true ->
  offsets g = ends_of os -> count os + n = start - row ->
  exists g0 g1 g2, compute_fast xs n (among g os ps xs) = Some g0 /\
    (sum_of g0 =? sum)
      && structure_is_right (outline f) row first start values proof (rev' (offsets g0)) = true /\
    follow (tabulate (value this) start (from proof - start)) g0 = Some g1 /\
    state_is (row_now g1) (from proof) (filled proof) (above proof) = true /\
    follow again g1 = Some g2 /\ Recurs g2 ps zs.
Proof.
  induction xs as [| x xs IH]; intros n g os ps d w zs hd h hw ho hc; unfold to_start in hd;
    cbn [compute_fast]; destruct (N.eqb_spec n 0) as [hn | hn].
  1, 3: cbv zeta in hd; rewrite ho in hd; destruct (_ && _) eqn:e in hd; [| discriminate];
    rewrite <- !andb_assoc, andb_true_iff, andb_assoc in e; destruct e as (e1 & e2);
    apply structure_of_ends in e2; [| lia];
    destruct (run_to_from _ _ g os ps d w zs hd h hw) as (g1 & g2 & h1 & h2);
    eexists; exists g1, g2; split; [reflexivity |]; split; [apply andb_true_intro; now split |];
    now split.
  - injection hd as <-. injection h as <- <-. discriminate.
  - injection hd as <-. apply run_cons in h as (d & x' & us & hf & hr & ->).
    cbn [feed feed_periodic] in hf.
    destruct (cell_in x g) as [| b g' y] eqn:ec; [discriminate |].
    destruct (cell_is_next x g b g' y os ps xs ec) as (hnext & ho').
    rewrite hnext. destruct (b =? 0); [discriminate |].
    destruct (to_start f row first start values proof sum (N.pred n) g') as [d1 |] eqn:e;
      [| discriminate].
    injection hf as <- <-. apply (IH (N.pred n) g' (b :: os) (y :: ps) d1 w us e hr hw (ho' ho)).
    rewrite count_cons. lia.
Qed.

End Periodic.

(** *** A row does what [step_fast] does *)

Theorem run_is_step : forall f x d w zs, needs x <= known f -> begin_duty (bare f) x = Some d ->
  run (Work (bare f) x d) (columns f) = Some (w, zs) -> over w = true ->
  step_fast f x = Some (after f x zs).
Proof.
  intros f x d w zs hk hd h hw.
  assert (hc : fast_columns_to f (needs x) = columns f).
  { unfold fast_columns_to. apply N.leb_le in hk. now rewrite hk. }
  destruct x as [row first last sum | row first start vs proof sum]; simpl needs in hc;
    cbn [begin_duty step_fast after] in *.
  - unfold fast_finite. change (next_row (bare f)) with (next_row f) in hd.
    destruct (_ && _); [| discriminate]. injection hd as <-.
    destruct (run_finite _ _ _ _ _ _ _ _ [] [] _ _ h hw eq_refl)
      as (g1 & g2 & h1 & h2 & h3 & h4 & h5).
    cbv zeta. rewrite hc. change (begin_row f (columns f))
      with (among (begin_row (bare f) []) [] [] (columns f)).
    rewrite h1, h2. change (outline f) with (outline (bare f)). rewrite h3, h4, h5. reflexivity.
  - unfold fast_periodic.
    destruct (run_to_start (bare f) row first start vs proof sum _ _ _ [] [] _ _ _ hd h hw eq_refl
      eq_refl)
      as (g0 & g1 & g2 & h1 & h2 & h3 & h4 & h5 & h6 & h7).
    cbv zeta. rewrite hc. change (begin_row f (columns f))
      with (among (begin_row (bare f) []) [] [] (columns f)).
    rewrite h1. change (outline f) with (outline (bare f)). rewrite h2, h3, h4, h5.
    change (long_tails f) with (long_tails (bare f)). rewrite h6, h7. reflexivity.
Qed.

(** ** The lowest row *)

Lemma run_keeps : forall xs w w' zs, run w xs = Some (w', zs) ->
  under w' = under w /\ record_of w' = record_of w /\ length zs = length xs.
Proof.
  induction xs as [| x xs IH]; intros [f s d] w' zs h.
  - injection h as <- <-. now split.
  - apply run_cons in h as (d' & x' & us & _ & hr & ->). apply IH in hr as (h1 & h2 & h3).
    split; [exact h1 |]. split; [exact h2 |]. simpl. now f_equal.
Qed.

Lemma run_from_now : forall w xs, run_from w 0 xs = run w xs.
Proof. intros w xs. rewrite <- run_fast_is_run. now destruct xs. Qed.

Lemma run_from_nil : forall w k, run_from w k [] = Some (w, []).
Proof. intros w k. cbn [run_from]. rewrite run_fast_is_run. now destruct (k =? 0). Qed.

Lemma run_from_keeps : forall xs w k w' zs, run_from w k xs = Some (w', zs) ->
  under w' = under w /\ record_of w' = record_of w /\ length zs = length xs.
Proof.
  induction xs as [| x xs IH]; intros w k w' zs h.
  - rewrite run_from_nil in h. injection h as <- <-. now split.
  - cbn [run_from] in h. rewrite run_fast_is_run in h.
    destruct (k =? 0); [exact (run_keeps _ _ _ _ h) |].
    destruct (run_from w (N.pred k) xs) as [[w1 us] |] eqn:e; [| discriminate].
    injection h as <- <-. apply IH in e as (h1 & h2 & h3). split; [exact h1 |].
    split; [exact h2 |]. simpl. now f_equal.
Qed.

Lemma run_app : forall xs ys w w1 us w2 vs, run w xs = Some (w1, us) -> run w1 ys = Some (w2, vs) ->
  run w (xs ++ ys) = Some (w2, us ++ vs).
Proof.
  induction xs as [| x xs IH]; intros ys [f s d] w1 us w2 vs h1 h2.
  - injection h1 as <- <-. exact h2.
  - apply run_cons in h1 as (d' & x' & us' & hf & hr & ->). cbn [app run under record_of duty_now].
    now rewrite hf, (IH _ _ _ _ _ _ hr h2).
Qed.

Lemma run_from_app : forall xs ys w k w1 us w2 vs, run_from w k xs = Some (w1, us) ->
  run_from w1 (k - count xs) ys = Some (w2, vs) -> run_from w k (xs ++ ys) = Some (w2, us ++ vs).
Proof.
  induction xs as [| x xs IH]; intros ys w k w1 us w2 vs h1 h2.
  - rewrite run_from_nil in h1. injection h1 as <- <-. change (count []) with 0 in h2.
    now rewrite N.sub_0_r in h2.
  - cbn [app run_from] in *. rewrite run_fast_is_run in *. destruct (N.eqb_spec k 0) as [-> | hk].
    + rewrite app_comm_cons. apply (run_app (x :: xs) ys w w1); [exact h1 |].
      now rewrite N.sub_0_l, run_from_now in h2.
    + destruct (run_from w (N.pred k) xs) as [[w3 us'] |] eqn:e; [| discriminate].
      injection h1 as <- <-. rewrite (IH ys w (N.pred k) w3 us' w2 vs e); [reflexivity |].
      rewrite count_cons in h2. replace (N.pred k - count xs) with (k - N.succ (count xs)) by lia.
      exact h2.
Qed.

Lemma run_from_far : forall xs w k, count xs <= k -> run_from w k xs = Some (w, xs).
Proof.
  induction xs as [| x xs IH]; intros w k h; [apply run_from_nil |]. rewrite count_cons in h.
  cbn [run_from]. destruct (N.eqb_spec k 0); [lia |]. now rewrite IH by lia.
Qed.

Lemma run_from_skip : forall k xs w w' zs, run_from w (N.of_nat k) xs = Some (w', zs) ->
  run w (skipn k xs) = Some (w', skipn k zs).
Proof.
  induction k as [| k IH]; intros [| x xs] w w' zs h; try now rewrite <- run_from_now.
  - rewrite run_from_nil in h. now injection h as <- <-.
  - cbn [run_from] in h. rewrite Nat2N.inj_succ, N.pred_succ in h.
    destruct (N.eqb_spec (N.succ (N.of_nat k)) 0); [lia |].
    destruct (run_from w (N.of_nat k) xs) as [[w1 us] |] eqn:e; [| discriminate].
    injection h as <- <-. cbn [skipn]. now apply IH.
Qed.

(** *** In groups of columns *)

Definition Group (xs : list column) : Prop := count xs = group.

Fixpoint alone (w : work) (gs : list (list column)) (q : N) : option (work * list (list column)) :=
  match gs with
  | [] => Some (w, [])
  | xs :: gs =>
      match run_from w (own w - q) xs with
      | None => None
      | Some (w, us) =>
          match alone w gs (q + group) with
          | None => None
          | Some (w, vs) => Some (w, us :: vs)
          end
      end
  end.

Lemma alone_keeps : forall gs w q w' gs', alone w gs q = Some (w', gs') ->
  under w' = under w /\ record_of w' = record_of w /\ (Forall Group gs -> Forall Group gs') /\
  length gs' = length gs.
Proof.
  induction gs as [| xs gs IH]; intros w q w' gs' h; cbn [alone] in h.
  - injection h as <- <-. now repeat split.
  - destruct (run_from w (own w - q) xs) as [[w1 us] |] eqn:e; [| discriminate].
    destruct (alone w1 gs (q + group)) as [[w2 vs] |] eqn:e2; [| discriminate].
    injection h as <- <-. apply run_from_keeps in e as (h1 & h2 & h3).
    apply IH in e2 as (i1 & i2 & i3 & i4). split; [congruence |]. split; [congruence |]. split.
    + intros hg. inversion hg as [| y l hy hl]; subst. constructor; [| now apply i3].
      unfold Group in *. rewrite count_length in *. now rewrite h3.
    + simpl. now f_equal.
Qed.

Lemma alone_app : forall gs hs w q w1 gs' w2 hs', alone w gs q = Some (w1, gs') ->
  alone w1 hs (q + group * N.of_nat (length gs)) = Some (w2, hs') ->
  alone w (gs ++ hs) q = Some (w2, gs' ++ hs').
Proof.
  induction gs as [| xs gs IH]; intros hs w q w1 gs' w2 hs' h1 h2; cbn [alone app] in *.
  - injection h1 as <- <-. simpl length in h2. now rewrite N.mul_0_r, N.add_0_r in h2.
  - destruct (run_from w (own w - q) xs) as [[w3 us] |] eqn:e; [| discriminate].
    destruct (alone w3 gs (q + group)) as [[w4 vs] |] eqn:e2; [| discriminate].
    injection h1 as <- <-. rewrite (IH hs w3 (q + group) w4 vs w2 hs' e2); [reflexivity |].
    rewrite <- h2. f_equal. simpl length. lia.
Qed.

Lemma alone_runs : forall gs w q w' gs', alone w gs q = Some (w', gs') -> Forall Group gs ->
  run_from w (own w - q) (concat gs) = Some (w', concat gs').
Proof.
  induction gs as [| xs gs IH]; intros w q w' gs' h hg; cbn [alone concat] in *.
  - injection h as <- <-. apply run_from_nil.
  - inversion hg as [| y l hy hl]; subst.
    destruct (run_from w (own w - q) xs) as [[w1 us] |] eqn:e; [| discriminate].
    destruct (alone w1 gs (q + group)) as [[w2 vs] |] eqn:e2; [| discriminate].
    injection h as <- <-. cbn [concat]. apply (run_from_app _ _ w _ w1); [exact e |].
    apply IH in e2; [| exact hl]. rewrite <- e2. f_equal. apply run_from_keeps in e as (e & _).
    unfold own. rewrite e, hy. lia.
Qed.

(** *** Before the others *)

(** [run_rows] without the rows below. *)
Fixpoint together (ws : list work) (q past : N) (xs : list column) : option (list work) :=
  match ws with
  | [] => Some []
  | w :: rest =>
      if past <=? own w then Some ws
      else
        match run_from w (own w - q) xs with
        | None => None
        | Some (w, xs) =>
            match together rest q past xs with None => None | Some l => Some (w :: l) end
        end
  end.

Lemma run_rows_together : forall ws q past xs done l, run_rows ws q past xs done = Goes l ->
  exists l', together ws q past xs = Some l' /\ l = rev_append done l'.
Proof.
  induction ws as [| w ws IH]; intros q past xs done l h; cbn [run_rows together] in *.
  - injection h as <-. now exists [].
  - destruct (past <=? own w); [injection h as <-; now exists (w :: ws) |].
    destruct (run_from w (own w - q) xs) as [[w' us] |]; [| discriminate].
    destruct (IH _ _ _ _ _ h) as (l' & -> & ->). now exists (w' :: l').
Qed.

(** The rows are in ascending order. *)
Fixpoint rising (ws : list work) : Prop :=
  match ws with
  | w :: ((w' :: _) as rest) => own w <= own w' /\ rising rest
  | _ => True
  end.

Lemma rising_same : forall ws ws', map under ws' = map under ws -> rising ws -> rising ws'.
Proof.
  induction ws as [| w ws IH]; intros [| w' ws'] e h; try discriminate; [exact I |].
  injection e as e1 e2. specialize (IH ws' e2).
  destruct ws as [| v ws], ws' as [| v' ws']; try discriminate; [exact I |].
  destruct h as (h1 & h2). split; [| now apply IH]. injection e2 as e2 _. unfold own in *.
  now rewrite e1, e2.
Qed.

Lemma rising_tail : forall w ws, rising (w :: ws) -> rising ws.
Proof. intros w [| w' ws] h; [exact I | exact (proj2 h)]. Qed.

Lemma together_keeps : forall ws q past xs l, together ws q past xs = Some l ->
  map under l = map under ws.
Proof.
  induction ws as [| w ws IH]; intros q past xs l h; cbn [together] in h.
  - now injection h as <-.
  - destruct (past <=? own w); [now injection h as <- |].
    destruct (run_from w (own w - q) xs) as [[w' us] |] eqn:e; [| discriminate].
    destruct (together ws q past us) as [l' |] eqn:e2; [| discriminate]. injection h as <-.
    apply run_from_keeps in e as (e & _). cbn [map]. rewrite e. f_equal. exact (IH _ _ _ _ e2).
Qed.

Lemma first_of_group : forall w ws q xs l, rising (w :: ws) -> Group xs ->
  together (w :: ws) q (q + group) xs = Some l ->
  exists w' us l', l = w' :: l' /\ run_from w (own w - q) xs = Some (w', us) /\
    together ws q (q + group) us = Some l'.
Proof.
  intros w ws q xs l hr hg h. cbn [together] in h.
  destruct (N.leb_spec (q + group) (own w)) as [hw | hw].
  - injection h as <-. exists w, xs, ws. split; [reflexivity |].
    split; [apply run_from_far; unfold Group in hg; lia |].
    destruct ws as [| w' ws]; [reflexivity |]. cbn [together]. destruct hr as (hr & _).
    destruct (N.leb_spec (q + group) (own w')); [reflexivity | lia].
  - destruct (run_from w (own w - q) xs) as [[w' us] |]; [| discriminate].
    destruct (together ws q (q + group) us) as [l' |] eqn:e; [| discriminate].
    injection h as <-. now exists w', us, l'.
Qed.

(** Groups that are there already. *)
Fixpoint on_groups (gs : list (list column)) (ws : list work) (q : N) : option (list work) :=
  match gs with
  | [] => Some ws
  | xs :: gs =>
      match together ws q (q + group) xs with
      | None => None
      | Some ws => on_groups gs ws (q + group)
      end
  end.

Lemma on_groups_app : forall gs hs ws q ws1, on_groups gs ws q = Some ws1 ->
  on_groups (gs ++ hs) ws q = on_groups hs ws1 (q + group * N.of_nat (length gs)).
Proof.
  induction gs as [| xs gs IH]; intros hs ws q ws1 h; cbn [on_groups app] in *.
  - injection h as <-. simpl length. now rewrite N.mul_0_r, N.add_0_r.
  - destruct (together ws q (q + group) xs) as [ws2 |]; [| discriminate].
    rewrite (IH hs ws2 _ ws1 h). f_equal. simpl length. lia.
Qed.

Lemma on_groups_keeps : forall gs ws q l, on_groups gs ws q = Some l -> map under l = map under ws.
Proof.
  induction gs as [| xs gs IH]; intros ws q l h; cbn [on_groups] in h.
  - now injection h as <-.
  - destruct (together ws q (q + group) xs) as [ws2 |] eqn:e; [| discriminate].
    apply together_keeps in e. apply IH in h. congruence.
Qed.

Lemma first_on_groups : forall gs w ws q l, rising (w :: ws) -> Forall Group gs ->
  on_groups gs (w :: ws) q = Some l ->
  exists w' gs' l', l = w' :: l' /\ alone w gs q = Some (w', gs') /\ on_groups gs' ws q = Some l'.
Proof.
  induction gs as [| xs gs IH]; intros w ws q l hr hg h; cbn [on_groups alone] in *.
  - injection h as <-. now exists w, [], ws.
  - inversion hg as [| y k hy hk]; subst.
    destruct (together (w :: ws) q (q + group) xs) as [ws2 |] eqn:e; [| discriminate].
    pose proof (together_keeps _ _ _ _ _ e) as hsame.
    destruct (first_of_group w ws q xs ws2 hr hy e) as (w1 & us & l1 & -> & h1 & h2).
    destruct (IH w1 l1 (q + group) l (rising_same _ _ hsame hr) hk h)
      as (w' & gs' & l' & h3 & h4 & h5).
    exists w', (us :: gs'), l'. split; [exact h3 |]. rewrite h1, h4. split; [reflexivity |].
    cbn [on_groups]. now rewrite h2.
Qed.

(** New groups for a row that is not right before. *)
Fixpoint new_groups (n : nat) (l : list class) (q : N) : list (list column) :=
  match n with O => [] | S n => new_group l q :: new_groups n l (q + group) end.

Lemma new_group_is : forall l q, Group (new_group l q).
Proof.
  intros l q. unfold Group, new_group. rewrite count_length, map_length, <- count_length.
  apply count_tabulate.
Qed.

Lemma new_groups_are : forall n l q, Forall Group (new_groups n l q).
Proof.
  induction n as [| n IH]; intros l q; constructor; [apply new_group_is | apply IH].
Qed.

Lemma new_groups_length : forall n l q, length (new_groups n l q) = n.
Proof. induction n as [| n IH]; intros l q; [reflexivity |]. simpl. now f_equal. Qed.

Lemma tabulate_app : forall f n m q,
  tabulate f q (n + m) = tabulate f q n ++ tabulate f (q + n) m.
Proof.
  intros f n m. induction n as [| n IH] using N.peano_ind; intros q.
  - rewrite tabulate_nil, N.add_0_l, N.add_0_r. reflexivity.
  - rewrite N.add_succ_l, !tabulate_cons, IH. cbn [app]. do 2 f_equal. f_equal. lia.
Qed.

Lemma concat_new_groups : forall n l q, concat (new_groups n l q) =
  map (new_column l) (tabulate (fun q => q) q (group * N.of_nat n)).
Proof.
  induction n as [| n IH]; intros l q; [reflexivity |]. cbn [new_groups concat]. rewrite IH.
  replace (group * N.of_nat (S n)) with (group + group * N.of_nat n) by lia.
  now rewrite tabulate_app, map_app.
Qed.

Definition AllRight (q : N) (ws : list work) : Prop := forall w, In w ws -> right_by q w = true.

Lemma first_row : forall n w ws l q ws2, rising (w :: ws) ->
  run_groups n (w :: ws) l q = Goes ws2 -> AllRight (q + group * N.of_nat n) ws2 ->
  exists k w' gs ws1 ws3, (k <= n)%nat /\
    alone w (new_groups k l q) q = Some (w', gs) /\ on_groups gs ws q = Some ws1 /\
    right_by (q + group * N.of_nat k) w' = true /\
    run_groups (n - k) ws1 (classes_after l (record_of w)) (q + group * N.of_nat k) = Goes ws3 /\
    AllRight (q + group * N.of_nat n) ws3.
Proof.
  induction n as [| n IH]; intros w ws l q ws2 hr h hall.
  - injection h as <-. exists O, w, [], ws, ws. split; [lia |]. split; [reflexivity |].
    split; [reflexivity |]. split; [apply hall; now left |]. split; [reflexivity |].
    intros v hv. apply hall. now right.
  - destruct (right_by q w) eqn:e.
    + exists O, w, [], ws, ws2. split; [lia |]. split; [reflexivity |]. split; [reflexivity |].
      change (N.of_nat 0) with 0. rewrite N.mul_0_r, N.add_0_r. split; [exact e |].
      split; [| exact hall]. cbn [run_groups] in h. unfold next_group in h. cbn [absorb] in h.
      rewrite e in h. exact h.
    + cbn [run_groups] in h. unfold next_group in h. cbn [absorb] in h. rewrite e in h.
      destruct (run_rows (w :: ws) q (q + group) (new_group l q) []) as [| ws1] eqn:e1;
        [discriminate |].
      destruct (run_rows_together _ _ _ _ _ _ e1) as (ws1' & h1 & h2). simpl in h2. subst ws1'.
      pose proof (together_keeps _ _ _ _ _ h1) as hsame.
      destruct (first_of_group w ws q _ ws1 hr (new_group_is l q) h1)
        as (w1 & us & l1 & -> & h2 & h3).
      replace (q + group * N.of_nat (S n)) with (q + group + group * N.of_nat n) in * by lia.
      destruct (IH w1 l1 l (q + group) ws2 (rising_same _ _ hsame hr) h hall)
        as (k & w' & gs & ws4 & ws3 & i1 & i2 & i3 & i4 & i5 & i6).
      destruct (run_from_keeps _ _ _ _ _ h2) as (_ & hrec & _). rewrite hrec in i5.
      exists (S k), w', (us :: gs), ws4, ws3.
      replace (q + group * N.of_nat (S k)) with (q + group + group * N.of_nat k) by lia.
      split; [lia |]. cbn [new_groups alone]. rewrite h2, i2. split; [reflexivity |].
      cbn [on_groups]. rewrite h3. split; [exact i3 |]. split; [exact i4 |].
      split; [exact i5 | exact i6].
Qed.

(** ** All rows *)

Lemma tl_skipn : forall A k (l : list A), tl (skipn k l) = skipn (S k) l.
Proof.
  intros A. induction k as [| k IH]; intros [| x l]; try reflexivity. exact (IH l).
Qed.

(** The same with columns to before column q, at least. *)
Definition extend (f : fast) (q : N) : fast :=
  Fast (next_row f) (diagonal_words f) (fast_columns_to f q) (N.max (known f) q) (settled f)
    (long_tails f) (classes f).

Lemma columns_after : forall f x ys, columns (after f x ys) = tl ys.
Proof. intros f [row first last sum | row first start vs proof sum] ys; reflexivity. Qed.

Lemma known_after : forall f x ys, known (after f x ys) = N.max (known f) (needs x).
Proof. intros f [row first last sum | row first start vs proof sum] ys; reflexivity. Qed.

(** [f] is what is below row r. *)
Definition IsBelow (r : nat) (f : fast) : Prop := exists b, Represents f b /\ KnownWell r b.

Lemma extend_below : forall r f q, IsBelow r f -> IsBelow r (extend f q).
Proof.
  intros r f q (b & hr & hw).
  exists (Below (height b) (diagonal b) (columns_to b q) (Checker.settled b) (tails b)).
  destruct (columns_to_are f b q hr) as (hc & hcount). split.
  - destruct hr as [h1 h2 hd h3 h4 h5 h6 h7 h8]. constructor; simpl; try assumption; lia.
  - destruct hw as [k0 k1 k2 k3]. destruct (columns_to_sound r b q k0) as (c1 & _ & c3).
    destruct k0 as [h1 h2 h3 h4 h5 h6]. constructor; simpl; try assumption.
    constructor; simpl; try assumption. lia.
Qed.

(** The rows as they begin. *)
Fixpoint plan (f : fast) (records : list sealed) : option (list work) :=
  match records with
  | [] => Some []
  | x :: records =>
      match begin_duty f x with
      | None => None
      | Some d =>
          match plan (bare (after f x [])) records with
          | None => None
          | Some ws => Some (Work f x d :: ws)
          end
      end
  end.

Lemma own_planned : forall records f ws, plan f records = Some ws -> rising ws /\
  match ws with [] => True | w :: _ => own w = next_row f end.
Proof.
  induction records as [| x records IH]; intros f ws h; cbn [plan] in h.
  - injection h as <-. now split.
  - destruct (begin_duty f x) as [d |]; [| discriminate].
    destruct (plan _ records) as [l |] eqn:e in h; [| discriminate]. injection h as <-.
    split; [| reflexivity]. destruct (IH _ _ e) as (h1 & h2). destruct l as [| w l]; [exact I |].
    split; [| exact h1]. rewrite h2. destruct x; cbn; unfold own; cbn; lia.
Qed.

Lemma by_columns : forall records r f gs ws n ws1 ws2, IsBelow r f ->
  plan (bare f) records = Some ws -> Forall Group gs ->
  columns f = skipn r (concat gs) -> known f = group * N.of_nat (length gs) ->
  on_groups gs ws 0 = Some ws1 -> run_groups n ws1 (classes f) (known f) = Goes ws2 ->
  AllRight (known f + group * N.of_nat n) ws2 ->
  exists opened, map seal opened = records /\
    forall i x, nth_error opened i = Some x -> TrueRecord (r + i) x.
Proof.
  induction records as [| x records IH];
    intros r f gs ws n ws1 ws2 hf hplan hgs hcols hknown hon hrun hall.
  - exists []. split; [reflexivity |]. intros [| i] y hy; discriminate.
  - destruct (own_planned _ _ _ hplan) as (hrise & _). cbn [plan] in hplan.
    destruct (begin_duty (bare f) x) as [d |] eqn:ed; [| discriminate].
    destruct (plan _ records) as [l |] eqn:ep in hplan; [| discriminate]. injection hplan as <-.
    set (w := Work (bare f) x d) in *.
    pose proof (on_groups_keeps _ _ _ _ hon) as hsame.
    destruct (first_on_groups gs w l 0 ws1 hrise hgs hon) as (w1 & gs1 & l1 & -> & h1 & h2).
    destruct (first_row n w1 l1 _ _ ws2 (rising_same _ _ hsame hrise) hrun hall)
      as (k & w2 & gs2 & ws3 & ws4 & hk & h3 & h4 & hright & h5 & h6).
    destruct (alone_keeps _ _ _ _ _ h1) as (_ & hrec & hg1 & hl1). specialize (hg1 hgs).
    destruct (alone_keeps _ _ _ _ _ h3) as (_ & hrec2 & hg2 & hl2).
    specialize (hg2 (new_groups_are _ _ _)). rewrite new_groups_length in hl2.
    rewrite hrec in h5, hrec2. change (record_of w) with x in *.
    set (q2 := known f + group * N.of_nat k) in *.
    assert (hq1 : 0 + group * N.of_nat (length gs) = known f) by (rewrite hknown; lia).
    assert (hq2 : 0 + group * N.of_nat (length gs1) = known f) by (rewrite hl1; exact hq1).
    pose proof (alone_app gs (new_groups k (classes f) (known f)) w 0 w1 gs1 w2 gs2 h1) as h7.
    rewrite hq1 in h7. specialize (h7 h3).
    assert (hon2 : on_groups (gs1 ++ gs2) l 0 = Some ws3).
    { rewrite (on_groups_app _ _ _ _ _ h2), hq2. exact h4. }
    pose proof hf as (b & hr & hw). pose proof (Completeness.known r b hw) as hkn.
    assert (hheight : next_row f = N.of_nat r).
    { rewrite <- (rep_row f b hr). exact (known_height r b hkn). }
    apply alone_runs in h7; [| apply Forall_app; split; [exact hgs | apply new_groups_are]].
    change (own w) with (next_row f) in h7. rewrite hheight, N.sub_0_r in h7.
    apply run_from_skip in h7.
    assert (hcount : forall l, Forall Group l ->
      length (concat l) = N.to_nat (group * N.of_nat (length l))).
    { clear. induction l as [| g l IH]; intros h; [reflexivity |]. inversion h; subst.
      cbn [concat]. rewrite app_length, IH by assumption. unfold Group in *.
      rewrite count_length in *. simpl length. lia. }
    assert (hext : columns (extend f q2) =
      skipn r (concat (gs ++ new_groups k (classes f) (known f)))).
    { rewrite concat_app, skipn_app, <- hcols, hcount, <- hknown, concat_new_groups by exact hgs.
      replace (r - N.to_nat (known f))%nat with O.
      - cbn [extend columns skipn]. unfold fast_columns_to, q2.
        destruct (N.leb_spec (known f + group * N.of_nat k) (known f)) as [hle | hle].
        + replace (group * N.of_nat k) with 0 by lia. rewrite tabulate_nil, app_nil_r. reflexivity.
        + do 3 f_equal. lia.
      - pose proof (rep_known f b hr). rewrite (rep_row f b hr), hheight in H. lia. }
    rewrite <- hext in h7.
    unfold right_by in hright. rewrite hrec2 in hright.
    apply andb_prop in hright as (hneeds & hover). apply N.leb_le in hneeds.
    assert (hstep : step_fast (extend f q2) x =
      Some (after (extend f q2) x (skipn r (concat (gs1 ++ gs2))))).
    { apply (run_is_step _ x d w2); try assumption. cbn [extend known]. lia. }
    destruct (extend_below r f q2 hf) as (b2 & hr2 & hw2).
    destruct (step_fast_sound _ b2 x _ hr2 hstep) as (y & b3 & hy & hb & hr3).
    set (f3 := after (extend f q2) x (skipn r (concat (gs1 ++ gs2)))) in *.
    assert (hk3 : known f3 = q2).
    { unfold f3. rewrite known_after. cbn [extend known]. lia. }
    destruct (IH (S r) f3 (gs1 ++ gs2) l (n - k)%nat ws3 ws4) as (opened & hopened & htrue).
    + exists b3. split; [exact hr3 | now apply (step_well r b2 y)].
    + unfold f3. rewrite <- ep. f_equal. now destruct x.
    + apply Forall_app. now split.
    + unfold f3. rewrite columns_after. apply tl_skipn.
    + rewrite hk3, app_length, hl1, hl2. unfold q2. rewrite hknown. lia.
    + exact hon2.
    + rewrite hk3. replace (classes f3) with (classes_after (classes f) x); [exact h5 |].
      unfold f3. now destruct x.
    + rewrite hk3. replace (q2 + group * N.of_nat (n - k))
        with (known f + group * N.of_nat n); [exact h6 | unfold q2, group; lia].
    + exists (y :: opened). split; [cbn [map]; now rewrite hy, hopened |].
      intros [| i] z hz; simpl in hz.
      * injection hz as <-. rewrite Nat.add_0_r. apply (step_iff r b2 y hw2). now exists b3.
      * rewrite Nat.add_succ_r. now apply htrue.
Qed.

Lemma read_is_plan : forall records s s', read_all s records = Some s' ->
  exists ws, plan (above_all s) records = Some ws /\ works s' = rev ws ++ works s.
Proof.
  induction records as [| x records IH]; intros s s' h; cbn [read_all plan] in *.
  - injection h as <-. now exists [].
  - unfold read in h. destruct (begin_duty (above_all s) x) as [d |]; [| discriminate].
    destruct (IH _ _ h) as (ws & h1 & h2). cbn [above_all works] in h1, h2. rewrite h1.
    eexists. split; [reflexivity |]. cbn [rev]. now rewrite <- app_assoc.
Qed.

(** What is accepted column by column, the checker accepts. *)
Theorem by_columns_sound : forall records,
  check_by_columns records = true -> check_sealed records = true.
Proof.
  intros records h. unfold check_by_columns in h.
  destruct (read_all none_read records) as [s |] eqn:er; [| discriminate].
  destruct (read_is_plan _ _ _ er) as (ws & hplan & hworks). cbn [none_read works] in hworks.
  unfold first_refused, first_wrong in h. set (n := groups s) in h.
  destruct (run_groups _ _ _ _) as [| ws2] eqn:eg in h; [discriminate |].
  destruct (List.find _ ws2) as [w |] eqn:ef in h; [discriminate |].
  apply check_sealed_iff.
  destruct (by_columns records 0 nothing [] ws (N.to_nat n) ws ws2) as (opened & hmap & htrue).
  - exists none_below. split; [exact nothing_represents | exact nothing_below_well].
  - exact hplan.
  - constructor.
  - reflexivity.
  - reflexivity.
  - reflexivity.
  - rewrite <- eg. f_equal. unfold in_order. rewrite hworks, app_nil_r. unfold rev'.
    now rewrite <- rev_alt, rev_involutive.
  - intros w hw. apply (List.find_none _ _ ef) in hw. apply negb_false_iff in hw.
    rewrite N2Nat.id. exact hw.
  - exists opened. split; [exact hmap |]. now apply check_iff.
Qed.
