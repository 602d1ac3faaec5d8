(* The blocks of ../coq/Tables.v: arrays of words, which are changed in place. That is right because
   Tables.v uses no block after [set] or [copy] has taken it, only the one that they return.

   A number of zarith that fits into a word is that word (numbers.ml). A place outside of the array,
   and a number that is no word, raise an exception. cells_test.ml compares each function with the
   definition in Tables.v. *)

type t = (int, Bigarray.int_elt, Bigarray.c_layout) Bigarray.Array1.t

(* The greatest number that a set may have: with it, the set is still a word that is not negative. *)
let most = 61

let word (x : Z.t) : int =
  if Numbers.is_word x then Numbers.word x else invalid_arg "Cells: the number is no word"

let zeros cells : t =
  let block = Bigarray.Array1.create Bigarray.int Bigarray.c_layout (word cells) in
  Bigarray.Array1.fill block 0;
  block

let get (block : t) place : Z.t = Numbers.number (Bigarray.Array1.get block (word place))

let set (block : t) place value : t =
  Bigarray.Array1.set block (word place) (word value);
  block

(* [from, from + cells) and [to, to + cells) have no place in common, or [from] is less than [to] by
   no less than [cells]. *)
let copy (block : t) from to_ cells : t =
  let from = word from and to_ = word to_ in
  for i = 0 to word cells - 1 do
    Bigarray.Array1.set block (to_ + i) (Bigarray.Array1.get block (from + i))
  done;
  block
