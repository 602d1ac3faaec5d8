(** * The certificate of a tail: fact 3 and corollary 3a

Fact 3: if the state U(q) of row r is the same in the columns q1 and q2, and what the rows below
block is the same there as far as it matters (the window rule), then row r is periodic from q1 on,
with a period that divides [q2 - q1]. Corollary 3a: what is known of the offsets from a later column
on is known from q1 on. *)

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

(** From q1 on, what the column blocks in the window [[h,w]] repeats with m. *)
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

(** The step of the induction: what is alike in the columns q and q' stays so. *)
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

(** What fact 3 asks of the columns q1 and q2: [Certified r q1 q2 h w m]. *)
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

(** The window rule: only the rows below with a value in the window count for the modulus. A row
below has settled from q1 on: it has ended, or its offsets repeat with a period. *)

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

(** Fact 3. With s, q1, q2, h, W and m as there, row r is periodic from q1 on, with a period
that divides [q2 - q1]; and U repeats, too. *)
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
