(** * What is accepted in batches is right

[run_is_step]: a row that finishes its duties has done what [step_fast] does. [pass_first]: the rows
of a batch do in one pass what they do one after the other. So [check_batches_sound] follows from
what [FastSoundness.v] proves of [step_fast]. *)

From Coq Require Import NArith List Bool ZArith Lia.
From Chomp Require Import Masks Checker Soundness Completeness Fingerprints FastChecker.
From Chomp Require Import FastCells FastTables FastSoundness Batches.
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

(** A row alone. *)
Fixpoint run (w : work) (xs : list column) : option (work * list column) :=
  match xs with
  | [] => Some (w, [])
  | x :: xs =>
      match feed_row w x with
      | None => None
      | Some (w, x) =>
          match run w xs with
          | None => None
          | Some (w, xs) => Some (w, x :: xs)
          end
      end
  end.

Lemma run_cons : forall f s d x xs w zs, run (Work 0 f s d) (x :: xs) = Some (w, zs) ->
  exists d' x' us, feed f s d x = Fed d' x' /\ run (Work 0 f s d') xs = Some (w, us) /\
    zs = x' :: us.
Proof.
  intros f s d x xs w zs h. cbn [run] in h. unfold feed_row in h.
  cbn [wait under record_of duty_now] in h. change (0 =? 0) with true in h. cbv iota in h.
  destruct (feed f s d x) as [| d' x']; [discriminate |].
  destruct (run (Work 0 f s d') xs) as [[w' us] |] eqn:e; [| discriminate].
  injection h as <- <-. now exists d', x', us.
Qed.

(** *** A finite row *)

Lemma run_over : forall xs f row first last sum w zs,
  run (Work 0 f (SealedFinite row first last sum) Over) xs = Some (w, zs) -> zs = xs.
Proof.
  induction xs as [| x xs IH]; intros f row first last sum w zs h.
  - simpl in h. now injection h.
  - apply run_cons in h as (d & x' & us & hf & hr & ->). simpl in hf. injection hf as <- <-.
    f_equal. exact (IH _ _ _ _ _ _ _ hr).
Qed.

Lemma run_finite : forall xs f row first last sum n g os ps w zs,
  run (Work 0 f (SealedFinite row first last sum) (Head n g)) xs = Some (w, zs) ->
  finished w = true -> offsets g = ends_of os ->
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
Let run_with d := run (Work 0 f (SealedPeriodic row first start values proof sum) d).

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
  run_with d xs = Some (w, zs) -> finished w = true ->
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
  run_with d xs = Some (w, zs) -> finished w = true ->
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
  run_with d xs = Some (w, zs) -> finished w = true ->
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
  run (Work 0 (bare f) x d) (columns f) = Some (w, zs) -> finished w = true ->
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

(** ** Rows *)

(** The first row of a batch can do all its cells before the others. *)
Lemma pass_first : forall xs w ws ys ws' zs, pass (w :: ws) xs ys = Some (ws', zs) ->
  exists w' ws1 us, ws' = w' :: ws1 /\ run w xs = Some (w', us) /\ pass ws us ys = Some (ws1, zs).
Proof.
  induction xs as [| x xs IH]; intros w ws ys ws' zs h.
  - simpl in h. injection h as <- <-. now exists w, ws, [].
  - cbn [pass feed_rows] in h. cbn [run].
    destruct (feed_row w x) as [[w1 x1] |]; [| discriminate].
    destruct (feed_rows ws x1) as [[ws1 x2] |] eqn:e; [| discriminate].
    destruct (IH _ _ _ _ _ h) as (w' & ws2 & us & -> & hr & hp).
    exists w', ws2, (x1 :: us). rewrite hr. split; [reflexivity |]. split; [reflexivity |].
    cbn [pass]. now rewrite e.
Qed.

Lemma pass_none : forall xs ys ws zs, pass [] xs ys = Some (ws, zs) -> zs = rev_append xs ys.
Proof.
  induction xs as [| x xs IH]; intros ys ws zs h; simpl in h.
  - now injection h.
  - exact (IH _ _ _ h).
Qed.

(** Before its own column a row does nothing. *)
Lemma run_waits : forall k xs f s d w zs, run (Work (N.of_nat k) f s d) xs = Some (w, zs) ->
  finished w = true -> run (Work 0 f s d) (skipn k xs) = Some (w, skipn k zs).
Proof.
  induction k as [| k IH]; intros xs f s d w zs h hw; [exact h |].
  destruct xs as [| x xs].
  - injection h as <- <-. apply andb_prop in hw as (hw & _). apply N.eqb_eq in hw.
    change (N.of_nat (S k) = 0) in hw. lia.
  - cbn [run] in h. unfold feed_row in h. cbn [wait under record_of duty_now] in h.
    rewrite Nat2N.inj_succ, N.pred_succ in h.
    destruct (N.eqb_spec (N.succ (N.of_nat k)) 0); [lia |].
    destruct (run (Work (N.of_nat k) f s d) xs) as [[w' us] |] eqn:e; [| discriminate].
    injection h as <- <-. cbn [skipn]. now apply IH.
Qed.

Lemma tl_skipn : forall A k (l : list A), tl (skipn k l) = skipn (S k) l.
Proof.
  intros A. induction k as [| k IH]; intros [| x l]; try reflexivity. exact (IH l).
Qed.

(** One record after the other. *)
Fixpoint steps_fast (f : fast) (records : list sealed) : option fast :=
  match records with
  | [] => Some f
  | x :: records =>
      match step_fast f x with
      | None => None
      | Some f => steps_fast f records
      end
  end.

Lemma bare_after : forall f x ys, bare (after f x ys) = after (bare f) x [].
Proof. intros f [row first last sum | row first start vs proof sum] ys; reflexivity. Qed.

Lemma columns_after : forall f x ys, columns (after f x ys) = tl ys.
Proof. intros f [row first last sum | row first start vs proof sum] ys; reflexivity. Qed.

Lemma known_after : forall f x ys, known (after f x ys) = N.max (known f) (needs x).
Proof. intros f [row first last sum | row first start vs proof sum] ys; reflexivity. Qed.

Lemma pass_is_steps : forall records f k xs ws f' ws' zs,
  plan (bare f) (N.of_nat k) records = Some (ws, f') -> pass ws xs [] = Some (ws', zs) ->
  forallb finished ws' = true -> columns f = skipn k xs ->
  (forall x, In x records -> needs x <= known f) ->
  steps_fast f records =
    Some (with_columns f' (skipn (k + length records) (rev' zs)) (known f')).
Proof.
  induction records as [| x records IH]; intros f k xs ws f' ws' zs hplan hpass hw hc hneeds;
    cbn [plan] in hplan.
  - injection hplan as <- <-. apply pass_none in hpass as ->. cbn [steps_fast length].
    rewrite Nat.add_0_r. unfold rev'. rewrite <- !rev_alt, rev_involutive, <- hc. now destruct f.
  - destruct (begin_duty (bare f) x) as [d |] eqn:ed; [| discriminate].
    destruct (plan _ _ records) as [[ws1 f1] |] eqn:ep in hplan; [| discriminate].
    injection hplan as <- <-.
    destruct (pass_first _ _ _ _ _ _ hpass) as (w' & ws2 & us & -> & hrun & hpass2).
    cbn [forallb] in hw. apply andb_prop in hw as (hw1 & hw2).
    apply run_waits in hrun; [| exact hw1]. rewrite <- hc in hrun.
    cbn [steps_fast].
    rewrite (run_is_step f x d w' _ (hneeds x (or_introl eq_refl)) ed hrun hw1).
    rewrite (IH _ (S k) us ws1 f1 ws2 zs).
    + cbn [length]. now rewrite Nat.add_succ_r.
    + now rewrite bare_after, Nat2N.inj_succ.
    + exact hpass2.
    + exact hw2.
    + rewrite columns_after. apply tl_skipn.
    + intros y hy. rewrite known_after. specialize (hneeds y (or_intror hy)). lia.
Qed.

Lemma needs_most : forall records x, In x records ->
  needs x <= fold_right (fun x q => N.max (needs x) q) 0 records.
Proof.
  induction records as [| y records IH]; [easy |]. intros x [-> | h]; cbn [fold_right]; [lia |].
  specialize (IH x h). lia.
Qed.

Theorem batch_is_steps : forall f records f', step_batch f records = Some f' ->
  exists q, steps_fast (extend f q) records = Some f'.
Proof.
  intros f records f' h. unfold step_batch in h. set (q := fold_right _ _ _) in h. exists q.
  cbv zeta in h. destruct (plan _ _ _) as [[ws f1] |] eqn:ep in h; [| discriminate].
  destruct (pass _ _ _) as [[ws' zs] |] eqn:ew in h; [| discriminate].
  destruct (forallb finished ws') eqn:e; [| discriminate]. injection h as <-.
  apply (pass_is_steps records (extend f q) 0 (columns (extend f q)) ws f1 ws' zs);
    try assumption; try reflexivity.
  intros x hx. pose proof (needs_most records x hx) as hm. fold q in hm.
  cbn [extend with_columns known]. lia.
Qed.

(** ** What it proves *)

(** [f] is what is below row r. *)
Definition IsBelow (r : nat) (f : fast) : Prop := exists b, Represents f b /\ KnownWell r b.

Lemma extend_below : forall r f q, IsBelow r f -> IsBelow r (extend f q).
Proof.
  intros r f q (b & hr & hw).
  exists (Below (height b) (diagonal b) (columns_to b q) (Checker.settled b) (tails b)).
  destruct (columns_to_are f b q hr) as (hc & hcount). split.
  - destruct hr as [h1 h2 h3 h4 h5 h6 h7 h8]. constructor; simpl; try assumption; lia.
  - destruct hw as [k0 k1 k2 k3]. destruct (columns_to_sound r b q k0) as (c1 & _ & c3).
    destruct k0 as [h1 h2 h3 h4 h5 h6]. constructor; simpl; try assumption.
    constructor; simpl; try assumption. lia.
Qed.

Lemma steps_sound : forall records r f f', IsBelow r f -> steps_fast f records = Some f' ->
  exists opened, map seal opened = records /\
    (forall i x, nth_error opened i = Some x -> TrueRecord (r + i) x) /\
    IsBelow (r + length records) f'.
Proof.
  induction records as [| x records IH]; intros r f f' hf h; cbn [steps_fast] in h.
  - injection h as <-. exists []. rewrite Nat.add_0_r. split; [reflexivity |]. split; [| exact hf].
    intros [| i] y hy; discriminate.
  - destruct (step_fast f x) as [f1 |] eqn:e; [| discriminate]. destruct hf as (b & hr & hw).
    destruct (step_fast_sound f b x f1 hr e) as (y & b1 & <- & hb & hr1).
    destruct (IH (S r) f1 f') as (opened & <- & htrue & hf');
      [exists b1; split; [exact hr1 | now apply (step_well r b y)] | exact h |].
    exists (y :: opened). split; [reflexivity |]. split.
    + intros [| i] z hz; simpl in hz.
      * injection hz as <-. rewrite Nat.add_0_r. apply (step_iff r b y hw). now exists b1.
      * rewrite Nat.add_succ_r. now apply htrue.
    + cbn [length]. now rewrite Nat.add_succ_r.
Qed.

Lemma check_batches_from_sound : forall batches r f, IsBelow r f ->
  check_batches_from f batches = true ->
  exists opened, map seal opened = concat batches /\
    forall i x, nth_error opened i = Some x -> TrueRecord (r + i) x.
Proof.
  induction batches as [| records batches IH]; intros r f hf h; cbn [check_batches_from] in h.
  - exists []. split; [reflexivity |]. intros [| i] y hy; discriminate.
  - destruct (step_batch f records) as [f' |] eqn:e; [| discriminate].
    destruct (batch_is_steps f records f' e) as (q & hs).
    destruct (steps_sound records r _ _ (extend_below r f q hf) hs) as (l & hl & htrue & hf').
    destruct (IH _ f' hf' h) as (l' & hl' & htrue').
    exists (l ++ l'). rewrite map_app, hl, hl'. split; [reflexivity |]. intros i x hi.
    destruct (Nat.lt_ge_cases i (length l)) as [hlt | hge].
    + apply htrue. now rewrite nth_error_app1 in hi.
    + rewrite nth_error_app2 in hi by exact hge. apply htrue' in hi.
      replace (r + i)%nat with (r + length records + (i - length l))%nat; [exact hi |].
      rewrite <- hl, map_length. lia.
Qed.

(** What is accepted in batches, the checker accepts. *)
Theorem check_batches_sound : forall batches,
  check_batches batches = true -> check_sealed (concat batches) = true.
Proof.
  intros batches h. apply check_sealed_iff.
  destruct (check_batches_from_sound batches 0 nothing) as (opened & hmap & htrue); [| exact h |].
  - exists none_below. split; [exact nothing_represents | exact nothing_below_well].
  - exists opened. split; [exact hmap |]. now apply check_iff.
Qed.
