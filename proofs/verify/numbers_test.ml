(* Compares every function of numbers.ml with zarith, on all pairs of numbers around powers of 2 and
   of random ones. *)

let around k = List.map (fun d -> Z.add (Z.shift_left Z.one k) (Z.of_int d)) [ -2; -1; 0; 1; 2 ]

let numbers =
  let random _ =
    let bits = 1 + Random.int 130 in
    Z.extract (Z.of_bits (String.init 17 (fun _ -> Char.chr (Random.int 256)))) 0 bits
  in
  List.filter
    (fun x -> Z.sign x >= 0)
    (List.concat_map around (List.init 130 Fun.id) @ List.init 1000 random)

(* Equal to them, and not the same blocks of memory. *)
let copies = List.map (fun x -> Z.of_string (Z.to_string x)) numbers

let same name equal actual expected numbers =
  if not (equal actual expected) then begin
    Printf.eprintf "Numbers.%s differs from zarith at %s\n" name
      (String.concat ", " (List.map Z.to_string numbers));
    exit 1
  end

(* Equal, and represented alike. *)
let equal x y = Z.equal x y && Z.fits_int x = Obj.is_int (Obj.repr x)

let one name f g = List.iter (fun x -> same name equal (f x) (g x) [ x ]) numbers

let on_pairs name equal f g =
  List.iter (fun x -> List.iter (fun y -> same name equal (f x y) (g x y) [ x; y ]) copies) numbers

let two name f g = on_pairs name equal f g
let compares name f g = on_pairs name Bool.equal f g

let () =
  one "succ" Numbers.succ Z.succ;
  one "pred" Numbers.pred (fun x -> Z.max Z.zero (Z.pred x));
  one "log2" Numbers.log2 (fun x -> if Z.equal x Z.zero then x else Z.of_int (Z.log2 x));
  two "add" Numbers.add Z.add;
  two "sub" Numbers.sub (fun x y -> Z.max Z.zero (Z.sub x y));
  two "mul" Numbers.mul Z.mul;
  two "lor_" Numbers.lor_ Z.logor;
  two "land_" Numbers.land_ Z.logand;
  two "ldiff" Numbers.ldiff (fun x y -> Z.logand x (Z.lognot y));
  compares "eqb" Numbers.eqb Z.equal;
  compares "leb" Numbers.leb Z.leq;
  compares "ltb" Numbers.ltb Z.lt
