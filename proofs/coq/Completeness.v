(** * The checker accepts what is true, and nothing else

[check_iff]: [check records] is [true] if and only if the r-th record is true for every r. A true
record states its row correctly ([TrueRow]). If the row is periodic, the head also ends just before
the start, and the certificate is as [docs/FORMAT.md] requires ([TrueCertificate]). So the checker
refuses no true record. *)

From Chomp Require Import Rules Recurrence Byrnes Certificate Masks Checker Soundness.
From Coq Require Import BinNums Arith NArith List Bool Lia Sorted.
Import ListNotations.

(** ** True records *)

Record TrueCertificate (r start k : nat) (c : certificate) : Prop := {
  true_from : start <= N.to_nat (from c) < N.to_nat (recurs c);
  true_settled : forall d, d < r -> Settles d (N.to_nat (from c));
  true_state : forall x, State r (N.to_nat (from c)) x <->
    x < N.to_nat (filled c) \/ In x (numbers (above c));
  true_above : Sorted N.lt (filled c :: above c);
  true_recurs : forall x, State r (N.to_nat (from c)) x <-> State r (N.to_nat (recurs c)) x;
  true_modulus : exists h w,
    Window r (N.to_nat (from c)) (N.to_nat (recurs c)) h w /\
    Modulus r (N.to_nat (from c)) h w (N.to_nat (modulus c));
  true_distance : (recurs c - from c = N.lcm (N.of_nat k) (modulus c))%N;
}.

Definition TrueRecord (r : nat) (x : record) : Prop :=
  TrueRow r x /\
  match x with
  | FiniteRow _ _ _ _ => True
  | PeriodicRow _ _ s values proof head =>
      N.to_nat s = r + length head /\ TrueCertificate r (N.to_nat s) (length values) proof
  end.

(** The certificate of a true record satisfies the hypotheses of fact 3, and [recurs] is the first
column in which U is U(from) at a distance that the modulus divides (fact 7). *)
Theorem true_certificate : forall r row first s vs c head,
  TrueRecord r (PeriodicRow row first s vs c head) ->
  IsCertificate r (N.to_nat (from c)) (N.to_nat (recurs c)) (N.to_nat (modulus c)) /\
  forall q, N.to_nat (from c) < q < N.to_nat (recurs c) ->
    Nat.divide (N.to_nat (modulus c)) (q - N.to_nat (from c)) ->
    ~ (forall x, State r (N.to_nat (from c)) x <-> State r q x).
Proof.
  intros r row first s vs c head ((_ & _ & (hp & least) & _) & hs & [c1 c2 c3 c4 c5 c6 c7]).
  assert (hoffsets : forall q, N.to_nat s <= q -> exists x, Offset r q x /\ 0 < x).
  { intros q hq. destruct hp as (hpos & hp). destruct (hp q hq) as (p & h & _).
    apply offset_of_F in h as (h & _). exists (p - q). split; [exact h |].
    destruct (p - q) as [| x]; [exfalso | lia].
    apply (periodic_never_ends r (N.to_nat s) (length vs) (S q)); [now split |].
    apply (offset_0_ends r q); [exact h | lia]. }
  assert (hdistance : forall d, N.divide d (N.lcm (N.of_nat (length vs)) (modulus c)) ->
    Nat.divide (N.to_nat d) (N.to_nat (recurs c) - N.to_nat (from c))).
  { intros d hd. rewrite <- N2Nat.inj_sub, c7. destruct hd as (n & ->). exists (N.to_nat n).
    apply N2Nat.inj_mul. }
  assert (hcert : IsCertificate r (N.to_nat (from c)) (N.to_nat (recurs c))
    (N.to_nat (modulus c))).
  { constructor; try assumption; try lia.
    - intros q hq. apply hoffsets. lia.
    - apply hdistance, N.divide_lcm_r. }
  split; [exact hcert |]. intros q hq. apply (first_return r _ _ _ (length vs) hcert).
  - apply (periodic_repeats_from r (N.to_nat s)); [exact hp | lia].
  - intros k (hk & hrep). assert (hk' : Byrnes.Periodic r (N.to_nat (from c)) k).
    { split; [exact hk |]. intros y hy. destruct (hoffsets y) as (x & hx & _); [lia |].
      exists (y + x). split; [exact hx |]. apply (hrep y x hy) in hx. unfold Offset in hx.
      now replace (y + x + k) with (y + k + x) by lia. }
    destruct (least _ _ hk') as (_ & hd). now apply Nat.divide_pos_le in hd.
  - split; [lia |]. apply (Nat.lt_le_trans _ (N.to_nat (recurs c))); [lia |].
    assert (hlcm : N.to_nat (recurs c) - N.to_nat (from c) =
      Nat.lcm (length vs) (N.to_nat (modulus c))).
    { rewrite <- N2Nat.inj_sub, c7. apply Nat.divide_antisym.
      - assert (h : N.divide (N.lcm (N.of_nat (length vs)) (modulus c))
          (N.of_nat (Nat.lcm (length vs) (N.to_nat (modulus c))))).
        { apply N.lcm_least.
          - destruct (Nat.divide_lcm_l (length vs) (N.to_nat (modulus c))) as (n & ->).
            exists (N.of_nat n). lia.
          - destruct (Nat.divide_lcm_r (length vs) (N.to_nat (modulus c))) as (n & ->).
            exists (N.of_nat n). lia. }
        destruct h as (n & h). exists (N.to_nat n). rewrite <- N2Nat.inj_mul, <- h.
        now rewrite Nat2N.id.
      - apply Nat.lcm_least.
        + destruct (N.divide_lcm_l (N.of_nat (length vs)) (modulus c)) as (n & ->).
          exists (N.to_nat n). rewrite N2Nat.inj_mul. lia.
        + destruct (N.divide_lcm_r (N.of_nat (length vs)) (modulus c)) as (n & ->).
          exists (N.to_nat n). apply N2Nat.inj_mul. }
    lia.
Qed.

(** ** Further properties of the rows below *)

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

(** The row of a true periodic record follows its tail. *)
Lemma follows_of_row : forall r s vs head,
  RowIs r head vs -> vs <> [] -> N.to_nat s = r + length head -> Follows r (Tail s vs).
Proof.
  intros r s vs head hrow hvs hs. constructor; simpl; [exact hvs | lia |].
  intros q hq. apply F_P, hrow. split; [lia |].
  exists (value_at (Tail s vs) q). split; [| reflexivity].
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
        destruct hstructure as (((((((((((hr & _) & hs) & _) & _) & _) & _) & _) & _) & _) & _)
          & _).
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

(** ** The window of a walk is the smallest possible *)

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

(** The window of a walk that returns to its first state. *)
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
  - assert (hrest : N.divide (modulus_within h w ts) m)
      by (apply IH; intros; apply hts; auto; now right).
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
  Modulus r q (N.to_nat h) (N.to_nat w) (N.to_nat (modulus_within h w (tails b))).
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

(** ** An accepted record has a true certificate *)

Lemma ascends_sorted : forall l n, ascends n l = true <-> Sorted N.lt (n :: l).
Proof.
  induction l as [| x l IH]; intros n; simpl.
  - split; [auto | reflexivity].
  - rewrite andb_true_iff, N.ltb_lt, IH. split.
    + intros (h1 & h2). constructor; [exact h2 | now constructor].
    + intros h. inversion h as [| y l' h2 h1]; subst. inversion h1; subst. auto.
Qed.

Lemma state_of_mask : forall c,
  Mask (state_of c) (fun x => x < N.to_nat (filled c) \/ In x (numbers (above c))).
Proof. intros c. apply mask_with_all, mask_ones. Qed.

Lemma mask_same : forall x S T, Mask x S -> Mask x T -> forall i, S i <-> T i.
Proof. intros x S T hS hT i. now rewrite <- (hS i), <- (hT i). Qed.

Theorem step_certificate : forall r b row first s vs proof head b', KnownWell r b ->
  step_periodic b row first s vs proof head = Some b' ->
  N.to_nat s = r + length head /\ TrueCertificate r (N.to_nat s) (length vs) proof.
Proof.
  intros r b row first s vs proof head b' hkw h. pose proof (known r b hkw) as hk.
  unfold step_periodic in h.
  destruct (structure_is_right _ _ _ _ _ _ _) eqn:e in h; [| discriminate].
  unfold structure_is_right in e. rewrite !andb_true_iff in e.
  destruct e as (((((((((((hrow & hfirst) & hstart) & hshort) & hne) & hlast) & hfrom) & hset)
    & hless) & hlcm) & habove) & _).
  apply N.eqb_eq in hrow, hstart, hlcm. apply N.leb_le in hfrom, hset. apply N.ltb_lt in hless.
  rewrite (known_height r b hk) in hrow. subst row. rewrite !count_length in *.
  set (t := Tail s vs) in *.
  destruct (columns_to_sound r b (recurs proof) hk) as (hc & hfar & hmore).
  destruct (walk _ (head ++ _) _) as [[[passed u] rest] |] eqn:ew in h; [| discriminate].
  destruct (N.eqb_spec u (state_of proof)) as [hu |]; [| discriminate].
  destruct (walk (state_of proof) _ rest) as [[[passed' u'] rest'] |] eqn:ew' in h;
    [| discriminate].
  destruct (_ && _)%bool eqn:e in h; [| discriminate]. clear h.
  apply andb_prop in e as (hu' & hmod). apply N.eqb_eq in hu', hmod.
  apply (walk_sound _ r r) in ew as [w1 w2 w3 w4 w5 w6 w7];
    try assumption; try apply not_ended_at_first; try apply hk; [| lia].
  rewrite app_length, tabulate_length in *.
  replace (r + (length head + N.to_nat (from proof - s))) with (N.to_nat (from proof)) in * by lia.
  rewrite hu in w3.
  apply (walk_sound _ r (N.to_nat (from proof))) in ew' as [v1 v2 v3 v4 v5 v6 v7];
    try assumption; [| lia].
  rewrite tabulate_length in *. rewrite hu' in v3.
  replace (N.to_nat (from proof) + N.to_nat (recurs proof - from proof))
    with (N.to_nat (recurs proof)) in * by lia.
  pose proof (mask_same _ _ _ w3 v3) as hstate.
  split; [lia |]. constructor; try assumption; try lia.
  - intros d hd. apply (known_settles r b); [exact hkw | exact hd | lia].
  - exact (mask_same _ _ _ w3 (state_of_mask proof)).
  - now apply ascends_sorted.
  - set (offsets := tabulate (value t) (from proof) (recurs proof - from proof)) in *.
    exists (N.to_nat (lowest (state_of proof) offsets)), (N.to_nat (highest offsets)). split.
    + apply walk_window; try assumption; [lia |]. unfold offsets. rewrite tabulate_length. lia.
    + rewrite hmod. apply modulus_is; [exact hkw | lia].
Qed.

(** ** A true record is accepted *)

Lemma walk_complete : forall offsets r q u columns,
  r <= q -> ~ Ended r q -> Mask u (State r q) -> Columns r q columns ->
  Offsets r q offsets -> length offsets <= length columns ->
  exists passed u' rest, walk u offsets columns = Some (passed, u', rest).
Proof.
  induction offsets as [| b offsets IH]; intros r q u columns hq he hu hc ho hl; simpl.
  - eauto.
  - destruct columns as [| c columns]; simpl in hl; [lia |].
    apply columns_cons in hc as (hc1 & hc2). apply offsets_cons in ho as (ho1 & ho2 & ho3).
    assert (hb : b = mex (N.lor u c)).
    { apply N2Nat.inj, (offset_unique r q); [exact ho1 | now apply mask_offset]. }
    rewrite <- hb, N.eqb_refl. replace (b =? 0)%N with false by (symmetry; apply N.eqb_neq; lia).
    simpl. destruct (IH r (S q) (next_state u b) columns) as (passed & u' & rest & ->); eauto.
    + apply (not_ended_step _ _ (N.to_nat b)); assumption.
    + now apply state_mask_step.
    + lia.
Qed.

(** The offsets of a row that [RowIs] states. *)
Lemma row_head_offsets : forall r head values, RowIs r head values -> AnyOffsets r r head.
Proof.
  intros r head values hrow i b hi. apply F_P, hrow. split; [lia |].
  exists (N.to_nat b). split; [| reflexivity]. unfold stated. rewrite numbers_length.
  replace (r + i - r) with i by lia.
  assert (hlt : i < length head) by (apply nth_error_Some; congruence).
  rewrite (proj2 (Nat.ltb_lt _ _) hlt). apply nth_error_numbers. now exists b.
Qed.

Lemma finite_head_length : forall r last head,
  RowIs r head [] -> Byrnes.Finite r last -> r + length head = S last.
Proof.
  intros r last head hrow hf. destruct (finite_row r last hf) as (hin & hout).
  assert (hr : r <= last) by (destruct hf as (_ & hr & _); exact hr).
  assert (hshort : r + length head <= S last).
  { destruct (le_lt_dec (r + length head) (S last)) as [h | h]; [exact h |].
    set (i := S last - r). destruct (nth_error head i) as [b |] eqn:e.
    - destruct (hout (r + i) (r + i + N.to_nat b)); [lia |]. now apply (row_head_offsets r head []).
    - apply nth_error_None in e. lia. }
  assert (hlong : S last <= r + length head).
  { destruct (le_lt_dec (S last) (r + length head)) as [h | h]; [exact h |].
    destruct (hin last) as (p & hp); [lia |]. apply F_P, hrow in hp as (_ & x & hx & _).
    unfold stated in hx. rewrite numbers_length in hx.
    rewrite (proj2 (Nat.ltb_ge _ _)) in hx by lia. simpl in hx.
    now destruct (last - r - length head). }
  lia.
Qed.

Lemma first_is_complete : forall r b first x offsets, Known r b ->
  F r r (N.to_nat first) -> AnyOffsets r r (x :: offsets) ->
  first_is b first (x :: offsets) = true.
Proof.
  intros r b first x offsets hk hf ho. specialize (ho 0 x eq_refl). rewrite Nat.add_0_r in ho.
  pose proof (F_unique _ _ _ _ hf ho). simpl. rewrite (known_height r b hk). apply N.eqb_eq. lia.
Qed.

Lemma nth_error_removelast : forall (l : list N) i b,
  nth_error (removelast l) i = Some b -> nth_error l i = Some b /\ S i < length l.
Proof.
  induction l as [| x [| y l] IH]; intros i b hi.
  - now destruct i.
  - now destruct i.
  - destruct i as [| i]; [split; [exact hi | simpl; lia] |].
    destruct (IH i b hi) as (h1 & h2). split; [exact h1 | simpl in *; lia].
Qed.

Theorem step_finite_complete : forall r b row first last head, Known r b ->
  TrueRow r (FiniteRow row first last head) ->
  exists b', step_finite b row first last head = Some b'.
Proof.
  intros r b row first last head hk (-> & hfirst & hf & hrow).
  pose proof (finite_head_length r _ head hrow hf) as hlength.
  pose proof (row_head_offsets r head [] hrow) as hoffsets.
  assert (hr : r <= N.to_nat last) by (destruct hf as (_ & hr & _); exact hr).
  assert (hne : head <> []) by (intros ->; simpl in hlength; lia).
  assert (hend : Offset r (N.to_nat last) 0).
  { unfold Offset. rewrite Nat.add_0_r. exact hf. }
  pose proof (app_removelast_last 1%N hne) as happ.
  assert (hremoved : length head = S (length (removelast head))).
  { rewrite happ at 1. rewrite app_length. simpl. lia. }
  assert (hzero : List.last head 1%N = 0%N).
  { assert (hi : nth_error head (length (removelast head)) = Some (List.last head 1%N)).
    { rewrite happ at 1. rewrite nth_error_app2 by lia. now rewrite Nat.sub_diag. }
    apply hoffsets in hi. replace (r + length (removelast head)) with (N.to_nat last) in hi by lia.
    pose proof (offset_unique _ _ _ _ hi hend). lia. }
  assert (hbefore : Offsets r r (removelast head)).
  { intros i x hi. apply nth_error_removelast in hi as (hi & hlt). apply hoffsets in hi.
    split; [exact hi |]. destruct (N.to_nat x) as [| n] eqn:ex; [exfalso | lia].
    apply (ended_no_offset r (N.to_nat last) 0); [| exact hend].
    apply (offset_0_ends r (r + i)); [exact hi | lia]. }
  destruct (columns_to_sound r b (N.succ last) hk) as (hc & hfar & hmore).
  destruct (walk_complete (removelast head) r r (diagonal b) (columns_to b (N.succ last)))
    as (passed & u & rest & hw);
    try assumption; try apply not_ended_at_first; try apply hk; [lia | lia |].
  unfold step_finite. rewrite (known_height r b hk), N.eqb_refl, hzero, N.eqb_refl, count_length.
  replace (N.succ last =? N.of_nat r + N.of_nat (length head))%N with true
    by (symmetry; apply N.eqb_eq; lia).
  replace (first_is b first head) with true.
  2: { symmetry. destruct head as [| x head]; [easy |]. now apply (first_is_complete r). }
  simpl. rewrite hw.
  apply (walk_sound _ r r) in hw as [w1 w2 w3 w4 w5 w6 w7];
    try assumption; try apply not_ended_at_first; try apply hk; [| lia].
  replace (r + length (removelast head)) with (N.to_nat last) in * by lia.
  destruct rest as [| c rest]; [simpl in w7; lia |]. apply columns_cons in w6 as (w6 & _).
  assert (hm : mex (N.lor u c) = 0%N).
  { apply N2Nat.inj, (offset_unique r (N.to_nat last)); [| exact hend].
    now apply mask_offset. }
  rewrite hm. simpl. eauto.
Qed.

Lemma periodic_offsets_positive : forall r s k q x,
  Byrnes.Periodic r s k -> Offset r q x -> 0 < x.
Proof.
  intros r s k q [| x] hp ho; [exfalso | lia]. unfold Offset in ho. rewrite Nat.add_0_r in ho.
  exact (finite_not_periodic r q s k ho hp).
Qed.

Lemma canonical_no_shorter_period : forall r t, Follows r t ->
  Canonical r (N.to_nat (start t)) (length (values t)) -> no_shorter_period (values t) = true.
Proof.
  intros r t hf (_ & least). apply no_shorter_period_iff. intros i hi heq.
  pose proof (follows_values r t hf) as hv.
  assert (hp : Byrnes.Periodic r (N.to_nat (start t)) i).
  { split; [lia |]. intros q hq. exists (q + value_at t q).
    split; [now apply (follows_offset r t hf) |].
    replace (q + value_at t q + i) with (q + i + value_at t q) by lia.
    assert (hsame : value_at t (q + i) = value_at t q).
    { rewrite !value_at_nth by exact hv. set (n := length (values t)) in *.
      set (j := q - N.to_nat (start t)).
      replace (q + i - N.to_nat (start t)) with (i + j) by lia.
      rewrite <- (Nat.add_mod_idemp_r i j n), <- !nth_numbers by lia. f_equal.
      apply rotation_equal; [exact hi | exact heq |]. apply Nat.mod_upper_bound. lia. }
    rewrite <- hsame. apply (follows_offset r t hf). lia. }
  destruct (least _ _ hp) as (_ & hd). apply Nat.divide_pos_le in hd; lia.
Qed.

Lemma canonical_last : forall r t x, Follows r t ->
  Canonical r (N.to_nat (start t)) (length (values t)) -> r < N.to_nat (start t) ->
  Offset r (N.to_nat (start t) - 1) x -> x <> N.to_nat (List.last (values t) 0%N).
Proof.
  intros r t x hf hcan hr ho hx. pose proof (follows_values r t hf) as hv.
  pose proof (length_positive _ hv) as hpos. destruct hcan as (hp & least).
  set (n := length (values t)) in *. set (s := N.to_nat (start t)) in *.
  assert (hp' : Byrnes.Periodic r (s - 1) n).
  { split; [exact hpos |]. intros q hq. destruct (Nat.eq_dec q (s - 1)) as [-> | hne].
    - exists (s - 1 + x). split; [exact ho |].
      replace (s - 1 + x + n) with (s - 1 + n + x) by lia.
      apply (follows_value r t); [exact hf | lia |].
      rewrite hx, value_at_nth, last_nth, nth_numbers by exact hv. fold n s.
      replace (s - 1 + n - s) with (n - 1) by lia. now rewrite Nat.mod_small by lia.
    - destruct hp as (_ & hp). apply hp. lia. }
  destruct (least _ _ hp') as (h & _). lia.
Qed.

Lemma tabulated_row : forall r t q n, Follows r t ->
  (forall x, Offset r (N.to_nat q + x) 0 -> False) -> N.to_nat (start t) <= N.to_nat q ->
  Offsets r (N.to_nat q) (tabulate (value t) q n).
Proof.
  intros r t q n hf hpos hs i b hi. apply tabulate_nth in hi as (_ & ->).
  replace (q + N.of_nat i)%N with (N.of_nat (N.to_nat q + i)) by lia.
  assert (ho : Offset r (N.to_nat q + i) (value_at t (N.to_nat q + i))).
  { apply (follows_offset r t hf). lia. }
  split; [exact ho |]. fold (value_at t (N.to_nat q + i)).
  destruct (value_at t (N.to_nat q + i)); [exfalso; now apply (hpos i) | lia].
Qed.

Lemma offsets_app_intro : forall r q l l',
  Offsets r q l -> Offsets r (q + length l) l' -> Offsets r q (l ++ l').
Proof.
  intros r q l l' h h' i b hi. destruct (le_lt_dec (length l) i) as [hl | hl].
  - rewrite nth_error_app2 in hi by exact hl. apply h' in hi.
    now replace (q + i) with (q + length l + (i - length l)) by lia.
  - rewrite nth_error_app1 in hi by exact hl. now apply h.
Qed.

Theorem step_periodic_complete : forall r b row first s vs proof head, KnownWell r b ->
  TrueRecord r (PeriodicRow row first s vs proof head) ->
  exists b', step_periodic b row first s vs proof head = Some b'.
Proof.
  intros r b row first s vs proof head hkw ((-> & hfirst & hcan & hrow) & hs & hcert).
  pose proof (known r b hkw) as hk. destruct hcert as [c1 c2 c3 c4 c5 c6 c7].
  set (t := Tail s vs). assert (hvs : vs <> []) by exact (canonical_not_empty r _ vs hcan).
  assert (hf : Follows r t) by (apply (follows_of_row r s vs head); assumption).
  assert (hpositive : forall q x, Offset r q x -> 0 < x).
  { intros q x. apply (periodic_offsets_positive r (N.to_nat s) (length vs)). apply hcan. }
  assert (hzero : forall q, Offset r q 0 -> False) by (intros q h; apply hpositive in h; lia).
  pose proof (row_head_offsets r head vs hrow) as hhead.
  assert (hoffsets : Offsets r r head).
  { intros i x hi. apply hhead in hi. eauto. }
  assert (hset : N.to_nat (settled b) <= N.to_nat (from proof)) by now apply (well_settled r b hkw).
  assert (hstart : Offsets r (N.to_nat s) (tabulate (value t) s (from proof - s))).
  { apply tabulated_row; [exact hf | intros x; apply hzero | apply le_n]. }
  assert (hrecurs : Offsets r (N.to_nat (from proof))
    (tabulate (value t) (from proof) (recurs proof - from proof))).
  { apply tabulated_row; [exact hf | intros x; apply hzero | simpl; lia]. }
  (* The structure. *)
  assert (hbound : (List.last (above proof) (filled proof) <=? N.succ (N.of_nat r))%N = true).
  { apply N.leb_le. destruct (above proof) as [| x l] eqn:ea.
    - simpl. destruct (N.to_nat (filled proof)) as [| n] eqn:ef; [lia |].
      assert (h : State r (N.to_nat (from proof)) n) by (apply c3; lia).
      apply state_bound in h; lia.
    - set (y := List.last (x :: l) (filled proof)).
      assert (hin : In y (x :: l)).
      { rewrite (app_removelast_last (filled proof)) by discriminate. apply in_or_app. right.
        now left. }
      assert (h : State r (N.to_nat (from proof)) (N.to_nat y)).
      { apply c3. right. now apply in_map. }
      apply state_bound in h; lia. }
  assert (hright : structure_is_right b (N.of_nat r) first s vs proof head = true).
  { unfold structure_is_right. rewrite !andb_true_iff, (known_height r b hk), !count_length.
    repeat split; try (apply N.eqb_eq; lia); try (apply N.leb_le; lia); try assumption.
    - destruct (head ++ vs) as [| x l] eqn:e.
      + apply app_eq_nil in e as (_ & e). easy.
      + apply (first_is_complete r); try assumption. rewrite <- e.
        apply any_offsets_app; [exact hhead |].
        intros i y hi. replace (r + length head + i) with (N.to_nat s + i) by lia.
        apply (follows_value r t); [exact hf | simpl; lia |].
        rewrite value_at_nth by exact hvs. simpl.
        replace (N.to_nat s + i - N.to_nat s) with i by lia.
        assert (hi' : i < length vs) by (apply nth_error_Some; congruence).
        rewrite Nat.mod_small by exact hi'. rewrite <- nth_numbers. f_equal.
        symmetry. now apply nth_error_nth.
    - now apply (canonical_no_shorter_period r t).
    - now destruct vs.
    - destruct head as [| x l]; [reflexivity |].
      assert (hx : x :: l <> []) by discriminate.
      apply negb_true_iff, N.eqb_neq. intros heq.
      pose proof (hhead _ _ (last_of_head _ hx)) as ho. rewrite heq in ho.
      replace (r + (length (x :: l) - 1)) with (N.to_nat s - 1) in ho by (simpl in *; lia).
      apply (canonical_last r t _ hf hcan) in ho; [now apply ho | simpl in *; lia].
    - apply N.ltb_lt. lia.
    - now apply ascends_sorted. }
  unfold step_periodic. rewrite hright. fold t.
  (* To [from]. *)
  destruct (columns_to_sound r b (recurs proof) hk) as (hc & hfar & hmore).
  destruct (walk_complete (head ++ tabulate (value t) s (from proof - s)) r r (diagonal b)
    (columns_to b (recurs proof))) as (passed & u & rest & hw);
    try assumption; try apply not_ended_at_first; try apply hk; [lia | | |].
  { apply offsets_app_intro; [exact hoffsets |]. now rewrite <- hs. }
  { rewrite app_length, tabulate_length. lia. }
  rewrite hw. apply (walk_sound _ r r) in hw as [w1 w2 w3 w4 w5 w6 w7];
    try assumption; try apply not_ended_at_first; try apply hk; [| lia].
  rewrite app_length, tabulate_length in *.
  replace (r + (length head + N.to_nat (from proof - s))) with (N.to_nat (from proof)) in * by lia.
  assert (hu : u = state_of proof).
  { apply (mask_unique _ _ _ w3). eapply mask_ext; [| exact (state_of_mask proof)].
    intros x. symmetry. apply c3. }
  rewrite hu, N.eqb_refl. rewrite hu in w3.
  (* To [recurs]. *)
  destruct (walk_complete (tabulate (value t) (from proof) (recurs proof - from proof)) r
    (N.to_nat (from proof)) (state_of proof) rest) as (passed' & u' & rest' & hw');
    try assumption; [lia | |].
  { rewrite tabulate_length. lia. }
  rewrite hw'. apply (walk_sound _ r (N.to_nat (from proof))) in hw' as [v1 v2 v3 v4 v5 v6 v7];
    try assumption; [| lia].
  rewrite tabulate_length in *.
  replace (N.to_nat (from proof) + N.to_nat (recurs proof - from proof))
    with (N.to_nat (recurs proof)) in * by lia.
  assert (hu' : u' = state_of proof).
  { apply (mask_unique _ _ _ v3). apply (mask_ext _ _ _ c5 w3). }
  rewrite hu', N.eqb_refl. simpl.
  set (offsets := tabulate (value t) (from proof) (recurs proof - from proof)) in *.
  (* The modulus. *)
  assert (hm : modulus proof =
    modulus_within (lowest (state_of proof) offsets) (highest offsets) (tails b)).
  { destruct c6 as (h & w & hwindow & hmodulus).
    assert (hwalk : Window r (N.to_nat (from proof)) (N.to_nat (recurs proof))
      (N.to_nat (lowest (state_of proof) offsets)) (N.to_nat (highest offsets))).
    { apply walk_window; try assumption; [lia |]. unfold offsets. rewrite tabulate_length. lia. }
    destruct (window_unique _ _ _ _ _ _ _ hwindow hwalk) as (-> & ->).
    apply N2Nat.inj, (modulus_unique _ _ _ _ _ _ hmodulus). now apply modulus_is. }
  rewrite <- hm, N.eqb_refl. eauto.
Qed.

(** ** All rows *)

Theorem step_iff : forall r b x, KnownWell r b ->
  (TrueRecord r x <-> exists b', step b x = Some b').
Proof.
  intros r b x hk. split.
  - intros h. destruct x as [row first last head | row first s vs proof head].
    + destruct h as (h & _). exact (step_finite_complete r b row first last head (known r b hk) h).
    + now apply (step_periodic_complete r).
  - intros (b' & h). destruct (step_sound r b x b' (known r b hk) h) as (_ & hx).
    split; [exact hx |]. destruct x as [row first last head | row first s vs proof head].
    + exact I.
    + exact (step_certificate r b row first s vs proof head b' hk h).
Qed.

Lemma check_from_iff : forall records r b, KnownWell r b ->
  (check_from b records = true <->
   forall i x, nth_error records i = Some x -> TrueRecord (r + i) x).
Proof.
  induction records as [| y records IH]; intros r b hk; simpl.
  - split; [intros _ i x hi; now destruct i | reflexivity].
  - split.
    + destruct (step b y) as [b' |] eqn:e; [| discriminate]. intros h [| i] x hi; simpl in hi.
      * injection hi as <-. rewrite Nat.add_0_r. apply (step_iff r b y hk). eauto.
      * rewrite Nat.add_succ_r. apply (IH (S r) b'); try assumption. now apply (step_well r b y).
    + intros h. assert (hy : TrueRecord r y).
      { specialize (h 0 y eq_refl). now rewrite Nat.add_0_r in h. }
      apply (step_iff r b y hk) in hy as (b' & e). rewrite e.
      apply (IH (S r) b'); [now apply (step_well r b y) |].
      intros i x hi. specialize (h (S i) x hi). now rewrite Nat.add_succ_r in h.
Qed.

(** The checker accepts the records of rows 0, 1, 2, ... if and only if all of them are true. *)
Theorem check_iff : forall records,
  check records = true <-> forall r x, nth_error records r = Some x -> TrueRecord r x.
Proof. intros records. exact (check_from_iff records 0 _ nothing_below_well). Qed.

(** Completeness: true records are accepted. *)
Corollary completeness : forall records,
  (forall r x, nth_error records r = Some x -> TrueRecord r x) -> check records = true.
Proof. intros records. apply check_iff. Qed.
