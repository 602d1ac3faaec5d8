//! Claims that say something else: another number, or the right one.

use ledger::kinds::{
    Before, BoardTest, CellTest, GrundyTest, MoveTest, PN, PosetTest, PositionTest, RecurrenceTest,
    RowTest, SequenceTest, Test,
};

/// Claims with another number, none of which is true.
pub(super) fn mutants_of(test: &Test) -> Vec<Test> {
    match test {
        Test::Positions(test) => positions_mutants(test).into_iter().map(Test::Positions).collect(),
        Test::Moves(test) => moves_mutants(test).into_iter().map(Test::Moves).collect(),
        Test::Boards(test) => boards_mutants(test).into_iter().map(Test::Boards).collect(),
        Test::Rows(test) => rows_mutants(test).into_iter().map(Test::Rows).collect(),
        Test::Sequences(test) => sequences_mutants(test).into_iter().map(Test::Sequences).collect(),
        Test::Cells(test) => cells_mutants(test).into_iter().map(Test::Cells).collect(),
        Test::Recurrences(test) => {
            recurrences_mutants(test).into_iter().map(Test::Recurrences).collect()
        }
        Test::Grundy(test) => grundy_mutants(test).into_iter().map(Test::Grundy).collect(),
        Test::Posets(test) => posets_mutants(test).into_iter().map(Test::Posets).collect(),
        Test::FourRows(test) => {
            super::four_rows::mutants_of(test).into_iter().map(Test::FourRows).collect()
        }
    }
}

fn other(outcome: PN) -> PN {
    if outcome == PN::P { PN::N } else { PN::P }
}

/// All lists with one member left out.
fn without_one<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..list.len()).map(|place| {
        let mut list = list.to_vec();
        list.remove(place);
        list
    })
}

fn grundy_mutants(test: &GrundyTest) -> Vec<GrundyTest> {
    use GrundyTest as T;
    match test.clone() {
        T::Rectangles { terms } => (0..terms.len())
            .map(|place| {
                let mut terms = terms.clone();
                terms[place] += 1;
                T::Rectangles { terms }
            })
            .collect(),
        T::Kinds { kinds } => without_one(&kinds).map(|kinds| T::Kinds { kinds }).collect(),
        T::Families { families, kinds } => {
            let less = without_one(&kinds);
            less.map(|kinds| T::Families { families: families.clone(), kinds }).collect()
        }
        T::LargerPeriods { .. } => vec![T::LargerPeriods { than: 1000 }],
    }
}

fn posets_mutants(test: &PosetTest) -> Vec<PosetTest> {
    use PosetTest as T;
    match test.clone() {
        T::Bites { family, from, bite, win } => vec![T::Bites { family, from, bite, win: !win }],
        T::Solids { solids, bite, win } => solids
            .into_iter()
            .map(|solid| T::Solids { solids: vec![solid], bite, win: !win })
            .collect(),
        T::LostIf { family, from, divisor } => {
            vec![T::LostIf { family, from, divisor: divisor + 1 }]
        }
        T::Subsets { plus, only_if } => {
            vec![T::Subsets { plus: plus + 1, only_if }, T::Subsets { plus: plus - 1, only_if }]
        }
        T::SubsetsBefore { n, k, plus } => {
            vec![T::SubsetsBefore { n, k, plus: n - 1 }, T::SubsetsBefore { n, k, plus: plus - 1 }]
        }
        T::Searched { poset, outcome } => vec![T::Searched { poset, outcome: other(outcome) }],
        T::Divisors { posets } => {
            let with = |place: usize, posets: &[(u64, String)], number| {
                let mut posets = posets.to_vec();
                posets[place].0 = number;
                T::Divisors { posets }
            };
            let numbers = (0..posets.len()).flat_map(|place| {
                let number = posets[place].0;
                [2 * number, 60, 64].map(|other| (place, other))
            });
            numbers.map(|(place, number)| with(place, &posets, number)).collect()
        }
        T::Factored { longer, primes } => {
            [longer - 1, longer + 1].map(|longer| T::Factored { longer, primes }).to_vec()
        }
        T::Forests { divisor } => {
            vec![T::Forests { divisor: divisor + 1 }, T::Forests { divisor: divisor - 1 }]
        }
        T::Bipartite { vertices, edges } => vec![
            T::Bipartite { vertices: edges, edges: vertices },
            T::Bipartite { vertices, edges: edges + 1 },
        ],
        T::TwoByTwo { less } => {
            vec![T::TwoByTwo { less: less + 1 }, T::TwoByTwo { less: less - 1 }]
        }
    }
}

fn positions_mutants(test: &PositionTest) -> Vec<PositionTest> {
    use PositionTest as T;
    match test.clone() {
        T::Replies { lists } => (0..lists.len())
            .map(|place| {
                let mut lists = lists.clone();
                lists[place].1.pop();
                T::Replies { lists }
            })
            .collect(),
        T::Leaves { from, mut to } => {
            to.push((1, 1, 0));
            vec![T::Leaves { from, to }]
        }
        T::Outcomes { outcome, positions } => {
            vec![T::Outcomes { outcome: other(outcome), positions }]
        }
        T::Transposed { outcome, boards } => {
            vec![T::Transposed { outcome: other(outcome), boards }]
        }
        T::PPositions { longest, shortest, positions } => {
            let less = without_one(&positions)
                .map(|positions| T::PPositions { longest, shortest, positions })
                .collect::<Vec<_>>();
            let more = T::PPositions { longest: (longest.0, longest.1 + 1), shortest, positions };
            less.into_iter().chain([more]).collect()
        }
        T::Blocked { row, middle, from, by } => vec![
            T::Blocked { row, middle, from, by: (by.0, by.1, by.2 - 1) },
            T::Blocked { row, middle: (middle.0.max(row + 1) - 1, middle.1), from: from - 2, by },
        ],
        T::TopRowOne { from, outcome } => vec![T::TopRowOne { from, outcome: other(outcome) }],
        T::TwoRowOpening { shorter } => vec![T::TwoRowOpening { shorter: shorter + 1 }],
        T::UniqueP { values } => {
            vec![T::UniqueP { values: values + 1 }, T::UniqueP { values: values - 1 }]
        }
        T::Recurrence { least } => vec![T::Recurrence { least: least + 1 }],
        T::Table { rows } => (0..rows.len())
            .map(|place| {
                let mut rows = rows.clone();
                *rows[place].2.last_mut().unwrap() += 1;
                T::Table { rows }
            })
            .collect(),
        T::ColumnDistinct { more } => vec![T::ColumnDistinct { more: more + 1 }],
        T::OffDiagonal { first } => vec![T::OffDiagonal { first: first - 1 }],
        T::CountsTo { mut terms } => {
            *terms.last_mut().unwrap() += 1;
            vec![T::CountsTo { terms }]
        }
        T::ConstantRows { above } => vec![T::ConstantRows { above: above + 1 }],
    }
}

fn moves_mutants(test: &MoveTest) -> Vec<MoveTest> {
    use MoveTest as T;
    match test.clone() {
        T::LegalMoves { rows, families } => {
            let less = without_one(&families).map(|families| T::LegalMoves { rows, families });
            less.collect()
        }
        T::Predecessors { of, families } => {
            let less = without_one(&families).map(|families| T::Predecessors { of, families });
            less.collect()
        }
        T::Implied { by, families, outcome } => {
            vec![T::Implied { by, families, outcome: other(outcome) }]
        }
    }
}

fn boards_mutants(test: &BoardTest) -> Vec<BoardTest> {
    use BoardTest as T;
    match test.clone() {
        T::All(tests) => {
            let with = |place: usize, mutant: T| {
                let mut tests = tests.clone();
                tests[place] = mutant;
                T::All(tests)
            };
            let of_one = |(place, test): (usize, &T)| {
                let mutants = boards_mutants(test);
                mutants.into_iter().map(|mutant| with(place, mutant)).collect::<Vec<_>>()
            };
            tests.iter().enumerate().flat_map(of_one).collect()
        }
        T::Outcomes { outcome, boards } => vec![T::Outcomes { outcome: other(outcome), boards }],
        T::Blocked { boards, .. } => {
            let by = ["[13]", "[9999]", "[11111118]"];
            let mutant = |by: &str| T::Blocked { by: by.to_owned(), boards: boards.clone() };
            by.into_iter().map(mutant).collect()
        }
        T::Family { mut rows, by } => {
            let place = rows.iter().rposition(|&(least, largest)| least < largest);
            rows[place.expect("a range")].0 = 1;
            vec![T::Family { rows, by }]
        }
        T::PPositions { rows, columns, trivial, boards } => {
            let more = [boards.clone(), vec!["[1115]".to_owned()]].concat();
            let lists = without_one(&boards).chain([more]);
            lists.map(|boards| T::PPositions { rows, columns, trivial, boards }).collect()
        }
        T::Openings { rows, columns, leave } => {
            let more = [leave.clone(), vec!["[1115]".to_owned()]].concat();
            let lists = without_one(&leave).chain([more]);
            lists.map(|leave| T::Openings { rows, columns, leave }).collect()
        }
        T::OpeningMove { rows, columns, .. } => {
            vec![T::OpeningMove { rows, columns, square: (2, 2) }]
        }
        T::NumberOfOpenings { mut rectangles } => {
            rectangles[0].2 += 1;
            vec![T::NumberOfOpenings { rectangles }]
        }
        T::Square { from, alone, .. } => vec![T::Square { from, square: (3, 3), alone }],
        T::CornerLoses { .. } => vec![T::CornerLoses { from: 2 }],
        T::FewestSquares { rows, columns } => {
            vec![T::FewestSquares { rows: rows + 1, columns }]
        }
        T::Bite { board, square: (column, row), leaves } => vec![
            T::Bite { board: board.clone(), square: (column + 1, row), leaves: leaves.clone() },
            T::Bite { board, square: (column, row + 1), leaves },
        ],
        T::FirstNotTrivial { .. } => ["[235]", "[13]", "[1125]"]
            .map(|board| T::FirstNotTrivial { board: board.to_owned() })
            .to_vec(),
        T::RulesSuffice { .. } => vec![T::RulesSuffice { columns: 9 }],
        T::AnyTwo { board, mut squares } => {
            squares.push((2, 1));
            vec![T::AnyTwo { board, squares }]
        }
    }
}

fn rows_mutants(test: &RowTest) -> Vec<RowTest> {
    use RowTest as T;
    match test.clone() {
        T::Rectangles { outcome } => vec![T::Rectangles { outcome: other(outcome) }],
        T::Row { row, positions, forever } => {
            let shorter = without_one(&positions)
                .map(|positions| T::Row { row, positions, forever })
                .collect::<Vec<_>>();
            let other = T::Row { row, positions, forever: forever.map_or(Some((9, 9)), |_| None) };
            shorter.into_iter().chain([other]).collect()
        }
        T::Periods { mut rows } => {
            rows[0].1 += 1;
            vec![T::Periods { rows }]
        }
        T::Patterns { rows, complete_to } => {
            let (mut start, mut period) = (rows.clone(), rows.clone());
            start[0].1 += 1;
            period[0].2.rotate_left(1);
            let mut mutants = vec![
                T::Patterns { rows: start, complete_to },
                T::Patterns { rows: period, complete_to },
            ];
            if complete_to.is_some() {
                mutants.extend(without_one(&rows).map(|rows| T::Patterns { rows, complete_to }));
            }
            mutants
        }
        T::PeriodList { period, to, rows } => {
            let more = [rows.clone(), vec![5]].concat();
            let less = without_one(&rows).take(7).collect::<Vec<_>>();
            let lists = less.into_iter().chain([more]);
            lists.map(|rows| T::PeriodList { period, to, rows }).collect()
        }
        T::OnlyPeriods { periods } => {
            without_one(&periods).map(|periods| T::OnlyPeriods { periods }).collect()
        }
        T::FirstOfLargerPeriod { row } => {
            vec![T::FirstOfLargerPeriod { row: row - 1 }, T::FirstOfLargerPeriod { row: 400 }]
        }
        T::OpeningUnique { ways } => {
            vec![T::OpeningUnique { ways: ways + 1 }, T::OpeningUnique { ways: ways - 1 }]
        }
        T::OpeningExists { ways } => vec![T::OpeningExists { ways: ways + 1 }],
        T::TopSquareLoses { from } => vec![T::TopSquareLoses { from: from - 1 }],
        T::DiagonalAbove { by } => vec![T::DiagonalAbove { by: by + 1 }],
        T::Kinds { kinds } => without_one(&kinds).map(|kinds| T::Kinds { kinds }).collect(),
        T::EndsIncrease { by } => vec![T::EndsIncrease { by: by + 1 }],
        T::Rare { rows, .. } => {
            vec![T::Rare { rows, percent: 4 }, T::Rare { rows: 119, percent: 10 }]
        }
        T::TakeOver { .. } | T::LargestPeriod { .. } => unreachable!("they are vague"),
    }
}

/// The same decimal with another last digit, further from 0 if that is possible in one digit.
fn other_decimal(text: &str) -> String {
    let (rest, last) = text.split_at(text.len() - 1);
    let digit: u8 = last.parse().unwrap();
    format!("{rest}{}", if digit == 9 { 8 } else { digit + 1 })
}

fn sequences_mutants(test: &SequenceTest) -> Vec<SequenceTest> {
    use SequenceTest as T;
    match test.clone() {
        T::Terms { sequence, terms } => (0..terms.len())
            .step_by(9)
            .map(|place| {
                let mut terms = terms.clone();
                terms[place] += 1;
                T::Terms { sequence, terms }
            })
            .collect(),
        T::Followed { sequence, first, next } => {
            vec![T::Followed { sequence, first, next: next + 1 }]
        }
        T::NoDecrease { sequence, beyond } => vec![T::NoDecrease { sequence, beyond: beyond - 1 }],
        T::Differences { sequence, terms, frequencies } => {
            let changed = (0..frequencies.len()).map(|place| {
                let mut frequencies = frequencies.clone();
                frequencies[place].1 = other_decimal(&frequencies[place].1);
                frequencies
            });
            let less = without_one(&frequencies);
            let more = [frequencies.clone(), vec![(17, "0.000".to_owned())]].concat();
            let lists: Vec<_> = changed.chain(less).chain([more]).collect();
            let test = |frequencies| T::Differences { sequence, terms, frequencies };
            lists.into_iter().map(test).collect()
        }
        T::Extremes { sequence, terms, least, largest } => vec![
            T::Extremes { sequence, terms, least: other_decimal(&least), largest: largest.clone() },
            T::Extremes { sequence, terms, least, largest: other_decimal(&largest) },
        ],
        T::Strip { sequence, above, below } => vec![
            T::Strip { sequence, above: "-1.852".to_owned(), below },
            T::Strip { sequence, above, below: "0.779".to_owned() },
        ],
        T::Width { sequence, .. } => vec![T::Width { sequence, width: "2.5".to_owned() }],
        T::Ratio { sequence, tenths, from } => vec![
            T::Ratio { sequence, tenths: tenths + 1, from },
            T::Ratio { sequence, tenths: tenths - 1, from },
            T::Ratio { sequence, tenths, from: from - 2 },
        ],
        T::LinearBound { sequence, factor, constant } => {
            vec![T::LinearBound { sequence, factor, constant: constant - 1 }]
        }
        T::CountBelow { sequence, below, count } => vec![
            T::CountBelow { sequence, below, count: count + 1 },
            T::CountBelow { sequence, below: below + 3, count },
        ],
        T::AtLeastThird { thirds, floor } => {
            vec![
                T::AtLeastThird { thirds: thirds + 1, floor },
                T::AtLeastThird { thirds, floor: !floor },
            ]
        }
        T::Families { offsets, starts, rows } => {
            let one_more = |list: &[u64]| {
                let mut list = list.to_vec();
                list[1] += 1;
                list
            };
            vec![
                T::Families {
                    offsets: one_more(&offsets),
                    starts: starts.clone(),
                    rows: rows.clone(),
                },
                T::Families {
                    offsets: offsets.clone(),
                    starts: one_more(&starts),
                    rows: rows.clone(),
                },
                T::Families { rows: one_more(&rows), offsets, starts },
            ]
        }
    }
}

/// Those without a number are in `exceptions_among_the_cells_refute`.
fn cells_mutants(test: &CellTest) -> Vec<CellTest> {
    use CellTest as T;
    match test {
        T::Bound { constant } => vec![T::Bound { constant: constant - 1 }],
        T::DiagonalOccurs { .. } => vec![T::DiagonalOccurs { within: 2 }],
        T::DiagonalLargest
        | T::EndOccurs
        | T::MinimaRise
        | T::MinimaColumns
        | T::MinimaAfterEnds
        | T::EndIsMinimum => Vec::new(),
    }
}

fn recurrences_mutants(test: &RecurrenceTest) -> Vec<RecurrenceTest> {
    use RecurrenceTest as T;
    match test.clone() {
        T::Mex { mut examples } => {
            examples[0].1 += 1;
            vec![T::Mex { examples }]
        }
        T::InstantWinners { winners, losers } => vec![
            T::InstantWinners { winners, losers: losers.replace('2', "3") },
            T::InstantWinners { winners: "[{0}][∅]^∞".to_owned(), losers },
        ],
        T::FundamentalRecurrence { shift } => vec![
            T::FundamentalRecurrence { shift: shift + 1 },
            T::FundamentalRecurrence { shift: shift - 1 },
        ],
        T::Bounded { over_largest } => vec![T::Bounded { over_largest: over_largest - 1 }],
        T::PosterioriBound { .. } => vec![T::PosterioriBound { less: 100 }],
        T::ImpliedWinners { ones, twos, end } => vec![
            T::ImpliedWinners { ones: ones - 1, twos, end },
            T::ImpliedWinners { ones, twos: twos - 1, end },
            T::ImpliedWinners { ones, twos: twos + 1, end },
            T::ImpliedWinners { ones, twos, end: end + 1 },
        ],
        T::CrucialFacts { less, more } => vec![
            T::CrucialFacts { less: less + 1, more },
            T::CrucialFacts { less: less - 1, more },
            T::CrucialFacts { less, more: more + 1 },
            T::CrucialFacts { less, more: more - 1 },
        ],
        T::Decimals { fraction: (numerator, denominator), decimals } => vec![
            T::Decimals { fraction: (numerator + 1, denominator), decimals: decimals.clone() },
            T::Decimals { fraction: (numerator, 2 * denominator), decimals },
        ],
        T::ContinuedFraction { root_of, quotients } => vec![
            T::ContinuedFraction { root_of: root_of + 1, quotients: quotients.clone() },
            T::ContinuedFraction { root_of: root_of - 1, quotients: quotients.clone() },
            T::ContinuedFraction { root_of, quotients: quotients.replace('4', "3") },
        ],
        T::ThreeLines { .. } => {
            [(1, 2), (2, 0), (0, 2), (3, -2)].map(|alpha| T::ThreeLines { alpha }).to_vec()
        }
        T::Scheme { .. } => vec![T::Scheme { row_0: "[2]^∞".to_owned() }],
        T::MexOfMultiples { .. } => unreachable!("it decides nothing"),
    }
}

/// A claim that fails, put right.
pub(super) fn corrected(test: &Test) -> Test {
    use {
        BoardTest as Boards, PositionTest as Positions, RowTest as Rows, SequenceTest as Sequences,
    };
    match test.clone() {
        Test::Positions(Positions::TopRowOne { outcome, .. }) => {
            Test::Positions(Positions::TopRowOne { from: 3, outcome })
        }
        Test::Moves(MoveTest::Predecessors { of, mut families }) => {
            families.push(Before::MoreOnes);
            Test::Moves(MoveTest::Predecessors { of, families })
        }
        Test::Posets(PosetTest::Solids { solids, bite, win }) => {
            Test::Posets(PosetTest::Solids { solids, bite, win: !win })
        }
        // If k + 1 divides n the first player loses, for n to 6.
        Test::Posets(PosetTest::Subsets { plus, .. }) => {
            Test::Posets(PosetTest::Subsets { plus, only_if: false })
        }
        Test::FourRows(test) => Test::FourRows(super::four_rows::corrected(&test)),
        Test::Rows(Rows::Periods { rows }) if rows == [(782, 25)] => {
            Test::Rows(Rows::Periods { rows: vec![(782, 1)] })
        }
        // Row 7751 has no period at all; row 7739 has one.
        Test::Rows(Rows::Periods { rows }) if rows == [(7751, 720)] => {
            Test::Rows(Rows::Periods { rows: vec![(7739, 2)] })
        }
        Test::Rows(Rows::OnlyPeriods { .. }) => {
            Test::Rows(Rows::OnlyPeriods { periods: vec![1, 2, 3, 4, 6, 8, 9, 27] })
        }
        Test::Sequences(Sequences::Terms { sequence, mut terms }) => {
            terms[39] = 94;
            Test::Sequences(Sequences::Terms { sequence, terms })
        }
        Test::Sequences(Sequences::Strip { sequence, above, below }) => {
            let (above, below) = (other_decimal(&above), other_decimal(&below));
            Test::Sequences(Sequences::Strip { sequence, above, below })
        }
        Test::Sequences(Sequences::Width { sequence, .. }) => {
            Test::Sequences(Sequences::Width { sequence, width: "3.1".to_owned() })
        }
        Test::Sequences(Sequences::AtLeastThird { thirds, .. }) => {
            Test::Sequences(Sequences::AtLeastThird { thirds, floor: true })
        }
        Test::Boards(Boards::All(mut tests)) => {
            for test in &mut tests {
                if let Boards::Blocked { boards, .. } = test {
                    boards.retain(|board| board != "[2456]" && board != "[4447]");
                }
                // Cho prints (5,2), which [336] does not have.
                if let Boards::Bite { square, .. } = test {
                    *square = (5, 1);
                }
            }
            Test::Boards(Boards::All(tests))
        }
        Test::Boards(Boards::OpeningMove { rows, columns, square: (column, row) }) => {
            Test::Boards(Boards::OpeningMove { rows, columns, square: (row, column) })
        }
        Test::Boards(Boards::CornerLoses { .. }) => Test::Boards(Boards::CornerLoses { from: 7 }),
        Test::Boards(Boards::FewestSquares { .. }) => {
            Test::Boards(Boards::FewestSquares { rows: 6, columns: 13 })
        }
        test => panic!("no correction for {test:?}"),
    }
}
