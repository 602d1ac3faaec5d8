(** * The fast checker, many rows at a time

[step_batch] takes the records of some rows, and does what [step_fast] of [FastChecker.v] does for
one after the other; [BatchSoundness.v] proves this. It goes through the columns once: in each
column it computes the cells of all these rows. So a column comes from memory once for all of them,
and their states stay in the cache. *)

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

(** The column before which its last duty but to repeat ends. *)
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

(** ** Rows *)

(** A row of a batch: how many columns come before its own, what is below it but for the columns,
its record, its duty. *)
Record work := Work { wait : N; under : fast; record_of : sealed; duty_now : duty }.

Definition feed_row (w : work) (x : column) : option (work * column) :=
  if wait w =? 0 then
    match feed (under w) (record_of w) (duty_now w) x with
    | NotFed => None
    | Fed d x => Some (Work 0 (under w) (record_of w) d, x)
    end
  else Some (Work (N.pred (wait w)) (under w) (record_of w) (duty_now w), x).

(** The cells of a column, from the lowest row up. *)
Fixpoint feed_rows (ws : list work) (x : column) : option (list work * column) :=
  match ws with
  | [] => Some ([], x)
  | w :: ws =>
      match feed_row w x with
      | None => None
      | Some (w, x) =>
          match feed_rows ws x with
          | None => None
          | Some (ws, x) => Some (w :: ws, x)
          end
      end
  end.

(** All columns. They are returned before [done], the last one first. *)
Fixpoint pass (ws : list work) (columns done : list column) : option (list work * list column) :=
  match columns with
  | [] => Some (ws, done)
  | x :: columns =>
      match feed_rows ws x with
      | None => None
      | Some (ws, x) => pass ws columns (x :: done)
      end
  end.

Definition finished (w : work) : bool :=
  (wait w =? 0) && match duty_now w with Over | Repeats _ => true | _ => false end.

Definition with_columns (f : fast) (columns : list column) (known : N) : fast :=
  Fast (next_row f) (diagonal_words f) columns known (settled f) (long_tails f) (classes f).

Definition bare (f : fast) : fast := with_columns f [] (known f).

(** The rows as they begin, and all but the columns of what is below the next row after them. *)
Fixpoint plan (f : fast) (wait : N) (records : list sealed) : option (list work * fast) :=
  match records with
  | [] => Some ([], f)
  | x :: records =>
      match begin_duty f x with
      | None => None
      | Some d =>
          match plan (after f x []) (N.succ wait) records with
          | None => None
          | Some (ws, f') => Some (Work wait f x d :: ws, f')
          end
      end
  end.

(** The same with columns to before column q, at least. *)
Definition extend (f : fast) (q : N) : fast :=
  with_columns f (fast_columns_to f q) (N.max (known f) q).

(** The rows below the next row, if these records are right. *)
Definition step_batch (f : fast) (records : list sealed) : option fast :=
  let f := extend f (fold_right (fun x q => N.max (needs x) q) 0 records) in
  match plan (bare f) 0 records with
  | None => None
  | Some (ws, f') =>
      match pass ws (columns f) [] with
      | None => None
      | Some (ws, done) =>
          if forallb finished ws
          then Some (with_columns f' (skipn (length records) (rev' done)) (known f')) else None
      end
  end.

Fixpoint check_batches_from (f : fast) (batches : list (list sealed)) : bool :=
  match batches with
  | [] => true
  | x :: batches =>
      match step_batch f x with Some f' => check_batches_from f' batches | None => false end
  end.

Definition check_batches (batches : list (list sealed)) : bool :=
  check_batches_from nothing batches.
