(** * The fast checker: diagonal, new columns, certificates

The words of the diagonal, the columns that begin after all rows below have settled, and the
comparison of a state with that of a certificate represent what they should. *)

From Coq Require Import NArith List Bool ZArith Lia.
From Chomp Require Import Masks Checker Soundness Completeness Fingerprints FastChecker FastCells.
Import ListNotations.

Local Open Scope N_scope.

(** Linear arithmetic with the number 62. *)
Ltac lia_62 := unfold width in *; zify; Z.to_euclidean_division_equations; lia.

(** ** The diagonal *)

Lemma insert_word : forall l j i k n, N.testbit (word_of (insert l j i) k) n =
  N.testbit (word_of l k) n || ((k =? j) && (n =? i)).
Proof.
  intros l j i k n.
  assert (hset : forall w, N.testbit (N.setbit w i) n = N.testbit w n || (n =? i)).
  { intros w. rewrite N.setbit_eqb, orb_comm. f_equal. apply N.eqb_sym. }
  induction l as [| m w l IH].
  - cbn [insert word_of]. destruct (N.eqb_spec j k) as [<- | h].
    + rewrite N.eqb_refl, hset, N.bits_0. reflexivity.
    + destruct (N.eqb_spec k j); [lia |]. rewrite N.bits_0. reflexivity.
  - cbn [insert]. destruct (N.eqb_spec m j) as [-> | hm].
    + cbn [word_of]. destruct (N.eqb_spec j k) as [<- | h].
      * now rewrite N.eqb_refl, hset.
      * destruct (N.eqb_spec k j); [lia |]. now rewrite andb_false_l, orb_false_r.
    + destruct (m <? j).
      * cbn [word_of]. destruct (N.eqb_spec j k) as [<- | h].
        -- rewrite N.eqb_refl, hset. cbn [word_of]. reflexivity.
        -- destruct (N.eqb_spec k j); [lia |]. now rewrite andb_false_l, orb_false_r.
      * cbn [word_of]. destruct (N.eqb_spec m k) as [<- | h].
        -- destruct (N.eqb_spec m j); [lia |]. now rewrite andb_false_l, orb_false_r.
        -- apply IH.
Qed.

Lemma insert_bit : forall l n p,
  words_bit (insert l (n / width) (n mod width)) p = words_bit l p || (p =? n).
Proof.
  intros l n p. unfold words_bit. rewrite insert_word. f_equal.
  destruct (split_number n) as (hn & hlt). pose proof (same_place p (n / width) _ hlt) as h.
  rewrite <- hn in h. destruct (N.eqb_spec p n) as [e | e].
  - apply h in e as (-> & ->). now rewrite !N.eqb_refl.
  - destruct (N.eqb_spec (p / width) (n / width)), (N.eqb_spec (p mod width) (n mod width));
      try reflexivity. exfalso. apply e, h. now split.
Qed.

Fixpoint descends (l : words) : Prop :=
  match l with End => True | Word j _ l => past_first l <= j /\ descends l end.

Lemma insert_descends : forall l j i, descends l ->
  descends (insert l j i) /\ past_first (insert l j i) = N.max (past_first l) (N.succ j).
Proof.
  induction l as [| k w l IH]; intros j i h; cbn [insert]; [simpl; lia |].
  destruct h as (h & hl). destruct (N.eqb_spec k j) as [<- | hk]; [simpl; split; [easy | lia] |].
  destruct (N.ltb_spec k j) as [hj | hj].
  - cbn [descends past_first]. split; [repeat split; [lia | exact h | exact hl] | lia].
  - destruct (IH j i hl) as (h1 & h2). cbn [descends past_first]. rewrite h2.
    split; [split; [lia | exact h1] | lia].
Qed.

Lemma word_past_first : forall l j, descends l -> past_first l <= j -> word_of l j = 0.
Proof.
  induction l as [| k w l IH]; intros j hd h; [reflexivity |]. destruct hd as (hk & hd).
  cbn [past_first word_of] in *. destruct (N.eqb_spec k j); [lia |]. apply IH; [exact hd | lia].
Qed.

Lemma first_state_is : forall d r u, descends d ->
  (forall p, r <= p -> words_bit d p = N.testbit u (p - r)) -> IsState d r (first_state d) u.
Proof.
  intros d r u hd h. constructor; simpl; try easy; try lia.
  - intros p hp. rewrite <- h by exact hp. unfold state_bit. simpl.
    destruct (N.ltb_spec (p / width) (past_first d)) as [hj | hj]; [reflexivity |].
    unfold words_bit. rewrite word_past_first by assumption. now rewrite N.bits_0.
  - intros p hp. now rewrite h.
Qed.

(** ** New columns *)

Lemma split_count : forall k z, count (split k z) = 2 ^ N.of_nat k.
Proof.
  induction k as [| k IH]; intros z; [reflexivity |]. cbn [split].
  rewrite count_app, !IH, Nat2N.inj_succ, N.pow_succ_r by lia. lia.
Qed.

Lemma split_bit : forall k z i, i < width * 2 ^ N.of_nat k ->
  N.testbit (at_place (split k z) (i / width)) (i mod width) = N.testbit z i.
Proof.
  induction k as [| k IH]; intros z i h; cbn [split].
  - change (width * 2 ^ N.of_nat 0) with width in h.
    rewrite N.div_small, N.mod_small by exact h. simpl at_place.
    now rewrite N.land_spec, testbit_ones, andb_true_r.
  - set (n := 2 ^ N.of_nat k) in *. rewrite Nat2N.inj_succ, N.pow_succ_r in h by lia. fold n in h.
    destruct (N.lt_ge_cases i (width * n)) as [hi | hi].
    + rewrite at_place_app_1; [| rewrite split_count; now apply N.div_lt_upper_bound].
      rewrite IH by exact hi. rewrite N.land_spec, N.ones_spec_low by exact hi. apply andb_true_r.
    + assert (e : i = i - width * n + n * width) by lia.
      assert (hd : i / width = (i - width * n) / width + n).
      { rewrite e at 1. now apply N.div_add. }
      assert (hm : i mod width = (i - width * n) mod width).
      { rewrite e at 1. now apply N.mod_add. }
      rewrite hd, hm, at_place_app_2; rewrite split_count; fold n; [| apply N.le_add_l].
      rewrite N.add_sub.
      rewrite IH by lia. rewrite N.shiftr_spec by lia. f_equal. lia.
Qed.

Lemma at_place_past : forall l i, count l <= i -> at_place l i = 0.
Proof.
  intros l i h. rewrite at_place_nth. apply nth_overflow. rewrite count_length in h. lia.
Qed.

Lemma words_of_bit : forall z i,
  N.testbit (at_place (words_of z) (i / width)) (i mod width) = N.testbit z i.
Proof.
  intros z i. unfold words_of. set (k := N.to_nat (N.size (N.size z / width))).
  destruct (N.lt_ge_cases i (width * 2 ^ N.of_nat k)) as [h | h]; [now apply split_bit |].
  rewrite at_place_past.
  - rewrite N.bits_0. symmetry. destruct (N.eq_dec z 0) as [-> | hz]; [apply N.bits_0 |].
    apply N.bits_above_log2. pose proof (N.size_log2 z hz) as hs.
    pose proof (N.size_gt (N.size z / width)) as hg.
    unfold k in h. rewrite N2Nat.id in h. destruct (split_number (N.size z)) as (e & hlt).
    set (a := N.size z / width) in *. set (g := 2 ^ N.size a) in *. clearbody a g.
    lia_62.
  - rewrite split_count. apply N.div_le_lower_bound; [discriminate | exact h].
Qed.

Lemma without_zeros_is : forall l, exists n, l = repeat 0 n ++ without_zeros l.
Proof.
  induction l as [| w l (n & IH)]; [now exists 0%nat |]. cbn [without_zeros].
  destruct (N.eqb_spec w 0) as [-> | h].
  - exists (S n). simpl. now f_equal.
  - now exists 0%nat.
Qed.

Lemma without_zeros_at : forall l i, let m := without_zeros (rev l) in
  (if i <? count m then at_place m (count m - N.succ i) else 0) = at_place l i.
Proof.
  intros l i m. destruct (without_zeros_is (rev l)) as (n & h). fold m in h.
  assert (e : l = rev m ++ repeat 0 n).
  { rewrite <- (rev_involutive l), h, rev_app_distr. f_equal. clear.
    induction n as [| n IH]; [reflexivity |]. simpl. rewrite IH. clear.
    induction n as [| n IH]; [reflexivity |]. simpl. now rewrite IH. }
  rewrite e. destruct (N.ltb_spec i (count m)) as [hi | hi].
  - rewrite at_place_app_1 by (rewrite count_rev; exact hi). symmetry. now apply at_place_rev.
  - rewrite at_place_app_2 by (rewrite count_rev; exact hi). symmetry. apply at_place_repeat.
Qed.

Lemma new_column_is : forall d classes q c,
  (forall n, N.testbit (mask_of classes q) n = N.testbit c n) ->
  IsColumn d q (new_column classes q) c.
Proof.
  intros d classes q c h. unfold new_column.
  set (s := q mod width). set (z := N.lor (N.shiftl (mask_of classes q) s) (N.ones s)).
  unfold rev'. rewrite <- rev_alt.
  pose proof (without_zeros_at (words_of z)) as hz. cbv zeta in hz.
  set (m := without_zeros (rev (words_of z))) in *.
  set (x := Column _ _ _ _ _ _ _). destruct (split_number q) as (hq & hs). fold s in hq, hs.
  assert (hbit : forall p, q / width <= p / width ->
    column_bit x p = N.testbit z (p - width * (q / width))).
  { intros p hp. set (n := p - width * (q / width)).
    assert (hwp : width * (q / width) <= p).
    { destruct (split_number p) as (e & _). apply (N.mul_le_mono_l _ _ width) in hp. lia_62. }
    assert (e : p = n + q / width * width) by (unfold n; lia_62).
    assert (hd : p / width = n / width + q / width) by (rewrite e; now apply N.div_add).
    assert (hm : p mod width = n mod width) by (rewrite e; now apply N.mod_add).
    rewrite <- words_of_bit, <- hz. unfold column_bit, word, x. simpl. rewrite hd, hm.
    destruct (N.ltb_spec (n / width + q / width) (q / width)); [lia |].
    destruct (N.ltb_spec (n / width + q / width) (q / width + count m)),
      (N.ltb_spec (n / width) (count m)); try lia; try reflexivity.
    do 2 f_equal. lia. }
  constructor.
  - split; simpl; [| reflexivity]. change (count []) with 0. lia.
  - intros p hp. destruct (N.lt_ge_cases (p / width) (q / width)) as [hj | hj].
    + unfold column_bit, word, x. simpl. apply N.ltb_lt in hj. rewrite hj.
      apply testbit_ones, split_number.
    + rewrite hbit by exact hj. unfold z. rewrite N.lor_spec, N.ones_spec_low; [apply orb_true_r |].
      destruct (split_number p) as (e & _). apply (N.mul_le_mono_l _ _ width) in hj. lia_62.
  - intros p hp hj. simpl in hj. exfalso.
    apply (N.div_le_mono _ _ width) in hp; [lia | discriminate].
  - intros p hp hj. simpl in hj. rewrite hbit by exact hj. unfold z.
    rewrite N.lor_spec, N.ones_spec_high, orb_false_r by lia.
    rewrite N.shiftl_spec_high' by lia. rewrite h. f_equal. lia.
  - change (column_weight q =
      N.land (column_weight q) (N.ones 24) + 2 ^ 24 * N.shiftr (column_weight q) 24).
    generalize (column_weight q) as w. intros w. rewrite N.land_ones, N.shiftr_div_pow2.
    rewrite N.add_comm. apply N.div_mod. discriminate.
Qed.

(** ** Comparison with the state of a certificate *)

Lemma with_all_bit : forall l y x,
  N.testbit (with_all l y) x = N.testbit y x || existsb (N.eqb x) l.
Proof.
  induction l as [| b l IH]; intros y x; cbn [with_all fold_right existsb].
  - now rewrite orb_false_r.
  - fold (with_all l y). rewrite N.setbit_eqb, IH, (N.eqb_sym b x).
    destruct (x =? b), (N.testbit y x); reflexivity.
Qed.

Lemma in_numbers_from : forall n a x, a <= x < a + N.of_nat n -> In x (numbers_from a n).
Proof.
  induction n as [| n IH]; intros a x h; simpl; [lia |].
  destruct (N.eq_dec a x) as [| hne]; [now left | right]. apply IH. lia.
Qed.

Lemma filled_to_is : forall l q past, filled_to l q past = true ->
  forall p, q <= p < past -> in_partial l (p / width) (p mod width) = true.
Proof.
  induction l as [| j w l IH]; intros q past h p hp; [reflexivity |]. cbn [filled_to] in h.
  apply andb_prop in h as (h1 & h2). cbn [in_partial].
  destruct (N.eqb_spec j (p / width)) as [e | e]; [| now apply (IH q past)].
  destruct (split_number p) as (hn & hlt). rewrite <- e in hn.
  destruct (N.ltb_spec (width * j) past) as [hj |]; [| clear h1 h2; lia_62].
  rewrite forallb_forall in h1. specialize (h1 (p mod width)).
  assert (hin : In (p mod width) (numbers_from 0 62)).
  { apply in_numbers_from. change (0 + N.of_nat 62) with width.
    split; [apply N.le_0_l | exact hlt]. }
  apply h1 in hin. rewrite <- hn in hin.
  destruct (N.ltb_spec p q); [lia |]. destruct (N.leb_spec past p); [lia |].
  now rewrite !orb_false_r in hin.
Qed.

Lemma state_is_sound : forall d q s u c, IsState d q s u ->
  state_is s q (filled c) (above c) = true -> u = state_of c.
Proof.
  intros d q s u c hs h. unfold state_is in h.
  destruct (grow_down_to _ _ _) as [s' |] eqn:e in h; [| discriminate].
  destruct (grow_down_to_state _ _ d q s u s' hs e) as ([t1 t2 t3 t4 t5] & hb).
  rewrite !andb_true_iff in h. destruct h as (((h1 & h2) & h3) & h4).
  apply N.leb_le in h1. rewrite forallb_forall in h2, h4.
  apply N.bits_inj. intros x. unfold state_of. rewrite with_all_bit.
  replace (N.testbit u x) with (state_bit s' (q + x)) by (rewrite t1 by lia; f_equal; lia).
  set (p := q + x). destruct (split_number p) as (hn & hlt).
  assert (hpq : q / width <= p / width) by (apply N.div_le_mono; [discriminate | lia]).
  unfold state_bit. destruct (N.ltb_spec (p / width) (bottom s')); [lia |].
  destruct (N.ltb_spec (p / width) (roof s')) as [hr | hr].
  - destruct (N.lt_ge_cases x (filled c)) as [hx | hx].
    + rewrite N.ones_spec_low by exact hx. unfold is_blocked.
      apply (filled_to_is _ q (q + filled c)); [exact h3 | lia].
    + rewrite N.ones_spec_high by exact hx. specialize (h4 p). rewrite eqb_true_iff in h4.
      rewrite h4; [unfold p; replace (q + x - q) with x by lia; reflexivity |].
      apply in_numbers_from. rewrite N2Nat.id.
      assert (p < width * roof s') by lia_62. lia.
  - assert (hfar : width * roof s' <= p).
    { apply (N.mul_le_mono_l _ _ width) in hr. lia_62. }
    rewrite N.ones_spec_high by lia. simpl. symmetry. apply not_true_iff_false.
    rewrite existsb_exists. intros (y & hy & hxy). apply N.eqb_eq in hxy. subst y.
    specialize (h2 x hy). apply N.ltb_lt in h2. lia.
Qed.

(** ** Classes *)

Lemma add_to_class_bit : forall k a v l q n,
  N.testbit (mask_of (add_to_class k a v l) q) n =
  N.testbit (mask_of l q) n || ((q mod k =? a) && (n =? v)).
Proof.
  intros k a v l q n. unfold mask_of. induction l as [| c l IH]; cbn [add_to_class fold_right].
  - cbn [period residue mask]. rewrite N.bits_0. destruct (q mod k =? a); [| apply N.bits_0].
    rewrite N.lor_0_r, N.setbit_eqb, N.bits_0, orb_false_r. simpl. apply N.eqb_sym.
  - destruct (N.eqb_spec (period c) k) as [hk | hk]; simpl andb.
    + destruct (N.eqb_spec (residue c) a) as [ha | ha]; cbn [fold_right period residue mask];
        rewrite hk.
      * rewrite ha. destruct (q mod k =? a); [| now rewrite orb_false_r].
        rewrite !N.lor_spec, N.setbit_eqb, (N.eqb_sym v n).
        destruct (n =? v), (N.testbit (mask c) n); simpl; rewrite ?orb_true_r, ?orb_false_r;
          reflexivity.
      * destruct (q mod k =? residue c); [| exact IH]. now rewrite !N.lor_spec, IH, orb_assoc.
    + cbn [fold_right]. destruct (q mod period c =? residue c); [| exact IH].
      now rewrite !N.lor_spec, IH, orb_assoc.
Qed.

Lemma same_residue : forall k s e m, e < k -> m < k ->
  ((s + e) mod k =? (s + m) mod k) = (e =? m).
Proof.
  intros k s e m he hm. destruct (N.eqb_spec e m) as [-> | h]; [apply N.eqb_refl |].
  apply N.eqb_neq. intros h'. apply h.
  pose proof (N.div_mod (s + e) k ltac:(lia)) as h1.
  pose proof (N.div_mod (s + m) k ltac:(lia)) as h2. rewrite h' in h1.
  set (a := (s + e) / k) in *. set (b := (s + m) / k) in *. clearbody a b.
  destruct (N.lt_trichotomy a b) as [hab | [-> | hab]]; [exfalso; nia | lia | exfalso; nia].
Qed.

Lemma add_values_bit : forall k s e vs m l q n, e < k -> q mod k = (s + e) mod k ->
  m + count vs <= k ->
  N.testbit (mask_of (add_values k (s + m) vs l) q) n =
  N.testbit (mask_of l q) n || ((m <=? e) && (e <? m + count vs) && (n =? at_place vs (e - m))).
Proof.
  intros k s e vs. induction vs as [| v vs IH]; intros m l q n he hq hm.
  - cbn [add_values]. change (count []) with 0.
    destruct (N.leb_spec m e), (N.ltb_spec e (m + 0)); try lia; now rewrite orb_false_r.
  - rewrite count_cons in *. cbn [add_values].
    replace (N.succ (s + m)) with (s + N.succ m) by lia. rewrite IH by (assumption || lia).
    rewrite add_to_class_bit, hq, same_residue by lia. rewrite <- orb_assoc. f_equal.
    destruct (N.eqb_spec e m) as [-> | h].
    + destruct (N.leb_spec (N.succ m) m), (N.leb_spec m m), (N.ltb_spec m (m + N.succ (count vs)));
        try lia. rewrite N.sub_diag. simpl. now rewrite orb_false_r.
    + rewrite andb_false_l, orb_false_l.
      destruct (N.leb_spec (N.succ m) e), (N.leb_spec m e); try reflexivity; try lia.
      destruct (N.ltb_spec e (N.succ m + count vs)), (N.ltb_spec e (m + N.succ (count vs)));
        try reflexivity; try lia.
      rewrite at_place_cons by lia. do 3 f_equal. lia.
Qed.

Lemma add_row_bit : forall start vs l q n, vs <> [] -> start <= q ->
  N.testbit (mask_of (add_values (count vs) start vs l) q) n =
  N.testbit (mask_of l q) n || (n =? value (Tail start vs) q).
Proof.
  intros start vs l q n hvs hq. set (k := count vs).
  assert (hk : 0 < k) by (destruct vs; [easy | unfold k; rewrite count_cons; lia]).
  set (e := (q - start) mod k). assert (he : e < k) by (apply N.mod_lt; lia).
  assert (hres : q mod k = (start + e) mod k).
  { unfold e. rewrite N.add_mod_idemp_r by lia. f_equal. lia. }
  pose proof (add_values_bit k start e vs 0 l q n he hres) as h.
  rewrite N.add_0_r in h. rewrite h by (unfold k; lia). f_equal.
  rewrite N.add_0_l, N.sub_0_r. fold k.
  destruct (N.leb_spec 0 e), (N.ltb_spec e k); try lia. reflexivity.
Qed.
