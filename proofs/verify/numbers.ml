(* Arithmetic of natural numbers for the checker extracted from Coq. Each function computes the same
   as one of zarith, or the one of Coq's N that its name says, for all natural numbers.

   A number of zarith that fits into a machine word, of 63 bits, is that word, and no other number
   is. Here such numbers are added, compared, ... in the place of the call, without a call. All
   others go to zarith. numbers_test.ml compares every function with zarith. *)

let is_word (x : Z.t) = Obj.is_int (Obj.repr x)

(* The number as a word, and back. *)
let word (x : Z.t) : int = Obj.magic x
let number (x : int) : Z.t = Obj.magic x

let succ x = if is_word x && word x < max_int then number (word x + 1) else Z.succ x

(* The predecessor of 0 is 0, as in Coq. *)
let pred x =
  if is_word x then if word x = 0 then x else number (word x - 1) else Z.pred x

(* The sum of two words that are not negative is negative if it has more than 62 bits. *)
let add x y =
  if is_word x && is_word y then
    let z = word x + word y in
    if z >= 0 then number z else Z.add x y
  else Z.add x y

(* 0 instead of a negative difference, as in Coq. *)
let sub x y =
  if is_word x && is_word y then if word x > word y then number (word x - word y) else Z.zero
  else
    let z = Z.sub x y in
    if Z.sign z < 0 then Z.zero else z

(* A product of a number of 21 bits and one of 41 has at most 62. *)
let mul x y =
  if is_word x && is_word y && word x < 0x20_0000 && word y < 0x200_0000_0000 then
    number (word x * word y)
  else Z.mul x y

let eqb x y = x == y || ((not (is_word x)) && Z.equal x y)
let leb x y = if is_word x && is_word y then word x <= word y else Z.leq x y
let ltb x y = if is_word x && is_word y then word x < word y else Z.lt x y
let lor_ x y = if is_word x && is_word y then number (word x lor word y) else Z.logor x y
let land_ x y = if is_word x && is_word y then number (word x land word y) else Z.logand x y

let ldiff x y =
  if is_word x && is_word y then number (word x land lnot (word y))
  else Z.logand x (Z.lognot y)

(* The logarithm of 0 is 0, as in Coq. *)
let log2 x = if x == Z.zero then Z.zero else number (Z.numbits x - 1)
