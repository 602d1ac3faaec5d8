//! `chomp ends`, against the game tree.

use ask::Question;
use game::{GameTree, Outcome, ThreeRows};
use serde_json::{Value, json};

fn asked(question: Value) -> Value {
    let question: Question = serde_json::from_value(question).unwrap();
    question.ask(&()).unwrap().object
}

/// The game tree has all P-positions to p = 60, and rows 0 to 20 have ended, or repeat, before. Row
/// 0, with the positions (q+1,q,0), never ends.
#[test]
fn rows_end_where_the_game_tree_has_their_last_position() {
    let tree = GameTree::up_to(60);
    let is_p = |q, r| tree.outcome(ThreeRows::new(q, q, r).unwrap()) == Some(Outcome::P);
    let mut ended = 0;
    for row in 0..=20 {
        let last = (row.max(1)..=60).find(|&q| is_p(q, row));
        ended += u32::from(last.is_some());
        assert_eq!(asked(json!({"ask": "ends", "row": row}))["last"], json!(last), "row {row}");
    }
    assert!(ended > 5, "{ended}");
}

#[test]
fn a_row_that_never_ends_has_an_answer_and_a_reason() {
    let question: Question = serde_json::from_value(json!({"ask": "ends", "row": 120})).unwrap();
    let told = question.ask(&()).unwrap();
    let expected =
        json!({"row": 120, "last": null, "source": {"from": "computed", "folder": null}});
    assert_eq!((told.object, &*told.words), (expected, ""));
    assert_eq!(told.ending.unwrap_err().to_string(), "row 120 is periodic, and never ends");
}
