(** * Laws and balls

Sections 1 to 3 and theorem 5.1 of [cascade.md], for functions of all integers: v are the offsets of
a row, C the offsets that the rows below block. [FarColumns.v] shows that such functions continue
the far columns of a row. *)

From Coq Require Import Arith List ZArith Lia Bool.
From Chomp Require Import Counting.
From Chomp Require Recurrence Byrnes.
Import ListNotations.

Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** ** Periodic functions of the integers *)

(** A property that holds in the next column, and one period earlier, holds everywhere. *)
Lemma everywhere : forall (P : Z) (D : Z -> Prop), 0 < P ->
  (forall q, D q -> D (q + 1)) -> (forall q, D (q + P) -> D q) -> forall q q', D q -> D q'.
Proof.
  intros P D hP up down q q' h.
  assert (ups : forall n : nat, D (q + n)).
  { induction n as [| n IH]; [now replace (q + 0%nat) with q by lia |].
    replace (q + S n) with (q + n + 1) by lia. now apply up. }
  assert (downs : forall (n : nat) x, D (x + n * P) -> D x).
  { induction n as [| n IH]; intros x hx; [now replace (x + 0%nat * P) with x in hx by lia |].
    apply IH, down. now replace (x + n * P + P) with (x + S n * P) by lia. }
  apply (downs (Z.to_nat (q - q'))).
  assert (e : exists n : nat, q' + Z.to_nat (q - q') * P = q + n).
  { exists (Z.to_nat (q' + Z.to_nat (q - q') * P - q)). nia. }
  destruct e as (n & ->). apply ups.
Qed.

Lemma period_multiple : forall (A : Type) (f : Z -> A) P, (forall q, f (q + P) = f q) ->
  forall n q, f (q + n * P) = f q.
Proof.
  intros A f P h.
  assert (up : forall (n : nat) q, f (q + n * P) = f q).
  { induction n as [| n IH]; intros q; [f_equal; lia |].
    replace (q + S n * P) with (q + n * P + P) by lia. now rewrite h. }
  intros n q. destruct (Z_le_gt_dec 0 n).
  - replace n with (Z.of_nat (Z.to_nat n)) by lia. apply up.
  - rewrite <- (up (Z.to_nat (- n)) (q + n * P)). f_equal. lia.
Qed.

Lemma periodic_bounded : forall (f : Z -> nat) P, 0 < P -> (forall q, f (q + P) = f q) ->
  exists M, forall q, (f q <= M)%nat.
Proof.
  intros f P hP h.
  assert (upto : forall n : nat, exists M, forall q, 0 <= q < n -> (f q <= M)%nat).
  { induction n as [| n (M & IH)]; [exists 0%nat; lia |].
    exists (M + f n)%nat. intros q hq. destruct (Z.eq_dec q n) as [-> |]; [lia |].
    specialize (IH q). lia. }
  destruct (upto (Z.to_nat P)) as (M & hM). exists M. intros q.
  rewrite <- (period_multiple _ f P h (- (q / P)) q). apply hM.
  pose proof (Z.mod_pos_bound q P hP). pose proof (Z.div_mod q P ltac:(lia)). lia.
Qed.

(** ** Laws: 2.1 *)

(** The ball that falls in column q has fallen last in column [fell e q], and falls next in column
[next w q]. *)
Definition fell (e : Z -> nat) (q : Z) : Z := q - e q - 1.
Definition next (w : Z -> nat) (x : Z) : Z := x + w x.

Record Law (P : Z) (e w : Z -> nat) : Prop := {
  law_period : 0 < P;
  law_e : forall q, e (q + P) = e q;
  law_w : forall x, w (x + P) = w x;
  law_fell : forall q, next w (fell e q) = q;
  law_next : forall x, fell e (next w x) = x
}.

(** [q - j] is the last column up to q in which some ball falls. *)
Definition Last (w : Z -> nat) (q : Z) (j : nat) : Prop := Z.of_nat j < w (q - j).

(** There are N balls: each of them has a last column up to q in which it falls. *)
Definition Balls (w : Z -> nat) (N : nat) : Prop :=
  forall q : Z, Counts (Last w q) N.

(** The same for those balls that fall in columns of V. *)
Definition BallsIn (V : Z -> bool) (w : Z -> nat) (g : nat) : Prop :=
  forall q : Z, Counts (fun j => Last w q j /\ V (q - j) = true) g.

(** A union of balls that is not empty has a ball. *)
Lemma balls_in_positive : forall (V : Z -> bool) w g x, (forall x, (1 <= w x)%nat) ->
  BallsIn V w g -> V x = true -> (1 <= g)%nat.
Proof.
  intros V w g x hw h hx. specialize (h x).
  apply (counts_subset (fun j => 0 <= j < 0 + 1)%nat _ _ _)
    with (2 := counts_interval 0 1) (3 := h).
  intros j hj. replace j with O by lia. unfold Last. replace (x - 0%nat) with x by lia.
  pose proof (hw x). split; [lia | exact hx].
Qed.

Lemma no_balls : forall V w q, (forall x, (1 <= w x)%nat) -> BallsIn V w 0 -> V q = false.
Proof.
  intros V w q hw h. destruct (V q) eqn:ev; [| reflexivity].
  pose proof (balls_in_positive V w 0 q hw h ev). lia.
Qed.

Lemma bool_true_dec : forall b : bool, {b = true} + {~ b = true}.
Proof. intros b. apply bool_dec. Defined.

Section ALaw.

Variables (P : Z) (e w : Z -> nat).
Hypothesis law : Law P e w.

Lemma e_next : forall x, (S (e (next w x)) = w x)%nat.
Proof. intros x. pose proof (law_next P e w law x). unfold fell, next in *. lia. Qed.

Lemma w_fell : forall q, (w (fell e q) = S (e q))%nat.
Proof. intros q. pose proof (law_fell P e w law q). unfold fell, next in *. lia. Qed.

Lemma w_positive : forall x, (1 <= w x)%nat.
Proof. intros x. pose proof (e_next x). lia. Qed.

Lemma next_injective : forall x y, next w x = next w y -> x = y.
Proof.
  intros x y h. rewrite <- (law_next P e w law x), <- (law_next P e w law y). now rewrite h.
Qed.

Lemma next_shift : forall n x, next w (x + n * P) = next w x + n * P.
Proof.
  intros n x. unfold next.
  rewrite (period_multiple _ w P (law_w P e w law)). lia.
Qed.

(** A set of columns that [next] does not leave is a union of balls: 5.1. *)
Lemma closed_set : forall V : Z -> bool, (forall q, V (q + P) = V q) ->
  (forall x, V x = true -> V (next w x) = true) -> forall x, V (next w x) = V x.
Proof.
  intros V hV up x. pose proof (law_period P e w law) as hP.
  destruct (V x) eqn:ex; [now apply up |]. destruct (V (next w x)) eqn:en; [| reflexivity].
  exfalso.
  set (orbit := fix orbit (n : nat) := match n with O => next w x | S n => next w (orbit n) end).
  assert (inside : forall n, V (orbit n) = true).
  { induction n as [| n IH]; [exact en | simpl; now apply up]. }
  assert (shift : forall i j : nat, (i <= j)%nat -> forall k, orbit j = orbit i + k * P ->
    orbit (j - i)%nat = orbit O + k * P).
  { induction i as [| i IH]; intros j hij k hk; [now rewrite Nat.sub_0_r |].
    destruct j as [| j]; [lia |]. simpl in hk. rewrite <- next_shift in hk.
    apply next_injective in hk. simpl. apply (IH j ltac:(lia) k hk). }
  destruct (Byrnes.values_recur Z Z.eq_dec (fun i => orbit i mod P)
    (map Z.of_nat (seq 0 (Z.to_nat P)))) as (i & j & hij & ej).
  { intros i. apply in_map_iff. exists (Z.to_nat (orbit i mod P)).
    pose proof (Z.mod_pos_bound (orbit i) P hP). split; [lia | apply in_seq; lia]. }
  pose proof (Z.div_mod (orbit i) P ltac:(lia)) as hi.
  pose proof (Z.div_mod (orbit j) P ltac:(lia)) as hj. simpl in ej. rewrite ej in hi.
  pose proof (shift i j ltac:(lia) (orbit j / P - orbit i / P) ltac:(lia)) as h.
  destruct (j - i)%nat as [| n] eqn:en'; [lia |]. simpl in h.
  rewrite <- next_shift in h. apply next_injective in h. pose proof (inside n) as hin.
  rewrite h, (period_multiple _ V P hV) in hin. congruence.
Qed.

(** The number of balls in a union of balls is the same in all columns. *)
Lemma balls_constant : forall (V : Z -> bool) g q, (forall q, V (q + P) = V q) ->
  (forall x, V (next w x) = V x) ->
  Counts (fun j => Last w q j /\ V (q - j) = true) g -> BallsIn V w g.
Proof.
  intros V g q hV closed h q'. pose proof (law_period P e w law) as hP.
  apply (everywhere P (fun q => Counts (fun j => Last w q j /\ V (q - j) = true) g) hP)
    with (q := q); [| | exact h].
  - clear q q' h. intros q. apply (counts_image _ _ (fun j j' =>
      (j' = S j /\ Z.of_nat (S j) < w (q - j)) \/ (j' = O /\ Z.of_nat (S j) = w (q - j)))).
    + unfold Last. intros j (hj & hv). destruct (Z.eq_dec (S j) (w (q - j))) as [hw | hw].
      * exists O. split; [| now right]. pose proof (w_positive (q + 1 - 0%nat)). split; [lia |].
        replace (q + 1 - 0%nat) with (next w (q - j)) by (unfold next; lia). now rewrite closed.
      * exists (S j). replace (q + 1 - S j) with (q - j) by lia.
        split; [split; [lia | exact hv] | left; lia].
    + intros j j' y (hj & _) (hj' & _) [(-> & h) | (-> & h)] [(h1 & h') | (h1 & h')]; try lia.
      assert (q - j = q - j'); [| lia]. apply next_injective. unfold next. lia.
    + intros j y y' _. lia.
    + unfold Last. intros j (hj & hv). destruct j as [| j].
      * exists (e (q + 1)). replace (q - e (q + 1)) with (fell e (q + 1)) by (unfold fell; lia).
        rewrite w_fell. split; [split; [lia |] | now right].
        rewrite <- closed, (law_fell P e w law).
        now replace (q + 1 - 0%nat) with (q + 1) in hv by lia.
      * exists j. replace (q + 1 - S j) with (q - j) in * by lia.
        split; [split; [lia | exact hv] | left; lia].
  - clear q q' h. intros q. apply counts_ext. intros j. unfold Last.
    replace (q + P - j) with (q - j + P) by lia. now rewrite (law_w P e w law), hV.
Qed.

Lemma balls_in_exist : forall V : Z -> bool, (forall q, V (q + P) = V q) ->
  (forall x, V (next w x) = V x) -> exists g, BallsIn V w g.
Proof.
  intros V hV closed.
  destruct (periodic_bounded w P (law_period P e w law) (law_w P e w law)) as (M & hM).
  destruct (counts_below (fun j => Last w 0 j /\ V (0 - j) = true)) with (n := M)
    as (g & _ & h).
  { intros j. apply Recurrence.and_dec; [apply Z_lt_dec | apply bool_true_dec]. }
  exists g. apply (balls_constant V g 0 hV closed). revert h. apply counts_ext.
  intros j. specialize (hM (0 - j)). unfold Last. split; [tauto |].
  intros (h & hv). split; [lia | now split].
Qed.

End ALaw.

(** Depth d is blocked in column q, if C are the blocked offsets and depths are measured from m. *)
Definition Depth (C : Z -> nat -> Prop) (m : nat) (q : Z) (d : nat) : Prop :=
  (d <= m)%nat /\ C q (m - d)%nat.

(** The rows that block the offsets C have the law e, and N balls. *)
Record Obeys (P : Z) (C : Z -> nat -> Prop) (m : nat) (e w : Z -> nat) (N : nat) : Prop := {
  obeys_law : Law P e w;
  obeys_range : forall q o, C q o -> (1 <= o <= m)%nat;
  obeys_L1_below : forall q d, (d < e q)%nat -> Depth C m q d;
  obeys_L1_free : forall q, ~ Depth C m q (e q);
  obeys_L2 : forall x q (d : nat), x < q < next w x -> q = x + d + 1 -> Depth C m q d;
  obeys_balls : Balls w N
}.

(** ** 1. One hole *)

(** U(q): the offsets in column q that the past of the row blocks. *)
Definition U (v : Z -> nat) (q : Z) (o : nat) : Prop := exists x : Z, x < q /\ x + v x = q + o.

(** v(q) is the least offset that neither the past nor C blocks. The row does not end, no number
occurs in it twice, every number occurs in it, and U(q) has [mu] members. *)
Record FarRow (P : Z) (v : Z -> nat) (C : Z -> nat -> Prop) (mu : nat) : Prop := {
  row_period : 0 < P;
  row_periodic : forall q, v (q + P) = v q;
  row_positive : forall q, (1 <= v q)%nat;
  row_injective : forall x y : Z, x + v x = y + v y -> x = y;
  row_free : forall q, ~ C q (v q);
  row_least : forall q o, (o < v q)%nat -> U v q o \/ C q o;
  row_zero : forall q, U v q 0;
  row_count : forall q, Counts (U v q) mu
}.

Section Far.

Variables (P : Z) (v : Z -> nat) (C : Z -> nat -> Prop) (m mu : nat).
Hypothesis row : FarRow P v C mu.
Hypothesis C_range : forall q o, C q o -> (1 <= o <= m)%nat.

Let P_positive := row_period _ _ _ _ row.
Let v_periodic := row_periodic _ _ _ _ row.
Let v_positive := row_positive _ _ _ _ row.
Let v_injective := row_injective _ _ _ _ row.
Let v_free := row_free _ _ _ _ row.
Let v_least := row_least _ _ _ _ row.
Let U_count := row_count _ _ _ _ row.

Lemma U_step : forall q o, U v (q + 1) o <-> U v q (S o) \/ v q = S o.
Proof.
  intros q o. unfold U. split.
  - intros (x & hx & h). destruct (Z.eq_dec x q) as [-> |]; [right; lia |].
    left. exists x. lia.
  - intros [(x & hx & h) | h]; [exists x; lia | exists q; lia].
Qed.

Lemma v_not_U : forall q, ~ U v q (v q).
Proof. intros q (x & hx & h). apply v_injective in h. lia. Qed.

Lemma U_period : forall q o, U v (q + P) o <-> U v q o.
Proof.
  intros q o. split; intros (x & hx & h).
  - exists (x - P). rewrite <- v_periodic. replace (x - P + P) with x by lia. lia.
  - exists (x + P). rewrite v_periodic. lia.
Qed.

Lemma U_dec : forall q o, U v q o \/ ~ U v q o.
Proof.
  intros q o. destruct (U_count q) as (l & (_ & hl) & _).
  destruct (in_dec Nat.eq_dec o l) as [h | h]; rewrite hl in h; [now left | now right].
Qed.

(** U(q) has no offset above M. *)
Definition Below (M : nat) (q : Z) : Prop := forall o, U v q o -> (o <= M)%nat.

Lemma below_v : forall M q, (m <= M)%nat -> Below M q -> (v q <= S M)%nat.
Proof.
  intros M q hM h. destruct (le_lt_dec (v q) (S M)) as [| hlt]; [assumption |].
  destruct (v_least q (S M) hlt) as [hu | hc]; [apply h in hu; lia | apply C_range in hc; lia].
Qed.

Lemma below_everywhere : forall M q q', (m <= M)%nat -> Below M q -> Below M q'.
Proof.
  intros M q q' hM. apply (everywhere P (Below M) P_positive); clear q q'; intros q h o hu.
  - pose proof (below_v M q hM h). apply U_step in hu. destruct hu as [hu | hu]; [| lia].
    apply h in hu. lia.
  - apply h, U_period, hu.
Qed.

(** Either no offset in U is above m, or the row is constant. *)
Theorem bounded_or_constant :
  (forall q, Below m q) \/ (exists M, (m < M)%nat /\ forall q, v q = S M).
Proof.
  assert (some : exists n, Below (m + n) 0).
  { destruct (U_count 0) as (l & (_ & hl) & _). exists (list_max l). intros o ho.
    apply hl in ho. pose proof (proj1 (list_max_le l (list_max l)) (le_n _)) as all.
    rewrite Forall_forall in all. apply all in ho. lia. }
  destruct some as (n & h). induction n as [| n IH].
  - left. intros q. apply (below_everywhere m 0); [lia |].
    now replace (m + 0)%nat with m in h by lia.
  - destruct (U_dec 0 (m + S n)) as [hu | hu].
    + right. exists (m + S n)%nat. split; [lia |]. intros q.
      assert (hq : Below (m + S n) q) by (apply (below_everywhere _ 0); [lia | exact h]).
      pose proof (below_v (m + S n) q ltac:(lia) hq) as hv.
      destruct (Nat.eq_dec (v q) (S (m + S n))) as [| hne]; [assumption |]. exfalso.
      assert (low : Below (m + n) (q + 1)).
      { intros o ho. apply U_step in ho. destruct ho as [ho | ho]; [| lia].
        apply hq in ho. lia. }
      assert (h0 : Below (m + n) 0) by (apply (below_everywhere _ (q + 1)); [lia | exact low]).
      apply h0 in hu. lia.
    + apply IH. intros o ho. pose proof (h o ho).
      destruct (Nat.eq_dec o (m + S n)) as [-> |]; [| lia].
      contradiction.
Qed.

Lemma constant_mean : forall M, (forall q, v q = S M) -> mu = S M.
Proof.
  intros M h. apply (counts_unique (U v 0)); [apply U_count |].
  apply (counts_ext (fun o => 0 <= o < 0 + S M)%nat); [| apply counts_interval].
  intros o. split.
  - intros ho. exists (Z.of_nat o - Z.of_nat (S M)). rewrite h. lia.
  - intros (x & hx & e). rewrite h in e. lia.
Qed.

(** The offsets that the rows to this one block. *)
Definition C' (q : Z) (o : nat) : Prop := C q o \/ o = v q.

Section Bounded.

Hypothesis bounded : forall q, Below m q.

Lemma v_at_most : forall q, (v q <= S m)%nat.
Proof. intros q. now apply below_v. Qed.

(** A hole of depth d. *)
Definition Hole (q : Z) (d : nat) : Prop := (d <= m)%nat /\ ~ U v q (m - d).

Theorem number_of_holes : forall q, (mu <= m + 1)%nat /\ Counts (Hole q) (m + 1 - mu).
Proof.
  intros q. pose proof (U_count q) as hc. destruct (U_count q) as (l & (_ & hl) & _).
  assert (dec : forall o, {U v q o} + {~ U v q o}).
  { intros o. destruct (in_dec Nat.eq_dec o l) as [hi | hi]; rewrite hl in hi; auto. }
  destruct (counts_part (U v q) (fun o => 0 <= o < 0 + (m + 1))%nat (m + 1) dec)
    as (a & _ & ha); [apply counts_interval |].
  destruct (counts_part (fun o => ~ U v q o) (fun o => 0 <= o < 0 + (m + 1))%nat (m + 1))
    as (b & _ & hb); [| apply counts_interval |].
  { intros o. destruct (dec o); [now right | now left]. }
  pose proof (counts_split _ _ _ _ _ dec (counts_interval 0 (m + 1)) ha hb) as e.
  assert (ea : a = mu).
  { apply (counts_unique (U v q)); [| exact hc]. revert ha. apply counts_ext.
    intros o. split; [tauto |]. intros h. pose proof (bounded q o h). split; [lia | exact h]. }
  split; [lia |]. replace (m + 1 - mu)%nat with b by lia.
  revert hb. apply (counts_image _ _ (fun o d => o + d = m)%nat).
  - intros o (ho & h). exists (m - o)%nat. split; [| lia]. split; [lia |].
    now replace (m - (m - o))%nat with o by lia.
  - intros o o' d. lia.
  - intros o d d'. lia.
  - intros d (hd & h). exists (m - d)%nat. split; [split; [lia | exact h] | lia].
Qed.

(** A hole was born in a column in which the value is not above m. *)
Lemma hole_born : forall q d, Hole q d -> (v (q - d - 1) <= m)%nat.
Proof.
  intros q d (hd & h). pose proof (v_at_most (q - d - 1)).
  destruct (Nat.eq_dec (v (q - d - 1)) (S m)) as [e |]; [| lia].
  destruct h. exists (q - d - 1). lia.
Qed.

(** A value that is not above m fills a hole. *)
Lemma fills : forall q, (v q <= m)%nat -> Hole q (m - v q).
Proof.
  intros q h. split; [lia |]. replace (m - (m - v q))%nat with (v q) by lia. apply v_not_U.
Qed.

(** 1.1 and 1.2: the case of one hole. *)
Section OneHole.

Hypothesis mean : mu = m.

Theorem one_hole : forall q, exists d, Hole q d /\ forall d', Hole q d' -> d' = d.
Proof.
  intros q. destruct (number_of_holes q) as (_ & (l & (_ & hl) & len)).
  replace (m + 1 - mu)%nat with 1%nat in len by lia. destruct l as [| d [| d1 l]]; try discriminate.
  exists d. split; [apply hl; now left |]. intros d' h. apply hl in h. destruct h as [-> | []].
  reflexivity.
Qed.

Theorem hole_sinks : forall q d, Hole q d -> C q (m - d) -> v q = S m /\ Hole (q + 1) (S d).
Proof.
  intros q d h hc. destruct (one_hole q) as (d0 & _ & unique).
  assert (hv : v q = S m).
  { pose proof (v_at_most q). destruct (Nat.eq_dec (v q) (S m)) as [| hne]; [assumption |].
    pose proof (fills q ltac:(lia)) as hf. apply unique in hf. apply unique in h as e.
    destruct (v_free q). now replace (v q) with (m - d)%nat by lia. }
  split; [exact hv |]. pose proof (C_range _ _ hc). split; [lia |]. rewrite U_step.
  replace (S (m - S d)) with (m - d)%nat by lia. intros [hu | hu]; [now apply h in hu | lia].
Qed.

Theorem hole_filled : forall q d, Hole q d -> ~ C q (m - d) ->
  v q = (m - d)%nat /\ Hole (q + 1) 0.
Proof.
  intros q d h hc. destruct (one_hole q) as (d0 & _ & unique).
  assert (hle : (v q <= m - d)%nat).
  { destruct (le_lt_dec (v q) (m - d)) as [| hlt]; [assumption |].
    destruct (v_least q _ hlt) as [hu | hu]; [now apply h in hu | contradiction]. }
  pose proof (fills q ltac:(lia)) as hf. apply unique in hf. apply unique in h as e.
  pose proof (proj1 h). split; [lia |]. split; [lia |]. rewrite U_step.
  intros [hu | hu]; [apply bounded in hu; lia | lia].
Qed.

End OneHole.

(** ** 5.1, with a law for the rows below *)

Section WithLaw.

Variables (e w : Z -> nat) (N : nat).
Hypothesis below : Obeys P C m e w N.

Let law : Law P e w := obeys_law _ _ _ _ _ _ below.
Let L1_below := obeys_L1_below _ _ _ _ _ _ below.
Let L1_free := obeys_L1_free _ _ _ _ _ _ below.
Let L2 := obeys_L2 _ _ _ _ _ _ below.

Lemma e_at_most : forall q, (e q <= m)%nat.
Proof.
  intros q. destruct (le_lt_dec (e q) m) as [| hlt]; [assumption |].
  destruct (L1_below q m hlt) as (_ & h). apply C_range in h. lia.
Qed.

(** The columns in which a hole is filled. *)
Definition V (q : Z) : bool := (v q <=? m)%nat.

Lemma V_true : forall q, V q = true <-> (v q <= m)%nat.
Proof. intros q. apply Nat.leb_le. Qed.

Lemma V_false : forall q, V q = false -> v q = S m.
Proof. intros q h. apply Nat.leb_gt in h. pose proof (v_at_most q). lia. Qed.

(** The hole that is born in a column of V is there until its ball falls next. *)
Lemma hole_until_next : forall x q (d : nat), V x = true -> x < q <= next w x ->
  q = x + d + 1 -> Hole q d.
Proof.
  intros x q d hx hq hd. assert (hm : (d <= m)%nat).
  { destruct (Z.eq_dec q (next w x)) as [-> |].
    - pose proof (e_at_most (next w x)). pose proof (e_next P e w law x). unfold next in *. lia.
    - destruct (L2 x q d); [lia | exact hd | assumption]. }
  split; [exact hm |]. intros (y & hy & h). apply V_true in hx.
  destruct (V y) eqn:ey.
  - apply V_true in ey. destruct (Z_le_gt_dec y x) as [hle |].
    + destruct (Z.eq_dec y x) as [-> |]; lia.
    + destruct (L2 x y (Z.to_nat (y - x - 1))) as (_ & hc); [lia | lia |].
      apply (v_free y). now replace (v y) with (m - Z.to_nat (y - x - 1))%nat by lia.
  - apply V_false in ey. assert (y = x) by lia. subst y. lia.
Qed.

Lemma V_closed : forall x, V (next w x) = V x.
Proof.
  apply (closed_set P e w law V).
  - intros q. unfold V. now rewrite v_periodic.
  - intros x hx. pose proof (w_positive P e w law x). pose proof (e_next P e w law x) as he.
    destruct (hole_until_next x (next w x) (e (next w x)) hx) as (hd & hu);
      [unfold next; lia | unfold next in *; lia |].
    destruct (V (next w x)) eqn:ev; [reflexivity |]. apply V_false in ev.
    destruct (v_least (next w x) (m - e (next w x))) as [h | h]; [lia | contradiction |].
    destruct (L1_free (next w x)). split; [exact hd | exact h].
Qed.

Lemma V_periodic : forall q, V (q + P) = V q.
Proof. intros q. unfold V. now rewrite v_periodic. Qed.

(** The balls of V are at most as many as the holes. *)
Theorem balls_and_holes : exists g, BallsIn V w g /\ (g <= m + 1 - mu)%nat /\
  ((1 <= m + 1 - mu)%nat -> (1 <= g)%nat) /\
  (g = (m + 1 - mu)%nat -> forall q, V q = true -> (v q + e q = m)%nat).
Proof.
  destruct (balls_in_exist P e w law V V_periodic V_closed) as (g & hg).
  assert (total : forall q j, Last w (q - 1) j /\ V (q - 1 - j) = true ->
    exists d, Hole q d /\ j = d).
  { intros q j (hj & hv). exists j. split; [| reflexivity]. unfold Last in hj.
    apply (hole_until_next (q - 1 - j)); [exact hv | unfold next; lia | lia]. }
  exists g. split; [exact hg |]. split; [| split].
  - apply (counts_le _ (Hole 0) eq) with (1 := total 0) (3 := hg (0 - 1)).
    + intros j j' d _ _ -> ->. reflexivity.
    + apply number_of_holes.
  - intros h. destruct (number_of_holes 0) as (_ & (l & (_ & hl) & len)).
    destruct l as [| d l]; [simpl in len; lia |].
    assert (hd : Hole 0 d) by (apply hl; now left). apply hole_born, V_true in hd.
    exact (balls_in_positive V w g _ (w_positive P e w law) hg hd).
  - intros hgh q hq. pose proof (proj1 (V_true q) hq) as hv.
    destruct (counts_onto (fun j => Last w (q - 1) j /\ V (q - 1 - j) = true) (Hole q) eq g)
      with (1 := total q) (y := (m - v q)%nat) as (j & (hj & hvj) & ej).
    + intros j j' d _ _ -> ->. reflexivity.
    + apply hg.
    + rewrite hgh. apply number_of_holes.
    + now apply fills.
    + subst j. unfold Last in hj. set (x := q - 1 - (m - v q)%nat) in *.
      destruct (Z.eq_dec (next w x) q) as [en | hne].
      * pose proof (e_next P e w law x) as he. rewrite en in he.
        unfold next in en. lia.
      * destruct (L2 x q (m - v q)) as (_ & hc); [unfold next in *; lia | lia |].
        destruct (v_free q). now replace (v q) with (m - (m - v q))%nat by lia.
Qed.

(** The law of the rows to this one, with m + 1 in the place of m. *)
Definition e' (q : Z) : nat := if V q then O else S (e q).
Definition w' (x : Z) : nat := if V (x + 1) then 1%nat else S (w (x + 1)).

Theorem next_law : Law P e' w'.
Proof.
  split.
  - exact P_positive.
  - intros q. unfold e'. now rewrite V_periodic, (law_e P e w law).
  - intros x. unfold w'. replace (x + P + 1) with (x + 1 + P) by lia.
    now rewrite V_periodic, (law_w P e w law).
  - intros q. unfold fell, next, e', w'. destruct (V q) eqn:ev.
    + replace (q - 0%nat - 1 + 1) with q by lia. rewrite ev. lia.
    + replace (q - S (e q) - 1 + 1) with (fell e q) by (unfold fell; lia).
      rewrite <- V_closed, (law_fell P e w law), ev, (w_fell P e w law). unfold fell. lia.
  - intros x. unfold fell, next, w'. destruct (V (x + 1)) eqn:ev.
    + unfold e'. replace (x + 1%nat) with (x + 1) by lia. rewrite ev. lia.
    + replace (x + S (w (x + 1))) with (next w (x + 1)) by (unfold next; lia). unfold e'.
      rewrite V_closed, ev. pose proof (e_next P e w law (x + 1)). unfold next in *. lia.
Qed.

Theorem next_balls : forall g, BallsIn V w g -> (g <= N)%nat /\ Balls w' (N + 1 - g).
Proof.
  intros g hg. pose proof (obeys_balls _ _ _ _ _ _ below) as hN.
  assert (each : forall q, exists n, (N = g + n)%nat /\ Counts (Last w' q) (n + 1)).
  { intros q. destruct (counts_part (fun j => ~ V (q - j) = true) (Last w q) N) with (2 := hN q)
      as (n & _ & hn).
    { intros j. destruct (bool_true_dec (V (q - j))); [now right | now left]. }
    exists n. split.
    - apply (counts_split (fun j => V (q - j) = true) (Last w q) _ _ _
        (fun j => bool_true_dec _) (hN q)); [apply hg | exact hn].
    - rewrite Nat.add_comm.
      apply (counts_ext (fun j => (0 <= j < 0 + 1)%nat \/
        exists i, j = S i /\ Last w q i /\ ~ V (q - i) = true)).
      + intros j. unfold Last, w'. destruct j as [| j].
        * split; [| left; lia]. intros _. destruct (V (q - 0%nat + 1)); lia.
        * replace (q - S j + 1) with (q - j) by lia. split.
          -- intros [h | (i & ej & h & hv)]; [lia |]. injection ej as <-.
             destruct (V (q - j)); [now destruct hv | lia].
          -- intros h. right. exists j. split; [reflexivity |].
             destruct (V (q - j)); [lia |]. split; [lia | easy].
      + apply counts_or; [| apply counts_interval |].
        * intros j hj (i & -> & _). lia.
        * revert hn. apply (counts_image _ _ (fun i j => j = S i)).
          -- intros i hi. exists (S i). split; [now exists i | reflexivity].
          -- intros i i' j _ _ -> e0. now injection e0.
          -- intros i j j' _ -> ->. reflexivity.
          -- intros j (i & -> & hi). exists i. now split. }
  destruct (each 0) as (n & en & _). split; [lia |]. intros q.
  destruct (each q) as (n' & en' & h). now replace (N + 1 - g)%nat with (n' + 1)%nat by lia.
Qed.

Theorem next_obeys : forall g, BallsIn V w g -> Obeys P C' (S m) e' w' (N + 1 - g).
Proof.
  intros g hg. split.
  - apply next_law.
  - intros q o [h | ->]; [apply C_range in h; lia |].
    pose proof (v_at_most q). pose proof (v_positive q). lia.
  - intros q d hd. unfold e' in hd. destruct (V q) eqn:ev; [lia |]. apply V_false in ev.
    destruct d as [| d]; [split; [lia | right; lia] |].
    destruct (L1_below q d) as (h & hc); [lia |]. split; [lia | now left].
  - intros q (hd & h). unfold e' in *. destruct (V q) eqn:ev.
    + apply V_true in ev. destruct h as [h | h]; [apply C_range in h; lia | lia].
    + apply V_false in ev. pose proof (e_at_most q). destruct h as [h | h]; [| lia].
      apply (L1_free q). split; [lia | exact h].
  - intros x q d hq hd. unfold next, w' in hq. destruct (V (x + 1)) eqn:ev; [lia |].
    apply V_false in ev. destruct d as [| d].
    + split; [lia |]. right. replace q with (x + 1) by lia. lia.
    + destruct (L2 (x + 1) q d) as (h & hc); [unfold next; lia | lia |]. split; [lia | now left].
  - now apply next_balls.
Qed.

End WithLaw.

End Bounded.

(** A reset: the mean is at least m + 2. *)
Theorem reset_obeys : forall M, (m < M)%nat -> (forall q, v q = S M) ->
  Obeys P C' (S M) (fun _ => 1%nat) (fun _ => 2%nat) 2.
Proof.
  intros M hM hv. split.
  - split; intros; unfold fell, next; lia.
  - intros q o [h | ->]; [apply C_range in h; lia | rewrite hv; lia].
  - intros q d hd. split; [lia |]. right. rewrite hv. lia.
  - intros q (_ & [h | h]); [apply C_range in h; lia | rewrite hv in h; lia].
  - intros x q d hq hd. unfold next in hq. split; [lia |]. right. rewrite hv. lia.
  - intros q. apply (counts_ext (fun j => 0 <= j < 0 + 2)%nat); [| apply counts_interval].
    intros j. unfold Last. lia.
Qed.

End Far.

(** Theorem 5.1. *)
Theorem row_above : forall P v C m mu e w N, FarRow P v C mu -> Obeys P C m e w N ->
  ((m + 2 <= mu)%nat /\ (forall q, v q = mu) /\
    Obeys P (C' v C) mu (fun _ => 1%nat) (fun _ => 2%nat) 2) \/
  ((mu <= m + 1)%nat /\ (forall x, V v m (next w x) = V v m x) /\
    (forall q, V v m q = false -> v q = S m) /\
    exists g, BallsIn (V v m) w g /\ (g <= m + 1 - mu)%nat /\ (g <= N)%nat /\
      ((1 <= m + 1 - mu)%nat -> (1 <= g)%nat) /\
      (g = (m + 1 - mu)%nat -> forall q, V v m q = true -> (v q + e q = m)%nat) /\
      Obeys P (C' v C) (S m) (e' v m e) (w' v m w) (N + 1 - g)).
Proof.
  intros P v C m mu e w N row below.
  pose proof (obeys_range _ _ _ _ _ _ below) as range.
  destruct (bounded_or_constant P v C m mu row range) as [hb | (M & hM & hv)].
  - right. split; [apply (number_of_holes P v C m mu row hb 0) |].
    split; [exact (V_closed P v C m mu row range hb e w N below) |].
    split; [exact (V_false P v C m mu row range hb) |].
    destruct (balls_and_holes P v C m mu row range hb e w N below) as (g & hg & h1 & h2 & h3).
    exists g. split; [exact hg |]. split; [exact h1 |].
    split; [eapply next_balls; eassumption |].
    split; [exact h2 |]. split; [exact h3 |]. now apply (next_obeys P v C m mu).
  - left. pose proof (constant_mean P v C mu row M hv) as ->.
    split; [lia |]. split; [exact hv |]. now apply (reset_obeys P v C m (S M)).
Qed.
