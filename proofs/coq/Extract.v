(** * The checker as a program of OCaml

[step] takes one record, and [step_sealed] one whose head is a fingerprint. [check] of [Checker.v]
and [check_sealed] of [Fingerprints.v] begin with [none_below] and apply them to one record after
the other. [check_by_columns] of [ByColumns.v] begins with [none_read], applies [read] to all
records, and decides with [first_refused]. [../verify/chomp_verify.ml] reads records and does the
same: it goes over the groups of columns as [run_groups] does. [table_rectangle] of [Tables.v] is
the answer of `chomp-verify board`, and [rectangle] of [Rectangles.v] with --reference.

Numbers become integers of zarith. The directives of Coq's standard library are used for arithmetic.
The directives below replace what a cell needs by functions of [../verify/numbers.ml], which compute
the same as those of zarith, and other functions by those of zarith; and the blocks of [Tables.v] by
the arrays of [../verify/cells.ml]. Nothing else is replaced. *)

From Chomp Require Import Checker Fingerprints ByColumns Rectangles Tables.
From Coq Require Import NArith ExtrOcamlBasic ExtrOcamlZBigInt.

Extraction Blacklist List.

Extract Constant N.succ => "Numbers.succ".
Extract Constant N.add => "Numbers.add".
Extract Constant N.mul => "Numbers.mul".
Extract Constant N.pred => "Numbers.pred".
Extract Constant N.sub => "Numbers.sub".
Extract Constant N.eqb => "Numbers.eqb".
Extract Constant N.leb => "Numbers.leb".
Extract Constant N.ltb => "Numbers.ltb".
Extract Constant N.gcd => "Z.gcd".
Extract Constant N.lor => "Numbers.lor_".
Extract Constant N.land => "Numbers.land_".
Extract Constant N.lxor => "Z.logxor".
Extract Constant N.ldiff => "Numbers.ldiff".
Extract Constant N.div2 => "(fun x -> Z.shift_right x 1)".
Extract Constant N.size => "(fun x -> Z.of_int (Z.numbits x))".
Extract Constant N.testbit => "(fun x n -> Z.testbit x (Z.to_int n))".
Extract Constant N.log2 => "Numbers.log2".

Extract Constant block => "Cells.t".
Extract Constant zeros => "Cells.zeros".
Extract Constant get => "Cells.get".
Extract Constant set => "Cells.set".
Extract Constant copy => "Cells.copy".

Extraction "checker.ml" none_below step step_sealed none_read read in_order groups group next_group
  first_wrong own needs rectangle
  table_rectangle.
