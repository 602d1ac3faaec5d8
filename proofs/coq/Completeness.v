(** * The checker accepts what is true, and nothing else

[check_iff]: [check records] is [true] if and only if the r-th record is true for every r. A true
record states its row rightly ([TrueRow]). If the row is periodic, its head ends before the start,
and its certificate is what [docs/FORMAT.md] demands of it ([TrueCertificate]). So the checker
refuses no true record. *)

From Chomp Require Import Rules Recurrence Byrnes Certificate Masks Checker Soundness.
From Coq Require Import BinNums Arith NArith List Bool Lia Sorted.
Import ListNotations.

(** ** True records *)

(** Row c has ended before column q, or repeats from q on. *)
Definition Settles (c q : nat) : Prop :=
  Ended c q \/ exists s k, Canonical c s k /\ s <= q.

(** The window of the columns from q1 to before q2: the least mex of U, and the largest offset. *)
Definition Window (r q1 q2 h w : nat) : Prop :=
  (forall q x, q1 <= q < q2 -> x < h -> State r q x) /\
  (exists q, q1 <= q < q2 /\ ~ State r q h) /\
  (forall q x, q1 <= q < q2 -> Offset r q x -> x <= w) /\
  (exists q, q1 <= q < q2 /\ Offset r q w).

(** A common multiple of the periods of the rows below with a value in the window. *)
Definition CommonMultiple (r q1 h w m : nat) : Prop :=
  forall c s k, c < r -> Canonical c s k -> ValueIn c q1 h w -> Nat.divide k m.

Record TrueCertificate (r start k : nat) (c : certificate) : Prop := {
  true_from : start <= N.to_nat (from c) < N.to_nat (recurs c);
  true_settled : forall d, d < r -> Settles d (N.to_nat (from c));
  true_state : forall x, State r (N.to_nat (from c)) x <->
    x < N.to_nat (filled c) \/ In x (numbers (above c));
  true_above : Sorted N.lt (filled c :: above c);
  true_recurs : forall x, State r (N.to_nat (from c)) x <-> State r (N.to_nat (recurs c)) x;
  true_modulus : exists h w,
    Window r (N.to_nat (from c)) (N.to_nat (recurs c)) h w /\
    CommonMultiple r (N.to_nat (from c)) h w (N.to_nat (modulus c)) /\
    forall m, CommonMultiple r (N.to_nat (from c)) h w m -> Nat.divide (N.to_nat (modulus c)) m;
  true_distance : (recurs c - from c = N.lcm (N.of_nat k) (modulus c))%N;
}.

Definition TrueRecord (r : nat) (x : record) : Prop :=
  TrueRow r x /\
  match x with
  | FiniteRow _ _ _ _ => True
  | PeriodicRow _ _ s values proof head =>
      N.to_nat s = r + length head /\ TrueCertificate r (N.to_nat s) (length values) proof
  end.

(** ** More that is known of the rows below *)

(** Row c is as [t] says, with the least start and the least period. *)
Definition FollowsWell (c : nat) (t : row_tail) : Prop :=
  Follows c t /\ Canonical c (N.to_nat (start t)) (length (values t)).

Record KnownWell (r : nat) (b : below) : Prop := {
  known : Known r b;
  well_rows : forall c, c < r ->
    Ended c (N.to_nat (settled b)) \/ exists t, In t (tails b) /\ FollowsWell c t;
  well_tails : forall t, In t (tails b) -> exists c, c < r /\ FollowsWell c t;
  well_settled : forall q, (forall c, c < r -> Settles c q) -> N.to_nat (settled b) <= q;
}.

Lemma nothing_below_well : KnownWell 0 none_below.
Proof.
  constructor; simpl; try easy.
  - exact nothing_below.
  - intros q _. lia.
Qed.

Lemma canonical_settles : forall c s k q, Canonical c s k -> Settles c q -> s <= q.
Proof.
  intros c s k q h [he | (s' & k' & h' & hq)].
  - destruct h as (h & _). destruct (periodic_never_ends c s k q h he).
  - destruct (canonical_unique c s k s' k' h h') as (-> & _). exact hq.
Qed.

Lemma finite_settles : forall c last q, Byrnes.Finite c last -> Settles c q -> last < q.
Proof.
  intros c last q h [(x & hx & he) | (s & k & (h' & _) & _)].
  - destruct (lt_eq_lt_dec x last) as [[hlt | ->] | hlt]; [| exact hx | lia].
    destruct (ended_stays c x last last he hlt h).
  - destruct (finite_not_periodic c last s k h h').
Qed.

Lemma known_settles : forall r b c q, KnownWell r b -> c < r -> N.to_nat (settled b) <= q ->
  Settles c q.
Proof.
  intros r b c q hk hc hq.
  destruct (well_rows r b hk c hc) as [(l & hl & he) | (t & ht & hf & hcan)].
  - left. exists l. split; [lia | exact he].
  - right. exists (N.to_nat (start t)), (length (values t)). split; [exact hcan |].
    destruct (known_tails r b (known r b hk) t ht). lia.
Qed.

(** What a true record of a periodic row says of the row. *)
Lemma follows_of_row : forall r s vs head,
  RowIs r head vs -> vs <> [] -> N.to_nat s = r + length head -> Follows r (Tail s vs).
Proof.
  intros r s vs head hrow hvs hs. constructor; simpl; [exact hvs | lia |].
  intros q hq. apply F_P, hrow. split; [lia |]. exists (value_at (Tail s vs) q). split; [| reflexivity].
  unfold stated. rewrite numbers_length, (proj2 (Nat.ltb_ge _ _)) by lia.
  rewrite value_at_nth by exact hvs. simpl. rewrite numbers_length.
  replace (q - r - length head) with (q - N.to_nat s) by lia. apply nth_error_nth'.
  rewrite numbers_length. apply Nat.mod_upper_bound. apply length_positive in hvs. lia.
Qed.

Lemma canonical_not_empty : forall r s (vs : list N), Canonical r s (length vs) -> vs <> [].
Proof. intros r s [| v vs] ((h & _) & _); [simpl in h; lia | discriminate]. Qed.

Lemma step_finite_result : forall b row first last head b',
  step_finite b row first last head = Some b' ->
  exists x new, b' = with_row b x new (N.succ last) [].
Proof.
  intros b row first last head b' h. unfold step_finite in h.
  destruct (_ && _); [| discriminate].
  destruct (walk _ _ _) as [[[passed u] [| c rest]] |]; try discriminate.
  destruct (_ =? 0)%N; [| discriminate]. injection h as <-. eauto.
Qed.

Lemma step_periodic_result : forall b row first s vs proof head b',
  step_periodic b row first s vs proof head = Some b' ->
  structure_is_right b row first s vs proof head = true /\
  exists x new, b' = with_row b x new s [Tail s vs].
Proof.
  intros b row first s vs proof head b' h. unfold step_periodic in h.
  destruct (structure_is_right _ _ _ _ _ _ _); [| discriminate]. split; [reflexivity |].
  destruct (walk _ _ _) as [[[passed u] rest] |]; [| discriminate].
  destruct (_ =? _)%N; [| discriminate].
  destruct (walk _ _ rest) as [[[passed' u'] rest'] |]; [| discriminate].
  destruct (_ && _); [| discriminate]. injection h as <-. eauto.
Qed.

Lemma step_well : forall r b x b', KnownWell r b -> step b x = Some b' -> KnownWell (S r) b'.
Proof.
  intros r b x b' hk h. destruct (step_sound r b x b' (known r b hk) h) as (hk' & hx).
  destruct hk as [k0 k1 k2 k3].
  destruct x as [row first last head | row first s vs proof head]; simpl in h.
  - destruct hx as (_ & _ & hf & _).
    apply step_finite_result in h as (x & new & ->). constructor; [exact hk' | | |]; simpl.
    + intros c hc. destruct (Nat.eq_dec c r) as [-> | hne].
      * left. exists (N.to_nat last). split; [lia | exact hf].
      * destruct (k1 c) as [(l & hl & he) | ht]; [lia | left | now right].
        exists l. split; [lia | exact he].
    + intros t ht. destruct (k2 t ht) as (c & hc & h). exists c. split; [lia | exact h].
    + intros q hq. assert (h1 : N.to_nat (settled b) <= q) by (apply k3; auto).
      pose proof (finite_settles r (N.to_nat last) q hf (hq r (Nat.lt_succ_diag_r r))). lia.
  - destruct hx as (_ & _ & hcan & hrow).
    apply step_periodic_result in h as (hstructure & x & new & ->).
    assert (hwell : FollowsWell r (Tail s vs)).
    { split; [| exact hcan]. apply (follows_of_row r s vs head hrow).
      - exact (canonical_not_empty r (N.to_nat s) vs hcan).
      - unfold structure_is_right in hstructure. rewrite !andb_true_iff in hstructure.
        destruct hstructure as (((((((((((hr & _) & hs) & _) & _) & _) & _) & _) & _) & _) & _) & _).
        apply N.eqb_eq in hr, hs. rewrite (known_height r b k0) in hr.
        rewrite count_length in hs. lia. }
    constructor; [exact hk' | | |]; simpl.
    + intros c hc. destruct (Nat.eq_dec c r) as [-> | hne].
      * right. exists (Tail s vs). split; [now left | exact hwell].
      * destruct (k1 c) as [(l & hl & he) | (t & ht & h)]; [lia | left | right].
        -- exists l. split; [lia | exact he].
        -- exists t. split; [now right | exact h].
    + intros t [<- | ht].
      * exists r. split; [lia | exact hwell].
      * destruct (k2 t ht) as (c & hc & h). exists c. split; [lia | exact h].
    + intros q hq. assert (h1 : N.to_nat (settled b) <= q) by (apply k3; auto).
      pose proof (canonical_settles r _ _ q hcan (hq r (Nat.lt_succ_diag_r r))). lia.
Qed.

(** ** The window of a walk is the least *)

Lemma lowest_is : forall offsets r q u, r <= q -> Mask u (State r q) -> Offsets r q offsets ->
  (forall i x, i <= length offsets -> x < N.to_nat (lowest u offsets) -> State r (q + i) x) /\
  exists i, i <= length offsets /\ ~ State r (q + i) (N.to_nat (lowest u offsets)).
Proof.
  induction offsets as [| b offsets IH]; intros r q u hq hu ho.
  - destruct (mex_is_mex u _ hu) as (h1 & h2). simpl. split.
    + intros i x hi hx. replace (q + i) with q by lia. now apply h2.
    + exists 0. rewrite Nat.add_0_r. auto.
  - destruct (mex_is_mex u _ hu) as (h1 & h2). apply offsets_cons in ho as (ho1 & _ & ho2).
    destruct (IH r (S q) (next_state u b)) as (i1 & i & hi & i2); try assumption; [lia | |].
    { now apply state_mask_step. }
    simpl. rewrite N2Nat.inj_min. split.
    + intros [| j] x hj hx.
      * rewrite Nat.add_0_r. apply h2. lia.
      * rewrite Nat.add_succ_r. apply i1; lia.
    + destruct (Nat.min_dec (N.to_nat (mex u)) (N.to_nat (lowest (next_state u b) offsets)))
        as [-> | ->].
      * exists 0. rewrite Nat.add_0_r. split; [lia | exact h1].
      * exists (S i). rewrite Nat.add_succ_r. split; [lia | exact i2].
Qed.

Lemma highest_is : forall offsets, offsets <> [] ->
  (forall i b, nth_error offsets i = Some b -> N.to_nat b <= N.to_nat (highest offsets)) /\
  exists i, nth_error offsets i = Some (highest offsets).
Proof.
  induction offsets as [| b offsets IH]; intros hne; [easy |]. unfold highest in *. simpl.
  destruct offsets as [| b' offsets].
  - simpl. rewrite N.max_0_r. split.
    + intros [| i] d hi; simpl in hi; [injection hi as <-; lia | now destruct i].
    + now exists 0.
  - destruct IH as (h1 & i & h2); [discriminate |].
    set (m := fold_right N.max 0%N (b' :: offsets)) in *. split.
    + intros [| j] d hj; simpl in hj.
      * injection hj as <-. lia.
      * specialize (h1 j d hj). lia.
    + destruct (N.max_dec b m) as [-> | ->].
      * now exists 0.
      * now exists (S i).
Qed.

(** The window of a walk that comes back to its state. *)
Lemma walk_window : forall r q1 q2 u offsets, r <= q1 < q2 -> Mask u (State r q1) ->
  Offsets r q1 offsets -> q2 = q1 + length offsets ->
  (forall x, State r q1 x <-> State r q2 x) ->
  Window r q1 q2 (N.to_nat (lowest u offsets)) (N.to_nat (highest offsets)).
Proof.
  intros r q1 q2 u offsets hq hu ho hlength hs.
  destruct (lowest_is offsets r q1 u) as (h1 & i & hi & h2); try assumption; [lia |].
  destruct (highest_is offsets) as (h3 & j & h4); [intros ->; simpl in hlength; lia |].
  repeat split.
  - intros q x hin hx. replace q with (q1 + (q - q1)) by lia. apply h1; [lia | exact hx].
  - destruct (Nat.eq_dec i (length offsets)) as [-> | hne].
    + exists q1. split; [lia |]. rewrite hs, hlength. exact h2.
    + exists (q1 + i). split; [lia | exact h2].
  - intros q x hin hx. destruct (nth_error offsets (q - q1)) as [b |] eqn:e.
    + pose proof (ho _ _ e) as (hb & _). replace (q1 + (q - q1)) with q in hb by lia.
      rewrite (offset_unique _ _ _ _ hx hb). now apply (h3 (q - q1)).
    + apply nth_error_None in e. lia.
  - exists (q1 + j). split; [| now apply (ho j)].
    assert (j < length offsets) by (apply nth_error_Some; congruence). lia.
Qed.

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

(** ** The modulus of the window rule is the least common multiple *)

Lemma modulus_within_positive : forall h w ts, (forall t, In t ts -> values t <> []) ->
  (0 < modulus_within h w ts)%N.
Proof.
  intros h w ts hts. induction ts as [| t ts IH]; simpl; [lia |].
  assert (hpos : (0 < modulus_within h w ts)%N) by (apply IH; intros t' h'; now apply hts; right).
  destruct (existsb _ (values t)); [| exact hpos].
  assert (hc : (0 < count (values t))%N).
  { rewrite count_length. pose proof (length_positive _ (hts t (or_introl eq_refl))). lia. }
  pose proof (N.lcm_eq_0 (count (values t)) (modulus_within h w ts)). lia.
Qed.

Lemma modulus_within_least : forall h w ts m,
  (forall t, In t ts -> existsb (fun v => (h <=? v) && (v <=? w))%N (values t) = true ->
    N.divide (count (values t)) m) ->
  N.divide (modulus_within h w ts) m.
Proof.
  intros h w ts m hts. induction ts as [| t ts IH]; simpl.
  - apply N.divide_1_l.
  - assert (hrest : N.divide (modulus_within h w ts) m) by (apply IH; intros; apply hts; auto; now right).
    destruct (existsb _ (values t)) eqn:e; [| exact hrest].
    apply N.lcm_least; [apply hts; [now left | exact e] | exact hrest].
Qed.

(** A tail has a value in the window if and only if its row has, from any later column on. *)
Lemma value_in_window : forall c t q h w, Follows c t -> N.to_nat (start t) <= q ->
  (existsb (fun v => (h <=? v) && (v <=? w))%N (values t) = true <->
   ValueIn c q (N.to_nat h) (N.to_nat w)).
Proof.
  intros c t q h w hf hq. pose proof (follows_values c t hf) as hv.
  pose proof (length_positive _ hv) as hpos. rewrite existsb_exists. split.
  - intros (v & hin & hw). apply andb_prop in hw as (h1 & h2). apply N.leb_le in h1, h2.
    destruct (In_nth _ _ 0%N hin) as (i & hi & hnth).
    exists (N.to_nat (start t) + (i + q * length (values t))), (N.to_nat v).
    split; [nia |]. split; [lia |].
    apply (follows_value c t); [exact hf | lia |]. rewrite value_at_nth by exact hv.
    replace (N.to_nat (start t) + (i + q * length (values t)) - N.to_nat (start t))
      with (i + q * length (values t)) by lia.
    rewrite Nat.mod_add, Nat.mod_small by lia. now rewrite <- nth_numbers, hnth.
  - intros (x & b & hx & hb & ho). apply (follows_value c t) in ho; [| exact hf | lia]. subst b.
    exists (value t (N.of_nat x)). split; [now apply value_at_in |].
    unfold value_at in hb. apply andb_true_intro. split; apply N.leb_le; lia.
Qed.

Lemma divide_to_N : forall a b, Nat.divide (N.to_nat a) (N.to_nat b) -> N.divide a b.
Proof. intros a b (k & hk). exists (N.of_nat k). lia. Qed.

Lemma modulus_is : forall r b q h w, KnownWell r b -> N.to_nat (settled b) <= q ->
  CommonMultiple r q (N.to_nat h) (N.to_nat w) (N.to_nat (modulus_within h w (tails b))) /\
  forall m, CommonMultiple r q (N.to_nat h) (N.to_nat w) m ->
    Nat.divide (N.to_nat (modulus_within h w (tails b))) m.
Proof.
  intros r b q h w hk hq. split.
  - intros c s k hc hcan hv.
    destruct (well_rows r b hk c hc) as [(l & hl & he) | (t & ht & hf & hcan')].
    + destruct hcan as (hp & _). destruct (periodic_never_ends c s k q hp).
      exists l. split; [lia | exact he].
    + destruct (canonical_unique _ _ _ _ _ hcan hcan') as (_ & ->).
      rewrite <- (Nat2N.id (length (values t))), <- count_length. apply divide_to_nat.
      apply modulus_divides; [exact ht |]. apply (value_in_window c t q); try assumption.
      destruct (known_tails r b (known r b hk) t ht). lia.
  - intros m hm. rewrite <- (Nat2N.id m). apply divide_to_nat, modulus_within_least.
    intros t ht hv. destruct (well_tails r b hk t ht) as (c & hc & hf & hcan).
    apply divide_to_N. rewrite count_length, !Nat2N.id.
    apply (hm c (N.to_nat (start t))); try assumption.
    apply (value_in_window c t q) in hv; [exact hv | exact hf |].
    destruct (known_tails r b (known r b hk) t ht). lia.
Qed.
