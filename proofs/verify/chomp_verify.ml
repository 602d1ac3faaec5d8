(* Verifies the records of rows 0, 1, 2, ... on standard input with the checker extracted from Coq
   (../coq/Checker.v), and prints the rows of each period.

       zstd -dc chomp-rows/rows-*.ron.zst | chomp-verify
       unzip -p rows-1000000.zip 'rows-*' | chomp-verify

   The input consists of the segments of a data set, one after the other (docs/FORMAT.md). Heads are
   fingerprints or lists of offsets. Hashes are not compared: the records are proved, no matter
   where they come from. Exit codes are those of chomp: 0 verified, 1 refuted, 2 usage, 3 input,
   4 incomplete.

   Fingerprints are read by the fast checker (../coq/ByColumns.v), which reads all records before it
   decides, or with --reference by the slow one, as lists are. It is proved that the slow checker
   accepts every true record, and that the fast one accepts no others. The tests do not know of a
   true record that the fast one refuses.

   This file is not proved. A reader must check that it gives the checker all records of the text,
   as they are stated, and that the printed verdict is the answer of the checker. *)

open Checker

exception Unreadable of string

let wrong words = raise (Unreadable words)

(* A place in a line. *)
type reader = { line : string; mutable place : int }

let fail reader wanted =
  wrong (Printf.sprintf "column %d: %s is expected" (reader.place + 1) wanted)

let sees reader text =
  let length = String.length text in
  reader.place + length <= String.length reader.line
  && String.sub reader.line reader.place length = text

let accept reader text =
  let seen = sees reader text in
  if seen then reader.place <- reader.place + String.length text;
  seen

let expect reader text = if not (accept reader text) then fail reader (Printf.sprintf "%S" text)

let is_digit c = '0' <= c && c <= '9'

(* Decimal digits, without a leading zero. *)
let number reader =
  let first = reader.place in
  let length = String.length reader.line in
  while reader.place < length && is_digit reader.line.[reader.place] do
    reader.place <- reader.place + 1
  done;
  let digits = reader.place - first in
  if digits = 0 || (digits > 1 && reader.line.[first] = '0') || digits > 19 then begin
    reader.place <- first;
    fail reader "a number of at most 19 digits, without a leading zero,"
  end;
  Z.of_substring reader.line ~pos:first ~len:digits

let field reader name read =
  expect reader (name ^ ": ");
  read reader

let list reader =
  let rec more members =
    let members = number reader :: members in
    if accept reader ", " then more members else (expect reader "]"; List.rev members)
  in
  expect reader "[";
  if accept reader "]" then [] else more []

let quoted reader =
  expect reader "\"";
  let n = number reader in
  expect reader "\"";
  n

(* [name: value, ] *)
let next reader name read =
  let x = field reader name read in
  expect reader ", ";
  x

let certificate reader =
  expect reader "(";
  let from = next reader "from" number in
  let recurs = next reader "recurs" number in
  let modulus = next reader "modulus" quoted in
  let filled = next reader "filled" number in
  let above = field reader "above" list in
  expect reader ")";
  { from; recurs; modulus; filled; above }

let is_hexadecimal c = is_digit c || ('a' <= c && c <= 'f')

(* 16 hexadecimal digits. *)
let fingerprint reader =
  let first = reader.place + 1 in
  let line = reader.line in
  if String.length line < first + 17
     || not (String.for_all is_hexadecimal (String.sub line first 16))
  then fail reader "a fingerprint of 16 hexadecimal digits";
  expect reader "\"";
  reader.place <- first + 16;
  expect reader "\"";
  Z.of_substring_base 16 line ~pos:first ~len:16

(* A record as it is read: with the offsets of its head, or with their fingerprint. *)
type stated = Listed of record | Sealed of sealed

type head = Offsets of Z.t list | Fingerprint of Z.t

let head reader =
  if sees reader "\"" then Fingerprint (fingerprint reader) else Offsets (list reader)

let record reader =
  if accept reader "Finite(" then begin
    let row = next reader "row" number in
    let first = next reader "first" number in
    let last = next reader "last" number in
    match field reader "head" head with
    | Offsets head -> Listed (FiniteRow (row, first, last, head))
    | Fingerprint sum -> Sealed (SealedFinite (row, first, last, sum))
  end
  else begin
    expect reader "Periodic(";
    let row = next reader "row" number in
    let first = next reader "first" number in
    let start = next reader "start" number in
    let values = next reader "values" list in
    let proof = next reader "certificate" certificate in
    match field reader "head" head with
    | Offsets head -> Listed (PeriodicRow (row, first, start, values, proof, head))
    | Fingerprint sum -> Sealed (SealedPeriodic (row, first, start, values, proof, sum))
  end

let read_record line =
  let reader = { line; place = 0 } in
  let record = record reader in
  expect reader ")";
  if reader.place <> String.length line then fail reader "the end of the line";
  record

(* Records that need more columns than this are not checked, as the memory could be too small. The
   other numbers of true records of such rows are at most twice as large, but for the modulus. *)
let most_columns = Z.of_int 2_000_000

let asks_too_much record =
  let columns, others =
    match record with
    | Listed (FiniteRow (_, first, last, _)) | Sealed (SealedFinite (_, first, last, _)) ->
        (last, [ first ])
    | Listed (PeriodicRow (_, first, start, values, proof, _))
    | Sealed (SealedPeriodic (_, first, start, values, proof, _)) ->
        (proof.recurs, first :: start :: proof.from :: proof.filled :: (values @ proof.above))
  in
  Z.gt columns most_columns
  || List.exists (fun number -> Z.gt number (Z.mul (Z.of_int 2) most_columns)) others

(* The rows of each period, in descending order; finite rows have period 0. *)
let rows_of_period : (int, int list) Hashtbl.t = Hashtbl.create 64

let note row record =
  let period =
    match record with
    | Listed (FiniteRow _) | Sealed (SealedFinite _) -> 0
    | Listed (PeriodicRow (_, _, _, values, _, _))
    | Sealed (SealedPeriodic (_, _, _, values, _, _)) -> List.length values
  in
  let rows = Option.value (Hashtbl.find_opt rows_of_period period) ~default:[] in
  Hashtbl.replace rows_of_period period (row :: rows)

let print_periods rows =
  Printf.printf "rows 0 to %d: each is as its record states\n" (rows - 1);
  let periods = List.sort compare (List.of_seq (Hashtbl.to_seq rows_of_period)) in
  List.iter
    (fun (period, rows) ->
      let name = if period = 0 then "finite" else Printf.sprintf "period %d" period in
      let which =
        if period <= 1 then "" else ": " ^ String.concat " " (List.rev_map string_of_int rows)
      in
      Printf.printf "%s (%d)%s\n" name (List.length rows) which)
    periods

let stop code where why =
  Printf.eprintf "error: %s: %s\n" where why;
  exit code

(* What a checker keeps of the rows below the next one. *)
type state = Start | Reference of below | Fast of reading

let by_reference = Array.mem "--reference" Sys.argv

(* The state after the lines read so far: the rows below the next one, their number, the first row
   of the segment if one is open, and the number of lines. *)
type progress = { below : state; rows : int; segment : int option; lines : int }

let row_number progress = Printf.sprintf "row %d" progress.rows

let not_accepted =
  "the fast checker does not accept its record, or one below (--reference decides if one is wrong)"

let begins progress line =
  let reader = { line; place = 0 } in
  expect reader "Segment(format: 1, first: ";
  if not (Z.equal (number reader) (Z.of_int progress.rows)) then
    wrong (Printf.sprintf "the segment that begins with row %d is to come here" progress.rows);
  { progress with segment = Some progress.rows }

let ends progress first line =
  let reader = { line; place = 0 } in
  expect reader "End(rows: ";
  let records = progress.rows - first in
  if not (Z.equal (number reader) (Z.of_int records)) then
    wrong (Printf.sprintf "this segment has %d records, and its end says otherwise" records);
  { progress with segment = None }

(* The slow checker reads all records, the fast one those with fingerprints. *)
let stated state record =
  match state, record with
  | (Start | Fast _), Sealed record when not by_reference ->
      let before = match state with Fast before -> before | _ -> none_read in
      Option.map (fun reading -> Fast reading) (read before record)
  | (Start | Reference _), _ ->
      let below = match state with Reference below -> below | _ -> none_below in
      let below =
        match record with
        | Listed record -> step below record
        | Sealed record -> step_sealed below record
      in
      Option.map (fun below -> Reference below) below
  | Fast _, _ -> None

let takes progress line =
  let record = read_record line in
  if asks_too_much record then
    stop 4 (row_number progress) "its record asks for more columns than are computed";
  match stated progress.below record with
  | None ->
      stop 1 (row_number progress)
        (match progress.below, record with
         | (Start | Fast _), Sealed _ when not by_reference -> not_accepted
         | Fast _, Listed _ -> "its head is a list, and those before are fingerprints"
         | _ -> "its record is wrong")
  | exception (Stack_overflow | Out_of_memory) ->
      stop 4 (row_number progress) "there is not enough memory"
  | Some below ->
      note progress.rows record;
      { progress with below; rows = progress.rows + 1 }

(* The verdict of the fast checker on all records. *)
let decide = function
  | Start | Reference _ -> ()
  | Fast reading -> (
      match first_refused reading with
      | None -> ()
      | Some row -> stop 1 ("row " ^ Z.to_string row) not_accepted
      | exception (Stack_overflow | Out_of_memory) ->
          stop 4 "the input" "there is not enough memory")

let rec verify progress =
  match input_line stdin with
  | exception End_of_file -> progress
  | line ->
      let progress = { progress with lines = progress.lines + 1 } in
      verify
        (try
           match progress.segment with
           | None -> begins progress line
           | Some first when String.starts_with ~prefix:"End(" line -> ends progress first line
           | Some _ -> takes progress line
         with Unreadable why -> stop 3 (Printf.sprintf "line %d" progress.lines) why)

let () =
  Gc.set { (Gc.get ()) with Gc.space_overhead = 200 };
  match Array.to_list Sys.argv with
  | [] | [ _ ] | [ _; "--reference" ] -> ()
  | _ ->
      prerr_endline "Usage: chomp-verify [--reference] < SEGMENTS";
      prerr_endline "Verifies the records of rows 0, 1, 2, ... of a data set.";
      prerr_endline "  --reference  Use the slow checker for fingerprints, too.";
      exit 2

let () =
  match verify { below = Start; rows = 0; segment = None; lines = 0 } with
  | { segment = Some _; _ } ->
      stop 3 "the input" "its last segment is cut off: no line `End` ends it"
  | { rows = 0; _ } -> stop 3 "the input" "there is no record in it"
  | { rows; below; _ } ->
      decide below;
      print_periods rows
