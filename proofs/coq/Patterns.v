(** * The patterns of a word

5.3, 6.1 and 6.2 of [cascade.md]. A word has finitely many laws and patterns: a ball is determined
by one of its columns, and there are finitely many columns in which a ball can have fallen last. The
patterns of the words 1:A..A, k:A and k:AA have known periods ([doubling], [squares]), and so have
the rows with these words ([period_of_word]). *)

From Coq Require Import Arith List ZArith Znumtheory Zpow_facts Lia Bool.
From Chomp Require Import Recurrence Byrnes Counting Uniqueness Laws FarColumns Cascade Words.
Import ListNotations.

Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** V are the columns of one ball. *)
Definition OneBall (w : Z -> nat) (V : Z -> bool) : Prop :=
  BallsIn V w 1 /\ forall x, V (next w x) = V x.

(** The pattern of the word with one more A: the offsets of a row less its mean. *)
Definition Pattern (l : list letter) (v : Z -> Z) : Prop :=
  exists e w V, LawOfWord l e w /\ OneBall w V /\ forall q, v q = if V q then - e q else 1.

(** ** The laws of a word *)

Lemma word_inverse : forall l e w, LawOfWord l e w ->
  (forall q, next w (fell e q) = q) /\ (forall x, fell e (next w x) = x).
Proof.
  intros l e w h. induction h as [| l e w h (IH1 & IH2) | l e w V h (IH1 & IH2) hV closed];
    unfold next, fell in *.
  - split; intros; lia.
  - split.
    + intros q. specialize (IH1 q). replace (q - S (e q) - 1 + 1) with (q - e q - 1) by lia. lia.
    + intros x. specialize (IH2 (x + 1)).
      replace (x + S (w (x + 1))) with (x + 1 + w (x + 1)) by lia. lia.
  - split.
    + intros q. specialize (IH1 q). destruct (V q) eqn:ev.
      * replace (q - 0%nat - 1 + 1) with q by lia. rewrite ev. lia.
      * replace (q - S (e q) - 1 + 1) with (q - e q - 1) by lia.
        rewrite <- closed, IH1, ev. lia.
    + intros x. specialize (IH2 (x + 1)). destruct (V (x + 1)) eqn:ev.
      * replace (x + 1%nat) with (x + 1) by lia. rewrite ev. lia.
      * replace (x + S (w (x + 1))) with (x + 1 + w (x + 1)) by lia. rewrite closed, ev. lia.
Qed.

Lemma word_positive : forall l e w, LawOfWord l e w -> forall x, (1 <= w x)%nat.
Proof. intros l e w h x. destruct h; [lia | lia | destruct (V (x + 1)); lia]. Qed.

Lemma word_short : forall l e w, LawOfWord l e w -> forall x, (w x <= S (length l))%nat.
Proof.
  intros l e w h. induction h as [| l e w h IH | l e w V h IH hV closed]; intros x; simpl.
  - lia.
  - specialize (IH (x + 1)). lia.
  - specialize (IH (x + 1)). destruct (V (x + 1)); lia.
Qed.

(** ** A ball is determined by one of its columns *)

(** [next] leads from x to q in at most n steps. *)
Fixpoint hits (w : Z -> nat) (n : nat) (x q : Z) : bool :=
  (x =? q) || match n with O => false | S n => hits w n (next w x) q end.

Definition same_ball (w : Z -> nat) (x q : Z) : bool :=
  hits w (Z.to_nat (Z.abs (q - x))) (Z.min x q) (Z.max x q).

Lemma hits_ext : forall w w1 n x q, (forall y, w y = w1 y) -> hits w n x q = hits w1 n x q.
Proof.
  intros w w1 n x q h. revert x. induction n as [| n IH]; intros x; simpl; [reflexivity |].
  unfold next. now rewrite h, IH.
Qed.

Section OneBall.

Variables (w : Z -> nat) (V : Z -> bool).
Hypothesis positive : forall x, (1 <= w x)%nat.
Hypothesis ball : OneBall w V.

(** The ball has one last column up to q. *)
Lemma last_column : forall q x y, V x = true -> V y = true ->
  x <= q < next w x -> y <= q < next w y -> x = y.
Proof.
  intros q x y hx hy h h'. destruct (proj1 ball q) as (l & (_ & hl) & len).
  assert (h1 : In (Z.to_nat (q - x)) l).
  { apply hl. unfold Last, next in *. replace (q - Z.to_nat (q - x)) with x by lia.
    split; [lia | exact hx]. }
  assert (h2 : In (Z.to_nat (q - y)) l).
  { apply hl. unfold Last, next in *. replace (q - Z.to_nat (q - y)) with y by lia.
    split; [lia | exact hy]. }
  destruct l as [| a [| b l]]; try discriminate.
  destruct h1 as [h1 | []]. destruct h2 as [h2 | []]. lia.
Qed.

Lemma hits_ball : forall (n : nat) x q, V x = true -> x <= q <= x + n -> hits w n x q = V q.
Proof.
  induction n as [| n IH]; intros x q hx hq; simpl;
    destruct (Z.eqb_spec x q) as [-> | hne]; try lia; simpl; try now rewrite hx.
  pose proof (positive x) as hw. destruct (Z_le_gt_dec (next w x) q) as [hle | hgt].
  - apply IH; [now rewrite (proj2 ball) | unfold next in *; lia].
  - destruct (V q) eqn:ev.
    + destruct hne. apply (last_column q); try assumption; [lia |].
      pose proof (positive q). unfold next. lia.
    + assert (past : forall n x, q < x -> hits w n x q = false).
      { clear - positive. induction n as [| n IH]; intros x hx; simpl;
          (destruct (Z.eqb_spec x q); [lia |]); [reflexivity |].
        apply IH. pose proof (positive x). unfold next. lia. }
      apply past. lia.
Qed.

Lemma hits_same : forall n x q, hits w n x q = true -> V x = V q.
Proof.
  induction n as [| n IH]; intros x q h; simpl in h; destruct (Z.eqb_spec x q) as [-> | hne];
    try reflexivity; try discriminate. simpl in h. apply IH in h. now rewrite <- (proj2 ball).
Qed.

Lemma ball_of_column : forall x q, V x = true -> V q = same_ball w x q.
Proof.
  intros x q hx. unfold same_ball. destruct (Z_le_gt_dec x q) as [h | h].
  - rewrite Z.min_l, Z.max_r by lia. symmetry. apply hits_ball; [exact hx | lia].
  - rewrite Z.min_r, Z.max_l by lia. destruct (V q) eqn:ev.
    + rewrite (hits_ball _ q x ev) by lia. now symmetry.
    + destruct (hits _ _ _ _) eqn:eh; [| reflexivity]. apply hits_same in eh. congruence.
Qed.

Lemma some_column : exists j : nat, V (0 - j) = true /\ (j < w (0 - j))%nat.
Proof.
  destruct (proj1 ball 0) as (l & (_ & hl) & len). destruct l as [| j l]; [discriminate |].
  destruct (proj1 (hl j)) as (h & hv); [now left |]. exists j. split; [exact hv |].
  unfold Last in h. lia.
Qed.

End OneBall.

(** ** Finitely many laws and patterns *)

(** The balls that fall in one of the columns -n to 0. *)
Definition balls_to (n : nat) (w : Z -> nat) : list (Z -> bool) :=
  map (fun j : nat => same_ball w (0 - j)) (seq 0 (S n)).

Fixpoint laws (l : list letter) : list ((Z -> nat) * (Z -> nat)) :=
  match l with
  | [] => [((fun _ => O), (fun _ => 1%nat))]
  | s :: l => map (fun '(e, w) => ((fun q => S (e q)), (fun x => S (w (x + 1))))) (laws l)
  | A :: l =>
      flat_map (fun '(e, w) =>
        map (fun V : Z -> bool => ((fun q => if V q then O else S (e q)),
          (fun x => if V (x + 1) then 1%nat else S (w (x + 1)))))
        (balls_to (length l) w)) (laws l)
  end.

Definition patterns (l : list letter) : list (Z -> Z) :=
  flat_map (fun '(e, w) =>
    map (fun (V : Z -> bool) q => if V q then - Z.of_nat (e q) else 1) (balls_to (length l) w))
    (laws l).

Lemma ball_listed : forall l e w w1 V, LawOfWord l e w -> OneBall w V -> (forall x, w1 x = w x) ->
  exists V1, In V1 (balls_to (length l) w1) /\ forall q, V1 q = V q.
Proof.
  intros l e w w1 V hl hV hw. destruct (some_column w V hV) as (j & hj & hlast).
  exists (same_ball w1 (0 - j)). split.
  - unfold balls_to. apply (in_map (fun j : nat => same_ball w1 (0 - j))), in_seq.
    pose proof (word_short l e w hl (0 - j)). lia.
  - intros q. rewrite (ball_of_column w V (word_positive l e w hl) hV (0 - j) q hj).
    now apply hits_ext.
Qed.

Theorem laws_are_listed : forall l e w, LawOfWord l e w ->
  exists e1 w1, In (e1, w1) (laws l) /\ forall q, e1 q = e q /\ w1 q = w q.
Proof.
  intros l e w h. induction h as [| l e w h (e1 & w1 & hin & same) | l e w V h
    (e1 & w1 & hin & same) hV closed].
  - exists (fun _ => O), (fun _ => 1%nat). split; [now left | easy].
  - exists (fun q => S (e1 q)), (fun x => S (w1 (x + 1))). split.
    + cbn [laws]. apply in_map_iff. now exists (e1, w1).
    + intros q. now rewrite (proj1 (same q)), (proj2 (same (q + 1))).
  - destruct (ball_listed l e w w1 V h (conj hV closed) (fun x => proj2 (same x)))
      as (V1 & hV1 & sameV).
    exists (fun q => if V1 q then O else S (e1 q)),
      (fun x => if V1 (x + 1) then 1%nat else S (w1 (x + 1))). split.
    + cbn [laws]. apply in_flat_map. exists (e1, w1). split; [exact hin |].
      apply in_map_iff. now exists V1.
    + intros q. now rewrite !sameV, (proj1 (same q)), (proj2 (same (q + 1))).
Qed.

Theorem patterns_are_listed : forall l v, Pattern l v ->
  exists v1, In v1 (patterns l) /\ forall q, v1 q = v q.
Proof.
  intros l v (e & w & V & hl & hV & hv).
  destruct (laws_are_listed l e w hl) as (e1 & w1 & hin & same).
  destruct (ball_listed l e w w1 V hl hV (fun x => proj2 (same x))) as (V1 & hV1 & sameV).
  exists (fun q => if V1 q then - Z.of_nat (e1 q) else 1). split.
  - unfold patterns. apply in_flat_map. exists (e1, w1). split; [exact hin |].
    apply in_map_iff. now exists V1.
  - intros q. now rewrite sameV, (proj1 (same q)), hv.
Qed.

(** ** The number of balls of a word *)

Fixpoint standing (l : list letter) : nat :=
  match l with
  | [] => O
  | s :: l => S (standing l)
  | A :: l => standing l
  end.

Lemma counts_next : forall (B : nat -> Prop) k, Counts B k ->
  Counts (fun j => j = O \/ exists i, j = S i /\ B i) (S k).
Proof.
  intros B k h. apply (counts_or (fun j => j = O) (fun j => exists i, j = S i /\ B i) 1 k).
  - intros j -> (i & hi & _). discriminate.
  - apply (counts_ext (fun j => 0 <= j < 0 + 1)%nat); [lia | apply counts_interval].
  - apply (counts_image B _ (fun i j => j = S i)); try exact h.
    + intros i hi. exists (S i). split; [now exists i | reflexivity].
    + intros i i' j _ _ -> e. now injection e.
    + intros i j j' _ -> ->. reflexivity.
    + intros j (i & -> & hi). now exists i.
Qed.

Lemma word_balls : forall l e w, LawOfWord l e w -> Balls w (S (standing l)).
Proof.
  intros l e w h. induction h as [| l e w h IH | l e w V h IH hV closed]; intros q; simpl.
  - apply (counts_ext (fun j => 0 <= j < 0 + 1)%nat); [unfold Last; lia | apply counts_interval].
  - apply (counts_ext (fun j => j = O \/ exists i, j = S i /\ Last w q i)).
    + intros [| i]; unfold Last.
      * split; [lia | now left].
      * replace (q - S i + 1) with (q - i) by lia. split.
        -- intros [h0 | (i' & e' & h')]; [discriminate |]. injection e' as <-. lia.
        -- intros h'. right. exists i. split; [reflexivity | lia].
    + apply counts_next, IH.
  - destruct (counts_part (fun j => V (q - Z.of_nat j) <> true) (Last w q) (S (standing l)))
      as (k & _ & hk); [| apply IH |].
    { intros j. destruct (V (q - j)); [right | left]; congruence. }
    assert (e1 : S (standing l) = (1 + k)%nat).
    { apply (counts_split (fun j => V (q - Z.of_nat j) = true) (Last w q)).
      - intros j. apply bool_dec.
      - apply IH.
      - apply hV.
      - exact hk. }
    rewrite e1. apply (counts_ext (fun j => j = O \/ exists i, j = S i /\
      (Last w q i /\ V (q - Z.of_nat i) <> true))); [| now apply counts_next].
    intros [| i]; unfold Last.
    + split; [intros _; destruct (V (q - 0%nat + 1)); lia | now left].
    + replace (q - S i + 1) with (q - i) by lia. split.
      * intros [h0 | (i' & e' & h' & hv)]; [discriminate |]. injection e' as <-.
        destruct (V (q - i)); [contradiction | lia].
      * intros h'. right. exists i. split; [reflexivity |].
        destruct (V (q - i)); [lia | split; [lia | discriminate]].
Qed.

(** ** 6.1. Doubling

With two balls, column q has the same one as the column before if and only if e(q) is 0. *)

Lemma two_balls : forall e w V, (forall q, next w (fell e q) = q) -> (forall x, (1 <= w x)%nat) ->
  Balls w 2 -> OneBall w V -> forall q, xorb (V q) (V (q - 1)) = negb (e q =? 0)%nat.
Proof.
  intros e w V hf positive balls (one & closed) q.
  assert (ev : V (q - 1 - e q) = V q).
  { replace (q - 1 - e q) with (fell e q) by (unfold fell; lia). now rewrite <- closed, hf. }
  destruct (Nat.eqb_spec (e q) 0) as [e0 | hne]; simpl.
  - rewrite <- ev, e0. replace (q - 1 - 0%nat) with (q - 1) by lia. apply xorb_nilpotent.
  - destruct (balls (q - 1)) as (l & (_ & hl) & len).
    destruct (one (q - 1)) as (l1 & (_ & hl1) & len1).
    assert (h1 : Last w (q - 1) 0).
    { unfold Last. specialize (positive (q - 1 - 0%nat)). lia. }
    assert (h2 : Last w (q - 1) (e q)).
    { unfold Last. specialize (hf q). unfold next, fell in hf.
      replace (q - 1 - e q) with (q - e q - 1) by lia. lia. }
    destruct l1 as [| j [| j' l1]]; try discriminate.
    destruct (proj1 (hl1 j)) as (h3 & hv); [now left |].
    assert (only : forall i, Last w (q - 1) i -> V (q - 1 - i) = true -> j = i).
    { intros i hi hvi. destruct (proj2 (hl1 i) (conj hi hvi)) as [h | []]. exact h. }
    destruct (V (q - 1)) eqn:e1.
    + destruct (V q) eqn:e2; [| reflexivity]. destruct hne.
      rewrite <- (only _ h2 ev). apply (only O h1). now replace (q - 1 - 0%nat) with (q - 1) by lia.
    + assert (hj : j <> O).
      { intros ->. replace (q - 1 - 0%nat) with (q - 1) in hv by lia. congruence. }
      assert (j = e q) as ->; [| now rewrite <- ev, hv].
      apply hl in h1, h2, h3. destruct l as [| a [| b [| c l]]]; try discriminate.
      simpl in h1, h2, h3. lia.
Qed.

(** x is a sum of n binomials: the differences of x are such a sum of n - 1, modulo 2. *)
Inductive Sums : nat -> (Z -> bool) -> Prop :=
| sums_0 x : (forall q, x q = true) -> Sums 0 x
| sums_next n x y : Sums n y -> (forall q, xorb (x q) (x (q - 1)) = y q) -> Sums (S n) x.

(** [(1 - z)^(2^t) = 1 - z^(2^t)], modulo 2. *)
Lemma sums_power : forall t i x, Sums (2 ^ t + i) x ->
  exists y, Sums i y /\ forall q, xorb (x q) (x (q - 2 ^ t)) = y q.
Proof.
  induction t as [| t IH]; intros i x hx.
  - inversion hx as [| n x' y hy h]; subst. now exists y.
  - assert (e : 2 ^ S t = 2 ^ t + 2 ^ t) by (rewrite Nat2Z.inj_succ, Z.pow_succ_r; lia).
    replace (2 ^ S t + i)%nat with (2 ^ t + (2 ^ t + i))%nat in hx by (simpl; lia).
    destruct (IH _ x hx) as (y & hy & h1). destruct (IH _ y hy) as (z & hz & h2).
    exists z. split; [exact hz |]. intros q. rewrite <- h2, <- !h1, e.
    replace (q - (2 ^ t + 2 ^ t)) with (q - 2 ^ t - 2 ^ t) by lia.
    destruct (x q), (x (q - 2 ^ t)), (x (q - 2 ^ t - 2 ^ t)); reflexivity.
Qed.

Lemma sums_not_0 : forall n x, Sums n x -> exists q, x q = true.
Proof.
  intros n x h. induction h as [x h | n x y _ (q & hq) h]; [now exists 0 |].
  rewrite <- h in hq. destruct (x q) eqn:e; [now exists q |]. exists (q - 1).
  now destruct (x (q - 1)).
Qed.

Lemma sums_period : forall t n x, (n < 2 ^ t)%nat -> Sums n x -> forall q, x (q + 2 ^ t) = x q.
Proof.
  intros t n x hn hx. enough (back : forall q, x (q - 2 ^ t) = x q).
  { intros q. rewrite <- back. f_equal. lia. }
  revert n x hn hx. induction t as [| t IH]; intros n x hn hx q.
  - inversion hx as [x' h | n' x' y _ _]; subst; [now rewrite !h | simpl in hn; lia].
  - assert (e : 2 ^ S t = 2 ^ t + 2 ^ t) by (rewrite Nat2Z.inj_succ, Z.pow_succ_r; lia).
    rewrite e. replace (q - (2 ^ t + 2 ^ t)) with (q - 2 ^ t - 2 ^ t) by lia.
    destruct (le_lt_dec (2 ^ t) n) as [hle | hlt].
    + replace n with (2 ^ t + (n - 2 ^ t))%nat in hx by lia.
      destruct (sums_power t _ x hx) as (y & hy & h).
      assert (hy' : y (q - 2 ^ t) = y q).
      { apply (IH (n - 2 ^ t)%nat y); [simpl in hn; lia | exact hy]. }
      rewrite <- !h in hy'.
      now destruct (x q), (x (q - 2 ^ t)), (x (q - 2 ^ t - 2 ^ t)).
    + now rewrite !(IH n x hlt hx).
Qed.

(** A divisor of a power of 2 that is not divisible by it divides its half. *)
Lemma divides_half : forall (t : nat) g, (g | 2 ^ S t) -> (g | 2 ^ t) \/ (2 ^ S t | g).
Proof.
  intros t g (k & hk).
  assert (e : 2 ^ S t = 2 * 2 ^ t) by (rewrite Nat2Z.inj_succ, Z.pow_succ_r; lia).
  destruct (Z.Even_or_Odd k) as [(i & ->) | (i & hi)].
  - left. exists i. lia.
  - right. apply (Gauss _ k); [exists 1; lia |]. apply rel_prime_sym, rel_prime_Zpower_r; [lia |].
    apply bezout_rel_prime. apply Bezout_intro with (u := 1) (v := - i). lia.
Qed.

Theorem sums_periods : forall n x, Sums n x ->
  forall p, (forall q, x (q + p) = x q) <-> (2 ^ Nat.log2_up (S n) | p).
Proof.
  intros n x hx p. set (t := Nat.log2_up (S n)).
  assert (hn : (n < 2 ^ t)%nat).
  { destruct n as [| n]; [cbn; lia |]. pose proof (Nat.log2_up_spec (S (S n)) ltac:(lia)).
    fold t in H. lia. }
  pose proof (sums_period t n x hn hx) as period. split.
  2: { intros (k & ->). now apply period_multiple. }
  intros hp. destruct (Z.gcd_bezout p (2 ^ t) _ eq_refl) as (a & b & hg).
  set (g := Z.gcd p (2 ^ t)) in *.
  assert (hgp : forall i q, x (q + i * g) = x q).
  { apply period_multiple. intros q. rewrite <- hg.
    replace (q + (a * p + b * 2 ^ t)) with (q + a * p + b * 2 ^ t) by lia.
    now rewrite !period_multiple. }
  apply (Z.divide_trans _ g); [| apply Z.gcd_divide_l].
  destruct t as [| t'] eqn:et; [apply Z.divide_1_l |].
  destruct (divides_half t' g) as [(k & hk) | h]; [apply Z.gcd_divide_r | | exact h].
  exfalso. assert (hle : (2 ^ t' <= n)%nat).
  { destruct n as [| n]; [discriminate |]. pose proof (Nat.log2_up_spec (S (S n)) ltac:(lia)) as h.
    fold t in h. rewrite et in h. simpl in h. lia. }
  replace n with (2 ^ t' + (n - 2 ^ t'))%nat in hx by lia.
  destruct (sums_power t' _ x hx) as (y & hy & h). destruct (sums_not_0 _ y hy) as (q & hq).
  rewrite <- h, hk, <- (hgp k (q - k * g)) in hq.
  replace (q - k * g + k * g) with q in hq by lia. now rewrite xorb_nilpotent in hq.
Qed.

Lemma negb_same : forall a b, negb a = negb b -> a = b.
Proof. intros [] []; easy. Qed.

(** The laws of the word 1:A..A, with n letters A. *)
Definition doubling_word (n : nat) : list letter := repeat A n ++ [s].

Lemma doubling_balls : forall n e w, LawOfWord (doubling_word n) e w -> Balls w 2.
Proof.
  intros n e w h. assert (e1 : standing (doubling_word n) = 1%nat).
  { clear. induction n as [| n IH]; [reflexivity | exact IH]. }
  apply word_balls in h. now rewrite e1 in h.
Qed.

Lemma doubling_sums : forall n e w V, LawOfWord (doubling_word n) e w -> OneBall w V ->
  Sums (S n) (fun q => negb (V q)) /\
  forall p, (forall q, V (q + p) = V q) -> forall q, e (q + p) = e q.
Proof.
  induction n as [| n IH]; intros e w V hl hV;
    pose proof (two_balls e w V (proj1 (word_inverse _ e w hl)) (word_positive _ e w hl)
      (doubling_balls _ e w hl) hV) as alternate.
  - inversion hl as [| l e0 w0 h0 | ]; subst. inversion h0; subst. split; [| reflexivity].
    apply (sums_next 0 _ (fun _ => true)); [now constructor |]. intros q.
    specialize (alternate q). simpl in alternate.
    now destruct (V q), (V (q - 1)).
  - inversion hl as [| | l e0 w0 V0 h0 hV0 closed0]; subst.
    destruct (IH e0 w0 V0 h0 (conj hV0 closed0)) as (sums & periods).
    assert (h : forall q, xorb (V q) (V (q - 1)) = negb (V0 q)).
    { intros q. rewrite alternate. now destruct (V0 q). }
    split.
    + apply (sums_next (S n) _ _ sums). intros q. rewrite <- h.
      now destruct (V q), (V (q - 1)).
    + intros p hp. assert (hp0 : forall q, V0 (q + p) = V0 q).
      { intros q. apply negb_same. rewrite <- !h, hp.
        replace (q + p - 1) with (q - 1 + p) by lia. now rewrite hp. }
      intros q. now rewrite hp0, (periods p hp0).
Qed.

(** 6.1: the periods of the patterns of 1:A..A, with n + 1 letters A. *)
Theorem doubling : forall n v, Pattern (doubling_word n) v ->
  forall p, (forall q, v (q + p) = v q) <-> (2 ^ Nat.log2_up (n + 2) | p).
Proof.
  intros n v (e & w & V & hl & hV & hv) p.
  destruct (doubling_sums n e w V hl hV) as (sums & periods).
  replace (n + 2)%nat with (S (S n)) by lia. rewrite <- (sums_periods (S n) _ sums p). split.
  - intros h q. specialize (h q). rewrite !hv in h.
    destruct (V (q + p)), (V q); (reflexivity || lia).
  - intros h q. assert (hp : forall q, V (q + p) = V q) by (intros x; now apply negb_same).
    now rewrite !hv, hp, (periods p hp).
Qed.

(** *** All sums occur *)

(** Two balls fall by turns in the columns in which V changes. *)
Section TwoBalls.

Variables (e w : Z -> nat) (V : Z -> bool).
Hypothesis fell_next : forall q, next w (fell e q) = q.
Hypothesis next_fell : forall x, fell e (next w x) = x.
Hypothesis positive : forall x, (1 <= w x)%nat.
Hypothesis balls : Balls w 2.
Hypothesis alternate : forall q, xorb (V q) (V (q - 1)) = negb (e q =? 0)%nat.

(** While a ball has not fallen again, the other one falls in all columns. *)
Lemma other_ball : forall (d : nat) y, y + d + 1 < next w y -> V (y + d + 1) = negb (V y).
Proof.
  induction d as [| d IH]; intros y hd.
  - replace (y + 0%nat + 1) with (y + 1) in * by lia. specialize (alternate (y + 1)).
    replace (y + 1 - 1) with y in alternate by lia.
    destruct (Nat.eqb_spec (e (y + 1)) 0) as [e0 | _].
    + specialize (fell_next (y + 1)). unfold fell in fell_next. rewrite e0 in fell_next.
      replace (y + 1 - 0%nat - 1) with y in fell_next by lia. lia.
    + now destruct (V (y + 1)), (V y).
  - specialize (IH y ltac:(lia)). set (q := y + S d + 1) in *.
    replace (y + d + 1) with (q - 1) in IH by (unfold q; lia).
    rewrite <- IH. specialize (alternate q).
    assert (e0 : e q = O).
    { destruct (balls (q - 1)) as (l & (_ & hl) & len).
      assert (h1 : In O l).
      { apply hl. unfold Last. specialize (positive (q - 1 - 0%nat)). lia. }
      assert (h2 : In (S d) l).
      { apply hl. unfold Last. replace (q - 1 - S d) with y by (unfold q; lia).
        unfold next in hd. lia. }
      assert (h3 : In (e q) l).
      { apply hl. unfold Last. pose proof (fell_next q) as hf. unfold next, fell in hf.
        replace (q - 1 - e q) with (q - e q - 1) by lia. lia. }
      destruct l as [| a [| b [| c l]]]; try discriminate. simpl in h1, h2, h3.
      assert (hne : e q <> S d); [| lia]. intros h. pose proof (fell_next q) as hf.
      unfold fell in hf. rewrite h in hf. replace (q - S d - 1) with y in hf by (unfold q; lia).
      lia. }
    rewrite e0 in alternate. simpl in alternate. now destruct (V q), (V (q - 1)).
Qed.

Lemma one_of_two : OneBall w V.
Proof.
  assert (other : forall y q, y < q < next w y -> V q = negb (V y)).
  { intros y q hq. rewrite <- (other_ball (Z.to_nat (q - y - 1)) y) by lia. f_equal. lia. }
  split.
  - intros q. destruct (balls q) as (l & (nodup & hl) & len).
    assert (h0 : In O l).
    { apply hl. unfold Last. specialize (positive (q - 0%nat)). lia. }
    assert (hd : exists d, d <> O /\ forall j, In j l <-> j = O \/ j = d).
    { destruct l as [| a [| b [| c l]]]; try discriminate.
      inversion nodup as [| x m hn _]; subst. simpl in *.
      destruct (Nat.eq_dec a 0) as [-> | ha]; [exists b | exists a]; split; try lia;
        intros j; lia. }
    destruct hd as (d & hne & hin).
    assert (hlast : Last w q d) by (apply hl, hin; now right).
    assert (hV : V q = negb (V (q - d))) by (apply other; unfold Last, next in *; lia).
    set (j0 := if V q then O else d).
    exists [j0]. split; [| reflexivity]. split; [constructor; [easy | constructor] |].
    intros j. simpl. rewrite <- hl, hin. unfold j0. split.
    + intros [<- | []]. destruct (V q) eqn:ev.
      * split; [now left |]. now replace (q - 0%nat) with q by lia.
      * split; [now right | now destruct (V (q - d))].
    + intros ([-> | ->] & hv).
      * replace (q - 0%nat) with q in hv by lia. rewrite hv. now left.
      * rewrite hv in hV. rewrite hV. now left.
  - intros x. set (q := next w x). pose proof (next_fell x) as hx. fold q in hx.
    specialize (alternate q). destruct (Nat.eqb_spec (e q) 0) as [e0 | hne].
    + replace x with (q - 1) at 1 by (unfold fell in hx; lia).
      now destruct (V q), (V (q - 1)).
    + assert (hb : V (q - 1) = negb (V x)).
      { apply other. fold q. unfold fell in hx. lia. }
      rewrite hb in alternate. now destruct (V q), (V x).
Qed.

End TwoBalls.

Theorem sums_occur : forall n x, Sums (S n) x ->
  exists e w, LawOfWord (doubling_word n) e w /\ OneBall w (fun q => negb (x q)).
Proof.
  assert (next_law : forall n e w x y, LawOfWord (doubling_word n) e w ->
    (forall q, xorb (x q) (x (q - 1)) = y q) -> (forall q, y q = negb (e q =? 0)%nat) ->
    OneBall w (fun q => negb (x q))).
  { intros n e w x y hl hx hy. destruct (word_inverse _ e w hl) as (hf & hn).
    apply (one_of_two e w); try assumption.
    - exact (word_positive _ e w hl).
    - exact (doubling_balls n e w hl).
    - intros q. rewrite <- hy, <- hx. now destruct (x q), (x (q - 1)). }
  induction n as [| n IH]; intros x hx; inversion hx as [| m x' y hy h]; subst.
  - exists (fun _ => 1%nat), (fun _ => 2%nat).
    assert (hl : LawOfWord (doubling_word 0) (fun _ => 1%nat) (fun _ => 2%nat)).
    { exact (law_s [] (fun _ => O) (fun _ => 1%nat) law_none). }
    split; [exact hl |]. apply (next_law O _ _ x y hl h). intros q.
    inversion hy as [y' h1 |]; subst. now rewrite h1.
  - destruct (IH y hy) as (e & w & hl & hV).
    exists (fun q => if negb (y q) then O else S (e q)),
      (fun x => if negb (y (x + 1)) then 1%nat else S (w (x + 1))).
    assert (hl' : LawOfWord (doubling_word (S n))
      (fun q => if negb (y q) then O else S (e q))
      (fun x => if negb (y (x + 1)) then 1%nat else S (w (x + 1)))).
    { exact (law_A _ e w (fun q => negb (y q)) hl (proj1 hV) (proj2 hV)). }
    split; [exact hl' |]. apply (next_law (S n) _ _ x y hl' h). intros q. now destruct (y q).
Qed.

(** *** Their number *)

(** The function with the value b in column 0 and the differences y. *)
Fixpoint sum_up (b : bool) (y : Z -> bool) (n : nat) : bool :=
  match n with O => b | S n => xorb (sum_up b y n) (y (Z.of_nat (S n))) end.

Fixpoint sum_down (b : bool) (y : Z -> bool) (n : nat) : bool :=
  match n with O => b | S n => xorb (sum_down b y n) (y (- Z.of_nat n)) end.

Definition summed (b : bool) (y : Z -> bool) (q : Z) : bool :=
  if 0 <=? q then sum_up b y (Z.to_nat q) else sum_down b y (Z.to_nat (- q)).

Lemma summed_differences : forall b y q, xorb (summed b y q) (summed b y (q - 1)) = y q.
Proof.
  intros b y q. unfold summed.
  destruct (Z.leb_spec 0 q) as [h | h], (Z.leb_spec 0 (q - 1)); try lia.
  - replace (Z.to_nat q) with (S (Z.to_nat (q - 1))) by lia. cbn [sum_up].
    replace (Z.of_nat (S (Z.to_nat (q - 1)))) with q by lia.
    now destruct (sum_up b y (Z.to_nat (q - 1))), (y q).
  - replace q with 0 by lia. simpl. now destruct b, (y 0).
  - replace (Z.to_nat (- (q - 1))) with (S (Z.to_nat (- q))) by lia. cbn [sum_down].
    replace (- Z.of_nat (Z.to_nat (- q))) with q by lia.
    now destruct (sum_down b y (Z.to_nat (- q))), (y q).
Qed.

Lemma same_sum : forall x u, x 0 = u 0 ->
  (forall q, xorb (x q) (x (q - 1)) = xorb (u q) (u (q - 1))) -> forall q, x q = u q.
Proof.
  intros x u h0 h.
  assert (up : forall n : nat, x n = u n).
  { induction n as [| n IH]; [exact h0 |]. specialize (h (S n)).
    replace (S n - 1) with (Z.of_nat n) in h by lia. rewrite IH in h.
    now destruct (x (S n)), (u (S n)), (u n). }
  assert (down : forall n : nat, x (- n) = u (- n)).
  { induction n as [| n IH]; [exact h0 |]. specialize (h (- n)).
    replace (- n - 1) with (- S n) in h by lia. rewrite IH in h.
    now destruct (x (- S n)), (u (- S n)), (u (- n)). }
  intros q. destruct (Z_le_gt_dec 0 q).
  - replace q with (Z.of_nat (Z.to_nat q)) by lia. apply up.
  - replace q with (- Z.of_nat (Z.to_nat (- q))) by lia. apply down.
Qed.

Fixpoint all_sums (m : nat) : list (Z -> bool) :=
  match m with
  | O => [fun _ => true]
  | S m => map (summed true) (all_sums m) ++ map (summed false) (all_sums m)
  end.

Lemma all_sums_length : forall m, length (all_sums m) = (2 ^ m)%nat.
Proof.
  induction m as [| m IH]; [reflexivity |]. simpl. rewrite app_length, !map_length, IH. lia.
Qed.

Lemma all_sums_sums : forall m x, In x (all_sums m) -> Sums m x.
Proof.
  induction m as [| m IH]; intros x h; simpl in h.
  - destruct h as [<- | []]. now constructor.
  - apply in_app_or in h. destruct h as [h | h]; apply in_map_iff in h as (y & <- & hy);
      apply (sums_next m _ y (IH y hy)), summed_differences.
Qed.

Lemma sums_listed : forall m x, Sums m x -> exists u, In u (all_sums m) /\ forall q, u q = x q.
Proof.
  intros m x h. induction h as [x h | m x y hy (u & hin & same) h].
  - exists (fun _ => true). split; [now left | now intros q].
  - exists (summed (x 0) u). split.
    + simpl. apply in_or_app. destruct (x 0); [left | right]; now apply in_map.
    + apply same_sum; [reflexivity |]. intros q. now rewrite summed_differences, same, h.
Qed.

Lemma all_sums_differ : forall m i j x u, nth_error (all_sums m) i = Some x ->
  nth_error (all_sums m) j = Some u -> (forall q, x q = u q) -> i = j.
Proof.
  induction m as [| m IH]; intros i j x u hi hj same.
  - simpl in *. destruct i, j; try reflexivity; now destruct i || destruct j.
  - assert (half : forall i x, nth_error (all_sums (S m)) i = Some x -> exists y k,
      nth_error (all_sums m) k = Some y /\ x = summed (x 0) y /\
      i = if x 0 then k else (length (all_sums m) + k)%nat).
    { clear. intros i x h. simpl in h.
      destruct (le_lt_dec (length (all_sums m)) i) as [hi | hi].
      - rewrite nth_error_app2, nth_error_map, map_length in h by (now rewrite map_length).
        destruct (nth_error (all_sums m) (i - length (all_sums m))) as [y |] eqn:e; [| easy].
        injection h as <-. exists y, (i - length (all_sums m))%nat.
        split; [exact e |]. split; [reflexivity |]. simpl. lia.
      - rewrite nth_error_app1, nth_error_map in h by (now rewrite map_length).
        destruct (nth_error (all_sums m) i) as [y |] eqn:e; [| easy].
        injection h as <-. now exists y, i. }
    destruct (half i x hi) as (y & k & hk & ex & ->).
    destruct (half j u hj) as (z & l & hl & eu & ->). rewrite <- (same 0).
    rewrite (IH k l y z hk hl); [reflexivity |]. intros q.
    rewrite <- (summed_differences (x 0) y q), <- ex, <- (summed_differences (u 0) z q), <- eu.
    now rewrite !same.
Qed.

(** A ball of a law of this word determines the law, and so the pattern. *)
Lemma law_of_ball : forall n e w V e1 w1 V1, LawOfWord (doubling_word n) e w -> OneBall w V ->
  LawOfWord (doubling_word n) e1 w1 -> OneBall w1 V1 -> (forall q, V q = V1 q) ->
  forall q, e q = e1 q.
Proof.
  assert (alternate : forall n e w V, LawOfWord (doubling_word n) e w -> OneBall w V ->
    forall q, xorb (V q) (V (q - 1)) = negb (e q =? 0)%nat).
  { intros n e w V hl. apply two_balls.
    - apply (word_inverse _ e w hl).
    - exact (word_positive _ e w hl).
    - exact (doubling_balls n e w hl). }
  induction n as [| n IH]; intros e w V e1 w1 V1 hl hV hl1 hV1 same q.
  - inversion hl as [| l e0 w0 h0 | ]; subst. inversion h0; subst.
    inversion hl1 as [| l e2 w2 h2 | ]; subst. now inversion h2; subst.
  - pose proof (alternate _ _ _ _ hl hV) as a. pose proof (alternate _ _ _ _ hl1 hV1) as a1.
    inversion hl as [| | l e0 w0 V0 h0 hV0 closed0]; subst.
    inversion hl1 as [| | l e2 w2 V2 h2 hV2 closed2]; subst.
    assert (same0 : forall q, V0 q = V2 q).
    { intros y. specialize (a y). specialize (a1 y). rewrite !same, a1 in a.
      now destruct (V0 y), (V2 y). }
    rewrite same0. destruct (V2 q); [reflexivity |]. f_equal.
    exact (IH e0 w0 V0 e2 w2 V2 h0 (conj hV0 closed0) h2 (conj hV2 closed2) same0 q).
Qed.

(** 6.1: the patterns of this word are 2^(n+1) functions. *)
Theorem number_of_patterns : forall n, exists L : list (Z -> Z), length L = (2 ^ S n)%nat /\
  (forall v, Pattern (doubling_word n) v <-> exists u, In u L /\ forall q, u q = v q) /\
  forall i j u v, nth_error L i = Some u -> nth_error L j = Some v ->
    (forall q, u q = v q) -> i = j.
Proof.
  intros n. set (sums := all_sums (S n)).
  destruct (list_of (Z -> Z) (fun i v => exists x e w, nth_error sums i = Some x /\
    LawOfWord (doubling_word n) e w /\ OneBall w (fun q => negb (x q)) /\
    forall q, v q = if negb (x q) then - Z.of_nat (e q) else 1) (length sums)) as (L & hlen & hL).
  { intros i hi. destruct (nth_error sums i) as [x |] eqn:ex;
      [| now apply nth_error_None in ex; lia].
    destruct (sums_occur n x) as (e & w & hl & hV).
    { apply all_sums_sums. exact (nth_error_In _ _ ex). }
    exists (fun q => if negb (x q) then - Z.of_nat (e q) else 1), x, e, w. auto. }
  assert (each : forall i u, nth_error L i = Some u -> exists x e w, nth_error sums i = Some x /\
    LawOfWord (doubling_word n) e w /\ OneBall w (fun q => negb (x q)) /\
    forall q, u q = if negb (x q) then - Z.of_nat (e q) else 1).
  { intros i u hu. destruct (hL i) as (u' & hu' & h).
    - rewrite <- hlen. apply nth_error_Some. congruence.
    - rewrite hu in hu'. injection hu' as <-. exact h. }
  exists L. split; [rewrite hlen; apply all_sums_length |]. split.
  - intros v. split.
    + intros (e & w & V & hl & hV & hv). destruct (doubling_sums n e w V hl hV) as (hs & _).
      destruct (sums_listed _ _ hs) as (x & hx & same). apply In_nth_error in hx as (i & hi).
      destruct (hL i) as (u & hu & x' & e' & w' & hx' & hl' & hV' & hu').
      { apply nth_error_Some. fold sums in hi. congruence. }
      fold sums in hi. rewrite hi in hx'. injection hx' as <-. exists u.
      split; [exact (nth_error_In _ _ hu) |]. intros q.
      assert (sameV : forall q, negb (x q) = V q).
      { intros y. rewrite same. apply negb_involutive. }
      rewrite hu', hv, sameV.
      now rewrite (law_of_ball n e' w' _ e w V hl' hV' hl hV sameV q).
    + intros (u & hu & same). apply In_nth_error in hu as (i & hi).
      destruct (each i u hi) as (x & e & w & _ & hl & hV & h).
      exists e, w, (fun q => negb (x q)). split; [exact hl |]. split; [exact hV |].
      intros q. now rewrite <- same.
  - intros i j u v hu hv same. destruct (each i u hu) as (x & e & w & hx & _ & _ & h).
    destruct (each j v hv) as (x' & e' & w' & hx' & _ & _ & h').
    apply (all_sums_differ (S n) i j x x' hx hx'). intros q. specialize (same q).
    rewrite h, h' in same. destruct (x q), (x' q); simpl in same; (reflexivity || lia).
Qed.

(** *** Up to shifts *)

(** A map that returns to each member of S after T steps, and not before, has [length S / T]
orbits. *)
Section Orbits.

Variables (sigma : nat -> nat) (T : nat).
Hypothesis T_positive : (0 < T)%nat.

Lemma iter_add : forall a b x, Nat.iter (a + b) sigma x = Nat.iter a sigma (Nat.iter b sigma x).
Proof. intros a b x. induction a as [| a IH]; [reflexivity | simpl; now rewrite IH]. Qed.

Lemma orbits : forall m S, (length S <= m)%nat -> NoDup S -> (forall x, In x S -> In (sigma x) S) ->
  (forall x i, In x S -> Nat.iter i sigma x = x <-> Nat.divide T i) ->
  exists R, (length R * T = length S)%nat /\ (forall r, In r R -> In r S) /\
    (forall x, In x S -> exists r i, In r R /\ Nat.iter i sigma r = x) /\
    forall i j r r' k, nth_error R i = Some r -> nth_error R j = Some r' ->
      Nat.iter k sigma r = r' -> i = j.
Proof.
  induction m as [| m IH]; intros S hm nodup closed period.
  - exists []. destruct S as [| x S]; [| simpl in hm; lia]. split; [reflexivity |].
    split; [easy |]. split; [easy |]. intros i j r r' k hi. now destruct i.
  - destruct S as [| x S'] eqn:eS.
    { exists []. split; [reflexivity |]. split; [easy |]. split; [easy |].
      intros i j r r' k hi. now destruct i. }
    rewrite <- eS in *. assert (hx : In x S) by (rewrite eS; now left). clear eS S'.
    set (orbit := map (fun i => Nat.iter i sigma x) (seq 0 T)).
    assert (steps : forall i y, In y S -> In (Nat.iter i sigma y) S).
    { intros i y hy. induction i as [| i IHi]; [exact hy | now apply closed]. }
    assert (same : forall i j, Nat.iter i sigma x = Nat.iter j sigma x ->
      (i <= j)%nat -> Nat.divide T (j - i)).
    { intros i j e hij. replace j with (j - i + i)%nat in e by lia. rewrite iter_add in e.
      apply (period (Nat.iter i sigma x)); [now apply steps | now symmetry]. }
    assert (turn : forall i, Nat.iter (i mod T) sigma x = Nat.iter i sigma x).
    { intros i. pose proof (Nat.div_mod_eq i T) as e.
      transitivity (Nat.iter (i mod T + i / T * T) sigma x); [| f_equal; lia].
      rewrite iter_add. f_equal. symmetry. apply period; [exact hx | now exists (i / T)%nat]. }
    assert (in_orbit : forall i, In (Nat.iter i sigma x) orbit).
    { intros i. rewrite <- turn. unfold orbit. apply (in_map (fun i => Nat.iter i sigma x)), in_seq.
      pose proof (Nat.mod_upper_bound i T). lia. }
    assert (orbit_in : forall y, In y orbit -> exists i, Nat.iter i sigma x = y).
    { intros y h. apply in_map_iff in h as (i & e & _). now exists i. }
    assert (orbit_nodup : NoDup orbit).
    { assert (less : forall i j, (i < j < T)%nat -> Nat.iter i sigma x <> Nat.iter j sigma x).
      { intros i j hij e. apply same in e; [| lia]. apply Nat.divide_pos_le in e; lia. }
      unfold orbit. apply nodup_map; [apply seq_NoDup |]. intros i j hi hj e.
      apply in_seq in hi, hj. destruct (lt_eq_lt_dec i j) as [[h | h] | h]; [| exact h |].
      - now apply less in e; [| lia].
      - symmetry in e. now apply less in e; [| lia]. }
    set (outside := fun y => if in_dec Nat.eq_dec y orbit then false else true).
    assert (out_iff : forall y, outside y = true <-> ~ In y orbit).
    { intros y. unfold outside. destruct (in_dec Nat.eq_dec y orbit); intuition congruence. }
    set (rest := filter outside S).
    assert (rest_iff : forall y, In y rest <-> In y S /\ ~ In y orbit).
    { intros y. unfold rest. now rewrite filter_In, out_iff. }
    assert (rest_nodup : NoDup rest) by now apply NoDup_filter.
    assert (hlen : length S = (T + length rest)%nat).
    { apply (counts_split (fun y => In y orbit) (fun y => In y S)).
      - intros y. apply (in_dec Nat.eq_dec).
      - now exists S.
      - exists orbit. split; [split; [exact orbit_nodup |] |].
        + intros y. split; [| tauto]. intros h. split; [| exact h].
          apply orbit_in in h as (i & <-). now apply steps.
        + unfold orbit. now rewrite map_length, seq_length.
      - exists rest. now split. }
    destruct (IH rest) as (R & h1 & h2 & h3 & h4); [lia | exact rest_nodup | | |].
    { intros y hy. apply rest_iff in hy as (hy & hn). apply rest_iff. split; [now apply closed |].
      intros h. apply hn. apply orbit_in in h as (i & e).
      assert (ey : Nat.iter T sigma y = y) by (apply period; [exact hy | apply Nat.divide_refl]).
      rewrite <- ey. replace T with (T - 1 + 1)%nat by lia. rewrite iter_add. simpl.
      rewrite <- e, <- iter_add. apply in_orbit. }
    { intros y i hy. apply period. now apply rest_iff in hy. }
    exists (x :: R). split; [simpl; lia |]. split; [| split].
    + intros r [<- | hr]; [exact hx |]. apply h2, rest_iff in hr. tauto.
    + intros y hy. destruct (in_dec Nat.eq_dec y orbit) as [h | h].
      * apply orbit_in in h as (i & e). exists x, i. split; [now left | exact e].
      * destruct (h3 y) as (r & i & hr & e); [now apply rest_iff |].
        exists r, i. split; [now right | exact e].
    + assert (apart : forall r k, In r R -> Nat.iter k sigma x <> r).
      { intros r k hr <-. apply h2, rest_iff in hr as (_ & hn). apply hn, in_orbit. }
      assert (apart' : forall r k, In r R -> Nat.iter k sigma r <> x).
      { intros r k hr e. assert (hrS : In r S) by (apply h2, rest_iff in hr; tauto).
        apply (apart r (k * (T - 1))%nat hr). rewrite <- e, <- iter_add.
        apply period; [exact hrS |]. exists k. nia. }
      intros [| i] [| j] r r' k hi hj e; simpl in hi, hj.
      * reflexivity.
      * injection hi as <-. now apply apart in e; [| exact (nth_error_In _ _ hj)].
      * injection hj as <-. now apply apart' in e; [| exact (nth_error_In _ _ hi)].
      * f_equal. exact (h4 i j r r' k hi hj e).
Qed.

End Orbits.

Lemma law_shift : forall l e w, LawOfWord l e w ->
  LawOfWord l (fun q => e (q + 1)) (fun x => w (x + 1)).
Proof.
  intros l e w h. induction h as [| l e w h IH | l e w V h IH hV closed].
  - exact law_none.
  - exact (law_s l _ _ IH).
  - apply (law_A l _ _ (fun q => V (q + 1)) IH).
    + intros q. generalize (hV (q + 1)). apply counts_ext. intros j. unfold Last.
      now replace (q + 1 - j) with (q - j + 1) by lia.
    + intros x. rewrite <- (closed (x + 1)). unfold next. f_equal. lia.
Qed.

Lemma pattern_shift : forall l v (k : nat), Pattern l v -> Pattern l (fun q => v (q + k)).
Proof.
  intros l v k hv. induction k as [| k (e & w & V & hl & (one & closed) & h)].
  - destruct hv as (e & w & V & hl & hV & h). exists e, w, V. split; [exact hl |].
    split; [exact hV |]. intros q. rewrite <- h. f_equal. lia.
  - exists (fun q => e (q + 1)), (fun x => w (x + 1)), (fun q => V (q + 1)).
    split; [now apply law_shift |]. split; [split |].
    + intros q. generalize (one (q + 1)). apply counts_ext. intros j. unfold Last.
      now replace (q + 1 - j) with (q - j + 1) by lia.
    + intros x. rewrite <- (closed (x + 1)). unfold next. f_equal. lia.
    + intros q. rewrite <- h. f_equal. lia.
Qed.

(** 6.1: up to shifts, the word 1:A..A has 2^(n+1) / 2^⌈log2(n+2)⌉ patterns. *)
Theorem patterns_up_to_shifts : forall n, exists R : list (Z -> Z),
  (length R * 2 ^ Nat.log2_up (n + 2) = 2 ^ S n)%nat /\
  (forall v, Pattern (doubling_word n) v <->
    exists u (k : nat), In u R /\ forall q, u (q + k) = v q) /\
  forall i j u v (k : nat), nth_error R i = Some u -> nth_error R j = Some v ->
    (forall q, u (q + k) = v q) -> i = j.
Proof.
  intros n. set (T := (2 ^ Nat.log2_up (n + 2))%nat).
  assert (eT : Z.of_nat T = 2 ^ Nat.log2_up (n + 2)) by (unfold T; now rewrite Nat2Z.inj_pow).
  assert (hT : (0 < T)%nat).
  { pose proof (Nat.pow_nonzero 2 (Nat.log2_up (n + 2))). unfold T. lia. }
  destruct (number_of_patterns n) as (L & hlen & hL & distinct).
  assert (member : forall i u, nth_error L i = Some u -> Pattern (doubling_word n) u).
  { intros i u hi. apply hL. exists u. split; [exact (nth_error_In _ _ hi) | reflexivity]. }
  assert (valid : forall i, In i (seq 0 (length L)) <-> exists u, nth_error L i = Some u).
  { intros i. rewrite in_seq. split.
    - intros hi. destruct (nth_error L i) as [u |] eqn:e; [now exists u |].
      apply nth_error_None in e. lia.
    - intros (u & e). assert (i < length L)%nat by (apply nth_error_Some; congruence). lia. }
  destruct (list_of nat (fun i j => exists u v, nth_error L i = Some u /\
    nth_error L j = Some v /\ forall q, v q = u (q + 1)) (length L)) as (js & hjs & hnext).
  { intros i hi. destruct (proj1 (valid i)) as (u & hu); [apply in_seq; lia |].
    destruct (proj1 (hL _) (pattern_shift _ u 1 (member i u hu))) as (v & hv & same).
    apply In_nth_error in hv as (j & hj). exists j, u, v. now split. }
  set (sigma := fun i => nth i js O).
  assert (steps : forall k i u, nth_error L i = Some u -> exists v,
    nth_error L (Nat.iter k sigma i) = Some v /\ forall q, v q = u (q + Z.of_nat k)).
  { intros k i u hu. induction k as [| k (v & hv & same)].
    - exists u. split; [exact hu |]. intros q. f_equal. lia.
    - destruct (hnext (Nat.iter k sigma i)) as (j & hj & v' & v1 & h' & h1 & shift).
      { apply nth_error_Some. congruence. }
      rewrite hv in h'. injection h' as <-. exists v1. simpl. unfold sigma at 1.
      rewrite (nth_error_nth js _ O hj). split; [exact h1 |]. intros q. rewrite shift, same.
      f_equal. lia. }
  destruct (orbits sigma T hT (length (seq 0 (length L))) (seq 0 (length L)))
    as (R & h1 & h2 & h3 & h4); [lia | apply seq_NoDup | | |].
  { intros i hi. apply valid in hi as (u & hu). apply valid.
    destruct (steps 1%nat i u hu) as (v & hv & _). now exists v. }
  { intros i k hi. apply valid in hi as (u & hu). destruct (steps k i u hu) as (v & hv & same).
    assert (e : (forall q, u (q + k) = u q) <-> Nat.divide T k).
    { rewrite (doubling n u (member i u hu) k), <- eT. split; intros (z & hz).
      - exists (Z.to_nat z). nia.
      - exists (Z.of_nat z). lia. }
    rewrite <- e. split.
    - intros hk q. rewrite hk, hu in hv. injection hv as <-. symmetry. apply same.
    - intros h. apply (distinct _ _ v u hv hu). intros q. now rewrite same. }
  assert (take : forall r, In r R -> nth_error L r = Some (nth r L (fun _ => 0))).
  { intros r hr. apply h2, in_seq in hr. apply nth_error_nth'. lia. }
  exists (map (fun r => nth r L (fun _ => 0)) R). split; [| split].
  - rewrite map_length. rewrite seq_length in h1. lia.
  - intros v. split.
    + intros hv. apply hL in hv as (u & hu & same). apply In_nth_error in hu as (i & hi).
      destruct (h3 i) as (r & k & hr & e); [apply valid; now exists u |].
      exists (nth r L (fun _ => 0)), k.
      split; [now apply (in_map (fun r => nth r L (fun _ => 0))) |].
      destruct (steps k r _ (take r hr)) as (v1 & hv1 & shift). rewrite e, hi in hv1.
      injection hv1 as <-. intros q. now rewrite <- shift.
    + intros (u & k & hu & same). apply in_map_iff in hu as (r & <- & hr).
      pose proof (pattern_shift _ _ k (member r _ (take r hr))) as hp.
      apply hL in hp as (u & hu & h). apply hL. exists u. split; [exact hu |].
      intros q. now rewrite h.
  - intros i j u v k hi hj same. rewrite nth_error_map in hi, hj.
    destruct (nth_error R i) as [r |] eqn:er; [| discriminate].
    destruct (nth_error R j) as [r' |] eqn:er'; [| discriminate].
    injection hi as <-. injection hj as <-. apply (h4 i j r r' k er er').
    destruct (steps k r _ (take r (nth_error_In _ _ er))) as (v1 & hv1 & shift).
    apply (distinct _ _ v1 _ hv1 (take r' (nth_error_In _ _ er'))). intros q. now rewrite shift.
Qed.

(** ** 6.2. Squares

Let n be k + 1. In a law of k constant rows each ball falls in every n-th column. *)

Lemma constant_law : forall k e w, LawOfWord (repeat s k) e w ->
  forall q, e q = k /\ w q = S k.
Proof.
  induction k as [| k IH]; intros e w h q; inversion h as [| l e0 w0 h0 |]; subst; [easy |].
  destruct (IH e0 w0 h0 q) as (-> & _). destruct (IH e0 w0 h0 (q + 1)) as (_ & ->). now split.
Qed.

Lemma constant_balls : forall k w V, (forall x, w x = S k) -> OneBall w V ->
  exists b, forall q, V q = ((q - b) mod (k + 1) =? 0).
Proof.
  intros k w V hw hV. destruct (some_column w V hV) as (j & hj & _). exists (0 - j). intros q.
  assert (period : forall i q, V (q + i * (k + 1)) = V q).
  { apply period_multiple. intros x. rewrite <- (proj2 hV x). unfold next. rewrite hw.
    f_equal. lia. }
  pose proof (Z.mod_pos_bound (q - (0 - j)) (k + 1) ltac:(lia)) as hb.
  pose proof (Z.div_mod (q - (0 - j)) (k + 1) ltac:(lia)) as hd.
  set (r := (q - (0 - j)) mod (k + 1)) in *. set (i := (q - (0 - j)) / (k + 1)) in *.
  assert (hr : V (q - r) = true).
  { rewrite <- hj, <- (period i (0 - j)). f_equal. lia. }
  destruct (Z.eqb_spec r 0) as [e0 | hne].
  - now rewrite e0, Z.sub_0_r in hr.
  - destruct (V q) eqn:ev; [| reflexivity]. destruct hne.
    assert (q - r = q); [| lia]. apply (last_column w V hV q); try assumption;
      unfold next; rewrite hw; lia.
Qed.

(** 6.2: the pattern of k:A. *)
Theorem pattern_over_constant_rows : forall k v, Pattern (repeat s k) v ->
  exists b, forall q, v q = if (q - b) mod (k + 1) =? 0 then - k else 1.
Proof.
  intros k v (e & w & V & hl & hV & hv). pose proof (constant_law k e w hl) as same.
  destruct (constant_balls k w V (fun x => proj2 (same x)) hV) as (b & hb). exists b.
  intros q. now rewrite hv, hb, (proj1 (same q)).
Qed.

Section Squares.

(** V are the columns of a ball of the law of k:A; b0 is a column in which the first ball fell. *)
Variables (k : nat) (n b0 : Z) (w : Z -> nat) (V : Z -> bool).
Hypothesis k_positive : (1 <= k)%nat.
Hypothesis n_is : n = k + 1.
Hypothesis w_is : forall x, w x = if (x + 1 - b0) mod n =? 0 then 1%nat else S (S k).
Hypothesis ball : OneBall w V.

(** Columns at the distance i from the first ball. *)
Definition At (i q : Z) : Prop := exists z, q = b0 + z * n + i.

Lemma at_exists : forall q, exists i, 0 <= i <= k /\ At i q.
Proof.
  intros q. exists ((q - b0) mod n). pose proof (Z.mod_pos_bound (q - b0) n ltac:(lia)).
  split; [lia |]. exists ((q - b0) / n). pose proof (Z.div_mod (q - b0) n ltac:(lia)). lia.
Qed.

Lemma at_mod : forall i q, 0 <= i <= k -> At i q -> (q - b0) mod n = i.
Proof.
  intros i q hi (z & ->). replace (b0 + z * n + i - b0) with (i + z * n) by lia.
  rewrite Z_mod_plus_full. apply Z.mod_small. lia.
Qed.

Lemma w_at : forall i x, 0 <= i <= k -> At i x -> w x = if i =? k then 1%nat else S (S k).
Proof.
  intros i x hi hx. rewrite w_is. destruct (Z.eqb_spec i k) as [-> | hne].
  - rewrite (at_mod 0); [reflexivity | lia |]. destruct hx as (z & ->). exists (z + 1). lia.
  - rewrite (at_mod (i + 1)); [| lia |].
    + now destruct (Z.eqb_spec (i + 1) 0); [lia |].
    + destruct hx as (z & ->). exists z. lia.
Qed.

Lemma steps : forall (i : nat) q, (i <= k)%nat -> At 0 q -> V (q + i * (n + 1)) = V q.
Proof.
  intros i q hi (z & hz). induction i as [| i IH]; [f_equal; lia |].
  rewrite <- IH by lia. rewrite <- (proj2 ball (q + i * (n + 1))). unfold next.
  rewrite (w_at i); [| lia | exists (z + i); rewrite hz; ring]. destruct (Z.eqb_spec i k); [lia |].
  f_equal. lia.
Qed.

Lemma turn : forall q, At 0 q -> V (q + n * n) = V q.
Proof.
  intros q hq. rewrite <- (steps k q (le_n k) hq). rewrite <- (proj2 ball (q + k * (n + 1))).
  unfold next. rewrite (w_at k); [| lia | destruct hq as (z & ->); exists (z + k); lia].
  rewrite Z.eqb_refl. f_equal. lia.
Qed.

Lemma turns : forall z q, At 0 q -> V (q + z * (n * n)) = V q.
Proof.
  assert (up : forall (z : nat) q, At 0 q -> V (q + z * (n * n)) = V q).
  { induction z as [| z IH]; intros q hq; [f_equal; lia |].
    rewrite <- (IH q hq), <- (turn (q + z * (n * n))); [f_equal; lia |].
    destruct hq as (y & ->). exists (y + z * n). ring. }
  intros z q hq. destruct (Z_le_gt_dec 0 z) as [hz | hz].
  - replace z with (Z.of_nat (Z.to_nat z)) by lia. now apply up.
  - rewrite <- (up (Z.to_nat (- z)) (q + z * (n * n))); [f_equal; lia |].
    destruct hq as (y & ->). exists (y + z * n). ring.
Qed.

(** The ball falls in a column of the first ball. *)
Lemma start_exists : exists b, At 0 b /\ V b = true.
Proof.
  destruct (some_column w V ball) as (j & hj & _).
  destruct (at_exists (0 - j)) as (i & hi & (z & hz)).
  exists (0 - j - i * (n + 1)). assert (h0 : At 0 (0 - j - i * (n + 1))) by (exists (z - i); lia).
  split; [exact h0 |]. rewrite <- hj, <- (steps (Z.to_nat i) _ ltac:(lia) h0). f_equal. lia.
Qed.

Lemma ball_columns : exists b, At 0 b /\ forall q, V q = ((q - b) mod (n * n) mod (n + 1) =? 0).
Proof.
  destruct start_exists as (b & hb & hVb). exists b. split; [exact hb |]. intros q.
  pose proof (Z.mod_pos_bound (q - b) (n * n) ltac:(nia)) as h1.
  pose proof (Z.div_mod (q - b) (n * n) ltac:(nia)) as h2.
  set (t := (q - b) mod (n * n)) in *. set (z := (q - b) / (n * n)) in *.
  pose proof (Z.mod_pos_bound t (n + 1) ltac:(lia)) as h3.
  pose proof (Z.div_mod t (n + 1) ltac:(lia)) as h4.
  set (r := t mod (n + 1)) in *. set (i := t / (n + 1)) in *.
  assert (hi : 0 <= i <= k) by nia.
  assert (hc : At 0 (b + z * (n * n))).
  { destruct hb as (y & ->). exists (y + z * n). lia. }
  assert (hx : V (q - r) = true).
  { rewrite <- hVb, <- (turns z b hb), <- (steps (Z.to_nat i) _ ltac:(lia) hc). f_equal. lia. }
  destruct (Z.eqb_spec r 0) as [e0 | hne].
  - now rewrite e0, Z.sub_0_r in hx.
  - destruct (V q) eqn:ev; [| reflexivity]. destruct hne.
    assert (q - r = q); [| lia].
    assert (hw : w (q - r) = if i =? k then 1%nat else S (S k)).
    { apply w_at; [exact hi |]. destruct hc as (y & hy). exists (y + i). lia. }
    assert (hq : (1 <= w q)%nat) by (rewrite w_is; destruct ((q + 1 - b0) mod n =? 0); lia).
    apply (last_column w V ball q); try assumption; unfold next; [| lia].
    rewrite hw. destruct (Z.eqb_spec i k); [nia | lia].
Qed.

End Squares.

(** 6.2: the pattern of k:AA. *)
Theorem pattern_over_one_ball : forall k v, (1 <= k)%nat -> Pattern (A :: repeat s k) v ->
  let n := k + 1 in exists b, forall q, v q =
    let t := (q - b) mod (n * n) in
    if t mod (n + 1) =? 0 then (if t =? 0 then 0 else - n) else 1.
Proof.
  intros k v hk (e & w & V & hl & hV & hv) n.
  inversion hl as [| | l e0 w0 V0 h0 hV0 closed0]; subst.
  pose proof (constant_law k e0 w0 h0) as same.
  destruct (constant_balls k w0 V0 (fun x => proj2 (same x)) (conj hV0 closed0)) as (b0 & hb0).
  fold n in hb0.
  destruct (ball_columns k n b0 (fun x => if V0 (x + 1) then 1%nat else S (w0 (x + 1))) V hk
    eq_refl) as (b & (y & hy) & columns); [| exact hV |].
  { intros x. now rewrite hb0, (proj2 (same (x + 1))). }
  exists b. intros q. rewrite hv, columns, hb0, (proj1 (same q)). cbv zeta.
  set (t := (q - b) mod (n * n)).
  destruct (Z.eqb_spec (t mod (n + 1)) 0) as [ht | _]; [| reflexivity].
  pose proof (Z.mod_pos_bound (q - b) (n * n) ltac:(nia)) as h1.
  pose proof (Z.div_mod (q - b) (n * n) ltac:(nia)) as h2. fold t in h1, h2.
  pose proof (Z.div_mod t (n + 1) ltac:(lia)) as h3. rewrite ht in h3.
  set (z := (q - b) / (n * n)) in *. set (i := t / (n + 1)) in *.
  assert (hi : 0 <= i <= k) by (unfold n in *; nia).
  rewrite (at_mod k n b0 hk eq_refl i q hi).
  - destruct (Z.eqb_spec i 0), (Z.eqb_spec t 0); unfold n in *; nia.
  - exists (y + n * z + i). lia.
Qed.

(** 6.2: the periods of these patterns. *)
Theorem squares : forall k,
  (forall v, Pattern (repeat s k) v -> forall p, (forall q, v (q + p) = v q) <-> (k + 1 | p)) /\
  ((1 <= k)%nat -> forall v, Pattern (A :: repeat s k) v ->
    forall p, (forall q, v (q + p) = v q) <-> ((k + 1) * (k + 1) | p)).
Proof.
  intros k. split; [intros v hv p | intros hk v hv p].
  - destruct (pattern_over_constant_rows k v hv) as (b & h). split.
    + intros hp. specialize (hp b). rewrite !h in hp.
      replace (b - b) with 0 in hp by lia. rewrite Zmod_0_l in hp.
      replace (b + p - b) with p in hp by lia. apply Z.mod_divide; [lia |].
      destruct (Z.eqb_spec (p mod (k + 1)) 0) as [e | _]; [exact e | simpl in hp; lia].
    + intros (i & ->) q. rewrite !h.
      replace (q + i * (k + 1) - b) with (q - b + i * (k + 1)) by lia. now rewrite Z_mod_plus_full.
  - destruct (pattern_over_one_ball k v hk hv) as (b & h). cbv zeta in h.
    set (n := k + 1) in *. assert (hn : 2 <= n) by (unfold n; lia). split.
    + intros hp. specialize (hp b). rewrite !h in hp.
      replace (b - b) with 0 in hp by lia. rewrite !Zmod_0_l in hp.
      replace (b + p - b) with p in hp by lia. apply Z.mod_divide; [nia |].
      destruct (_ mod (n + 1) =? 0); [| simpl in hp; lia].
      destruct (Z.eqb_spec (p mod (n * n)) 0) as [e | _]; [exact e | simpl in hp; lia].
    + intros (i & ->) q. rewrite !h.
      replace (q + i * (n * n) - b) with (q - b + i * (n * n)) by lia.
      now rewrite Z_mod_plus_full.
Qed.

(** ** Rows *)

(** The least period of a row is that of its continuation. *)
Lemma period_of_continuation : forall r P v (K : nat), Continues r P v -> (0 < K)%nat ->
  (forall p, (forall q, v (q + p) = v q) <-> (Z.of_nat K | p)) -> exists start, Canonical r start K.
Proof.
  intros r P v K (hP & hv & X & hX) hK periods.
  assert (repeats : forall q, v (q + K) = v q) by (apply periods, Z.divide_refl).
  assert (hp : Byrnes.Periodic r X K).
  { split; [exact hK |]. intros q hq. exists (q + v q)%nat. split; [now apply hX |].
    replace (q + v q + K)%nat with (q + K + v (q + K)%nat)%nat; [apply hX; lia |].
    rewrite Nat2Z.inj_add, repeats. lia. }
  destruct (canonical_exists r X K hp) as (start & k & hcan). exists start.
  replace K with k; [exact hcan |]. apply Nat.divide_antisym; [exact (proj2 (proj2 hcan X K hp)) |].
  assert (h : forall q, v (q + k) = v q).
  { intros q. destruct hcan as ((hk & h) & _).
    set (c := Z.to_nat (q + (Z.abs q + X + start) * P)).
    assert (hc : Z.of_nat c = q + (Z.abs q + X + start) * P) by (unfold c; nia).
    assert (hcX : (X + start <= c)%nat) by nia.
    rewrite <- (period_multiple _ v P hv (Z.abs q + X + start) q),
      <- (period_multiple _ v P hv (Z.abs q + X + start) (q + k)), <- hc.
    replace (q + k + (Z.abs q + X + start) * P) with (Z.of_nat (c + k)) by lia.
    destruct (h c ltac:(lia)) as (p & h1 & h2).
    pose proof (F_unique _ _ _ _ h1 (hX c ltac:(lia))).
    pose proof (F_unique _ _ _ _ h2 (hX (c + k)%nat ltac:(lia))). lia. }
  apply periods in h. destruct h as (i & hi). exists (Z.to_nat i). nia.
Qed.

Section Rows.

Variable h : nat -> Z.
Hypothesis queue : Queue h.

(** A row with one hole has a pattern of its word. *)
Theorem row_has_pattern : forall r l, ~ Ends r -> Word h r l -> h r = 1 -> exists P v f,
  Continues r P v /\ Counts (fun c => (c < r)%nat /\ Ends c) f /\
  Pattern l (fun q => v q - (1 + f)%nat).
Proof.
  intros r l he hw hr.
  destruct (pattern_of_word h queue r l he hw (or_intror hr)) as
    (P & v & f & hv & hf & [(h0 & _) | (_ & e & w & V & hl & hV & closed & hp)]); [lia |].
  exists P, v, f. split; [exact hv |]. split; [exact hf |]. exists e, w, V.
  split; [exact hl |]. split; [now split |]. intros q. specialize (hp q). destruct (V q); lia.
Qed.

Theorem period_of_word : forall r l (K : nat), ~ Ends r -> Word h r l -> h r = 1 -> (0 < K)%nat ->
  (forall v, Pattern l v -> forall p, (forall q, v (q + p) = v q) <-> (Z.of_nat K | p)) ->
  exists start, Canonical r start K.
Proof.
  intros r l K he hw hr hK periods.
  destruct (row_has_pattern r l he hw hr) as (P & v & f & hv & _ & hp).
  apply (period_of_continuation r P v K hv hK). intros p. rewrite <- (periods _ hp p).
  split; intros e q; specialize (e q); lia.
Qed.

End Rows.
