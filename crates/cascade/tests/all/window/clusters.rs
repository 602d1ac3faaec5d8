//! Clusters, row after row, and their periods.

use std::collections::{BTreeMap, BTreeSet};

use cascade::{Law, Letter, Machine, Pattern, Word};

use super::cases::Random;
use super::row::Columns;

const CASES: u32 = 100_000;

/// 5.1, without Chomp: rows with random words over random rows that lie deep enough, each from a
/// random state, have the patterns that their words allow.
#[test]
fn clusters_have_the_patterns_of_their_words() {
    let mut random = Random::new(5);
    let mut machine = Machine::new(1 << 9);
    let mut cases = 0;
    let mut seen = BTreeMap::new();
    while cases < CASES {
        let junk = 2 + u32::try_from(random.below(3)).unwrap();
        let period = 1 + random.index(2);
        let mut columns = Columns((0..period).map(|_| random.bits(junk) << 1).collect());
        // Two above all that lies below.
        let mut mean = junk + 2;
        columns = columns.with(&[mean]);
        let mut word = Word::first();
        loop {
            let moves = random.below(4) != 0 || mean > 60;
            // As `proofs/cascade.md`, 5, has it: where the next row's mean is if it moves.
            let at = if word.moves() { mean + 1 } else { mean };
            word = if moves { word.and_moves() } else { word.and_stands() };
            mean = if moves { at } else { at + 1 };
            if word.letters().len() > 6 || word.constants() > 4 {
                break;
            }
            let Ok(patterns) = machine.patterns(&word) else { break };
            assert!(columns.top() <= mean);
            let Some(row) = columns.row(mean, &mut random) else { break };
            cases += 1;
            let pattern = Pattern::new(&row.pattern(mean));
            assert!(patterns.contains(&pattern), "{word}: {pattern}");
            assert_eq!(word.moves(), pattern.period() > 1);
            seen.entry(word.clone()).or_insert_with(BTreeSet::new).insert(pattern);
            columns = columns.with(&row.values);
        }
    }
    // Every pattern that the machine allows occurs, if there were enough cases.
    for (word, patterns) in &seen {
        if word.rows() <= 6 {
            assert_eq!(*patterns, *machine.patterns(word).unwrap(), "{word}");
        }
    }
    let random_words = seen.keys().filter(|word| word.letters().contains(&Letter::S)).count();
    assert!(seen.len() > 100 && random_words > 50, "{} words", seen.len());
}

/// Patterns of moving rows over k constant rows, from random states.
fn pure(k: u32, rows: u32, random: &mut Random) -> Vec<Vec<i64>> {
    let mut columns = Columns(vec![((1 << k) - 1) << 3]);
    let mut patterns = Vec::new();
    for mean in k + 2..k + 2 + rows {
        // A hole of any depth: it is filled sooner or later.
        let row = (0..1000).find_map(|_| columns.row(mean, random)).expect("a row that goes on");
        columns = columns.with(&row.values);
        patterns.push(row.pattern(mean));
    }
    patterns
}

/// 6.1: k = 1, where each row is the sums of the row below it, modulo 2; so periods double.
#[test]
fn doubling() {
    let mut random = Random::new(6);
    let mut cases = 0;
    while cases < CASES {
        let patterns = pure(1, 11, &mut random);
        let above = |pattern: &[i64], column: usize| pattern[column % pattern.len()] == 1;
        for (n, pattern) in patterns.iter().enumerate() {
            assert_eq!(Pattern::new(pattern).period(), (n + 2).next_power_of_two());
            cases += 1;
            let Some(below) = n.checked_sub(1).map(|n| &patterns[n]) else { continue };
            for column in 1..=pattern.len() {
                let differs = above(pattern, column) != above(pattern, column - 1);
                assert_eq!(differs, above(below, column), "{patterns:?}");
            }
        }
    }
    // How many patterns there are: 2^(n + 1) functions, in orbits as long as the period.
    let mut machine = Machine::default();
    let mut word = Word::first();
    for n in 0..12_usize {
        word = word.and_moves();
        let period = (n + 2).next_power_of_two();
        assert_eq!(machine.patterns(&word).unwrap().len(), (1 << (n + 1)) / period, "{word}");
    }
}

/// 6.2: over k constant rows, k + 1 and then its square, each pattern the only one.
#[test]
fn squares() {
    let mut random = Random::new(7);
    let mut cases = 0;
    while cases < CASES {
        let k = 1 + u32::try_from(random.below(12)).unwrap();
        let period = k as usize + 1;
        let patterns = pure(k, 2, &mut random);
        let mut words: Word = format!("{k}:").parse().unwrap();
        for (pattern, period) in patterns.iter().zip([period, period * period]) {
            let pattern = Pattern::new(pattern);
            assert_eq!(pattern.period(), period);
            words = words.and_moves();
            assert_eq!(*Machine::default().patterns(&words).unwrap(), [pattern].into());
            cases += 1;
        }
    }
}

/// 6.6: over an even number of constant rows, the third row has the cube of k + 1.
#[test]
fn cubes() {
    let mut random = Random::new(10);
    let mut machine = Machine::default();
    for k in [2, 4, 6, 8, 10, 12, 14, 16, 18, 20] {
        let patterns = machine.patterns(&format!("{k}:AAA").parse().unwrap()).unwrap();
        assert_eq!(patterns.len(), 1);
        assert_eq!(patterns.first().unwrap().period(), (k + 1_usize).pow(3));
    }
    let mut cases = 0;
    while cases < CASES {
        let k = 2 * (1 + u32::try_from(random.below(3)).unwrap());
        for (pattern, n) in pure(k, 3, &mut random).iter().zip(1..) {
            assert_eq!(Pattern::new(pattern).period(), (k as usize + 1).pow(n));
            cases += 1;
        }
    }
}

/// 6.3: over an odd number of constant rows, the balls that the third row meets are several cycles;
/// over an even one, the parity of the permutation allows one.
#[test]
fn parity() {
    let mut machine = Machine::new(1 << 15);
    for k in 1..=12 {
        let word: Word = format!("{k}:AA").parse().unwrap();
        let cycles = machine.laws(&word).unwrap().first().unwrap().cycles().len();
        assert_eq!(cycles == 1, k % 2 == 0, "{k}");
    }
}

/// 6.5: how many rows have one pattern, and for its period a power of k + 1.
#[test]
fn powers() {
    let mut machine = Machine::default();
    for (k, rows) in [(4, 8), (6, 6), (8, 3), (10, 4), (12, 3)] {
        let mut word: Word = format!("{k}:").parse().unwrap();
        for n in 1..=rows {
            word = word.and_moves();
            let patterns = machine.patterns(&word).unwrap();
            assert_eq!(patterns.len(), 1, "{word}");
            assert_eq!(patterns.first().unwrap().period(), (k + 1_usize).pow(n), "{word}");
        }
        assert!(k == 4 || machine.patterns(&word.and_moves()).unwrap().len() > 1);
    }
    let periods = |text: &str| {
        let patterns = machine.patterns(&text.parse().unwrap()).unwrap();
        patterns.iter().map(Pattern::period).collect::<BTreeSet<_>>()
    };
    let over_three = ["3:A", "3:AA", "3:AAA", "3:AAAA"].map(periods);
    assert_eq!(over_three, [[4].into(), [16].into(), [16, 48].into(), [64, 192].into()]);
}

/// 6.4: over two constant rows periods triple for eight rows, and no more.
#[test]
fn tripling() {
    let mut machine = Machine::default();
    let mut word: Word = "2:".parse().unwrap();
    for n in 1..=8 {
        word = word.and_moves();
        let patterns = machine.patterns(&word).unwrap();
        assert_eq!(patterns.len(), 1, "{word}");
        assert_eq!(patterns.first().unwrap().period(), 3_usize.pow(n), "{word}");
    }
    let ninth = machine.patterns(&word.and_moves()).unwrap();
    assert_eq!(ninth.iter().map(Pattern::period).collect::<Vec<_>>(), [6561; 3]);

    // Again, with nothing of laws: 3.5 for three colours, as affine maps modulo 3.
    let mut colours: Vec<i64> = vec![0, 1, 2];
    for n in 2..=9 {
        let (mut sign, mut colour) = (1, 0);
        let mut next = Vec::new();
        let three_times = colours.iter().cycle().take(3 * colours.len());
        for &below in three_times {
            colour = (colour + sign * below).rem_euclid(3);
            sign = if below == 0 { sign } else { -sign };
            next.push(colour);
        }
        assert_eq!(sign, 1);
        let third = next.len() / 3;
        let returns = next[..third] == next[third..2 * third];
        assert_eq!(returns, n == 9, "the n-th row has period 3^n, but for the ninth");
        colours = next;
    }

    // And from the recurrence.
    let mut random = Random::new(8);
    let mut cases = 0;
    while cases < CASES {
        for (pattern, n) in pure(2, 4, &mut random).iter().zip(1..) {
            assert_eq!(Pattern::new(pattern).period(), 3_usize.pow(n));
            cases += 1;
        }
    }
}

/// 6.5: the first row that meets balls which are several cycles, and these cycles, by 3.5 alone.
#[test]
fn powers_by_exchanges() {
    let cases: [(u8, u32, &[usize]); 9] = [
        (2, 8, &[1, 1, 1]),
        (3, 2, &[1, 3]),
        (4, 11, &[1, 1, 1, 1, 1]),
        (6, 6, &[1, 1, 5]),
        (8, 3, &[1, 4, 4]),
        (10, 4, &[1, 1, 9]),
        (12, 3, &[3, 5, 5]),
        (14, 3, &[2, 2, 3, 3, 5]),
        (16, 3, &[2, 2, 13]),
    ];
    for (k, row, several) in cases {
        // The balls that row n meets, ball 0 being that of the row; at first n = 0.
        let mut balls: Vec<u8> = (0..=k).collect();
        for n in 1.. {
            let mut state: Vec<u8> = (0..=k).collect();
            for &ball in &balls {
                state.swap(0, ball.into());
            }
            let cycles = cycles(&state);
            if cycles.len() > 1 {
                assert_eq!((n, &cycles[..]), (row, several), "k = {k}");
                break;
            }
            let mut state: Vec<u8> = (0..=k).collect();
            let exchange = |&ball: &u8| {
                state.swap(0, ball.into());
                state[0]
            };
            let columns = balls.len() * (usize::from(k) + 1);
            balls = balls.iter().cycle().take(columns).map(exchange).collect();
        }
    }
}

/// The lengths of the cycles of a permutation, in ascending order.
fn cycles(permutation: &[u8]) -> Vec<usize> {
    let mut seen = vec![false; permutation.len()];
    let mut lengths = Vec::new();
    for first in 0..permutation.len() {
        let (mut place, mut length) = (first, 0);
        while !seen[place] {
            seen[place] = true;
            place = permutation[place].into();
            length += 1;
        }
        lengths.extend((length > 0).then_some(length));
    }
    lengths.sort_unstable();
    lengths
}

/// 3.5: the balls of the next law, by exchanges of colours, which know no depth.
#[test]
fn exchanges() {
    // More than a period, from columns on before which every ball has fallen.
    const FAR: usize = 100;
    const SOME: usize = 400;
    let mut random = Random::new(9);
    let mut cases = 0;
    while cases < CASES {
        let mut word = Word::first();
        let mut law = Law::obstacles(1);
        for _ in 0..random.below(8) {
            let cycles = law.cycles();
            let cycle = &cycles[random.index(cycles.len())];
            if u64::try_from(law.period()).unwrap() * cycle.balls > 150 {
                break;
            }
            if random.below(3) == 0 {
                law = law.stand();
                continue;
            }
            word = word.and_moves();
            let (_, next) = law.take_out(cycle);
            // Columns far enough on that every ball has fallen before.
            let ball = colours(&law, SOME);
            let taken = law.ball(cycle);
            let first = (FAR..).find(|&column| taken[column % taken.len()]).unwrap();
            let balls = usize::try_from(law.balls()).unwrap();
            let mut state: Vec<usize> = (0..balls).collect();
            // Colours of the balls of the old law, that which is taken out first.
            let mut register: Vec<usize> = (0..balls).collect();
            register.swap(0, ball[first]);
            let place = |colour: usize| register.iter().position(|&other| other == colour).unwrap();
            let exchanged: Vec<usize> = (FAR..SOME)
                .map(|column| {
                    state.swap(0, place(ball[column]));
                    state[0]
                })
                .collect();
            // The same partition of the columns.
            let expected = colours(&next, SOME);
            assert_eq!(renumbered(&exchanged), renumbered(&expected[FAR..]), "{word}");
            cases += 1;
            law = next;
        }
    }
}

/// Numbers in the place of others, in the order in which these come first.
fn renumbered(numbers: &[usize]) -> Vec<usize> {
    let mut order = Vec::new();
    let place = |number: &usize| {
        order.iter().position(|other| other == number).unwrap_or_else(|| {
            order.push(*number);
            order.len() - 1
        })
    };
    numbers.iter().map(place).collect()
}

/// Which ball falls in each of the first columns, numbered as they first fall.
fn colours(law: &Law, columns: usize) -> Vec<usize> {
    let mut ball: Vec<usize> = Vec::new();
    let mut count = 0;
    for column in 0..columns {
        let steps = usize::try_from(law.depths()[column % law.period()]).unwrap() + 1;
        if steps > column {
            ball.push(count);
            count += 1;
        } else {
            ball.push(ball[column - steps]);
        }
    }
    ball
}
