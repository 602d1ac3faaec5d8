//! Claims that say something else: another number, or the right one. A mutant is an entry with
//! other arguments. `Raw` stands for an argument, or for a member of a list, that is only moved.

use ledger::Test;
use ron::value::RawValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(super) type Raw = Box<RawValue>;
type Pair = (u64, u64);
type Lengths = (u64, u64, u64);

/// The function of a test, and its arguments.
pub(super) fn call(test: &Test) -> (String, String) {
    let text = test.to_string();
    let (name, arguments) = text.split_at(text.find('(').unwrap_or(text.len()));
    (name.to_owned(), arguments.to_owned())
}

pub(super) fn arguments<A: DeserializeOwned>(test: &Test) -> A {
    ron::from_str(&call(test).1).unwrap()
}

/// The same function with other arguments.
pub(super) fn with<A: Serialize>(test: &Test, arguments: &A) -> Test {
    format!("{}{}", call(test).0, ron::to_string(arguments).unwrap()).parse().unwrap()
}

/// The test with its arguments changed.
pub(super) fn changed<A: DeserializeOwned + Serialize>(
    test: &Test,
    change: impl FnOnce(&mut A),
) -> Test {
    let mut arguments = arguments(test);
    change(&mut arguments);
    with(test, &arguments)
}

/// The test with each of these arguments.
fn each<A: Serialize, const N: usize>(test: &Test, arguments: [A; N]) -> Vec<Test> {
    arguments.map(|arguments| with(test, &arguments)).to_vec()
}

/// One test for each member of a list: its place is passed to the change.
fn at_each_place<A: DeserializeOwned + Serialize>(
    test: &Test,
    length: impl Fn(&A) -> usize,
    change: impl Fn(&mut A, usize),
) -> Vec<Test> {
    let places = 0..length(&arguments(test));
    places.map(|place| changed(test, |arguments| change(arguments, place))).collect()
}

/// All tests with one member of a list left out.
fn without_one<A: DeserializeOwned + Serialize, T>(
    test: &Test,
    list: impl Fn(&mut A) -> &mut Vec<T>,
) -> Vec<Test> {
    let mut all: A = arguments(test);
    let places = 0..list(&mut all).len();
    let without = |place| {
        changed(test, |arguments: &mut A| {
            list(arguments).remove(place);
        })
    };
    places.map(without).collect()
}

fn raw(text: &str) -> Raw {
    RawValue::from_boxed_ron(text.into()).unwrap()
}

/// N for P, and P for N.
fn turn(outcome: &mut Raw) {
    *outcome = raw(if outcome.get_ron() == "P" { "N" } else { "P" });
}

/// The same decimal with another last digit, further from 0 if that is possible in one digit.
fn other_decimal(text: &mut String) {
    let last: u8 = text.pop().and_then(|last| String::from(last).parse().ok()).unwrap();
    *text += &(if last == 9 { 8 } else { last + 1 }).to_string();
}

/// Claims with another number, none of which is true.
pub(super) fn mutants_of(test: &Test) -> Vec<Test> {
    let (name, _) = call(test);
    let mutants = positions_mutants(&name, test)
        .or_else(|| boards_mutants(&name, test))
        .or_else(|| rows_mutants(&name, test))
        .or_else(|| sequences_mutants(&name, test))
        .or_else(|| recurrences_mutants(&name, test))
        .or_else(|| posets_mutants(&name, test))
        .or_else(|| super::four_rows::mutants_of(&name, test));
    mutants.unwrap_or_else(|| panic!("no mutant of {test}"))
}

fn positions_mutants(name: &str, test: &Test) -> Option<Vec<Test>> {
    Some(match name {
        "replies" => at_each_place(
            test,
            |(lists,): &(Vec<(Lengths, Vec<Lengths>)>,)| lists.len(),
            |(lists,), place| {
                let _left_out = lists[place].1.pop();
            },
        ),
        "leaves" => vec![changed(test, |(_, to): &mut (Raw, Vec<Lengths>)| to.push((1, 1, 0)))],
        "board_outcomes" => vec![changed(test, |(outcome, _): &mut (Raw, Raw)| turn(outcome))],
        "blocked" => {
            let (row, middle, from, by): (u64, Pair, u64, Lengths) = arguments(test);
            let lower = (middle.0.max(row + 1) - 1, middle.1);
            let other = (by.0, by.1, by.2 - 1);
            each(test, [(row, middle, from, other), (row, lower, from - 2, by)])
        }
        "top_row_one" => vec![changed(test, |(_, outcome): &mut (Raw, Raw)| turn(outcome))],
        "unique_p" => {
            let (values,): (u64,) = arguments(test);
            each(test, [(values + 1,), (values - 1,)])
        }
        "table" => at_each_place(
            test,
            |(rows,): &(Vec<(u64, u64, Vec<u64>)>,)| rows.len(),
            |(rows,), place| *rows[place].2.last_mut().unwrap() += 1,
        ),
        "two_row_opening" | "recurrence_for_f" | "column_distinct" | "constant_rows" => {
            vec![changed(test, |(number,): &mut (u64,)| *number += 1)]
        }
        "off_diagonal" => vec![changed(test, |(first,): &mut (u64,)| *first -= 1)],
        "counts_to" => {
            vec![changed(test, |(terms,): &mut (Vec<u64>,)| *terms.last_mut().unwrap() += 1)]
        }
        "legal_moves" | "predecessors" => {
            without_one(test, |(_, families): &mut (Raw, Vec<Raw>)| families)
        }
        "implied" => vec![changed(test, |(.., outcome): &mut (Raw, Raw, Raw)| turn(outcome))],
        _ => return None,
    })
}

fn boards_mutants(name: &str, test: &Test) -> Option<Vec<Test>> {
    let more = || raw("\"[1115]\"");
    Some(match name {
        "all" => {
            let (tests,): (Vec<Raw>,) = arguments(test);
            let of_one = |(place, of_place): (usize, &Raw)| -> Vec<Test> {
                let of_place = of_place.get_ron().trim().parse().unwrap();
                let put = |mutant: Test| {
                    let mut tests = tests.clone();
                    tests[place] = raw(&mutant.to_string());
                    with(test, &(tests,))
                };
                mutants_of(&of_place).into_iter().map(put).collect()
            };
            tests.iter().enumerate().flat_map(of_one).collect()
        }
        "boards_blocked" => {
            let (_, boards): (String, Raw) = arguments(test);
            let by = ["[13]", "[9999]", "[11111118]"];
            by.iter().map(|by| with(test, &(by, &boards))).collect()
        }
        "family_blocked" => {
            let wider = |(rows, _): &mut (Vec<Pair>, Raw)| {
                let place = rows.iter().rposition(|&(least, largest)| least < largest);
                rows[place.expect("a range")].0 = 1;
            };
            vec![changed(test, wider)]
        }
        "p_position_boards" => {
            type Arguments = (Raw, Raw, Raw, Vec<Raw>);
            let mut mutants = without_one(test, |(.., boards): &mut Arguments| boards);
            mutants.push(changed(test, |(.., boards): &mut Arguments| boards.push(more())));
            mutants
        }
        "openings" => {
            type Arguments = (Raw, Raw, Vec<Raw>);
            let mut mutants = without_one(test, |(.., leave): &mut Arguments| leave);
            mutants.push(changed(test, |(.., leave): &mut Arguments| leave.push(more())));
            mutants
        }
        "opening_move" => {
            vec![changed(test, |(.., square): &mut (Raw, Raw, Pair)| *square = (2, 2))]
        }
        "number_of_openings" => {
            vec![changed(test, |(rectangles,): &mut (Vec<Lengths>,)| rectangles[0].2 += 1)]
        }
        "square_opening" => {
            vec![changed(test, |(_, square, _): &mut (Raw, Pair, Raw)| *square = (3, 3))]
        }
        "corner_loses" => each(test, [(2,)]),
        "staircase" => each(test, [(2, 2, 1), (2, 1, 4)]),
        "parity" => each(test, [(1, 1), (2, 0)]),
        "fewest_squares" => vec![changed(test, |(rows, _): &mut (u64, Raw)| *rows += 1)],
        "bite" => {
            type Arguments = (Raw, Pair, Raw);
            vec![
                changed(test, |(_, square, _): &mut Arguments| square.0 += 1),
                changed(test, |(_, square, _): &mut Arguments| square.1 += 1),
            ]
        }
        "first_not_trivial" => each(test, [("[235]",), ("[13]",), ("[1125]",)]),
        "rules_suffice" => each(test, [(9,)]),
        "any_two" => {
            vec![changed(test, |(_, squares): &mut (Raw, Vec<Pair>)| squares.push((2, 1)))]
        }
        "grundy_values" => at_each_place(
            test,
            |(terms,): &(Vec<u64>,)| terms.len(),
            |(terms,), place| terms[place] += 1,
        ),
        _ => return None,
    })
}

/// Those without a number are in `exceptions_among_the_cells_refute`.
fn rows_mutants(name: &str, test: &Test) -> Option<Vec<Test>> {
    Some(match name {
        "row" => {
            type Arguments = (Raw, Vec<Raw>, Option<Pair>);
            let other = |(.., forever): &mut Arguments| {
                *forever = forever.map_or(Some((9, 9)), |_| None);
            };
            let mut mutants = without_one(test, |(_, positions, _): &mut Arguments| positions);
            mutants.push(changed(test, other));
            mutants
        }
        "periods" => vec![changed(test, |(rows,): &mut (Vec<Pair>,)| rows[0].1 += 1)],
        "patterns" => {
            type Arguments = (Vec<(u64, u64, Vec<i64>)>, Option<u64>);
            let mut mutants = vec![
                changed(test, |(rows, _): &mut Arguments| rows[0].1 += 1),
                changed(test, |(rows, _): &mut Arguments| rows[0].2.rotate_left(1)),
            ];
            if arguments::<Arguments>(test).1.is_some() {
                mutants.extend(without_one(test, |(rows, _): &mut Arguments| rows));
            }
            mutants
        }
        "period_list" => {
            type Arguments = (Raw, Raw, Vec<u64>);
            let mut mutants = without_one(test, |(.., rows): &mut Arguments| rows);
            mutants.truncate(7);
            mutants.push(changed(test, |(.., rows): &mut Arguments| rows.push(5)));
            mutants
        }
        "only_periods" | "rows_of_kinds" | "levels_of_kinds" => {
            without_one(test, |(list,): &mut (Vec<Raw>,)| list)
        }
        "families_of_kinds" => without_one(test, |(_, kinds): &mut (Raw, Vec<Raw>)| kinds),
        "winning_openings" => {
            let (number, exactly): (u64, bool) = arguments(test);
            each(test, [(number + 1, exactly), (number - 1, true)])
        }
        "diagonal_above" | "ends_increase" => {
            vec![changed(test, |(number,): &mut (u64,)| *number += 1)]
        }
        "top_square_loses" => vec![changed(test, |(from,): &mut (u64,)| *from -= 1)],
        "rare" => {
            let (rows, _): Pair = arguments(test);
            each(test, [(rows, 4), (119, 10)])
        }
        "larger_periods" => each(test, [(1000,)]),
        "bound" => vec![changed(test, |(constant,): &mut (i64,)| *constant -= 1)],
        "diagonal_occurs" => each(test, [(2,)]),
        "diagonal_largest" | "end_occurs" | "minima_rise" | "minima_columns"
        | "minima_after_ends" | "end_is_minimum" => Vec::new(),
        _ => return None,
    })
}

fn sequences_mutants(name: &str, test: &Test) -> Option<Vec<Test>> {
    Some(match name {
        "terms" => {
            let (_, terms): (Raw, Vec<u64>) = arguments(test);
            let places = (0..terms.len()).step_by(9);
            let one_more =
                |place| changed(test, |(_, terms): &mut (Raw, Vec<u64>)| terms[place] += 1);
            places.map(one_more).collect()
        }
        "followed" => vec![changed(test, |(.., next): &mut (Raw, Raw, u64)| *next += 1)],
        "no_decrease" => vec![changed(test, |(_, beyond): &mut (Raw, u64)| *beyond -= 1)],
        "differences" => {
            type Arguments = (Raw, Raw, Vec<(i64, String)>);
            let mut mutants = at_each_place(
                test,
                |(.., frequencies): &Arguments| frequencies.len(),
                |(.., frequencies), place| other_decimal(&mut frequencies[place].1),
            );
            mutants.extend(without_one(test, |(.., frequencies): &mut Arguments| frequencies));
            let more = (17, "0.000".to_owned());
            let push = |(.., frequencies): &mut Arguments| frequencies.push(more);
            mutants.push(changed(test, push));
            mutants
        }
        "extremes" => {
            type Arguments = (Raw, Raw, String, String);
            vec![
                changed(test, |(_, _, least, _): &mut Arguments| other_decimal(least)),
                changed(test, |(_, _, _, largest): &mut Arguments| other_decimal(largest)),
            ]
        }
        "strip" => {
            type Arguments = (Raw, String, String);
            // Bounds in thousandths are near the extremes.
            let near = arguments::<Arguments>(test).1 == "-1.853";
            let [lower, upper] = if near { ["-1.852", "0.779"] } else { ["-1", "0.5"] };
            vec![
                changed(test, |(_, above, _): &mut Arguments| *above = lower.into()),
                changed(test, |(_, _, below): &mut Arguments| *below = upper.into()),
            ]
        }
        "width" => {
            vec![changed(test, |(_, width): &mut (Raw, String)| *width = "2.5".into())]
        }
        "ratio" => {
            type Arguments = (Raw, u64, u64);
            vec![
                changed(test, |(_, tenths, _): &mut Arguments| *tenths += 1),
                changed(test, |(_, tenths, _): &mut Arguments| *tenths -= 1),
                changed(test, |(_, _, from): &mut Arguments| *from -= 2),
            ]
        }
        "linear_bound" => {
            vec![changed(test, |(_, _, constant, _): &mut (Raw, Raw, i64, Raw)| *constant -= 1)]
        }
        "count_below" => {
            type Arguments = (Raw, u64, u64);
            vec![
                changed(test, |(_, _, count): &mut Arguments| *count += 1),
                changed(test, |(_, below, _): &mut Arguments| *below += 3),
            ]
        }
        "at_least_third" => {
            let (thirds, rounded): (u64, bool) = arguments(test);
            each(test, [(thirds + 1, rounded), (thirds, !rounded)])
        }
        "two_scales" => {
            let (least, most): (i64, i64) = arguments(test);
            each(test, [(least + 1, most), (least, most - 1)])
        }
        "words_of_ends" => at_each_place(
            test,
            |(_, said): &(Raw, Vec<Pair>)| said.len(),
            |(_, said), place| said[place].1 += 1,
        ),
        "successive_columns" => vec![changed(test, |(most,): &mut (u64,)| *most -= 1)],
        "beyond_earlier" => {
            type Arguments = (Raw, i64, i64);
            vec![
                changed(test, |(_, least, _): &mut Arguments| *least += 1),
                changed(test, |(.., most): &mut Arguments| *most -= 1),
            ]
        }
        _ => return None,
    })
}

fn recurrences_mutants(name: &str, test: &Test) -> Option<Vec<Test>> {
    Some(match name {
        "mex" => vec![changed(test, |(sets,): &mut (Vec<(Vec<u64>, u64)>,)| sets[0].1 += 1)],
        "instant_winners" => {
            let (winners, losers): (String, String) = arguments(test);
            let other = "[{0}][∅]^∞".to_owned();
            each(test, [(winners, losers.replace('2', "3")), (other, losers)])
        }
        "fundamental_recurrence" => {
            let (shift,): (u64,) = arguments(test);
            each(test, [(shift + 1,), (shift - 1,)])
        }
        "bounded" => vec![changed(test, |(over_largest,): &mut (u64,)| *over_largest -= 1)],
        "posteriori_bound" => each(test, [(100,)]),
        "implied_winners" => {
            let (ones, twos, end): Lengths = arguments(test);
            let other = [
                (ones - 1, twos, end),
                (ones, twos - 1, end),
                (ones, twos + 1, end),
                (ones, twos, end + 1),
            ];
            each(test, other)
        }
        "crucial_facts" => {
            let (less, more): Pair = arguments(test);
            each(test, [(less + 1, more), (less - 1, more), (less, more + 1), (less, more - 1)])
        }
        "decimals" => {
            type Arguments = (Pair, Raw);
            vec![
                changed(test, |(fraction, _): &mut Arguments| fraction.0 += 1),
                changed(test, |(fraction, _): &mut Arguments| fraction.1 *= 2),
            ]
        }
        "continued_fraction" => {
            let (root_of, quotients): (u64, String) = arguments(test);
            let other = quotients.replace('4', "3");
            let [more, less] = [root_of + 1, root_of - 1].map(|root| (root, quotients.clone()));
            each(test, [more, less, (root_of, other)])
        }
        "three_lines" => each(test, [((1, 2),), ((2, 0),), ((0, 2),), ((3, -2),)]),
        "scheme" => each(test, [("[2]^∞",)]),
        _ => return None,
    })
}

fn posets_mutants(name: &str, test: &Test) -> Option<Vec<Test>> {
    Some(match name {
        "bites" => vec![changed(test, |(.., leaves): &mut (Raw, Raw, Raw, Raw)| turn(leaves))],
        "solids" => {
            let (solids, bite, mut leaves): (Vec<String>, Raw, Raw) = arguments(test);
            turn(&mut leaves);
            solids.iter().map(|solid| with(test, &(vec![solid], &bite, &leaves))).collect()
        }
        "lost_if" => vec![changed(test, |(.., divisor): &mut (Raw, Raw, u64)| *divisor += 1)],
        "subsets_if" | "subsets_just_if" | "forests" | "two_by_two" => {
            let (number,): (u64,) = arguments(test);
            each(test, [(number + 1,), (number - 1,)])
        }
        "subsets_before" => {
            let (n, k, plus): Lengths = arguments(test);
            each(test, [(n, k, n - 1), (n, k, plus - 1)])
        }
        "searched" => vec![changed(test, |(_, outcome): &mut (Raw, Raw)| turn(outcome))],
        "divisors" => {
            type Arguments = (Vec<(u64, Raw)>,);
            let of_one = |other: fn(u64) -> u64| {
                at_each_place(
                    test,
                    |(posets,): &Arguments| posets.len(),
                    |(posets,), place| posets[place].0 = other(posets[place].0),
                )
            };
            [of_one(|number| 2 * number), of_one(|_| 60), of_one(|_| 64)].concat()
        }
        "factored" => {
            let (longer, primes): Pair = arguments(test);
            each(test, [(longer - 1, primes), (longer + 1, primes)])
        }
        "bipartite" => {
            let (vertices, edges): Pair = arguments(test);
            each(test, [(edges, vertices), (vertices, edges + 1)])
        }
        _ => return None,
    })
}

/// A claim that fails, put right.
pub(super) fn corrected(test: &Test) -> Test {
    match call(test).0.as_str() {
        "top_row_one" => changed(test, |(from, _): &mut (u64, Raw)| *from = 3),
        "predecessors" => {
            changed(test, |(_, families): &mut (Raw, Vec<Raw>)| families.push(raw("MoreOnes")))
        }
        "solids" => changed(test, |(.., leaves): &mut (Raw, Raw, Raw)| turn(leaves)),
        // If k + 1 divides n the first player loses, for n to 6.
        "subsets_just_if" => test.to_string().replace("just_if", "if").parse().unwrap(),
        "periods" => match arguments::<(Vec<Pair>,)>(test).0[..] {
            [(782, 25)] => with(test, &(vec![(782, 1)],)),
            // Row 7751 has no period at all; row 7739 has one.
            [(7751, 720)] => with(test, &(vec![(7739, 2)],)),
            _ => panic!("no correction for {test}"),
        },
        "only_periods" => with(test, &(vec![1, 2, 3, 4, 6, 8, 9, 27],)),
        "terms" => changed(test, |(_, terms): &mut (Raw, Vec<u64>)| terms[39] = 94),
        "strip" => changed(test, |(of, above, below): &mut (Raw, String, String)| {
            if of.get_ron() == "Settled" {
                *below = "6.803".into();
            } else {
                other_decimal(above);
                other_decimal(below);
            }
        }),
        "beyond_earlier" => changed(test, |(.., most): &mut (Raw, Raw, i64)| *most += 1),
        "width" => changed(test, |(_, width): &mut (Raw, String)| *width = "3.1".into()),
        "at_least_third" => changed(test, |(_, rounded): &mut (Raw, bool)| *rounded = true),
        "all" => {
            let corrected = test.to_string();
            let corrected = corrected.replace(", \"[2456]\"", "").replace(", \"[4447]\"", "");
            // Cho prints (5,2), which [336] does not have.
            corrected.replace("(5, 2)", "(5, 1)").parse().unwrap()
        }
        "opening_move" => changed(test, |(.., (column, row)): &mut (Raw, Raw, Pair)| {
            std::mem::swap(column, row);
        }),
        "corner_loses" => with(test, &(7,)),
        "fewest_squares" => with(test, &(6, 13)),
        name => super::four_rows::corrected(name, test),
    }
}
