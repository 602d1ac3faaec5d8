(** * The period of a row from the balls

Sections 1.3, 2.2 and 3 of [cascade.md]: rows with at most one hole. Such a row fills its hole with
one ball, or is constant. The number of balls, and how a shift permutes them, give its period. *)

From Coq Require Import Arith List Permutation ZArith Lia Bool.
From Chomp Require Import Counting Laws.
From Chomp Require Recurrence Byrnes Values.
Import ListNotations.

Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** ** Rows with at most one hole *)

(** 1.1 and 1.2: if no row below has an offset above the mean m, each column has one hole. If the
rows below block its depth, it sinks; if not, it is filled. *)
Theorem one_hole_in_each_column : forall P v C m, FarRow P v C m ->
  (forall q o, C q o -> (1 <= o <= m)%nat) ->
  (forall q, exists d, Hole v m q d /\ forall d', Hole v m q d' -> d' = d) /\
  (forall q d, Hole v m q d -> Depth C m q d -> v q = S m /\ Hole v m (q + 1) (S d)) /\
  (forall q d, Hole v m q d -> ~ Depth C m q d -> v q = (m - d)%nat /\ Hole v m (q + 1) 0).
Proof.
  intros P v C m row range. assert (hb : forall q, Below v m q).
  { destruct (bounded_or_constant P v C m m row range) as [h | (M & hM & hv)]; [exact h |].
    pose proof (constant_mean P v C m row M hv). lia. }
  split; [exact (one_hole P v C m m row hb eq_refl) |]. split; intros q d h hd.
  - apply (hole_sinks P v C m m row range hb eq_refl q d h), hd.
  - apply (hole_filled P v C m m row hb eq_refl q d h). intros hc. apply hd.
    split; [apply h | exact hc].
Qed.

(** 2.2 and 3.3, the letter A: one ball. *)
Theorem one_ball : forall P v C m e w N, FarRow P v C m -> Obeys P C m e w N ->
  BallsIn (V v m) w 1 /\ (forall x, V v m (next w x) = V v m x) /\
  (forall q, if V v m q then (v q + e q = m)%nat else v q = S m) /\
  Obeys P (C' v C) (S m) (e' v m e) (w' v m w) N.
Proof.
  intros P v C m e w N row below.
  destruct (row_above P v C m m e w N row below) as
    [(h & _) | (_ & closed & hV & g & hg & h1 & _ & h2 & h3 & ho)]; [lia |].
  assert (g = 1%nat) by (specialize (h2 ltac:(lia)); lia). subst g.
  split; [exact hg |]. split; [exact closed |]. split.
  - intros q. destruct (V v m q) eqn:ev; [apply h3; [lia | exact ev] | now apply hV].
  - now replace N with (N + 1 - 1)%nat by lia.
Qed.

Lemma obeys_ext : forall P C m e w e1 w1 N, (forall q, e q = e1 q) -> (forall x, w x = w1 x) ->
  Obeys P C m e w N -> Obeys P C m e1 w1 N.
Proof.
  intros P C m e w e1 w1 N he hw [[hP h1 h2 h3 h4] range l1 l1' l2 balls]. split.
  - split; [exact hP | | | |]; unfold fell, next in *.
    + intros q. now rewrite <- !he.
    + intros x. now rewrite <- !hw.
    + intros q. now rewrite <- he, <- hw.
    + intros x. now rewrite <- hw, <- he.
  - exact range.
  - intros q d. rewrite <- he. apply l1.
  - intros q. rewrite <- he. apply l1'.
  - intros x q d. unfold next in *. rewrite <- hw. apply l2.
  - intros q. generalize (balls q). apply counts_ext. intros j. unfold Last. now rewrite hw.
Qed.

(** 3.4, the letter s: no hole. *)
Theorem no_ball : forall P v C m e w N, FarRow P v C (S m) -> Obeys P C m e w N ->
  (forall q, v q = S m) /\
  Obeys P (C' v C) (S m) (fun q => S (e q)) (fun x => S (w (x + 1))) (N + 1).
Proof.
  intros P v C m e w N row below.
  destruct (row_above P v C m (S m) e w N row below) as
    [(h & _) | (_ & closed & hV & g & hg & h1 & _ & _ & _ & ho)]; [lia |].
  assert (g = 0%nat) by lia. subst g.
  assert (none : forall q, V v m q = false).
  { intros q. exact (no_balls _ w q (w_positive P e w (obeys_law _ _ _ _ _ _ below)) hg). }
  split; [intros q; apply hV, none |]. replace (N + 1)%nat with (N + 1 - 0)%nat by lia.
  revert ho. apply obeys_ext; intros x; [unfold e' | unfold w']; now rewrite none.
Qed.

(** 1.3: static obstacles. *)
Lemma static_law : forall P (C : Z -> nat -> Prop) m k, 0 < P ->
  (forall q o, C q o -> (1 <= o <= m)%nat) ->
  (forall q d, (d < k)%nat -> Depth C m q d) -> (forall q, ~ Depth C m q k) ->
  Obeys P C m (fun _ => k) (fun _ => S k) (S k).
Proof.
  intros P C m k hP range low free. split; try assumption.
  - split; try easy; intros; unfold fell, next; lia.
  - intros x q d hq hd. unfold next in hq. apply low. lia.
  - intros q. apply (counts_ext (fun j => 0 <= j < 0 + S k)%nat); [| apply counts_interval].
    intros j. unfold Last. lia.
Qed.

Theorem static_obstacles : forall P v C m k, FarRow P v C m ->
  (forall q o, C q o -> (1 <= o <= m)%nat) ->
  (forall q d, (d < k)%nat -> Depth C m q d) -> (forall q, ~ Depth C m q k) ->
  (k <= m)%nat /\ exists a, forall q, v q = if (q - a) mod (k + 1) =? 0 then (m - k)%nat else S m.
Proof.
  intros P v C m k row range low free.
  pose proof (static_law P C m k (row_period _ _ _ _ row) range low free) as ho.
  destruct (one_ball P v C m _ _ _ row ho) as (hg & closed & hv & _).
  pose proof (e_at_most P C m range _ _ _ ho 0) as hkm. split; [exact hkm |].
  assert (shift : forall n q, V v m (q + n * (k + 1)) = V v m q).
  { apply period_multiple. intros q. rewrite <- (closed q). unfold next. f_equal. lia. }
  destruct (hg 0) as (l & (_ & hl) & len). destruct l as [| j l]; [discriminate |].
  destruct (proj1 (hl j)) as (_ & ha); [now left |]. exists (0 - j). intros q.
  pose proof (Z.mod_pos_bound (q - (0 - j)) (k + 1) ltac:(lia)) as hb.
  pose proof (Z.div_mod (q - (0 - j)) (k + 1) ltac:(lia)) as hd.
  set (i := (q - (0 - j)) mod (k + 1)) in *. set (n := (q - (0 - j)) / (k + 1)) in *.
  assert (hi : V v m (q - i) = true).
  { replace (q - i) with (0 - j + n * (k + 1)) by lia. now rewrite shift. }
  specialize (hv q). destruct (Z.eqb_spec i 0) as [h0 | h0].
  - rewrite h0, Z.sub_0_r in hi. rewrite hi in hv. lia.
  - destruct (V v m q) eqn:ev; [| exact hv]. exfalso.
    destruct (hg q) as (l' & (_ & hl') & len').
    assert (h1 : In O l').
    { apply hl'. unfold Last. replace (q - 0%nat) with q by lia. split; [lia | exact ev]. }
    assert (h2 : In (Z.to_nat i) l').
    { apply hl'. unfold Last. replace (q - Z.to_nat i) with (q - i) by lia.
      split; [lia | exact hi]. }
    destruct l' as [| a [| b l']]; try discriminate.
    destruct h1 as [-> | []]. destruct h2 as [h2 | []]. lia.
Qed.

(** ** 3.1. The number of balls *)

Section Mean.

Variables (P : Z) (e w : Z -> nat) (N : nat).
Hypothesis law : Law P e w.
Hypothesis balls : Balls w N.

(** From one column to the next, the last columns are one further away, except that of the ball that
falls. *)
Lemma ages_sum : forall q l l', Lists (Last w q) l -> Lists (Last w (q + 1)) l' ->
  (Values.sum l' + e (q + 1)%Z + 1 = Values.sum l + length l)%nat.
Proof.
  intros q l l' (hd & hl) (hd' & hl').
  pose proof (w_fell P e w law (q + 1)) as hf. pose proof (law_fell P e w law (q + 1)) as hn.
  assert (same : Permutation (O :: map S l) (S (e (q + 1)) :: l')).
  { apply NoDup_Permutation.
    - constructor; [rewrite in_map_iff; intros (j & h & _); lia |].
      apply FinFun.Injective_map_NoDup; [| exact hd]. intros i j. lia.
    - constructor; [| exact hd']. rewrite hl'. unfold Last.
      replace (q + 1 - S (e (q + 1))) with (fell e (q + 1)) by (unfold fell; lia). lia.
    - intros j. simpl. rewrite in_map_iff, hl'. split.
      + intros [<- | (i & <- & hi)].
        * right. unfold Last. pose proof (w_positive P e w law (q + 1 - 0%nat)). lia.
        * apply hl in hi. unfold Last in *. replace (q + 1 - S i) with (q - i) by lia.
          destruct (Z.eq_dec (S i) (w (q - i))) as [h | h]; [| right; lia]. left.
          pose proof (e_next P e w law (q - i)) as he.
          replace (next w (q - i)) with (q + 1) in he by (unfold next; lia). lia.
      + intros [<- | h].
        * right. exists (e (q + 1)). split; [reflexivity |]. apply hl. unfold Last.
          replace (q - e (q + 1)) with (fell e (q + 1)) by (unfold fell; lia). lia.
        * destruct j as [| i]; [now left |]. right. exists i. split; [reflexivity |]. apply hl.
          unfold Last in *. replace (q + 1 - S i) with (q - i) in h by lia. lia. }
  apply Values.sum_permutation in same. simpl in same.
  assert (each : forall l, (Values.sum (map S l) = Values.sum l + length l)%nat).
  { induction l0 as [| j l0 IH]; simpl; lia. }
  rewrite each in same. lia.
Qed.

(** N is one more than the mean of e. *)
Theorem number_of_balls : forall q,
  (Values.sum (map (fun i => e (q + Z.of_nat i)%Z) (seq 1 (Z.to_nat P))) + Z.to_nat P =
    Z.to_nat P * N)%nat.
Proof.
  intros q. assert (sums : forall n : nat, exists l l', Lists (Last w q) l /\
    Lists (Last w (q + n)) l' /\
    (Values.sum l' + Values.sum (map (fun i => e (q + Z.of_nat i)%Z) (seq 1 n)) + n =
      Values.sum l + n * N)%nat).
  { induction n as [| n (l & l' & hl & hl' & h)].
    - destruct (balls q) as (l & hl & _). exists l, l. split; [exact hl |].
      replace (q + 0%nat) with q by lia. split; [exact hl |]. simpl. lia.
    - destruct (balls (q + n + 1)) as (l2 & h2 & _). exists l, l2. split; [exact hl |].
      replace (q + S n) with (q + n + 1) by lia. split; [exact h2 |].
      pose proof (ages_sum (q + n) l' l2 hl' h2) as step.
      assert (len : length l' = N).
      { apply (counts_unique (Last w (q + n))); [now exists l' | apply balls]. }
      rewrite seq_S, map_app.
      assert (app : forall a b, (Values.sum (a ++ b) = Values.sum a + Values.sum b)%nat).
      { induction a as [| y a IHa]; intros b; simpl; [lia |]. rewrite IHa. lia. }
      rewrite app. unfold Values.sum at 3. cbn [map fold_right].
      replace (q + (1 + n)%nat) with (q + n + 1) by lia. lia. }
  destruct (sums (Z.to_nat P)) as (l & l' & hl & hl' & h).
  pose proof (law_period P e w law).
  assert (same : Values.sum l' = Values.sum l); [| lia].
  apply Values.sum_permutation, (lists_permutation (Last w q)); [| exact hl].
  revert hl'. apply lists_ext. intros j. unfold Last.
  replace (q + Z.to_nat P - j) with (q - j + P) by lia. now rewrite (law_w P e w law).
Qed.

End Mean.

(** ** 3.2. Cycles and periods *)

Section Cycle.

(** [V] is one ball, and the shift by n periods takes it to itself. *)
Variables (P : Z) (e w : Z -> nat) (N n : nat) (V : Z -> bool).
Hypothesis law : Law P e w.
Hypothesis balls : Balls w N.
Hypothesis one : BallsIn V w 1.
Hypothesis closed : forall x, V (next w x) = V x.
Hypothesis n_positive : (0 < n)%nat.
Hypothesis V_repeats : forall q, V (q + n * P) = V q.

Let P_positive : 0 < P := law_period P e w law.

Let w_shift : forall i q, w (q + i * P) = w q := period_multiple _ w P (law_w P e w law).

Lemma last_unique : forall i q j j', Last w q j -> Last w q j' ->
  V (q - j + i * P) = true -> V (q - j' + i * P) = true -> j = j'.
Proof.
  intros i q j j' h h' hv hv'. destruct (one (q + i * P)) as (l & (_ & hl) & len).
  assert (hin : forall k, Last w q k -> V (q - k + i * P) = true -> In k l).
  { intros k hk hvk. apply hl. unfold Last in *.
    replace (q + i * P - k) with (q - k + i * P) by lia. now rewrite w_shift. }
  pose proof (hin j h hv) as h1. pose proof (hin j' h' hv') as h2.
  destruct l as [| a [| b l]]; try discriminate.
  destruct h1 as [<- | []]. now destruct h2 as [| []].
Qed.

Lemma last_exists : forall i q, exists j, Last w q j /\ V (q - j + i * P) = true.
Proof.
  intros i q. destruct (one (q + i * P)) as (l & (_ & hl) & len).
  destruct l as [| j l]; [discriminate |]. destruct (proj1 (hl j)) as (h & hv); [now left |].
  exists j. unfold Last in *. replace (q + i * P - j) with (q - j + i * P) in * by lia.
  now rewrite w_shift in h.
Qed.

(** Two shifts of the ball that have a column in common are the same. *)
Lemma same_shift : forall i k x, V (x + i * P) = true -> V (x + k * P) = true ->
  forall q, V (q + i * P) = true -> V (q + k * P) = true.
Proof.
  intros i k x hi hk q hq.
  assert (next_i : forall i y, V (next w y + i * P) = V (y + i * P)).
  { intros i0 y. rewrite <- (next_shift P e w law), closed. reflexivity. }
  assert (at_0 : forall y, Last w y 0).
  { intros y. unfold Last. pose proof (w_positive P e w law (y - 0%nat)). lia. }
  assert (all : forall q j, Last w q j -> V (q - j + i * P) = true -> V (q - j + k * P) = true).
  { intros q0. apply (everywhere (n * P) (fun q => forall j, Last w q j ->
      V (q - j + i * P) = true -> V (q - j + k * P) = true)) with (q := x); [nia | | |].
    - intros y hy j hj hv. destruct j as [| j].
      + replace (y + 1 - 0%nat) with (next w (fell e (y + 1))) in *
          by (rewrite (law_fell P e w law); lia).
        rewrite next_i in *. replace (fell e (y + 1)) with (y - e (y + 1)) in *
          by (unfold fell; lia).
        apply hy; [| exact hv]. unfold Last. pose proof (w_fell P e w law (y + 1)) as hw.
        replace (fell e (y + 1)) with (y - e (y + 1)) in hw by (unfold fell; lia). lia.
      + unfold Last in *. replace (y + 1 - S j) with (y - j) in * by lia.
        apply hy; [lia | exact hv].
    - intros y hy j hj hv. unfold Last in *.
      specialize (hy j). replace (y + n * P - j + i * P) with (y - j + i * P + n * P) in hy by lia.
      replace (y + n * P - j + k * P) with (y - j + k * P + n * P) in hy by lia.
      rewrite !V_repeats in hy. replace (y + n * P - j) with (y - j + n * P) in hy by lia.
      rewrite w_shift in hy. now apply hy.
    - intros j hj hv. replace j with O.
      + now replace (x - 0%nat + k * P) with (x + k * P) by lia.
      + apply (last_unique i x); try assumption; [apply at_0 |].
        now replace (x - 0%nat + i * P) with (x + i * P) by lia. }
  specialize (all q O (at_0 q)). replace (q - 0%nat) with q in all by lia. now apply all.
Qed.

(** The length c of the cycle that contains the ball: the shift by k periods takes the ball to
itself if and only if c divides k. It is at most N; and N if every ball is a shift of this one. *)
Theorem cycle_length : exists c, (1 <= c <= N)%nat /\
  (forall k, (forall q, V (q + k * P) = V q) <-> (Z.of_nat c | k)) /\
  ((forall q, exists i, V (q + i * P) = true) -> c = N).
Proof.
  destruct (last_exists 0 0) as (j0 & _ & h0). set (x := 0 - j0) in *.
  replace (x + 0 * P) with x in h0 by lia.
  assert (shift : forall k, V (x + k * P) = true -> forall q, V (q + k * P) = V q).
  { assert (half : forall i k, V (x + i * P) = true -> V (x + k * P) = true ->
      forall q, V (q + i * P) = true -> V (q + k * P) = true).
    { intros i k hi hk. exact (same_shift i k x hi hk). }
    intros k hk q. apply eq_true_iff_eq. split; intros h.
    - replace q with (q + 0 * P) by lia. apply (half k 0); try assumption.
      now replace (x + 0 * P) with x by lia.
    - apply (half 0 k); try assumption; [now replace (x + 0 * P) with x by lia |].
      now replace (q + 0 * P) with q by lia. }
  destruct (Recurrence.least_exists (fun k => (0 < k)%nat /\ V (x + k * P) = true)) with (n := n)
    as (c & hcn & (hc & hxc) & least).
  { intros k. apply Recurrence.and_dec; [apply lt_dec | apply bool_true_dec]. }
  { split; [exact n_positive | now rewrite V_repeats]. }
  assert (cP : forall k q, V (q + k * (c * P)) = V q) by (apply period_multiple, shift, hxc).
  assert (rest : forall k, V (x + k * P) = true -> (Z.of_nat c | k)).
  { intros k hk. apply Z.mod_divide; [lia |].
    pose proof (Z.mod_pos_bound k c ltac:(lia)) as hb. pose proof (Z.div_mod k c ltac:(lia)) as hd.
    destruct (Z.eq_dec (k mod c) 0) as [| hne]; [assumption |].
    destruct (least (Z.to_nat (k mod c))); [lia |]. split; [lia |].
    rewrite <- (cP (k / c)). replace (x + Z.to_nat (k mod c) * P + k / c * (c * P))
      with (x + k * P) by nia. exact hk. }
  assert (injective : forall i i' j, (i < c)%nat -> (i' < c)%nat ->
    V (0 - j + i * P) = true -> V (0 - j + i' * P) = true -> i = i').
  { assert (half : forall i i' j, (i <= i' < c)%nat ->
      V (0 - j + i * P) = true -> V (0 - j + i' * P) = true -> i = i').
    { intros i i' j hi h h'. destruct (Nat.eq_dec i i') as [| hne]; [assumption |]. exfalso.
      assert (hd : (Z.of_nat c | i' - i)).
      { apply rest. replace (x + (i' - i) * P) with (x - i * P + i' * P) by lia.
        apply (same_shift i i' (0 - j) h h').
        now replace (x - i * P + i * P) with x by lia. }
      apply Z.divide_pos_le in hd; lia. }
    intros i i' j hi hi' h h'. destruct (le_lt_dec i i').
    - apply (half i i' j); (lia || assumption).
    - symmetry. apply (half i' i j); (lia || assumption). }
  exists c. split; [| split].
  - split; [lia |].
    apply (counts_le (fun i => 0 <= i < 0 + c)%nat (Last w 0)
      (fun i j => V (0 - Z.of_nat j + Z.of_nat i * P) = true));
      [| | apply counts_interval | apply balls].
    + intros i _. apply last_exists.
    + intros i i' j hi hi'. apply injective; lia.
  - intros k. split.
    + intros h. apply rest. now rewrite h.
    + intros (i & ->) q. replace (i * c * P) with (i * (c * P)) by lia. apply cP.
  - intros every. apply (counts_unique (Last w 0)); [| apply balls].
    apply (counts_image (fun i => 0 <= i < 0 + c)%nat _
      (fun i j => Last w 0 j /\ V (0 - Z.of_nat j + Z.of_nat i * P) = true)).
    + intros i _. destruct (last_exists i 0) as (j & hj). exists j. now split.
    + intros i i' j hi hi' (_ & h) (_ & h'). apply (injective i i' j); (lia || assumption).
    + intros i j j' _ (h & hv) (h' & hv'). now apply (last_unique i 0).
    + intros j hj. destruct (every (0 - j)) as (k & hk).
      pose proof (Z.mod_pos_bound k c ltac:(lia)) as hb.
      pose proof (Z.div_mod k c ltac:(lia)) as hd.
      exists (Z.to_nat (k mod c)). split; [lia |]. split; [exact hj |].
      rewrite <- (cP (k / c)). replace (0 - j + Z.to_nat (k mod c) * P + k / c * (c * P))
        with (0 - j + k * P) by nia. exact hk.
    + apply counts_interval.
Qed.

(** The periods of a row that fills its hole with this ball. *)
Theorem pattern_periods : forall (v : Z -> nat) (m : nat),
  (forall q, if V q then (v q + e q = m)%nat else v q = S m) ->
  exists c, (1 <= c <= N)%nat /\ (forall q, v (q + c * P) = v q) /\
    ((forall q, exists i, V (q + i * P) = true) ->
      (forall p, (forall q, e (q + p) = e q) -> (P | p)) ->
      c = N /\ forall p, (forall q, v (q + p) = v q) -> (c * P | p)).
Proof.
  intros v m hv. destruct cycle_length as (c & hc & hd & hN). exists c. split; [exact hc |].
  assert (e_shift : forall i q, e (q + i * P) = e q)
    by exact (period_multiple _ e P (law_e P e w law)).
  assert (cP : forall q, V (q + c * P) = V q) by (apply hd, Z.divide_refl).
  split.
  - intros q. pose proof (hv q) as h1. pose proof (hv (q + c * P)) as h2.
    rewrite cP, e_shift in h2. destruct (V q); lia.
  - intros every least. split; [now apply hN |]. intros p hp.
    assert (hV : forall q, V (q + p) = V q).
    { intros q. pose proof (hv q) as h1. pose proof (hv (q + p)) as h2. rewrite hp in h2.
      destruct (V q), (V (q + p)); (reflexivity || lia). }
    destruct (least p) as (k & ->).
    + intros q. destruct (every q) as (i & hi).
      rewrite <- (e_shift i (q + p)), <- (e_shift i q).
      replace (q + p + i * P) with (q + i * P + p) by lia.
      pose proof (hv (q + i * P)) as h1. pose proof (hv (q + i * P + p)) as h2.
      rewrite hp, hV in h2. rewrite hi in h1, h2. lia.
    + apply hd in hV. destruct hV as (j & ->). exists j. lia.
Qed.

End Cycle.

(** ** 3.5. Exchanges *)

(** X(q) is the number, less than N, of the ball that falls in column q. If there are N balls, each
number occurs ([numbers_all]). For the letter s no ball has the number 0, and there are N - 1. *)
Record Numbers (w : Z -> nat) (N : nat) (X : Z -> nat) : Prop := {
  numbers_next : forall x, X (next w x) = X x;
  numbers_range : forall q, (X q < N)%nat;
  numbers_unique : forall q j j', Last w q j -> Last w q j' -> X (q - j) = X (q - j') -> j = j'
}.

Lemma numbers_all : forall w N X, Balls w N -> Numbers w N X ->
  forall q i, (i < N)%nat -> exists j, Last w q j /\ X (q - Z.of_nat j) = i.
Proof.
  intros w N X balls [_ range unique] q i hi.
  apply (counts_onto (Last w q) (fun i => 0 <= i < 0 + N)%nat
    (fun j i => X (q - Z.of_nat j) = i) N).
  - intros j _. exists (X (q - j)). split; [specialize (range (q - j)); lia | reflexivity].
  - intros j j' y hj hj' <- h. apply (unique q j j' hj hj'). now symmetry.
  - apply balls.
  - apply counts_interval.
  - lia.
Qed.

(** The exchange of 0 and x. *)
Definition exchange (x i : nat) : nat :=
  if (i =? 0)%nat then x else if (i =? x)%nat then O else i.

Lemma exchange_0 : forall x, exchange x 0 = x.
Proof. reflexivity. Qed.

Lemma exchange_self : forall x, exchange x x = O.
Proof.
  intros x. unfold exchange. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec x 0); [assumption | easy].
Qed.

Lemma exchange_other : forall x i, i <> O -> i <> x -> exchange x i = i.
Proof.
  intros x i h h'. unfold exchange.
  destruct (Nat.eqb_spec i 0); [contradiction |]. now destruct (Nat.eqb_spec i x).
Qed.

Lemma exchange_twice : forall x i, exchange x (exchange x i) = i.
Proof.
  intros x i. destruct (Nat.eq_dec i 0) as [-> |]; [apply exchange_self |].
  destruct (Nat.eq_dec i x) as [-> |]; [now rewrite exchange_self |].
  now rewrite !(exchange_other x i).
Qed.

Lemma exchange_range : forall x i N, (x < N)%nat -> (i < N)%nat -> (exchange x i < N)%nat.
Proof.
  intros x i N hx hi. unfold exchange. destruct (i =? 0)%nat; [exact hx |].
  destruct (i =? x)%nat; lia.
Qed.

Section Exchanges.

(** The row takes out the ball with the number 0, if there is one. *)
Variables (P : Z) (e w v X : Z -> nat) (m N : nat) (sigma : Z -> nat -> nat).
Hypothesis law : Law P e w.
Hypothesis numbers : Numbers w N X.
Hypothesis ball_0 : forall q, V v m q = (X q =? 0)%nat.
Hypothesis step : forall q i, (i < N)%nat -> sigma q i = sigma (q - 1) (exchange (X q) i).
Hypothesis sigma_range : forall q i, (i < N)%nat -> (sigma q i < N)%nat.
Hypothesis sigma_injective : forall q i i', (i < N)%nat -> (i' < N)%nat ->
  sigma q i = sigma q i' -> i = i'.

Lemma others_between : forall p t, p < t < next w p -> X t <> X p.
Proof.
  intros p t ht h. assert (e0 : O = Z.to_nat (t - p)); [| lia].
  apply (numbers_unique w N X numbers t); unfold Last.
  - pose proof (w_positive P e w law (t - 0%nat)). lia.
  - replace (t - Z.to_nat (t - p)) with p by lia. unfold next in ht. lia.
  - replace (t - 0%nat) with t by lia. now replace (t - Z.to_nat (t - p)) with p by lia.
Qed.

(** Until the ball that falls in column p falls again, its number stands for the ball of the next
law that falls in column p - 1. *)
Lemma sigma_since : forall (n : nat) p, X p <> O -> p + n < next w p ->
  sigma (p + n) (X p) = sigma (p - 1) 0.
Proof.
  intros n p hp. pose proof (numbers_range w N X numbers) as range.
  induction n as [| n IH]; intros h.
  - replace (p + 0%nat) with p by lia. rewrite step by apply range. now rewrite exchange_self.
  - rewrite step by apply range. rewrite exchange_other; [| exact hp |].
    + replace (p + S n - 1) with (p + n) by lia. apply IH. lia.
    + intros h'. apply (others_between p (p + S n)); [lia | now symmetry].
Qed.

Theorem exchanges_number : Numbers (w' v m w) N (fun q => sigma q 0).
Proof.
  pose proof (numbers_range w N X numbers) as range.
  assert (hN : (0 < N)%nat) by (specialize (range 0); lia).
  split.
  - intros x. unfold next at 1, w'. rewrite ball_0.
    destruct (Nat.eqb_spec (X (x + 1)) 0) as [h | h].
    + replace (x + 1%nat) with (x + 1) by lia. rewrite step, h, exchange_0 by exact hN.
      now replace (x + 1 - 1) with x by lia.
    + replace (x + S (w (x + 1))) with (next w (x + 1)) by (unfold next; lia).
      rewrite step by exact hN. rewrite exchange_0, (numbers_next w N X numbers).
      pose proof (w_positive P e w law (x + 1)) as hw.
      replace (next w (x + 1) - 1) with (x + 1 + (w (x + 1) - 1)%nat) by (unfold next; lia).
      rewrite sigma_since; [f_equal; lia | exact h | unfold next; lia].
  - intros q. now apply sigma_range.
  - intros q.
    assert (index : forall j, Last (w' v m w) q j -> exists i, (i < N)%nat /\
      sigma (q - j) 0 = sigma q i /\
      ((j = O /\ i = O) \/ exists k, j = S k /\ Last w q k /\ i = X (q - k) /\ i <> O)).
    { intros j hj. destruct j as [| k].
      - exists O. split; [exact hN |]. split; [f_equal; lia | now left].
      - unfold Last, w' in hj. replace (q - S k + 1) with (q - k) in hj by lia.
        rewrite ball_0 in hj. destruct (Nat.eqb_spec (X (q - k)) 0) as [h | h]; [lia |].
        exists (X (q - k)). split; [apply range |]. split.
        + replace (sigma q) with (sigma (q - k + k)) by (f_equal; lia).
          rewrite sigma_since; [f_equal; lia | exact h | unfold next; lia].
        + right. exists k. split; [reflexivity |]. split; [unfold Last; lia |].
          split; [reflexivity | exact h]. }
    intros j j' hj hj' h. destruct (index j hj) as (i & hi & e1 & h1).
    destruct (index j' hj') as (i' & hi' & e2 & h2). rewrite e1, e2 in h.
    apply (sigma_injective q i i' hi hi') in h. subst i'.
    destruct h1 as [(-> & ->) | (k & -> & hk & ek & hne)],
      h2 as [(-> & h2) | (k' & -> & hk' & ek' & hne')]; try congruence; try easy.
    f_equal. apply (numbers_unique w N X numbers q); try assumption. congruence.
Qed.

(** If X has the period [period], the shift by it permutes the balls of the next law as the numbers
are permuted by gamma. *)
Theorem exchanges_shift : forall (period : nat) (gamma : nat -> nat) q0,
  (forall q, X (q + period) = X q) ->
  (forall i, (i < N)%nat -> sigma (q0 + period) i = gamma (sigma q0 i)) ->
  forall q i, (i < N)%nat -> sigma (q + period) i = gamma (sigma q i).
Proof.
  intros period gamma q0 hX h0. pose proof (numbers_range w N X numbers) as range.
  assert (up : forall n : nat, forall i, (i < N)%nat ->
    sigma (q0 + n + period) i = gamma (sigma (q0 + n) i)).
  { induction n as [| n IH]; intros i hi; [replace (q0 + 0%nat) with q0 by lia; now apply h0 |].
    rewrite step, (step (q0 + S n)) by exact hi.
    replace (q0 + S n + period - 1) with (q0 + n + period) by lia.
    replace (q0 + S n - 1) with (q0 + n) by lia. rewrite hX. apply IH. now apply exchange_range. }
  assert (down : forall n : nat, forall i, (i < N)%nat ->
    sigma (q0 - n + period) i = gamma (sigma (q0 - n) i)).
  { induction n as [| n IH]; intros i hi; [replace (q0 - 0%nat) with q0 by lia; now apply h0 |].
    set (x := X (q0 - n)). assert (hx : (exchange x i < N)%nat).
    { apply exchange_range; [apply range | exact hi]. }
    pose proof (step (q0 - n + period) _ hx) as h1. pose proof (step (q0 - n) _ hx) as h2.
    rewrite hX in h1. fold x in h1, h2. rewrite exchange_twice in h1, h2.
    replace (q0 - n + period - 1) with (q0 - S n + period) in h1 by lia.
    replace (q0 - n - 1) with (q0 - S n) in h2 by lia. rewrite <- h1, <- h2. now apply IH. }
  intros q. destruct (Z_le_gt_dec q0 q).
  - replace q with (q0 + Z.to_nat (q - q0)) by lia. apply up.
  - replace q with (q0 - Z.to_nat (q0 - q)) by lia. apply down.
Qed.

(** And gamma is the product of the exchanges of one period, up to a change of the numbers. *)
Theorem exchanges_product : forall (n : nat) q i, (i < N)%nat ->
  sigma (q + n) i = sigma q (fold_right (fun t => exchange (X (q + Z.of_nat t))) i (seq 1 n)).
Proof.
  intros n. pose proof (numbers_range w N X numbers) as range.
  induction n as [| n IH]; intros q i hi; [simpl; f_equal; lia |].
  rewrite step by exact hi. replace (q + S n - 1) with (q + n) by lia.
  rewrite IH by (apply exchange_range; auto). rewrite seq_S, fold_right_app. cbn [fold_right].
  now replace (q + (1 + n)%nat) with (q + S n) by lia.
Qed.

End Exchanges.
