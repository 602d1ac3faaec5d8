(** * The checker accepts the right records, and no others

[check_right]: [check] accepts a list if and only if every record of it is right. Right is what
[docs/FORMAT.md] says of records: what it states of the row is true, in the one form that a record
has, and its certificate is one, with the first column that makes it one as [recurs] (fact 7). So
[completeness] says that the records which the engines write for a row are accepted, and
[check_right] is fact 9 for this checker. *)

From Chomp Require Import Rules Recurrence Byrnes Certificate Masks Checker Soundness.
From Coq Require Import BinNums Arith NArith List Bool Lia.
Import ListNotations.

(** ** Right records *)

(** Each row below r has ended before column q, or repeats from a column on that is not after q. *)
Definition Settled (r q : nat) : Prop := forall c, c < r ->
  (exists last, Byrnes.Finite c last /\ last < q) \/ (exists s k, Canonical c s k /\ s <= q).

(** h is the least mex U(q), and w the largest offset, of the columns from q1 to q2 - 1. *)
Definition Window (r q1 q2 h w : nat) : Prop :=
  (forall q x, q1 <= q < q2 -> x < h -> State r q x) /\
  (exists q, q1 <= q < q2 /\ ~ State r q h) /\
  (forall q x, q1 <= q < q2 -> Offset r q x -> x <= w) /\
  (exists q, q1 <= q < q2 /\ Offset r q w).

(** The periods of the rows below r with a value in [[h,w]] divide m. *)
Definition PeriodsDivide (r h w m : nat) : Prop := forall c s k, c < r ->
  Canonical c s k -> ValueIn c s h w -> Nat.divide k m.

(** m is their least common multiple. *)
Definition Modulus (r h w m : nat) : Prop :=
  PeriodsDivide r h w m /\ forall m', PeriodsDivide r h w m' -> Nat.divide m m'.

(** The certificate of row r, which has period k: the hypotheses of fact 3 hold, and [recurs] is the
first column for which they do. *)
Record RightCertificate (r k : nat) (c : certificate) : Prop := {
  right_settled : Settled r (N.to_nat (from c));
  right_columns : N.to_nat (from c) < N.to_nat (recurs c);
  right_state : Mask (state_of c) (State r (N.to_nat (from c)));
  right_form : ascends (filled c) (above c) = true;
  right_recurs : forall x,
    State r (N.to_nat (from c)) x <-> State r (N.to_nat (recurs c)) x;
  right_modulus : exists h w, Window r (N.to_nat (from c)) (N.to_nat (recurs c)) h w /\
    Modulus r h w (N.to_nat (modulus c));
  right_first : (recurs c - from c = N.lcm (N.of_nat k) (modulus c))%N
}.

Definition RightRecord (r : nat) (x : record) : Prop :=
  TrueRow r x /\
  match x with
  | FiniteRow _ _ _ _ => True
  | PeriodicRow _ _ start values proof head =>
      N.to_nat start = r + length head /\ N.to_nat start <= N.to_nat (from proof) /\
      RightCertificate r (length values) proof
  end.

(** ** What is known of the rows below, exactly *)

Record Exactly (r : nat) (b : below) : Prop := {
  exactly_settled : N.to_nat (settled b) = 0 \/ exists c, c < r /\
    ((exists last, Byrnes.Finite c last /\ N.to_nat (settled b) = S last) \/
     (exists k, Canonical c (N.to_nat (settled b)) k));
  exactly_tails : forall t, In t (tails b) -> exists c, c < r /\ Follows c t /\
    Canonical c (N.to_nat (start t)) (length (values t))
}.

Lemma exactly_nothing : Exactly 0 none_below.
Proof. constructor; [now left | easy]. Qed.

Lemma settled_exactly : forall r b q, Exactly r b -> Settled r q -> N.to_nat (settled b) <= q.
Proof.
  intros r b q [[h | (c & hc & h)] _] hs; [lia |].
  destruct (hs c hc) as [(l & hl & hq) | (s & k & hk & hq)].
  - destruct h as [(l' & hl' & ->) | (k' & hk')].
    + rewrite (finite_unique c l' l hl' hl). lia.
    + destruct (finite_not_periodic c l _ _ hl (proj1 hk')).
  - destruct h as [(l' & hl' & _) | (k' & hk')].
    + destruct (finite_not_periodic c l' _ _ hl' (proj1 hk)).
    + destruct (canonical_unique _ _ _ _ _ hk' hk) as [-> _]. exact hq.
Qed.

Lemma exactly_more : forall r b first new settles more,
  Exactly r b ->
  (more = [] /\ (exists last, Byrnes.Finite r last /\ N.to_nat settles = S last) \/
   exists t, more = [t] /\ settles = start t /\ Follows r t /\
     Canonical r (N.to_nat (start t)) (length (values t))) ->
  Exactly (S r) (with_row b first new settles more).
Proof.
  intros r b first new settles more [hs ht] hmore. constructor; simpl.
  - destruct (N.max_spec (settled b) settles) as [[_ ->] | [_ ->]].
    + right. exists r. split; [lia |]. destruct hmore as [(_ & h) | (t & _ & -> & _ & h)].
      * now left.
      * right. now exists (length (values t)).
    + destruct hs as [h | (c & hc & h)]; [now left | right].
      exists c. split; [lia | exact h].
  - intros t hin. apply in_app_or in hin as [hin | hin].
    + destruct hmore as [(-> & _) | (t' & -> & _ & hf & hcan)]; [easy |].
      destruct hin as [<- | []]. exists r. split; [lia |]. now split.
    + destruct (ht t hin) as (c & hc & h). exists c. split; [lia | exact h].
Qed.

(** ** Walks succeed *)

Lemma walk_complete : forall offsets r q u columns,
  r <= q -> ~ Ended r q -> Mask u (State r q) -> Columns r q columns ->
  Offsets r q offsets -> length offsets <= length columns ->
  exists passed u' rest, walk u offsets columns = Some (passed, u', rest).
Proof.
  induction offsets as [| b offsets IH]; intros r q u columns hq he hu hc ho hl.
  - now exists [], u, columns.
  - destruct columns as [| c columns]; [simpl in hl; lia |]. simpl in hl.
    apply columns_cons in hc as (hc1 & hc2). apply offsets_cons in ho as (ho1 & ho2 & ho3).
    assert (e : b = mex (N.lor u c)).
    { apply N2Nat.inj. now apply (offset_unique r q); [| apply mask_offset]. }
    destruct (IH r (S q) (next_state u b) columns) as (passed & u' & rest & hw);
      try assumption; try lia.
    + now apply (not_ended_step _ _ (N.to_nat b)).
    + now apply state_mask_step.
    + exists (N.setbit c b :: passed), u', rest. simpl. rewrite <- e, N.eqb_refl.
      destruct (N.eqb_spec b 0); [lia |]. simpl. now rewrite hw.
Qed.

(** Of a list of offsets, those are not 0 before which the row does not end. *)
Lemma positive_offsets : forall r q offsets, ~ Ended r (q + length offsets) ->
  AnyOffsets r q offsets -> Offsets r q offsets.
Proof.
  intros r q offsets he h i b hi. pose proof (h i b hi) as ho. split; [exact ho |].
  destruct (N.to_nat b) eqn:e; [| lia]. destruct he.
  apply (offset_0_ends r (q + i)); [exact ho |].
  assert (i < length offsets) by (apply nth_error_Some; congruence). lia.
Qed.

(** The head of a row's table is its first offsets. *)
Lemma head_offsets : forall r head vs, RowIs r head vs -> AnyOffsets r r head.
Proof.
  intros r head vs h i b hi.
  assert (hl : i < length head) by (apply nth_error_Some; congruence).
  unfold Offset. apply F_P, h. split; [lia |]. exists (N.to_nat b). split; [| reflexivity].
  unfold stated. replace (r + i - r) with i by lia. rewrite numbers_length.
  rewrite (proj2 (Nat.ltb_lt _ _) hl). apply nth_error_numbers. now exists b.
Qed.

Lemma first_is_complete : forall r b first offsets, Known r b -> offsets <> [] ->
  F r r (N.to_nat first) -> AnyOffsets r r offsets -> first_is b first offsets = true.
Proof.
  intros r b first [| x offsets] hk hne hf ho; [easy |]. simpl.
  specialize (ho 0 x eq_refl). rewrite Nat.add_0_r in ho.
  apply N.eqb_eq. rewrite (known_height r b hk). unfold Offset in ho.
  pose proof (F_unique _ _ _ _ hf ho). lia.
Qed.

(** ** A finite row *)

Lemma finite_head : forall r last head, Byrnes.Finite r last -> RowIs r head [] ->
  r + length head = S last.
Proof.
  intros r last head hf h. assert (r <= last) by apply hf.
  assert (none : forall i, length head <= i -> stated (numbers head) (numbers []) i = None).
  { intros i hi. unfold stated. rewrite numbers_length.
    rewrite (proj2 (Nat.ltb_ge _ _) hi). simpl. now destruct (i - length head). }
  destruct (le_lt_dec (length head) (last - r)) as [hl | hl].
  - apply F_P, h in hf as hP. destruct hP as (_ & x & hx & _). rewrite none in hx by lia.
    discriminate.
  - destruct (Nat.eq_dec (r + length head) (S last)) as [| hne]; [assumption |].
    destruct (nth_error head (S last - r)) as [b |] eqn:e.
    + apply (head_offsets r head [] h) in e. replace (r + (S last - r)) with (S last) in e by lia.
      unfold Offset in e. destruct (ended_stays r last (S last) _ hf ltac:(lia) e).
    + apply nth_error_None in e. lia.
Qed.

Lemma step_finite_complete : forall r b row first last head, Known r b -> Exactly r b ->
  RightRecord r (FiniteRow row first last head) ->
  exists b', step_finite b row first last head = Some b' /\ Exactly (S r) b'.
Proof.
  intros r b row first last head hk hx ((hrow & hf & hfin & his) & _).
  pose proof (finite_head r _ head hfin his) as hlen.
  pose proof (head_offsets r head [] his) as ho.
  assert (hr : r <= N.to_nat last) by apply hfin.
  assert (hne : head <> []) by (intros ->; simpl in hlen; lia).
  assert (hsplit : head = removelast head ++ [List.last head 1%N])
    by now apply app_removelast_last.
  assert (hl : r + length (removelast head) = N.to_nat last).
  { rewrite hsplit, app_length in hlen. simpl in hlen. lia. }
  assert (hend : Offset r (N.to_nat last) 0).
  { unfold Offset. rewrite Nat.add_0_r. exact hfin. }
  assert (hzero : List.last head 1%N = 0%N).
  { assert (hn : nth_error head (length (removelast head)) = Some (List.last head 1%N)).
    { rewrite hsplit at 1. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. }
    apply ho in hn. rewrite hl in hn. pose proof (offset_unique _ _ _ _ hn hend). lia. }
  assert (hbefore : ~ Ended r (N.to_nat last)).
  { intros (x & hlt & h). now apply (ended_stays r x _ _ h hlt) in hfin. }
  unfold step_finite. rewrite (known_height r b hk), hrow, N.eqb_refl.
  rewrite (first_is_complete r b first head hk hne hf ho), hzero, count_length.
  replace (N.succ last =? N.of_nat r + N.of_nat (length head))%N with true
    by (symmetry; apply N.eqb_eq; lia).
  cbn [andb N.eqb]. destruct (columns_to_sound r b (N.succ last) hk) as (hc & hfar & _).
  assert (hro : Offsets r r (removelast head)).
  { apply positive_offsets; [now rewrite hl |]. intros i x hi. apply ho.
    rewrite hsplit, nth_error_app1; [exact hi |]. apply nth_error_Some. congruence. }
  destruct (walk_complete (removelast head) r r (diagonal b) (columns_to b (N.succ last)))
    as (passed & u & rest & hw); try assumption; try apply not_ended_at_first; try apply hk;
    try lia.
  rewrite hw. apply (walk_sound _ r r) in hw as [w1 w2 w3 w4 w5 w6 w7];
    try assumption; try apply not_ended_at_first; try apply hk; try lia.
  destruct rest as [| c rest]; [simpl in w7; lia |]. apply columns_cons in w6 as (w6 & _).
  rewrite hl in w3, w6.
  assert (hm : mex (N.lor u c) = 0%N).
  { apply N2Nat.inj. apply (offset_unique r (N.to_nat last)); [| exact hend].
    now apply mask_offset. }
  rewrite hm, N.eqb_refl. eexists. split; [reflexivity |]. apply exactly_more; [exact hx |].
  left. split; [reflexivity |]. exists (N.to_nat last). split; [exact hfin | lia].
Qed.

(** ** A periodic row *)

Lemma row_follows : forall r s vs head, 0 < length vs -> N.to_nat s = r + length head ->
  RowIs r head vs -> Follows r (Tail s vs).
Proof.
  intros r s vs head hv hs his.
  assert (hne : vs <> []) by (intros ->; simpl in hv; lia).
  constructor; simpl; [exact hne | lia |]. intros q hq. rewrite value_at_nth by exact hne. simpl.
  apply F_P, his. split; [lia |]. eexists. split; [| reflexivity].
  unfold stated. rewrite !numbers_length, (proj2 (Nat.ltb_ge _ _)) by lia.
  replace (q - r - length head) with (q - N.to_nat s) by lia.
  apply nth_error_nth'. rewrite numbers_length. apply Nat.mod_upper_bound. lia.
Qed.

Lemma no_shorter_period_complete : forall r t, Follows r t ->
  Canonical r (N.to_nat (start t)) (length (values t)) -> no_shorter_period (values t) = true.
Proof.
  intros r t hf (hp & least). apply no_shorter_period_iff. intros i hi hrot.
  pose proof (follows_values r t hf) as hv. set (n := length (values t)) in *.
  pose proof (proj1 (rotation_equal (values t) i hi) hrot) as same. fold n in same.
  destruct (least (N.to_nat (start t)) i) as (_ & hd).
  - split; [lia |]. intros q hq. exists (q + value_at t q).
    split; [exact (follows_offset r t hf q hq) |].
    pose proof (follows_offset r t hf (q + i)) as h. unfold Offset in h.
    replace (q + value_at t q + i) with (q + i + value_at t (q + i)); [apply h; lia |].
    rewrite !value_at_nth, <- !nth_numbers by exact hv. fold n.
    set (j := (q - N.to_nat (start t)) mod n).
    assert (hj : j < n) by (apply Nat.mod_upper_bound; lia).
    rewrite <- (same j hj).
    replace ((q + i - N.to_nat (start t)) mod n) with ((i + j) mod n); [lia |].
    unfold j. rewrite Nat.add_mod_idemp_r by lia. f_equal. lia.
  - apply Nat.divide_pos_le in hd; lia.
Qed.

Lemma last_differs : forall r t head, Follows r t -> AnyOffsets r r head ->
  N.to_nat (start t) = r + length head ->
  Canonical r (N.to_nat (start t)) (length (values t)) -> head <> [] ->
  List.last head 0%N <> List.last (values t) 0%N.
Proof.
  intros r t head hf ho hs (hp & least) hne e.
  pose proof (follows_values r t hf) as hv. pose proof (length_positive _ hv) as hn.
  pose proof (length_positive _ hne) as hh. set (n := length (values t)) in *.
  set (s := N.to_nat (start t)) in *.
  assert (hlast : Offset r (s - 1) (N.to_nat (List.last head 0%N))).
  { pose proof (ho _ _ (last_of_head head hne)) as h.
    now replace (r + (length head - 1)) with (s - 1) in h by lia. }
  assert (hvalue : Offset r (s - 1 + n) (N.to_nat (List.last head 0%N))).
  { rewrite e, last_nth, nth_numbers. fold n.
    pose proof (follows_offset r t hf (s - 1 + n)) as h. rewrite value_at_nth in h by exact hv.
    fold n s in h. replace (s - 1 + n - s) with (n - 1) in h by lia.
    rewrite Nat.mod_small in h by lia. apply h. lia. }
  destruct (least (s - 1) n) as (h & _); [| lia]. split; [exact hn |]. intros q hq.
  destruct (Nat.eq_dec q (s - 1)) as [-> | hq'].
  - exists (s - 1 + N.to_nat (List.last head 0%N)). split; [exact hlast |].
    replace (s - 1 + N.to_nat (List.last head 0%N) + n)
      with (s - 1 + n + N.to_nat (List.last head 0%N)) by lia. exact hvalue.
  - destruct hp as (_ & hp). apply hp. lia.
Qed.

(** The window of a walk is the window. *)
Lemma lowest_exact : forall offsets r q u, r <= q -> Mask u (State r q) -> Offsets r q offsets ->
  (forall i x, i <= length offsets -> x < N.to_nat (lowest u offsets) -> State r (q + i) x) /\
  exists i, i <= length offsets /\ ~ State r (q + i) (N.to_nat (lowest u offsets)).
Proof.
  induction offsets as [| b offsets IH]; intros r q u hq hu ho.
  - destruct (mex_is_mex u _ hu) as (h1 & h2). simpl. split.
    + intros i x hi hx. replace (q + i) with q by lia. now apply h2.
    + exists 0. rewrite Nat.add_0_r. now split.
  - apply offsets_cons in ho as (ho1 & ho2 & ho3).
    destruct (mex_is_mex u _ hu) as (h1 & h2).
    destruct (IH r (S q) (next_state u b)) as (below & j & hj & free); try assumption; try lia.
    { now apply state_mask_step. }
    cbn [lowest length]. split.
    + intros [| i] x hi hx.
      * rewrite Nat.add_0_r. apply h2. lia.
      * rewrite Nat.add_succ_r. apply (below i); lia.
    + destruct (N.min_spec (mex u) (lowest (next_state u b) offsets)) as [[_ ->] | [_ ->]].
      * exists 0. rewrite Nat.add_0_r. split; [lia | exact h1].
      * exists (S j). rewrite Nat.add_succ_r. split; [lia | exact free].
Qed.

Lemma highest_exact : forall offsets r q, Offsets r q offsets -> offsets <> [] ->
  (forall i x, i < length offsets -> Offset r (q + i) x -> x <= N.to_nat (highest offsets)) /\
  exists i, i < length offsets /\ Offset r (q + i) (N.to_nat (highest offsets)).
Proof.
  intros offsets r q ho hne. split.
  - intros i x hi hx. destruct (nth_error offsets i) as [b |] eqn:e.
    + destruct (ho i b e) as (hb & _). rewrite (offset_unique _ _ _ _ hx hb).
      apply nth_error_In in e. clear - e. induction offsets as [| c offsets IH]; [easy |].
      unfold highest in *. simpl. destruct e as [-> | e]; [lia |]. specialize (IH e). lia.
    + apply nth_error_None in e. lia.
  - assert (hin : In (highest offsets) offsets).
    { clear ho. induction offsets as [| b offsets IH]; [easy |]. unfold highest in *. simpl.
      destruct (N.max_spec b (fold_right N.max 0%N offsets)) as [[hlt ->] | [_ ->]]; [| now left].
      right. apply IH. intros ->. simpl in hlt. lia. }
    apply In_nth_error in hin as (i & hi). exists i. split.
    + apply nth_error_Some. congruence.
    + now apply ho.
Qed.

Lemma window_unique : forall r q1 q2 h w h' w',
  Window r q1 q2 h w -> Window r q1 q2 h' w' -> h = h' /\ w = w'.
Proof.
  intros r q1 q2 h w h' w' (a1 & (x & hx & a2) & a3 & (y & hy & a4))
    (b1 & (x' & hx' & b2) & b3 & (y' & hy' & b4)). split.
  - destruct (lt_eq_lt_dec h h') as [[hlt | e] | hlt]; [| exact e |].
    + destruct (a2 (b1 x h hx hlt)).
    + destruct (b2 (a1 x' h' hx' hlt)).
  - pose proof (a3 y' w' hy' b4). pose proof (b3 y w hy a4). lia.
Qed.

Lemma window_of_walk : forall r q1 q2 u offsets, r <= q1 -> q1 < q2 ->
  length offsets = q2 - q1 -> Mask u (State r q1) -> Offsets r q1 offsets ->
  (forall x, State r q1 x <-> State r q2 x) ->
  Window r q1 q2 (N.to_nat (lowest u offsets)) (N.to_nat (highest offsets)).
Proof.
  intros r q1 q2 u offsets hr hq hl hu ho hs.
  assert (hne : offsets <> []) by (intros ->; simpl in hl; lia).
  destruct (lowest_exact offsets r q1 u hr hu ho) as (below & i & hi & free).
  destruct (highest_exact offsets r q1 ho hne) as (most & j & hj & top).
  split; [| split; [| split]].
  - intros q x hqx hx. replace q with (q1 + (q - q1)) by lia. apply below; lia.
  - destruct (Nat.eq_dec i (q2 - q1)) as [-> | hne'].
    + exists q1. split; [lia |]. rewrite hs. now replace (q1 + (q2 - q1)) with q2 in free by lia.
    + exists (q1 + i). split; [lia | exact free].
  - intros q x hqx hx. apply (most (q - q1)); [lia |].
    now replace (q1 + (q - q1)) with q by lia.
  - exists (q1 + j). split; [lia | exact top].
Qed.

(** Two rows do not have the same values. *)
Lemma follows_one : forall c d t, Follows c t -> Follows d t -> c = d.
Proof.
  assert (less : forall c d t, Follows c t -> Follows d t -> ~ c < d).
  { intros c d t hc hd hlt. pose proof (follows_offset c t hc _ (le_n _)) as h.
    pose proof (follows_offset d t hd _ (le_n _)) as h'. revert h'. unfold Offset.
    apply blocked_not_F. right. right. right. exists c. split; [exact hlt | exact h]. }
  intros c d t hc hd. pose proof (less c d t hc hd). pose proof (less d c t hd hc). lia.
Qed.

(** The modulus of the checker is the modulus. *)
Lemma modulus_within_divides : forall h w ts m,
  (forall t, In t ts ->
    existsb (fun v => (h <=? v) && (v <=? w))%N (values t) = true ->
    N.divide (count (values t)) m) ->
  N.divide (modulus_within h w ts) m.
Proof.
  intros h w ts m. induction ts as [| t ts IH]; intros hm; simpl.
  - apply N.divide_1_l.
  - assert (hrest : N.divide (modulus_within h w ts) m).
    { apply IH. intros t' ht'. apply hm. now right. }
    destruct (existsb _ (values t)) eqn:e; [| exact hrest].
    apply N.lcm_least; [| exact hrest]. apply hm; [now left | exact e].
Qed.

Lemma divide_of_nat : forall a b, Nat.divide (N.to_nat a) (N.to_nat b) -> N.divide a b.
Proof. intros a b (k & e). exists (N.of_nat k). lia. Qed.

Lemma value_in : forall c t h w, Follows c t ->
  (existsb (fun v => (h <=? v) && (v <=? w))%N (values t) = true <->
   ValueIn c (N.to_nat (start t)) (N.to_nat h) (N.to_nat w)).
Proof.
  intros c t h w hf. pose proof (follows_values c t hf) as hv. split.
  - intros e. apply existsb_exists in e as (v & hin & hb). apply andb_prop in hb as (h1 & h2).
    apply N.leb_le in h1, h2. apply In_nth_error in hin as (i & hi).
    assert (hl : i < length (values t)) by (apply nth_error_Some; congruence).
    exists (N.to_nat (start t) + i), (N.to_nat v). split; [lia |]. split; [lia |].
    apply (follows_value c t); [exact hf | lia |]. rewrite value_at_nth by exact hv.
    replace (N.to_nat (start t) + i - N.to_nat (start t)) with i by lia.
    rewrite Nat.mod_small, <- nth_numbers by exact hl.
    now rewrite (nth_error_nth _ _ 0%N hi).
  - intros (q & x & hq & hx & ho). apply (follows_value c t) in ho; [| exact hf | exact hq].
    subst x. apply existsb_exists. exists (value t (N.of_nat q)).
    split; [now apply value_at_in |]. unfold value_at in hx.
    apply andb_true_intro. split; apply N.leb_le; lia.
Qed.

Lemma modulus_exact : forall r b h w, Known r b -> Exactly r b ->
  Modulus r (N.to_nat h) (N.to_nat w) (N.to_nat (modulus_within h w (tails b))).
Proof.
  intros r b h w hk hx. split.
  - intros c s k hc hcan hin. destruct (known_rows r b hk c hc) as [(l & _ & hl) | (t & ht & hf)].
    + destruct (finite_not_periodic c l s k hl (proj1 hcan)).
    + destruct (exactly_tails r b hx t ht) as (d & hd & hfd & hcand).
      rewrite (follows_one d c t hfd hf) in *.
      destruct (canonical_unique c _ _ _ _ hcan hcand) as [-> ->].
      rewrite <- (Nat2N.id (length (values t))), <- count_length. apply divide_to_nat.
      apply modulus_divides; [exact ht |]. now apply (value_in c).
  - intros m hm. rewrite <- (Nat2N.id m). apply divide_to_nat, modulus_within_divides.
    intros t ht e. destruct (exactly_tails r b hx t ht) as (c & hc & hf & hcan).
    apply (value_in c) in e; [| exact hf]. apply divide_of_nat.
    rewrite count_length, !Nat2N.id. exact (hm c _ _ hc hcan e).
Qed.

Lemma modulus_unique : forall r h w m m', Modulus r h w m -> Modulus r h w m' -> m = m'.
Proof.
  intros r h w m m' (h1 & h2) (h1' & h2'). apply Nat.divide_antisym; [now apply h2 | now apply h2'].
Qed.

Lemma tabulate_offsets : forall r t q n, Follows r t -> (start t <= q)%N ->
  AnyOffsets r (N.to_nat q) (tabulate (value t) q n).
Proof.
  intros r t q n hf hq i x hi. apply tabulate_nth in hi as (_ & ->).
  replace (q + N.of_nat i)%N with (N.of_nat (N.to_nat q + i)) by lia.
  apply (follows_offset r t hf). lia.
Qed.

Lemma step_periodic_complete : forall r b row first s vs proof head, Known r b -> Exactly r b ->
  RightRecord r (PeriodicRow row first s vs proof head) ->
  exists b', step_periodic b row first s vs proof head = Some b' /\ Exactly (S r) b'.
Proof.
  intros r b row first s vs proof head hk hx ((hrow & hfirst & hcan & his) & hs & hfrom & hright).
  destruct hright as [c1 c2 c3 c4 c5 (h & w & c6 & c7) c8].
  pose proof (settled_exactly r b _ hx c1) as hset.
  assert (hpos : 0 < length vs) by apply hcan.
  assert (hvs : vs <> []) by (intros ->; simpl in hpos; lia).
  set (t := Tail s vs). pose proof (row_follows r s vs head hpos hs his) as hf. fold t in hf.
  pose proof (head_offsets r head vs his) as ho.
  assert (he : forall q, ~ Ended r q).
  { intros q. exact (periodic_never_ends r _ _ q (proj1 hcan)). }
  assert (hall : AnyOffsets r r (head ++ vs)).
  { apply any_offsets_app; [exact ho |]. intros i x hi. rewrite <- hs.
    assert (hl : i < length vs) by (apply nth_error_Some; congruence).
    apply (follows_value r t); [exact hf | simpl; lia |]. rewrite value_at_nth by exact hvs.
    simpl. replace (N.to_nat s + i - N.to_nat s) with i by lia.
    rewrite Nat.mod_small, <- nth_numbers by exact hl. now rewrite (nth_error_nth _ _ 0%N hi). }
  assert (hstructure : structure_is_right b row first s vs proof head = true).
  { unfold structure_is_right. rewrite !andb_true_iff, (known_height r b hk), hrow, !count_length.
    repeat split.
    - apply N.eqb_refl.
    - apply (first_is_complete r b first); try assumption.
      destruct head; [exact hvs | discriminate].
    - apply N.eqb_eq. lia.
    - exact (no_shorter_period_complete r t hf hcan).
    - now destruct vs.
    - destruct head as [| x head]; [reflexivity |]. apply negb_true_iff, N.eqb_neq.
      apply (last_differs r t (x :: head)); try assumption. discriminate.
    - apply N.leb_le. lia.
    - apply N.leb_le. lia.
    - apply N.ltb_lt. lia.
    - apply N.eqb_eq. exact c8.
    - exact c4. }
  unfold step_periodic. rewrite hstructure. fold t.
  destruct (columns_to_sound r b (recurs proof) hk) as (hc & hfar & _).
  set (to_from := head ++ tabulate (value t) s (from proof - s)).
  assert (hlen : r + length to_from = N.to_nat (from proof)).
  { unfold to_from. rewrite app_length, tabulate_length. lia. }
  assert (hof : Offsets r r to_from).
  { apply positive_offsets; [apply he |]. apply any_offsets_app; [exact ho |]. rewrite <- hs.
    apply tabulate_offsets; [exact hf | simpl; lia]. }
  destruct (walk_complete to_from r r (diagonal b) (columns_to b (recurs proof)))
    as (passed & u & rest & hw); try assumption; try apply he; try apply hk; try lia.
  rewrite hw. apply (walk_sound _ r r) in hw as [w1 w2 w3 w4 w5 w6 w7];
    try assumption; try apply he; try apply hk; try lia.
  rewrite hlen in w3, w6. rewrite (mask_unique _ _ _ w3 c3), N.eqb_refl.
  set (to_recurs := tabulate (value t) (from proof) (recurs proof - from proof)).
  assert (hlen2 : length to_recurs = N.to_nat (recurs proof) - N.to_nat (from proof)).
  { unfold to_recurs. rewrite tabulate_length. lia. }
  assert (hor : Offsets r (N.to_nat (from proof)) to_recurs).
  { apply positive_offsets; [apply he |]. apply tabulate_offsets; [exact hf | simpl; lia]. }
  destruct (walk_complete to_recurs r (N.to_nat (from proof)) (state_of proof) rest)
    as (passed' & u' & rest' & hw'); try assumption; try apply he; try lia.
  rewrite hw'. apply (walk_sound _ r (N.to_nat (from proof))) in hw' as [v1 v2 v3 v4 v5 v6 v7];
    try assumption; try apply he; try lia.
  assert (hu : u' = state_of proof).
  { rewrite hlen2 in v3.
    replace (N.to_nat (from proof) + (N.to_nat (recurs proof) - N.to_nat (from proof)))
      with (N.to_nat (recurs proof)) in v3 by lia.
    apply (mask_unique _ _ _ v3). apply (mask_ext _ _ _ c5 c3). }
  rewrite hu, N.eqb_refl.
  assert (hm : modulus proof =
    modulus_within (lowest (state_of proof) to_recurs) (highest to_recurs) (tails b)).
  { apply N2Nat.inj.
    pose proof (window_of_walk r (N.to_nat (from proof)) (N.to_nat (recurs proof))
      (state_of proof) to_recurs ltac:(lia) c2 hlen2 c3 hor c5) as hwin.
    destruct (window_unique _ _ _ _ _ _ _ c6 hwin) as [-> ->].
    exact (modulus_unique _ _ _ _ _ c7 (modulus_exact r b _ _ hk hx)). }
  rewrite <- hm, N.eqb_refl. eexists. split; [reflexivity |]. apply exactly_more; [exact hx |].
  right. exists t. split; [reflexivity |]. split; [reflexivity |]. split; [exact hf | exact hcan].
Qed.

(** ** All rows *)

Lemma step_complete : forall r b x, Known r b -> Exactly r b -> RightRecord r x ->
  exists b', step b x = Some b' /\ Exactly (S r) b'.
Proof.
  intros r b [row first last head | row first s vs proof head] hk hx h.
  - now apply (step_finite_complete r).
  - now apply (step_periodic_complete r).
Qed.

Lemma check_from_complete : forall records r b, Known r b -> Exactly r b ->
  (forall i x, nth_error records i = Some x -> RightRecord (r + i) x) ->
  check_from b records = true.
Proof.
  induction records as [| y records IH]; intros r b hk hx h; [reflexivity |]. simpl.
  pose proof (h 0 y eq_refl) as hy. rewrite Nat.add_0_r in hy.
  destruct (step_complete r b y hk hx hy) as (b' & e & hx'). rewrite e.
  apply (IH (S r) b'); [now apply (step_sound r b y) | exact hx' |].
  intros i x hi. specialize (h (S i) x hi). now rewrite Nat.add_succ_r in h.
Qed.

(** The checker accepts a list of right records. *)
Theorem completeness : forall records,
  (forall r x, nth_error records r = Some x -> RightRecord r x) -> check records = true.
Proof.
  intros records h. exact (check_from_complete records 0 _ nothing_below exactly_nothing h).
Qed.

(** ** What is accepted is right *)

Lemma settled_sound : forall r b q, Known r b -> Exactly r b -> N.to_nat (settled b) <= q ->
  Settled r q.
Proof.
  intros r b q hk hx hq c hc. destruct (known_rows r b hk c hc) as [(l & hl & h) | (t & ht & hf)].
  - left. exists l. split; [exact h | lia].
  - right. destruct (exactly_tails r b hx t ht) as (d & _ & hfd & hcan).
    rewrite (follows_one d c t hfd hf) in hcan. exists (N.to_nat (start t)), (length (values t)).
    split; [exact hcan |]. destruct (known_tails r b hk t ht). lia.
Qed.

Lemma step_periodic_right : forall r b row first s vs proof head b', Known r b -> Exactly r b ->
  step_periodic b row first s vs proof head = Some b' ->
  RightRecord r (PeriodicRow row first s vs proof head).
Proof.
  intros r b row first s vs proof head b' hk hx h.
  destruct (step_periodic_sound r b row first s vs proof head b' hk h) as (_ & htrue).
  split; [exact htrue |]. destruct htrue as (hrow & _ & hcan & his). unfold step_periodic in h.
  destruct (structure_is_right _ _ _ _ _ _ _) eqn:e in h; [| discriminate].
  unfold structure_is_right in e. rewrite !andb_true_iff in e.
  destruct e as ((((((((((_ & _) & hstart) & _) & _) & _) & hfrom) & hset) & hless) & hlcm)
    & hform).
  apply N.eqb_eq in hstart, hlcm. apply N.leb_le in hfrom, hset. apply N.ltb_lt in hless.
  rewrite !count_length in *. subst row.
  assert (he : forall q, ~ Ended r q).
  { intros q. exact (periodic_never_ends r _ _ q (proj1 hcan)). }
  destruct (columns_to_sound r b (recurs proof) hk) as (hc & _ & _).
  destruct (walk _ (head ++ _) _) as [[[passed u] rest] |] eqn:ew in h; [| discriminate].
  destruct (N.eqb_spec u (state_of proof)) as [-> |]; [| discriminate].
  destruct (walk (state_of proof) _ rest) as [[[passed' u'] rest'] |] eqn:ew' in h;
    [| discriminate].
  destruct (_ && _)%bool eqn:e in h; [| discriminate]. clear h.
  apply andb_prop in e as (hu & hmod). apply N.eqb_eq in hu, hmod. subst u'.
  apply (walk_sound _ r r) in ew as [w1 w2 w3 w4 w5 w6 w7];
    try assumption; try apply he; try apply hk; try lia.
  rewrite app_length, tabulate_length in *.
  replace (r + (length head + N.to_nat (from proof - s))) with (N.to_nat (from proof)) in * by lia.
  apply (walk_sound _ r (N.to_nat (from proof))) in ew' as [v1 v2 v3 v4 v5 v6 v7];
    try assumption; try apply he; try lia.
  assert (hrecurs : forall x,
    State r (N.to_nat (from proof)) x <-> State r (N.to_nat (recurs proof)) x).
  { intros x. rewrite tabulate_length in v3.
    replace (N.to_nat (from proof) + N.to_nat (recurs proof - from proof))
      with (N.to_nat (recurs proof)) in v3 by lia.
    now rewrite <- (w3 x), <- (v3 x). }
  split; [lia |]. split; [lia |]. constructor; try assumption; try lia.
  - apply (settled_sound r b); [exact hk | exact hx | lia].
  - eexists. eexists. split.
    + apply window_of_walk; [| | | exact w3 | exact v1 | exact hrecurs]; rewrite ?tabulate_length;
        lia.
    + rewrite hmod. now apply modulus_exact.
Qed.

Lemma step_right : forall r b x b', Known r b -> Exactly r b -> step b x = Some b' ->
  RightRecord r x /\ Exactly (S r) b'.
Proof.
  intros r b x b' hk hx h. assert (right : RightRecord r x).
  { destruct x as [row first last head | row first s vs proof head].
    - split; [| exact I]. now apply (step_finite_sound r b row first last head b').
    - now apply (step_periodic_right r b row first s vs proof head b'). }
  split; [exact right |]. destruct (step_complete r b x hk hx right) as (b'' & e & hx').
  rewrite h in e. now injection e as <-.
Qed.

Lemma check_from_right : forall records r b, Known r b -> Exactly r b ->
  check_from b records = true ->
  forall i x, nth_error records i = Some x -> RightRecord (r + i) x.
Proof.
  induction records as [| y records IH]; intros r b hk hx h i x hi; [now destruct i |].
  simpl in h. destruct (step b y) as [b' |] eqn:e; [| discriminate].
  destruct (step_right r b y b' hk hx e) as (right & hx').
  destruct (step_sound r b y b' hk e) as (hk' & _). destruct i as [| i]; simpl in hi.
  - injection hi as <-. now rewrite Nat.add_0_r.
  - rewrite Nat.add_succ_r. now apply (IH (S r) b').
Qed.

(** The checker accepts a list if and only if every record of it is right. *)
Theorem check_right : forall records,
  check records = true <-> forall r x, nth_error records r = Some x -> RightRecord r x.
Proof.
  intros records. split; [| apply completeness].
  intros h r x hr. exact (check_from_right records 0 _ nothing_below exactly_nothing h r x hr).
Qed.
