(** * Where a certificate comes back: corollary 3a and fact 7

Once fact 3 has shown row r periodic from column q1 on, the state U(q) has every period that the
offsets have. So the certificates that begin in q1 are those whose distance is a multiple of one
number, lcm(k,m), and U(q1) does not come back before at a distance that the modulus divides. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules Recurrence Byrnes Certificate.

(** U is the same in two columns. *)
Definition SameState (r q1 q2 : nat) : Prop := forall x, State r q1 x <-> State r q2 x.

Definition StateRepeats (r s k : nat) : Prop := forall q, s <= q -> SameState r q (q + k).

Lemma same_state_sym : forall r q1 q2, SameState r q1 q2 -> SameState r q2 q1.
Proof. intros r q1 q2 h x. now rewrite (h x). Qed.

Lemma same_state_trans : forall r q1 q2 q3,
  SameState r q1 q2 -> SameState r q2 q3 -> SameState r q1 q3.
Proof. intros r q1 q2 q3 h h' x. now rewrite (h x), (h' x). Qed.

Lemma state_repeats_multiple : forall r s k n, StateRepeats r s k -> StateRepeats r s (n * k).
Proof.
  intros r s k n h. induction n as [| n IH]; intros q hq.
  - rewrite Nat.add_0_r. now intros x.
  - apply (same_state_trans r q (q + n * k)); [now apply IH |].
    replace (q + S n * k) with (q + n * k + k) by lia. apply h. lia.
Qed.

(** ** Corollary 3a *)

(** [n] steps from q: what is left of U(q), and what the offsets on the way have left. *)
Lemma state_after : forall r q n x, r <= q ->
  (State r (q + n) x <->
   State r q (x + n) \/ exists i, i < n /\ Offset r (q + i) (x + (n - i))).
Proof.
  intros r q n. induction n as [| n IH]; intros x hr.
  - rewrite !Nat.add_0_r. split; [now left |]. intros [h | (i & hi & _)]; [exact h | lia].
  - rewrite Nat.add_succ_r, state_step, (IH (S x)) by lia. rewrite Nat.add_succ_comm. split.
    + intros [[h | (i & hi & h)] | h]; [now left | |]; right.
      * exists i. split; [lia |]. now replace (x + (S n - i)) with (S x + (n - i)) by lia.
      * exists n. split; [lia |]. now replace (x + (S n - n)) with (S x) by lia.
    + intros [h | (i & hi & h)]; [left; now left |].
      destruct (Nat.eq_dec i n) as [-> | hne].
      * right. now replace (x + (S n - n)) with (S x) in h by lia.
      * left. right. exists i. split; [lia |].
        now replace (S x + (n - i)) with (x + (S n - i)) by lia.
Qed.

(** After more than r steps nothing is left of U(q). *)
Lemma state_forgets : forall r q n x, r <= q -> r < n ->
  (State r (q + n) x <-> exists i, i < n /\ Offset r (q + i) (x + (n - i))).
Proof.
  intros r q n x hr hn. rewrite state_after by exact hr. split; [| now right].
  intros [h | h]; [| exact h]. unfold State in h. apply RowBlocked_bound in h; lia.
Qed.

(** Fact 7(a): the state has every period that the offsets have, if it has any. *)
Theorem state_has_the_periods : forall r q1 P k, r <= q1 -> 0 < P ->
  StateRepeats r q1 P -> Repeats r q1 k -> StateRepeats r q1 k.
Proof.
  intros r q1 P k hr hP hs hk q hq.
  pose proof (state_repeats_multiple r q1 P (S r) hs) as far. set (n := S r * P) in *.
  assert (hn : r < n) by (unfold n; nia).
  apply (same_state_trans r q (q + n)); [now apply far |].
  apply (same_state_trans r _ (q + k + n)); [| apply same_state_sym, far; lia].
  intros x. rewrite !state_forgets by lia.
  assert (same : forall i y, Offset r (q + i) y <-> Offset r (q + k + i) y).
  { intros i y. replace (q + k + i) with (q + i + k) by lia. apply (hk (q + i)). lia. }
  split; intros (i & hi & h); exists i; (split; [exact hi |]); now apply same.
Qed.

(** k is the least period of the offsets of row r from column c on. *)
Definition LeastPeriod (r c k : nat) : Prop :=
  0 < k /\ Repeats r c k /\ forall k', 0 < k' -> Repeats r c k' -> k <= k'.

Lemma least_divides : forall r c k k', LeastPeriod r c k -> Repeats r c k' -> Nat.divide k k'.
Proof.
  intros r c k k' (hk & h & least) h'. apply Nat.mod_divide; [lia |].
  destruct (Nat.eq_dec (k' mod k) 0) as [| hne]; [assumption |].
  pose proof (least (k' mod k) ltac:(lia) (repeats_mod r c k' k hk h' h)).
  pose proof (Nat.mod_upper_bound k' k). lia.
Qed.

(** With what fact 3 says of q1 and P: the offsets from q1 on are those from c on, continued
downwards, and U(c) is U(q) in every column that is congruent to c modulo P. *)
Theorem corollary_3a : forall r q1 P c k, r <= q1 <= c -> 0 < P ->
  Repeats r q1 P -> StateRepeats r q1 P -> LeastPeriod r c k ->
  Nat.divide k P /\ Repeats r q1 k /\
  forall q, q1 <= q -> q mod P = c mod P -> SameState r c q.
Proof.
  intros r q1 P c k hc hP hr hs hk.
  assert (hk1 : Repeats r q1 k) by (apply (repeats_earlier r q1 P c k hP hr), hk).
  split; [| split; [exact hk1 |]].
  - apply (least_divides r c k P hk). apply (repeats_later r q1); [lia | exact hr].
  - intros q hq e. pose proof (Nat.div_mod q P ltac:(lia)) as eq.
    pose proof (Nat.div_mod c P ltac:(lia)) as ec.
    destruct (le_lt_dec (c / P) (q / P)).
    + replace q with (c + (q / P - c / P) * P) by nia.
      apply (state_repeats_multiple r q1 P); [exact hs | lia].
    + apply same_state_sym. replace c with (q + (c / P - q / P) * P) by nia.
      apply (state_repeats_multiple r q1 P); [exact hs | lia].
Qed.

(** ** Fact 7 *)

(** Each row below r has ended before column q, or repeats from a column on that is not after q. *)
Definition Below (r q : nat) : Prop := forall c, c < r ->
  (exists last, Finite c last /\ last < q) \/ (exists s k, Canonical c s k /\ s <= q).

(** h is the least mex U(q), and w the largest offset, of the columns from q1 to q2 - 1. *)
Definition WindowOf (r q1 q2 h w : nat) : Prop :=
  (forall q x, q1 <= q < q2 -> x < h -> State r q x) /\
  (exists q, q1 <= q < q2 /\ ~ State r q h) /\
  (forall q x, q1 <= q < q2 -> Offset r q x -> x <= w) /\
  (exists q, q1 <= q < q2 /\ Offset r q w).

(** The periods of the rows below with a value in [[h,w]] divide m, and m is the least such. *)
Definition Counted (r h w m : nat) : Prop := forall c s k, c < r ->
  Canonical c s k -> ValueIn c s h w -> Nat.divide k m.

Definition ModulusOf (r h w m : nat) : Prop :=
  Counted r h w m /\ forall m', Counted r h w m' -> Nat.divide m m'.

(** (q1,q2) satisfies the hypotheses of fact 3, with the window [[h,w]] and the modulus m. *)
Record IsCertificate (r q1 q2 h w m : nat) : Prop := {
  certificate_columns : r <= q1 < q2;
  certificate_below : Below r q1;
  certificate_offsets : forall q, q1 <= q < q2 -> exists b, Offset r q b /\ 0 < b;
  certificate_window : WindowOf r q1 q2 h w;
  certificate_modulus : ModulusOf r h w m;
  certificate_state : SameState r q1 q2;
  certificate_divides : Nat.divide m (q2 - q1)
}.

Lemma window_rule_below : forall r q1 h w m, Below r q1 -> Counted r h w m ->
  WindowRule r q1 h w m.
Proof.
  intros r q1 h w m hb hm c hc. destruct (hb c hc) as [(l & hl & hlt) | (s & k & hk & hs)].
  - left. exists l. split; [exact hlt | exact hl].
  - right. exists k. split.
    + split; [apply hk |]. intros q x hq.
      exact (periodic_repeats c s k (proj1 hk) q ltac:(lia) x).
    + intros (q & x & hq & hx & ho). apply (hm c s k hc hk). exists q, x.
      split; [lia |]. split; [exact hx | exact ho].
Qed.

Section Fact7.

Variables (r q1 q2 h w m k : nat).
Hypothesis certificate : IsCertificate r q1 q2 h w m.
Hypothesis least : LeastPeriod r q1 k.

Lemma first_column : r <= q1.
Proof. apply certificate. Qed.

Lemma k_positive : 0 < k.
Proof. apply least. Qed.

Lemma not_ended_at_q1 : ~ Ended r q1.
Proof.
  intros he. destruct certificate as [hq _ ho _ _ _ _]. destruct (ho q1) as (b & hb & _); [lia |].
  exact (ended_no_offset r q1 b he hb).
Qed.

(** Fact 3 for the certificate. *)
Lemma shown : Periodic r q1 (q2 - q1) /\ StateRepeats r q1 (q2 - q1).
Proof.
  destruct certificate as [hq hb ho (hh & _ & hw & _) (hm & _) hs hd].
  destruct (fact_3 r q1 q1 q2 h w m) as (h1 & h2); try lia; try assumption.
  - now apply window_rule_below.
  - intros q hq'. split; [intros x hx; exact (hh q x hq' hx) |].
    destruct (ho q hq') as (b & hb' & hpos). exists b. split; [exact hb' |].
    pose proof (hw q b hq' hb'). lia.
  - apply not_ended_at_q1.
  - split; [exact h1 |]. intros q hle x. now apply h2.
Qed.

Lemma state_has_k : StateRepeats r q1 k.
Proof.
  destruct shown as (h1 & h2). apply (state_has_the_periods r q1 (q2 - q1)).
  - apply first_column.
  - apply h1.
  - exact h2.
  - apply least.
Qed.

(** Every column from q1 on is like one of the first k. *)
Lemma like_one_of_k : forall q, q1 <= q ->
  exists q', q1 <= q' < q1 + k /\ SameState r q' q /\ SameOffset r q' q.
Proof.
  intros q hq. pose proof k_positive as hk. exists (q1 + (q - q1) mod k).
  pose proof (Nat.mod_upper_bound (q - q1) k ltac:(lia)).
  pose proof (Nat.div_mod (q - q1) k ltac:(lia)) as e.
  assert (eq : q = q1 + (q - q1) mod k + (q - q1) / k * k) by nia.
  split; [lia |]. split.
  - rewrite eq at 2. apply (state_repeats_multiple r q1 k); [apply state_has_k | lia].
  - rewrite eq at 2. apply (repeats_multiple r q1 k); [apply least | lia].
Qed.

(** Fact 7(b): k columns show the whole window. *)
Theorem window_of_k : forall q h' w', q1 + k <= q ->
  (WindowOf r q1 q h' w' <-> WindowOf r q1 (q1 + k) h' w').
Proof.
  intros q h' w' hq. split; intros (a1 & (x & hx & a2) & a3 & (y & hy & a4)).
  - destruct (like_one_of_k x ltac:(lia)) as (x' & hx' & s1 & _).
    destruct (like_one_of_k y ltac:(lia)) as (y' & hy' & _ & o1).
    split; [intros z v hz; apply a1; lia |]. split.
    + exists x'. split; [exact hx' |]. now rewrite (s1 h').
    + split; [intros z v hz; apply a3; lia |]. exists y'. split; [exact hy' |].
      now apply (o1 w').
  - split; [| split; [| split]].
    + intros z v hz hv. destruct (like_one_of_k z ltac:(lia)) as (z' & hz' & s1 & _).
      rewrite <- (s1 v). exact (a1 z' v hz' hv).
    + exists x. split; [lia | exact a2].
    + intros z v hz hv. destruct (like_one_of_k z ltac:(lia)) as (z' & hz' & _ & o1).
      apply (a3 z' v hz'). now apply (o1 v).
    + exists y. split; [lia | exact a4].
Qed.

Lemma window_of_unique : forall a b h1 w1 h2 w2,
  WindowOf r a b h1 w1 -> WindowOf r a b h2 w2 -> h1 = h2 /\ w1 = w2.
Proof.
  intros a b h1 w1 h2 w2 (a1 & (x & hx & a2) & a3 & (y & hy & a4))
    (b1 & (x' & hx' & b2) & b3 & (y' & hy' & b4)). split.
  - destruct (lt_eq_lt_dec h1 h2) as [[hlt | e] | hlt]; [| exact e |].
    + destruct (a2 (b1 x h1 hx hlt)).
    + destruct (b2 (a1 x' h2 hx' hlt)).
  - pose proof (a3 y' w2 hy' b4). pose proof (b3 y w1 hy a4). lia.
Qed.

Lemma divides_at_least : forall q, q1 < q -> Nat.divide k (q - q1) -> q1 + k <= q.
Proof. intros q hq hd. apply Nat.divide_pos_le in hd; lia. Qed.

Lemma q1_k_q2 : q1 + k <= q2.
Proof.
  destruct shown as (h1 & _). apply divides_at_least; [apply certificate |].
  apply (least_divides r q1 k); [exact least | now apply periodic_repeats].
Qed.

(** Every column from q1 on is in the window. *)
Lemma in_window : forall q, q1 <= q -> InWindow r h w q.
Proof.
  intros q hq. destruct (like_one_of_k q hq) as (q' & hq' & hs & ho).
  pose proof q1_k_q2. destruct certificate as [_ _ hoff (hh & _ & hw & _) _ _ _].
  split.
  - intros x hx. apply hs, (hh q'); [lia | exact hx].
  - destruct (hoff q') as (b & hb & hpos); [lia |]. exists b. split; [now apply ho |].
    pose proof (hw q' b ltac:(lia) hb). lia.
Qed.

(** Fact 7(c), in two steps. *)
Lemma certificate_is_multiple : forall q, q1 < q ->
  (exists h' w' m', IsCertificate r q1 q h' w' m') -> Nat.divide (Nat.lcm k m) (q - q1).
Proof.
  intros q hq (h' & w' & m' & [hc hb ho hw hm hs hd]).
  assert (hk : Nat.divide k (q - q1)).
  { destruct (fact_3 r q1 q1 q h' w' m') as (h1 & _); try lia; try assumption.
    - now apply window_rule_below; [| apply hm].
    - intros x hx. destruct hw as (hh & _ & hmost & _).
      split; [intros y hy; exact (hh x y hx hy) |]. destruct (ho x hx) as (b & hb' & hpos).
      exists b. split; [exact hb' |]. pose proof (hmost x b hx hb'). lia.
    - apply not_ended_at_q1.
    - apply (least_divides r q1 k); [exact least | now apply periodic_repeats]. }
  apply window_of_k in hw; [| now apply divides_at_least].
  pose proof (certificate_window _ _ _ _ _ _ certificate) as hw2.
  apply (window_of_k q2 h w q1_k_q2) in hw2.
  destruct (window_of_unique _ _ _ _ _ _ hw hw2) as [-> ->].
  assert (m' = m) as ->.
  { destruct hm as (c1 & c2), (certificate_modulus _ _ _ _ _ _ certificate) as (d1 & d2).
    apply Nat.divide_antisym; [now apply c2 | now apply d2]. }
  now apply Nat.lcm_least.
Qed.

Lemma state_at_multiple : forall q, q1 < q -> Nat.divide (Nat.lcm k m) (q - q1) ->
  SameState r q1 q /\ Nat.divide m (q - q1).
Proof.
  intros q hq hd. split.
  - assert (hk : Nat.divide k (q - q1)).
    { apply (Nat.divide_trans _ (Nat.lcm k m)); [apply Nat.divide_lcm_l | exact hd]. }
    destruct hk as (n & e). replace q with (q1 + n * k) by lia.
    apply (state_repeats_multiple r q1 k); [apply state_has_k | lia].
  - apply (Nat.divide_trans _ (Nat.lcm k m)); [apply Nat.divide_lcm_r | exact hd].
Qed.

Lemma certificate_at_state : forall q, q1 < q ->
  SameState r q1 q /\ Nat.divide m (q - q1) -> IsCertificate r q1 q h w m.
Proof.
  intros q hq (hs & hd). pose proof in_window as hin.
  destruct certificate as [hc hb ho hw hm _ _].
  assert (hk : Nat.divide k (q - q1)).
  { destruct (fact_3 r q1 q1 q h w m) as (h1 & _); try lia; try assumption.
    - now apply window_rule_below; [| apply hm].
    - intros x hx. apply hin. lia.
    - apply not_ended_at_q1.
    - apply (least_divides r q1 k); [exact least | now apply periodic_repeats]. }
  constructor; try assumption; try lia.
  - intros x hx. destruct (hin x ltac:(lia)) as (_ & b & hb' & hpos). exists b.
    split; [exact hb' | lia].
  - apply window_of_k; [now apply divides_at_least |]. apply (window_of_k q2); [| exact hw].
    apply q1_k_q2.
Qed.

(** Fact 7(c). For a column q after q1 these say the same: (q1,q) is a certificate; U(q) is U(q1),
and m divides q - q1; lcm(k,m) divides q - q1. *)
Theorem fact_7 : forall q, q1 < q ->
  ((exists h' w' m', IsCertificate r q1 q h' w' m') <-> Nat.divide (Nat.lcm k m) (q - q1)) /\
  (SameState r q1 q /\ Nat.divide m (q - q1) <-> Nat.divide (Nat.lcm k m) (q - q1)).
Proof.
  intros q hq.
  assert (back : SameState r q1 q /\ Nat.divide m (q - q1) ->
    exists h' w' m', IsCertificate r q1 q h' w' m').
  { intros hs. exists h, w, m. now apply certificate_at_state. }
  pose proof (certificate_is_multiple q hq). pose proof (state_at_multiple q hq). tauto.
Qed.

(** Before q1 + lcm(k,m), U may be U(q1), but then m does not divide the distance. *)
Corollary never_before : forall q, q1 < q < q1 + Nat.lcm k m ->
  SameState r q1 q -> ~ Nat.divide m (q - q1).
Proof.
  intros q hq hs hd. destruct (fact_7 q ltac:(lia)) as (_ & h7).
  assert (hl : Nat.divide (Nat.lcm k m) (q - q1)) by (apply h7; now split).
  apply Nat.divide_pos_le in hl; lia.
Qed.

End Fact7.
