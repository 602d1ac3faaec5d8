(** * The fast checker, column by column

[first_refused] does for all records what [step_fast] of [FastChecker.v] does for one after the
other; [ColumnsSoundness.v] proves this. It computes some columns at a time, in all rows, from the
lowest row up, and then forgets them. So it keeps a state for each row, and not a column for each
column, and both are in the cache when they are used. *)

From Coq Require Import NArith List Bool.
From Chomp Require Import Masks Checker Fingerprints FastChecker.
Import ListNotations.

Local Open Scope N_scope.

(** ** A row *)

Inductive taken := NotTaken | Taken (b : N) (g : progress) (x : column).

(** The last offset of a row and its first one, after one more. *)
Definition push (b : N) (ends : list N) : list N :=
  match ends with
  | [] => [b]
  | [x] | _ :: x :: _ => [b; x]
  end.

(** The offset of a row in a column, and both afterwards. [offsets g] has the last one and the first
one only, and [g] has no columns. *)
Definition cell_in (x : column) (g : progress) : taken :=
  match take x (row_now g) with
  | NoCell => NotTaken
  | Cell p x' s =>
      let b := p - at_column g in
      Taken b (Progress (N.succ (at_column g)) s (sum_low g + b * weight_low x)
        (N.land (sum_high g + b * weight_high x) ones_40) (push b (offsets g)) [] []) x'
  end.

(** What is left to do for a row: [n] offsets of the head, and its last one if the row is finite;
the stated offsets to [from], or to [recurs], of its certificate; its values, from column q on;
nothing. *)
Inductive duty :=
| Head (n : N) (g : progress)
| ToFrom (stated : list N) (g : progress)
| ToRecurs (stated : list N) (g : progress)
| Repeats (q : N)
| Over.

(** *** A periodic row with these numbers, above the rows [f] *)

Definition to_recurs (f : fast) (start : N) (values : list N) (proof : certificate)
    (stated : list N) (g : progress) : option duty :=
  match stated with
  | [] =>
      let again :=
        tabulate (value (Tail start values)) (from proof) (recurs proof - from proof) in
      if state_is (row_now g) (recurs proof) (filled proof) (above proof)
         && (modulus proof
             =? modulus_within (lowest (state_of proof) again) (highest again) (long_tails f))
      then Some (Repeats (recurs proof)) else None
  | _ => Some (ToRecurs stated g)
  end.

Definition to_from (f : fast) (start : N) (values : list N) (proof : certificate)
    (stated : list N) (g : progress) : option duty :=
  match stated with
  | [] =>
      if state_is (row_now g) (from proof) (filled proof) (above proof)
      then
        to_recurs f start values proof
          (tabulate (value (Tail start values)) (from proof) (recurs proof - from proof)) g
      else None
  | _ => Some (ToFrom stated g)
  end.

Definition to_start (f : fast) (row first start : N) (values : list N) (proof : certificate)
    (sum n : N) (g : progress) : option duty :=
  if n =? 0 then
    let ends := rev' (offsets g) in
    if (sum_of g =? sum) && (row <=? start) && (start <=? from proof)
       && structure_is_right (outline f) row first (row + count ends) values proof ends
    then
      to_from f start values proof
        (tabulate (value (Tail start values)) start (from proof - start)) g
    else None
  else Some (Head n g).

(** ** A row in the next column *)

Inductive fed := NotFed | Fed (d : duty) (x : column).

Definition and_column (d : option duty) (x : column) : fed :=
  match d with None => NotFed | Some d => Fed d x end.

Definition feed_finite (f : fast) (first sum : N) (d : duty) (x : column) : fed :=
  match d with
  | Head n g =>
      match cell_in x g with
      | NotTaken => NotFed
      | Taken b g x =>
          if n =? 0 then
            if (b =? 0) && first_is (outline f) first (rev' (offsets g)) && (sum_of g =? sum)
            then Fed Over x else NotFed
          else if b =? 0 then NotFed else Fed (Head (N.pred n) g) x
      end
  | Over => Fed Over x
  | _ => NotFed
  end.

Definition feed_periodic (f : fast) (row first start : N) (values : list N) (proof : certificate)
    (sum : N) (d : duty) (x : column) : fed :=
  match d with
  | Head n g =>
      match cell_in x g with
      | NotTaken => NotFed
      | Taken b g x =>
          if b =? 0 then NotFed
          else and_column (to_start f row first start values proof sum (N.pred n) g) x
      end
  | ToFrom (b :: stated) g =>
      match cell_in x g with
      | NotTaken => NotFed
      | Taken b' g x =>
          if (b =? b') && negb (b =? 0)
          then and_column (to_from f start values proof stated g) x else NotFed
      end
  | ToRecurs (b :: stated) g =>
      match cell_in x g with
      | NotTaken => NotFed
      | Taken b' g x =>
          if (b =? b') && negb (b =? 0)
          then and_column (to_recurs f start values proof stated g) x else NotFed
      end
  | Repeats q =>
      let p := q + value (Tail start values) q in
      Fed (Repeats (N.succ q)) (block x (p / width) (p mod width))
  | _ => NotFed
  end.

Definition feed (f : fast) (x : sealed) (d : duty) (c : column) : fed :=
  match x with
  | SealedFinite _ first _ sum => feed_finite f first sum d c
  | SealedPeriodic row first start values proof sum =>
      feed_periodic f row first start values proof sum d c
  end.

(** The first duty of a row. *)
Definition begin_duty (f : fast) (x : sealed) : option duty :=
  match x with
  | SealedFinite row _ last _ =>
      if (row =? next_row f) && (row <=? last)
      then Some (Head (last - row) (begin_row f [])) else None
  | SealedPeriodic row first start values proof sum =>
      to_start f row first start values proof sum (start - row) (begin_row f [])
  end.

(** The row repeats, or has ended, before this column. *)
Definition needs (x : sealed) : N :=
  match x with
  | SealedFinite _ _ last _ => N.succ last
  | SealedPeriodic _ _ _ _ proof _ => recurs proof
  end.

(** What [step_fast] returns for a right record, if the columns are [columns] then. *)
Definition after (f : fast) (x : sealed) (columns : list column) : fast :=
  match x with
  | SealedFinite row first last sum =>
      with_row_fast f first columns (N.succ last) (N.succ last) (long_tails f) (classes f)
  | SealedPeriodic row first start values proof sum =>
      let k := count values in
      with_row_fast f first columns (recurs proof) start
        (if k =? 1 then long_tails f else Tail start values :: long_tails f)
        (add_values k start values (classes f))
  end.

(** What the rows below repeat after a record. *)
Definition classes_after (l : list class) (x : sealed) : list class :=
  match x with
  | SealedFinite _ _ _ _ => l
  | SealedPeriodic _ _ start values _ _ => add_values (count values) start values l
  end.

(** ** Rows *)

(** A row: what is below it but for columns and classes, its record, its duty. *)
Record work := Work { under : fast; record_of : sealed; duty_now : duty }.

(** The row's number, and that of its first column. *)
Definition own (w : work) : N := next_row (under w).

(** The cells of a row in these columns. *)
Fixpoint run (w : work) (xs : list column) : option (work * list column) :=
  match xs with
  | [] => Some (w, [])
  | x :: xs =>
      match feed (under w) (record_of w) (duty_now w) x with
      | NotFed => None
      | Fed d x =>
          match run (Work (under w) (record_of w) d) xs with
          | None => None
          | Some (w, xs) => Some (w, x :: xs)
          end
      end
  end.

(** *** The same, faster

[run_fast] returns what [run] returns ([FastRuns.v] proves this). While the head of a row is
computed, it does not build a state for each cell, and in the common case it finds the offset in the
first words of the row and of the column. *)

Definition word_fast (x : column) (j : N) : N :=
  if j <? low x then ones
  else if j <? cut x then
    match front x with
    | w :: _ => if j =? low x then w else word x j
    | [] => word x j
    end
  else
    match rear x with
    | w :: _ => if N.succ j =? top x then w else word x j
    | [] => word x j
    end.

Definition put_word_fast (x : column) (j w : N) : column :=
  if j <? cut x then
    match front x with
    | _ :: l =>
        if j =? low x then
          Column (low x) (w :: l) (cut x) (rear x) (top x) (weight_low x) (weight_high x)
        else put_word x j w
    | [] => put_word x j w
    end
  else
    match rear x with
    | _ :: l =>
        if N.succ j =? top x then
          Column (low x) (front x) (cut x) (w :: l) (top x) (weight_low x) (weight_high x)
        else put_word x j w
    | [] => put_word x j w
    end.

(** The state [s] with these words as [partial]. *)
Definition with_partial (s : row_state) (l : words) : row_state :=
  RowState (bottom s) (below_words s) l (roof s).

(** The number, the column afterwards, and the state afterwards, which is s with these words. *)
Inductive cell_fast := NoCellFast | CellFast (p : N) (x : column) (s : row_state) (l : words).

Definition take_plain (x : column) (s : row_state) (l : words) : cell_fast :=
  match take x (with_partial s l) with
  | NoCell => NoCellFast
  | Cell p x s => CellFast p x s (partial s)
  end.

(** What [take x (with_partial s l)] finds. *)
Definition take_fast (x : column) (s : row_state) (l : words) : cell_fast :=
  if low x =? bottom s then
    match l with
    | End => take_plain x s l
    | Word j w rest =>
        let v := word_fast x j in
        let z := N.lor w v in
        if z =? ones then
          match rest with
          | End => take_plain x s l
          | Word j' w' rest =>
              let v := word_fast x j' in
              let z := N.lor w' v in
              let bit := N.ldiff (N.succ z) z in
              let i := N.log2 bit in
              if (z =? ones) || (top x <=? j') || (width <=? i) || (j =? j')
              then take_plain x s l
              else
                let w' := N.lor w' bit in
                CellFast (width * j' + i) (put_word_fast x j' (N.lor v bit)) s
                  (Word j w (if w' =? ones then rest else Word j' w' rest))
          end
        else
          let bit := N.ldiff (N.succ z) z in
          let i := N.log2 bit in
          if (top x <=? j) || (width <=? i) then take_plain x s l
          else
            let w := N.lor w bit in
            CellFast (width * j + i) (put_word_fast x j (N.lor v bit)) s
              (if w =? ones then rest else Word j w rest)
    end
  else take_plain x s l.

(** A row of which n offsets of the head are left, in its next column q; [l] is [partial] of its
state, and the rest of it is that of [s]. *)
Definition in_head (w : work) (n q : N) (s : row_state) (l : words)
    (low high last first : N) : work :=
  Work (under w) (record_of w)
    (Head n (Progress q (with_partial s l) low high [last; first] [] [])).

(** [run] of such a row. *)
Fixpoint run_head (w : work) (n q : N) (s : row_state) (l : words) (low high last first : N)
    (xs : list column) : option (work * list column) :=
  match xs with
  | [] => run (in_head w n q s l low high last first) []
  | x :: rest =>
      if n <=? 1 then run (in_head w n q s l low high last first) xs
      else
        match take_fast x s l with
        | NoCellFast => None
        | CellFast p x' s l =>
            let b := p - q in
            if b =? 0 then None
            else
              match
                run_head w (N.pred n) (N.succ q) s l (low + b * weight_low x)
                  (N.land (high + b * weight_high x) ones_40) b first rest
              with
              | None => None
              | Some (w, rest) => Some (w, x' :: rest)
              end
        end
  end.

Definition run_fast (w : work) (xs : list column) : option (work * list column) :=
  match duty_now w with
  | Head n (Progress at_q s low_sum high_sum [last; first] [] []) =>
      run_head w n at_q s (partial s) low_sum high_sum last first xs
  | _ => run w xs
  end.

(** The same, if the row begins after the first k columns. *)
Fixpoint run_from (w : work) (k : N) (xs : list column) : option (work * list column) :=
  if k =? 0 then run_fast w xs
  else
    match xs with
    | [] => Some (w, [])
    | x :: xs =>
        match run_from w (N.pred k) xs with
        | None => None
        | Some (w, xs) => Some (w, x :: xs)
        end
    end.

Inductive outcome := Refuses (row : N) | Goes (ws : list work).

(** The cells of the columns from q to before [past] in the rows that have begun by then; [done] are
the rows below, the last one first. *)
Fixpoint run_rows (ws : list work) (q past : N) (xs : list column) (done : list work) : outcome :=
  match ws with
  | [] => Goes (rev_append done [])
  | w :: rest =>
      if past <=? own w then Goes (rev_append done ws)
      else
        match run_from w (own w - q) xs with
        | None => Refuses (own w)
        | Some (w, xs) => run_rows rest q past xs (w :: done)
        end
  end.

(** The row is as its record states, if it is in the columns before q. *)
Definition right_by (q : N) (w : work) : bool :=
  (needs (record_of w) <=? q)
  && match duty_now w with Over | Repeats _ => true | _ => false end.

(** The lowest rows that are right become classes. *)
Fixpoint absorb (q : N) (ws : list work) (l : list class) : list work * list class :=
  match ws with
  | [] => ([], l)
  | w :: rest =>
      if right_by q w then absorb q rest (classes_after l (record_of w)) else (ws, l)
  end.

(** How many columns go together. *)
Definition group : N := 64.

Definition new_group (l : list class) (q : N) : list column :=
  map (new_column l) (tabulate (fun q => q) q group).

Inductive swept := Stopped (row : N) | Swept (ws : list work) (l : list class).

(** The next group of columns, from column q on. *)
Definition next_group (ws : list work) (l : list class) (q : N) : swept :=
  let (ws, l) := absorb q ws l in
  match run_rows ws q (q + group) (new_group l q) [] with
  | Refuses row => Stopped row
  | Goes ws => Swept ws l
  end.

(** The next n groups of columns. *)
Fixpoint run_groups (n : nat) (ws : list work) (l : list class) (q : N) : outcome :=
  match n with
  | O => Goes ws
  | S n =>
      match next_group ws l q with
      | Stopped row => Refuses row
      | Swept ws l => run_groups n ws l (q + group)
      end
  end.

(** ** All records *)

(** What is below a row, but for columns and classes. *)
Definition bare (f : fast) : fast :=
  Fast (next_row f) (diagonal_words f) [] 0 (settled f) (long_tails f) [].

(** The rows that have been read, the last one first; what is below the next one; how many columns
they need. *)
Record reading := Reading { works : list work; above_all : fast; far : N }.

Definition none_read : reading := Reading [] nothing 0.

(** One record more. *)
Definition read (s : reading) (x : sealed) : option reading :=
  match begin_duty (above_all s) x with
  | None => None
  | Some d =>
      Some (Reading (Work (above_all s) x d :: works s) (bare (after (above_all s) x []))
        (N.max (far s) (needs x)))
  end.

(** The rows that have been read, the lowest one first. *)
Definition in_order (s : reading) : list work := rev' (works s).

(** The number of groups of their columns. *)
Definition groups (s : reading) : N := N.succ (far s / group).

(** The lowest of these rows that is not as its record states in the columns before q. *)
Definition first_wrong (q : N) (ws : list work) : option N :=
  option_map own (List.find (fun w => negb (right_by q w)) ws).

(** [None] if all records are right; otherwise a row whose record, or one below, is wrong. *)
Definition first_refused (s : reading) : option N :=
  match run_groups (N.to_nat (groups s)) (in_order s) [] 0 with
  | Refuses row => Some row
  | Goes ws => first_wrong (group * groups s) ws
  end.

Fixpoint read_all (s : reading) (records : list sealed) : option reading :=
  match records with
  | [] => Some s
  | x :: records => match read s x with None => None | Some s => read_all s records end
  end.

Definition check_by_columns (records : list sealed) : bool :=
  match read_all none_read records with
  | None => false
  | Some s => match first_refused s with None => true | Some _ => false end
  end.
