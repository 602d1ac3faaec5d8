(** * A fast checker of records with fingerprints

[step_fast] succeeds only if a step of [check_sealed] does ([FastSoundness.v] proves this). The
offsets of a cell are found in constant time in practice: sets are lists of words of 62 bits, which
zarith keeps in a machine word. A cell looks only at the words of its column and of its row in which
its number can be. [ByColumns.v] takes the cells in another order.

Here sets have numbers p as members, and not offsets [p - q], so that they do not change from column
to column. Word j has the numbers from [62 * j] on. A column forgets the words that are full, and a
row of the checker keeps those words only that are neither full nor empty. *)

From Coq Require Import NArith List Bool.
From Chomp Require Import Masks Checker Fingerprints.
Import ListNotations.

Local Open Scope N_scope.

Definition width : N := 62.
Definition ones : N := N.ones 62.

(** ** Columns *)

(** The numbers that column q blocks. The words before word [low] count as full. [front] has the
words from [low] to before [cut], [rear] those from [cut] to before [top], the last one first. Words
from [top] on are empty. The weight w(q) is [weight_low + 2^24 * weight_high]. *)
Record column := Column {
  low : N;
  front : list N;
  cut : N;
  rear : list N;
  top : N;
  weight_low : N;
  weight_high : N;
}.

Definition word (x : column) (j : N) : N :=
  if j <? low x then ones
  else if j <? cut x then at_place (front x) (j - low x)
  else if j <? top x then at_place (rear x) (top x - N.succ j)
  else 0.

Fixpoint put_place (l : list N) (i w : N) : list N :=
  match l with
  | [] => []
  | y :: l => if i =? 0 then w :: l else y :: put_place l (N.pred i) w
  end.

(** The column with words up to word j. *)
Definition reach (x : column) (j : N) : column :=
  if j <? top x then x
  else Column (low x) (front x) (cut x) (N.iter (N.succ j - top x) (cons 0) (rear x)) (N.succ j)
    (weight_low x) (weight_high x).

(** Word j is [w] now; [low x <= j < top x]. *)
Definition put_word (x : column) (j w : N) : column :=
  if j <? cut x then
    Column (low x) (put_place (front x) (j - low x) w) (cut x) (rear x) (top x)
      (weight_low x) (weight_high x)
  else
    Column (low x) (front x) (cut x) (put_place (rear x) (top x - N.succ j) w) (top x)
      (weight_low x) (weight_high x).

(** Bit i of word j is 1 now. *)
Definition block (x : column) (j i : N) : column :=
  if j <? low x then x
  else let x := reach x j in put_word x j (N.setbit (word x j) i).

(** If [front] is empty, all words but the last three of [rear] become [front]. *)
Definition refill (x : column) : column :=
  match front x with
  | [] =>
      let last := firstn 3 (rear x) in
      Column (low x) (rev' (skipn 3 (rear x))) (top x - count last) last (top x)
        (weight_low x) (weight_high x)
  | _ => x
  end.

(** ** Words by their numbers *)

Inductive words := End | Word (j w : N) (rest : words).

Fixpoint word_of (l : words) (j : N) : N :=
  match l with
  | End => 0
  | Word i w l => if i =? j then w else word_of l j
  end.

Fixpoint append (l : words) (j w : N) : words :=
  match l with
  | End => Word j w End
  | Word k v l => Word k v (append l j w)
  end.

(** ** The state of a row

The numbers that 0, the diagonal and the row's past block: in the words before [bottom] those of
[below_words]; in the words from [bottom] to before [roof] all but those that a word of [partial]
leaves free; from [roof] on none. [partial] ascends. *)
Record row_state := RowState {
  bottom : N;
  below_words : words;
  partial : words;
  roof : N;
}.

(** The words of a diagonal descend, so no word of it has this number or a greater one. *)
Definition past_first (l : words) : N := match l with End => 0 | Word j _ _ => N.succ j end.

(** The state of a row that has taken nothing. *)
Definition first_state (diagonal : words) : row_state :=
  let bottom := past_first diagonal in RowState bottom diagonal End bottom.

(** Forgets the words of a column before [bottom] that the column and the diagonal fill. *)
Fixpoint drop_full (below : words) (bottom low : N) (front : list N) : N * list N :=
  match front with
  | [] => (low, [])
  | w :: rest =>
      if (low <? bottom) && (N.lor w (word_of below low) =? ones)
      then drop_full below bottom (N.succ low) rest else (low, front)
  end.

Definition forget (x : column) (s : row_state) : column :=
  if low x <? bottom s then
    let x := refill x in
    let '(l, f) := drop_full (below_words s) (bottom s) (low x) (front x) in
    Column l f (cut x) (rear x) (top x) (weight_low x) (weight_high x)
  else x.

(** One word less before [bottom]. *)
Definition grow_down (s : row_state) : row_state :=
  let j := N.pred (bottom s) in
  match below_words s with
  | Word i w rest =>
      if i =? j then RowState j rest (Word j w (partial s)) (roof s)
      else RowState j (below_words s) (Word j (word_of (below_words s) j) (partial s)) (roof s)
  | End => RowState j End (Word j 0 (partial s)) (roof s)
  end.

(** One word more before [roof]. *)
Definition grow_up (s : row_state) : row_state :=
  RowState (bottom s) (below_words s) (append (partial s) (roof s) 0) (N.succ (roof s)).

(** More words than a state ever has. If a loop takes more steps, the checker gives up. *)
Definition steps : nat := N.to_nat 100000.

Fixpoint grow_down_to (n : nat) (goal : N) (s : row_state) : option row_state :=
  if bottom s <=? goal then Some s
  else match n with O => None | S n => grow_down_to n goal (grow_down s) end.

Inductive place := Nowhere | At (j i : N).

(** The first bit that neither the words nor the column have. *)
Fixpoint first_free (x : column) (l : words) : place :=
  match l with
  | End => Nowhere
  | Word j w l =>
      let z := N.lor w (word x j) in if z =? ones then first_free x l else At j (mex z)
  end.

Fixpoint find (n : nat) (x : column) (s : row_state) : option (row_state * N * N) :=
  match first_free x (partial s) with
  | At j i => if i <? width then Some (s, j, i) else None
  | Nowhere => match n with O => None | S n => find n x (grow_up s) end
  end.

Fixpoint set_bit (l : words) (j i : N) : words :=
  match l with
  | End => End
  | Word k w l =>
      if k =? j then let w := N.setbit w i in if w =? ones then l else Word k w l
      else Word k w (set_bit l j i)
  end.

Inductive cell := NoCell | Cell (p : N) (x : column) (s : row_state).

(** The number that a row takes in a column, and both afterwards. *)
Definition take (x : column) (s : row_state) : cell :=
  let x := forget x s in
  match grow_down_to steps (low x) s with
  | None => NoCell
  | Some s =>
      match find steps x s with
      | None => NoCell
      | Some (s, j, i) =>
          Cell (width * j + i) (block x j i)
            (RowState (bottom s) (below_words s) (set_bit (partial s) j i) (roof s))
      end
  end.

(** ** A row *)

Definition ones_40 : N := N.ones 40.
Definition places_24 : N := 2 ^ 24.

(** After some cells of a row: the next column, its state, the weighted sum so far as
[sum_low + 2^24 * sum_high] modulo 2^64, and the offsets and columns passed, last ones first. *)
Record progress := Progress {
  at_column : N;
  row_now : row_state;
  sum_low : N;
  sum_high : N;
  offsets : list N;
  passed : list column;
  rest : list column;
}.

(** The offset of the next column is computed. *)
Definition next_cell (g : progress) : option (N * progress) :=
  match rest g with
  | [] => None
  | x :: rest =>
      match take x (row_now g) with
      | NoCell => None
      | Cell p x' s =>
          let b := p - at_column g in
          Some (b, Progress (N.succ (at_column g)) s (sum_low g + b * weight_low x)
            (N.land (sum_high g + b * weight_high x) ones_40)
            (b :: offsets g) (x' :: passed g) rest)
      end
  end.

(** n offsets, none of them 0. *)
Fixpoint compute_fast (columns : list column) (n : N) (g : progress) : option progress :=
  if n =? 0 then Some g
  else
    match columns with
    | [] => None
    | _ :: columns =>
        match next_cell g with
        | Some (b, g) => if b =? 0 then None else compute_fast columns (N.pred n) g
        | None => None
        end
    end.

(** These offsets, none of them 0. *)
Fixpoint follow (stated : list N) (g : progress) : option progress :=
  match stated with
  | [] => Some g
  | b :: stated =>
      match next_cell g with
      | Some (b', g) => if (b =? b') && negb (b =? 0) then follow stated g else None
      | None => None
      end
  end.

Definition sum_of (g : progress) : N := modulo_2_64 (sum_low g + places_24 * sum_high g).

(** *** Comparison with the state of a certificate *)

Fixpoint numbers_from (x : N) (n : nat) : list N :=
  match n with O => [] | S n => x :: numbers_from (N.succ x) n end.

(** Whether p is blocked, if it is in the words from [bottom] to before [roof]. *)
Fixpoint in_partial (l : words) (j i : N) : bool :=
  match l with
  | End => true
  | Word k w l => if k =? j then N.testbit w i else in_partial l j i
  end.

Definition is_blocked (s : row_state) (p : N) : bool :=
  in_partial (partial s) (p / width) (p mod width).

(** All numbers that are less than p and from q on, and in these words, are blocked. *)
Fixpoint filled_to (l : words) (q p : N) : bool :=
  match l with
  | End => true
  | Word j w l =>
      (if width * j <? p
       then forallb (fun i => N.testbit w i || (width * j + i <? q) || (p <=? width * j + i))
              (numbers_from 0 62)
       else true) && filled_to l q p
  end.

(** The state blocks the numbers from q on that this set of offsets has: those less than [filled],
and [above]. *)
Definition state_is (s : row_state) (q filled : N) (above : list N) : bool :=
  match grow_down_to steps (q / width) s with
  | None => false
  | Some s =>
      let far := width * roof s in
      (q + filled <=? far) && forallb (fun x => q + x <? far) above
      && filled_to (partial s) q (q + filled)
      && forallb (fun p => Bool.eqb (is_blocked s p) (existsb (N.eqb (p - q)) above))
           (numbers_from (q + filled) (N.to_nat (far - (q + filled))))
  end.

(** ** The rows below *)

(** The offsets that rows of period [period] have in the columns q with [q mod period = residue]. *)
Record class := Class { period : N; residue : N; mask : N }.

Fixpoint add_to_class (k a v : N) (l : list class) : list class :=
  match l with
  | [] => [Class k a (N.setbit 0 v)]
  | c :: l =>
      if (period c =? k) && (residue c =? a) then Class k a (N.setbit (mask c) v) :: l
      else c :: add_to_class k a v l
  end.

(** The values of a row of period [k] from column q on. *)
Fixpoint add_values (k q : N) (values : list N) (l : list class) : list class :=
  match values with
  | [] => l
  | v :: values => add_values k (N.succ q) values (add_to_class k (q mod k) v l)
  end.

(** The offsets that the classes have in column q. *)
Definition mask_of (classes : list class) (q : N) : N :=
  fold_right (fun c x => if q mod period c =? residue c then N.lor (mask c) x else x) 0 classes.

(** The first 2^k words of a number. *)
Fixpoint split (k : nat) (z : N) : list N :=
  match k with
  | O => [N.land z ones]
  | S k =>
      let places := width * 2 ^ N.of_nat k in
      split k (N.land z (N.ones places)) ++ split k (N.shiftr z places)
  end.

Definition words_of (z : N) : list N := split (N.to_nat (N.size (N.size z / width))) z.

Fixpoint without_zeros (l : list N) : list N :=
  match l with
  | w :: l' => if w =? 0 then without_zeros l' else l
  | [] => []
  end.

(** Column q, if all rows below have settled. The numbers less than q count as blocked. *)
Definition new_column (classes : list class) (q : N) : column :=
  let places := q mod width in
  let z := N.lor (N.shiftl (mask_of classes q) places) (N.ones places) in
  let rear := without_zeros (rev' (words_of z)) in
  let w := column_weight q in
  Column (q / width) [] (q / width) rear (q / width + count rear)
    (N.land w (N.ones 24)) (N.shiftr w 24).

Record fast := Fast {
  next_row : N;
  (** The words of the diagonal values and 0, in descending order. *)
  diagonal_words : words;
  (** From column [next_row] on. *)
  columns : list column;
  (** The first column after them. *)
  known : N;
  settled : N;
  (** The rows with a period greater than 1. *)
  long_tails : list row_tail;
  classes : list class;
}.

Definition nothing : fast := Fast 0 (Word 0 1 End) [] 0 0 [] [].

Definition fast_columns_to (b : fast) (q : N) : list column :=
  if q <=? known b then columns b
  else columns b ++ map (new_column (classes b)) (tabulate (fun q => q) (known b) (q - known b)).

Fixpoint insert (l : words) (j i : N) : words :=
  match l with
  | End => Word j (N.setbit 0 i) End
  | Word k w l' =>
      if k =? j then Word k (N.setbit w i) l'
      else if k <? j then Word j (N.setbit (word_of l j) i) l
      else Word k w (insert l' j i)
  end.

(** The columns from q on, with the values of a row. *)
Fixpoint enter_fast (t : row_tail) (q : N) (columns : list column) : list column :=
  match columns with
  | [] => []
  | x :: columns =>
      let p := q + value t q in
      block x (p / width) (p mod width) :: enter_fast t (N.succ q) columns
  end.

Definition begin_row (b : fast) (columns : list column) : progress :=
  Progress (next_row b) (first_state (diagonal_words b)) 0 0 [] [] columns.

(** What [Checker.v] looks at in the structure of a record. *)
Definition outline (b : fast) : below := Below (next_row b) 0 [] (settled b) [].

Definition with_row_fast (b : fast) (first : N) (columns : list column) (past settles : N)
    (long : list row_tail) (classes : list class) : fast :=
  Fast (N.succ (next_row b)) (insert (diagonal_words b) (first / width) (first mod width))
    (tl columns) (N.max (known b) past) (N.max (settled b) settles) long classes.

Definition fast_finite (b : fast) (row first last sum : N) : option fast :=
  if (row =? next_row b) && (row <=? last) then
    let columns := fast_columns_to b (N.succ last) in
    match compute_fast columns (last - row) (begin_row b columns) with
    | None => None
    | Some g =>
        match next_cell g with
        | None => None
        | Some (x, g) =>
            if (x =? 0) && first_is (outline b) first (rev' (offsets g)) && (sum_of g =? sum)
            then Some (with_row_fast b first (rev_append (passed g) (rest g)) (N.succ last)
                         (N.succ last) (long_tails b) (classes b))
            else None
        end
    end
  else None.

Definition fast_periodic (b : fast) (row first start : N) (values : list N) (proof : certificate)
    (sum : N) : option fast :=
  let columns := fast_columns_to b (recurs proof) in
  match compute_fast columns (start - row) (begin_row b columns) with
  | None => None
  | Some g =>
      if (sum_of g =? sum)
         && structure_is_right (outline b) row first start values proof (rev' (offsets g))
      then
        let this := Tail start values in
        let to_recurs := tabulate (value this) (from proof) (recurs proof - from proof) in
        match follow (tabulate (value this) start (from proof - start)) g with
        | None => None
        | Some g =>
            if state_is (row_now g) (from proof) (filled proof) (above proof) then
              match follow to_recurs g with
              | None => None
              | Some g =>
                  if state_is (row_now g) (recurs proof) (filled proof) (above proof)
                     && (modulus proof
                         =? modulus_within (lowest (state_of proof) to_recurs)
                              (highest to_recurs) (long_tails b))
                  then
                    let k := count values in
                    Some (with_row_fast b first
                      (rev_append (passed g) (enter_fast this (recurs proof) (rest g)))
                      (recurs proof) start
                      (if k =? 1 then long_tails b else this :: long_tails b)
                      (add_values k start values (classes b)))
                  else None
              end
            else None
        end
      else None
  end.

(** The rows below the next row, if this record is right. *)
Definition step_fast (b : fast) (x : sealed) : option fast :=
  match x with
  | SealedFinite row first last sum => fast_finite b row first last sum
  | SealedPeriodic row first start values proof sum =>
      fast_periodic b row first start values proof sum
  end.
