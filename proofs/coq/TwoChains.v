(** * Byrnes' theorem for two chains and a finite poset

Fact 13 of [proofs/families.md], (a) and (g): the rows of a finite poset beside two infinite chains
have at most one position in each column, and end or repeat from some column on. Nothing is assumed
of the relations between the chains, except that no element of the second one is below an element of
the first. The proof of the second claim does not say from which column on; it uses the law of
excluded middle, as a hypothesis ([classical]).

A position is (p, n, J): the first p elements of the first chain, the first n of the second, and the
set J of the others. Let t be the position of a row in column n, and let a bite at [C p'] lead from
t to s, whose value is not that of the row. If the value of s is greater, some bite leads from s to
the value of the row. It is not below [C p'], or it would be a bite from t as well. So, but for
finitely many p', the row has p' in an earlier column, or a row below has p' in column n: this is
[between]. The rest is arithmetic ([eventually_repeats]). *)

From Coq Require Import Arith List Bool Lia.
From Chomp Require Import Recurrence Byrnes.
From Chomp Require Shapes Levels.
Import ListNotations.

Inductive element (A : Type) : Type :=
| C (i : nat)
| D (j : nat)
| Other (a : A).
Arguments C {A}. Arguments D {A}. Arguments Other {A}.

(** ** Arithmetic *)

(** R has at most one p in each column n, and at most one column n for each p. *)
Definition Injective (R : nat -> nat -> Prop) : Prop :=
  (forall p p' n, R p n -> R p' n -> p = p') /\ (forall p n n', R p n -> R p n' -> n = n').

(** From column s on, p and n differ by at most M, and repeat with k. *)
Definition Settles (R : nat -> nat -> Prop) (s k M : nat) : Prop :=
  forall p n, s <= n -> (R p n -> n <= p + M /\ p <= n + M) /\ (R p n <-> R (p + k) (n + k)).

Definition Settled (R : nat -> nat -> Prop) : Prop :=
  exists s k M, 0 < k /\ Settles R s k M.

Lemma settles_multiple : forall R s k M i, Settles R s k M -> Settles R s (i * k) M.
Proof.
  intros R s k M i h p n hn. split; [now apply h |]. induction i as [| i IH].
  - now rewrite !Nat.add_0_r.
  - rewrite IH. replace (p + S i * k) with (p + i * k + k) by lia.
    replace (n + S i * k) with (n + i * k + k) by lia. apply h. lia.
Qed.

Lemma settled_or : forall Q R, Settled Q -> Settled R -> Settled (fun p n => Q p n \/ R p n).
Proof.
  intros Q R (s & k & M & hk & h) (s' & k' & M' & hk' & h').
  exists (s + s'), (k' * k), (M + M'). split; [nia |]. intros p n hn.
  destruct (settles_multiple Q s k M k' h p n ltac:(lia)) as (h1 & h2).
  destruct (settles_multiple R s' k' M' k h' p n ltac:(lia)) as (h3 & h4).
  rewrite (Nat.mul_comm k k') in h4. split; [| tauto].
  intros [hq | hr]; [apply h1 in hq | apply h3 in hr]; lia.
Qed.

Lemma settled_any : forall (X : Type) (R : X -> nat -> nat -> Prop) l,
  (forall x, In x l -> Settled (R x)) -> Settled (fun p n => exists x, In x l /\ R x p n).
Proof.
  intros X R l. induction l as [| x l IH]; intros h.
  - exists 0, 1, 0. split; [lia |]. intros p n _. split; [intros (x & [] & _) |].
    split; intros (x & [] & _).
  - destruct (settled_or (R x) (fun p n => exists y, In y l /\ R y p n))
      as (s & k & M & hk & hs).
    + apply h. now left.
    + apply IH. intros y hy. apply h. now right.
    + exists s, k, M. split; [exact hk |]. intros p n hn. destruct (hs p n hn) as (h1 & h2).
      assert (same : forall p n, (exists y, In y (x :: l) /\ R y p n) <->
        R x p n \/ exists y, In y l /\ R y p n).
      { intros p0 n0. split.
        - intros (y & [-> | hy] & ha); [now left | right; now exists y].
        - intros [ha | (y & hy & ha)]; [exists x | exists y];
            (split; [simpl; tauto | assumption]). }
      rewrite !same. now split.
Qed.

Lemma same_length : forall (Q : nat -> Prop) x x', (forall i, i < x <-> Q i) ->
  (forall i, i < x' <-> Q i) -> x = x'.
Proof.
  intros Q x x' h h'. assert (same : forall i, i < x <-> i < x') by (intros i; now rewrite h, h').
  pose proof (same x). pose proof (same x'). lia.
Qed.

(** More numbers than members of l cannot all have a member of their own. *)
Lemma too_many : forall (X : Type) (l : list X) (Q : X -> nat -> Prop) m,
  (forall x i i', In x l -> Q x i -> Q x i' -> i = i') ->
  (forall i, i <= length l -> exists x, In x l /\ Q x (m + i)) -> False.
Proof.
  intros X l Q m one all. apply (pigeonhole (length l) (fun k i =>
    exists x, nth_error l k = Some x /\ Q x (m + (i - 1)) /\ 1 <= i)).
  - intros i hi. destruct (all (i - 1)) as (x & hx & h); [lia |].
    apply In_nth_error in hx as (k & hk). exists k. split.
    + apply nth_error_Some. congruence.
    + exists x. split; [exact hk |]. split; [exact h | lia].
  - intros k i i' (x & hx & h & hi) (x' & hx' & h' & hi'). rewrite hx in hx'.
    injection hx' as <-. apply nth_error_In in hx. pose proof (one x _ _ hx h h'). lia.
Qed.

Section Classical.

Hypothesis classical : forall Q : Prop, Q \/ ~ Q.

(** Numbers that the members of a list have are bounded, if each member has one at most. *)
Lemma bounded : forall (X : Type) (l : list X) (Q : X -> nat -> Prop),
  (forall x i i', In x l -> Q x i -> Q x i' -> i = i') ->
  exists b, forall x i, In x l -> Q x i -> i < b.
Proof.
  intros X l Q. induction l as [| x l IH]; intros one.
  - exists 0. intros x i [].
  - destruct IH as (b & hb); [intros y i i' hy; apply one; now right |].
    destruct (classical (exists i, Q x i)) as [(i & hi) | none].
    + exists (b + S i). intros y j [<- | hy] hj.
      * rewrite (one x j i (or_introl eq_refl) hj hi). lia.
      * specialize (hb y j hy hj). lia.
    + exists b. intros y j [<- | hy] hj; [destruct none; now exists j | now apply (hb y)].
Qed.

(** *** Eventually a row repeats *)

(** R is a row without end, and B p n says that a row below has p in column n. R has no p that is
much less than n. Below its p of column n, all others, from some number on, it has had before, or
the rows below have them in column n. Then p is not much greater than n, either, and finitely many
offsets decide how R goes on. *)
Section Repeats.

Variables R B : nat -> nat -> Prop.
Variables K E0 n0 : nat.
Hypothesis injective : Injective R.
Hypothesis exists_p : forall n, n0 <= n -> exists p, R p n.
Hypothesis not_low : forall p n, R p n -> n <= p + K.
Hypothesis not_blocked : forall p n, R p n -> ~ B p n.
Hypothesis filled : forall p n, R p n -> forall p', E0 <= p' < p ->
  (exists y, y < n /\ R p' y) \/ B p' n.

(** What R has before column n, from n - K on: o stands for n + o - K. *)
Let U (n o : nat) : Prop := exists y, y < n /\ R (n + o - K) y.

Lemma U_step : forall n o, K <= n -> (U (S n) o <-> U n (S o) \/ R (n + S o - K) n).
Proof.
  intros n o hn. unfold U. replace (S n + o) with (n + S o) by lia. split.
  - intros (y & hy & h). destruct (Nat.eq_dec y n) as [-> |]; [now right | left].
    exists y. split; [lia | exact h].
  - intros [(y & hy & h) | h]; [exists y | exists n]; (split; [lia | exact h]).
Qed.

(** If U is the same in the columns n1 and n2, at a distance with which B repeats, then R repeats
with this distance from n1 on: it has the least p from n - K on that it has not had, and that B does
not block. *)
Lemma U_same : forall n1 n2, n1 <= n2 -> K + E0 <= n1 -> n0 <= n1 ->
  (forall p n, n1 <= n -> (B p n <-> B (p + (n2 - n1)) (n + (n2 - n1)))) ->
  (forall o, U n1 o <-> U n2 o) ->
  forall i, (forall o, U (n1 + i) o <-> U (n2 + i) o) /\
    forall p, R p (n1 + i) <-> R (p + (n2 - n1)) (n2 + i).
Proof.
  intros n1 n2 hn hK h0 hB hU. set (d := n2 - n1) in *.
  assert (least : forall n p, n1 <= n -> (R p n <-> n <= p + K /\ ~ U n (p + K - n) /\ ~ B p n /\
    forall p', n <= p' + K -> p' < p -> U n (p' + K - n) \/ B p' n)).
  { assert (U_is : forall n p, n <= p + K -> (U n (p + K - n) <-> exists y, y < n /\ R p y)).
    { intros n p hp. unfold U. now replace (n + (p + K - n) - K) with p by lia. }
    assert (right : forall n p, n1 <= n -> R p n -> n <= p + K /\ ~ U n (p + K - n) /\ ~ B p n /\
      forall p', n <= p' + K -> p' < p -> U n (p' + K - n) \/ B p' n).
    { intros n p hn1 h. pose proof (not_low p n h) as hp. split; [exact hp |].
      split; [| split; [now apply not_blocked |]].
      - rewrite U_is by exact hp. intros (y & hy & h').
        pose proof (proj2 injective p n y h h'). lia.
      - intros p' hp' hlt. rewrite U_is by exact hp'. apply (filled p n h). lia. }
    intros n p hn1. split; [now apply right |]. intros (hp & h1 & h2 & h3).
    destruct (exists_p n) as (p' & h'); [lia |].
    destruct (right n p' hn1 h') as (hp' & h1' & h2' & h3').
    destruct (lt_eq_lt_dec p p') as [[hlt | ->] | hlt]; [| exact h' |].
    - destruct (h3' p hp hlt); contradiction.
    - destruct (h3 p' hp' hlt); contradiction. }
  assert (offsets : forall n, n1 <= n -> (forall o, U n o <-> U (n + d) o) ->
    forall p, R p n <-> R (p + d) (n + d)).
  { intros n hn1 hU' p. rewrite (least n p hn1), (least (n + d) (p + d)) by lia.
    replace (p + d + K - (n + d)) with (p + K - n) by lia. rewrite <- hU', <- (hB p n hn1).
    split; intros (h1 & h2 & h3 & h4); (split; [lia |]); (split; [exact h2 |]);
      (split; [exact h3 |]); intros p' hp' hlt.
    - specialize (h4 (p' - d) ltac:(lia) ltac:(lia)). rewrite hU', (hB (p' - d) n hn1) in h4.
      replace (p' - d + K - n) with (p' + K - (n + d)) in h4 by lia.
      now replace (p' - d + d) with p' in h4 by lia.
    - specialize (h4 (p' + d) ltac:(lia) ltac:(lia)). rewrite <- hU', <- (hB p' n hn1) in h4.
      now replace (p' + d + K - (n + d)) with (p' + K - n) in h4 by lia. }
  assert (e : forall i, n2 + i = n1 + i + d) by (intros i; unfold d; lia).
  induction i as [| i (IHu & IHr)].
  - rewrite !Nat.add_0_r. split; [exact hU |]. replace n2 with (n1 + d) by (unfold d; lia).
    apply offsets; [lia |]. now replace (n1 + d) with n2 by (unfold d; lia).
  - assert (hU' : forall o, U (n1 + S i) o <-> U (n2 + S i) o).
    { intros o. rewrite !Nat.add_succ_r, !U_step by lia. rewrite IHu, IHr.
      replace (n1 + i + S o - K + d) with (n2 + i + S o - K) by (rewrite e; lia). reflexivity. }
    split; [exact hU' |]. rewrite e in *. apply offsets; [lia | exact hU'].
Qed.

(** Two of more than enough columns, at distances that k divides, have the same U. *)
Lemma U_recurs : forall s k M, 0 < k -> (forall n o, s <= n -> U n o -> o <= M) ->
  exists n1 n2, s <= n1 < n2 /\ Nat.divide k (n2 - n1) /\ forall o, U n1 o <-> U n2 o.
Proof.
  intros s k M hk hM. set (N := S (length (bit_lists (S M)))).
  destruct (list_of (list bool) (fun i l => length l = S M /\
    forall o, nth_error l o = Some true <-> U (s + i * k) o) N) as (l & hl & h).
  { intros i _. destruct (list_of bool (fun o b => b = true <-> U (s + i * k) o) (S M))
      as (l & hl & h).
    { intros o _. destruct (classical (U (s + i * k) o)); [exists true | exists false];
        intuition congruence. }
    exists l. split; [exact hl |]. intros o. split.
    - intros ho. destruct (h o) as (b & hb & hu).
      { rewrite <- hl. apply nth_error_Some. congruence. }
      rewrite ho in hb. injection hb as <-. now apply hu.
    - intros hu. destruct (h o) as (b & hb & hu').
      { apply hM in hu; [lia | apply Nat.le_add_r]. }
      apply hu' in hu. now subst b. }
  set (f := fun i => nth i l (repeat true (S M))).
  destruct (values_recur (list bool) (list_eq_dec bool_dec) f (bit_lists (S M)))
    as (i & j & hij & e).
  { intros i. replace (S M) with (length (f i)); [apply bit_lists_all |].
    unfold f. destruct (le_lt_dec N i) as [hi | hi].
    - rewrite nth_overflow by lia. apply repeat_length.
    - destruct (h i hi) as (b & hb & hlen & _). now rewrite (nth_error_nth l i _ hb). }
  exists (s + i * k), (s + j * k). split; [nia |]. split.
  - exists (j - i). nia.
  - intros o. destruct (h i) as (b & hb & _ & hu); [unfold N; lia |].
    destruct (h j) as (b' & hb' & _ & hu'); [unfold N; lia |]. unfold f in e.
    rewrite (nth_error_nth l i _ hb), (nth_error_nth l j _ hb') in e. subst b'.
    now rewrite <- hu, <- hu'.
Qed.

Theorem eventually_repeats : Settled B -> Settled R.
Proof.
  intros (s & k & M & hk & hB).
  destruct (bounded nat (seq 0 (n0 + s)) (fun y p => R p y)) as (P & hP).
  { intros y p p' _. apply injective. }
  assert (high : forall p n, n0 + s <= n -> R p n -> p <= n + (E0 + 2 * M + 1)).
  { intros p n hn h. destruct (le_lt_dec p (n + E0 + 2 * M + 1)) as [| hlt]; [lia |].
    exfalso. apply (too_many (nat + nat) (map inl (seq 0 n) ++ map inr (seq 0 (2 * M + 1)))
      (fun x p' => match x with inl y => R p' y | inr o => p' + M = n + o end) E0).
    - intros [y | o] i i' _; [apply injective | lia].
    - intros i hi. rewrite app_length, !map_length, !seq_length in hi.
      destruct (filled p n h (E0 + i)) as [(y & hy & hr) | hb]; [lia | |].
      + exists (inl y). split; [| exact hr]. apply in_or_app. left. apply in_map, in_seq. lia.
      + destruct (proj1 (hB (E0 + i) n ltac:(lia)) hb) as (h1 & h2).
        exists (inr (E0 + i + M - n)). split; [| lia].
        apply in_or_app. right. apply in_map, in_seq. lia. }
  destruct (U_recurs (K + E0 + n0 + s + P) k (K + E0 + 2 * M + 1) hk) as (n1 & n2 & hn & hd & hU).
  { intros n o hn (y & hy & h). destruct (le_lt_dec (n0 + s) y) as [hy' | hy'].
    - apply high in h; [lia | exact hy'].
    - specialize (hP y _ ltac:(apply in_seq; lia) h). lia. }
  destruct hd as (i & hi). exists n1, (n2 - n1), (K + E0 + 2 * M + 1). split; [lia |].
  intros p n hn1. split.
  - intros h. pose proof (not_low p n h). apply high in h; lia.
  - destruct (U_same n1 n2 ltac:(lia) ltac:(lia) ltac:(lia)) with (i := n - n1) as (_ & hr).
    + intros p' n' hn'. rewrite hi. apply (settles_multiple B s k M i hB). lia.
    + exact hU.
    + replace (n1 + (n - n1)) with n in hr by lia.
      replace (n2 + (n - n1)) with (n + (n2 - n1)) in hr by lia. apply hr.
Qed.

End Repeats.

End Classical.

(** ** The game *)

Section Game.

Variable A : Type.
Variable all : list A.
Variable le : element A -> element A -> Prop.
Variable poison : element A -> bool.
Hypothesis finite : forall a, In a all.
Hypothesis le_dec : forall x y, {le x y} + {~ le x y}.
Hypothesis le_refl : forall x, le x x.
Hypothesis le_trans : forall x y z, le x y -> le y z -> le x z.
Hypothesis le_antisym : forall x y, le x y -> le y x -> x = y.
Hypothesis le_C : forall i j, le (C i) (C j) <-> i <= j.
Hypothesis le_D : forall i j, le (D i) (D j) <-> i <= j.
Hypothesis not_below : forall i j, ~ le (D j) (C i).
Hypothesis poison_least : forall e, poison e = true -> forall e', le e e'.

Definition position : Type := nat * nat * (A -> bool).

Definition On (x : position) (e : element A) : Prop :=
  let '(p, n, J) := x in
  match e with C i => i < p | D j => j < n | Other a => J a = true end.

Definition Position (x : position) : Prop :=
  (forall e e', On x e -> le e' e -> On x e') /\ forall e, poison e = true -> On x e.

(** y has the elements of x that are left after a bite at e. *)
Definition Left (x : position) (e : element A) (y : position) : Prop :=
  forall e', On y e' <-> On x e' /\ ~ le e e'.

Definition GrundyValues (G : position -> nat) : Prop :=
  (forall x y, (forall e, On x e <-> On y e) -> G x = G y) /\
  forall x, Position x ->
    (forall e y, On x e -> poison e = false -> Left x e y -> G y <> G x) /\
    forall h, h < G x -> exists e y, On x e /\ poison e = false /\ Left x e y /\ G y = h.

Lemma On_dec : forall x e, {On x e} + {~ On x e}.
Proof.
  intros [[p n] J] [i | j | a]; simpl; [apply lt_dec | apply lt_dec | apply bool_dec].
Qed.

Lemma not_poison : forall x e, Position x -> ~ On x e -> poison e = false.
Proof.
  intros x e (_ & h) hn. destruct (poison e) eqn:ep; [| reflexivity]. now destruct hn; apply h.
Qed.

Lemma left_position : forall x e y, Position x -> poison e = false -> Left x e y -> Position y.
Proof.
  intros x e y (down & hp) he h. split.
  - intros z z' hz hle. apply h in hz as (hz & hn). apply h. split; [exact (down z z' hz hle) |].
    intros hle'. apply hn. exact (le_trans e z' z hle' hle).
  - intros z hz. apply h. split; [now apply hp |]. intros hle.
    rewrite (le_antisym z e (poison_least z hz e) hle) in hz. congruence.
Qed.

(** *** The values exist *)

(** The numbers below n with a property that no number has after one that has it not. *)
Fixpoint top (f : nat -> bool) (n : nat) : nat :=
  match n with
  | 0 => 0
  | S m => if f m then n else top f m
  end.

Lemma top_spec : forall f n, (forall i j, i <= j -> f j = true -> f i = true) ->
  forall i, i < top f n <-> i < n /\ f i = true.
Proof.
  intros f n down. induction n as [| m IH]; intros i; simpl; [lia |].
  destruct (f m) eqn:e.
  - split; [| tauto]. intros hi. split; [exact hi |]. apply (down i m); [lia | exact e].
  - rewrite IH. split; intros (hi & h); (split; [| exact h]); [lia |].
    destruct (Nat.eq_dec i m) as [-> | hne]; [congruence | lia].
Qed.

Definition free (e e' : element A) : bool := if le_dec e e' then false else true.

Lemma free_spec : forall e e', free e e' = true <-> ~ le e e'.
Proof. intros e e'. unfold free. destruct (le_dec e e'); intuition congruence. Qed.

(** What is left of J after a bite at e. *)
Definition cut (e : element A) (J : A -> bool) (a : A) : bool := J a && free e (Other a).

Lemma cut_spec : forall e J a, cut e J a = true <-> J a = true /\ ~ le e (Other a).
Proof. intros e J a. unfold cut. now rewrite andb_true_iff, free_spec. Qed.

Definition after (x : position) (e : element A) : position :=
  let '(p, n, J) := x in
  (top (fun i => free e (C i)) p, top (fun j => free e (D j)) n, cut e J).

Lemma after_left : forall x e, Left x e (after x e).
Proof.
  intros [[p n] J] e [i | j | a]; simpl.
  - rewrite <- free_spec. apply top_spec. intros i' j'. rewrite !free_spec. intros hle hn h.
    apply hn, (le_trans _ (C i')); [exact h | now apply le_C].
  - rewrite <- free_spec. apply top_spec. intros i' j'. rewrite !free_spec. intros hle hn h.
    apply hn, (le_trans _ (D i')); [exact h | now apply le_D].
  - apply cut_spec.
Qed.

Definition elements (x : position) : list (element A) :=
  let '(p, n, J) := x in map C (seq 0 p) ++ map D (seq 0 n) ++ map Other (filter J all).

Lemma elements_spec : forall x e, In e (elements x) <-> On x e.
Proof.
  intros [[p n] J] e. simpl. rewrite !in_app_iff, !in_map_iff. split.
  - intros [(i & <- & h) | [(j & <- & h) | (a & <- & h)]]; simpl.
    + apply in_seq in h. lia.
    + apply in_seq in h. lia.
    + now apply filter_In in h.
  - destruct e as [i | j | a]; simpl; intros h.
    + left. exists i. split; [reflexivity |]. apply in_seq. lia.
    + right. left. exists j. split; [reflexivity |]. apply in_seq. lia.
    + right. right. exists a. split; [reflexivity |]. now apply filter_In.
Qed.

Lemma elements_same : forall x y, (forall e, On x e <-> On y e) -> elements x = elements y.
Proof.
  intros [[p n] J] [[p' n'] J'] same. simpl.
  rewrite (same_length (fun i => i < p) p p'), (same_length (fun j => j < n) n n').
  - do 2 f_equal. f_equal. apply filter_ext. intros a. pose proof (same (Other a)) as h. simpl in h.
    destruct (J a), (J' a); intuition.
  - reflexivity.
  - intros j. symmetry. apply (same (D j)).
  - reflexivity.
  - intros i. symmetry. apply (same (C i)).
Qed.

Definition size (J : A -> bool) : nat := length (filter J all).

Lemma cut_size : forall e J, size (cut e J) <= size J /\
  forall a, e = Other a -> J a = true -> size (cut e J) < size J.
Proof.
  intros e J. assert (hle : forall l, length (filter (cut e J) l) <= length (filter J l)).
  { induction l as [| b l IH]; simpl; [lia |]. destruct (cut e J b) eqn:eb.
    - apply cut_spec in eb as (eb & _). rewrite eb. simpl. lia.
    - destruct (J b); simpl; lia. }
  split; [apply hle |]. intros a -> ha.
  assert (hlt : forall l, In a l ->
    length (filter (cut (Other a) J) l) < length (filter J l)); [| exact (hlt all (finite a))].
  induction l as [| b l IH]; intros hin; [destruct hin |]. specialize (hle l).
  simpl. destruct (cut (Other a) J b) eqn:eb.
  - apply cut_spec in eb as (eb & hn). rewrite eb. destruct hin as [-> | hin].
    + destruct (hn (le_refl _)).
    + apply IH in hin. simpl. lia.
  - destruct hin as [-> | hin].
    + rewrite ha. simpl. lia.
    + apply IH in hin. destruct (J b); simpl; lia.
Qed.

(** The number of elements of a position. *)
Definition measure (x : position) : nat := let '(p, n, J) := x in p + n + size J.

Lemma after_fewer : forall x e, On x e -> measure (after x e) < measure x.
Proof.
  intros [[p n] J] e he. pose proof (after_left (p, n, J) e) as h. simpl in *.
  set (p' := top _ p) in *. set (n' := top _ n) in *. destruct (cut_size e J) as (h1 & h2).
  assert (hp : p' <= p).
  { destruct (le_lt_dec p' p) as [| hlt]; [assumption |]. apply (h (C p)) in hlt.
    simpl in hlt. lia. }
  assert (hn : n' <= n).
  { destruct (le_lt_dec n' n) as [| hlt]; [assumption |]. apply (h (D n)) in hlt.
    simpl in hlt. lia. }
  destruct e as [i | j | a].
  - assert (p' <= i); [| simpl in he; lia]. destruct (le_lt_dec p' i) as [| hlt]; [assumption |].
    apply (h (C i)) in hlt. now destruct hlt as (_ & hlt); destruct hlt.
  - assert (n' <= j); [| simpl in he; lia]. destruct (le_lt_dec n' j) as [| hlt]; [assumption |].
    apply (h (D j)) in hlt. now destruct hlt as (_ & hlt); destruct hlt.
  - specialize (h2 a eq_refl he). lia.
Qed.

Fixpoint value (m : nat) (x : position) : nat :=
  match m with
  | 0 => 0
  | S m =>
      let l := map (fun e => value m (after x e))
        (filter (fun e => negb (poison e)) (elements x)) in
      Levels.mex_from (S (length l)) 0 l
  end.

Lemma value_same : forall m m' x y, (forall e, On x e <-> On y e) ->
  measure x < m -> measure y < m' -> value m x = value m' y.
Proof.
  induction m as [| m IH]; intros [| m'] x y same hm hm'; try lia. cbn [value].
  assert (e : forall e, In e (elements x) -> value m (after x e) = value m' (after y e)).
  { intros e he. apply elements_spec in he. apply IH.
    - intros z. rewrite (after_left x e z), (after_left y e z). now rewrite same.
    - pose proof (after_fewer x e he). lia.
    - apply same in he. pose proof (after_fewer y e he). lia. }
  rewrite (elements_same x y same) in *.
  rewrite (map_ext_in (fun e => value m (after x e)) (fun e => value m' (after y e))).
  - now rewrite !map_length.
  - intros z hz. apply filter_In in hz as (hz & _). now apply e.
Qed.

Theorem grundy_values_exist : exists G, GrundyValues G.
Proof.
  exists (fun x => value (S (measure x)) x). split.
  - intros x y same. apply value_same; [exact same | lia | lia].
  - intros x _. set (l := map (fun e => value (measure x) (after x e))
      (filter (fun e => negb (poison e)) (elements x))).
    change (value (S (measure x)) x) with (Levels.mex_from (S (length l)) 0 l).
    destruct (Levels.mex_from_is (S (length l)) 0 l) as (h1 & h2); [intros; lia | lia |].
    assert (e : forall e y, On x e -> Left x e y ->
      value (S (measure y)) y = value (measure x) (after x e)).
    { intros e y he hy. apply value_same.
      - intros z. now rewrite (after_left x e z), (hy z).
      - lia.
      - exact (after_fewer x e he). }
    split.
    + intros b y he hp hy ey. apply h1. rewrite <- ey, (e b y he hy). apply in_map_iff.
      exists b. split; [reflexivity |].
      apply filter_In. split; [now apply elements_spec |]. now rewrite hp.
    + intros h hh. apply h2, in_map_iff in hh as (b & eb & hb). apply filter_In in hb as (hb & hp).
      apply elements_spec in hb. exists b, (after x b). split; [exact hb |].
      split; [now destruct (poison b) |]. split; [apply after_left |].
      rewrite (e b _ hb (after_left x b)). exact eb.
Qed.

Theorem grundy_values_unique : forall G G', GrundyValues G -> GrundyValues G' ->
  forall x, Position x -> G x = G' x.
Proof.
  assert (less : forall G G', GrundyValues G -> GrundyValues G' -> forall x, Position x ->
    (forall e y, On x e -> poison e = false -> Left x e y -> G y = G' y) -> ~ G x < G' x).
  { intros G G' (_ & h) (_ & h') x hx same hlt.
    destruct (proj2 (h' x hx) (G x) hlt) as (e & y & he & hp & hy & ey).
    apply (proj1 (h x hx) e y he hp hy). now rewrite (same e y he hp hy). }
  intros G G' h h' x. remember (measure x) as m eqn:em. revert x em.
  induction m as [m IH] using lt_wf_ind. intros x -> hx.
  assert (same : forall e y, On x e -> poison e = false -> Left x e y -> G y = G' y).
  { intros e y he hp hy. assert (on : forall z, On y z <-> On (after x e) z).
    { intros z. now rewrite (hy z), (after_left x e z). }
    rewrite (proj1 h _ _ on), (proj1 h' _ _ on).
    apply (IH (measure (after x e))); [now apply after_fewer | reflexivity |].
    exact (left_position x e _ hx hp (after_left x e)). }
  pose proof (less G G' h h' x hx same).
  pose proof (less G' G h' h x hx (fun e y he hp hy => eq_sym (same e y he hp hy))). lia.
Qed.

(** *** What the values say *)

Variable G : position -> nat.
Hypothesis grundy : GrundyValues G.

(** A bite at e leads from t to s. *)
Lemma bite_differs : forall s t e, Position s -> Position t -> On t e -> ~ On s e ->
  (forall z, On s z -> On t z) -> (forall z, On t z -> ~ On s z -> le e z) -> G s <> G t.
Proof.
  intros s t e hs ht he hn sub above. apply (proj1 (proj2 grundy t ht) e s he).
  - exact (not_poison s e hs hn).
  - intros z. split.
    + intros hz. split; [now apply sub |]. intros hle. apply hn. exact (proj1 hs z e hz hle).
    + intros (hz & hle). destruct (On_dec s z) as [h | h]; [exact h |].
      now destruct hle; apply above.
Qed.

(** After a bite at e, a bite below e leads to the same position as without the first one. *)
Lemma bite_below : forall t e s e' y, Position t -> Left t e s -> Left s e' y -> le e' e ->
  On t e' -> poison e' = false -> G y <> G t.
Proof.
  intros t e s e' y ht hs hy hle he hp. apply (proj1 (proj2 grundy t ht) e' y he hp).
  intros z. rewrite (hy z), (hs z). split; [tauto |]. intros (hz & hn). split; [| exact hn].
  split; [exact hz |]. intros h. apply hn. exact (le_trans e' e z hle h).
Qed.

(** *** Rows *)

(** The row of J and h has p in column n. *)
Definition W (J : A -> bool) (h p n : nat) : Prop := Position (p, n, J) /\ G (p, n, J) = h.

Lemma W_same : forall J J' h p n, (forall a, J a = true <-> J' a = true) -> W J h p n -> W J' h p n.
Proof.
  intros J J' h p n same (hx & e).
  assert (on : forall z, On (p, n, J) z <-> On (p, n, J') z).
  { intros [i | j | a]; simpl; [reflexivity | reflexivity | apply same]. }
  split; [| now rewrite <- (proj1 grundy _ _ on)]. destruct hx as (down & hp). split.
  - intros z z'. rewrite <- !on. apply down.
  - intros z hz. apply on, hp, hz.
Qed.

Lemma left_W : forall p n J e p' n' J', Position (p, n, J) -> poison e = false ->
  Left (p, n, J) e (p', n', J') -> W (cut e J) (G (p', n', J')) p' n' /\
  (forall i, i < p' <-> i < p /\ ~ le e (C i)) /\ (forall j, j < n' <-> j < n /\ ~ le e (D j)).
Proof.
  intros p n J e p' n' J' hx hp h. split; [| split].
  - apply (W_same J').
    + intros a. rewrite cut_spec. apply (h (Other a)).
    + split; [exact (left_position _ e _ hx hp h) | reflexivity].
  - intros i. apply (h (C i)).
  - intros j. apply (h (D j)).
Qed.

Lemma W_injective : forall J h, Injective (W J h).
Proof.
  assert (columns : forall J p p' n, p < p' -> Position (p, n, J) -> Position (p', n, J) ->
    G (p, n, J) <> G (p', n, J)).
  { intros J p p' n hlt h h'. apply (bite_differs _ _ (C p) h h'); simpl; try lia.
    - intros [i | j | a]; simpl; [lia | trivial | trivial].
    - intros [i | j | a]; simpl; [intros; apply le_C; lia | contradiction | contradiction]. }
  assert (rows : forall J p n n', n < n' -> Position (p, n, J) -> Position (p, n', J) ->
    G (p, n, J) <> G (p, n', J)).
  { intros J p n n' hlt h h'. apply (bite_differs _ _ (D n) h h'); simpl; try lia.
    - intros [i | j | a]; simpl; [trivial | lia | trivial].
    - intros [i | j | a]; simpl; [contradiction | intros; apply le_D; lia | contradiction]. }
  intros J h. split.
  - intros p p' n (h1 & e1) (h2 & e2). destruct (lt_eq_lt_dec p p') as [[hlt | heq] | hlt];
      [| exact heq |].
    + destruct (columns J p p' n hlt h1 h2). congruence.
    + destruct (columns J p' p n hlt h2 h1). congruence.
  - intros p n n' (h1 & e1) (h2 & e2). destruct (lt_eq_lt_dec n n') as [[hlt | heq] | hlt];
      [| exact heq |].
    + destruct (rows J p n n' hlt h1 h2). congruence.
    + destruct (rows J p n' n hlt h2 h1). congruence.
Qed.

(** Positions with the same J between two others. *)
Lemma position_between : forall J p1 n1 p2 n2 p n, Position (p1, n1, J) -> Position (p2, n2, J) ->
  p1 <= p <= p2 -> n1 <= n <= n2 -> (forall i j, le (C i) (D j) -> j < n -> i < p) ->
  Position (p, n, J).
Proof.
  intros J p1 n1 p2 n2 p n (down1 & poison1) (down2 & _) hp hn chains. split.
  - intros [i | j | a] z' hz hle; simpl in hz.
    + destruct z' as [i' | j' | a']; simpl.
      * apply le_C in hle. lia.
      * now apply not_below in hle.
      * apply (down2 (C i) (Other a')); [simpl; lia | exact hle].
    + destruct z' as [i' | j' | a']; simpl.
      * exact (chains i' j hle hz).
      * apply le_D in hle. lia.
      * apply (down2 (D j) (Other a')); [simpl; lia | exact hle].
    + pose proof (down1 (Other a) z' hz hle) as h.
      destruct z' as [i' | j' | a']; simpl in *; (lia || exact h).
  - intros z hz. specialize (poison1 z hz). destruct z as [i | j | a]; simpl in *; try lia.
    exact poison1.
Qed.

(** An element of J is not above an element that some position with this J does not have. *)
Lemma cut_high : forall J p0 n0 e, Position (p0, n0, J) -> ~ On (p0, n0, J) e ->
  forall a, cut e J a = true <-> J a = true.
Proof.
  intros J p0 n0 e (down & _) hn a. rewrite cut_spec. split; [tauto |]. intros ha.
  split; [exact ha |]. intros hle. apply hn. exact (down (Other a) e ha hle).
Qed.

(** *** A bound for the columns *)

Hypothesis classical : forall Q : Prop, Q \/ ~ Q.

Lemma columns_bounded : forall J g, exists K, forall p n, W J g p n -> n <= p + K.
Proof.
  intros J g. destruct (classical (exists p n, W J g p n)) as [(p0 & n0 & h0) | none].
  2: { exists 0. intros p n h. destruct none. now exists p, n. }
  exists (n0 + g + length all + 1). intros p n (hx & e).
  destruct (le_lt_dec n (p + (n0 + g + length all + 1))) as [| hlt]; [assumption | exfalso].
  apply (too_many (nat + nat + A)
    (map (fun h => inl (inl h)) (seq 0 g) ++ map (fun x => inl (inr x)) (seq 0 p) ++ map inr all)
    (fun x n' => match x with
      | inl (inl h) => W J h p n'
      | inl (inr x) => W (cut (C x) J) g x n'
      | inr a => exists p', (forall i, i < p' <-> i < p /\ ~ le (Other a) (C i)) /\
          W (cut (Other a) J) g p' n'
      end) n0).
  - intros [[h | x] | a] n1 n2 _; [apply W_injective | apply W_injective |].
    intros (p1 & hp1 & h1) (p2 & hp2 & h2). rewrite (same_length _ p1 p2 hp1 hp2) in h1.
    exact (proj2 (W_injective _ _) _ _ _ h1 h2).
  - intros k hk. rewrite !app_length, !map_length, !seq_length in hk. set (n' := n0 + k).
    assert (hn' : n0 <= n' < n) by (unfold n'; lia).
    assert (hs : Position (p, n', J)).
    { destruct hx as (down & hp). split.
      - intros z z' hz hle. assert (hz' : On (p, n, J) z').
        { apply (down z); [| exact hle]. destruct z as [i | j | a]; simpl in *; (exact hz || lia). }
        destruct z' as [i' | j' | a']; simpl in *; [exact hz' | | exact hz'].
        destruct z as [i | j | a]; simpl in hz.
        + now apply not_below in hle.
        + apply le_D in hle. lia.
        + pose proof (proj1 (proj1 h0) (Other a) (D j') hz hle) as h. simpl in h. lia.
      - intros z hz. pose proof (hp z hz) as h1. pose proof (proj2 (proj1 h0) z hz) as h2.
        destruct z as [i | j | a]; simpl in *; (exact h1 || lia). }
    assert (hleft : Left (p, n, J) (D n') (p, n', J)).
    { intros [i | j | a]; simpl.
      - split; [| tauto]. intros h. split; [exact h | apply not_below].
      - rewrite le_D. lia.
      - split; [| tauto]. intros h. split; [exact h |]. intros hle.
        pose proof (proj1 hs (Other a) (D n') h hle) as h'. simpl in h'. lia. }
    destruct (lt_eq_lt_dec (G (p, n', J)) g) as [[hlow | heq] | hhigh].
    + exists (inl (inl (G (p, n', J)))). split; [| now split].
      apply in_or_app. left. apply in_map_iff. eexists. split; [reflexivity |]. apply in_seq. lia.
    + exfalso. pose proof (proj2 (W_injective J g) p n n' (conj hx e) (conj hs heq)). lia.
    + destruct (proj2 (proj2 grundy _ hs) g hhigh) as (e' & [[p' m'] J'] & on & hpe & hl & ey).
      destruct (left_W p n' J e' p' m' J' hs hpe hl) as (hW & hp' & hm'). rewrite ey in hW.
      assert (hdiff : ~ le e' (D n')).
      { intros hle. apply (bite_below (p, n, J) (D n') (p, n', J) e' (p', m', J')); trivial.
        - destruct e' as [i | j | a]; simpl in *; (exact on || lia).
        - congruence. }
      assert (em : m' = n').
      { apply (same_length _ m' n' hm'). intros j. split; [| tauto]. intros hj.
        split; [exact hj |]. intros hle. apply hdiff, (le_trans _ (D j)); [exact hle |].
        apply le_D. lia. }
      subst m'. destruct e' as [x | y | a]; simpl in on.
      * assert (p' = x) as ->.
        { apply (same_length _ p' x hp'). intros i. rewrite le_C. lia. }
        exists (inl (inr x)). split; [| exact hW]. apply in_or_app. right. apply in_or_app. left.
        apply in_map_iff. exists x. split; [reflexivity |]. apply in_seq. lia.
      * exfalso. apply hdiff, le_D. lia.
      * exists (inr a). split; [| now exists p']. apply in_or_app. right. apply in_or_app. right.
        now apply in_map.
Qed.

(** *** Numbers between *)

(** A bite at [C p] or above, in a later column, leads to this position. *)
Definition Corner (J : A -> bool) (h p m : nat) : Prop :=
  W J h p m /\ forall j, le (C p) (D j) <-> m <= j.

Lemma corner_unique : forall J h p p' m m', Corner J h p m -> Corner J h p' m' -> p = p'.
Proof.
  assert (less : forall J h p p' m m', Corner J h p m -> Corner J h p' m' -> ~ p < p').
  { intros J h p p' m m' ((hx & e) & hm) ((hx' & e') & hm') hlt.
    assert (hle : m <= m').
    { apply hm, (le_trans _ (C p')); [apply le_C; lia | now apply hm']. }
    apply (bite_differs _ _ (C p) hx hx'); simpl; try lia.
    - intros [i | j | a]; simpl; [lia | lia | trivial].
    - intros [i | j | a]; simpl; [intros; apply le_C; lia | intros; apply hm; lia | easy]. }
  intros J h p p' m m' hc hc'. pose proof (less _ _ _ _ _ _ hc hc').
  pose proof (less _ _ _ _ _ _ hc' hc). lia.
Qed.

(** If a bite does not take all the columns that it could, it takes those from some one on. *)
Lemma edge : forall (f : nat -> element A) e n m, (forall i j, i <= j -> le (f i) (f j)) ->
  (forall j, j < m <-> j < n /\ ~ le e (f j)) -> m < n -> forall j, le e (f j) <-> m <= j.
Proof.
  intros f e n m mono hm hlt j. split; intros h.
  - destruct (le_lt_dec m j) as [hle | hlt']; [exact hle |]. now apply hm in hlt'.
  - destruct (le_dec e (f m)) as [he | he]; [exact (le_trans e (f m) _ he (mono m j h)) |].
    exfalso. exact (Nat.lt_irrefl m (proj2 (hm m) (conj hlt he))).
Qed.

Lemma between : forall J g, exists E, forall p n, W J g p n -> forall p', E <= p' < p ->
  (exists y, y < n /\ W J g p' y) \/
  (exists h, h < g /\ W J h p' n) \/ (exists a, J a = true /\ W (cut (Other a) J) g p' n).
Proof.
  intros J g. destruct (classical (exists p n, W J g p n)) as [(p0 & n0 & h0) | none].
  2: { exists 0. intros p n h. destruct none. now exists p, n. }
  destruct (bounded classical nat (seq 0 g) (fun h p => exists m, Corner J h p m)) as (E1 & hE1).
  { intros h p p' _ (m & hc) (m' & hc'). exact (corner_unique _ _ _ _ _ _ hc hc'). }
  destruct (bounded classical nat (seq 0 n0) (fun y p => W (cut (D y) J) g p y)) as (E2 & hE2).
  { intros y p p' _. apply W_injective. }
  destruct (bounded classical A all (fun a p => exists m, Corner (cut (Other a) J) g p m))
    as (E3 & hE3).
  { intros a p p' _ (m & hc) (m' & hc'). exact (corner_unique _ _ _ _ _ _ hc hc'). }
  destruct (bounded classical A all (fun a p => exists m,
    (forall j, j < m <-> ~ le (Other a) (D j)) /\ W (cut (Other a) J) g p m)) as (E4 & hE4).
  { intros a p p' _ (m & hm & h) (m' & hm' & h'). rewrite (same_length _ m m' hm hm') in h.
    exact (proj1 (W_injective _ _) _ _ _ h h'). }
  exists (p0 + E1 + E2 + E3 + E4). intros p n (hx & e) p' hp'.
  assert (high : ~ On (p0, n0, J) (C p')) by (simpl; lia).
  assert (hpoison : poison (C p') = false) by exact (not_poison _ _ (proj1 h0) high).
  destruct (after (p, n, J) (C p')) as [[p'' m] J'] eqn:ea.
  pose proof (after_left (p, n, J) (C p')) as hl. rewrite ea in hl. clear ea.
  destruct (left_W p n J (C p') p'' m J' hx hpoison hl) as (hs & hlp & hm).
  assert (p'' = p') as ->.
  { apply (same_length _ p'' p' hlp). intros i. rewrite le_C. lia. }
  pose proof (proj1 (proj2 grundy _ hx) (C p') _ ltac:(simpl; lia) hpoison hl) as hv.
  apply (W_same _ J) in hs; [| exact (cut_high J p0 n0 (C p') (proj1 h0) high)].
  rewrite e in hv. set (v := G (p', m, J')) in *.
  assert (hl' : Left (p, n, J) (C p') (p', m, J)).
  { intros [i | j | a]; [apply (hl (C i)) | apply (hl (D j)) |]. simpl. rewrite <- cut_spec.
    symmetry. exact (cut_high J p0 n0 (C p') (proj1 h0) high a). }
  assert (hmn : m <= n).
  { destruct (le_lt_dec m n) as [h | h]; [exact h |]. apply hm in h. lia. }
  assert (hcorner : m < n -> forall j, le (C p') (D j) <-> m <= j).
  { apply (edge D (C p') n m); [| exact hm]. intros i j. apply le_D. }
  destruct (lt_eq_lt_dec v g) as [[hlow | heq] | hhigh]; [| contradiction |].
  - destruct (le_lt_eq_dec m n hmn) as [hlt | ->].
    + exfalso. specialize (hE1 v p' ltac:(apply in_seq; lia)).
      assert (p' < E1); [| lia]. apply hE1. exists m. split; [exact hs | now apply hcorner].
    + right. left. exists v. now split.
  - destruct hs as (hs & ev). rewrite <- ev in hhigh.
    destruct (proj2 (proj2 grundy _ hs) g hhigh) as (e' & [[py ny] Jy] & on & hpe & hly & ey).
    destruct (left_W p' m J e' py ny Jy hs hpe hly) as (hW & hpy & hny). rewrite ey in hW.
    assert (hdiff : ~ le e' (C p')).
    { intros hle. apply (bite_below (p, n, J) (C p') (p', m, J) e' (py, ny, Jy)); trivial.
      - apply hl', on.
      - congruence. }
    destruct e' as [x | y | a]; simpl in on.
    + destruct hdiff. apply le_C. lia.
    + assert (py = p') as ->.
      { apply (same_length _ py p' hpy). intros i. pose proof (not_below i y). tauto. }
      assert (ny = y) as ->.
      { apply (same_length _ ny y hny). intros i. rewrite le_D. lia. }
      destruct (le_lt_dec n0 y) as [hy | hy].
      * left. exists y. split; [lia |]. apply (W_same (cut (D y) J)); [| exact hW].
        apply (cut_high J p0 n0); [apply h0 | simpl; lia].
      * exfalso. specialize (hE2 y p' ltac:(apply in_seq; lia) hW). lia.
    + assert (py = p') as ->.
      { apply (same_length _ py p' hpy). intros i. split; [| tauto]. intros hi.
        split; [exact hi |]. intros hle. apply hdiff, (le_trans _ (C i)); [exact hle |].
        apply le_C. lia. }
      assert (hnm : ny <= m).
      { destruct (le_lt_dec ny m) as [h | h]; [exact h |]. apply hny in h. lia. }
      destruct (le_lt_eq_dec ny m hnm) as [hlt | ->].
      * exfalso. assert (p' < E4); [| lia]. apply (hE4 a p' (finite a)). exists ny.
        split; [| exact hW].
        pose proof (edge D (Other a) m ny (fun i j => proj2 (le_D i j)) hny hlt) as he.
        intros j. rewrite he. lia.
      * destruct (le_lt_eq_dec m n hmn) as [hlt | ->].
        -- exfalso. assert (p' < E3); [| lia]. apply (hE3 a p' (finite a)). exists m.
           split; [exact hW | now apply hcorner].
        -- right. right. now exists a.
Qed.

(** *** Without end *)

Lemma columns_exist : forall J g, (forall N, exists p n, N <= n /\ W J g p n) ->
  exists n0, forall n, n0 <= n -> exists p, W J g p n.
Proof.
  intros J g endless. destruct (endless 0) as (p0 & n0 & _ & h0).
  destruct (columns_bounded J g) as (K & hK).
  destruct (bounded classical nat (seq 0 p0) (fun x n => W (cut (C x) J) g x n)) as (N1 & hN1).
  { intros x n n' _. apply W_injective. }
  destruct (bounded classical A all (fun a n => exists p,
    (forall i, i < p <-> ~ le (Other a) (C i)) /\ W (cut (Other a) J) g p n)) as (N2 & hN2).
  { intros a n n' _ (p & hp & h) (p' & hp' & h'). rewrite (same_length _ p p' hp hp') in h.
    exact (proj2 (W_injective _ _) _ _ _ h h'). }
  exists (n0 + N1 + N2). intros n hn.
  destruct (classical (exists p, W J g p n)) as [h | none]; [exact h | exfalso].
  destruct (endless n) as (p1 & n1 & hn1 & h1).
  destruct (bounded classical nat (seq 0 g) (fun h p => W J h p n)) as (P1 & hP1).
  { intros h p p' _. apply W_injective. }
  destruct (bounded classical nat (seq 0 n) (fun y p => W (cut (D y) J) g p y)) as (P2 & hP2).
  { intros y p p' _. apply W_injective. }
  destruct (bounded classical A all (fun a p => exists m,
    (forall j, j < m <-> j < n /\ ~ le (Other a) (D j)) /\ W (cut (Other a) J) g p m))
    as (P3 & hP3).
  { intros a p p' _ (m & hm & h) (m' & hm' & h'). rewrite (same_length _ m m' hm hm') in h.
    exact (proj1 (W_injective _ _) _ _ _ h h'). }
  set (p' := p0 + p1 + P1 + P2 + P3).
  destruct (endless (n + p' + K + 1)) as (p2 & n2 & hn2 & h2). pose proof (hK p2 n2 h2) as hp2.
  assert (hx : Position (p', n, J)).
  { apply (position_between J p0 n0 p2 n2); [apply h0 | apply h2 | unfold p'; lia | lia |].
    intros i j hle hj. pose proof (proj1 (proj1 h1) (D j) (C i) ltac:(simpl; lia) hle) as h.
    simpl in h. unfold p'. lia. }
  assert (far : forall e y, On (p2, n2, J) e -> poison e = false -> Left (p2, n2, J) e y ->
    G y <> g).
  { intros e y on hpe hl ey. apply (proj1 (proj2 grundy _ (proj1 h2)) e y on hpe hl).
    rewrite ey. symmetry. apply h2. }
  destruct (lt_eq_lt_dec (G (p', n, J)) g) as [[hlow | heq] | hhigh].
  - specialize (hP1 (G (p', n, J)) p' ltac:(apply in_seq; lia) (conj hx eq_refl)).
    unfold p' in hP1. lia.
  - apply none. now exists p'.
  - destruct (proj2 (proj2 grundy _ hx) g hhigh) as (e' & [[py ny] Jy] & on & hpe & hly & ey).
    destruct (left_W p' n J e' py ny Jy hx hpe hly) as (hW & hpy & hny). rewrite ey in hW.
    assert (hnn : ny <= n).
    { destruct (le_lt_dec ny n) as [h | h]; [exact h |]. apply hny in h. lia. }
    pose proof (edge D e' n ny (fun i j => proj2 (le_D i j)) hny) as hedge.
    destruct e' as [x | y | a]; simpl in on.
    + assert (py = x) as ->.
      { apply (same_length _ py x hpy). intros i. rewrite le_C. lia. }
      destruct (le_lt_eq_dec ny n hnn) as [hlt | ->].
      * apply (far (C x) (x, ny, Jy)); [simpl; lia | exact hpe | | exact ey].
        intros [i | j | a]; simpl.
        -- rewrite le_C. lia.
        -- rewrite (hedge hlt). lia.
        -- apply (hly (Other a)).
      * destruct (le_lt_dec p0 x) as [h | h].
        -- apply none. exists x. apply (W_same (cut (C x) J)); [| exact hW].
           apply (cut_high J p0 n0); [apply h0 | simpl; lia].
        -- specialize (hN1 x n ltac:(apply in_seq; lia) hW). lia.
    + assert (py = p') as ->.
      { apply (same_length _ py p' hpy). intros i. pose proof (not_below i y). tauto. }
      assert (ny = y) as ->.
      { apply (same_length _ ny y hny). intros i. rewrite le_D. lia. }
      specialize (hP2 y p' ltac:(apply in_seq; lia) hW). unfold p' in hP2. lia.
    + assert (hpp : py <= p').
      { destruct (le_lt_dec py p') as [h | h]; [exact h |]. apply hpy in h. lia. }
      destruct (le_lt_eq_dec py p' hpp) as [hltp | ->].
      * pose proof (edge C (Other a) p' py (fun i j => proj2 (le_C i j)) hpy hltp) as hedgep.
        destruct (le_lt_eq_dec ny n hnn) as [hlt | ->].
        -- apply (far (Other a) (py, ny, Jy)); [exact on | exact hpe | | exact ey].
           intros [i | j | b]; simpl.
           ++ rewrite hedgep. lia.
           ++ rewrite (hedge hlt). lia.
           ++ apply (hly (Other b)).
        -- assert (n < N2); [| lia]. apply (hN2 a n (finite a)). exists py.
           split; [| exact hW]. intros i. rewrite hedgep. lia.
      * assert (p' < P3); [| unfold p' in *; lia]. apply (hP3 a p' (finite a)). now exists ny.
Qed.

(** *** All rows *)

Lemma ends_or_not : forall J g, (exists N, forall p n, W J g p n -> n < N) \/
  (forall N, exists p n, N <= n /\ W J g p n).
Proof.
  intros J g. destruct (classical (exists N, forall p n, W J g p n -> n < N)) as [h | h];
    [now left | right]. intros N.
  destruct (classical (exists p n, N <= n /\ W J g p n)) as [h' | h']; [exact h' |].
  destruct h. exists N. intros p n hW. destruct (le_lt_dec N n) as [hle | hlt]; [| exact hlt].
  destruct h'. now exists p, n.
Qed.

Lemma all_settled : forall J g, Settled (W J g).
Proof.
  intros J. remember (size J) as m eqn:em. revert J em.
  induction m as [m IHm] using lt_wf_ind. intros J em g.
  induction g as [g IHg] using lt_wf_ind.
  destruct (ends_or_not J g) as [(N & hN) | endless].
  { exists N, 1, 0. split; [lia |]. intros p n hn.
    split; [intros h | split; intros h]; apply hN in h; lia. }
  destruct (columns_bounded J g) as (K & hK). destruct (between J g) as (E & hE).
  destruct (columns_exist J g endless) as (n0 & hn0).
  apply (eventually_repeats classical (W J g) (fun p n => (exists h, In h (seq 0 g) /\ W J h p n) \/
    exists a, In a (filter J all) /\ W (cut (Other a) J) g p n) K E n0).
  - apply W_injective.
  - exact hn0.
  - exact hK.
  - intros p n (hx & e) [(h & hh & _ & e') | (a & ha & hx' & e')].
    + apply in_seq in hh. lia.
    + apply filter_In in ha as (_ & ha).
      apply (bite_differs (p, n, cut (Other a) J) (p, n, J) (Other a) hx' hx ha).
      * simpl. rewrite cut_spec. intros (_ & hn). apply hn, le_refl.
      * intros [i | j | b]; simpl; trivial. rewrite cut_spec. tauto.
      * intros [i | j | b]; simpl; try contradiction. rewrite cut_spec. intros hb hn.
        destruct (le_dec (Other a) (Other b)); tauto.
      * congruence.
  - intros p n h p' hp'. destruct (hE p n h p' hp') as [h' | [(v & hv & h') | (a & ha & h')]].
    + now left.
    + right. left. exists v. split; [apply in_seq; lia | exact h'].
    + right. right. exists a. split; [| exact h']. now apply filter_In.
  - apply settled_or.
    + apply (settled_any nat (fun h => W J h)). intros h hh. apply IHg. apply in_seq in hh. lia.
    + apply (settled_any A (fun a => W (cut (Other a) J) g)). intros a ha.
      apply filter_In in ha as (_ & ha). apply (IHm (size (cut (Other a) J))); [| reflexivity].
      subst m. now apply (proj2 (cut_size (Other a) J) a).
Qed.

(** Fact 13 (a). *)
Theorem one_position : forall J p p' n n', Position (p, n, J) -> Position (p', n', J) ->
  G (p, n, J) = G (p', n', J) -> (p = p' <-> n = n').
Proof.
  intros J p p' n n' h h' e. destruct (W_injective J (G (p, n, J))) as (columns & rows).
  split; intros <-.
  - apply (rows p); now split.
  - apply (columns p p' n); now split.
Qed.

(** Facts 13 (f) and (g). *)
Theorem rows_of_two_chains : forall J g,
  (exists last, forall p n, Position (p, n, J) -> G (p, n, J) = g -> p <= last /\ n <= last) \/
  (exists start period, 0 < period /\ forall n, start <= n -> exists p,
    Position (p, n, J) /\ G (p, n, J) = g /\
    Position (p + period, n + period, J) /\ G (p + period, n + period, J) = g).
Proof.
  intros J g. destruct (ends_or_not J g) as [(N & hN) | endless]; [left | right].
  - destruct (bounded classical nat (seq 0 N) (fun n p => W J g p n)) as (P & hP).
    { intros n p p' _. apply W_injective. }
    exists (N + P). intros p n hx e. pose proof (hN p n (conj hx e)) as hn.
    specialize (hP n p ltac:(apply in_seq; lia) (conj hx e)). lia.
  - destruct (all_settled J g) as (s & k & M & hk & h).
    destruct (columns_exist J g endless) as (n0 & hn0). exists (s + n0), k.
    split; [exact hk |]. intros n hn. destruct (hn0 n) as (p & hW); [lia |]. exists p.
    pose proof (proj1 (proj2 (h p n ltac:(lia))) hW) as (hx' & e'). destruct hW as (hx & e).
    repeat (split; [assumption |]). exact e'.
Qed.

End Game.
