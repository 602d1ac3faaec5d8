(* Compares every function of cells.ml with the definition in ../coq/Tables.v, a function of the
   place, on arrays after random calls. *)

let z = Z.of_int
let set block i s j = if j = i then s else block j
let copy block from to_ cells j = if to_ <= j && j < to_ + cells then block (from + (j - to_)) else block j

let same block expected size =
  for i = 0 to size - 1 do
    if not (Z.equal (Cells.get block (z i)) (z expected.(i))) then begin
      Printf.eprintf "Cells differs from Tables.v at place %d of %d\n" i size;
      exit 1
    end
  done

(* The definition's values as an array, so that the functions do not become deep. *)
let values block size = Array.init size block

let refuses f = match f () with exception Invalid_argument _ -> () | _ -> prerr_endline "Cells takes what it must refuse"; exit 1

let () =
  for size = 1 to 200 do
    let block = ref (Cells.zeros (z size)) in
    let expected = ref (Array.make size 0) in
    same !block !expected size;
    for _ = 1 to 50 do
      let read = Array.get !expected in
      if Random.bool () then begin
        let i = Random.int size and s = Random.bits () lsl (Random.int 32) in
        block := Cells.set !block (z i) (z s);
        expected := values (set read i s) size
      end
      else begin
        let to_ = Random.int size in
        let from = Random.int (to_ + 1) in
        let cells = Random.int (1 + min (to_ - from) (size - to_)) in
        block := Cells.copy !block (z from) (z to_) (z cells);
        expected := values (copy read from to_ cells) size
      end;
      same !block !expected size
    done;
    refuses (fun () -> ignore (Cells.get !block (z size)));
    refuses (fun () -> ignore (Cells.set !block (z (-1)) Z.one));
    refuses (fun () -> ignore (Cells.set !block Z.zero (Z.shift_left Z.one 62)));
    refuses (fun () -> ignore (Cells.copy !block Z.zero (z size) Z.one))
  done
