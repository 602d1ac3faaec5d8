(** * The checker as a program of OCaml

[step] takes one record, and [check] of [Checker.v] is [step] for record after record; [none_below]
is what it begins with. [../verify/chomp_verify.ml] reads records and calls it.

Numbers become integers of zarith. The first directives are those of Coq's standard library; these
here give the operations on sets to zarith as well. Nothing else is replaced. *)

From Chomp Require Import Checker.
From Coq Require Import NArith ExtrOcamlBasic ExtrOcamlZBigInt.

Extraction Blacklist List.

Extract Constant N.eqb => "Z.equal".
Extract Constant N.leb => "Z.leq".
Extract Constant N.ltb => "Z.lt".
Extract Constant N.gcd => "Z.gcd".
Extract Constant N.lor => "Z.logor".
Extract Constant N.ldiff => "(fun x y -> Z.logand x (Z.lognot y))".
Extract Constant N.div2 => "(fun x -> Z.shift_right x 1)".
Extract Constant N.log2 => "(fun x -> if Z.sign x = 0 then Z.zero else Z.of_int (Z.numbits x - 1))".

Extraction "checker.ml" none_below step.
