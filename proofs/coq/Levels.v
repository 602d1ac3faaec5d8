(** * Levels and longer tails

Fact 12 of [proofs/README.md], for boards with any number of rows, and for all Grundy values: a row
has at most one position in each column; the recurrence; and a row is empty, or finite, or repeats
from some column on.

The proof of the last claim needs no bound for the offsets in advance. In far columns the rows of
(C) and (L) block offsets to some number. Above it, and above all members of U(q), the row takes the
next one at most, and so no later U has a greater member. *)

From Coq Require Import Arith List Bool Lia.
From Chomp Require Import Recurrence Byrnes Counting.
Import ListNotations.

(** ** The game *)

(** A board is the list of its row lengths. A bite in row i, counted from 0, leaves z squares there
and at most z in each row below. *)
Definition cut (i z : nat) (x : list nat) : list nat := firstn i x ++ map (Nat.min z) (skipn i x).

Definition Bite (x y : list nat) : Prop :=
  exists i z, z < nth i x 0 /\ (0 < i \/ 0 < z) /\ y = cut i z x.

(** G(x) is the least number that is not G(y) for a board y to which a bite leads. *)
Definition GrundyValues (G : list nat -> nat) : Prop :=
  forall x, (forall y, Bite x y -> G y <> G x) /\
    forall h, h < G x -> exists y, Bite x y /\ G y = h.

(** *** Cuts *)

Lemma min_above : forall z t, list_max t <= z -> map (Nat.min z) t = t.
Proof.
  intros z t. induction t as [| a t IH]; simpl; intros h; [reflexivity |].
  rewrite IH by lia. f_equal. lia.
Qed.

Lemma min_twice : forall x y t, x <= y -> map (Nat.min x) (map (Nat.min y) t) = map (Nat.min x) t.
Proof. intros x y t h. rewrite map_map. apply map_ext. intros a. lia. Qed.

Lemma min_max : forall z t, list_max (map (Nat.min z) t) <= z.
Proof. intros z t. induction t as [| a t IH]; simpl; lia. Qed.

Lemma min_max_less : forall z t, list_max (map (Nat.min z) t) <= list_max t.
Proof. intros z t. induction t as [| a t IH]; simpl; lia. Qed.

Lemma min_sum : forall z t, list_sum (map (Nat.min z) t) <= list_sum t.
Proof. intros z t. induction t as [| a t IH]; simpl; lia. Qed.

Lemma cut_max : forall i z t, list_max (cut i z t) <= list_max t.
Proof.
  induction i as [| i IH]; intros z t; [apply min_max_less |].
  destruct t as [| a t]; [apply le_n |].
  change (cut (S i) z (a :: t)) with (a :: cut i z t). simpl. specialize (IH z t). lia.
Qed.

Lemma cut_sum : forall i z t, z < nth i t 0 -> list_sum (cut i z t) < list_sum t.
Proof.
  induction i as [| i IH]; intros z [| a t] h; simpl in h; try lia.
  - change (cut 0 z (a :: t)) with (Nat.min z a :: map (Nat.min z) t). simpl.
    pose proof (min_sum z t). lia.
  - change (cut (S i) z (a :: t)) with (a :: cut i z t). simpl. specialize (IH z t h). lia.
Qed.

(** ** Sets of offsets that settle

[A q o] says that column q has the offset o. From column s on, they repeat with k and are at most
M. *)

Definition Settles (A : nat -> nat -> Prop) (s k M : nat) : Prop :=
  forall q, s <= q -> forall o, (A q o -> o <= M) /\ (A q o <-> A (q + k) o).

Definition Settled (A : nat -> nat -> Prop) : Prop :=
  exists s k M, 0 < k /\ Settles A s k M.

Lemma settles_multiple : forall A s k M n, Settles A s k M -> Settles A s (n * k) M.
Proof.
  intros A s k M n h q hq o. split; [now apply h |]. induction n as [| n IH].
  - now rewrite Nat.add_0_r.
  - rewrite IH. replace (q + S n * k) with (q + n * k + k) by lia. apply h. lia.
Qed.

Lemma settled_or : forall A B, Settled A -> Settled B -> Settled (fun q o => A q o \/ B q o).
Proof.
  intros A B (s & k & M & hk & h) (s' & k' & M' & hk' & h').
  exists (s + s'), (k' * k), (M + M'). split; [nia |]. intros q hq o.
  destruct (settles_multiple A s k M k' h q ltac:(lia) o) as (h1 & h2).
  destruct (settles_multiple B s' k' M' k h' q ltac:(lia) o) as (h3 & h4).
  rewrite (Nat.mul_comm k k') in h4. split; [| tauto].
  intros [ha | hb]; [apply h1 in ha | apply h3 in hb]; lia.
Qed.

Lemma settled_any : forall (X : Type) (A : X -> nat -> nat -> Prop) l,
  (forall x, In x l -> Settled (A x)) -> Settled (fun q o => exists x, In x l /\ A x q o).
Proof.
  intros X A l. induction l as [| x l IH]; intros h.
  - exists 0, 1, 0. split; [lia |]. intros q _ o. split; [intros (x & [] & _) |].
    split; intros (x & [] & _).
  - destruct (settled_or (A x) (fun q o => exists y, In y l /\ A y q o))
      as (s & k & M & hk & hs).
    + apply h. now left.
    + apply IH. intros y hy. apply h. now right.
    + exists s, k, M. split; [exact hk |]. intros q hq o. destruct (hs q hq o) as (h1 & h2).
      assert (same : forall q, (exists y, In y (x :: l) /\ A y q o) <->
        A x q o \/ exists y, In y l /\ A y q o).
      { intros q0. split.
        - intros (y & [-> | hy] & ha); [now left | right; now exists y].
        - intros [ha | (y & hy & ha)]; [exists x | exists y];
            (split; [simpl; tauto | assumption]). }
      rewrite !same. now split.
Qed.

Section Levels.

Variable G : list nat -> nat.
Hypothesis grundy : GrundyValues G.

Lemma option_differs : forall x y, Bite x y -> G y <> G x.
Proof. intros x. apply grundy. Qed.

Lemma option_exists : forall x h, h < G x -> exists y, Bite x y /\ G y = h.
Proof. intros x. apply grundy. Qed.

(** *** The bites from a board with the rows p, q, and the tail t *)

Lemma bite_top : forall p q t z, 1 <= z < p -> Bite (p :: q :: t) (map (Nat.min z) (p :: q :: t)).
Proof. intros p q t z h. exists 0, z. simpl nth. split; [lia |]. split; [lia | reflexivity]. Qed.

Lemma bite_from_top : forall p q t z, list_max t <= q -> q <= z < p -> 1 <= z ->
  Bite (p :: q :: t) (z :: q :: t).
Proof.
  intros p q t z ht hz h1. replace (z :: q :: t) with (map (Nat.min z) (p :: q :: t)).
  - apply bite_top. lia.
  - simpl. rewrite min_above by lia. f_equal; [lia |]. f_equal. lia.
Qed.

Lemma bite_to_square : forall p q t z, 1 <= z < q -> q <= p ->
  Bite (p :: q :: t) (z :: z :: map (Nat.min z) t).
Proof.
  intros p q t z hz hp.
  replace (z :: z :: map (Nat.min z) t) with (map (Nat.min z) (p :: q :: t)).
  - apply bite_top. lia.
  - simpl. f_equal; [lia |]. f_equal. lia.
Qed.

Lemma bite_second : forall p q t z, z < q -> Bite (p :: q :: t) (p :: z :: map (Nat.min z) t).
Proof.
  intros p q t z h. exists 1, z. split; [exact h |]. split; [lia |].
  change (cut 1 z (p :: q :: t)) with (p :: Nat.min z q :: map (Nat.min z) t).
  now rewrite Nat.min_l by lia.
Qed.

Lemma bite_tail : forall p q t i z, z < nth i t 0 -> Bite (p :: q :: t) (p :: q :: cut i z t).
Proof.
  intros p q t i z h. exists (S (S i)), z. split; [exact h |]. split; [lia | reflexivity].
Qed.

Lemma bites_from : forall p q t y, list_max t <= q -> q <= p -> Bite (p :: q :: t) y ->
  (exists z, q <= z < p /\ 1 <= z /\ y = z :: q :: t) \/
  (exists z, 1 <= z < q /\ y = z :: z :: map (Nat.min z) t) \/
  (exists z, z < q /\ y = p :: z :: map (Nat.min z) t) \/
  (exists i z, z < nth i t 0 /\ y = p :: q :: cut i z t).
Proof.
  intros p q t y ht hp (i & z & hz & hne & ->). destruct i as [| [| i]].
  - simpl nth in hz. change (cut 0 z (p :: q :: t)) with
      (Nat.min z p :: Nat.min z q :: map (Nat.min z) t).
    rewrite Nat.min_l by lia. destruct (le_lt_dec q z) as [h | h].
    + left. exists z. rewrite Nat.min_r, min_above by lia. split; [lia |].
      split; [lia | reflexivity].
    + right. left. exists z. rewrite Nat.min_l by lia. split; [lia | reflexivity].
  - simpl nth in hz. right. right. left. exists z. split; [exact hz |].
    change (cut 1 z (p :: q :: t)) with (p :: Nat.min z q :: map (Nat.min z) t).
    now rewrite Nat.min_l by lia.
  - right. right. right. exists i, z. split; [exact hz | reflexivity].
Qed.

(** (a) *)
Lemma value_unique : forall t q p p', list_max t <= q -> q <= p -> 1 <= p -> q <= p' -> 1 <= p' ->
  G (p :: q :: t) = G (p' :: q :: t) -> p = p'.
Proof.
  assert (less : forall t q p p', list_max t <= q -> q <= p -> 1 <= p ->
    G (p :: q :: t) = G (p' :: q :: t) -> ~ p < p').
  { intros t q p p' ht hp h1 e hlt.
    apply (option_differs (p' :: q :: t) (p :: q :: t)); [| exact e]. apply bite_from_top; lia. }
  intros t q p p' ht hp h1 hp' h1' e.
  pose proof (less t q p p' ht hp h1 e). pose proof (less t q p' p ht hp' h1' (eq_sym e)). lia.
Qed.

(** ** One row *)

Section Row.

Variables (t : list nat) (g : nat).

(** Row (g;t) is empty, or it ended before q. *)
Definition Dead (q : nat) : Prop :=
  exists x, 1 <= x < q /\ G (x :: x :: map (Nat.min x) t) = g.

(** (D) and (R) *)
Definition Past (q p : nat) : Prop := exists z, z < q /\ G (p :: z :: map (Nat.min z) t) = g.

(** (C) and (L): the tails and levels of the rows below. *)
Definition rows_below : list (list nat * nat) :=
  flat_map (fun i => map (fun z => (cut i z t, g)) (seq 0 (nth i t 0))) (seq 0 (length t)) ++
  map (fun h => (t, h)) (seq 0 g).

Definition Below (q p : nat) : Prop :=
  exists x, In x rows_below /\ G (p :: q :: fst x) = snd x.

Lemma rows_below_in : forall x, In x rows_below <->
  (exists i z, z < nth i t 0 /\ x = (cut i z t, g)) \/ (exists h, h < g /\ x = (t, h)).
Proof.
  intros x. unfold rows_below. rewrite in_app_iff, in_flat_map, in_map_iff. split.
  - intros [(i & _ & h) | (h & <- & hh)].
    + apply in_map_iff in h as (z & <- & hz). apply in_seq in hz. left. exists i, z.
      split; [lia | reflexivity].
    + apply in_seq in hh. right. exists h. split; [lia | reflexivity].
  - intros [(i & z & hz & ->) | (h & hh & ->)]; [left; exists i | right; exists h].
    + split; [| apply in_map_iff; exists z; split; [reflexivity | apply in_seq; lia]].
      apply in_seq. destruct (le_lt_dec (length t) i) as [hi |]; [| lia].
      rewrite nth_overflow in hz by exact hi. lia.
    + split; [reflexivity | apply in_seq; lia].
Qed.

Lemma rows_below_max : forall x, In x rows_below -> list_max (fst x) <= list_max t.
Proof.
  intros x h. apply rows_below_in in h as [(i & z & _ & ->) | (h & _ & ->)]; simpl.
  - apply cut_max.
  - apply le_n.
Qed.

Lemma Dead_dec : forall q, {Dead q} + {~ Dead q}.
Proof.
  intros q. destruct (exists_below_dec (fun x => 1 <= x /\ G (x :: x :: map (Nat.min x) t) = g))
    with (n := q) as [h | h].
  - intros x. apply and_dec; [apply le_dec | apply Nat.eq_dec].
  - left. destruct h as (x & h1 & h2 & h3). exists x. split; [lia | exact h3].
  - right. intros (x & h1 & h2). apply h. exists x. split; [lia |]. split; [lia | exact h2].
Defined.

Lemma Past_dec : forall q p, {Past q p} + {~ Past q p}.
Proof. intros q p. apply exists_below_dec. intros z. apply Nat.eq_dec. Defined.

Lemma Below_dec : forall q p, {Below q p} + {~ Below q p}.
Proof.
  intros q p. unfold Below.
  destruct (Exists_dec (fun x : list nat * nat => G (p :: q :: fst x) = snd x) rows_below)
    as [h | h].
  - intros x. apply Nat.eq_dec.
  - left. apply Exists_exists in h. exact h.
  - right. intros hx. apply h, Exists_exists. exact hx.
Defined.

Lemma dead_later : forall q q', q <= q' -> Dead q -> Dead q'.
Proof. intros q q' h (x & hx & e). exists x. split; [lia | exact e]. Qed.

(** The values that options have. *)
Lemma value_cases : forall q p, list_max t <= q -> q <= p -> 1 <= p -> ~ Dead q ->
  (forall z, q <= z < p -> 1 <= z -> G (z :: q :: t) <> g) -> G (p :: q :: t) <> g ->
  Past q p \/ Below q p.
Proof.
  intros q p ht hp h1 hd least hne.
  destruct (lt_eq_lt_dec (G (p :: q :: t)) g) as [[hlt | e] | hgt]; [| contradiction |].
  - right. exists (t, G (p :: q :: t)). split; [| reflexivity]. apply rows_below_in. right.
    exists (G (p :: q :: t)). now split.
  - destruct (option_exists _ _ hgt) as (y & hb & hy).
    apply bites_from in hb; [| exact ht | exact hp].
    destruct hb as [(z & hz & hz1 & ->) | [(z & hz & ->) | [(z & hz & ->) | (i & z & hz & ->)]]].
    + destruct (least z hz hz1 hy).
    + destruct hd. now exists z.
    + left. now exists z.
    + right. exists (cut i z t, g). split; [| exact hy]. apply rows_below_in. left. now exists i, z.
Qed.

Lemma value_not_blocked : forall q p, list_max t <= q -> q <= p -> 1 <= p ->
  G (p :: q :: t) = g -> ~ Dead q /\ ~ Past q p /\ ~ Below q p.
Proof.
  intros q p ht hp h1 e. split; [| split].
  - intros (z & hz & h). apply (option_differs (p :: q :: t) _ (bite_to_square p q t z hz hp)).
    congruence.
  - intros (z & hz & h). apply (option_differs (p :: q :: t) _ (bite_second p q t z hz)).
    congruence.
  - intros (x & hx & h). apply rows_below_in in hx as [(i & z & hz & ->) | (h' & hh & ->)];
      simpl in h.
    + apply (option_differs (p :: q :: t) _ (bite_tail p q t i z hz)). congruence.
    + lia.
Qed.

(** (c): unless row (g;t) is empty or ended before q, it has in column q the least p that is not
blocked. *)
Theorem level_recurrence : forall q p, list_max t <= q -> q <= p -> 1 <= p -> ~ Dead q ->
  (G (p :: q :: t) = g <->
    ~ (Past q p \/ Below q p) /\ forall z, q <= z < p -> 1 <= z -> Past q z \/ Below q z).
Proof.
  intros q p ht hp h1 hd. split.
  - intros e. destruct (value_not_blocked q p ht hp h1 e) as (_ & h2 & h3). split; [tauto |].
    intros z hz hz1. apply value_cases; try assumption; [lia | |].
    + intros z' hz' hz1' e'. assert (z' = p); [| lia].
      apply (value_unique t q); (lia || congruence).
    + intros e'. assert (z = p); [| lia]. apply (value_unique t q); (lia || congruence).
  - intros (free & least). destruct (Nat.eq_dec (G (p :: q :: t)) g) as [| hne]; [assumption |].
    destruct free. apply value_cases; try assumption. intros z hz hz1 e.
    destruct (value_not_blocked q z ht ltac:(lia) hz1 e) as (_ & h2 & h3).
    destruct (least z hz hz1); contradiction.
Qed.

(** The numbers that (D), (R), (C) and (L) block: at most one for each of these. *)
Definition blockers (q : nat) : list (nat * (list nat * nat)) :=
  map (fun z => (z, (map (Nat.min z) t, g))) (seq 0 q) ++ map (fun x => (q, x)) rows_below.

Lemma value_exists : forall q, list_max t <= q -> ~ Dead q ->
  exists p, q <= p /\ 1 <= p /\ G (p :: q :: t) = g.
Proof.
  intros q ht hd. set (n := length (blockers q)).
  destruct (exists_below_dec (fun p => q <= p /\ (1 <= p /\ G (p :: q :: t) = g)))
    with (n := q + 1 + (n + 1)) as [h | h].
  - intros p. apply and_dec; [apply le_dec |]. apply and_dec; [apply le_dec | apply Nat.eq_dec].
  - destruct h as (p & _ & h). now exists p.
  - exfalso. assert (n + 1 <= n); [| lia].
    apply (counts_le (fun p => q + 1 <= p < q + 1 + (n + 1)) (fun i => 0 <= i < 0 + n)
      (fun p i => exists b, nth_error (blockers q) i = Some b /\
        G (p :: fst b :: fst (snd b)) = snd (snd b))); try apply counts_interval.
    + intros p hp. assert (none : forall z, q <= z < q + 1 + (n + 1) -> 1 <= z ->
        G (z :: q :: t) <> g).
      { intros z hz hz1 e. apply h. exists z. split; [lia |]. split; [lia |]. now split. }
      assert (hb : exists b, In b (blockers q) /\ G (p :: fst b :: fst (snd b)) = snd (snd b)).
      { destruct (value_cases q p) as [(z & hz & e) | (x & hx & e)]; try assumption; try lia.
        - intros z hz. apply none. lia.
        - apply none; lia.
        - exists (z, (map (Nat.min z) t, g)). split; [| exact e]. apply in_or_app. left.
          apply in_map_iff. exists z. split; [reflexivity | apply in_seq; lia].
        - exists (q, x). split; [| exact e]. apply in_or_app. right. now apply in_map. }
      destruct hb as (b & hb & e). apply In_nth_error in hb as (i & hi). exists i.
      split; [| now exists b]. split; [lia |]. simpl. apply nth_error_Some. congruence.
    + intros p p' i hp hp' (b & hb & e) (b' & hb' & e'). assert (b' = b) by congruence. subst b'.
      apply nth_error_In in hb.
      assert (hmax : list_max (fst (snd b)) <= fst b /\ fst b <= q).
      { apply in_app_or in hb as [hb | hb]; apply in_map_iff in hb as (x & <- & hx); simpl.
        - apply in_seq in hx. split; [apply min_max | lia].
        - apply rows_below_max in hx. lia. }
      apply (value_unique (fst (snd b)) (fst b)); (lia || congruence).
Qed.

(** ** Offsets *)

Definition U (q o : nat) : Prop := Past q (q + o).
Definition C (q o : nat) : Prop := Below q (q + o).
Definition W (q o : nat) : Prop := G (q + o :: q :: t) = g.

Lemma offset_step : forall q o, list_max t <= q -> 1 <= q -> ~ Dead q ->
  (W q o <-> ~ (U q o \/ C q o) /\ forall x, x < o -> U q x \/ C q x).
Proof.
  intros q o ht h1 hd. unfold W. rewrite level_recurrence by (lia || assumption).
  split; intros (free & least); (split; [exact free |]).
  - intros x hx. apply least; lia.
  - intros z hz _. replace z with (q + (z - q)) by lia. apply least. lia.
Qed.

Lemma U_step : forall q o, list_max t <= q -> (U (S q) o <-> U q (S o) \/ W q (S o)).
Proof.
  intros q o ht. unfold U, W, Past. replace (S q + o) with (q + S o) by lia. split.
  - intros (z & hz & e). destruct (Nat.eq_dec z q) as [-> | hne].
    + right. now rewrite min_above in e.
    + left. exists z. split; [lia | exact e].
  - intros [(z & hz & e) | e].
    + exists z. split; [lia | exact e].
    + exists q. split; [lia |]. now rewrite min_above.
Qed.

Lemma dead_step : forall q, list_max t <= q -> Dead (S q) -> Dead q \/ W q 0.
Proof.
  intros q ht (x & hx & e). destruct (Nat.eq_dec x q) as [-> | hne].
  - right. unfold W. rewrite Nat.add_0_r. now rewrite min_above in e.
  - left. exists x. split; [lia | exact e].
Qed.

Lemma dead_no_offset : forall q o, list_max t <= q -> Dead q -> ~ W q o.
Proof.
  intros q o ht hd e. assert (1 <= q) by (destruct hd as (x & hx & _); lia).
  destruct (value_not_blocked q (q + o)) as (h & _); [lia | lia | lia | exact e | contradiction].
Qed.

End Row.

(** ** Far columns *)

(** U(q) has finitely many members. *)
Lemma U_bounded : forall t g q, ~ Dead t g q -> exists M, forall o, U t g q o -> o <= M.
Proof.
  intros t g q hd.
  assert (each : forall n, n <= q -> exists M, forall z p, z < n -> q <= p ->
    G (p :: z :: map (Nat.min z) t) = g -> p <= M).
  { induction n as [| n IH]; intros hn; [exists 0; intros; lia |].
    destruct IH as (M & hM); [lia |].
    destruct (value_exists (map (Nat.min n) t) g n) as (p & hp & h1 & e).
    - apply min_max.
    - intros (x & hx & ex). apply hd. exists x. split; [lia |]. now rewrite min_twice in ex by lia.
    - exists (M + p). intros z p' hz hp' e'. destruct (Nat.eq_dec z n) as [-> |].
      + assert (p' = p); [| lia].
        apply (value_unique (map (Nat.min n) t) n); (apply min_max || lia || congruence).
      + pose proof (hM z p' ltac:(lia) hp' e'). lia. }
  destruct (each q (le_n q)) as (M & hM). exists M. intros o (z & hz & e).
  pose proof (hM z (q + o) hz ltac:(lia) e). lia.
Qed.

Section Bounded.

(** From column s on, the rows below block no offset above M. Nor does the past in column s. *)
Variables (t : list nat) (g s M : nat).
Hypothesis tail_below : list_max t <= s.
Hypothesis s_positive : 1 <= s.
Hypothesis C_bounded : forall q o, s <= q -> C t g q o -> o <= M.
Hypothesis U_start : forall o, U t g s o -> o <= M.

Lemma W_bounded : forall q o, s <= q -> ~ Dead t g q -> (forall x, U t g q x -> x <= M) ->
  W t g q o -> o <= S M.
Proof.
  intros q o hq hd hU h. apply offset_step in h as (_ & least); [| lia | lia | exact hd].
  destruct (le_lt_dec o (S M)) as [| hlt]; [assumption |].
  destruct (least (S M) hlt) as [h | h]; [apply hU in h | apply C_bounded in h]; lia.
Qed.

Lemma U_stays : forall i, ~ Dead t g (s + i) -> forall o, U t g (s + i) o -> o <= M.
Proof.
  induction i as [| i IH]; intros hd o h.
  - rewrite Nat.add_0_r in h. now apply U_start.
  - rewrite Nat.add_succ_r in *.
    assert (hd' : ~ Dead t g (s + i)).
    { intros h'. apply hd. apply (dead_later t g (s + i)); [lia | exact h']. }
    apply U_step in h; [| lia]. destruct h as [h | h].
    + apply (IH hd') in h. lia.
    + apply W_bounded in h; [lia | lia | exact hd' | exact (IH hd')].
Qed.

Lemma U_everywhere : forall q, s <= q -> ~ Dead t g q -> forall o, U t g q o -> o <= M.
Proof. intros q hq. replace q with (s + (q - s)) by lia. apply U_stays. Qed.

End Bounded.

Lemma same_offsets : forall t g q1 q2, list_max t <= q1 -> list_max t <= q2 -> 1 <= q1 -> 1 <= q2 ->
  ~ Dead t g q1 -> ~ Dead t g q2 -> (forall o, U t g q1 o <-> U t g q2 o) ->
  (forall o, C t g q1 o <-> C t g q2 o) -> forall o, W t g q1 o <-> W t g q2 o.
Proof.
  intros t g q1 q2 ht1 ht2 h1 h2 hd1 hd2 hU hC o.
  rewrite (offset_step t g q1), (offset_step t g q2) by assumption. rewrite (hU o), (hC o).
  split; intros (free & least); (split; [exact free |]); intros x hx;
    (destruct (least x hx) as [h | h]; [left; now apply hU | right; now apply hC]).
Qed.

(** If U recurs at a distance at which the offsets of the rows below repeat, the row repeats. *)
Lemma recurs : forall t g q1 n, list_max t <= q1 -> 1 <= q1 -> ~ Dead t g (q1 + n) -> 1 <= n ->
  (forall q o, q1 <= q -> (C t g q o <-> C t g (q + n) o)) ->
  (forall o, U t g q1 o <-> U t g (q1 + n) o) ->
  forall i, ~ Dead t g (q1 + i + n) /\ (forall o, U t g (q1 + i) o <-> U t g (q1 + i + n) o) /\
    forall o, W t g (q1 + i) o <-> W t g (q1 + i + n) o.
Proof.
  intros t g q1 n ht h1 hd hn hC hU.
  assert (offsets : forall q, q1 <= q -> ~ Dead t g (q + n) ->
    (forall o, U t g q o <-> U t g (q + n) o) -> forall o, W t g q o <-> W t g (q + n) o).
  { intros q hq hd' hU'. apply same_offsets; try lia; try assumption.
    - intros h. apply hd', (dead_later t g q); [lia | exact h].
    - intros o. now apply hC. }
  induction i as [| i (hd1 & hu & hw)].
  - rewrite Nat.add_0_r. split; [exact hd |]. split; [exact hU |]. now apply offsets.
  - rewrite Nat.add_succ_r, Nat.add_succ_l.
    assert (hd' : ~ Dead t g (S (q1 + i + n))).
    { intros h. apply dead_step in h; [| lia]. destruct h as [h | h]; [contradiction |].
      apply hw in h. apply hd1. exists (q1 + i). split; [lia |]. unfold W in h.
      rewrite Nat.add_0_r in h. now rewrite min_above by lia. }
    assert (hu' : forall o, U t g (S (q1 + i)) o <-> U t g (S (q1 + i + n)) o).
    { intros o. rewrite !U_step by lia. now rewrite (hu (S o)), (hw (S o)). }
    split; [exact hd' |]. split; [exact hu' |].
    exact (offsets (S (q1 + i)) ltac:(lia) hd' hu').
Qed.

(** The members of U(q) to M, as bits. *)
Definition past_bits (t : list nat) (g M q : nat) : list bool :=
  map (fun o => if Past_dec t g q (q + o) then true else false) (seq 0 (S M)).

Lemma past_bits_same : forall t g M q1 q2, (forall o, U t g q1 o -> o <= M) ->
  (forall o, U t g q2 o -> o <= M) -> past_bits t g M q1 = past_bits t g M q2 ->
  forall o, U t g q1 o <-> U t g q2 o.
Proof.
  intros t g M q1 q2 h1 h2 e o. destruct (le_lt_dec o M) as [ho | ho].
  - assert (bit : forall q, nth_error (past_bits t g M q) o =
      Some (if Past_dec t g q (q + o) then true else false)).
    { intros q. unfold past_bits.
      rewrite (map_nth_error _ o (seq 0 (S M)) (d := o)); [reflexivity |].
      rewrite (nth_error_nth' _ 0) by (rewrite seq_length; lia). f_equal. apply seq_nth. lia. }
    pose proof (bit q1) as b1. rewrite e, (bit q2) in b1. unfold U.
    destruct (Past_dec t g q1 (q1 + o)), (Past_dec t g q2 (q2 + o)); try easy.
  - split; intros h; [apply h1 in h | apply h2 in h]; lia.
Qed.

Lemma dead_or_repeats : forall t g, Settled (C t g) ->
  (exists q, Dead t g q) \/
  (exists s n M, list_max t <= s /\ 1 <= n /\ forall q, s <= q -> ~ Dead t g q /\
    forall o, (W t g q o -> o <= M) /\ (W t g q o <-> W t g (q + n) o)).
Proof.
  intros t g (s & k & MC & hk & hC). set (D := s + list_max t + 1).
  destruct (Dead_dec t g D) as [h | hD]; [left; now exists D |].
  destruct (U_bounded t g D hD) as (MU & hMU). set (M := MC + MU).
  assert (C_bounded : forall q o, D <= q -> C t g q o -> o <= M).
  { intros q o hq h. destruct (hC q ltac:(unfold D in hq; lia) o) as (h1 & _).
    apply h1 in h. unfold M. lia. }
  assert (U_start : forall o, U t g D o -> o <= M).
  { intros o h. apply hMU in h. unfold M. lia. }
  pose proof (U_everywhere t g D M ltac:(unfold D; lia) ltac:(unfold D; lia) C_bounded U_start)
    as bounded.
  set (n0 := length (bit_lists (S M))). set (column := fun i => D + i * k).
  destruct (Dead_dec t g (column n0)) as [h | hend]; [left; now exists (column n0) |]. right.
  assert (alive : forall q, q <= column n0 -> ~ Dead t g q).
  { intros q hq h. apply hend, (dead_later t g q); assumption. }
  destruct (values_recur (list bool) (list_eq_dec bool_dec)
    (fun i => past_bits t g M (column i)) (bit_lists (S M))) as (i & j & hij & e).
  - intros i. replace (S M) with (length (past_bits t g M (column i))); [apply bit_lists_all |].
    unfold past_bits. now rewrite map_length, seq_length.
  - fold n0 in hij. set (n := (j - i) * k).
    assert (far : column i + n = column j) by (unfold column, n; nia).
    assert (hn : 1 <= n) by (unfold n; nia).
    assert (hi : D <= column i) by (unfold column; lia).
    assert (hj : column j <= column n0) by (unfold column; nia).
    assert (hDt : list_max t <= D /\ 1 <= D /\ s <= D) by (unfold D; lia).
    assert (again : forall x, ~ Dead t g (column i + x + n) /\
      (forall o, U t g (column i + x) o <-> U t g (column i + x + n) o) /\
      forall o, W t g (column i + x) o <-> W t g (column i + x + n) o).
    { apply recurs; [lia | lia | | exact hn | |].
      - apply alive. lia.
      - intros q o hq. apply (settles_multiple (C t g) s k MC (j - i) hC). lia.
      - rewrite far. apply (past_bits_same t g M); [| | exact e];
          (apply bounded; [lia | apply alive; lia]). }
    exists (column i), n, (S M). split; [lia |]. split; [exact hn |]. intros q hq.
    destruct (again (q - column i)) as (hd & _ & hw).
    replace (column i + (q - column i)) with q in * by lia.
    assert (hdq : ~ Dead t g q).
    { intros h. apply hd, (dead_later t g q); [lia | exact h]. }
    split; [exact hdq |]. intros o. split; [| apply hw].
    apply (W_bounded t g D M); try assumption; try lia. now apply bounded; [lia |].
Qed.

Lemma settled_row : forall t g, Settled (C t g) -> Settled (W t g).
Proof.
  intros t g h. destruct (dead_or_repeats t g h) as [(q & hd) | (s & n & M & _ & hn & h')].
  - exists (q + list_max t), 1, 0. split; [lia |]. intros q' hq o.
    assert (none : forall x, q' <= x -> ~ W t g x o).
    { intros x hx. apply dead_no_offset; [lia |]. apply (dead_later t g q); [lia | exact hd]. }
    pose proof (none q' (le_n q')). pose proof (none (q' + 1) ltac:(lia)).
    split; [contradiction | tauto].
  - exists s, n, M. split; [lia |]. intros q hq o. now apply h'.
Qed.

Lemma rows_below_settled : forall t g,
  (forall x, In x (rows_below t g) -> Settled (W (fst x) (snd x))) -> Settled (C t g).
Proof.
  intros t g h.
  exact (settled_any (list nat * nat) (fun x => W (fst x) (snd x)) (rows_below t g) h).
Qed.

Lemma all_settled : forall t g, Settled (W t g).
Proof.
  intros t. remember (list_sum t) as n eqn:e. revert t e.
  induction n as [n IHn] using lt_wf_ind. intros t e g.
  induction g as [g IHg] using lt_wf_ind. apply settled_row, rows_below_settled. intros x hx.
  apply rows_below_in in hx as [(i & z & hz & ->) | (h & hh & ->)]; simpl.
  - apply (IHn (list_sum (cut i z t))); [subst n; now apply cut_sum | reflexivity].
  - now apply IHg.
Qed.

(** (f): a row is empty or finite, or repeats. In the first case let x be the column in which it
ends, or by which it is empty. *)
Theorem level_rows : forall t g,
  (exists x, 1 <= x /\ G (x :: x :: map (Nat.min x) t) = g /\
    (forall p q, list_max t <= q -> q <= p -> x < q -> G (p :: q :: t) <> g) /\
    (forall q, list_max t <= q <= x -> exists p, q <= p /\ 1 <= p /\ G (p :: q :: t) = g)) \/
  (exists s n, 1 <= n /\ list_max t <= s /\ forall q, s <= q ->
    exists p, q <= p /\ G (p :: q :: t) = g /\ G (p + n :: q + n :: t) = g).
Proof.
  intros t g.
  destruct (dead_or_repeats t g) as [(q0 & x & hx & e) | (s & n & M & hs & hn & h)].
  - apply rows_below_settled. intros x _. apply all_settled.
  - left. exists x. split; [lia |]. split; [exact e |]. split.
    + intros p q ht hp hlt e'. destruct (value_not_blocked t g q p ht hp ltac:(lia) e') as (hd & _).
      apply hd. exists x. split; [lia | exact e].
    + intros q hq. apply value_exists; [lia |]. intros (x' & hx' & e').
      pose proof (bite_to_square x x (map (Nat.min x) t) x' ltac:(lia) (le_n x)) as hb.
      rewrite min_twice in hb by lia. apply (option_differs _ _ hb). congruence.
  - right. exists s, n. split; [exact hn |]. split; [exact hs |]. intros q hq.
    destruct (h q hq) as (hd & hw). destruct (value_exists t g q) as (p & hp & _ & e);
      [lia | exact hd |].
    exists p. split; [exact hp |]. split; [exact e |].
    assert (hW : W t g q (p - q)) by (unfold W; now replace (q + (p - q)) with p by lia).
    apply hw in hW. unfold W in hW. now replace (q + n + (p - q)) with (p + n) in hW by lia.
Qed.

End Levels.

(** ** The values exist *)

Fixpoint mex_from (n h : nat) (l : list nat) : nat :=
  match n with
  | 0 => h
  | S n => if existsb (Nat.eqb h) l then mex_from n (S h) l else h
  end.

Lemma mex_from_is : forall n h l, (forall k, k < h -> In k l) -> length l < n + h ->
  ~ In (mex_from n h l) l /\ forall k, k < mex_from n h l -> In k l.
Proof.
  induction n as [| n IH]; intros h l low hl; simpl.
  - exfalso. assert (h <= length l); [| lia]. rewrite <- (seq_length h 0).
    apply NoDup_incl_length; [apply seq_NoDup |]. intros k hk. apply in_seq in hk. apply low. lia.
  - destruct (existsb (Nat.eqb h) l) eqn:e.
    + apply IH; [| lia]. intros k hk. destruct (Nat.eq_dec k h) as [-> |]; [| apply low; lia].
      apply existsb_exists in e as (y & hy & ey). apply Nat.eqb_eq in ey. now subst y.
    + split; [| exact low]. intros hin. assert (e' : existsb (Nat.eqb h) l = true).
      { apply existsb_exists. exists h. split; [exact hin | apply Nat.eqb_refl]. }
      congruence.
Qed.

Definition bite_list (x : list nat) : list (list nat) :=
  flat_map (fun i => map (fun z => cut i z x)
    (filter (fun z => (0 <? i) || (0 <? z)) (seq 0 (nth i x 0)))) (seq 0 (length x)).

Lemma bite_list_in : forall x y, In y (bite_list x) <-> Bite x y.
Proof.
  intros x y. unfold bite_list, Bite. rewrite in_flat_map. split.
  - intros (i & _ & h). apply in_map_iff in h as (z & <- & h). apply filter_In in h as (hz & h).
    apply in_seq in hz. rewrite orb_true_iff, !Nat.ltb_lt in h. exists i, z.
    split; [lia |]. split; [exact h | reflexivity].
  - intros (i & z & hz & hne & ->). exists i. split.
    + apply in_seq. destruct (le_lt_dec (length x) i) as [hi |]; [| lia].
      rewrite nth_overflow in hz by exact hi. lia.
    + apply in_map_iff. exists z. split; [reflexivity |]. apply filter_In.
      split; [apply in_seq; lia |]. rewrite orb_true_iff, !Nat.ltb_lt. exact hne.
Qed.

Fixpoint value (n : nat) (x : list nat) : nat :=
  match n with
  | 0 => 0
  | S n => let l := map (value n) (bite_list x) in mex_from (S (length l)) 0 l
  end.

Lemma bite_sum : forall x y, Bite x y -> list_sum y < list_sum x.
Proof. intros x y (i & z & hz & _ & ->). now apply cut_sum. Qed.

Lemma value_same : forall n m x, list_sum x < n -> list_sum x < m -> value n x = value m x.
Proof.
  induction n as [| n IH]; intros [| m] x hn hm; try lia. cbn [value].
  assert (e : map (value n) (bite_list x) = map (value m) (bite_list x)); [| now rewrite e].
  apply map_ext_in. intros y hy. apply bite_list_in, bite_sum in hy. apply IH; lia.
Qed.

Theorem grundy_values_unique : forall G G', GrundyValues G -> GrundyValues G' ->
  forall x, G x = G' x.
Proof.
  assert (less : forall G G', GrundyValues G -> GrundyValues G' -> forall x,
    (forall y, Bite x y -> G y = G' y) -> ~ G x < G' x).
  { intros G G' h h' x same hlt. destruct (proj2 (h' x) (G x) hlt) as (y & hb & e).
    apply (proj1 (h x) y hb). now rewrite (same y hb). }
  intros G G' h h' x. remember (list_sum x) as n eqn:e. revert x e.
  induction n as [n IH] using lt_wf_ind. intros x ->.
  assert (same : forall y, Bite x y -> G y = G' y).
  { intros y hb. apply (IH (list_sum y)); [now apply bite_sum | reflexivity]. }
  pose proof (less G G' h h' x same).
  pose proof (less G' G h' h x (fun y hb => eq_sym (same y hb))). lia.
Qed.

Theorem grundy_values_exist : exists G, GrundyValues G.
Proof.
  exists (fun x => value (S (list_sum x)) x). intros x.
  set (l := map (value (list_sum x)) (bite_list x)).
  change (value (S (list_sum x)) x) with (mex_from (S (length l)) 0 l).
  destruct (mex_from_is (S (length l)) 0 l) as (h1 & h2); [intros; lia | lia |].
  assert (same : forall y, Bite x y -> value (S (list_sum y)) y = value (list_sum x) y).
  { intros y hb. apply bite_sum in hb. apply value_same; lia. }
  split.
  - intros y hb e. apply h1. rewrite <- e, (same y hb). apply in_map. now apply bite_list_in.
  - intros h hh. apply h2 in hh. apply in_map_iff in hh as (y & e & hy).
    apply bite_list_in in hy. exists y. split; [exact hy |]. now rewrite same.
Qed.
