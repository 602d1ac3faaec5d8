(** * Counting finite sets of numbers

[Counts A k] says that exactly k numbers have the property A. Properties need not be decidable. Two
sets are compared by a relation between their members, which need not be a function. *)

From Coq Require Import Arith List Permutation Lia.
From Chomp Require Import Recurrence.
Import ListNotations.

(** The members of l are the numbers with the property A, each once. *)
Definition Lists (A : nat -> Prop) (l : list nat) : Prop := NoDup l /\ forall x, In x l <-> A x.

Definition Counts (A : nat -> Prop) (k : nat) : Prop := exists l, Lists A l /\ length l = k.

Lemma lists_permutation : forall A l l', Lists A l -> Lists A l' -> Permutation l l'.
Proof.
  intros A l l' [hd h] [hd' h']. apply NoDup_Permutation; [exact hd | exact hd' |].
  intros x. now rewrite h, h'.
Qed.

Lemma lists_ext : forall A B l, (forall x, A x <-> B x) -> Lists A l -> Lists B l.
Proof. intros A B l e [hd h]. split; [exact hd |]. intros x. now rewrite <- e. Qed.

Lemma counts_unique : forall A k k', Counts A k -> Counts A k' -> k = k'.
Proof.
  intros A k k' (l & h & <-) (l' & h' & <-).
  apply Permutation_length, (lists_permutation A); assumption.
Qed.

Lemma counts_ext : forall A B k, (forall x, A x <-> B x) -> Counts A k -> Counts B k.
Proof. intros A B k e (l & h & hk). exists l. split; [now apply (lists_ext A) | exact hk]. Qed.

Lemma counts_none : forall A, (forall x, ~ A x) -> Counts A 0.
Proof.
  intros A h. exists []. split; [| reflexivity]. split; [constructor |].
  intros x. split; [intros [] | apply h].
Qed.

Lemma counts_interval : forall a n, Counts (fun x => a <= x < a + n) n.
Proof.
  intros a n. exists (seq a n). split; [| apply seq_length].
  split; [apply seq_NoDup | intros x; apply in_seq].
Qed.

Lemma nodup_map : forall (B C : Type) (f : B -> C) l, NoDup l ->
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup (map f l).
Proof.
  intros B C f l h. induction h as [| x l hx h IH]; intros inj; cbn; constructor.
  - intros hin. apply in_map_iff in hin. destruct hin as (y & e & hy). apply hx.
    rewrite <- (inj y x); [exact hy | now right | now left | exact e].
  - apply IH. intros y z hy hz. apply inj; now right.
Qed.

(** Two sets without a common member. *)
Lemma counts_or : forall (A B : nat -> Prop) a b, (forall x, A x -> ~ B x) ->
  Counts A a -> Counts B b -> Counts (fun x => A x \/ B x) (a + b).
Proof.
  intros A B a b hn (l & (hd & h) & <-) (l' & (hd' & h') & <-). exists (l ++ l').
  split; [| apply app_length]. split.
  - clear - hd hd' h h' hn. assert (apart : forall x, In x l -> ~ In x l').
    { intros x hx hx'. apply (hn x); [now apply h | now apply h']. }
    clear - hd hd' apart. induction hd as [| y l hy hd IH]; simpl; [exact hd' |].
    constructor.
    + rewrite in_app_iff. intros [hx | hx]; [contradiction | apply (apart y); simpl; auto].
    + apply IH. intros x hx. apply apart. simpl. auto.
  - intros x. now rewrite in_app_iff, h, h'.
Qed.

Lemma counts_below : forall A : nat -> Prop, (forall x, {A x} + {~ A x}) ->
  forall n, exists k, k <= n /\ Counts (fun x => x < n /\ A x) k.
Proof.
  intros A dec n. induction n as [| n (k & hk & h)].
  - exists 0. split; [lia |]. apply counts_none. lia.
  - destruct (dec n) as [hn | hn].
    + exists (k + 1). split; [lia |].
      apply (counts_ext (fun x => x < n /\ A x \/ n <= x < n + 1)).
      * intros x. split.
        -- intros [[hx ha] | hx]; [split; [lia | exact ha] |]. replace x with n by lia. auto.
        -- intros [hx ha]. destruct (Nat.eq_dec x n); [right; lia | left; split; [lia | exact ha]].
      * apply counts_or; [lia | exact h | apply counts_interval].
    + exists k. split; [lia |]. apply (counts_ext (fun x => x < n /\ A x)); [| exact h].
      intros x. split; intros [hx ha]; (split; [| exact ha]); [lia |].
      destruct (Nat.eq_dec x n) as [-> |]; [contradiction | lia].
Qed.

(** ** Relations *)

(** If each member of A is related to a member of B, and no two to the same one, the members can be
chosen. *)
Lemma choose_images : forall (A B : nat -> Prop) (R : nat -> nat -> Prop),
  (forall x, A x -> exists y, B y /\ R x y) ->
  (forall x x' y, A x -> A x' -> R x y -> R x' y -> x = x') ->
  forall l, NoDup l -> (forall x, In x l -> A x) ->
  exists l', NoDup l' /\ length l' = length l /\
    (forall y, In y l' -> B y /\ exists x, In x l /\ R x y) /\
    (forall x, In x l -> exists y, In y l' /\ R x y).
Proof.
  intros A B R total injective l hd. induction hd as [| x l hx hd IH]; intros h.
  - exists []. split; [constructor |]. split; [reflexivity |]. split; intros y [].
  - destruct IH as (l' & hd' & hl & h' & all); [intros y hy; apply h; now right |].
    destruct (total x) as (y & hy & hR); [apply h; now left |]. exists (y :: l').
    split; [constructor; [| exact hd'] |].
    + intros hin. apply h' in hin. destruct hin as (_ & x' & hx' & hR').
      rewrite (injective x x' y) in hx; try assumption; [contradiction | |]; apply h; simpl; auto.
    + split; [simpl; lia |]. split.
      2: { intros z [<- | hz]; [exists y; simpl; auto |].
        destruct (all z hz) as (u & hu & hRu). exists u. simpl. auto. }
      intros z [<- | hz].
      * split; [exact hy |]. exists x. split; [now left | exact hR].
      * apply h' in hz. destruct hz as (hz & x' & hx' & hR').
        split; [exact hz |]. exists x'. split; [now right | exact hR'].
Qed.

(** B has at least as many members as A. *)
Lemma counts_le : forall (A B : nat -> Prop) (R : nat -> nat -> Prop) a b,
  (forall x, A x -> exists y, B y /\ R x y) ->
  (forall x x' y, A x -> A x' -> R x y -> R x' y -> x = x') ->
  Counts A a -> Counts B b -> a <= b.
Proof.
  intros A B R a b total injective (l & (hd & h) & <-) (m & (hd' & h') & <-).
  destruct (choose_images A B R total injective l hd) as (l' & hl & <- & hb & _).
  - intros x. apply h.
  - apply (NoDup_incl_length hl). intros y hy. apply h', hb, hy.
Qed.

(** If they have equally many, each member of B is the image of one of A. *)
Lemma counts_onto : forall (A B : nat -> Prop) (R : nat -> nat -> Prop) k,
  (forall x, A x -> exists y, B y /\ R x y) ->
  (forall x x' y, A x -> A x' -> R x y -> R x' y -> x = x') ->
  Counts A k -> Counts B k -> forall y, B y -> exists x, A x /\ R x y.
Proof.
  intros A B R k total injective (l & (hd & h) & <-) (m & (hd' & h') & hm) y hy.
  destruct (choose_images A B R total injective l hd) as (l' & hl & hk & hb & _).
  - intros x. apply h.
  - assert (hin : In y l').
    { apply (NoDup_length_incl hl (l' := m)); [lia | | now apply h'].
      intros z hz. apply h', hb, hz. }
    apply hb in hin. destruct hin as (_ & x & hx & hR). exists x. split; [now apply h | exact hR].
Qed.

(** The images of A under a relation that is a function on A, and takes no two members to one. *)
Lemma counts_image : forall (A B : nat -> Prop) (R : nat -> nat -> Prop) k,
  (forall x, A x -> exists y, B y /\ R x y) ->
  (forall x x' y, A x -> A x' -> R x y -> R x' y -> x = x') ->
  (forall x y y', A x -> R x y -> R x y' -> y = y') ->
  (forall y, B y -> exists x, A x /\ R x y) ->
  Counts A k -> Counts B k.
Proof.
  intros A B R k total injective function onto (l & (hd & h) & <-).
  destruct (choose_images A B R total injective l hd) as (l' & hl & hk & hb & all).
  - intros x. apply h.
  - exists l'. split; [| exact hk]. split; [exact hl |]. intros y. split.
    + intros hy. apply hb, hy.
    + intros hy. destruct (onto y hy) as (x & hx & hR).
      destruct (all x) as (y' & hy' & hR'); [now apply h |].
      now rewrite (function x y y' hx hR hR').
Qed.

(** ** Subsets *)

Lemma counts_subset : forall (A B : nat -> Prop) a b, (forall x, A x -> B x) ->
  Counts A a -> Counts B b -> a <= b.
Proof.
  intros A B a b h. apply (counts_le A B eq).
  - intros x hx. exists x. split; [now apply h | reflexivity].
  - intros x x' y _ _ e e'. congruence.
Qed.

Lemma counts_part : forall (A B : nat -> Prop) n, (forall x, {A x} + {~ A x}) ->
  Counts B n -> exists k, k <= n /\ Counts (fun x => B x /\ A x) k.
Proof.
  intros A B n dec (l & (hd & h) & <-). set (f := fun x => if dec x then true else false).
  assert (part : Counts (fun x => B x /\ A x) (length (filter f l))).
  { exists (filter f l). split; [| reflexivity]. split; [now apply NoDup_filter |].
    intros x. rewrite filter_In, h. unfold f. destruct (dec x); intuition easy. }
  exists (length (filter f l)). split; [| exact part].
  apply (counts_subset _ B _ _ (fun x hx => proj1 hx) part). exists l. now split.
Qed.

(** The members of B that are in A, and those that are not. *)
Lemma counts_split : forall (A B : nat -> Prop) n m k,
  (forall x, {A x} + {~ A x}) -> Counts B n ->
  Counts (fun x => B x /\ A x) m -> Counts (fun x => B x /\ ~ A x) k -> n = m + k.
Proof.
  intros A B n m k dec hn hm hk. apply (counts_unique B _ _ hn).
  apply (counts_ext (fun x => B x /\ A x \/ B x /\ ~ A x)).
  - intros x. destruct (dec x); tauto.
  - apply counts_or; [tauto | exact hm | exact hk].
Qed.

(** Of the numbers to n with the property A, the k-th one. *)
Lemma counts_nth : forall A : nat -> Prop, (forall x, {A x} + {~ A x}) ->
  forall n m k, Counts (fun x => x <= n /\ A x) m -> 1 <= k <= m ->
  exists x, x <= n /\ A x /\ Counts (fun y => y <= x /\ A y) k.
Proof.
  intros A dec n. induction n as [n IH] using lt_wf_ind. intros m k hm hk.
  destruct (dec n) as [hn | hn].
  - destruct (Nat.eq_dec k m) as [-> |].
    + exists n. split; [lia |]. now split.
    + destruct (counts_below A dec n) as (m' & _ & h').
      assert (e : m = m' + 1).
      { apply (counts_unique _ _ _ hm).
        apply (counts_ext (fun x => (x < n /\ A x) \/ n <= x < n + 1)).
        - intros x. split.
          + intros [[hx ha] | hx]; [split; [lia | exact ha] |]. replace x with n by lia. auto.
          + intros [hx ha]. destruct (Nat.eq_dec x n); [right; lia | left; split; [lia | exact ha]].
        - apply counts_or; [lia | exact h' | apply counts_interval]. }
      destruct n as [| n].
      * assert (m' = 0); [| lia]. apply (counts_unique _ _ _ h'), counts_none. lia.
      * destruct (IH n ltac:(lia) m' k) as (x & hx & hA & hc); [| lia |].
        -- apply (counts_ext (fun x => x < S n /\ A x)); [| exact h']. intuition lia.
        -- exists x. split; [lia |]. now split.
  - destruct n as [| n].
    + assert (m = 0); [| lia]. apply (counts_unique _ _ _ hm), counts_none.
      intros x [hx ha]. replace x with 0 in ha by lia. contradiction.
    + destruct (IH n ltac:(lia) m k) as (x & hx & hA & hc); [| lia |].
      * apply (counts_ext (fun x => x <= S n /\ A x)); [| exact hm]. intros x.
        split; intros [hx ha]; (split; [| exact ha]); [| lia].
        destruct (Nat.eq_dec x (S n)) as [-> |]; [contradiction | lia].
      * exists x. split; [lia |]. now split.
Qed.
