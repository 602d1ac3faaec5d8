(** * Laws of rows

Sections 2 to 5 of [cascade.md]: the far columns of every row obey a law, and the finite rows
determine the number of its holes. For rows with at most one hole they determine which rows are
constant, and the patterns up to a choice between balls. *)

From Coq Require Import Arith List ZArith Lia Bool.
From Chomp Require Import Rules Recurrence Byrnes Values Counting Uniqueness Density Laws Balls.
From Chomp Require Import FarColumns.
Import ListNotations.

Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** ** 2.1. Laws *)

(** The rows below row r block depth d in column q, if depths are measured from m. *)
Definition BlockedDepth (r m q d : nat) : Prop :=
  (d <= m)%nat /\ ColumnBlocked r q (q + (m - d)).

(** 2.1 for the rows below row r. S(x) = x + w(x) is the inverse of T(q) = q - e(q) - 1; and w gives
the number of balls. *)
Definition LawOfRows (r m N : nat) (e w : Z -> nat) : Prop :=
  (exists k, 0 < k /\ (forall q, e (q + k) = e q) /\ (forall x, w (x + k) = w x)) /\
  (forall q, next w (fell e q) = q) /\ (forall x, fell e (next w x) = x) /\
  Balls w N /\
  exists X : nat, forall q : nat, (X <= q)%nat ->
    (forall o, ColumnBlocked r q (q + o) -> (o <= m)%nat) /\
    (forall d, (d < e q)%nat -> BlockedDepth r m q d) /\
    ~ BlockedDepth r m q (e q) /\
    (forall (x : Z) (d : nat), x < q < next w x -> Z.of_nat q = x + d + 1 -> BlockedDepth r m q d).

Theorem law_of_obeys : forall r P C m e w N, Blocks r P C -> Obeys P C m e w N ->
  LawOfRows r m N e w.
Proof.
  intros r P C m e w N (hP & _ & X & hX) [[_ he hw hf hn] range l1 l1' l2 balls].
  split; [now exists P |]. split; [exact hf |]. split; [exact hn |]. split; [exact balls |].
  assert (same : forall q d, (X <= q)%nat -> (Depth C m q d <-> BlockedDepth r m q d)).
  { intros q d hq. unfold Depth, BlockedDepth. now rewrite (hX q hq). }
  exists X. intros q hq. split; [| split; [| split]].
  - intros o h. apply (hX q hq) in h. apply (range q o h).
  - intros d hd. apply same; [exact hq | now apply l1].
  - intros h. apply (l1' q). now apply same.
  - intros x d hx hd. apply same; [exact hq | now apply (l2 x)].
Qed.

Theorem obeys_of_law : forall r P C m N e w,
  Blocks r P C -> (forall q o, C q o -> (1 <= o)%nat) -> LawOfRows r m N e w ->
  exists R, Blocks r R C /\ Obeys R C m e w N.
Proof.
  intros r P C m N e w hb positive ((k & hk & he & hw) & hf & hn & balls & X & hX).
  assert (hP : 0 < P) by apply hb.
  pose proof (blocks_multiple r P C (Z.to_nat k) ltac:(lia) hb) as hb'.
  replace (Z.to_nat k * P) with (k * P) in hb' by lia. exists (k * P). split; [exact hb' |].
  assert (he' : forall i q, e (q + i * (k * P)) = e q).
  { intros i q. replace (i * (k * P)) with (i * P * k) by lia. now apply period_multiple. }
  assert (hw' : forall i x, w (x + i * (k * P)) = w x).
  { intros i x. replace (i * (k * P)) with (i * P * k) by lia. now apply period_multiple. }
  pose proof (C_shift r (k * P) C hb') as shift. destruct hb' as (hR & _ & Y & hY).
  assert (far : forall q, exists i (n : nat), q + i * (k * P) = n /\ (X <= n)%nat /\
    forall o, C q o <-> ColumnBlocked r n (n + o)).
  { intros q. destruct (far_shift (k * P) q (X + Y) hR) as (i & n & e0 & hn0). exists i, n.
    split; [exact e0 |]. split; [lia |]. intros o. rewrite <- (shift i), e0. apply hY. lia. }
  split.
  - split; try assumption.
    + intros q. replace (k * P) with (1 * (k * P)) by lia. apply he'.
    + intros x. replace (k * P) with (1 * (k * P)) by lia. apply hw'.
  - intros q o h. split; [exact (positive q o h) |]. destruct (far q) as (i & n & _ & hn0 & hC).
    exact (proj1 (hX n hn0) o (proj1 (hC o) h)).
  - intros q d hd. destruct (far q) as (i & n & e0 & hn0 & hC). rewrite <- (he' i), e0 in hd.
    destruct (proj1 (proj2 (hX n hn0)) d hd) as (hdm & h). split; [exact hdm | now apply hC].
  - intros q (hdm & h). destruct (far q) as (i & n & e0 & hn0 & hC).
    pose proof (he' i q) as e1. rewrite e0 in e1.
    apply (proj1 (proj2 (proj2 (hX n hn0)))). rewrite e1. split; [exact hdm | now apply hC].
  - intros x q d hx hd. destruct (far q) as (i & n & e0 & hn0 & hC).
    destruct (proj2 (proj2 (proj2 (hX n hn0))) (x + i * (k * P)) d) as (hdm & h).
    + unfold next in *. rewrite hw'. lia.
    + lia.
    + split; [exact hdm | now apply hC].
  - exact balls.
Qed.

Theorem law_of_no_rows : LawOfRows 0 0 1 (fun _ => O) (fun _ => 1%nat).
Proof. apply (law_of_obeys 0 1 (fun _ _ => False)); apply no_rows. Qed.

Theorem next_law_after_finite : forall r m N e w, Ends r ->
  LawOfRows r m N e w -> LawOfRows (S r) m N e w.
Proof.
  intros r m N e w he hl. destruct (blocks_exist r) as (P0 & C & hb0 & positive).
  destruct (obeys_of_law r P0 C m N e w hb0 positive hl) as (P & hb & ho).
  exact (law_of_obeys _ _ _ _ _ _ _ (blocks_after_end r P C he hb) ho).
Qed.

(** Theorem 5.1 for rows: the law after a row that does not end. *)
Theorem next_law : forall r m N e w finite, ~ Ends r -> LawOfRows r m N e w ->
  Counts (fun c => (c < r)%nat /\ Ends c) finite ->
  exists P v, Continues r P v /\
  ((m < finite)%nat /\ (forall q, v q = 1 + finite)%nat /\
     LawOfRows (S r) (1 + finite) 2 (fun _ => 1%nat) (fun _ => 2%nat) \/
   (finite <= m)%nat /\ (forall x, V v m (next w x) = V v m x) /\
     (forall q, V v m q = false -> v q = S m) /\
     exists g, BallsIn (V v m) w g /\ (g <= m - finite)%nat /\ (g <= N)%nat /\
       ((1 <= m - finite)%nat -> (1 <= g)%nat) /\
       (g = (m - finite)%nat -> forall q, V v m q = true -> (v q + e q = m)%nat) /\
       LawOfRows (S r) (S m) (N + 1 - g) (e' v m e) (w' v m w)).
Proof.
  intros r m N e w finite hr hl hc. destruct (blocks_exist r) as (P0 & C & hb0 & positive).
  destruct (obeys_of_law r P0 C m N e w hb0 positive hl) as (P & hb & ho).
  destruct (common_period r finite P C hr hc hb) as (n & v & hn & hv & hb' & row).
  apply (obeys_multiple _ _ _ _ _ _ n hn) in ho.
  pose proof (blocks_next r _ v C hv hb') as hnext. exists (n * P), v. split; [exact hv |].
  destruct (row_above _ v C m _ e w N row ho) as
    [(hm & hconst & ho') | (hm & closed & hV & g & hg & h1 & h2 & h3 & h4 & ho')].
  - left. split; [lia |]. split; [exact hconst |]. exact (law_of_obeys _ _ _ _ _ _ _ hnext ho').
  - right. split; [lia |]. split; [exact closed |]. split; [exact hV |]. exists g.
    split; [exact hg |]. split; [lia |]. split; [exact h2 |]. split; [intros h; apply h3; lia |].
    split; [intros h; apply h4; lia |]. exact (law_of_obeys _ _ _ _ _ _ _ hnext ho').
Qed.

(** A row that takes out no ball is constant. One that takes out some of the balls, but not all, is
not. *)
Lemma constant_or_not : forall r P v m w N g, Continues r P v ->
  (forall x, (1 <= w x)%nat) -> Balls w N -> BallsIn (V v m) w g ->
  (forall q, V v m q = false -> v q = S m) ->
  (g = O -> Constant r) /\ ((1 <= g < N)%nat -> ~ Constant r).
Proof.
  intros r P v m w N g hv hw hN hg hV. split.
  - intros ->. assert (none : forall q, v q = S m).
    2: { apply (constant_values r P v hv). intros x y. now rewrite !none. }
    intros q. apply hV, (no_balls _ w q hw hg).
  - intros hgN hconst. pose proof (proj1 (constant_values r P v hv) hconst) as same.
    destruct (hg 0) as (l & (_ & hl) & len). destruct l as [| j l]; [simpl in len; lia |].
    assert (hj : V v m (0 - j) = true) by (apply hl; now left).
    assert (e0 : N = g); [| lia]. apply (counts_unique _ _ _ (hN 0)).
    generalize (hg 0). apply counts_ext. intros i. split; [tauto |]. intros hi.
    split; [exact hi |]. unfold V in *. now rewrite (same (0 - i) (0 - j)).
Qed.

(** ** 2.2 and 3.2. Rows with one hole *)

(** Let the rows below row r have a law with the period P and N balls, and let m be the mean of row
r. Then row r fills its hole in the columns V of one ball, and it has a period cP with c <= N. If
every ball is a shift of this one by a multiple of P, and P is the least period of e, then c = N,
and cP divides all periods of the row. *)
Theorem period_of_row : forall r m N e w P, ~ Ends r ->
  Counts (fun c => (c < r)%nat /\ Ends c) (m - 1) -> (1 <= m)%nat -> LawOfRows r m N e w ->
  0 < P -> (forall q, e (q + P) = e q) -> (forall x, w (x + P) = w x) ->
  exists (c : nat) (V : Z -> bool), (1 <= c <= N)%nat /\
    BallsIn V w 1 /\ (forall x, V (next w x) = V x) /\
    (exists X : nat, forall q : nat, (X <= q)%nat ->
      F q r (q + if V q then m - e q else m + 1)%nat) /\
    (exists s, Periodic r s (c * Z.to_nat P)) /\
    ((forall q, exists i, V (q + i * P) = true) ->
      (forall p, (forall q, e (q + p) = e q) -> (P | p)) ->
      c = N /\ forall s k, Periodic r s k -> Nat.divide (c * Z.to_nat P) k).
Proof.
  intros r m N e w P hr hc hm hl hP he hw. destruct (blocks_exist r) as (P0 & C & hb0 & positive).
  pose proof hl as (_ & hf & hn & balls & _).
  destruct (obeys_of_law r P0 C m N e w hb0 positive hl) as (R & hb & ho).
  assert (hR : 0 < R) by apply hb.
  pose proof (blocks_multiple _ _ _ (Z.to_nat P) ltac:(lia) hb) as hb1.
  pose proof (obeys_multiple _ _ _ _ _ _ (Z.to_nat P) ltac:(lia) ho) as ho1.
  destruct (common_period r _ _ C hr hc hb1) as (n & v & hn0 & hv & _ & row).
  replace (1 + (m - 1))%nat with m in row by lia.
  destruct (one_ball _ v C m e w N row (obeys_multiple _ _ _ _ _ _ n hn0 ho1))
    as (hone & closed & values & _).
  destruct (pattern_periods P e w N (n * Z.to_nat R) (V v m)) with (v := v) (m := m)
    as (c & hcN & h1 & h2); try assumption.
  - now split.
  - nia.
  - intros q. unfold V. rewrite <- (row_periodic _ _ _ _ row q). f_equal. f_equal. lia.
  - exists c, (V v m). split; [exact hcN |]. split; [exact hone |]. split; [exact closed |].
    split; [| split].
    + destruct hv as (_ & _ & X & hX). exists X. intros q hq. specialize (hX q hq).
      specialize (values q). destruct (V v m q).
      * now replace (m - e q)%nat with (v q) by lia.
      * now replace (m + 1)%nat with (v q) by lia.
    + apply (periods r _ v _ hv); [nia |]. intros q.
      now replace (q + (c * Z.to_nat P)%nat) with (q + c * P) by lia.
    + intros every least. destruct (h2 every least) as (e0 & h3). split; [exact e0 |].
      intros s k hp. destruct (h3 k) as (j & hj).
      * apply (periods r _ v _ hv); [apply hp | now exists s].
      * exists (Z.to_nat j). assert (0 <= j) by (destruct hp; nia). nia.
Qed.

(** 3.5. The row takes out the balls of V. If X numbers the balls, and 0 stands for V, the exchanges
sigma number the balls of the next law. *)
Theorem exchanges_of_row : forall r m N e w, ~ Ends r ->
  Counts (fun c => (c < r)%nat /\ Ends c) (m - 1) -> (1 <= m)%nat -> LawOfRows r m N e w ->
  exists V : Z -> bool, BallsIn V w 1 /\ (forall x, V (next w x) = V x) /\
    (exists Y : nat, forall q : nat, (Y <= q)%nat ->
      F q r (q + if V q then m - e q else m + 1)%nat) /\
    let w' := fun x => if V (x + 1) then 1%nat else S (w (x + 1)) in
    LawOfRows (S r) (S m) N (fun q => if V q then O else S (e q)) w' /\
    forall X sigma, Numbers w N X -> (forall q, V q = (X q =? 0)%nat) ->
      (forall q i, (i < N)%nat -> sigma q i = sigma (q - 1) (exchange (X q) i)) ->
      (forall q i, (i < N)%nat -> (sigma q i < N)%nat) ->
      (forall q i i', (i < N)%nat -> (i' < N)%nat -> sigma q i = sigma q i' -> i = i') ->
      Numbers w' N (fun q => sigma q O).
Proof.
  intros r m N e w hr hc hm hl.
  destruct (next_law r m N e w (m - 1) hr hl hc) as (P & v & (_ & _ & Y & hY) &
    [(h1 & _) | (_ & closed & hV & g & h3 & h4 & _ & h6 & h7 & h8)]); [lia |].
  assert (g = 1%nat) by (specialize (h6 ltac:(lia)); lia). subst g.
  exists (V v m). split; [exact h3 |]. split; [exact closed |]. split.
  - exists Y. intros q hq. specialize (hY q hq). destruct (V v m q) eqn:ev.
    + specialize (h7 ltac:(lia) q ev). now replace (m - e q)%nat with (v q) by lia.
    + now replace (m + 1)%nat with (v q) by (rewrite (hV q ev); lia).
  - split; [now replace (N + 1 - 1)%nat with N in h8 by lia |].
    intros X sigma hX h0 hs hrange hinj. destruct hl as ((k & hk & he & hw) & hf & hn & _).
    exact (exchanges_number k e w v X m N sigma (Build_Law k e w hk he hw hf hn)
      hX h0 hs hrange hinj).
Qed.

(** ** 1. Holes *)

(** The far columns of a row that does not end, for a law of the rows below. *)
Lemma far_holes : forall r finite P0 C, ~ Ends r ->
  Counts (fun c => (c < r)%nat /\ Ends c) finite -> Blocks r P0 C ->
  exists P v (B : nat), FarRow P v C (1 + finite) /\ forall q : nat, (B <= q)%nat ->
    F q r (q + v q) /\ (forall o, C q o <-> ColumnBlocked r q (q + o)) /\
    forall o, U v q o <-> Offsets r q o.
Proof.
  intros r finite P0 C hr hc hb. destruct (periodic_row r hr) as (s & k & hp).
  destruct (common_period r finite P0 C hr hc hb) as (n & v & _ & hv & hb' & row).
  destruct (far_meaning r s k finite _ v C hp hc hv hb') as (B & hB).
  exists (n * P0), v, B. split; [exact row |]. intros q hq.
  destruct (hB q hq) as (h1 & h2 & h3 & _). now split.
Qed.

(** The rows below block the offsets from 1 to m at most, continued to all integers. *)
Lemma far_range : forall r P C m (X : nat), Blocks r P C -> (forall q o, C q o -> (1 <= o)%nat) ->
  (forall q o, (X <= q)%nat -> ColumnBlocked r q (q + o) -> (o <= m)%nat) ->
  forall q o, C q o -> (1 <= o <= m)%nat.
Proof.
  intros r P C m X hb positive range q o h. split; [exact (positive q o h) |].
  assert (hP : 0 < P) by apply hb. pose proof (C_shift r P C hb) as shift.
  destruct hb as (_ & _ & Y & hY). destruct (far_shift P q (X + Y) hP) as (j & n & e & hn).
  apply (range n o); [lia |]. apply hY; [lia |]. rewrite <- e. now apply shift.
Qed.

(** In column q the members of U are the numbers to m, but for the one of depth d. *)
Definition HoleIs (r m q d : nat) : Prop :=
  (d <= m)%nat /\ forall x, Offsets r q x <-> (x <= m /\ x <> m - d)%nat.

(** 1.1 and 1.2. *)
Theorem hole_of_row : forall r m (X : nat), ~ Ends r ->
  Counts (fun c => (c < r)%nat /\ Ends c) (m - 1) -> (1 <= m)%nat ->
  (forall q o, (X <= q)%nat -> ColumnBlocked r q (q + o) -> (o <= m)%nat) ->
  exists far : nat, forall q, (far <= q)%nat -> exists d, HoleIs r m q d /\
    (BlockedDepth r m q d -> F q r (q + (m + 1)) /\ HoleIs r m (q + 1) (d + 1)) /\
    (~ BlockedDepth r m q d -> F q r (q + (m - d)) /\ HoleIs r m (q + 1) 0).
Proof.
  intros r m X hr hc hm range. destruct (blocks_exist r) as (P0 & C & hb & positive).
  pose proof (far_range r P0 C m X hb positive range) as hrange.
  destruct (far_holes r _ P0 C hr hc hb) as (P & v & B & row & far).
  replace (1 + (m - 1))%nat with m in row by lia.
  destruct (one_hole_in_each_column P v C m row hrange) as (one & sinks & filled).
  assert (bounded : forall q, Below v m q).
  { destruct (bounded_or_constant P v C m m row hrange) as [h | (M & hM & hv)]; [exact h |].
    pose proof (constant_mean P v C m row M hv). lia. }
  assert (is : forall q d, (B <= q)%nat -> Hole v m q d -> HoleIs r m q d).
  { intros q d hq h. destruct (far q hq) as (_ & _ & hU). split; [apply h |]. intros x.
    rewrite <- hU. split.
    - intros hx. split; [exact (bounded q x hx) |]. intros ->. now apply h in hx.
    - intros (hx & hne). destruct (U_dec P v C m row q x) as [| hn]; [assumption |].
      destruct (one q) as (d0 & _ & unique). pose proof (unique d h) as e1.
      assert (hd : Hole v m q (m - x)).
      { split; [lia |]. now replace (m - (m - x))%nat with x by lia. }
      apply unique in hd. destruct h. lia. }
  exists B. intros q hq. destruct (one q) as (d & hd & _). exists d.
  destruct (far q hq) as (hf & hC & _).
  assert (same : Depth C m q d <-> BlockedDepth r m q d).
  { unfold Depth, BlockedDepth. now rewrite hC. }
  split; [now apply is |]. rewrite <- same. split; intros h.
  - destruct (sinks q d hd h) as (e & h'). rewrite e in hf. rewrite !Nat.add_1_r.
    split; [exact hf |]. apply is; [lia |]. now rewrite Nat2Z.inj_succ.
  - destruct (filled q d hd h) as (e & h'). rewrite e in hf. rewrite Nat.add_1_r.
    split; [exact hf |]. apply is; [lia |]. now rewrite Nat2Z.inj_succ.
Qed.

(** The number of holes: of the numbers to m, m less the number of finite rows below are not in
U. *)
Theorem holes_of_row : forall r m N e w finite, ~ Ends r -> LawOfRows r m N e w ->
  Counts (fun c => (c < r)%nat /\ Ends c) finite -> (finite <= m)%nat ->
  exists far : nat, forall q, (far <= q)%nat ->
    (forall x, Offsets r q x -> (x <= m)%nat) /\
    Counts (fun x => (x <= m)%nat /\ ~ Offsets r q x) (m - finite).
Proof.
  intros r m N e w finite hr hl hc hm. destruct (blocks_exist r) as (P0 & C & hb & positive).
  destruct (obeys_of_law r P0 C m N e w hb positive hl) as (P1 & hb1 & ho).
  pose proof (obeys_range _ _ _ _ _ _ ho) as hrange.
  destruct (far_holes r _ P1 C hr hc hb1) as (P & v & B & row & far).
  assert (bounded : forall q, Below v m q).
  { destruct (bounded_or_constant P v C m _ row hrange) as [h | (M & hM & hv)]; [exact h |].
    pose proof (constant_mean P v C _ row M hv). lia. }
  exists B. intros q hq. destruct (far q hq) as (_ & _ & hU). split.
  - intros x hx. apply hU in hx. exact (bounded q x hx).
  - destruct (number_of_holes P v C m _ row bounded q) as (_ & h).
    replace (m + 1 - (1 + finite))%nat with (m - finite)%nat in h by lia.
    revert h. apply (counts_image _ _ (fun d x => x + d = m)%nat).
    + intros d (hd & h). exists (m - d)%nat. split; [| lia]. split; [lia |]. now rewrite <- hU.
    + intros; lia.
    + intros; lia.
    + intros x (hx & h). exists (m - x)%nat. split; [| lia]. split; [lia |].
      rewrite hU. now replace (m - (m - x))%nat with x by lia.
Qed.

(** 3.1. *)
Theorem balls_of_rows : forall r m N e w k, LawOfRows r m N e w -> (0 < k)%nat ->
  (forall q, e (q + k) = e q) -> forall q : Z,
  (sum (map (fun i => e (q + Z.of_nat i)%Z) (seq 1 k)) + k = k * N)%nat.
Proof.
  intros r m N e w k ((_ & _) & hf & hn & balls & _) hk he q.
  assert (hw : forall x, w (x + k) = w x).
  { intros x. pose proof (hn x) as h1. pose proof (hf (next w x + k)) as h2.
    unfold fell in h1, h2. rewrite he in h2.
    replace (next w x + k - e (next w x) - 1) with (x + k) in h2 by lia.
    unfold next in h2. lia. }
  pose proof (number_of_balls k e w N (Build_Law k e w ltac:(lia) he hw hf hn) balls q) as h.
  now rewrite Nat2Z.id in h.
Qed.

(** ** 1.3. Static obstacles *)

(** Let the mean of row r be m, let no row below have an offset above m in far columns, and let the
rows below block the depths 0 to d - 1 in each of them, and depth d in none. Then the row repeats
d times the offset m + 1, and once m - d. *)
Theorem obstacles_of_row : forall r m d (X : nat), ~ Ends r ->
  Counts (fun c => (c < r)%nat /\ Ends c) (m - 1) -> (1 <= m)%nat ->
  (forall q o, (X <= q)%nat -> ColumnBlocked r q (q + o) -> (o <= m)%nat) ->
  (forall q i, (X <= q)%nat -> (i < d)%nat -> (i <= m)%nat /\ ColumnBlocked r q (q + (m - i))) ->
  (forall q, (X <= q)%nat -> (d <= m)%nat -> ~ ColumnBlocked r q (q + (m - d))) ->
  (d <= m)%nat /\ exists a far : nat, forall q, (far <= q)%nat ->
    F q r (q + if (q + a) mod (d + 1) =? 0 then m - d else m + 1)%nat.
Proof.
  intros r m d X hr hc hm range low free. destruct (blocks_exist r) as (P & C & hb & positive).
  destruct (common_period r _ P C hr hc hb) as (n0 & v & _ & hv & _ & row).
  replace (1 + (m - 1))%nat with m in row by lia.
  assert (hP : 0 < P) by apply hb. pose proof (C_shift r P C hb) as shift.
  destruct hb as (_ & _ & Y & hY).
  assert (far : forall q o, exists n : nat, (X <= n)%nat /\ (C q o <-> ColumnBlocked r n (n + o))).
  { intros q o. destruct (far_shift P q (X + Y) hP) as (j & n & e & hn). exists n.
    split; [lia |]. rewrite <- (shift j), e. apply hY. lia. }
  destruct (static_obstacles _ v C m d row) as (hd & a & values).
  - intros q o h. split; [exact (positive q o h) |]. destruct (far q o) as (n & hn & e).
    apply (range n o hn), e, h.
  - intros q i hi. destruct (far q (m - i)%nat) as (n & hn & e).
    destruct (low n i hn hi) as (him & h). split; [exact him | now apply e].
  - intros q (hd & h). destruct (far q (m - d)%nat) as (n & hn & e).
    apply (free n hn hd), e, h.
  - split; [exact hd |]. destruct hv as (_ & _ & Z0 & hf).
    exists (Z.to_nat ((- a) mod (d + 1))), Z0. intros q hq. specialize (hf q hq).
    rewrite values in hf. pose proof (Z.mod_pos_bound (- a) (d + 1) ltac:(lia)) as hmod.
    assert (same : (Z.of_nat q - a) mod (d + 1) =
      Z.of_nat ((q + Z.to_nat ((- a) mod (d + 1))) mod (d + 1))).
    { rewrite Nat2Z.inj_mod, Nat2Z.inj_add, Z2Nat.id by lia.
      replace (Z.of_nat (d + 1)) with (d + 1) by lia. rewrite Z.add_mod_idemp_r by lia.
      f_equal. }
    rewrite same in hf. destruct (Nat.eqb_spec ((q + Z.to_nat ((- a) mod (d + 1))) mod (d + 1)) 0)
      as [h0 | h0].
    + rewrite h0 in hf. exact hf.
    + destruct (Z.eqb_spec (Z.of_nat ((q + Z.to_nat ((- a) mod (d + 1))) mod (d + 1))) 0);
        [lia |]. now replace (m + 1)%nat with (S m) by lia.
Qed.

(** ** 5.2 and 5.4. A queue *)

(** h(r) is the number of holes of row r, if it is periodic and the number is not negative. *)
Definition Queue (h : nat -> Z) : Prop :=
  h O = 0 /\ forall r, (Ends r -> h (S r) = h r - 1) /\ (~ Ends r -> h (S r) = Z.max (h r) 0 + 1).

Theorem queue_exists : exists h, Queue h.
Proof.
  exists (fix h r := match r with
    | O => 0
    | S r => if Ends_dec r then h r - 1 else Z.max (h r) 0 + 1
    end).
  split; [reflexivity |]. intros r. destruct (Ends_dec r); split; (reflexivity || contradiction).
Qed.

Section AQueue.

Variable h : nat -> Z.
Hypothesis queue : Queue h.

(** The rows below row r have some law with N balls, and h(r) is m less their number of finite
rows. *)
Definition State (r m N : nat) : Prop :=
  (exists e w, LawOfRows r m N e w) /\
  exists f, Counts (fun c => (c < r)%nat /\ Ends c) f /\ Z.of_nat m = f + h r.

(** One row up. *)
Lemma next_state : forall r m N, State r m N -> exists m' N', State (S r) m' N' /\
  (Ends r -> N' = N) /\ (~ Ends r -> h r < 0 -> N' = 2%nat) /\
  (~ Ends r -> h r = 0 -> N' = S N) /\ (~ Ends r -> h r = 1 -> N' = N) /\
  (~ Ends r -> h r <= 0 -> Constant r) /\
  (~ Ends r -> h r = 1 -> (2 <= N)%nat -> ~ Constant r).
Proof.
  intros r m N ((e & w & hl) & f & hf & hm).
  destruct queue as (_ & hq). destruct (hq r) as (q1 & q2).
  destruct (count_next r f hf) as (c1 & c2). destruct (ends_or_not r) as [he | he].
  - exists m, N. split; [| tauto]. split; [exists e, w; now apply next_law_after_finite |].
    exists (f + 1)%nat. split; [now apply c1 | specialize (q1 he); lia].
  - specialize (q2 he). specialize (c2 he). pose proof hl as (_ & hfell & hnext & balls & _).
    destruct (next_law r m N e w f he hl hf) as (P & v & hv &
      [(h1 & h2 & h3) | (h1 & _ & h2 & g & h3 & h4 & h5 & h6 & _ & h7)]).
    + exists (1 + f)%nat, 2%nat. split.
      * split; [eauto |]. exists f. split; [exact c2 | lia].
      * split; [tauto |]. split; [reflexivity |]. split; [lia |]. split; [lia |].
        split; [intros _ _ | lia]. apply (constant_values r P v hv). intros x y. now rewrite !h2.
    + destruct (constant_or_not r P v m w N g hv) as (k1 & k2); try assumption.
      { intros x. specialize (hnext x). unfold fell, next in hnext. lia. }
      exists (S m), (N + 1 - g)%nat. split.
      * split; [eauto |]. exists f. split; [exact c2 | lia].
      * split; [tauto |]. split; [lia |]. split; [lia |]. split; [lia |].
        split; [intros _ hz; apply k1; lia | intros _ hz hN; apply k2; lia].
Qed.

Lemma state_0 : State 0 0 1.
Proof.
  split; [exists (fun _ => O), (fun _ => 1%nat); exact law_of_no_rows |].
  exists O. split; [apply counts_none; lia |]. destruct queue as (-> & _). reflexivity.
Qed.

Lemma state_exists : forall r, exists m N, State r m N.
Proof.
  induction r as [| r (m & N & hs)]; [exists O, 1%nat; exact state_0 |].
  destruct (next_state r m N hs) as (m' & N' & hs' & _). now exists m', N'.
Qed.

(** A periodic row without holes is constant. *)
Theorem constant_without_holes : forall r, ~ Ends r -> h r <= 0 -> Constant r.
Proof.
  intros r he hr. destruct (state_exists r) as (m & N & hs).
  destruct (next_state r m N hs) as (_ & _ & _ & _ & _ & _ & _ & h5 & _). now apply h5.
Qed.

(** Row b begins a cluster. *)
Definition Begins (b : nat) : Prop := ~ Ends b /\ (b = O \/ h b < 0).

Lemma cluster_balls : forall b r, Begins b -> (b < r)%nat ->
  (forall c, (b <= c < r)%nat -> ~ Ends c -> h c <= 1) ->
  exists m N, State r m N /\ (2 <= N)%nat.
Proof.
  intros b r (hb & hb') hbr. induction r as [| r IH]; intros hc; [lia |].
  destruct (Nat.eq_dec b r) as [-> |].
  - destruct hb' as [-> | hneg].
    + destruct (next_state 0 0 1 state_0) as (m' & N' & hs & _ & _ & hN & _). exists m', N'.
      split; [exact hs |]. rewrite hN by (assumption || apply queue). lia.
    + destruct (state_exists r) as (m & N & hs).
      destruct (next_state r m N hs) as (m' & N' & hs' & _ & hN & _). exists m', N'.
      split; [exact hs' |]. rewrite hN by assumption. lia.
  - destruct IH as (m & N & hs & hN); [lia | intros c hcr; apply hc; lia |].
    destruct (next_state r m N hs) as (m' & N' & hs' & n1 & n2 & n3 & n4 & _).
    exists m', N'. split; [exact hs' |].
    destruct (ends_or_not r) as [he | he]; [rewrite n1 by exact he; exact hN |].
    pose proof (hc r ltac:(lia) he). destruct (Z_lt_le_dec (h r) 0).
    + rewrite n2 by assumption. lia.
    + destruct (Z.eq_dec (h r) 0); [rewrite n3 by assumption; lia |].
      rewrite n4 by (assumption || lia). exact hN.
Qed.

(** 5.4: in a cluster, up to the first row with more than one hole, a row is constant if and only if
it has none. *)
Theorem constant_iff : forall b r, Begins b -> (b <= r)%nat ->
  (forall c, (b <= c <= r)%nat -> ~ Ends c -> h c <= 1) -> ~ Ends r ->
  (Constant r <-> h r <= 0).
Proof.
  intros b r hb hbr hc he. split; [| now apply constant_without_holes].
  intros hconst. destruct (Z_le_gt_dec (h r) 0) as [| hgt]; [assumption |]. exfalso.
  assert (h1 : h r = 1) by (pose proof (hc r ltac:(lia) he); lia).
  assert (hne : b <> r).
  { intros ->. destruct hb as (_ & [-> | hneg]); [| lia]. destruct queue as (h0 & _). lia. }
  destruct (cluster_balls b r hb ltac:(lia)) as (m & N & hs & hN).
  - intros c hcr. apply hc. lia.
  - destruct (next_state r m N hs) as (_ & _ & _ & _ & _ & _ & _ & _ & h6). now apply h6.
Qed.

End AQueue.
