(** * The checker as a program of OCaml

[step] takes one record, and [step_sealed] one whose head is a fingerprint. [check] of [Checker.v]
and [check_sealed] of [Fingerprints.v] begin with [none_below] and apply them to one record after
the other. [check_by_columns] of [ByColumns.v] begins with [none_read] and applies [read] to all
records, and then [first_refused]. [../verify/chomp_verify.ml] reads records and does the same.

Numbers become integers of zarith. The directives of Coq's standard library are used for arithmetic.
The directives below replace comparisons, subtraction and the operations on sets by those of zarith,
too. Nothing else is replaced. *)

From Chomp Require Import Checker Fingerprints ByColumns.
From Coq Require Import NArith ExtrOcamlBasic ExtrOcamlZBigInt.

Extraction Blacklist List.

Extract Constant N.pred => "(fun x -> if Z.sign x = 0 then x else Z.pred x)".
Extract Constant N.sub => "(fun x y -> let z = Z.sub x y in if Z.sign z < 0 then Z.zero else z)".
Extract Constant N.eqb => "Z.equal".
Extract Constant N.leb => "Z.leq".
Extract Constant N.ltb => "Z.lt".
Extract Constant N.gcd => "Z.gcd".
Extract Constant N.lor => "Z.logor".
Extract Constant N.land => "Z.logand".
Extract Constant N.lxor => "Z.logxor".
Extract Constant N.ldiff => "(fun x y -> Z.logand x (Z.lognot y))".
Extract Constant N.div2 => "(fun x -> Z.shift_right x 1)".
Extract Constant N.size => "(fun x -> Z.of_int (Z.numbits x))".
Extract Constant N.testbit => "(fun x n -> Z.testbit x (Z.to_int n))".
Extract Constant N.log2 => "(fun x -> if Z.sign x = 0 then Z.zero else Z.of_int (Z.numbits x - 1))".

Extraction "checker.ml" none_below step step_sealed none_read
  read first_refused.
