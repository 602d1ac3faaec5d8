(** * Laws of rows

Section 5 of [cascade.md]: the far columns of every row obey a law, and the finite rows determine
the number of its holes; for rows with at most one hole they determine which rows are constant. *)

From Coq Require Import Arith List ZArith Lia Bool.
From Chomp Require Import Rules Recurrence Byrnes Values Counting Uniqueness Density Laws Balls.
Import ListNotations.

Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** C are the offsets that the rows below row r block in far columns, continued with the period P to
all integers. *)
Definition Blocks (r : nat) (P : Z) (C : Z -> nat -> Prop) : Prop :=
  0 < P /\ (forall q o, C (q + P) o <-> C q o) /\
  exists X : nat, forall q : nat, (X <= q)%nat ->
    forall o, C q o <-> ColumnBlocked r q (q + o).

(** v are the offsets of row r, continued in the same way. *)
Definition Continues (r : nat) (P : Z) (v : Z -> nat) : Prop :=
  0 < P /\ (forall q, v (q + P) = v q) /\
  exists X : nat, forall q : nat, (X <= q)%nat -> F q r (q + v q).

(** ** The continuation of a periodic row *)

Lemma continuation_exists : forall r s k, Periodic r s k -> exists v, Continues r k v.
Proof.
  intros r s k h. assert (hk : (0 < k)%nat) by apply h.
  assert (hs : (r <= s)%nat).
  { destruct h as [_ h]. destruct (h s (le_n s)) as (p & (_ & hrs & _) & _). exact hrs. }
  destruct (list_of (fun i x => F (s + i) r (s + i + x)) k) as (l & _ & hl).
  { intros i _. apply offset_exists; [lia |]. exact (periodic_never_ends r s k (s + i) h). }
  exists (fun q => nth (Z.to_nat ((q - s) mod k)) l O). split; [lia |]. split.
  - intros q. replace (q + k - s) with (q - s + 1 * k) by lia. now rewrite Z.mod_add by lia.
  - exists s. intros q hq. pose proof (Z.mod_pos_bound (q - s) k ltac:(lia)) as hm.
    pose proof (Z.div_mod (q - s) k ltac:(lia)) as e.
    pose proof (Z.div_pos (q - s) k ltac:(lia) ltac:(lia)) as hd.
    set (i := Z.to_nat ((q - s) mod k)). set (n := Z.to_nat ((q - s) / k)).
    destruct (hl i) as (x & hx & hf); [lia |]. rewrite (nth_error_nth l i O hx).
    apply (repeats_multiple r s k n (periodic_repeats r s k h)) in hf; [| lia].
    now replace q with (s + i + n * k)%nat by nia.
Qed.

(** From column q on, going to far columns. *)
Lemma far_shift : forall (P : Z) (q : Z) (B : nat), 0 < P ->
  exists (k : Z) (n : nat), q + k * P = n /\ (B <= n)%nat.
Proof.
  intros P q B hP. exists (B + Z.abs q). exists (Z.to_nat (q + (B + Z.abs q) * P)). nia.
Qed.

Section FarColumns.

Variables (r start k finite : nat) (P : Z) (v : Z -> nat) (C : Z -> nat -> Prop).
Hypothesis periodic : Periodic r start k.
Hypothesis counted : Counts (fun c => (c < r)%nat /\ Ends c) finite.
Hypothesis continues : Continues r P v.
Hypothesis blocks : Blocks r P C.

Let P_positive : 0 < P.
Proof. apply blocks. Qed.

Let v_shift : forall n q, v (q + n * P) = v q.
Proof. apply period_multiple, continues. Qed.

Lemma C_shift : forall n q o, C (q + n * P) o <-> C q o.
Proof.
  destruct blocks as (_ & h & _).
  assert (up : forall (n : nat) q o, C (q + n * P) o <-> C q o).
  { induction n as [| n IH]; intros q o; [now replace (q + 0%nat * P) with q by lia |].
    replace (q + S n * P) with (q + n * P + P) by lia. now rewrite h. }
  intros n q o. destruct (Z_le_gt_dec 0 n).
  - replace n with (Z.of_nat (Z.to_nat n)) by lia. apply up.
  - rewrite <- (up (Z.to_nat (- n)) (q + n * P)).
    now replace (q + n * P + Z.to_nat (- n) * P) with q by lia.
Qed.

Lemma U_shift : forall n q o, U v (q + n * P) o <-> U v q o.
Proof.
  intros n q o. split; intros (x & hx & h).
  - exists (x - n * P). rewrite <- (v_shift n). replace (x - n * P + n * P) with x by lia. lia.
  - exists (x + n * P). rewrite v_shift. lia.
Qed.

Let alive : forall q, ~ Ended r q.
Proof. intros q. exact (periodic_never_ends r start k q periodic). Qed.

(** A column from which on v, C and U are those of the row. *)
Lemma far_meaning : exists B : nat, forall q : nat, (B <= q)%nat ->
  F q r (q + v q) /\ (forall o, C q o <-> ColumnBlocked r q (q + o)) /\
  (forall o, U v q o <-> Offsets r q o) /\ Counts (Offsets r q) (1 + finite) /\ Offsets r q 0.
Proof.
  destruct continues as (_ & _ & X1 & h1). destruct blocks as (_ & _ & X2 & h2).
  destruct (far_columns r start k finite periodic counted) as (X3 & _ & h3).
  exists (X1 + X2 + X3 + 2 * r + 2)%nat. intros q hq.
  split; [apply h1; lia |]. split; [apply h2; lia |]. split; [| apply h3; lia].
  assert (small : forall x, (v x <= r + 1)%nat).
  { intros x. destruct (far_shift P x X1 P_positive) as (j & n & e & hn).
    rewrite <- (v_shift j), e. pose proof (F_bound _ _ _ (h1 n hn)). lia. }
  intros o. split.
  - intros (x & hx & e). pose proof (small x).
    assert (ex : x = Z.of_nat (Z.to_nat x)) by lia. set (t := Z.to_nat x) in *.
    right. right. exists t. split; [lia |].
    replace (q + o)%nat with (t + v t)%nat by (rewrite <- ex; lia). apply h1. lia.
  - intros [h | [(c & hc & h) | (t & ht & h)]].
    + lia.
    + apply F_bound in h. lia.
    + pose proof (F_bound _ _ _ h). exists t. split; [lia |].
      pose proof (F_unique _ _ _ _ h (h1 t ltac:(lia))). lia.
Qed.

Theorem far_row : FarRow P v C (1 + finite).
Proof.
  destruct far_meaning as (B & far).
  assert (go : forall q, exists j (n : nat), q + j * P = n /\ (B <= n)%nat).
  { intros q. apply far_shift, P_positive. }
  split.
  - exact P_positive.
  - apply continues.
  - intros q. destruct (go q) as (j & n & e & hn). rewrite <- (v_shift j), e.
    destruct (far n hn) as (h & _). destruct (v n); [| lia].
    rewrite Nat.add_0_r in h. destruct (alive (S n)). exists n. split; [lia | exact h].
  - intros x y hxy. destruct (far_shift P x (B + Z.to_nat (Z.abs (x - y))) P_positive)
      as (j & n & e & hn).
    pose proof (far n ltac:(lia)) as (hx & _). rewrite <- e, v_shift in hx.
    pose proof (far (Z.to_nat (y + j * P)) ltac:(lia)) as (hy & _).
    replace (Z.of_nat (Z.to_nat (y + j * P))) with (y + j * P) in hy by lia. rewrite v_shift in hy.
    replace (Z.to_nat (y + j * P) + v y)%nat with (n + v x)%nat in hy by lia.
    pose proof (F_injective _ _ _ _ hx hy). lia.
  - intros q h. destruct (go q) as (j & n & e & hn). rewrite <- (C_shift j), e in h.
    rewrite <- (v_shift j), e in h. destruct (far n hn) as (hf & hc & _). apply hc in h.
    apply (blocked_not_F r n (n + v n)); [| exact hf]. apply Blocked_iff. now right.
  - intros q o ho. destruct (go q) as (j & n & e & hn).
    rewrite <- (U_shift j), <- (C_shift j), e. rewrite <- (v_shift j), e in ho.
    destruct (far n hn) as (hf & hc & hu & _). rewrite hu, hc.
    assert (hr : (r <= n)%nat) by apply hf.
    destruct (proj1 (fact_1 r n _ hr (alive n)) hf) as (_ & _ & least).
    apply Blocked_iff, least. lia.
  - intros q. destruct (go q) as (j & n & e & hn). apply (U_shift j). rewrite e.
    destruct (far n hn) as (_ & _ & hu & _ & h0). now apply hu.
  - intros q. destruct (go q) as (j & n & e & hn). destruct (far n hn) as (_ & _ & hu & hc & _).
    revert hc. apply counts_ext. intros o. rewrite <- (U_shift j), e. symmetry. apply hu.
Qed.

End FarColumns.

(** ** The law of the next row *)

(** The rows below row r have some law in far columns, with N balls, and depths are measured from m:
no offset of theirs is above m there. *)
Definition HasLaw (r m N : nat) : Prop :=
  exists P C e w, Blocks r P C /\ Obeys P C m e w N.

(** Row r is constant from some column on. *)
Definition Constant (r : nat) : Prop := exists s, Periodic r s 1.

Lemma blocks_multiple : forall r P C (n : nat), (0 < n)%nat -> Blocks r P C -> Blocks r (n * P) C.
Proof.
  intros r P C n hn h. split; [destruct h; nia |]. split; [| apply h].
  intros q o. apply (C_shift r P C h).
Qed.

Lemma obeys_multiple : forall P C m e w N (n : nat), (0 < n)%nat ->
  Obeys P C m e w N -> Obeys (n * P) C m e w N.
Proof.
  intros P C m e w N n hn [law range l1 l1' l2 balls]. split; try assumption.
  destruct law as [hP he hw hf hx]. split; try assumption; [nia | |]; intros q;
    now apply period_multiple.
Qed.

Lemma continues_multiple : forall r P v (n : nat), (0 < n)%nat ->
  Continues r P v -> Continues r (n * P) v.
Proof.
  intros r P v n hn (hP & hv & h). split; [nia |]. split; [| exact h].
  intros q. now apply period_multiple.
Qed.

Lemma blocks_next : forall r P v C, Continues r P v -> Blocks r P C -> Blocks (S r) P (C' v C).
Proof.
  intros r P v C (hP & hv & X & h) (_ & hC & X' & h'). split; [exact hP |]. split.
  - intros q o. unfold C'. now rewrite hC, hv.
  - exists (X + X')%nat. intros q hq o. unfold C', ColumnBlocked. rewrite (h' q ltac:(lia) o).
    pose proof (h q ltac:(lia)) as hf. split.
    + intros [(c & hc & hb) | ->]; [exists c; split; [lia | exact hb] | exists r].
      split; [lia | exact hf].
    + intros (c & hc & hb). destruct (Nat.eq_dec c r) as [-> |].
      * right. pose proof (F_unique _ _ _ _ hf hb). lia.
      * left. exists c. split; [lia | exact hb].
Qed.

Lemma blocks_after_end : forall r P C, Ends r -> Blocks r P C -> Blocks (S r) P C.
Proof.
  intros r P C (x & hx) (hP & hC & X & h). split; [exact hP |]. split; [exact hC |].
  exists (X + x + 1)%nat. intros q hq o. rewrite (h q ltac:(lia) o). split.
  - intros (c & hc & hb). exists c. split; [lia | exact hb].
  - intros (c & hc & hb). exists c. split; [| exact hb].
    destruct (Nat.eq_dec c r) as [-> |]; [| lia].
    apply (ended_stays _ _ _ _ hx) in hb; [destruct hb | lia].
Qed.

(** There are no rows below row 0: one ball. *)
Lemma no_rows : Blocks 0 1 (fun _ _ => False) /\
  Obeys 1 (fun _ _ => False) 0 (fun _ => O) (fun _ => 1%nat) 1.
Proof.
  split.
  - split; [lia |]. split; [reflexivity |]. exists O. intros q _ o. split; [easy |].
    intros (c & hc & _). lia.
  - split.
    + split; intros; unfold fell, next; lia.
    + intros q o [].
    + lia.
    + intros q (_ & []).
    + intros x q d h. unfold next in h. lia.
    + intros q. apply (counts_ext (fun j => 0 <= j < 0 + 1)%nat); [| apply counts_interval].
      intros j. unfold Last. lia.
Qed.

Theorem law_of_row_0 : HasLaw 0 0 1.
Proof. exists 1, (fun _ _ => False), (fun _ => O), (fun _ => 1%nat). apply no_rows. Qed.

Theorem law_after_finite : forall r m N, Ends r -> HasLaw r m N -> HasLaw (S r) m N.
Proof.
  intros r m N he (P & C & e & w & hb & ho). exists P, C, e, w.
  split; [now apply blocks_after_end | exact ho].
Qed.

(** The periods of a row are those of its continuation. *)
Lemma periods : forall r P v k, Continues r P v -> (0 < k)%nat ->
  ((exists s, Periodic r s k) <-> forall q, v (q + k) = v q).
Proof.
  intros r P v k (hP & hv & X & hf) hk. split.
  - intros (s & _ & hs) x. destruct (far_shift P x (X + s) hP) as (j & n & e & hn).
    rewrite <- (period_multiple _ v P hv j x), <- (period_multiple _ v P hv j (x + k)).
    replace (x + k + j * P) with (Z.of_nat (n + k)) by lia. rewrite e.
    destruct (hs n) as (p & h1 & h2); [lia |].
    pose proof (F_unique _ _ _ _ h1 (hf n ltac:(lia))).
    pose proof (F_unique _ _ _ _ h2 (hf (n + k)%nat ltac:(lia))). lia.
  - intros h. exists X. split; [exact hk |]. intros q hq. exists (q + v q)%nat.
    split; [now apply hf |]. pose proof (hf (q + k)%nat ltac:(lia)) as h2.
    rewrite Nat2Z.inj_add, h in h2.
    now replace (q + v q + k)%nat with (q + k + v q)%nat by lia.
Qed.

Lemma constant_values : forall r P v, Continues r P v ->
  (Constant r <-> forall x y, v x = v y).
Proof.
  intros r P v h. unfold Constant. rewrite (periods r P v 1 h) by lia. split.
  - intros hv x y. rewrite <- (period_multiple _ v 1 hv (x - y) y). f_equal. lia.
  - intros hv q. apply hv.
Qed.

(** Theorem 5.1 for a periodic row r above [finite] finite rows, which has the mean 1 + [finite] and
m - [finite] holes; and which such rows are constant. *)
Theorem law_after_periodic : forall r s k m N finite, Periodic r s k -> HasLaw r m N ->
  Counts (fun c => (c < r)%nat /\ Ends c) finite ->
  ((m < finite)%nat /\ Constant r /\ HasLaw (S r) (1 + finite) 2) \/
  ((finite <= m)%nat /\ exists g, (g <= m - finite)%nat /\ (g <= N)%nat /\
    ((1 <= m - finite)%nat -> (1 <= g)%nat) /\ HasLaw (S r) (S m) (N + 1 - g) /\
    (finite = m -> Constant r) /\ ((1 <= g < N)%nat -> ~ Constant r)).
Proof.
  intros r s k m N finite hp (P & C & e & w & hb & ho) hc.
  destruct (continuation_exists r s k hp) as (v & hv). assert (hk : (0 < k)%nat) by apply hp.
  assert (hP : 0 < P) by apply hb.
  apply (blocks_multiple _ _ _ k hk) in hb. apply (obeys_multiple _ _ _ _ _ _ k hk) in ho.
  apply (continues_multiple _ _ _ (Z.to_nat P)) in hv; [| lia].
  replace (Z.to_nat P * k) with (k * P) in hv by lia. set (R := k * P) in *.
  pose proof (far_row r s k finite R v C hp hc hv hb) as row.
  pose proof (blocks_next r R v C hv hb) as hb'.
  destruct (row_above R v C m _ e w N row ho) as
    [(hm & hconst & ho') | (hm & _ & hV & g & hg & h1 & h2 & h3 & _ & ho')].
  - left. split; [lia |]. split.
    { apply (constant_values r R v hv). intros x y. now rewrite !hconst. }
    exists R, (C' v C), (fun _ => 1%nat), (fun _ => 2%nat). now split.
  - right. split; [lia |]. exists g. split; [lia |]. split; [exact h2 |].
    split; [intros h; apply h3; lia |]. split; [now exists R, (C' v C), (e' v m e), (w' v m w) |].
    split.
    + intros hfm. assert (none : forall q, v q = S m).
      2: { apply (constant_values r R v hv). intros x y. now rewrite !none. }
      intros q. apply hV. destruct (V v m q) eqn:ev; [| reflexivity].
      assert (g = 0)%nat by lia. subst g. destruct (hg q) as (l & (_ & hl) & len).
      destruct l; [| discriminate]. destruct (proj2 (hl O)). unfold Last.
      replace (q - 0%nat) with q by lia. split; [| exact ev].
      pose proof (w_positive R e w (obeys_law _ _ _ _ _ _ ho) q). lia.
    + intros hgN hconst. pose proof (proj1 (constant_values r R v hv) hconst) as same.
      destruct (hg 0) as (l & (_ & hl) & len). destruct l as [| j l]; [simpl in len; lia |].
      assert (hj : V v m (0 - j) = true) by (apply hl; now left).
      assert (hN : N = g); [| lia].
      apply (counts_unique _ _ _ (obeys_balls _ _ _ _ _ _ ho 0)).
      generalize (hg 0). apply counts_ext. intros i. split; [tauto |]. intros hi.
      split; [exact hi |]. unfold V in *. now rewrite (same (0 - i) (0 - j)).
Qed.

(** ** 2.2 and 3.2. Rows with one hole *)

(** Let the rows below a periodic row r have a law with the period P and N balls, and no offset
above its mean in far columns. Then row r has a period cP with c <= N, the length of the cycle of
its ball. If the balls are one cycle, and P is the least period of the law, then c = N, and this is
the least period of the row. *)
Theorem period_of_row : forall r s k m P C e w N, Periodic r s k ->
  Counts (fun c => (c < r)%nat /\ Ends c) (m - 1) -> (1 <= m)%nat ->
  Blocks r P C -> Obeys P C m e w N ->
  exists (c : nat) (V : Z -> bool), (1 <= c <= N)%nat /\
    BallsIn V w 1 /\ (forall x, V (next w x) = V x) /\
    (exists s', Periodic r s' (c * Z.to_nat P)) /\
    ((forall q, exists i, V (q + i * P) = true) ->
      (forall p, (forall q, e (q + p) = e q) -> (P | p)) ->
      c = N /\ forall s' k', Periodic r s' k' -> Nat.divide (c * Z.to_nat P) k').
Proof.
  intros r s k m P C e w N hp hc hm hb ho. destruct (continuation_exists r s k hp) as (v & hv).
  assert (hk : (0 < k)%nat) by apply hp. assert (hP : 0 < P) by apply hb.
  pose proof (continues_multiple _ _ _ (Z.to_nat P) ltac:(lia) hv) as hv'.
  replace (Z.to_nat P * k) with (k * P) in hv' by lia.
  pose proof (far_row r s k _ _ v C hp hc hv' (blocks_multiple _ _ _ k hk hb)) as row.
  replace (1 + (m - 1))%nat with m in row by lia.
  destruct (one_ball _ v C m e w N row (obeys_multiple _ _ _ _ _ _ k hk ho))
    as (hone & closed & values & _).
  destruct (pattern_periods P e w N k (V v m)) with (v := v) (m := m) as (c & hcN & h1 & h2);
    try assumption.
  - exact (obeys_law _ _ _ _ _ _ ho).
  - exact (obeys_balls _ _ _ _ _ _ ho).
  - intros q. unfold V. now rewrite (row_periodic _ _ _ _ row).
  - exists c, (V v m). split; [exact hcN |]. split; [exact hone |]. split; [exact closed |].
    split.
    + apply (periods r _ v _ hv'); [nia |]. intros q.
      now replace (q + (c * Z.to_nat P)%nat) with (q + c * P) by lia.
    + intros every least. destruct (h2 every least) as (e0 & h3). split; [exact e0 |].
      intros s' k' hp'. destruct (h3 k') as (j & hj).
      * apply (periods r _ v _ hv'); [apply hp' | now exists s'].
      * exists (Z.to_nat j). assert (0 <= j) by nia. nia.
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

Lemma periodic_row : forall r, ~ Ends r -> exists s k, Periodic r s k.
Proof.
  intros r hr. destruct (byrnes r) as [(l & hl) | hp]; [| exact hp]. destruct hr. now exists l.
Qed.

Lemma count_next : forall r f, Counts (fun c => (c < r)%nat /\ Ends c) f ->
  (Ends r -> Counts (fun c => (c < S r)%nat /\ Ends c) (f + 1)) /\
  (~ Ends r -> Counts (fun c => (c < S r)%nat /\ Ends c) f).
Proof.
  intros r f hf. split; intros hr.
  - apply (counts_ext (fun c => ((c < r)%nat /\ Ends c) \/ (r <= c < r + 1)%nat)).
    + intros c. split.
      * intros [(hc & he) | hc]; [split; [lia | exact he] |]. replace c with r by lia. auto.
      * intros (hc & he). destruct (Nat.eq_dec c r); [right; lia | left; split; [lia | exact he]].
    + apply counts_or; [lia | exact hf | apply counts_interval].
  - revert hf. apply counts_ext. intros c. split; intros (hc & he); (split; [| exact he]); [lia |].
    destruct (Nat.eq_dec c r) as [-> |]; [contradiction | lia].
Qed.

(** One row up: the law, the number of balls, and h. *)
Lemma next_row : forall r m N f, HasLaw r m N -> Counts (fun c => (c < r)%nat /\ Ends c) f ->
  Z.of_nat m = f + h r ->
  exists m' N' f', HasLaw (S r) m' N' /\ Counts (fun c => (c < S r)%nat /\ Ends c) f' /\
    Z.of_nat m' = f' + h (S r) /\
    (Ends r -> N' = N) /\ (~ Ends r -> h r < 0 -> N' = 2%nat) /\
    (~ Ends r -> h r = 0 -> N' = S N) /\ (~ Ends r -> h r = 1 -> N' = N) /\
    (~ Ends r -> h r <= 0 -> Constant r) /\
    (~ Ends r -> h r = 1 -> (2 <= N)%nat -> ~ Constant r).
Proof.
  intros r m N f hl hf hm. destruct queue as (_ & hq). destruct (hq r) as (q1 & q2).
  destruct (count_next r f hf) as (c1 & c2). destruct (ends_or_not r) as [he | he].
  - exists m, N, (f + 1)%nat. specialize (q1 he). split; [now apply law_after_finite |].
    split; [now apply c1 |]. split; [lia |]. split; [reflexivity |]. tauto.
  - specialize (q2 he). specialize (c2 he). destruct (periodic_row r he) as (s & k & hp).
    destruct (law_after_periodic r s k m N f hp hl hf) as
      [(h1 & h2 & h3) | (h1 & g & h2 & h3 & h4 & h5 & h6 & h7)].
    + exists (1 + f)%nat, 2%nat, f. split; [exact h3 |]. split; [exact c2 |]. split; [lia |].
      split; [tauto |]. split; [reflexivity |]. split; [lia |]. split; [lia |].
      split; [tauto | lia].
    + exists (S m), (N + 1 - g)%nat, f. split; [exact h5 |]. split; [exact c2 |]. split; [lia |].
      split; [tauto |]. split; [lia |]. split; [lia |]. split; [lia |].
      split; [intros _ hz; apply h6; lia | intros _ hz hN; apply h7; lia].
Qed.

Lemma law_of_row : forall r, exists m N f, HasLaw r m N /\
  Counts (fun c => (c < r)%nat /\ Ends c) f /\ Z.of_nat m = f + h r.
Proof.
  induction r as [| r (m & N & f & hl & hf & hm)].
  - exists O, 1%nat, O. split; [exact law_of_row_0 |]. split; [apply counts_none; lia |].
    destruct queue as (-> & _). reflexivity.
  - destruct (next_row r m N f hl hf hm) as (m' & N' & f' & hl' & hf' & hm' & _).
    now exists m', N', f'.
Qed.

(** A periodic row without holes is constant. *)
Theorem constant_without_holes : forall r, ~ Ends r -> h r <= 0 -> Constant r.
Proof.
  intros r he hr. destruct (law_of_row r) as (m & N & f & hl & hf & hm).
  destruct (next_row r m N f hl hf hm) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & h5 & _).
  now apply h5.
Qed.

(** Row b begins a cluster. *)
Definition Begins (b : nat) : Prop := ~ Ends b /\ (b = O \/ h b < 0).

Lemma cluster_balls : forall b r, Begins b -> (b < r)%nat ->
  (forall c, (b <= c < r)%nat -> ~ Ends c -> h c <= 1) ->
  exists m N f, HasLaw r m N /\ Counts (fun c => (c < r)%nat /\ Ends c) f /\
    Z.of_nat m = f + h r /\ (2 <= N)%nat.
Proof.
  intros b r (hb & hb') hbr. induction r as [| r IH]; intros hc; [lia |].
  destruct (Nat.eq_dec b r) as [-> |].
  - destruct hb' as [-> | hneg].
    + destruct (next_row 0 0 1 0 law_of_row_0 ltac:(apply counts_none; lia)) as
        (m' & N' & f' & hl' & hf' & hm' & _ & _ & hN & _); [destruct queue as (-> & _); lia |].
      exists m', N', f'. split; [exact hl' |]. split; [exact hf' |]. split; [exact hm' |].
      rewrite hN by (assumption || apply queue). lia.
    + destruct (law_of_row r) as (m & N & f & hl & hf & hm).
      destruct (next_row r m N f hl hf hm) as (m' & N' & f' & hl' & hf' & hm' & _ & hN & _).
      exists m', N', f'. split; [exact hl' |]. split; [exact hf' |]. split; [exact hm' |].
      rewrite hN by assumption. lia.
  - destruct IH as (m & N & f & hl & hf & hm & hN); [lia | intros c hcr; apply hc; lia |].
    destruct (next_row r m N f hl hf hm) as
      (m' & N' & f' & hl' & hf' & hm' & n1 & n2 & n3 & n4 & _).
    exists m', N', f'. split; [exact hl' |]. split; [exact hf' |]. split; [exact hm' |].
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
  destruct (cluster_balls b r hb ltac:(lia)) as (m & N & f & hl & hf & hm & hN).
  - intros c hcr. apply hc. lia.
  - destruct (next_row r m N f hl hf hm) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & h6).
    now apply h6.
Qed.

End AQueue.

Lemma blocks_exist : forall r, exists P C, Blocks r P C /\ forall q o, C q o -> (1 <= o)%nat.
Proof.
  intros r. destruct queue_exists as (h & hq).
  destruct (law_of_row h hq r) as (m & N & f & (P & C & e & w & hb & ho) & _).
  exists P, C. split; [exact hb |]. intros q o ho'. apply (obeys_range _ _ _ _ _ _ ho q o ho').
Qed.

(** ** Laws in terms of rows *)

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

(** Theorem 5.1 for rows, with the law. *)
Theorem next_law_of_rows : forall r m N e w finite, ~ Ends r -> LawOfRows r m N e w ->
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
  destruct (periodic_row r hr) as (s & k & hp). destruct (continuation_exists r s k hp) as (v & hv).
  assert (hk : (0 < k)%nat) by apply hp. assert (hP : 0 < P) by apply hb.
  apply (blocks_multiple _ _ _ k hk) in hb. apply (obeys_multiple _ _ _ _ _ _ k hk) in ho.
  apply (continues_multiple _ _ _ (Z.to_nat P)) in hv; [| lia].
  replace (Z.to_nat P * k) with (k * P) in hv by lia. set (R := k * P) in *.
  pose proof (far_row r s k finite R v C hp hc hv hb) as row.
  pose proof (blocks_next r R v C hv hb) as hb'. exists R, v. split; [exact hv |].
  destruct (row_above R v C m _ e w N row ho) as
    [(hm & hconst & ho') | (hm & closed & hV & g & hg & h1 & h2 & h3 & h4 & ho')].
  - left. split; [lia |]. split; [exact hconst |]. exact (law_of_obeys _ _ _ _ _ _ _ hb' ho').
  - right. split; [lia |]. split; [exact closed |]. split; [exact hV |]. exists g.
    split; [exact hg |]. split; [lia |]. split; [exact h2 |]. split; [intros h; apply h3; lia |].
    split; [intros h; apply h4; lia |]. exact (law_of_obeys _ _ _ _ _ _ _ hb' ho').
Qed.

(** ** 1.3. Static obstacles *)

(** Let the mean of row r be m, let no row below have an offset above m in far columns, and let the
rows below block the depths 0 to d - 1 in each of them, and depth d in none. Then the row repeats
d times the offset m + 1, and once m - d. *)
Theorem obstacles_of_row : forall r s k m d (X : nat), Periodic r s k ->
  Counts (fun c => (c < r)%nat /\ Ends c) (m - 1) -> (1 <= m)%nat ->
  (forall q o, (X <= q)%nat -> ColumnBlocked r q (q + o) -> (o <= m)%nat) ->
  (forall q i, (X <= q)%nat -> (i < d)%nat -> (i <= m)%nat /\ ColumnBlocked r q (q + (m - i))) ->
  (forall q, (X <= q)%nat -> (d <= m)%nat -> ~ ColumnBlocked r q (q + (m - d))) ->
  (d <= m)%nat /\ exists a far : nat, forall q, (far <= q)%nat ->
    F q r (q + if (q + a) mod (d + 1) =? 0 then m - d else m + 1)%nat.
Proof.
  intros r s k m d X hp hc hm range low free. destruct (blocks_exist r) as (P & C & hb & positive).
  destruct (continuation_exists r s k hp) as (v & hv).
  assert (hk : (0 < k)%nat) by apply hp. assert (hP : 0 < P) by apply hb.
  pose proof (continues_multiple _ _ _ (Z.to_nat P) ltac:(lia) hv) as hv'.
  replace (Z.to_nat P * k) with (k * P) in hv' by lia.
  pose proof (far_row r s k _ _ v C hp hc hv' (blocks_multiple _ _ _ k hk hb)) as row.
  replace (1 + (m - 1))%nat with m in row by lia.
  pose proof (C_shift r P C hb) as shift. destruct hb as (_ & _ & Y & hY).
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
