(** * A checker of records

[check records = true] if the records of rows 0, 1, 2, ... are true. For each row it computes by
fact 1 the offsets up to the last column of a finite row, or to [recurs] of a periodic one. The
offsets after that follow by fact 3. This file is the program; [Soundness.v] and [Completeness.v]
prove that it is right.

Sets of offsets are binary numbers ([Masks.v]). For each column from that of the current row on, the
program needs the set of the offsets that the rows below have there. It keeps these sets at least up
to the column where all rows below have settled. Those of later columns follow from the values of
the periodic rows. *)

From Coq Require Import NArith List Bool.
From Chomp Require Import Masks.
Import ListNotations.

Local Open Scope N_scope.

(** ** Records, as in [docs/FORMAT.md], with heads that list offsets *)

Record certificate := Certificate {
  from : N;
  recurs : N;
  modulus : N;
  filled : N;
  above : list N;
}.

Inductive record :=
| FiniteRow (row first last : N) (head : list N)
| PeriodicRow (row first start : N) (values : list N) (proof : certificate) (head : list N).

(** The set U(from), which [filled] and [above] of a certificate represent. *)
Definition state_of (c : certificate) : N := with_all (above c) (N.ones (filled c)).

(** ** Lists *)

Definition count {A : Type} (l : list A) : N := fold_right (fun _ n => N.succ n) 0 l.

Fixpoint at_place (l : list N) (i : N) : N :=
  match l with
  | [] => 0
  | x :: l => if i =? 0 then x else at_place l (N.pred i)
  end.

(** [f q], [f (q+1)], ..., [n] of them. *)
Definition tabulate (f : N -> N) (q n : N) : list N :=
  snd (N.iter n (fun '(q, l) => (N.pred q, f (N.pred q) :: l)) (q + n, [])).

Fixpoint equal_lists (l l' : list N) : bool :=
  match l, l' with
  | [], [] => true
  | x :: l, x' :: l' => (x =? x') && equal_lists l l'
  | _, _ => false
  end.

(** [n < x1 < x2 < ...] *)
Fixpoint ascends (n : N) (l : list N) : bool :=
  match l with
  | [] => true
  | x :: l => (n <? x) && ascends x l
  end.

(** No rotation of [before ++ after] that begins with a member of [after] is equal to [values]. If
[before] is empty, the list itself does not count as a rotation. *)
Fixpoint rotations_differ (values before after : list N) : bool :=
  match after with
  | [] => true
  | x :: rest =>
      negb (match before with [] => false | _ => equal_lists (after ++ before) values end)
      && rotations_differ values (before ++ [x]) rest
  end.

Definition no_shorter_period (values : list N) : bool := rotations_differ values [] values.

(** ** The rows below *)

(** A periodic row from its start on. *)
Record row_tail := Tail { start : N; values : list N }.

Definition value (t : row_tail) (q : N) : N :=
  at_place (values t) ((q - start t) mod count (values t)).

Record below := Below {
  (** Their number, which is the number of the current row and of its first column. *)
  height : N;
  (** The offsets that the diagonal and 0 block in that column. *)
  diagonal : N;
  (** The offsets that the rows below block in that column, in the next one, and so on. *)
  columns : list N;
  (** From this column on each row below has ended or repeats. *)
  settled : N;
  (** The rows that repeat. *)
  tails : list row_tail;
}.

Definition none_below : below := Below 0 1 [] 0 [].

(** The offsets that the rows below block in a column from [settled] on. *)
Definition column_of (tails : list row_tail) (q : N) : N :=
  with_all (map (fun t => value t q) tails) 0.

(** The columns before [q], at least. *)
Definition columns_to (b : below) (q : N) : list N :=
  let known := height b + count (columns b) in
  columns b ++ tabulate (column_of (tails b)) known (q - known).

(** ** A row *)

(** Goes through the columns, beginning with the state [u], and checks that each offset is the one
of fact 1, and not 0. Returns the columns that it has passed, with the row's offsets added; the
state after them; and the columns after them. *)
Fixpoint walk (u : N) (offsets columns : list N) : option (list N * N * list N) :=
  match offsets, columns with
  | [], _ => Some ([], u, columns)
  | b :: offsets, c :: columns =>
      if (b =? mex (N.lor u c)) && negb (b =? 0) then
        match walk (next_state u b) offsets columns with
        | Some (passed, u', rest) => Some (N.setbit c b :: passed, u', rest)
        | None => None
        end
      else None
  | _, [] => None
  end.

(** The window of a walk: the least mex of a state on the way, and the largest offset. *)
Fixpoint lowest (u : N) (offsets : list N) : N :=
  match offsets with
  | [] => mex u
  | b :: offsets => N.min (mex u) (lowest (next_state u b) offsets)
  end.

Definition highest (offsets : list N) : N := fold_right N.max 0 offsets.

(** The window rule. *)
Definition modulus_within (h w : N) (tails : list row_tail) : N :=
  fold_right
    (fun t m =>
       if existsb (fun v => (h <=? v) && (v <=? w)) (values t)
       then N.lcm (count (values t)) m else m)
    1 tails.

(** The columns with one more offset each. *)
Fixpoint enter (offsets columns : list N) : list N :=
  match offsets, columns with
  | b :: offsets, c :: columns => N.setbit c b :: enter offsets columns
  | _, _ => columns
  end.

(** The rows below the next row: [columns] are those with the offsets of this row, and begin with
this row's first column. *)
Definition with_row (b : below) (first_offset : N) (columns : list N) (settles : N)
    (more : list row_tail) : below :=
  Below (N.succ (height b)) (next_state (diagonal b) first_offset) (tl columns)
    (N.max (settled b) settles) (more ++ tails b).

(** [first] is the diagonal value of a row with these offsets. *)
Definition first_is (b : below) (first : N) (offsets : list N) : bool :=
  match offsets with
  | [] => false
  | x :: _ => first =? height b + x
  end.

Definition step_finite (b : below) (row first last : N) (head : list N) : option below :=
  if (row =? height b) && first_is b first head && (List.last head 1 =? 0)
     && (N.succ last =? row + count head)
  then
    match walk (diagonal b) (removelast head) (columns_to b (N.succ last)) with
    | Some (passed, u, c :: rest) =>
        if mex (N.lor u c) =? 0
        then Some (with_row b (first - row) (passed ++ N.setbit c 0 :: rest) (N.succ last) [])
        else None
    | _ => None
    end
  else None.

Definition structure_is_right (b : below) (row first start : N) (values : list N)
    (proof : certificate) (head : list N) : bool :=
  (row =? height b) && first_is b first (head ++ values) && (start =? row + count head)
  && no_shorter_period values
  && match values with [] => false | v :: _ => true end
  && match head with [] => true | _ => negb (last head 0 =? last values 0) end
  && (start <=? from proof) && (settled b <=? from proof) && (from proof <? recurs proof)
  && (recurs proof - from proof =? N.lcm (count values) (modulus proof))
  && ascends (filled proof) (above proof)
  && (List.last (above proof) (filled proof) <=? N.succ row).

Definition step_periodic (b : below) (row first start : N) (values : list N)
    (proof : certificate) (head : list N) : option below :=
  if structure_is_right b row first start values proof head
  then
    let this := Tail start values in
    let state := state_of proof in
    let to_from := head ++ tabulate (value this) start (from proof - start) in
    let to_recurs := tabulate (value this) (from proof) (recurs proof - from proof) in
    match walk (diagonal b) to_from (columns_to b (recurs proof)) with
    | Some (passed, u, rest) =>
        if u =? state then
          match walk state to_recurs rest with
          | Some (passed', u', rest') =>
              let after := tabulate (value this) (recurs proof) (count rest') in
              if (u' =? state)
                 && (modulus proof
                     =? modulus_within (lowest state to_recurs) (highest to_recurs) (tails b))
              then Some (with_row b (first - row) (passed ++ passed' ++ enter after rest') start
                           [this])
              else None
          | None => None
          end
        else None
    | None => None
    end
  else None.

(** The rows below the next row, if this record is right. *)
Definition step (b : below) (r : record) : option below :=
  match r with
  | FiniteRow row first last head => step_finite b row first last head
  | PeriodicRow row first start values proof head =>
      step_periodic b row first start values proof head
  end.

Fixpoint check_from (b : below) (records : list record) : bool :=
  match records with
  | [] => true
  | r :: records => match step b r with Some b' => check_from b' records | None => false end
  end.

(** The records of rows 0, 1, 2, ... are right. *)
Definition check (records : list record) : bool := check_from none_below records.
