//! The machine, laws and patterns against known ones.

use cascade::{Law, Machine, Pattern, Word};

fn periods(text: &str) -> Vec<usize> {
    let patterns = Machine::default().patterns(&text.parse().unwrap()).unwrap();
    let mut periods: Vec<usize> = patterns.iter().map(Pattern::period).collect();
    periods.dedup();
    periods
}

#[test]
fn laws_are_bijections() {
    for depths in [vec![], vec![0, 1], vec![0, 1 << 62]] {
        assert_eq!(Law::new(depths.clone()), None, "{depths:?}");
    }
    assert_eq!(Law::new(vec![0, 3, 3, 0, 3, 3]).unwrap().depths(), [0, 3, 3]);
}

/// A row without a choice has one pattern, whichever rotation of the law below it meets.
#[test]
fn rotations_do_not_matter() {
    let law = Law::new(vec![2, 0, 2, 4]).unwrap();
    let rotated = Law::new(vec![2, 4, 2, 0]).unwrap();
    assert_ne!(law, rotated);
    assert_eq!(law.rotated_least(), rotated.rotated_least());
    assert_eq!(law.rotated_least().depths(), [0, 2, 4, 2]);
    assert_eq!(law.moves(100), rotated.moves(100));
    assert_eq!(law.moves(3), Err(4));
}

#[test]
fn constant_rows_have_period_1() {
    for text in ["1:", "7:", "1:As", "2:AAss"] {
        assert_eq!(periods(text), [1], "{text}");
    }
}

/// A period too long is refused, also below: the word of a constant row is no way around it.
#[test]
fn periods_are_bounded() {
    let mut machine = Machine::new(80);
    let word: Word = "2:AAA".parse().unwrap();
    assert_eq!(machine.patterns(&word).unwrap().len(), 1);
    for text in ["2:AAAA", "2:AAAAs", "2:AAAAsA"] {
        let error = machine.patterns(&text.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains("the word 2:AAAA can have period 81, and"), "{error}");
        assert!(error.contains("only periods to 80 are followed"), "{error}");
    }
    let error = machine.patterns(&"80:A".parse().unwrap()).unwrap_err().to_string();
    assert!(error.contains("period 81,"), "{error}");
}
