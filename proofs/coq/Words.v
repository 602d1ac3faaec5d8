(** * Words

5.3 and 5.4 of [cascade.md]. In a cluster without a row with more than one hole, the finite rows
determine a word, and the pattern of a row is one of the patterns of its word. *)

From Coq Require Import Arith List ZArith Lia Bool.
From Chomp Require Import Recurrence Byrnes Counting Uniqueness Laws FarColumns Cascade.
Import ListNotations.

Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** A row that stands is constant, and one that moves takes out a ball. *)
Inductive letter : Set := s | A.

(** The laws of a word, which is given from its last letter on. The word [k:] of [cascade.md] is k
letters s here. *)
Inductive LawOfWord : list letter -> (Z -> nat) -> (Z -> nat) -> Prop :=
| law_none : LawOfWord [] (fun _ => O) (fun _ => 1%nat)
| law_s l e w : LawOfWord l e w ->
    LawOfWord (s :: l) (fun q => S (e q)) (fun x => S (w (x + 1)))
| law_A l e w (V : Z -> bool) : LawOfWord l e w ->
    BallsIn V w 1 -> (forall x, V (next w x) = V x) ->
    LawOfWord (A :: l) (fun q => if V q then O else S (e q))
      (fun x => if V (x + 1) then 1%nat else S (w (x + 1))).

Section Words.

Variable h : nat -> Z.
Hypothesis queue : Queue h.

(** The letters of the rows below row r, in the cluster that includes row r or ends below it. *)
Inductive Word : nat -> list letter -> Prop :=
| word_0 : Word 0 []
| word_reset r : ~ Ends r -> h r < 0 -> Word (S r) [s]
| word_finite r l : Ends r -> Word r l -> Word (S r) l
| word_s r l : ~ Ends r -> h r = 0 -> Word r l -> Word (S r) (s :: l)
| word_A r l : ~ Ends r -> h r = 1 -> Word r l -> Word (S r) (A :: l).

(** As long as no row has more than one hole, the rows have words. *)
Lemma word_exists : forall b r, (exists l, Word b l) -> (b <= r)%nat ->
  (forall c, (b <= c < r)%nat -> ~ Ends c -> h c <= 1) -> exists l, Word r l.
Proof.
  intros b r hb. induction r as [| r IH]; intros hr hc.
  - now replace O with b by lia.
  - destruct (Nat.eq_dec b (S r)) as [-> |]; [exact hb |].
    destruct IH as (l & hl); [lia | intros c hcr; apply hc; lia |].
    destruct (ends_or_not r) as [he | he]; [exists l; now constructor |].
    pose proof (hc r ltac:(lia) he). destruct (Z_lt_ge_dec (h r) 0) as [hneg |].
    + exists [s]. now constructor.
    + destruct (Z.eq_dec (h r) 0) as [h0 |]; [exists (s :: l) | exists (A :: l)].
      * now constructor.
      * constructor; [exact he | lia | exact hl].
Qed.

Lemma law_ext : forall r m N e w e1 w1, (forall q, e q = e1 q) -> (forall x, w x = w1 x) ->
  LawOfRows r m N e w -> LawOfRows r m N e1 w1.
Proof.
  intros r m N e w e1 w1 he hw ((k & hk & pe & pw) & hf & hn & balls & X & hX).
  unfold fell, next in *. split; [exists k; split; [exact hk | split] |].
  - intros q. now rewrite <- !he.
  - intros x. now rewrite <- !hw.
  - split; [| split; [| split]].
    + intros q. unfold fell, next. now rewrite <- he, <- hw.
    + intros x. unfold fell, next. now rewrite <- hw, <- he.
    + intros q. generalize (balls q). apply counts_ext. intros j. unfold Last. now rewrite hw.
    + exists X. intros q hq. destruct (hX q hq) as (h1 & h2 & h3 & h4). rewrite <- he.
      split; [exact h1 |]. split; [exact h2 |]. split; [exact h3 |].
      intros x d. unfold next. rewrite <- hw. apply h4.
Qed.

Lemma law_positive : forall r m N e w, LawOfRows r m N e w -> forall x, (1 <= w x)%nat.
Proof.
  intros r m N e w (_ & _ & hn & _) x. specialize (hn x). unfold fell, next in hn. lia.
Qed.

(** The rows below row r obey a law of their word. *)
Theorem law_of_word : forall r l, Word r l -> exists m N e w f, LawOfRows r m N e w /\
  LawOfWord l e w /\ Counts (fun c => (c < r)%nat /\ Ends c) f /\ Z.of_nat m = f + h r.
Proof.
  pose proof queue as (h0 & hq). intros r l hw.
  induction hw as [| r he hr | r l he hw IH | r l he hr hw IH | r l he hr hw IH].
  - exists O, 1%nat, (fun _ => O), (fun _ => 1%nat), O. split; [exact law_of_no_rows |].
    split; [constructor |]. split; [apply counts_none; lia | rewrite h0; lia].
  - destruct (state_exists h queue r) as (m & N & (e & w & hl) & f & hf & hm).
    destruct (next_law r m N e w f he hl hf) as (P & v & _ & [(h1 & _ & h3) | (h1 & _)]); [| lia].
    exists (1 + f)%nat, 2%nat, (fun _ => 1%nat), (fun _ => 2%nat), f. split; [exact h3 |].
    split; [apply (law_s [] (fun _ => O) (fun _ => 1%nat)); constructor |].
    split; [exact (proj2 (count_next r f hf) he) |].
    rewrite (proj2 (hq r) he). lia.
  - destruct IH as (m & N & e & w & f & hl & hlw & hf & hm). exists m, N, e, w, (f + 1)%nat.
    split; [now apply next_law_after_finite |]. split; [exact hlw |].
    split; [exact (proj1 (count_next r f hf) he) |]. rewrite (proj1 (hq r) he). lia.
  - destruct IH as (m & N & e & w & f & hl & hlw & hf & hm).
    destruct (next_law r m N e w f he hl hf) as (P & v & _ &
      [(h1 & _) | (h1 & _ & _ & g & h3 & h4 & _ & _ & _ & h7)]); [lia |].
    assert (g = O) by lia. subst g.
    assert (none : forall q, V v m q = false)
      by (intros q; exact (no_balls _ _ q (law_positive _ _ _ _ _ hl) h3)).
    exists (S m), (N + 1 - 0)%nat, (fun q => S (e q)), (fun x => S (w (x + 1))), f. split.
    + revert h7. apply law_ext; intros x; [unfold e' | unfold w']; now rewrite none.
    + split; [now constructor |]. split; [exact (proj2 (count_next r f hf) he) |].
      rewrite (proj2 (hq r) he). lia.
  - destruct IH as (m & N & e & w & f & hl & hlw & hf & hm).
    destruct (next_law r m N e w f he hl hf) as (P & v & _ &
      [(h1 & _) | (h1 & closed & _ & g & h3 & h4 & _ & h6 & _ & h7)]); [lia |].
    assert (g = 1%nat) by (specialize (h6 ltac:(lia)); lia). subst g.
    exists (S m), (N + 1 - 1)%nat, (e' v m e), (w' v m w), f. split; [exact h7 |].
    split; [exact (law_A l e w (V v m) hlw h3 closed) |]. split; [now apply count_next |].
    rewrite (proj2 (hq r) he). lia.
Qed.

(** 5.4: the row that is next after these letters has the letter s and is constant, or it has the
letter A, and its values are those of 2.2, for a ball of a law of the word. Its mean is 1 + f. *)
Theorem pattern_of_word : forall r l, ~ Ends r -> Word r l -> h r = 0 \/ h r = 1 ->
  exists P v f, Continues r P v /\ Counts (fun c => (c < r)%nat /\ Ends c) f /\
    ((h r = 0 /\ forall q, v q = 1 + f)%nat \/
     h r = 1 /\ exists e w V, LawOfWord l e w /\ BallsIn V w 1 /\
       (forall x, V (next w x) = V x) /\
       forall q, if V q then (v q + e q = 1 + f)%nat else v q = (2 + f)%nat).
Proof.
  intros r l he hw hr. destruct (law_of_word r l hw) as (m & N & e & w & f & hl & hlw & hf & hm).
  destruct (next_law r m N e w f he hl hf) as (P & v & hv &
    [(h1 & _) | (h1 & closed & hV & g & h3 & h4 & _ & h6 & h7 & _)]); [lia |].
  exists P, v, f. split; [exact hv |]. split; [exact hf |]. destruct hr as [hr | hr].
  - left. split; [exact hr |]. assert (g = O) by lia. subst g. intros q.
    rewrite hV; [lia |]. exact (no_balls _ _ q (law_positive _ _ _ _ _ hl) h3).
  - right. split; [exact hr |]. assert (g = 1%nat) by (specialize (h6 ltac:(lia)); lia). subst g.
    exists e, w, (V v m). split; [exact hlw |]. split; [exact h3 |]. split; [exact closed |].
    intros q. destruct (V v m q) eqn:ev.
    + rewrite (h7 ltac:(lia) q ev). lia.
    + rewrite (hV q ev). lia.
Qed.

End Words.
