(** * The records that the checker accepts are true

[soundness]: if [check records] is [true], then the r-th record states exactly the P-positions of
row r; its last column if it is finite; and its least start and least period if it is periodic. The
induction over the rows is that of fact 9: the offsets that the rows below block in a column are
right, so the computed offsets are right, and fact 3 gives the rest of a periodic row. *)

From Chomp Require Import Rules Recurrence Byrnes Certificate Masks Checker.
From Coq Require Import BinNums Arith NArith List Bool Lia.
Import ListNotations.

(** ** What a record states *)

Definition numbers : list N -> list nat := map N.to_nat.

(** The P-positions of row r are those that a head and values state. *)
Definition RowIs (r : nat) (head values : list N) : Prop :=
  forall p q, P (p, q, r) <->
    r <= q /\ exists x, stated (numbers head) (numbers values) (q - r) = Some x /\ p = q + x.

Definition TrueRow (r : nat) (x : record) : Prop :=
  match x with
  | FiniteRow row first last head =>
      row = N.of_nat r /\ F r r (N.to_nat first) /\ Byrnes.Finite r (N.to_nat last) /\
      RowIs r head []
  | PeriodicRow row first start values _ head =>
      row = N.of_nat r /\ F r r (N.to_nat first) /\
      Canonical r (N.to_nat start) (length values) /\ RowIs r head values
  end.

(** ** Lists *)

Lemma count_length : forall (A : Type) (l : list A), count l = N.of_nat (length l).
Proof.
  intros A l. induction l as [| x l IH]; [reflexivity |].
  simpl length. rewrite Nat2N.inj_succ, <- IH. reflexivity.
Qed.

Lemma at_place_nth : forall l i, at_place l i = nth (N.to_nat i) l 0%N.
Proof.
  induction l as [| x l IH]; intros i; simpl.
  - now destruct (N.to_nat i).
  - destruct (N.eqb_spec i 0) as [-> | h]; [reflexivity |].
    rewrite IH. replace (N.to_nat i) with (S (N.to_nat (N.pred i))) by lia. reflexivity.
Qed.

Lemma tabulate_map : forall f q n,
  tabulate f q n = map (fun i => f (q + N.of_nat i)%N) (seq 0 (N.to_nat n)).
Proof.
  intros f q.
  assert (all : forall n l,
    N.iter n (fun '(q, l) => (N.pred q, f (N.pred q) :: l)) (q + n, l)%N =
    (q, map (fun i => f (q + N.of_nat i)%N) (seq 0 (N.to_nat n)) ++ l)).
  { induction n as [| n IH] using N.peano_ind; intros l.
    - simpl. now rewrite N.add_0_r.
    - rewrite N.iter_succ_r. replace (N.pred (q + N.succ n)) with (q + n)%N by lia.
      rewrite IH, N2Nat.inj_succ, seq_S, map_app, <- app_assoc. simpl. now rewrite N2Nat.id. }
  intros n. unfold tabulate. rewrite all. simpl. apply app_nil_r.
Qed.

Lemma tabulate_length : forall f q n, length (tabulate f q n) = N.to_nat n.
Proof. intros f q n. now rewrite tabulate_map, map_length, seq_length. Qed.

Lemma tabulate_nth : forall f q n i x, nth_error (tabulate f q n) i = Some x ->
  i < N.to_nat n /\ x = f (q + N.of_nat i)%N.
Proof.
  intros f q n i x h. assert (hi : i < N.to_nat n).
  { rewrite <- (tabulate_length f q n). apply nth_error_Some. now rewrite h. }
  split; [exact hi |]. rewrite tabulate_map in h.
  rewrite nth_error_map, (nth_error_nth' _ 0) in h by (now rewrite seq_length).
  rewrite seq_nth in h by exact hi. simpl in h. now injection h.
Qed.

(** ** Columns, states and walks *)

(** The members of the list are the sets of offsets that the rows below r block in the columns from
q on. *)
Definition Columns (r q : nat) (columns : list N) : Prop :=
  forall i c, nth_error columns i = Some c -> Mask c (Column r (q + i)).

(** The list is the offsets of row r in the columns q, q + 1, ..., none of them 0. *)
Definition Offsets (r q : nat) (offsets : list N) : Prop :=
  forall i b, nth_error offsets i = Some b ->
    Offset r (q + i) (N.to_nat b) /\ 0 < N.to_nat b.

Lemma columns_cons : forall r q c columns,
  Columns r q (c :: columns) <-> Mask c (Column r q) /\ Columns r (S q) columns.
Proof.
  intros r q c columns. split.
  - intros h. split.
    + specialize (h 0 c eq_refl). now rewrite Nat.add_0_r in h.
    + intros i d hi. specialize (h (S i) d hi). now rewrite Nat.add_succ_r in h.
  - intros (h1 & h2) [| i] d hi; simpl in hi.
    + injection hi as <-. now rewrite Nat.add_0_r.
    + rewrite Nat.add_succ_r. now apply h2.
Qed.

Lemma columns_app : forall r q l l',
  Columns r q (l ++ l') <-> Columns r q l /\ Columns r (q + length l) l'.
Proof.
  intros r q l l'. revert q. induction l as [| c l IH]; intros q; simpl.
  - rewrite Nat.add_0_r. split; [| tauto]. intros h. split; [| exact h].
    intros i d hi. now destruct i.
  - rewrite !columns_cons, IH. replace (S q + length l) with (q + S (length l)) by lia. tauto.
Qed.

Lemma offsets_cons : forall r q b offsets,
  Offsets r q (b :: offsets) <->
  Offset r q (N.to_nat b) /\ 0 < N.to_nat b /\ Offsets r (S q) offsets.
Proof.
  intros r q b offsets. split.
  - intros h. destruct (h 0 b eq_refl) as (h1 & h2). rewrite Nat.add_0_r in h1.
    split; [exact h1 |]. split; [exact h2 |]. intros i d hi. specialize (h (S i) d hi).
    now rewrite Nat.add_succ_r in h.
  - intros (h1 & h2 & h3) [| i] d hi; simpl in hi.
    + injection hi as <-. now rewrite Nat.add_0_r.
    + rewrite Nat.add_succ_r. now apply h3.
Qed.

Lemma state_mask_step : forall r q u b, r <= q ->
  Mask u (State r q) -> Offset r q (N.to_nat b) -> Mask (next_state u b) (State r (S q)).
Proof.
  intros r q u b hq hu hb. eapply mask_ext; [| exact (mask_next_state u b _ hu)].
  intros i. simpl. rewrite state_step by exact hq. split; (intros [h | h]; [now left | right]).
  - now rewrite h.
  - exact (offset_unique _ _ _ _ h hb).
Qed.

Lemma column_mask_step : forall r q c b,
  Mask c (Column r q) -> Offset r q (N.to_nat b) -> Mask (N.setbit c b) (Column (S r) q).
Proof.
  intros r q c b hc hb. eapply mask_ext; [| exact (mask_add c b _ hc)].
  intros i. simpl. rewrite column_step. split; (intros [h | h]; [now left | right]).
  - now rewrite h.
  - exact (offset_unique _ _ _ _ h hb).
Qed.

(** The offset in a column is the mex of the blocked offsets. *)
Lemma mask_offset : forall r q u c, r <= q -> ~ Ended r q ->
  Mask u (State r q) -> Mask c (Column r q) -> Offset r q (N.to_nat (mex (N.lor u c))).
Proof.
  intros r q u c hq he hu hc. apply offset_is_mex; try assumption.
  apply mex_is_mex. now apply mask_union.
Qed.

(** The properties of a walk that succeeds. *)
Record Walked (r q : nat) (offsets columns passed : list N) (u : N) (rest : list N) : Prop := {
  walked_offsets : Offsets r q offsets;
  walked_not_ended : ~ Ended r (q + length offsets);
  walked_state : Mask u (State r (q + length offsets));
  walked_passed : Columns (S r) q passed;
  walked_passed_length : length passed = length offsets;
  walked_rest : Columns r (q + length offsets) rest;
  walked_rest_length : length columns = length offsets + length rest;
}.

Lemma walk_sound : forall offsets r q u columns passed u' rest,
  r <= q -> ~ Ended r q -> Mask u (State r q) -> Columns r q columns ->
  walk u offsets columns = Some (passed, u', rest) ->
  Walked r q offsets columns passed u' rest.
Proof.
  induction offsets as [| b offsets IH]; intros r q u columns passed u' rest hq he hu hc hw.
  - simpl in hw. injection hw as <- <- <-. constructor; simpl; rewrite ?Nat.add_0_r; auto;
      intros i x hi; now destruct i.
  - destruct columns as [| c columns]; [discriminate |]. simpl in hw.
    destruct (N.eqb_spec b (mex (N.lor u c))) as [hb |]; [| discriminate].
    destruct (N.eqb_spec b 0) as [| hpos]; [discriminate |]. simpl in hw.
    destruct (walk (next_state u b) offsets columns) as [[[passed1 u1] rest1] |] eqn:ew;
      [| discriminate].
    injection hw as <- <- <-. apply columns_cons in hc as (hc1 & hc2).
    assert (ho : Offset r q (N.to_nat b)) by (rewrite hb; now apply mask_offset).
    destruct (IH r (S q) (next_state u b) columns passed1 u1 rest1) as [i1 i2 i3 i4 i5 i6 i7];
      try assumption; try lia.
    + apply (not_ended_step _ _ (N.to_nat b)); [exact he | exact ho | lia].
    + now apply state_mask_step.
    + simpl. replace (S q + length offsets) with (q + S (length offsets)) in * by lia.
      constructor; simpl; try assumption; try lia.
      * apply offsets_cons. split; [exact ho |]. split; [lia | exact i1].
      * apply columns_cons. split; [now apply column_mask_step | exact i4].
Qed.

Lemma in_window_wider : forall r h w h' w' q,
  h' <= h -> w <= w' -> InWindow r h w q -> InWindow r h' w' q.
Proof.
  intros r h w h' w' q hh hw (h1 & b & h2 & h3). split.
  - intros x hx. apply h1. lia.
  - exists b. split; [exact h2 | lia].
Qed.

(** The window of a walk contains the mex of each state and each offset. *)
Lemma window_sound : forall offsets r q u, r <= q -> Mask u (State r q) -> Offsets r q offsets ->
  forall i, i < length offsets ->
    InWindow r (N.to_nat (lowest u offsets)) (N.to_nat (highest offsets)) (q + i).
Proof.
  induction offsets as [| b offsets IH]; intros r q u hq hu ho i hi; simpl in hi; [lia |].
  apply offsets_cons in ho as (h1 & h2 & h3).
  destruct i as [| i].
  - rewrite Nat.add_0_r. split.
    + intros x hx. apply (mex_is_mex u _ hu). simpl in hx. lia.
    + exists (N.to_nat b). split; [exact h1 |]. simpl. unfold highest. simpl. lia.
  - rewrite Nat.add_succ_r.
    apply (in_window_wider r (N.to_nat (lowest (next_state u b) offsets))
      (N.to_nat (highest offsets))).
    + simpl. lia.
    + unfold highest. simpl. lia.
    + apply (IH r (S q)); try assumption; try lia. now apply state_mask_step.
Qed.

Lemma enter_sound : forall offsets r q columns,
  length offsets = length columns -> Offsets r q offsets -> Columns r q columns ->
  Columns (S r) q (enter offsets columns) /\ length (enter offsets columns) = length columns.
Proof.
  induction offsets as [| b offsets IH]; intros r q [| c columns] hl ho hc; try discriminate.
  - split; [| reflexivity]. intros i d hi. now destruct i.
  - simpl in *. apply offsets_cons in ho as (h1 & h2 & h3). apply columns_cons in hc as (h4 & h5).
    destruct (IH r (S q) columns) as (h6 & h7); try assumption; [lia |]. split.
    + apply columns_cons. split; [now apply column_mask_step | exact h6].
    + now rewrite h7.
Qed.

(** ** Rows that repeat *)

(** The offset that a tail states for a column. *)
Definition value_at (t : row_tail) (q : nat) : nat := N.to_nat (value t (N.of_nat q)).

(** Row c has the offsets of [t]. *)
Record Follows (c : nat) (t : row_tail) : Prop := {
  follows_values : values t <> [];
  follows_from : c <= N.to_nat (start t);
  follows_offset : forall q, N.to_nat (start t) <= q -> Offset c q (value_at t q);
}.

Lemma nth_numbers : forall l i, N.to_nat (nth i l 0%N) = nth i (numbers l) 0.
Proof. intros l i. symmetry. exact (map_nth N.to_nat l 0%N i). Qed.

Lemma value_at_nth : forall t q, values t <> [] ->
  value_at t q = nth ((q - N.to_nat (start t)) mod length (values t)) (numbers (values t)) 0.
Proof.
  intros t q hv. unfold value_at, value. rewrite at_place_nth, count_length, nth_numbers.
  now rewrite N2Nat.inj_mod, N2Nat.inj_sub, !Nat2N.id.
Qed.

Lemma length_positive : forall (l : list N), l <> [] -> 0 < length l.
Proof. intros [| x l] h; [easy | simpl; lia]. Qed.

Lemma value_at_in : forall t q, values t <> [] -> In (value t (N.of_nat q)) (values t).
Proof.
  intros t q hv. apply length_positive in hv. unfold value. rewrite at_place_nth. apply nth_In.
  rewrite count_length. assert (N.of_nat (length (values t)) <> 0%N) by lia.
  pose proof (N.mod_upper_bound (N.of_nat q - start t) _ H). lia.
Qed.

Lemma value_at_period : forall t q d, values t <> [] -> N.to_nat (start t) <= q ->
  Nat.divide (length (values t)) d -> value_at t (q + d) = value_at t q.
Proof.
  intros t q d hv hq (j & ->). rewrite !value_at_nth by exact hv. f_equal.
  apply length_positive in hv.
  replace (q + j * length (values t) - N.to_nat (start t))
    with (q - N.to_nat (start t) + j * length (values t)) by lia.
  apply Nat.mod_add. lia.
Qed.

Lemma follows_value : forall c t q x, Follows c t -> N.to_nat (start t) <= q ->
  (Offset c q x <-> x = value_at t q).
Proof.
  intros c t q x [_ _ h] hq. split.
  - intros hx. exact (offset_unique _ _ _ _ hx (h q hq)).
  - intros ->. now apply h.
Qed.

Lemma follows_repeats : forall c t s, Follows c t -> N.to_nat (start t) <= s ->
  RepeatsFrom c s (length (values t)).
Proof.
  intros c t s hf hs. pose proof (follows_values c t hf) as hv. split.
  - now apply length_positive.
  - intros q x hq. rewrite !(follows_value c t) by (assumption || lia).
    rewrite value_at_period; [reflexivity | exact hv | lia | reflexivity].
Qed.

Lemma follows_periodic : forall c t, Follows c t ->
  Byrnes.Periodic c (N.to_nat (start t)) (length (values t)).
Proof.
  intros c t hf. pose proof (follows_values c t hf) as hv. split.
  - now apply length_positive.
  - intros q hq. exists (q + value_at t q). split.
    + now apply (follows_offset c t hf).
    + pose proof (follows_offset c t hf (q + length (values t))) as h.
      rewrite value_at_period in h; [| exact hv | exact hq | reflexivity].
      unfold Offset in h.
      replace (q + value_at t q + length (values t))
        with (q + length (values t) + value_at t q) by lia.
      apply h. lia.
Qed.

(** ** The properties of the rows below *)

Record Known (r : nat) (b : below) : Prop := {
  known_height : height b = N.of_nat r;
  known_diagonal : Mask (diagonal b) (State r r);
  known_columns : Columns r r (columns b);
  known_far : N.to_nat (settled b) <= r + length (columns b);
  known_rows : forall c, c < r ->
    Ended c (N.to_nat (settled b)) \/ exists t, In t (tails b) /\ Follows c t;
  known_tails : forall t, In t (tails b) ->
    N.to_nat (start t) <= N.to_nat (settled b) /\ exists c, c < r /\ Follows c t;
}.

Lemma nothing_below : Known 0 none_below.
Proof.
  constructor; simpl; try (intros; lia); try easy.
  - intros i. unfold State, RowBlocked. change 1%N with (2 ^ 0)%N.
    rewrite N.pow2_bits_eqb, N.eqb_eq.
    split.
    + intros h. left. lia.
    + intros [h | [(c & hc & _) | (q & hq & _)]]; lia.
  - intros i c hi. now destruct i.
Qed.

Lemma column_of_sound : forall r b q, Known r b -> N.to_nat (settled b) <= q ->
  Mask (column_of (tails b) (N.of_nat q)) (Column r q).
Proof.
  intros r b q hk hq. unfold column_of.
  eapply mask_ext; [| exact (mask_with_all _ _ _ mask_empty)].
  intros i. simpl. rewrite map_map, in_map_iff. split.
  - intros [[] | (t & <- & ht)].
    destruct (known_tails r b hk t ht) as (h1 & c & hc & hf).
    exists c. split; [exact hc |]. apply (follows_offset c t hf). lia.
  - intros (c & hc & ho). right.
    destruct (known_rows r b hk c hc) as [he | (t & ht & hf)].
    + exfalso. revert ho. destruct he as (l & hl & hf).
      apply (ended_no_offset c q). exists l. split; [lia | exact hf].
    + exists t. split; [| exact ht]. symmetry. apply (follows_value c t); [exact hf | | exact ho].
      destruct (known_tails r b hk t ht). lia.
Qed.

Lemma columns_to_sound : forall r b q, Known r b ->
  Columns r r (columns_to b q) /\ N.to_nat q <= r + length (columns_to b q) /\
  length (columns b) <= length (columns_to b q).
Proof.
  intros r b q hk. unfold columns_to. rewrite (known_height r b hk), count_length, app_length.
  rewrite tabulate_length. split; [| lia]. apply columns_app. split.
  - exact (known_columns r b hk).
  - intros i c hi. apply tabulate_nth in hi as (hi & ->).
    replace (N.of_nat r + N.of_nat (length (columns b)) + N.of_nat i)%N
      with (N.of_nat (r + length (columns b) + i)) by lia.
    apply column_of_sound; [exact hk |]. pose proof (known_far r b hk). lia.
Qed.

(** The modulus of the checker is one that the window rule allows. *)

Lemma modulus_divides : forall h w ts t, In t ts ->
  existsb (fun v => (h <=? v) && (v <=? w))%N (values t) = true ->
  N.divide (count (values t)) (modulus_within h w ts).
Proof.
  intros h w ts t ht hv. induction ts as [| t' ts IH]; [easy |]. simpl.
  destruct ht as [-> | ht].
  - rewrite hv. apply N.divide_lcm_l.
  - destruct (existsb _ (values t')).
    + apply (N.divide_trans _ (modulus_within h w ts)); [now apply IH | apply N.divide_lcm_r].
    + now apply IH.
Qed.

Lemma divide_to_nat : forall a b, N.divide a b -> Nat.divide (N.to_nat a) (N.to_nat b).
Proof. intros a b (k & ->). exists (N.to_nat k). now rewrite N2Nat.inj_mul. Qed.

Lemma window_rule_sound : forall r b h w s, Known r b -> N.to_nat (settled b) <= s ->
  WindowRule r s (N.to_nat h) (N.to_nat w) (N.to_nat (modulus_within h w (tails b))).
Proof.
  intros r b h w s hk hs c hc.
  destruct (known_rows r b hk c hc) as [(l & hl & he) | (t & ht & hf)].
  - left. exists l. split; [lia | exact he].
  - right. exists (length (values t)). destruct (known_tails r b hk t ht) as (h1 & _). split.
    + apply follows_repeats; [exact hf | lia].
    + intros (q & x & hq & hx & ho).
      apply (follows_value c t) in ho; [| exact hf | lia]. subst x.
      rewrite <- (Nat2N.id (length (values t))), <- count_length. apply divide_to_nat.
      apply modulus_divides; [exact ht |]. apply existsb_exists.
      exists (value t (N.of_nat q)). split.
      * apply value_at_in, (follows_values c t hf).
      * apply andb_true_intro. unfold value_at in hx. split; apply N.leb_le; lia.
Qed.

(** ** One more row *)

Lemma diagonal_step : forall r x, State (S r) (S r) x <-> State r r (S x) \/ Offset r r (S x).
Proof.
  intros r x. unfold State, RowBlocked, Offset. replace (S r + x) with (r + S x) by lia. split.
  - intros [h | [(c & hc & h) | (q & hq & _)]]; [lia | | lia].
    destruct (Nat.eq_dec c r) as [-> | hne]; [now right |].
    left. right. left. exists c. split; [lia | exact h].
  - intros [[h | [(c & hc & h) | (q & hq & _)]] | h]; [lia | | lia |].
    + right. left. exists c. split; [lia | exact h].
    + right. left. exists r. split; [lia | exact h].
Qed.

(** The conditions under which a row can be added to the rows below the next one. *)
Lemma with_row_sound : forall r b first new settles more,
  Known r b -> Offset r r (N.to_nat first) -> Columns (S r) r new -> 0 < length new ->
  N.to_nat settles <= r + length new -> length (columns b) <= length new ->
  (more = [] /\ Ended r (N.to_nat settles) \/
   exists t, more = [t] /\ Follows r t /\ start t = settles) ->
  Known (S r) (with_row b first new settles more).
Proof.
  intros r b first new settles more hk ho hc hn hs hl hmore.
  destruct new as [| c new]; [simpl in hn; lia |]. simpl in hs, hl.
  apply columns_cons in hc as (_ & hc).
  destruct hk as [k1 k2 k3 k4 k5 k6]. constructor; simpl.
  - rewrite k1. lia.
  - eapply mask_ext; [| exact (mask_next_state _ first _ k2)].
    intros i. simpl. rewrite diagonal_step. split; (intros [h | h]; [now left | right]).
    + now rewrite h.
    + exact (offset_unique _ _ _ _ h ho).
  - exact hc.
  - lia.
  - intros d hd. destruct (Nat.eq_dec d r) as [-> | hne].
    + destruct hmore as [(_ & l & hlt & he) | (t & -> & hf & _)].
      * left. exists l. split; [lia | exact he].
      * right. exists t. split; [now left | exact hf].
    + destruct (k5 d) as [(l & hlt & he) | (t & ht & hf)]; [lia | |].
      * left. exists l. split; [lia | exact he].
      * right. exists t. split; [apply in_or_app; now right | exact hf].
  - intros t ht. apply in_app_or in ht as [ht | ht].
    + destruct hmore as [(-> & _) | (t' & -> & hf & hst)]; [easy |].
      destruct ht as [<- | []]. split; [lia |]. exists r. split; [lia | exact hf].
    + destruct (k6 t ht) as (h1 & d & hd & hf). split; [lia |]. exists d. split; [lia | exact hf].
Qed.

(** ** A finite row *)

Lemma last_nth : forall l, List.last l 0%N = nth (length l - 1) l 0%N.
Proof.
  induction l as [| x [| y l] IH]; try reflexivity.
  change (List.last (x :: y :: l) 0%N) with (List.last (y :: l) 0%N). rewrite IH. simpl.
  now rewrite !Nat.sub_0_r.
Qed.

Lemma ends_in_0 : forall l, List.last l 1%N = 0%N -> l = removelast l ++ [0%N].
Proof.
  intros l h. destruct l as [| x l]; [discriminate |].
  rewrite <- h. apply app_removelast_last. discriminate.
Qed.

Lemma columns_after_end : forall r q columns, Ended r q ->
  Columns r q columns -> Columns (S r) q columns.
Proof.
  intros r q columns he hc i c hi. apply (mask_ext c (Column r (q + i))); [| now apply hc].
  intros x. rewrite column_step. split; [now left |]. intros [h | h]; [exact h |].
  exfalso. revert h. apply ended_no_offset. destruct he as (l & hl & h). exists l.
  split; [lia | exact h].
Qed.

(** The list is the offsets of row r in the columns q, q + 1, ...; 0 may be among them. *)
Definition AnyOffsets (r q : nat) (offsets : list N) : Prop :=
  forall i b, nth_error offsets i = Some b -> Offset r (q + i) (N.to_nat b).

Lemma any_offsets : forall r q offsets, Offsets r q offsets -> AnyOffsets r q offsets.
Proof. intros r q offsets h i b hi. now apply h. Qed.

Lemma any_offsets_app : forall r q l l',
  AnyOffsets r q l -> AnyOffsets r (q + length l) l' -> AnyOffsets r q (l ++ l').
Proof.
  intros r q l l' h h' i b hi. destruct (le_lt_dec (length l) i) as [hl | hl].
  - rewrite nth_error_app2 in hi by exact hl. apply h' in hi.
    now replace (q + i) with (q + length l + (i - length l)) by lia.
  - rewrite nth_error_app1 in hi by exact hl. now apply h.
Qed.

Lemma first_is_first : forall r b first offsets, Known r b -> AnyOffsets r r offsets ->
  first_is b first offsets = true ->
  F r r (N.to_nat first) /\ Offset r r (N.to_nat (first - N.of_nat r)).
Proof.
  intros r b first [| x offsets] hk ho h; [discriminate |]. simpl in h.
  apply N.eqb_eq in h. rewrite (known_height r b hk) in h. subst first.
  specialize (ho 0 x eq_refl). rewrite Nat.add_0_r in ho. split.
  - unfold Offset in ho. now replace (N.to_nat (N.of_nat r + x)) with (r + N.to_nat x) by lia.
  - now replace (N.of_nat r + x - N.of_nat r)%N with x by lia.
Qed.

Lemma nth_error_numbers : forall l i y,
  nth_error (numbers l) i = Some y <-> exists x, nth_error l i = Some x /\ y = N.to_nat x.
Proof.
  intros l i y. unfold numbers. rewrite nth_error_map. destruct (nth_error l i) as [x |]; simpl.
  - split.
    + intros h. injection h as <-. now exists x.
    + intros (z & h & ->). now injection h as <-.
  - split; [discriminate |]. now intros (x & h & _).
Qed.

Lemma numbers_length : forall l, length (numbers l) = length l.
Proof. intros l. apply map_length. Qed.

(** A head that lists the offsets from the row's first column on states the P-positions there. *)
Lemma stated_in_head : forall r q p head values,
  r <= q -> AnyOffsets r r head -> q - r < length head ->
  (P (p, q, r) <-> exists x, stated (numbers head) (numbers values) (q - r) = Some x /\ p = q + x).
Proof.
  intros r q p head values hq ho hl. unfold stated. rewrite numbers_length.
  rewrite (proj2 (Nat.ltb_lt _ _) hl).
  destruct (nth_error head (q - r)) as [b |] eqn:e.
  - pose proof (ho _ _ e) as hb. replace (r + (q - r)) with q in hb by lia. split.
    + intros hp. apply F_P in hp. exists (N.to_nat b). split.
      * apply nth_error_numbers. now exists b.
      * exact (F_unique _ _ _ _ hp hb).
    + intros (x & hx & ->). apply nth_error_numbers in hx as (b' & hb' & ->).
      rewrite e in hb'. injection hb' as <-. exact (proj1 (F_P _ _ _) hb).
  - apply nth_error_None in e. lia.
Qed.

Lemma finite_row_is : forall r last head,
  AnyOffsets r r head -> Byrnes.Finite r last -> S last = r + length head -> RowIs r head [].
Proof.
  intros r last head ho hf hl p q. destruct (le_lt_dec (length head) (q - r)) as [hlong | hshort].
  - split.
    + intros hp. apply F_P in hp as h. exfalso. revert h. apply (ended_stays r last); [exact hf |].
      destruct hf as (_ & hf & _). apply F_P in hp as (_ & hq & _). lia.
    + intros (_ & x & hx & _). unfold stated in hx. rewrite numbers_length in hx.
      rewrite (proj2 (Nat.ltb_ge _ _) hlong) in hx. simpl in hx.
      now destruct ((q - r) - length head).
  - split.
    + intros hp. assert (hq : r <= q) by (now apply F_P in hp as (_ & hq & _)).
      split; [exact hq |]. now apply (stated_in_head r q p head []).
    + intros (hq & h). now apply (stated_in_head r q p head []).
Qed.

Theorem step_finite_sound : forall r b row first last head b', Known r b ->
  step_finite b row first last head = Some b' ->
  Known (S r) b' /\ TrueRow r (FiniteRow row first last head).
Proof.
  intros r b row first last head b' hk h. unfold step_finite in h.
  destruct (_ && _)%bool eqn:e in h; [| discriminate].
  apply andb_prop in e as (e & hlast). apply andb_prop in e as (e & hzero).
  apply andb_prop in e as (hrow & hfirst). apply N.eqb_eq in hrow, hzero, hlast.
  rewrite (known_height r b hk) in hrow. subst row. rewrite count_length in hlast.
  apply ends_in_0 in hzero as hhead.
  destruct (columns_to_sound r b (N.succ last) hk) as (hc & hfar & hmore).
  destruct (walk _ _ _) as [[[passed u] [| c rest]] |] eqn:ew in h; try discriminate.
  apply (walk_sound _ r r) in ew as [w1 w2 w3 w4 w5 w6 w7];
    try assumption; try apply not_ended_at_first; try apply hk; [| lia].
  destruct (N.eqb_spec (mex (N.lor u c)) 0) as [hm |]; [| discriminate].
  injection h as <-. apply columns_cons in w6 as (w6 & w8).
  set (l := r + length (removelast head)) in *.
  assert (hend : Offset r l 0).
  { pose proof (mask_offset r l u c) as ho. rewrite hm in ho. apply ho; auto. lia. }
  assert (hlength : length head = S (length (removelast head))).
  { rewrite hhead at 1. rewrite app_length. simpl. lia. }
  assert (hl : N.to_nat last = l) by lia.
  assert (hoffsets : AnyOffsets r r head).
  { rewrite hhead. apply any_offsets_app; [now apply any_offsets |]. intros [| i] x hi.
    - injection hi as <-. rewrite Nat.add_0_r. exact hend.
    - simpl in hi. now destruct i. }
  assert (hfinite : Byrnes.Finite r (N.to_nat last)).
  { rewrite hl. unfold Byrnes.Finite. unfold Offset in hend. now rewrite Nat.add_0_r in hend. }
  destruct (first_is_first r b first head) as (hf & hfo); try assumption.
  simpl in w7. split.
  - apply with_row_sound; try assumption.
    + apply columns_app. split; [exact w4 |]. rewrite w5. fold l. apply columns_cons. split.
      * now apply column_mask_step.
      * apply columns_after_end; [| exact w8]. apply (offset_0_ends r l); [exact hend | lia].
    + rewrite app_length. simpl. lia.
    + rewrite app_length, N2Nat.inj_succ. simpl. lia.
    + rewrite app_length. simpl. lia.
    + left. split; [reflexivity |]. rewrite N2Nat.inj_succ, hl.
      apply (offset_0_ends r l); [exact hend | lia].
  - split; [reflexivity |]. split; [exact hf |]. split; [exact hfinite |].
    apply (finite_row_is r (N.to_nat last)); try assumption. lia.
Qed.

(** ** Least start and least period *)

Lemma equal_lists_iff : forall l l', equal_lists l l' = true <-> l = l'.
Proof.
  induction l as [| x l IH]; intros [| x' l']; simpl; try easy.
  rewrite andb_true_iff, N.eqb_eq, IH. split.
  - now intros (-> & ->).
  - intros h. now injection h.
Qed.

Lemma rotations_differ_iff : forall values after before,
  rotations_differ values before after = true <->
  forall i, i < length after -> 0 < length before + i ->
    skipn i after ++ before ++ firstn i after <> values.
Proof.
  intros values. induction after as [| x after IH]; intros before.
  - split; [intros _ i hi; simpl in hi; lia | reflexivity].
  - cbn [rotations_differ]. rewrite andb_true_iff, IH. clear IH.
    assert (hfirst :
      negb match before with [] => false
           | _ => equal_lists ((x :: after) ++ before) values end = true <->
      (0 < length before -> (x :: after) ++ before <> values)).
    { destruct before as [| y before].
      - simpl. split; [lia | reflexivity].
      - rewrite negb_true_iff, <- not_true_iff_false, equal_lists_iff. simpl. split.
        + auto.
        + intros h. apply h. lia. }
    rewrite hfirst. split.
    + intros (h1 & h2) [| i] hi hpos.
      * simpl. rewrite app_nil_r. apply h1. lia.
      * specialize (h2 i). rewrite app_length, <- app_assoc in h2. simpl in *. apply h2; lia.
    + intros h. split.
      * intros hb. specialize (h 0). simpl in h. rewrite app_nil_r in h. apply h; lia.
      * intros i hi hpos. specialize (h (S i)). rewrite <- app_assoc. simpl in *. apply h; lia.
Qed.

Lemma no_shorter_period_iff : forall values,
  no_shorter_period values = true <->
  forall i, 0 < i < length values -> skipn i values ++ firstn i values <> values.
Proof.
  intros values. unfold no_shorter_period. rewrite rotations_differ_iff. simpl. split.
  - intros h i hi. apply h; lia.
  - intros h i hi hpos. apply h. lia.
Qed.

Lemma rotation_nth : forall (l : list N) i j, i < length l -> j < length l ->
  nth j (skipn i l ++ firstn i l) 0%N = nth ((i + j) mod length l) l 0%N.
Proof.
  intros l i j hi hj. assert (hskip : length (skipn i l) = length l - i) by apply skipn_length.
  assert (hsplit : forall k, nth k l 0%N = nth k (firstn i l ++ skipn i l) 0%N).
  { intros k. now rewrite firstn_skipn. }
  assert (hfirst : length (firstn i l) = i) by (apply firstn_length_le; lia).
  rewrite hsplit. destruct (le_lt_dec (length l) (i + j)) as [h | h].
  - rewrite app_nth2 by lia. replace (i + j) with (i + j - length l + 1 * length l) by lia.
    rewrite Nat.mod_add, Nat.mod_small, app_nth1 by lia. f_equal. lia.
  - rewrite app_nth1 by lia. rewrite Nat.mod_small, app_nth2 by lia. f_equal. lia.
Qed.

Lemma rotation_equal : forall (l : list N) i, 0 < i < length l ->
  (skipn i l ++ firstn i l = l <->
   forall j, j < length l -> nth ((i + j) mod length l) l 0%N = nth j l 0%N).
Proof.
  intros l i hi. split.
  - intros h j hj. rewrite <- rotation_nth by lia. now rewrite h.
  - intros h. apply (nth_ext _ _ 0%N 0%N).
    + rewrite app_length, skipn_length, firstn_length_le by lia. lia.
    + intros j hj. rewrite app_length, skipn_length, firstn_length_le in hj by lia.
      rewrite rotation_nth by lia. apply h. lia.
Qed.

(** A period of a row in offsets. *)
Lemma periodic_offset_multiple : forall r s k q x n, Byrnes.Periodic r s k -> s <= q ->
  (Offset r q x <-> Offset r (q + n * k) x).
Proof.
  intros r s k q x n h hq. induction n as [| n IH].
  - now rewrite Nat.add_0_r.
  - rewrite IH, (periodic_offset r s k (q + n * k) x h) by lia.
    now replace (q + n * k + k) with (q + S n * k) by lia.
Qed.

(** Every period of a row that follows [t] is a multiple of the number of values. *)
Lemma period_divides : forall r t s k, Follows r t -> no_shorter_period (values t) = true ->
  Byrnes.Periodic r s k -> Nat.divide (length (values t)) k.
Proof.
  intros r t s k hf hv hp. pose proof (follows_values r t hf) as hne.
  pose proof (length_positive _ hne) as hpos. set (n := length (values t)) in *.
  set (g := Nat.gcd n k). assert (hgn : Nat.divide g n) by apply Nat.gcd_divide_l.
  assert (hgk : Nat.divide g k) by apply Nat.gcd_divide_r.
  destruct (Nat.eq_dec g n) as [e | hg]; [now rewrite <- e | exfalso].
  assert (hgpos : 0 < g < n).
  { apply Nat.divide_pos_le in hgn as hle; [| exact hpos]. destruct g as [| g']; [| lia].
    apply Nat.divide_0_l in hgn. lia. }
  assert (hrotate : forall q, N.to_nat (start t) <= q -> s <= q ->
    value_at t (q + g) = value_at t q).
  { intros q h1 h2. destruct (Nat.gcd_bezout_pos n k hpos) as (a & c & hac). fold g in hac.
    apply (offset_unique r (q + g)).
    - apply (follows_offset r t hf). lia.
    - apply (periodic_offset_multiple r s k _ _ c hp); [lia |].
      replace (q + g + c * k) with (q + a * n) by lia.
      rewrite <- (value_at_period t q (a * n) hne h1) by (exists a; reflexivity).
      apply (follows_offset r t hf). lia. }
  apply (proj1 (no_shorter_period_iff (values t)) hv g hgpos).
  apply rotation_equal; [exact hgpos |]. intros j hj. fold n in hj. fold n. apply N2Nat.inj.
  specialize (hrotate (N.to_nat (start t) + (j + s * n))). rewrite !value_at_nth in hrotate by easy.
  fold n in hrotate. rewrite !nth_numbers.
  replace (N.to_nat (start t) + (j + s * n) + g - N.to_nat (start t))
    with (g + j + s * n) in hrotate by lia.
  replace (N.to_nat (start t) + (j + s * n) - N.to_nat (start t))
    with (j + s * n) in hrotate by lia.
  rewrite !Nat.mod_add, (Nat.mod_small j n) in hrotate by lia. apply hrotate; nia.
Qed.

(** If the last offset of the head is not the last value, the start is the least, too. *)
Lemma canonical_sound : forall r t,
  Follows r t -> no_shorter_period (values t) = true ->
  (N.to_nat (start t) = r \/
   exists x, Offset r (N.to_nat (start t) - 1) x /\ x <> N.to_nat (List.last (values t) 0%N)) ->
  Canonical r (N.to_nat (start t)) (length (values t)).
Proof.
  intros r t hf hv hlast. split; [now apply follows_periodic |].
  intros s k hp. pose proof (period_divides r t s k hf hv hp) as hd. split; [| exact hd].
  destruct (le_lt_dec (N.to_nat (start t)) s) as [h | h]; [exact h | exfalso].
  assert (hs : r <= s).
  { destruct hp as (_ & hp). now destruct (hp s (le_n s)) as (p & (_ & hs & _) & _). }
  destruct hlast as [hlast | (x & hx & hne)]; [lia |]. apply hne. clear hne.
  pose proof (follows_values r t hf) as hvalues. pose proof (length_positive _ hvalues) as hpos.
  set (n := length (values t)) in *. destruct hd as (j & hd).
  assert (hj : 0 < j) by (destruct hp, j; lia).
  apply (periodic_offset r s k) in hx; [| exact hp | lia].
  assert (hk : n <= k) by nia.
  apply (follows_value r t) in hx; [| exact hf | lia]. rewrite hx, value_at_nth by exact hvalues.
  fold n. rewrite last_nth, nth_numbers. fold n. f_equal.
  replace (N.to_nat (start t) - 1 + k - N.to_nat (start t)) with (n - 1 + (j - 1) * n) by nia.
  rewrite Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.

(** ** A periodic row *)

Lemma tabulated_offsets : forall r t q n,
  Offsets r (N.to_nat q) (tabulate (value t) q n) ->
  forall x, N.to_nat q <= x < N.to_nat q + N.to_nat n ->
    Offset r x (value_at t x) /\ 0 < value_at t x.
Proof.
  intros r t q n h x hx. set (i := x - N.to_nat q).
  assert (hi : i < length (tabulate (value t) q n)) by (rewrite tabulate_length; lia).
  destruct (nth_error (tabulate (value t) q n) i) as [y |] eqn:e.
  - apply h in e as ho. apply tabulate_nth in e as (_ & ->).
    replace (q + N.of_nat i)%N with (N.of_nat x) in ho by lia.
    now replace (N.to_nat q + i) with x in ho by lia.
  - apply nth_error_None in e. lia.
Qed.

Lemma offsets_app : forall r q l l',
  Offsets r q (l ++ l') -> Offsets r q l /\ Offsets r (q + length l) l'.
Proof.
  intros r q l. revert q. induction l as [| b l IH]; intros q l' h; simpl.
  - rewrite Nat.add_0_r. split; [| exact h]. intros i x hi. now destruct i.
  - simpl in h. apply offsets_cons in h as (h1 & h2 & h3). apply IH in h3 as (h3 & h4). split.
    + now apply offsets_cons.
    + now replace (q + S (length l)) with (S q + length l) by lia.
Qed.

(** From the offsets to [recurs], and the period that fact 3 shows: all offsets. *)
Lemma follows_all : forall r t q1 q2, values t <> [] -> r <= N.to_nat (start t) ->
  N.to_nat (start t) <= q1 < q2 ->
  (forall q, N.to_nat (start t) <= q < q2 -> Offset r q (value_at t q)) ->
  Byrnes.Periodic r q1 (q2 - q1) -> Nat.divide (length (values t)) (q2 - q1) ->
  Follows r t.
Proof.
  intros r t q1 q2 hv hr hq ho hp hd. constructor; try assumption.
  induction q as [q IH] using (well_founded_induction lt_wf). intros hs.
  destruct (le_lt_dec q2 q) as [h | h]; [| now apply ho].
  replace q with (q - (q2 - q1) + (q2 - q1)) by lia.
  rewrite value_at_period by (assumption || lia).
  apply (periodic_offset r q1 (q2 - q1) (q - (q2 - q1))); [exact hp | lia |]. apply IH; lia.
Qed.

Lemma periodic_row_is : forall r t head, Follows r t -> AnyOffsets r r head ->
  N.to_nat (start t) = r + length head -> RowIs r head (values t).
Proof.
  intros r t head hf ho hs p q. pose proof (follows_values r t hf) as hv.
  destruct (le_lt_dec (length head) (q - r)) as [hlong | hshort].
  - unfold stated. rewrite numbers_length, (proj2 (Nat.ltb_ge _ _) hlong). rewrite numbers_length.
    assert (hmod : (q - r - length head) mod length (values t) < length (numbers (values t))).
    { rewrite numbers_length. apply Nat.mod_upper_bound. apply length_positive in hv. lia. }
    split.
    + intros hp. apply F_P in hp. assert (hq : r <= q) by (now destruct hp as (_ & hq & _)).
      split; [exact hq |]. apply offset_of_F in hp as (h1 & h2).
      apply (follows_value r t) in h1; [| exact hf | lia].
      exists (p - q). split; [| exact h2]. rewrite h1, value_at_nth by exact hv.
      rewrite (nth_error_nth' _ 0 hmod). do 2 f_equal. f_equal. lia.
    + intros (hq & x & hx & ->). apply (proj1 (F_P _ _ _)).
      rewrite (nth_error_nth' _ 0 hmod) in hx. injection hx as <-.
      assert (h : N.to_nat (start t) <= q) by lia.
      apply (follows_offset r t hf) in h. rewrite value_at_nth in h by exact hv.
      replace (q - N.to_nat (start t)) with (q - r - length head) in h by lia. exact h.
  - split.
    + intros hp. assert (hq : r <= q) by (now apply F_P in hp as (_ & hq & _)).
      split; [exact hq |]. now apply (stated_in_head r q p head (values t)).
    + intros (hq & h). now apply (stated_in_head r q p head (values t)).
Qed.

(** The head and the values up to a column. *)
Lemma last_of_head : forall l : list N, l <> [] ->
  nth_error l (length l - 1) = Some (List.last l 0%N).
Proof.
  intros l h. apply length_positive in h. rewrite last_nth. apply nth_error_nth'. lia.
Qed.

Theorem step_periodic_sound : forall r b row first s vs proof head b', Known r b ->
  step_periodic b row first s vs proof head = Some b' ->
  Known (S r) b' /\ TrueRow r (PeriodicRow row first s vs proof head).
Proof.
  intros r b row first s vs proof head b' hk h. unfold step_periodic in h.
  destruct (structure_is_right _ _ _ _ _ _ _) eqn:e in h; [| discriminate].
  unfold structure_is_right in e. rewrite !andb_true_iff in e.
  destruct e as (((((((((((hrow & hfirst) & hstart) & hshort) & hne) & hlast) & hfrom) & hset)
    & hless) & hlcm) & _) & _).
  apply N.eqb_eq in hrow, hstart, hlcm. apply N.leb_le in hfrom, hset. apply N.ltb_lt in hless.
  rewrite (known_height r b hk) in hrow. subst row. rewrite !count_length in *.
  set (t := Tail s vs) in *. set (f := from proof) in *. set (q2 := recurs proof) in *.
  assert (hvs : vs <> []) by (now destruct vs). clear hne.
  pose proof (length_positive vs hvs) as hpos.
  destruct (columns_to_sound r b q2 hk) as (hc & hfar & hmore).
  destruct (walk _ (head ++ _) _) as [[[passed u] rest] |] eqn:ew in h; [| discriminate].
  destruct (N.eqb_spec u (state_of proof)) as [<- |]; [| discriminate].
  destruct (walk u _ rest) as [[[passed' u'] rest'] |] eqn:ew' in h; [| discriminate].
  destruct (_ && _)%bool eqn:e in h; [| discriminate]. injection h as <-.
  apply andb_prop in e as (hu & hmod). apply N.eqb_eq in hu, hmod. subst u'.
  (* To [from]. *)
  apply (walk_sound _ r r) in ew as [w1 w2 w3 w4 w5 w6 w7];
    try assumption; try apply not_ended_at_first; try apply hk; [| lia].
  rewrite app_length, tabulate_length in *.
  replace (r + (length head + N.to_nat (f - s))) with (N.to_nat f) in * by lia.
  apply offsets_app in w1 as (whead & wstart).
  replace (r + length head) with (N.to_nat s) in wstart by lia.
  pose proof (tabulated_offsets r t s (f - s) wstart) as hto_from.
  (* To [recurs]. *)
  apply (walk_sound _ r (N.to_nat f)) in ew' as [v1 v2 v3 v4 v5 v6 v7];
    try assumption; [| lia].
  rewrite tabulate_length in *.
  replace (N.to_nat f + N.to_nat (q2 - f)) with (N.to_nat q2) in * by lia.
  pose proof (tabulated_offsets r t f (q2 - f) v1) as hto_recurs.
  assert (hstate : forall x, State r (N.to_nat f) x <-> State r (N.to_nat q2) x).
  { intros x. now rewrite <- (w3 x), <- (v3 x). }
  assert (hdivides : Nat.divide (length vs) (N.to_nat q2 - N.to_nat f)).
  { rewrite <- N2Nat.inj_sub, hlcm, <- (Nat2N.id (length vs)) at 1.
    apply divide_to_nat, N.divide_lcm_l. }
  assert (hmodulus : Nat.divide (N.to_nat (modulus proof)) (N.to_nat q2 - N.to_nat f)).
  { rewrite <- N2Nat.inj_sub, hlcm. apply divide_to_nat, N.divide_lcm_r. }
  assert (hperiodic : Byrnes.Periodic r (N.to_nat f) (N.to_nat q2 - N.to_nat f)).
  { apply (fact_3 r (N.to_nat f) (N.to_nat f) (N.to_nat q2)
      (N.to_nat (lowest u (tabulate (value t) f (q2 - f))))
      (N.to_nat (highest (tabulate (value t) f (q2 - f))))
      (N.to_nat (modulus proof))); try assumption; try lia.
    - rewrite hmod. apply window_rule_sound; [exact hk | lia].
    - intros q hq. replace q with (N.to_nat f + (q - N.to_nat f)) by lia.
      apply (window_sound _ r (N.to_nat f)); try assumption; [lia |].
      rewrite tabulate_length. lia. }
  assert (hfollows : Follows r t).
  { apply (follows_all r t (N.to_nat f) (N.to_nat q2)); simpl; try assumption; try lia.
    intros q hq. destruct (le_lt_dec (N.to_nat f) q).
    - apply hto_recurs. lia.
    - apply hto_from. lia. }
  assert (hoffsets : AnyOffsets r r (head ++ vs)).
  { apply any_offsets_app; [now apply any_offsets |]. intros i x hi.
    replace (r + length head + i) with (N.to_nat s + i) by lia.
    apply (follows_value r t); [exact hfollows | simpl; lia |].
    rewrite value_at_nth by exact hvs. simpl.
    replace (N.to_nat s + i - N.to_nat s) with i by lia.
    assert (hi' : i < length vs) by (apply nth_error_Some; congruence).
    rewrite Nat.mod_small by exact hi'. rewrite <- nth_numbers. f_equal.
    symmetry. now apply nth_error_nth. }
  destruct (first_is_first r b first (head ++ vs)) as (hf & hfo); try assumption.
  assert (hcanonical : Canonical r (N.to_nat s) (length vs)).
  { apply (canonical_sound r t hfollows hshort). simpl.
    destruct head as [| x head]; [left; simpl in *; lia | right].
    exists (N.to_nat (List.last (x :: head) 0%N)). split.
    - assert (hx : x :: head <> []) by discriminate.
      pose proof (whead _ _ (last_of_head _ hx)) as (ho & _). simpl in ho, hstart |- *.
      now replace (N.to_nat s - 1) with (r + (length head - 0)) by lia.
    - apply negb_true_iff, N.eqb_neq in hlast. lia. }
  (* After [recurs]. *)
  destruct (enter_sound (tabulate (value t) q2 (N.of_nat (length rest'))) r (N.to_nat q2) rest')
    as (henter & hlength); try assumption.
  { rewrite tabulate_length. lia. }
  { intros i x hi. apply tabulate_nth in hi as (_ & ->).
    replace (q2 + N.of_nat i)%N with (N.of_nat (N.to_nat q2 + i)) by lia.
    change (N.to_nat (value t (N.of_nat (N.to_nat q2 + i)))) with (value_at t (N.to_nat q2 + i)).
    split; [apply (follows_offset r t hfollows); simpl; lia |].
    set (y := N.to_nat f + (N.to_nat q2 + i - N.to_nat f) mod (N.to_nat q2 - N.to_nat f)).
    assert (hy : N.to_nat f <= y < N.to_nat q2).
    { pose proof (Nat.mod_upper_bound (N.to_nat q2 + i - N.to_nat f) (N.to_nat q2 - N.to_nat f)).
      lia. }
    assert (hsame : value_at t (N.to_nat q2 + i) = value_at t y).
    { pose proof (Nat.div_mod_eq (N.to_nat q2 + i - N.to_nat f) (N.to_nat q2 - N.to_nat f)) as hd.
      replace (N.to_nat q2 + i) with
        (y + (N.to_nat q2 - N.to_nat f) *
         ((N.to_nat q2 + i - N.to_nat f) / (N.to_nat q2 - N.to_nat f))) by lia.
      apply value_at_period; [exact hvs | simpl; lia |]. apply Nat.divide_mul_l.
      exact hdivides. }
    rewrite hsame. apply hto_recurs. lia. }
  rewrite count_length. split.
  - apply with_row_sound; try assumption.
    + apply columns_app. split; [exact w4 |]. apply columns_app.
      replace (r + length passed) with (N.to_nat f) by lia. split; [exact v4 |].
      now replace (N.to_nat f + length passed') with (N.to_nat q2) by lia.
    + rewrite !app_length. lia.
    + rewrite !app_length. lia.
    + rewrite !app_length. lia.
    + right. exists t. split; [reflexivity |]. split; [exact hfollows | reflexivity].
  - split; [reflexivity |]. split; [exact hf |]. split; [exact hcanonical |].
    apply (periodic_row_is r t head hfollows); [now apply any_offsets | simpl; lia].
Qed.

(** ** All rows *)

Theorem step_sound : forall r b x b', Known r b -> step b x = Some b' ->
  Known (S r) b' /\ TrueRow r x.
Proof.
  intros r b [row first last head | row first s vs proof head] b' hk h.
  - now apply (step_finite_sound r b row first last head).
  - now apply (step_periodic_sound r b row first s vs proof head).
Qed.

Lemma check_from_sound : forall records r b, Known r b -> check_from b records = true ->
  forall i x, nth_error records i = Some x -> TrueRow (r + i) x.
Proof.
  induction records as [| y records IH]; intros r b hk h i x hi; [now destruct i |].
  simpl in h. destruct (step b y) as [b' |] eqn:e; [| discriminate].
  apply (step_sound r) in e as (hk' & hy); [| exact hk]. destruct i as [| i]; simpl in hi.
  - injection hi as <-. now rewrite Nat.add_0_r.
  - rewrite Nat.add_succ_r. now apply (IH (S r) b').
Qed.

(** The records that the checker accepts are true. *)
Theorem soundness : forall records, check records = true ->
  forall r x, nth_error records r = Some x -> TrueRow r x.
Proof. intros records h r x hr. exact (check_from_sound records 0 _ nothing_below h r x hr). Qed.
