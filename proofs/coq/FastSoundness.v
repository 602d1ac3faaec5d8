(** * The fast checker accepts only what the checker accepts

[step_fast_sound]: each step of [FastChecker.v] that succeeds is one of [Checker.v] that succeeds,
and what both keep of the rows below agrees ([Represents]). *)

From Coq Require Import NArith List Bool ZArith Lia.
From Chomp Require Import Masks Checker Soundness Completeness Fingerprints FastChecker.
From Chomp Require Import FastCells FastTables.
Import ListNotations.

Local Open Scope N_scope.

(** ** The rows below *)

Record Represents (f : fast) (b : below) : Prop := {
  rep_row : height b = next_row f;
  rep_diagonal : forall p, height b <= p ->
    words_bit (diagonal_words f) p = N.testbit (diagonal b) (p - height b);
  rep_descends : descends (diagonal_words f);
  rep_columns : AreColumns (diagonal_words f) (height b) (columns f) (Checker.columns b);
  rep_known : known f = height b + count (Checker.columns b);
  rep_settled : settled f = Checker.settled b;
  rep_far : Checker.settled b <= known f;
  rep_long : forall h w, modulus_within h w (long_tails f) = modulus_within h w (tails b);
  rep_classes : forall q, Checker.settled b <= q -> forall n,
    N.testbit (mask_of (classes f) q) n = N.testbit (column_of (tails b) q) n;
}.

Lemma nothing_represents : Represents nothing none_below.
Proof.
  constructor; try easy. intros p _.
  change (N.testbit (if 0 =? p / width then 1 else 0) (p mod width) = N.testbit 1 (p - 0)).
  rewrite N.sub_0_r.
  destruct (split_number p) as (hn & hlt). destruct (N.eqb_spec 0 (p / width)) as [e | e].
  - rewrite <- e in hn. rewrite N.mul_0_r, N.add_0_l in hn. f_equal. now symmetry.
  - rewrite N.bits_0. destruct p as [| p]; [now destruct e | reflexivity].
Qed.

Lemma is_column_more : forall d d' q x c,
  (forall p, words_bit d p = true -> words_bit d' p = true) ->
  IsColumn d q x c -> IsColumn d' q x c.
Proof.
  intros d d' q x c h [h1 h2 h3 h4 h5]. constructor; try assumption.
  intros p hp hj. destruct (h3 p hp hj) as [hc | hd]; [now left | right; now apply h].
Qed.

Lemma are_columns_more : forall d d' xs q cs,
  (forall p, words_bit d p = true -> words_bit d' p = true) ->
  AreColumns d q xs cs -> AreColumns d' q xs cs.
Proof.
  intros d d' xs. induction xs as [| x xs IH]; intros q [| c cs] h ha; simpl in *; try easy.
  destruct ha as (h1 & h2). split; [now apply (is_column_more d) | now apply IH].
Qed.

Lemma tabulate_cons : forall f q n,
  tabulate f q (N.succ n) = f q :: tabulate f (N.succ q) n.
Proof.
  intros f q n. rewrite !tabulate_map, N2Nat.inj_succ. cbn [seq map].
  rewrite N.add_0_r. f_equal. rewrite <- seq_shift, map_map. apply map_ext. intros i.
  f_equal. lia.
Qed.

Lemma tabulate_nil : forall f q, tabulate f q 0 = [].
Proof. reflexivity. Qed.

Lemma count_tabulate : forall f q n, count (tabulate f q n) = n.
Proof. intros f q n. rewrite count_length, tabulate_length. lia. Qed.

Lemma new_columns_are : forall d cl ts n q,
  (forall x, q <= x -> forall i, N.testbit (mask_of cl x) i = N.testbit (column_of ts x) i) ->
  AreColumns d q (map (new_column cl) (tabulate (fun q => q) q n)) (tabulate (column_of ts) q n).
Proof.
  intros d cl ts n. induction n as [| n IH] using N.peano_ind; intros q h; [exact I |].
  rewrite !tabulate_cons. cbn [map AreColumns]. split.
  - apply new_column_is. intros i. apply h. lia.
  - apply IH. intros x hx. apply h. lia.
Qed.

Lemma columns_to_are : forall f b q, Represents f b ->
  AreColumns (diagonal_words f) (height b) (fast_columns_to f q) (columns_to b q) /\
  count (columns_to b q) = N.max (known f) q - height b.
Proof.
  intros f b q [h1 h2 hd h3 h4 h5 h6 h7 h8]. unfold fast_columns_to, columns_to.
  rewrite <- h4. split.
  - destruct (N.leb_spec q (known f)) as [hq | hq].
    + replace (q - known f) with 0 by lia. rewrite tabulate_nil, app_nil_r. exact h3.
    + apply are_columns_app; [exact h3 |]. rewrite <- h4. apply new_columns_are.
      intros x hx. apply h8. lia.
  - rewrite count_app, count_tabulate. lia.
Qed.

Lemma begin_going : forall f b xs cs, Represents f b ->
  AreColumns (diagonal_words f) (height b) xs cs ->
  Going (diagonal_words f) (height b) (begin_row f xs) (diagonal b) [] [] cs.
Proof.
  intros f b xs cs [h1 h2 hd h3 h4 h5 h6 h7 h8] h. rewrite h1 in *. constructor; simpl.
  - lia.
  - now apply first_state_is.
  - exact I.
  - exact h.
  - reflexivity.
  - reflexivity.
  - reflexivity.
Qed.

Lemma walk_count : forall l u cs ps u' cs', walk u l cs = Some (ps, u', cs') ->
  count ps = count l /\ count cs = count l + count cs'.
Proof.
  induction l as [| b l IH]; intros u cs ps u' cs' h; simpl in h.
  - injection h as <- <- <-. now split.
  - destruct cs as [| c cs]; [discriminate |]. destruct (_ && _); [| discriminate].
    destruct (walk (next_state u b) l cs) as [[[ps1 u1] cs1] |] eqn:e; [| discriminate].
    injection h as <- <- <-. apply IH in e. rewrite !count_cons. lia.
Qed.

Lemma with_row_represents : forall f b first x xs cs past settles long cl more,
  Represents f b -> first = height b + x ->
  AreColumns (diagonal_words f) (height b) xs cs ->
  0 < count cs -> count cs = N.max (known f) past - height b -> settles <= past ->
  (forall h w, modulus_within h w long = modulus_within h w (more ++ tails b)) ->
  (forall q, N.max (Checker.settled b) settles <= q -> forall n,
    N.testbit (mask_of cl q) n = N.testbit (column_of (more ++ tails b) q) n) ->
  Represents (with_row_fast f first xs past settles long cl) (with_row b x cs settles more).
Proof.
  intros f b first x xs cs past settles long cl more [h1 h2 hd h3 h4 h5 h6 h7 h8] hx hc hn hm hs hl
    hcl.
  destruct cs as [| c cs]; [change (count []) with 0 in hn; lia |].
  destruct xs as [| y xs]; [easy |]. destruct hc as (_ & hc). rewrite count_cons in hm.
  constructor; cbn [with_row with_row_fast height next_row diagonal diagonal_words columns
    Checker.columns known settled Checker.settled long_tails tails classes tl].
  - now rewrite h1.
  - intros p hp. rewrite insert_bit, next_state_bit, h2 by lia.
    replace (N.succ (p - N.succ (height b))) with (p - height b) by lia. rewrite orb_comm. f_equal.
    destruct (N.eqb_spec p first), (N.eqb_spec x (p - height b)); try reflexivity; lia.
  - now apply insert_descends.
  - apply (are_columns_more (diagonal_words f)); [| exact hc]. intros p hp.
    rewrite insert_bit, hp. reflexivity.
  - lia.
  - now rewrite h5.
  - lia.
  - exact hl.
  - exact hcl.
Qed.

Lemma first_is_eq : forall b f first head, height b = next_row f ->
  first_is (outline f) first head = first_is b first head.
Proof. intros b f first head h. unfold first_is. simpl. now rewrite h. Qed.

Lemma first_is_offset : forall b first head, first_is b first head = true ->
  exists x l, head = x :: l /\ first = height b + x.
Proof.
  intros b first [| x l] h; [discriminate |]. exists x, l. split; [reflexivity |].
  now apply N.eqb_eq.
Qed.

Lemma going_columns : forall d r g u head ps cs, Going d r g u head ps cs ->
  AreColumns d r (rev_append (passed g) (rest g)) (ps ++ cs).
Proof.
  intros d r g u head ps cs [h1 h2 h3 h4 h5 h6 h7]. rewrite rev_append_rev.
  apply are_columns_app; [exact h3 |]. now rewrite <- h1.
Qed.

(** *** A finite row *)

Theorem fast_finite_sound : forall f b row first last sum f', Represents f b ->
  fast_finite f row first last sum = Some f' ->
  exists y b', seal y = SealedFinite row first last sum /\ step b y = Some b' /\
    Represents f' b'.
Proof.
  intros f b row first last sum f' hr h. unfold fast_finite in h.
  destruct (_ && _) eqn:e in h; [| discriminate]. apply andb_prop in e as (hrow & hle).
  apply N.eqb_eq in hrow. apply N.leb_le in hle.
  destruct (columns_to_are f b (N.succ last) hr) as (hc & hcount).
  pose proof (begin_going f b _ _ hr hc) as hg0. pose proof (rep_row f b hr) as hh.
  destruct (compute_fast _ _ _) as [g |] eqn:ec in h; [| discriminate].
  destruct (compute_fast_walk _ _ _ _ _ _ _ _ _ _ hg0 ec) as (l & ps & u & cs & hw & hl & hg).
  destruct (next_cell g) as [[x g1] |] eqn:en; [| discriminate].
  destruct (next_cell_going _ _ _ _ _ _ _ _ _ hg en) as (c & cs1 & -> & hmex & hg1).
  destruct (_ && _) eqn:e in h; [| discriminate]. injection h as <-.
  rewrite !andb_true_iff in e. destruct e as ((hzero & hfirst) & hsum).
  apply N.eqb_eq in hzero, hsum. subst x. simpl app in *.
  unfold rev' in hfirst. rewrite <- rev_alt, (going_offsets _ _ _ _ _ _ _ hg1) in hfirst.
  rewrite (first_is_eq b) in hfirst by exact hh.
  destruct (first_is_offset b first _ hfirst) as (x & l' & hx & hfx).
  destruct (walk_count _ _ _ _ _ _ hw) as (hc1 & hc2). rewrite count_cons in hc2.
  exists (FiniteRow row first last (l ++ [0])).
  exists (with_row b (first - row) (ps ++ N.setbit c 0 :: cs1) (N.succ last) []).
  split; [| split].
  - simpl. f_equal. rewrite <- hsum, (going_sum _ _ _ _ _ _ _ hg1). now rewrite hrow, <- hh.
  - simpl. unfold step_finite. rewrite hfirst, removelast_last, last_last, hw, <- hmex.
    rewrite <- hh in hrow. rewrite hrow at 1. rewrite N.eqb_refl.
    replace (N.succ last =? row + count (l ++ [0])) with true; [reflexivity |].
    symmetry. apply N.eqb_eq. rewrite count_app. change (count [0]) with 1. lia.
  - replace (first - row) with x by lia.
    pose proof (going_columns _ _ _ _ _ _ _ hg1) as hcs. rewrite <- app_assoc in hcs.
    apply with_row_represents; try assumption; try reflexivity.
    + rewrite count_app, count_cons. lia.
    + rewrite <- hcount, count_app, count_cons. lia.
    + apply (rep_long f b hr).
    + intros q hq. apply (rep_classes f b hr). lia.
Qed.

(** *** A periodic row *)

Lemma enter_are : forall d t xs q cs, AreColumns d q xs cs ->
  AreColumns d q (enter_fast t q xs) (enter (tabulate (value t) q (count cs)) cs).
Proof.
  intros d t xs. induction xs as [| x xs IH]; intros q [| c cs] h; try easy.
  destruct h as (h1 & h2). rewrite count_cons, tabulate_cons.
  cbn [enter_fast enter AreColumns]. split; [| now apply IH].
  apply block_column; [exact h1 | apply split_number |]. symmetry. apply split_number.
Qed.

Lemma count_enter : forall l cs, count (enter l cs) = count cs.
Proof.
  induction l as [| b l IH]; intros cs; [reflexivity |]. destruct cs as [| c cs]; [reflexivity |].
  cbn [enter]. rewrite !count_cons. f_equal. apply IH.
Qed.

Lemma structure_eq : forall b f row first start vs proof head, Represents f b ->
  structure_is_right (outline f) row first start vs proof head =
  structure_is_right b row first start vs proof head.
Proof.
  intros b f row first start vs proof head h. unfold structure_is_right.
  rewrite (first_is_eq b f first (head ++ vs) (rep_row f b h)).
  change (height (outline f)) with (next_row f).
  change (Checker.settled (outline f)) with (settled f).
  now rewrite (rep_settled f b h), (rep_row f b h).
Qed.

Lemma modulus_long : forall h w t ts, count (values t) = 1 ->
  modulus_within h w (t :: ts) = modulus_within h w ts.
Proof.
  intros h w t ts e. cbn [modulus_within fold_right]. rewrite e.
  destruct (existsb _ _); [apply N.lcm_1_l | reflexivity].
Qed.

Lemma column_of_cons : forall t ts q n,
  N.testbit (column_of (t :: ts) q) n = N.testbit (column_of ts q) n || (n =? value t q).
Proof.
  intros t ts q n. unfold column_of. cbn [map with_all fold_right].
  rewrite N.setbit_eqb, orb_comm. f_equal. apply N.eqb_sym.
Qed.

Theorem fast_periodic_sound : forall f b row first start vs proof sum f', Represents f b ->
  fast_periodic f row first start vs proof sum = Some f' ->
  exists y b', seal y = SealedPeriodic row first start vs proof sum /\ step b y = Some b' /\
    Represents f' b'.
Proof.
  intros f b row first start vs proof sum f' hr h. unfold fast_periodic in h.
  destruct (columns_to_are f b (recurs proof) hr) as (hc & hcount).
  pose proof (begin_going f b _ _ hr hc) as hg0. pose proof (rep_row f b hr) as hh.
  destruct (compute_fast _ _ _) as [g |] eqn:ec in h; [| discriminate].
  destruct (compute_fast_walk _ _ _ _ _ _ _ _ _ _ hg0 ec) as (l & ps & u & cs & hw & hl & hg).
  destruct (_ && _) eqn:e in h; [| discriminate]. apply andb_prop in e as (hsum & hstruct).
  apply N.eqb_eq in hsum. unfold rev' in hstruct.
  rewrite <- rev_alt, (going_offsets _ _ _ _ _ _ _ hg), (structure_eq b) in hstruct by exact hr.
  simpl app in *. rewrite (going_sum _ _ _ _ _ _ _ hg) in hsum.
  set (this := Tail start vs) in *.
  set (to_recurs := tabulate (value this) (from proof) (recurs proof - from proof)) in *.
  destruct (follow _ g) as [g1 |] eqn:e1 in h; [| discriminate].
  destruct (follow_walk _ _ _ _ _ _ _ _ _ hg e1) as (ps1 & u1 & cs1 & hw1 & hg1).
  destruct (state_is _ _ _ _) eqn:s1 in h; [| discriminate].
  destruct (follow _ g1) as [g2 |] eqn:e2 in h; [| discriminate].
  destruct (follow_walk _ _ _ _ _ _ _ _ _ hg1 e2) as (ps2 & u2 & cs2 & hw2 & hg2).
  destruct (_ && _) eqn:e in h; [| discriminate]. injection h as <-.
  apply andb_prop in e as (s2 & hmod). apply N.eqb_eq in hmod.
  pose proof hstruct as hs. unfold structure_is_right in hs. rewrite !andb_true_iff in hs.
  destruct hs as (((((((((((hrow & hfirst) & hstart) & hshort) & hne) & hlast) & hfrom) & hset)
    & hless) & hlcm) & _) & _).
  apply N.eqb_eq in hrow, hstart. apply N.leb_le in hfrom, hset. apply N.ltb_lt in hless.
  destruct (walk_count _ _ _ _ _ _ hw) as (c1 & c2).
  destruct (walk_count _ _ _ _ _ _ hw1) as (c3 & c4).
  destruct (walk_count _ _ _ _ _ _ hw2) as (c5 & c6). unfold to_recurs in c5, c6.
  rewrite count_tabulate in c3, c4, c5, c6.
  assert (at1 : at_column g1 = from proof).
  { rewrite (going_at _ _ _ _ _ _ _ hg1), count_app. lia. }
  assert (at2 : at_column g2 = recurs proof).
  { rewrite (going_at _ _ _ _ _ _ _ hg2), !count_app. lia. }
  pose proof (going_state _ _ _ _ _ _ _ hg1) as hstate1. rewrite at1 in hstate1.
  pose proof (going_state _ _ _ _ _ _ _ hg2) as hstate2. rewrite at2 in hstate2.
  pose proof (state_is_sound _ _ _ _ _ hstate1 s1) as hu1.
  pose proof (state_is_sound _ _ _ _ _ hstate2 s2) as hu2.
  assert (happ : forall l1 l2 v ds, walk v (l1 ++ l2) ds =
    match walk v l1 ds with
    | Some (p1, v1, d1) =>
        match walk v1 l2 d1 with
        | Some (p2, v2, d2) => Some (p1 ++ p2, v2, d2)
        | None => None
        end
    | None => None
    end).
  { clear. induction l1 as [| y l1 IH]; intros l2 v ds; cbn [app walk].
    - destruct (walk v l2 ds) as [[[? ?] ?] |]; reflexivity.
    - destruct ds as [| d ds]; [reflexivity |]. destruct (_ && _); [| reflexivity].
      rewrite IH. destruct (walk _ l1 ds) as [[[? ?] ?] |]; [| reflexivity].
      destruct (walk _ l2 _) as [[[? ?] ?] |]; reflexivity. }
  set (after := tabulate (value this) (recurs proof) (count cs2)).
  exists (PeriodicRow row first start vs proof l).
  exists (with_row b (first - row) ((ps ++ ps1) ++ ps2 ++ enter after cs2) start [this]).
  split; [| split].
  - simpl. f_equal. now rewrite <- hsum, hrow.
  - simpl. unfold step_periodic. rewrite hstruct. fold this. fold to_recurs.
    rewrite happ, hw, hw1, hu1, N.eqb_refl. rewrite hu1 in hw2. rewrite hw2, hu2, N.eqb_refl.
    rewrite <- (rep_long f b hr), <- hmod, N.eqb_refl. reflexivity.
  - destruct (first_is_offset b first _ hfirst) as (x & l' & hx & hfx).
    replace (first - row) with x by lia.
    pose proof (going_passed _ _ _ _ _ _ _ hg2) as hpassed.
    pose proof (going_rest _ _ _ _ _ _ _ hg2) as hrest. rewrite at2 in hrest.
    assert (hvs : vs <> []) by (now destruct vs).
    apply with_row_represents; try assumption.
    + rewrite rev_append_rev, app_assoc. apply are_columns_app; [exact hpassed |].
      rewrite <- (going_at _ _ _ _ _ _ _ hg2), at2. now apply enter_are.
    + rewrite !count_app. lia.
    + rewrite !count_app, count_enter, <- hcount. lia.
    + lia.
    + intros h w. destruct (N.eqb_spec (count vs) 1) as [e |].
      * cbn [app]. rewrite modulus_long by exact e. apply (rep_long f b hr).
      * cbn [app modulus_within fold_right].
        fold (modulus_within h w (long_tails f)). fold (modulus_within h w (tails b)).
        now rewrite (rep_long f b hr).
    + intros q hq n. cbn [app]. rewrite column_of_cons, add_row_bit by (exact hvs || lia).
      f_equal. apply (rep_classes f b hr). lia.
Qed.

(** ** A record *)

Theorem step_fast_sound : forall f b x f', Represents f b -> step_fast f x = Some f' ->
  exists y b', seal y = x /\ step b y = Some b' /\ Represents f' b'.
Proof.
  intros f b [row first last sum | row first start vs proof sum] f' hr h; simpl in h.
  - now apply (fast_finite_sound f).
  - now apply (fast_periodic_sound f).
Qed.
