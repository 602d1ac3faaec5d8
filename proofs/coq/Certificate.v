(** * The certificate of a tail: facts 3 and 7, and corollary 3a

Fact 3: if the state U(q) of row r is the same in the columns q1 and q2, and [q2 - q1] is a multiple
of the periods of those rows below that have a value in the window (the window rule), then row r is
periodic from q1 on, with a period that divides [q2 - q1]. Corollary 3a: the least period of the
offsets from a later column on is a period from q1 on. Fact 7: the certificates that begin in q1 are
those for which [q2 - q1] is a multiple of the least common multiple of the least period and the
modulus. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules Recurrence Byrnes.

(** ** Offsets

Row r has offset x in column q; x is in U(q); x is in C(q). *)

Definition Offset (r q x : nat) : Prop := F q r (q + x).
Definition State (r q x : nat) : Prop := RowBlocked r q (q + x).
Definition Column (r q x : nat) : Prop := ColumnBlocked r q (q + x).

Lemma offset_of_F : forall r q p, F q r p -> Offset r q (p - q) /\ p = q + (p - q).
Proof.
  intros r q p h. assert (q <= p) by (destruct h; assumption). unfold Offset.
  replace (q + (p - q)) with p by lia. auto.
Qed.

Lemma offset_from : forall r q x, Offset r q x -> r <= q.
Proof. intros r q x (_ & h & _). exact h. Qed.

Lemma offset_unique : forall r q x y, Offset r q x -> Offset r q y -> x = y.
Proof. intros r q x y hx hy. pose proof (F_unique _ _ _ _ hx hy). lia. Qed.

Lemma offset_0_ends : forall r q x, Offset r q 0 -> q < x -> Ended r x.
Proof.
  intros r q x h hq. exists q. unfold Offset in h. rewrite Nat.add_0_r in h. auto.
Qed.

Lemma ended_no_offset : forall r q x, Ended r q -> ~ Offset r q x.
Proof. intros r q x (l & hl & h). now apply (ended_stays r l). Qed.

(** No row ends before its own column. *)
Lemma not_ended_at_first : forall r, ~ Ended r r.
Proof. intros r (x & hx & (_ & h & _)). lia. Qed.

Lemma not_ended_step : forall r q x,
  ~ Ended r q -> Offset r q x -> 0 < x -> ~ Ended r (S q).
Proof.
  intros r q x hq h hx (l & hl & hf). destruct (Nat.eq_dec l q) as [-> | hne].
  - pose proof (F_unique _ _ _ _ h hf). lia.
  - apply hq. exists l. split; [lia | exact hf].
Qed.

Lemma not_ended_before : forall r q q', q <= q' -> ~ Ended r q' -> ~ Ended r q.
Proof.
  intros r q q' hq h (l & hl & hf). apply h. exists l. split; [lia | exact hf].
Qed.

(** Fact 1 in offsets: the offset is the mex of the state and the column. *)

Definition Mex (S : nat -> Prop) (x : nat) : Prop := ~ S x /\ forall y, y < x -> S y.

Theorem offset_is_mex : forall r q x, r <= q -> ~ Ended r q ->
  (Offset r q x <-> Mex (fun y => State r q y \/ Column r q y) x).
Proof.
  intros r q x hq he. unfold Offset, Mex, State, Column. rewrite (fact_1 r q _ hq he). split.
  - intros (_ & h1 & h2). split.
    + now rewrite <- Blocked_iff.
    + intros y hy. apply Blocked_iff, h2. lia.
  - intros (h1 & h2). split; [lia |]. split.
    + now rewrite Blocked_iff.
    + intros p hp. replace p with (q + (p - q)) by lia. apply Blocked_iff, h2. lia.
Qed.

Theorem offset_exists : forall r q, r <= q -> ~ Ended r q -> exists x, Offset r q x.
Proof.
  intros r q hq he. destruct (F_exists r q hq he) as (p & _ & h). exists (p - q).
  now apply offset_of_F.
Qed.

(** U(q+1) = OneLess(U(q) with the offset of column q). *)
Theorem state_step : forall r q x, r <= q ->
  (State r (S q) x <-> State r q (S x) \/ Offset r q (S x)).
Proof.
  intros r q x h. unfold State, Offset. replace (S q + x) with (q + S x) by lia.
  now apply RowBlocked_step.
Qed.

Lemma column_step : forall r q x, Column (S r) q x <-> Column r q x \/ Offset r q x.
Proof.
  intros r q x. split.
  - intros (c & hc & h). destruct (Nat.eq_dec c r) as [-> | hne].
    + now right.
    + left. exists c. split; [lia | exact h].
  - intros [(c & hc & h) | h].
    + exists c. split; [lia | exact h].
    + exists r. split; [lia | exact h].
Qed.

(** ** Fact 3 *)

(** From q1 on, the offsets in the window [[h,w]] that the column blocks repeat with m. *)
Definition WindowRepeats (r q1 h w m : nat) : Prop :=
  forall q x, q1 <= q -> h <= x <= w -> (Column r q x <-> Column r (q + m) x).

(** In column q the row's offset is not 0, and it and the mex of U(q) are in the window. *)
Definition InWindow (r h w q : nat) : Prop :=
  (forall x, x < h -> State r q x) /\ exists b, Offset r q b /\ 0 < b <= w.

Lemma window_repeats_multiple : forall r q1 h w m d, Nat.divide m d ->
  WindowRepeats r q1 h w m -> WindowRepeats r q1 h w d.
Proof.
  intros r q1 h w m d (k & ->) hc. induction k as [| k IH]; intros q x hq hx.
  - now rewrite Nat.add_0_r.
  - rewrite (IH q x hq hx), (hc (q + k * m) x) by lia.
    now replace (q + k * m + m) with (q + S k * m) by lia.
Qed.

(** The step of the induction: if the state and the blocked offsets of the window are the same in
the columns q and q', so is the offset. *)
Lemma same_offset : forall r q q' h w, r <= q -> r <= q' -> ~ Ended r q -> ~ Ended r q' ->
  (forall x, State r q x <-> State r q' x) ->
  (forall x, h <= x <= w -> (Column r q x <-> Column r q' x)) ->
  InWindow r h w q ->
  forall b, Offset r q b -> Offset r q' b.
Proof.
  intros r q q' h w hr hr' he he' hs hc (hh & b' & hb' & hw) b hb.
  assert (b' = b) as -> by now apply (offset_unique r q).
  apply offset_is_mex in hb as (hfree & hbelow); try assumption.
  assert (hhb : h <= b).
  { destruct (le_lt_dec h b) as [| hlt]; [assumption |]. destruct hfree. now left; apply hh. }
  apply offset_is_mex; try assumption. split.
  - intros [hx | hx]; apply hfree.
    + left. now apply hs.
    + right. apply hc; [lia | exact hx].
  - intros y hy. destruct (le_lt_dec h y) as [hy' | hy'].
    + destruct (hbelow y hy) as [hx | hx].
      * left. now apply hs.
      * right. apply hc; [lia | exact hx].
    + left. now apply hs, hh.
Qed.

(** The hypotheses of fact 3 on the columns q1 and q2: [Certified r q1 q2 h w m]. *)
Record Certified (r q1 q2 h w m : nat) : Prop := {
  certified_columns : r <= q1 < q2;
  certified_window : WindowRepeats r q1 h w m;
  certified_modulus : Nat.divide m (q2 - q1);
  certified_not_ended : ~ Ended r q1;
  certified_offsets : forall q, q1 <= q < q2 -> InWindow r h w q;
  certified_state : forall x, State r q1 x <-> State r q2 x;
}.

Section Fact3.
  Variables r q1 q2 h w m : nat.
  Hypothesis certified : Certified r q1 q2 h w m.

  Lemma not_ended_within : forall q, q <= q2 -> ~ Ended r q.
  Proof.
    destruct certified as [hq _ _ he ho _].
    intros q hq2. destruct (le_lt_dec q q1) as [hle | hlt].
    - now apply (not_ended_before r q q1).
    - replace q with (q1 + (q - q1)) in * by lia. revert hq2. generalize (q - q1).
      induction n as [| n IH]; intros hn.
      + now rewrite Nat.add_0_r.
      + destruct (ho (q1 + n)) as (_ & b & hb & hw); [lia |]. rewrite Nat.add_succ_r.
        apply (not_ended_step _ _ b); [apply IH; lia | exact hb | lia].
  Qed.

  (** The induction of the proof of fact 3. *)
  Lemma repeats : forall n,
    ~ Ended r (q2 + n) /\
    (forall x, State r (q1 + n) x <-> State r (q2 + n) x) /\
    (forall q, q1 <= q < q2 + n -> InWindow r h w q).
  Proof.
    pose proof not_ended_within as hwithin.
    destruct certified as [hq hc hm he ho hs].
    induction n as [| n (IHe & IHs & IHw)].
    - rewrite !Nat.add_0_r. auto.
    - assert (hin : InWindow r h w (q1 + n)) by (apply IHw; lia).
      assert (heq : forall b, Offset r (q1 + n) b -> Offset r (q2 + n) b).
      { apply (same_offset r (q1 + n) (q2 + n) h w); try assumption; try lia.
        - apply (not_ended_before r _ (q2 + n)); [lia | exact IHe].
        - intros x hx. replace (q2 + n) with (q1 + n + (q2 - q1)) by lia.
          apply (window_repeats_multiple r q1 h w m); try assumption. lia. }
      destruct hin as (hh & b & hb & hbw).
      assert (hin2 : InWindow r h w (q2 + n)).
      { split.
        - intros x hx. now apply IHs, hh.
        - exists b. auto. }
      rewrite !Nat.add_succ_r. repeat split.
      + apply (not_ended_step _ _ b); [exact IHe | now apply heq | lia].
      + rewrite !state_step by lia. intros [hx | hx].
        * left. now apply IHs.
        * right. now apply heq.
      + rewrite !state_step by lia. intros [hx | hx].
        * left. now apply IHs.
        * right. apply heq in hb as hb2.
          now rewrite (offset_unique _ _ _ _ hx hb2).
      + intros x hx. destruct (Nat.eq_dec q (q2 + n)) as [-> | hne].
        * now apply hin2.
        * apply (IHw q); [lia | exact hx].
      + destruct (Nat.eq_dec q (q2 + n)) as [-> | hne].
        * now apply hin2.
        * apply (IHw q). lia.
  Qed.

  Lemma never_ends : forall q, ~ Ended r q.
  Proof.
    intros q. apply (not_ended_before r q (q2 + q)); [lia |]. now apply repeats.
  Qed.

  Lemma always_in_window : forall q, q1 <= q -> InWindow r h w q.
  Proof. intros q hq. apply (repeats (S q)). lia. Qed.

  Lemma state_repeats : forall q x, q1 <= q -> (State r q x <-> State r (q + (q2 - q1)) x).
  Proof.
    intros q x hq. destruct (repeats (q - q1)) as (_ & hs & _). specialize (hs x).
    destruct certified as [hq12 _ _ _ _ _].
    replace (q1 + (q - q1)) with q in hs by lia.
    now replace (q2 + (q - q1)) with (q + (q2 - q1)) in hs by lia.
  Qed.

  Lemma offset_repeats : forall q b, q1 <= q -> (Offset r q b <-> Offset r (q + (q2 - q1)) b).
  Proof.
    destruct certified as [hq hc hm _ _ _].
    assert (heq : forall q b, q1 <= q -> Offset r q b -> Offset r (q + (q2 - q1)) b).
    { intros q b hle. apply (same_offset r q _ h w); try lia; try apply never_ends.
      - intros x. now apply state_repeats.
      - intros x hx. now apply (window_repeats_multiple r q1 h w m).
      - now apply always_in_window. }
    intros q b hle. split; [now apply heq |]. intros hb.
    destruct (always_in_window q hle) as (_ & b' & hb' & _).
    now rewrite (offset_unique _ _ _ _ hb (heq q b' hle hb')).
  Qed.

End Fact3.

(** The window rule: only the rows below with a value in the window count for the modulus. From q1
on, each row below has ended, or its offsets repeat with a period. *)

Definition RepeatsFrom (c s k : nat) : Prop :=
  0 < k /\ forall q x, s <= q -> (Offset c q x <-> Offset c (q + k) x).

(** Row c has a value in [[h,w]] from column s on. *)
Definition ValueIn (c s h w : nat) : Prop :=
  exists q x, s <= q /\ h <= x <= w /\ Offset c q x.

Definition WindowRule (r s h w m : nat) : Prop :=
  forall c, c < r ->
    Ended c s \/ exists k, RepeatsFrom c s k /\ (ValueIn c s h w -> Nat.divide k m).

Lemma repeats_from_multiple : forall c s k d, Nat.divide k d ->
  RepeatsFrom c s k -> forall q x, s <= q -> (Offset c q x <-> Offset c (q + d) x).
Proof.
  intros c s k d (j & ->) (_ & hc). induction j as [| j IH]; intros q x hq.
  - now rewrite Nat.add_0_r.
  - rewrite (IH q x hq), (hc (q + j * k) x) by lia.
    now replace (q + j * k + k) with (q + S j * k) by lia.
Qed.

Theorem window_rule : forall r s h w m,
  WindowRule r s h w m -> WindowRepeats r s h w m.
Proof.
  intros r s h w m hrows q x hq hx.
  assert (hsame : forall c, c < r -> (Offset c q x <-> Offset c (q + m) x)).
  { intros c hc. destruct (hrows c hc) as [(l & hl & hf) | (k & hk & hm)].
    - split; intros ho; exfalso; revert ho; apply ended_no_offset; exists l; split;
        try exact hf; lia.
    - assert (hd : ValueIn c s h w -> (Offset c q x <-> Offset c (q + m) x)).
      { intros hv. apply repeats_from_multiple with (s := s) (k := k); auto. }
      split; intros ho; apply hd; try assumption.
      + now exists q, x.
      + exists (q + m), x. split; [lia | auto]. }
  split; intros (c & hc & h'); exists c; (split; [exact hc |]); now apply hsame.
Qed.

(** Fact 3. Let s, q1, q2 and h be as there, w at least the z there, and m a multiple of the μ
there. Then row r is periodic from q1 on, with a period that divides [q2 - q1]; and U repeats,
too. *)
Theorem fact_3 : forall r s q1 q2 h w m,
  r <= s <= q1 -> q1 < q2 ->
  WindowRule r s h w m ->
  (forall q, q1 <= q < q2 -> InWindow r h w q) ->
  ~ Ended r q1 ->
  (forall x, State r q1 x <-> State r q2 x) ->
  Nat.divide m (q2 - q1) ->
  Periodic r q1 (q2 - q1) /\
  forall q x, q1 <= q -> (State r q x <-> State r (q + (q2 - q1)) x).
Proof.
  intros r s q1 q2 h w m hs hq hrows hin he hst hm.
  assert (hc : Certified r q1 q2 h w m).
  { constructor; try assumption; try lia.
    intros q x hle hx. apply (window_rule r s h w m hrows); lia. }
  split.
  - split; [lia |]. intros q hle.
    destruct (always_in_window r q1 q2 h w m hc q hle) as (_ & b & hb & _).
    exists (q + b). split; [exact hb |].
    apply (offset_repeats r q1 q2 h w m hc q b hle) in hb. unfold Offset in hb.
    now replace (q + b + (q2 - q1)) with (q + (q2 - q1) + b) by lia.
  - intros q x hle. now apply (state_repeats r q1 q2 h w m hc).
Qed.

(** ** Certificates *)

(** Row c has ended before column q, or repeats from q on. *)
Definition Settles (c q : nat) : Prop :=
  Ended c q \/ exists s k, Canonical c s k /\ s <= q.

(** [[h,w]] is the window of the columns from q1 to before q2: from the least mex of U to the
largest offset. *)
Definition Window (r q1 q2 h w : nat) : Prop :=
  (forall q x, q1 <= q < q2 -> x < h -> State r q x) /\
  (exists q, q1 <= q < q2 /\ ~ State r q h) /\
  (forall q x, q1 <= q < q2 -> Offset r q x -> x <= w) /\
  (exists q, q1 <= q < q2 /\ Offset r q w).

(** m is a common multiple of the periods of the rows below with a value in the window. *)
Definition CommonMultiple (r q1 h w m : nat) : Prop :=
  forall c s k, c < r -> Canonical c s k -> ValueIn c q1 h w -> Nat.divide k m.

(** m is the modulus: their least common multiple. *)
Definition Modulus (r q1 h w m : nat) : Prop :=
  CommonMultiple r q1 h w m /\ forall n, CommonMultiple r q1 h w n -> Nat.divide m n.

(** The columns q1 and q2 are a certificate of row r with the modulus m: they satisfy the hypotheses
of fact 3. Numbers of fact 3 that are determined by others are not arguments. *)
Record IsCertificate (r q1 q2 m : nat) : Prop := {
  certificate_columns : r <= q1 < q2;
  certificate_settled : forall c, c < r -> Settles c q1;
  certificate_offsets : forall q, q1 <= q < q2 -> exists x, Offset r q x /\ 0 < x;
  certificate_state : forall x, State r q1 x <-> State r q2 x;
  certificate_window : exists h w, Window r q1 q2 h w /\ Modulus r q1 h w m;
  certificate_modulus : Nat.divide m (q2 - q1);
}.

Lemma window_unique : forall r q1 q2 h w h' w',
  Window r q1 q2 h w -> Window r q1 q2 h' w' -> h = h' /\ w = w'.
Proof.
  assert (half : forall r q1 q2 h w h' w', Window r q1 q2 h w -> Window r q1 q2 h' w' ->
    h <= h' /\ w <= w').
  { intros r q1 q2 h w h' w' (a1 & (q & hq & a2) & a3 & (q' & hq' & a4))
      (b1 & (x & hx & b2) & b3 & _). split.
    - destruct (le_lt_dec h h') as [hle | hlt]; [exact hle |]. destruct b2. now apply a1.
    - now apply (b3 q'). }
  intros r q1 q2 h w h' w' h1 h2.
  destruct (half r q1 q2 h w h' w' h1 h2), (half r q1 q2 h' w' h w h2 h1). lia.
Qed.

Lemma modulus_unique : forall r q1 h w m m',
  Modulus r q1 h w m -> Modulus r q1 h w m' -> m = m'.
Proof.
  intros r q1 h w m m' (h1 & h2) (h1' & h2'). apply Nat.divide_antisym; auto.
Qed.

Lemma periodic_offset : forall r s k q x, Byrnes.Periodic r s k -> s <= q ->
  (Offset r q x <-> Offset r (q + k) x).
Proof.
  intros r s k q x (_ & h) hq. destruct (h q hq) as (p & h1 & h2).
  apply offset_of_F in h1 as (h1 & hp).
  assert (h3 : Offset r (q + k) (p - q)).
  { unfold Offset. now replace (q + k + (p - q)) with (p + k) by lia. }
  split; intros hx.
  - now rewrite (offset_unique _ _ _ _ hx h1).
  - now rewrite (offset_unique _ _ _ _ hx h3).
Qed.

Lemma periodic_repeats_from : forall r s k q, Byrnes.Periodic r s k -> s <= q -> RepeatsFrom r q k.
Proof.
  intros r s k q hp hq. split; [apply hp |].
  intros x y hx. apply (periodic_offset r s k); auto; lia.
Qed.

(** A common multiple is enough for the window rule. *)
Lemma settled_window_rule : forall r q1 h w m, (forall c, c < r -> Settles c q1) ->
  CommonMultiple r q1 h w m -> WindowRule r q1 h w m.
Proof.
  intros r q1 h w m hset hm c hc. destruct (hset c hc) as [he | (s & k & hcan & hs)]; [now left |].
  right. exists k. split; [apply (periodic_repeats_from c s); [apply hcan | exact hs] |].
  now apply (hm c s k).
Qed.

Lemma window_holds : forall r q1 q2 h w q, Window r q1 q2 h w -> q1 <= q < q2 ->
  (exists x, Offset r q x /\ 0 < x) -> InWindow r h w q.
Proof.
  intros r q1 q2 h w q (w1 & _ & w3 & _) hq (x & hx & hpos). split.
  - intros y hy. now apply w1.
  - exists x. split; [exact hx |]. specialize (w3 q x hq hx). lia.
Qed.

Lemma certificate_not_ended : forall r q1 q2 m, IsCertificate r q1 q2 m -> ~ Ended r q1.
Proof.
  intros r q1 q2 m [hq _ ho _ _ _] he. destruct (ho q1) as (x & hx & _); [lia |].
  exact (ended_no_offset r q1 x he hx).
Qed.

(** Fact 3 for certificates. *)
Theorem certificate_proves : forall r q1 q2 m, IsCertificate r q1 q2 m ->
  Periodic r q1 (q2 - q1) /\
  forall q x, q1 <= q -> (State r q x <-> State r (q + (q2 - q1)) x).
Proof.
  intros r q1 q2 m hc. pose proof (certificate_not_ended r q1 q2 m hc) as he.
  destruct hc as [hq hset ho hst (h & w & hwin & hmod & _) hm].
  apply (fact_3 r q1 q1 q2 h w m); try assumption; try lia.
  - now apply settled_window_rule.
  - intros q hin. apply (window_holds r q1 q2); auto.
Qed.

(** ** Periods of a sequence *)

Lemma repeats_from_later : forall r s s' k, s <= s' -> RepeatsFrom r s k -> RepeatsFrom r s' k.
Proof. intros r s s' k hs (hk & h). split; [exact hk |]. intros q x hq. apply h. lia. Qed.

Lemma repeats_from_minus : forall r s i j, j < i ->
  RepeatsFrom r s i -> RepeatsFrom r s j -> RepeatsFrom r s (i - j).
Proof.
  intros r s i j hij (_ & hi) (_ & hj). split; [lia |]. intros q x hq.
  rewrite (hi q x hq), (hj (q + (i - j)) x) by lia.
  now replace (q + (i - j) + j) with (q + i) by lia.
Qed.

(** The least period divides every other. *)
Lemma least_period_divides : forall r s k, RepeatsFrom r s k ->
  (forall k', RepeatsFrom r s k' -> k <= k') ->
  forall d, RepeatsFrom r s d -> Nat.divide k d.
Proof.
  intros r s k hk least. induction d as [d IH] using (well_founded_induction lt_wf). intros hd.
  destruct (Nat.eq_dec d k) as [-> | hne]; [apply Nat.divide_refl |].
  pose proof (least d hd) as hle. assert (hkpos : 0 < k) by apply hk.
  destruct (IH (d - k)) as (j & hj); [lia | apply repeats_from_minus; auto; lia |].
  exists (S j). lia.
Qed.

(** ** Corollary 3a: a certificate may begin late *)

Lemma state_repeats_multiple : forall r q1 d,
  (forall q x, q1 <= q -> (State r q x <-> State r (q + d) x)) ->
  forall n q x, q1 <= q -> (State r q x <-> State r (q + n * d) x).
Proof.
  intros r q1 d h n q x hq. induction n as [| n IH].
  - now rewrite Nat.add_0_r.
  - rewrite IH, (h (q + n * d) x) by lia. now replace (q + n * d + d) with (q + S n * d) by lia.
Qed.

Theorem corollary_3a : forall r q1 q2 m c k, IsCertificate r q1 q2 m -> q1 <= c ->
  RepeatsFrom r c k -> (forall k', RepeatsFrom r c k' -> k <= k') ->
  Nat.divide k (q2 - q1) /\ RepeatsFrom r q1 k /\
  forall q x, q1 <= q -> q mod (q2 - q1) = c mod (q2 - q1) -> (State r q x <-> State r c x).
Proof.
  intros r q1 q2 m c k hcert hc hk least. set (d := q2 - q1).
  assert (hd : 0 < d) by (unfold d; destruct hcert; lia).
  destruct (certificate_proves r q1 q2 m hcert) as (hp & hst). fold d in hp, hst.
  pose proof (periodic_repeats_from r q1 d q1 hp (le_n q1)) as hrep. split; [| split].
  - apply (least_period_divides r c k hk least). now apply (repeats_from_later r q1).
  - split; [apply hk |]. intros q x hq.
    rewrite (repeats_from_multiple r q1 d (c * d) ltac:(now exists c) hrep q x hq).
    rewrite (repeats_from_multiple r q1 d (c * d) ltac:(now exists c) hrep (q + k) x ltac:(lia)).
    destruct hk as (_ & hk). rewrite (hk (q + c * d) x) by nia.
    now replace (q + c * d + k) with (q + k + c * d) by lia.
  - assert (hsame : forall q q' x, q1 <= q <= q' -> q mod d = q' mod d ->
      (State r q x <-> State r q' x)).
    { intros q q' x hq hmod.
      assert (hdiff : q' = q + (q' / d - q / d) * d).
      { pose proof (Nat.div_mod_eq q d). pose proof (Nat.div_mod_eq q' d).
        assert (q / d <= q' / d) by (apply Nat.div_le_mono; lia). nia. }
      rewrite hdiff. now apply (state_repeats_multiple r q1). }
    intros q x hq hmod. destruct (le_lt_dec q c) as [h | h].
    + apply hsame; [lia | exact hmod].
    + symmetry. apply hsame; [lia | now symmetry].
Qed.

(** ** Fact 7: where a certificate comes back *)

(** U(q) is part of [[0,r]]. *)
Lemma state_bound : forall r q x, r <= q -> State r q x -> x <= r.
Proof. intros r q x hq h. apply RowBlocked_bound in h; lia. Qed.

(** U(q+n) has the members of U(q), less n, and what the offsets of the n columns from q on
block. *)
Lemma state_after : forall r q n x, r <= q ->
  (State r (q + n) x <->
   State r q (x + n) \/ exists j, 1 <= j <= n /\ Offset r (q + n - j) (x + j)).
Proof.
  intros r q n. induction n as [| n IH]; intros x hq.
  - rewrite !Nat.add_0_r. split; [now left |]. intros [h | (j & hj & _)]; [exact h | lia].
  - rewrite Nat.add_succ_r, state_step, IH by lia.
    replace (S x + n) with (x + S n) by lia. split.
    + intros [[h | (j & hj & h)] | h]; [now left | right | right].
      * exists (S j). split; [lia |]. replace (S (q + n) - S j) with (q + n - j) by lia.
        now replace (x + S j) with (S x + j) by lia.
      * exists 1. split; [lia |]. replace (S (q + n) - 1) with (q + n) by lia.
        now replace (x + 1) with (S x) by lia.
    + intros [h | (j & hj & h)]; [now left; left |].
      destruct (Nat.eq_dec j 1) as [-> | hne].
      * right. replace (S (q + n) - 1) with (q + n) in h by lia. now rewrite Nat.add_1_r in h.
      * left. right. exists (j - 1). split; [lia |].
        replace (q + n - (j - 1)) with (S (q + n) - j) by lia.
        now replace (S x + (j - 1)) with (x + j) by lia.
Qed.

(** If U repeats with d and the offsets with k, then U repeats with k: after sufficiently many
columns, only the offsets since q determine U. *)
Lemma state_period : forall r q1 d k, r <= q1 -> 0 < d ->
  (forall q x, q1 <= q -> (State r q x <-> State r (q + d) x)) ->
  RepeatsFrom r q1 k ->
  forall q x, q1 <= q -> (State r q x <-> State r (q + k) x).
Proof.
  intros r q1 d k hr hd hst (_ & hk) q x hq. set (n := S r * d).
  assert (hoffsets : forall q, q1 <= q ->
    (State r q x <-> exists j, 1 <= j <= n /\ Offset r (q + n - j) (x + j))).
  { intros y hy. rewrite (state_repeats_multiple r q1 d hst (S r) y x hy). fold n.
    rewrite state_after by lia. split; [intros [h | h] | now right].
    - apply state_bound in h; [unfold n in h; nia | lia].
    - exact h. }
  rewrite (hoffsets q), (hoffsets (q + k)) by lia.
  split; intros (j & hj & h); exists j; (split; [exact hj |]).
  - replace (q + k + n - j) with (q + n - j + k) by lia.
    rewrite <- (hk (q + n - j)) by lia. exact h.
  - replace (q + k + n - j) with (q + n - j + k) in h by lia.
    rewrite (hk (q + n - j)) by lia. exact h.
Qed.

(** The columns of n periods have the same window as those of one period. *)
Lemma window_of_period : forall r q1 k n h w, 0 < n ->
  (forall q x, q1 <= q -> (State r q x <-> State r (q + k) x)) ->
  RepeatsFrom r q1 k ->
  (Window r q1 (q1 + n * k) h w <-> Window r q1 (q1 + k) h w).
Proof.
  intros r q1 k n h w hn hst hk. assert (hkpos : 0 < k) by apply hk.
  set (back := fun q => q1 + (q - q1) mod k).
  assert (hback : forall q, q1 <= q -> q1 <= back q < q1 + k /\
    (forall x, State r q x <-> State r (back q) x) /\
    forall x, Offset r q x <-> Offset r (back q) x).
  { intros q hq. assert (hlt : (q - q1) mod k < k) by (apply Nat.mod_upper_bound; lia).
    assert (he : q = back q + ((q - q1) / k) * k).
    { unfold back. pose proof (Nat.div_mod_eq (q - q1) k). lia. }
    split; [unfold back; lia |]. split; intros x; symmetry; rewrite he at 2.
    - apply (state_repeats_multiple r q1 k hst). unfold back. lia.
    - apply (repeats_from_multiple r q1 k); [now exists ((q - q1) / k) | exact hk |].
      unfold back. lia. }
  assert (hin : forall q, q1 <= q < q1 + k -> q1 <= q < q1 + n * k) by nia.
  split.
  - intros (w1 & (q & hq & w2) & w3 & (q' & hq' & w4)). split; [| split; [| split]].
    + intros y x hy. apply w1. auto.
    + destruct (hback q) as (hb & hs & _); [lia |]. exists (back q). split; [exact hb |].
      now rewrite <- hs.
    + intros y x hy. apply w3. auto.
    + destruct (hback q') as (hb & _ & ho); [lia |]. exists (back q'). split; [exact hb |].
      now rewrite <- ho.
  - intros (w1 & (q & hq & w2) & w3 & (q' & hq' & w4)). split; [| split; [| split]].
    + intros y x hy hx. destruct (hback y) as (hb & hs & _); [lia |]. apply hs. now apply w1.
    + exists q. auto.
    + intros y x hy hx. destruct (hback y) as (hb & _ & ho); [lia |]. apply (w3 (back y)); auto.
      now apply ho.
    + exists q'. auto.
Qed.

Section Fact7.
  Variables r q1 q2 m k : nat.
  Hypothesis certificate : IsCertificate r q1 q2 m.
  Hypothesis period : RepeatsFrom r q1 k.
  Hypothesis least : forall k', RepeatsFrom r q1 k' -> k <= k'.

  (** Fact 7(a). *)
  Theorem fact_7a : forall q x, q1 <= q -> (State r q x <-> State r (q + k) x).
  Proof.
    destruct (certificate_proves r q1 q2 m certificate) as (_ & hst).
    destruct certificate as [hq _ _ _ _ _].
    apply (state_period r q1 (q2 - q1)); try assumption; lia.
  Qed.

  Lemma period_divides_certificate : forall q m', IsCertificate r q1 q m' -> Nat.divide k (q - q1).
  Proof.
    intros q m' hc. apply (least_period_divides r q1 k period least).
    apply (periodic_repeats_from r q1); [apply (certificate_proves r q1 q m' hc) | apply le_n].
  Qed.

  (** Fact 7(b), for any certificate that begins in q1. *)
  Theorem fact_7b : forall q m' h w, IsCertificate r q1 q m' ->
    (Window r q1 q h w <-> Window r q1 (q1 + k) h w).
  Proof.
    intros q m' h w hc. destruct (period_divides_certificate q m' hc) as (n & hn).
    assert (hq : q1 < q) by (destruct hc; lia).
    replace q with (q1 + n * k) by lia.
    apply window_of_period; [destruct n; lia | exact fact_7a | exact period].
  Qed.

  Lemma offsets_always : forall q, q1 <= q -> exists x, Offset r q x /\ 0 < x.
  Proof.
    intros q hq. destruct (certificate_proves r q1 q2 m certificate) as (hp & _).
    destruct hp as (hpos & hp). destruct (hp q hq) as (p & h & _).
    apply offset_of_F in h as (h & _). exists (p - q). split; [exact h |].
    destruct (p - q) as [| x]; [exfalso | lia].
    apply (periodic_never_ends r q1 (q2 - q1) (S q)); [now split |].
    apply (offset_0_ends r q); [exact h | lia].
  Qed.

  (** Fact 7(c). These are equivalent: (q1,q) is a certificate with the same modulus; U(q) is U(q1),
  and m divides the distance; lcm(k,m) divides the distance. *)
  Theorem fact_7c : forall q, q1 < q ->
    ((exists m', IsCertificate r q1 q m') <-> Nat.divide (Nat.lcm k m) (q - q1)) /\
    ((forall x, State r q1 x <-> State r q x) /\ Nat.divide m (q - q1) <->
     Nat.divide (Nat.lcm k m) (q - q1)).
  Proof.
    intros q hq.
    assert (hback : Nat.divide (Nat.lcm k m) (q - q1) ->
      (forall x, State r q1 x <-> State r q x) /\ Nat.divide m (q - q1)).
    { intros hd. split.
      - intros x. destruct (Nat.divide_trans k _ _ (Nat.divide_lcm_l k m) hd) as (n & hn).
        replace q with (q1 + n * k) by lia.
        now apply (state_repeats_multiple r q1 k fact_7a).
      - exact (Nat.divide_trans m _ _ (Nat.divide_lcm_r k m) hd). }
    assert (hwin : exists h w, Window r q1 (q1 + k) h w /\ Modulus r q1 h w m).
    { destruct (certificate_window r q1 q2 m certificate) as (h & w & hw & hm).
      exists h, w. split; [now apply (fact_7b q2 m) | exact hm]. }
    destruct hwin as (h & w & hwin & hmod).
    destruct (certificate_columns r q1 q2 m certificate) as (hr & _).
    split; split.
    - intros (m' & hc). apply Nat.lcm_least; [now apply (period_divides_certificate q m') |].
      destruct (certificate_window r q1 q m' hc) as (h' & w' & hwin' & hmod').
      apply (fact_7b q m' h' w' hc) in hwin'.
      destruct (window_unique _ _ _ _ _ _ _ hwin hwin') as (<- & <-).
      rewrite (modulus_unique _ _ _ _ _ _ hmod hmod'). apply (certificate_modulus _ _ _ _ hc).
    - intros hd. exists m. destruct (hback hd) as (hst & hm). constructor; try assumption.
      + lia.
      + exact (certificate_settled r q1 q2 m certificate).
      + intros y hy. apply offsets_always. lia.
      + exists h, w. split; [| exact hmod].
        destruct (Nat.divide_trans k _ _ (Nat.divide_lcm_l k m) hd) as (n & hn).
        replace q with (q1 + n * k) by lia.
        apply window_of_period; [destruct n; lia | exact fact_7a | exact period | exact hwin].
    - intros (hst & hm). apply Nat.lcm_least; [| exact hm].
      apply (least_period_divides r q1 k period least).
      apply (periodic_repeats_from r q1); [| apply le_n].
      apply (fact_3 r q1 q1 q h w m); try assumption; try lia.
      + apply settled_window_rule; [exact (certificate_settled r q1 q2 m certificate) | apply hmod].
      + intros y hy. apply (window_holds r q1 (q1 + (S (q - q1)) * k)).
        * apply window_of_period; [lia | exact fact_7a | exact period | exact hwin].
        * assert (0 < k) by apply period. nia.
        * apply offsets_always. lia.
      + exact (certificate_not_ended r q1 q2 m certificate).
    - exact hback.
  Qed.

  (** At distances from q1 that are less than lcm(k,m) and that m divides, U is not U(q1). *)
  Corollary first_return : forall q, q1 < q < q1 + Nat.lcm k m -> Nat.divide m (q - q1) ->
    ~ (forall x, State r q1 x <-> State r q x).
  Proof.
    intros q hq hm hst. assert (hd : Nat.divide (Nat.lcm k m) (q - q1)).
    { apply fact_7c; [lia |]. now split. }
    apply Nat.divide_pos_le in hd; lia.
  Qed.

End Fact7.
