(** * Every row has a true record

[true_record_exists]: for each row there is a record that is true in the sense of [Completeness.v],
and so one that the checker accepts after true records of the rows below ([accepted_records]). The
certificate begins more than r columns after the start of the row, in a column by which the rows
below have settled. From there on U has the least period k of the row, since the offsets of the last
r + 1 columns determine it. The columns of one period have a window, and this has a modulus m; the
certificate ends lcm(k,m) columns after its beginning. *)

From Chomp Require Import Rules Recurrence Byrnes Certificate Masks Checker Soundness Completeness.
From Coq Require Import BinNums Arith NArith List Bool Lia Sorted.
Import ListNotations.

(** ** U, and its window *)

Lemma start_from_row : forall r s k, Byrnes.Periodic r s k -> r <= s.
Proof. intros r s k (_ & h). destruct (h s (le_n s)) as (p & (_ & hr & _) & _). exact hr. Qed.

(** More than r columns after the start, U has the period of the row. *)
Lemma state_repeats_late : forall r s k, Byrnes.Periodic r s k -> forall q x, s + S r <= q ->
  (State r q x <-> State r (q + k) x).
Proof.
  intros r s k hp q x hq. pose proof (start_from_row r s k hp) as hr.
  assert (recent : forall t, s + S r <= t ->
    (State r t x <-> exists j, 1 <= j <= S r /\ Offset r (t - j) (x + j))).
  { intros t ht. replace t with (t - S r + S r) at 1 by lia. rewrite state_after by lia.
    replace (t - S r + S r) with t by lia. split; [| now right].
    intros [h | h]; [apply state_bound in h; lia | exact h]. }
  rewrite !recent by lia.
  split; intros (j & hj & h); exists j; (split; [exact hj |]); revert h;
    replace (q + k - j) with (q - j + k) by lia;
    (apply (periodic_offset r s k (q - j) _ hp); lia).
Qed.

Lemma window_exists : forall r q1 q2, r <= q1 < q2 ->
  (forall q, q1 <= q < q2 -> exists x, Offset r q x) -> exists h w, Window r q1 q2 h w.
Proof.
  intros r q1 q2 hq ho.
  destruct (least_exists (fun h => exists q, q < q2 /\ q1 <= q /\ ~ State r q h)) with (n := S r)
    as (h & _ & (q & hq2 & hq1 & hh) & least).
  { intros h. apply exists_below_dec. intros q. apply and_dec; [apply le_dec |].
    destruct (RowBlocked_dec r q (q + h)) as [hb | hb]; [right | left]; unfold State; tauto. }
  { exists q1. split; [lia |]. split; [lia |]. intros h. apply state_bound in h; lia. }
  assert (largest : forall n, S n <= q2 - q1 -> exists w,
    (forall q x, q1 <= q <= q1 + n -> Offset r q x -> x <= w) /\
    exists q, q1 <= q <= q1 + n /\ Offset r q w).
  { induction n as [| n IH]; intros hn.
    - destruct (ho q1) as (x & hx); [lia |]. exists x.
      split; [| exists q1; split; [lia | exact hx]].
      intros t y ht hy. replace t with q1 in hy by lia. now rewrite (offset_unique _ _ _ _ hy hx).
    - destruct IH as (w & hw & (t & ht & hwt)); [lia |].
      destruct (ho (q1 + S n)) as (x & hx); [lia |]. exists (Nat.max w x). split.
      + intros t' y ht' hy. destruct (Nat.eq_dec t' (q1 + S n)) as [-> | hne].
        * rewrite (offset_unique _ _ _ _ hy hx). lia.
        * specialize (hw t' y ltac:(lia) hy). lia.
      + destruct (Nat.max_dec w x) as [-> | ->].
        * exists t. split; [lia | exact hwt].
        * exists (q1 + S n). split; [lia | exact hx]. }
  destruct (largest (q2 - q1 - 1)) as (w & hw & (t & ht & hwt)); [lia |].
  exists h, w. split; [| split; [| split]].
  - intros t' x ht' hx. destruct (RowBlocked_dec r t' (t' + x)) as [hb | hb]; [exact hb |].
    destruct (least x hx). exists t'. split; [lia |]. split; [lia | exact hb].
  - exists q. split; [lia | exact hh].
  - intros t' x ht'. apply hw. lia.
  - exists t. split; [lia | exact hwt].
Qed.

(** The numbers from n + 1 to n + m that have a property, in ascending order. *)
Lemma ascending_list : forall A : nat -> Prop, (forall x, {A x} + {~ A x}) -> forall m n,
  exists l, Sorted N.lt (N.of_nat n :: l) /\
    forall x, In x (numbers l) <-> n < x <= n + m /\ A x.
Proof.
  intros A dec. induction m as [| m IH]; intros n.
  - exists []. split; [auto |]. simpl. intros x. lia.
  - destruct (IH (S n)) as (l & hl & hin). destruct (dec (S n)) as [ha | ha].
    + exists (N.of_nat (S n) :: l). split; [constructor; [exact hl | constructor; lia] |].
      intros x.
      change (In x (numbers (N.of_nat (S n) :: l))) with
        (N.to_nat (N.of_nat (S n)) = x \/ In x (numbers l)).
      rewrite hin, Nat2N.id. split.
      * intros [<- | (hx & h)]; (split; [lia | assumption]).
      * intros (hx & h). destruct (Nat.eq_dec x (S n)) as [-> | hne]; [now left | right].
        split; [lia | exact h].
    + exists l. split.
      * inversion hl as [| ? ? h1 h2]; subst. constructor; [exact h1 |].
        destruct h2 as [| y l h2]; constructor. lia.
      * intros x. rewrite hin. split; intros (hx & h); (split; [| exact h]); [lia |].
        destruct (Nat.eq_dec x (S n)) as [-> | hne]; [now destruct ha | lia].
Qed.

(** ** The certificate *)

(** [b] is what the checker keeps of true records of the rows below. *)
Lemma certificate_exists : forall r b s k, KnownWell r b -> Canonical r s k ->
  exists c, TrueCertificate r s k c.
Proof.
  intros r b s k hb hcan. pose proof (proj1 hcan) as hp.
  pose proof (start_from_row r s k hp) as hr. assert (hk : 0 < k) by apply hp.
  set (q1 := s + S r + N.to_nat (settled b)).
  assert (state : forall q x, q1 <= q -> (State r q x <-> State r (q + k) x)).
  { intros q x hq. apply (state_repeats_late r s k hp). unfold q1 in hq. lia. }
  destruct (window_exists r q1 (q1 + k)) as (h & w & hw); [unfold q1; lia | |].
  { intros q hq. destruct hp as (_ & hp). destruct (hp q) as (p & hf & _); [unfold q1 in hq; lia |].
    exists (p - q). now apply offset_of_F. }
  set (m := modulus_within (N.of_nat h) (N.of_nat w) (tails b)).
  assert (hm : (0 < m)%N).
  { apply modulus_within_positive. intros t ht.
    destruct (well_tails r b hb t ht) as (c & _ & hf & _). exact (follows_values c t hf). }
  set (d := N.lcm (N.of_nat k) m).
  assert (hd : (0 < d)%N).
  { pose proof (N.lcm_eq_0 (N.of_nat k) m). unfold d. lia. }
  assert (hdk : Nat.divide k (N.to_nat d)).
  { rewrite <- (Nat2N.id k) at 1. apply divide_to_nat, N.divide_lcm_l. }
  destruct hdk as (n & hn).
  destruct (least_exists (fun x => ~ State r q1 x)) with (n := S r) as (f & _ & hf & least).
  { intros x. destruct (RowBlocked_dec r q1 (q1 + x)); [right | left]; unfold State; tauto. }
  { intros hx. apply state_bound in hx; unfold q1; lia. }
  destruct (ascending_list (State r q1) (fun x => RowBlocked_dec r q1 (q1 + x)) r f)
    as (above & hsorted & habove).
  exists (Certificate (N.of_nat q1) (N.of_nat q1 + d) m (N.of_nat f) above).
  constructor; cbn [from recurs modulus filled Checker.above];
    rewrite ?N2Nat.inj_add, ?Nat2N.id.
  - unfold q1. lia.
  - intros c hc. apply (known_settles r b); [exact hb | exact hc | unfold q1; lia].
  - intros x. rewrite habove. split.
    + intros hx. destruct (lt_eq_lt_dec x f) as [[hlt | ->] | hlt]; [now left | now destruct hf |].
      right. split; [| exact hx]. apply state_bound in hx; unfold q1 in *; lia.
    + intros [hx | (_ & hx)]; [| exact hx]. destruct (RowBlocked_dec r q1 (q1 + x)) as [h1 | h1];
        [exact h1 | now destruct (least x hx)].
  - exact hsorted.
  - intros x. rewrite hn. apply (state_repeats_multiple r q1 k state). lia.
  - exists h, w. split.
    + rewrite hn. apply window_of_period; [destruct n; lia | exact state | | exact hw].
      apply (periodic_repeats_from r s k); [exact hp | unfold q1; lia].
    + rewrite <- (Nat2N.id h), <- (Nat2N.id w). apply modulus_is; [exact hb | unfold q1; lia].
  - unfold d. lia.
Qed.

(** ** The record *)

Lemma numbers_of_nat : forall l, numbers (map N.of_nat l) = l.
Proof.
  intros l. unfold numbers. rewrite map_map, <- map_id. apply map_ext, Nat2N.id.
Qed.

Lemma record_exists : forall r b, KnownWell r b -> exists x, TrueRecord r x.
Proof.
  intros r b hb. destruct (F_exists r r (le_n r) (not_ended_at_first r)) as (d & _ & hd).
  destruct (byrnes r) as [(last & hf) | (s & k & hp)].
  - destruct (table_of_finite_row r last hf) as (head & table).
    exists (FiniteRow (N.of_nat r) (N.of_nat d) (N.of_nat last) (map N.of_nat head)).
    split; [| exact I]. simpl. rewrite !Nat2N.id. split; [reflexivity |]. split; [exact hd |].
    split; [exact hf |]. unfold RowIs. now rewrite numbers_of_nat.
  - destruct (canonical_exists r s k hp) as (s' & k' & hcan). clear s k hp.
    destruct (table_of_periodic_row r s' k' (proj1 hcan)) as (head & values & hs & hk & table).
    destruct (certificate_exists r b s' k' hb hcan) as (c & hc).
    exists (PeriodicRow (N.of_nat r) (N.of_nat d) (N.of_nat s') (map N.of_nat values) c
      (map N.of_nat head)).
    unfold TrueRecord, TrueRow. rewrite !map_length, !Nat2N.id, hk.
    split; [| split; [now symmetry | exact hc]]. split; [reflexivity |]. split; [exact hd |].
    split; [exact hcan |]. unfold RowIs. now rewrite !numbers_of_nat.
Qed.

Lemma known_exists : forall r, exists b, KnownWell r b.
Proof.
  induction r as [| r (b & hb)].
  - exists none_below. exact nothing_below_well.
  - destruct (record_exists r b hb) as (x & hx). apply (step_iff r b x hb) in hx as (b' & e).
    exists b'. exact (step_well r b x b' hb e).
Qed.

Theorem true_record_exists : forall r, exists x, TrueRecord r x.
Proof. intros r. destruct (known_exists r) as (b & hb). exact (record_exists r b hb). Qed.

(** The checker accepts some record for each of the rows below row n. *)
Theorem accepted_records : forall n, exists records, length records = n /\ check records = true.
Proof.
  intros n. destruct (list_of record TrueRecord n) as (l & hl & h).
  { intros r _. apply true_record_exists. }
  exists l. split; [exact hl |]. apply check_iff. intros r x hx.
  destruct (h r) as (y & hy & hr); [rewrite <- hl; apply nth_error_Some; congruence | congruence].
Qed.
