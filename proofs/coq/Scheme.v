(** * Fact 2: the scheme of BYRNES, and the classical bound

Sets of natural numbers are predicates; sequences of sets are functions from the index a to a set.
For row r, [a = q - r] and [B_r(a) = f(r+a,r) - (r+a)]. *)

From Coq Require Import Arith List Lia.
From Chomp Require Import Rules Recurrence.

Definition set : Type := nat -> Prop.

Definition IsMex (S : set) (x : nat) : Prop := ~ S x /\ forall y, y < x -> S y.

Definition Union (S T : set) : set := fun x => S x \/ T x.

Definition OneLess (S : set) : set := fun x => S (x + 1).

(** [OneLess], a times. *)
Fixpoint Less (a : nat) (S : set) : set :=
  match a with
  | 0 => S
  | S a => OneLess (Less a S)
  end.

Lemma less_iff : forall a S x, Less a S x <-> S (x + a).
Proof.
  intros a S. induction a as [| a IH]; intros x; simpl; [now rewrite Nat.add_0_r |].
  unfold OneLess. rewrite IH. now replace (x + 1 + a) with (x + Datatypes.S a) by lia.
Qed.

Lemma mex_ext : forall S T x, (forall y, S y <-> T y) -> (IsMex S x <-> IsMex T x).
Proof.
  intros S T x h. unfold IsMex. rewrite h. split; intros [hx hy]; (split; [exact hx |]);
    intros y hlt; apply h, hy, hlt.
Qed.

Lemma mex_unique : forall S x y, IsMex S x -> IsMex S y -> x = y.
Proof.
  intros S x y [hx hx'] [hy hy']. destruct (lt_eq_lt_dec x y) as [[h | h] | h]; auto.
  - destruct (hx (hy' x h)).
  - destruct (hy (hx' y h)).
Qed.

(** The numbers [L_i - (a-i)], which the losers before index a exclude there. *)
Definition Earlier (L : nat -> nat) (a : nat) : set :=
  fun x => exists i, i < a /\ L i = x + (a - i).

(** The recurrence of Losers(I) at index a. A sequence without 0 that satisfies it at every index is
Losers(I); one that has a 0 is Losers(I) up to and including its first 0. *)
Definition Loser (I : nat -> set) (L : nat -> nat) (a : nat) : Prop :=
  IsMex (Union (I a) (Earlier L a)) (L a).

(** Losers(I) is unique. *)
Theorem losers_unique : forall (I : nat -> set) L L' n,
  (forall a, a < n -> Loser I L a) -> (forall a, a < n -> Loser I L' a) ->
  forall a, a < n -> L a = L' a.
Proof.
  intros I L L' n h h' a. induction a as [a IH] using lt_wf_ind. intros ha.
  apply (mex_unique (Union (I a) (Earlier L a))); [now apply h |].
  apply (mex_ext _ (Union (I a) (Earlier L' a))); [| now apply h'].
  intros x. unfold Union, Earlier. split; intros [hx | (i & hi & e)]; [now left | right |
    now left | right]; exists i; (split; [exact hi |]); rewrite <- e; [symmetry |]; apply IH; lia.
Qed.

(** ** (a) and (b): rows *)

(** W'_r(a): the offsets that 0 and the diagonal block. W''_r(a): those that the rows below
block. *)
Definition W' (r a : nat) : set :=
  fun x => r + a + x = 0 \/ exists c, c < r /\ F c c (r + a + x).

Definition W'' (r a : nat) : set :=
  fun x => exists c, c < r /\ F (r + a) c (r + a + x).

(** B_r(a) = x. *)
Definition B (r a x : nat) : Prop := F (r + a) r (r + a + x).

(** B_r = Losers(W'_r ∪ W''_r): up to index a, if the row has not ended before it. *)
Theorem fact_2a : forall r a L, ~ Ended r (r + a) -> (forall i, i <= a -> B r i (L i)) ->
  Loser (fun a => Union (W' r a) (W'' r a)) L a.
Proof.
  intros r a L he hL. pose proof (hL a (le_n a)) as h. unfold B in h.
  apply fact_1 in h; [| lia | exact he]. destruct h as (_ & hn & least).
  assert (same : forall x, Union (Union (W' r a) (W'' r a)) (Earlier L a) x <->
    Blocked r (r + a) (r + a + x)).
  { intros x. unfold Union, W', W'', Earlier, Blocked. split.
    - intros [[[h | h] | h] | (i & hi & e)]; [tauto | tauto | tauto |].
      right. right. left. exists (r + i). split; [lia |].
      pose proof (hL i ltac:(lia)) as h. unfold B in h.
      now replace (r + a + x) with (r + i + L i) by lia.
    - intros [h | [h | [(q & hq & h) | h]]]; [tauto | tauto | | tauto].
      right. exists (q - r). split; [lia |]. pose proof (hL (q - r) ltac:(lia)) as h'.
      unfold B in h'. replace (r + (q - r)) with q in h' by lia.
      pose proof (F_unique _ _ _ _ h h'). lia. }
  split; [now rewrite same |]. intros y hy. apply same, least. lia.
Qed.

(** The equations of W'. *)
Theorem W'_0 : forall a x, W' 0 a x <-> a = 0 /\ x = 0.
Proof.
  intros a x. unfold W'. split; [| lia]. intros [h | (c & hc & _)]; lia.
Qed.

Theorem W'_next : forall r a x, W' (S r) a x <-> OneLess (W' r a) x \/ B r 0 (x + 1 + a).
Proof.
  intros r a x. unfold W', B, OneLess. replace (r + a + (x + 1)) with (S r + a + x) by lia.
  replace (r + 0 + (x + 1 + a)) with (S r + a + x) by lia. rewrite Nat.add_0_r. split.
  - intros [h | (c & hc & h)]; [lia |]. destruct (Nat.eq_dec c r) as [-> | hne]; [now right |].
    left. right. exists c. split; [lia | exact h].
  - intros [[h | (c & hc & h)] | h]; [lia | |]; right.
    + exists c. split; [lia | exact h].
    + exists r. split; [lia | exact h].
Qed.

(** The equations of W''. *)
Theorem W''_0 : forall a x, ~ W'' 0 a x.
Proof. intros a x (c & hc & _). lia. Qed.

Theorem W''_next : forall r a x, W'' (S r) a x <-> W'' r (a + 1) x \/ B r (a + 1) x.
Proof.
  intros r a x. unfold W'', B. replace (r + (a + 1)) with (S r + a) by lia. split.
  - intros (c & hc & h). destruct (Nat.eq_dec c r) as [-> | hne]; [now right |].
    left. exists c. split; [lia | exact h].
  - intros [(c & hc & h) | h]; [exists c | exists r]; (split; [lia | exact h]).
Qed.

Theorem fact_2b : forall r a x, W' r a x <-> Less a (W' r 0) x.
Proof.
  intros r a x. rewrite less_iff. unfold W'.
  now replace (r + 0 + (x + a)) with (r + a + x) by lia.
Qed.

(** ** (c): a past instead of the earlier losers *)

(** [U] is the past of the losers [L] that begins with the set [S]. *)
Definition Past (S : set) (L : nat -> nat) (U : nat -> set) : Prop :=
  (forall x, U 0 x <-> S x) /\
  forall a x, U (a + 1) x <-> OneLess (Union (U a) (fun y => y = L a)) x.

Lemma past_iff : forall S L U, Past S L U ->
  forall a x, U a x <-> Less a S x \/ Earlier L a x.
Proof.
  intros S L U [h0 h]. induction a as [| a IH]; intros x.
  - rewrite h0. unfold Earlier. simpl. split; [now left |].
    intros [hx | (i & hi & _)]; [exact hx | lia].
  - replace (Datatypes.S a) with (a + 1) at 1 by lia. rewrite h. unfold OneLess, Union.
    rewrite IH, !less_iff. replace (x + 1 + a) with (x + Datatypes.S a) by lia.
    unfold Earlier. split.
    + intros [[hx | (i & hi & e)] | e]; [now left | |]; right.
      * exists i. split; lia.
      * exists a. split; lia.
    + intros [hx | (i & hi & e)]; [tauto |]. destruct (Nat.eq_dec i a) as [-> | hne].
      * right. lia.
      * left. right. exists i. split; lia.
Qed.

(** If every [L_a] is the mex of [I_a] and the past, L is Losers(J), where [J_a] is the union of
[I_a] and OneLess^a(S). So if S is empty, L is Losers(I). *)
Theorem fact_2c : forall I S L U a, Past S L U ->
  (IsMex (Union (I a) (U a)) (L a) <-> Loser (fun a => Union (I a) (Less a S)) L a).
Proof.
  intros I S L U a h. apply mex_ext. intros x. unfold Union. rewrite (past_iff S L U h a x). tauto.
Qed.

Corollary fact_2c_empty : forall I L U a, Past (fun _ => False) L U ->
  (IsMex (Union (I a) (U a)) (L a) <-> Loser I L a).
Proof.
  intros I L U a h. rewrite (fact_2c I _ L U a h). apply mex_ext. intros x. unfold Union.
  rewrite less_iff. tauto.
Qed.

(** ** (d) and (e): the classical bound *)

Theorem fact_2d : forall (I : nat -> set) L M n,
  (forall a x, I a x -> x < M) -> (forall a, a < n -> Loser I L a) ->
  forall a, a < n -> L a <= M.
Proof.
  intros I L M n hI h a. induction a as [a IH] using lt_wf_ind. intros ha.
  destruct (le_lt_dec (L a) M) as [| hlt]; [assumption |]. exfalso.
  destruct (h a ha) as [_ below]. destruct (below M hlt) as [hM | (i & hi & e)].
  - apply hI in hM. lia.
  - specialize (IH i hi ltac:(lia)). lia.
Qed.

(** The sequence repeats with p after index n. *)
Definition RepeatsAfter {A : Type} (same : A -> A -> Prop) (s : nat -> A) (n p : nat) : Prop :=
  forall a, n < a -> same (s (a + p)) (s a).

Definition SameSet (S T : set) : Prop := forall x, S x <-> T x.

(** Let I have period p after index b0 and members less than M, and let G have period q after index
a0. (In fact 2(e) the periods are κ and ν.) If G satisfies the recurrence of Losers(I) up to index
[max(a0,b0) + M + lcm(p,q)], it satisfies it at every index. *)
Theorem classical_bound : forall (I : nat -> set) G M a0 b0 p q,
  0 < p -> 0 < q ->
  (forall a x, I a x -> x < M) ->
  RepeatsAfter SameSet I b0 p -> RepeatsAfter eq G a0 q ->
  (forall a, a <= max a0 b0 + M + Nat.lcm p q -> Loser I G a) ->
  forall a, Loser I G a.
Proof.
  intros I G M a0 b0 p q hp hq hM hI hG h. set (l := Nat.lcm p q) in *.
  set (m := max a0 b0) in *.
  assert (hl : 0 < l).
  { destruct (Nat.eq_dec l 0) as [e |]; [| lia]. apply Nat.lcm_eq_0 in e. lia. }
  assert (hIn : forall n a, b0 < a -> SameSet (I (a + n * p)) (I a)).
  { induction n as [| n IH]; intros a ha x; [now rewrite Nat.add_0_r |].
    replace (a + S n * p) with (a + p + n * p) by lia. rewrite (IH (a + p) ltac:(lia) x).
    now apply hI. }
  assert (hGn : forall n a, a0 < a -> G (a + n * q) = G a).
  { induction n as [| n IH]; intros a ha; [now rewrite Nat.add_0_r |].
    replace (a + S n * q) with (a + q + n * q) by lia. rewrite (IH (a + q)) by lia. now apply hG. }
  assert (hIl : forall n a, b0 < a -> SameSet (I (a + n * l)) (I a)).
  { intros n a ha. destruct (Nat.divide_lcm_l p q) as [k e]. fold l in e. rewrite e.
    rewrite Nat.mul_assoc. now apply hIn. }
  assert (hGl : forall n a, a0 < a -> G (a + n * l) = G a).
  { intros n a ha. destruct (Nat.divide_lcm_r p q) as [k e]. fold l in e. rewrite e.
    rewrite Nat.mul_assoc. now apply hGn. }
  (* Every index after m + M differs by a multiple of l from one of the l indices after m + M. *)
  assert (like : forall a, m + M < a -> exists b n, m + M < b <= m + M + l /\ a = b + n * l).
  { intros a ha. exists (m + M + 1 + (a - (m + M + 1)) mod l), ((a - (m + M + 1)) / l).
    pose proof (Nat.div_mod (a - (m + M + 1)) l ltac:(lia)).
    pose proof (Nat.mod_upper_bound (a - (m + M + 1)) l ltac:(lia)). split; nia. }
  assert (bound : forall a, G a <= M).
  { intros a. destruct (le_lt_dec a (m + M)) as [ha | ha].
    - apply (fact_2d I G M (m + M + l + 1) hM); [| lia]. intros b hb. apply h. lia.
    - destruct (like a ha) as (b & n & hb & ->). rewrite hGl by lia.
      apply (fact_2d I G M (m + M + l + 1) hM); [| lia]. intros b' hb'. apply h. lia. }
  (* So the recurrence depends on the last M values only. *)
  assert (back : forall a x, M <= a ->
    (Earlier G a x <-> exists j, 1 <= j <= M /\ G (a - j) = x + j)).
  { intros a x ha. split.
    - intros (i & hi & e). exists (a - i). pose proof (bound i).
      replace (a - (a - i)) with i by lia. split; [lia | exact e].
    - intros (j & hj & e). exists (a - j). split; [lia |].
      now replace (a - (a - j)) with j by lia. }
  intros a. destruct (le_lt_dec a (m + M + l)) as [ha | ha]; [now apply h |].
  destruct (like a ltac:(lia)) as (b & n & hb & ->). unfold Loser. rewrite hGl by lia.
  apply (mex_ext _ (Union (I b) (Earlier G b))); [| now apply h].
  intros x. unfold Union. rewrite (hIl n b ltac:(lia) x), !back by lia.
  assert (same : forall j, 1 <= j <= M -> G (b + n * l - j) = G (b - j)).
  { intros j hj. replace (b + n * l - j) with (b - j + n * l) by lia. apply hGl. lia. }
  split; intros [hx | (j & hj & e)]; [now left | right | now left | right]; exists j;
    (split; [exact hj |]); rewrite <- e; [symmetry |]; now apply same.
Qed.
