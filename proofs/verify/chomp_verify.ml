(* Verifies the records of rows 0, 1, 2, ... on standard input with the checker extracted from Coq
   (../coq/Checker.v), and prints the rows of each period.

       zstd -dc chomp-rows/rows-*.ron.zst | chomp-verify
       unzip -p rows-1000000.zip 'rows-*' | chomp-verify --checkpoint FILE
       chomp-verify --resume FILE
       chomp-verify board [--reference] ROWS COLUMNS

   The input consists of the segments of a data set, one after the other (docs/FORMAT.md). Heads are
   fingerprints or lists of offsets. Hashes are not compared: the records are proved, no matter
   where they come from. Exit codes are those of chomp: 0 verified, 1 refuted, 2 usage, 3 input,
   4 incomplete.

   Fingerprints are read by the fast checker (../coq/ByColumns.v), which reads all records before it
   decides, or with --reference by the slow one, as lists are. It is proved that the slow checker
   accepts every true record, and that the fast one accepts no others. The tests do not know of a
   true record that the fast one refuses.

   The fast checker goes from one group of columns to the next. In between, a checkpoint can be
   written. A verdict that rests on a checkpoint says so.

   `board` reads no input. It prints what the function [table_rectangle] of ../coq/Tables.v answers:
   which openings win on the rectangle, and how many P-positions are in it. With --reference it asks
   [rectangle] of ../coq/Rectangles.v, which needs no arrays.

   This file is not proved. A reader must check that it gives the checker all records of the text,
   as they are stated, and that the printed verdict is the answer of the checker; for `board`, that
   it asks for the rectangle that was typed, and prints the answer. *)

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

(* The fast checker between two groups of columns, after it has read all records. It has come to
   group [group] of [cells], which has about so many cells for each group. [periods] has the rows of
   each period. *)
type sweep = {
  works : work list;
  classes : class0 list;
  group : int;
  cells : int array;
  last : int;
  periods : (int * int list) list;
  assumed : string list;
}

let column sweep = Z.mul group (Z.of_int sweep.group)

let begin_sweep reading rows =
  let works = in_order reading in
  let count = Z.to_int (groups reading) in
  let cells = Array.make (count + 1) 0 in
  let add g n = cells.(g) <- cells.(g) + n in
  List.iter
    (fun w ->
      add (Z.to_int (Z.div (own w) group)) 1;
      add (Z.to_int (Z.div (needs w.record_of) group) + 1) (-1))
    works;
  for g = 1 to count do add g cells.(g - 1) done;
  {
    works;
    classes = [];
    group = 0;
    cells = Array.sub cells 0 count;
    last = rows - 1;
    periods = List.of_seq (Hashtbl.to_seq rows_of_period);
    assumed = [];
  }

(* A checkpoint consists of the MD5 of the program that wrote it, the MD5 of the rest, and the rest,
   whose form depends on the types of the program. *)
let this_program = lazy (Digest.file Sys.executable_name)

let part_of file = file ^ ".part"

let write_checkpoint file sweep =
  let part = part_of file in
  let bytes = Marshal.to_string sweep [] in
  try
    let channel = open_out_bin part in
    List.iter (output_string channel) [ Lazy.force this_program; Digest.string bytes; bytes ];
    close_out channel;
    Sys.rename part file
  with Sys_error _ as error ->
    (try Sys.remove part with Sys_error _ -> ());
    raise error

let read_checkpoint file =
  (match (Unix.stat file).Unix.st_kind with
   | Unix.S_REG -> ()
   | _ -> wrong "it is no regular file"
   | exception Unix.Unix_error (error, _, _) -> wrong (Unix.error_message error));
  let channel = open_in_bin file in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  let part first length = try String.sub text first length with Invalid_argument _ -> "" in
  if part 0 16 <> Lazy.force this_program then
    wrong "it is no checkpoint of this build of chomp-verify";
  let hash = part 16 16 in
  let bytes = part 32 (String.length text - 32) in
  if Digest.string bytes <> hash then wrong "it is damaged";
  let sweep : sweep = Marshal.from_string bytes 0 in
  let assumed =
    Printf.sprintf "a run over these records wrote the checkpoint %s before column %s"
      (Digest.to_hex hash)
      (Z.to_string (column sweep))
  in
  { sweep with assumed = sweep.assumed @ [ assumed ] }

let to_terminal = Unix.isatty Unix.stderr
let told = ref 0.

(* Where a run takes up the sweep, and when. *)
type start = { first_group : int; begun : float }

(* How far the sweep is. *)
let progress_of sweep { first_group; begun } =
  let cells from past =
    let sum = ref 0 in
    for g = from to past - 1 do sum := !sum + sweep.cells.(g) done;
    float_of_int (max 1 !sum)
  in
  let whole = Array.length sweep.cells in
  let left = cells sweep.group whole in
  let minutes = (Unix.gettimeofday () -. begun) /. 60. in
  Printf.sprintf "%.1f %% of the cells, %.0f minutes left"
    (100. *. (1. -. (left /. cells 0 whole)))
    (Float.ceil (minutes *. left /. cells first_group sweep.group))

let tell sweep start =
  let now = Unix.gettimeofday () in
  if to_terminal && now -. !told >= 1. then begin
    told := now;
    Printf.eprintf "\r%s \027[K%!" (progress_of sweep start)
  end

let end_of_telling () = if to_terminal then Printf.eprintf "\r\027[K%!"

(* Seconds between two checkpoints. *)
let between_checkpoints = 600.

(* The remaining columns, as [run_groups] of ByColumns.v goes over them: a row that is refused. *)
let run_groups sweep after_group =
  let rec go sweep =
    if sweep.group = Array.length sweep.cells then first_wrong (column sweep) sweep.works
    else
      match next_group sweep.works sweep.classes (column sweep) with
      | Stopped row -> Some row
      | Swept (works, classes) ->
          let sweep = { sweep with works; classes; group = sweep.group + 1 } in
          after_group sweep;
          go sweep
  in
  go sweep

(* Writes checkpoints to [file], and ends the program after one if it is interrupted. If a checkpoint
   cannot be written, the run goes on. *)
let keeps file start =
  let interrupted = ref false and saved = ref start.begun in
  List.iter
    (fun signal -> Sys.set_signal signal (Sys.Signal_handle (fun _ -> interrupted := true)))
    [ Sys.sigint; Sys.sigterm ];
  fun sweep ->
    let now = Unix.gettimeofday () in
    if !interrupted || now -. !saved >= between_checkpoints then begin
      saved := now;
      end_of_telling ();
      (match write_checkpoint file sweep with
       | exception Sys_error why when !interrupted -> stop 3 "the checkpoint" why
       | exception Sys_error why -> Printf.eprintf "warning: no checkpoint: %s\n%!" why
       | () when to_terminal -> ()
       | () -> Printf.eprintf "checkpoint: %s\n%!" (progress_of sweep start));
      if !interrupted then
        stop 130
          (Printf.sprintf "interrupted before column %s" (Z.to_string (column sweep)))
          (Printf.sprintf "chomp-verify --resume %s goes on" (Filename.quote file))
    end

(* The verdict on all records: ends the program unless they are accepted. *)
let decide checkpoint sweep =
  let start = { first_group = sweep.group; begun = Unix.gettimeofday () } in
  let keep = match checkpoint with Some file -> keeps file start | None -> ignore in
  match run_groups sweep (fun sweep -> tell sweep start; keep sweep) with
  | exception (Stack_overflow | Out_of_memory) -> stop 4 "the input" "there is not enough memory"
  | refused ->
      end_of_telling ();
      Option.iter (fun file -> if Sys.file_exists file then Sys.remove file) checkpoint;
      Option.iter (fun row -> stop 1 ("row " ^ Z.to_string row) not_accepted) refused

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

(* Numbers of rows and columns. *)
let rec nat n = if n = 0 then O else S (nat (n - 1))
let rec int = function O -> 0 | S n -> 1 + int n

let side name least most text =
  match if String.for_all is_digit text then int_of_string_opt text else None with
  | Some n when least <= n && n <= most -> n
  | _ ->
      Printf.eprintf "error: %s is a number from %d to %d, and not %S\n" name least most text;
      exit 2

(* A set of lengths from 0 to the number of columns is one word of an array. *)
let board answer rows columns =
  let rows = side "ROWS" 2 1000 rows in
  let columns = side "COLUMNS" 1 Cells.most columns in
  Gc.set { (Gc.get ()) with Gc.space_overhead = 80 };
  let name = Printf.sprintf "%d x %d" rows columns in
  match answer (nat rows) (nat columns) with
  | exception (Stack_overflow | Out_of_memory) -> stop 4 name "there is not enough memory"
  | count, wins ->
      Printf.printf "%s: openings that win: exactly %d\n" name (List.length wins);
      List.iter (fun (i, y) -> Printf.printf "row %d, column %d\n" (int i + 1) (int y + 1)) wins;
      Printf.printf "P-positions of at most %d rows and %d columns: %s\n" rows columns
        (Z.to_string count)

let usage () =
  prerr_endline "Usage: chomp-verify [--reference | --checkpoint FILE] < SEGMENTS";
  prerr_endline "       chomp-verify --resume FILE";
  prerr_endline "       chomp-verify board [--reference] ROWS COLUMNS";
  prerr_endline "Verifies the records of rows 0, 1, 2, ... of a data set.";
  prerr_endline "  --reference        Use the slow checker for fingerprints, too.";
  prerr_endline "  --checkpoint FILE  Every ten minutes, and when interrupted, write to FILE what is needed";
  prerr_endline "                     to go on. FILE is removed after the verdict.";
  prerr_endline "  --resume FILE      Go on from FILE. The verdict names it as assumed.";
  prerr_endline "  board              Print which openings win on a rectangle, and how many P-positions";
  prerr_endline "                     are in it. Fewer rows than columns is faster. With --reference";
  prerr_endline "                     the program needs no arrays; it is slower, and takes more memory.";
  exit 2

let verify_input checkpoint =
  match verify { below = Start; rows = 0; segment = None; lines = 0 } with
  | { segment = Some _; _ } ->
      stop 3 "the input" "its last segment is cut off: no line `End` ends it"
  | { rows = 0; _ } -> stop 3 "the input" "there is no record in it"
  | { rows; below = Fast reading; _ } ->
      decide checkpoint (begin_sweep reading rows);
      print_periods rows
  | { rows; _ } -> print_periods rows

let resume file =
  let sweep = read_checkpoint file in
  List.iter (fun (period, rows) -> Hashtbl.replace rows_of_period period rows) sweep.periods;
  decide (Some file) sweep;
  List.iter (Printf.printf "Assumed: %s\n") sweep.assumed;
  print_periods (sweep.last + 1)

let () =
  Gc.set { (Gc.get ()) with Gc.space_overhead = 1000; Gc.max_overhead = 1_000_000 };
  match List.tl (Array.to_list Sys.argv) with
  | [] | [ "--reference" ] -> verify_input None
  | [ "--checkpoint"; file ] ->
      if Sys.file_exists file then
        stop 3 file "it exists (--resume goes on from a checkpoint)";
      (try close_out (open_out (part_of file)); Sys.remove (part_of file)
       with Sys_error why -> stop 3 "the checkpoint" why);
      verify_input (Some file)
  | [ "board"; rows; columns ] -> board table_rectangle rows columns
  | [ "board"; "--reference"; rows; columns ] -> board rectangle rows columns
  | [ "--resume"; file ] -> (
      try resume file with
      | Unreadable why -> stop 3 file why
      | Sys_error why -> stop 3 "the checkpoint" why)
  | _ -> usage ()
