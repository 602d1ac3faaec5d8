(** * What the checker accepts is true

[soundness]: if [check records] is [true], then the r-th record states the P-positions of row r, all
of them and no others; its last column if it is finite; and its least start and least period if it
is periodic. The induction over the rows is that of fact 9: what the rows below block in a column is
right, so the offsets that are computed are, and fact 3 gives the rest of a periodic row. *)

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

(** The members of the list are what the rows below r block in the columns q, q + 1, ... *)
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

(** The offset of a column is the mex of what is blocked. *)
Lemma mask_offset : forall r q u c, r <= q -> ~ Ended r q ->
  Mask u (State r q) -> Mask c (Column r q) -> Offset r q (N.to_nat (mex (N.lor u c))).
Proof.
  intros r q u c hq he hu hc. apply offset_is_mex; try assumption.
  apply mex_is_mex. now apply mask_union.
Qed.

(** What a walk shows. *)
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

(** The window of a walk holds what it is to hold. *)
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

(** ** What is known of the rows below *)

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
  - intros i. unfold State, RowBlocked. change 1%N with (2 ^ 0)%N. rewrite N.pow2_bits_eqb, N.eqb_eq.
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

(** What a row has to bring to be counted among the rows below the next one. *)
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
