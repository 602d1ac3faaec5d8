//! Outcomes and Grundy values by search, against the exhaustive tree and proved facts.

use game::{
    Board, Chomp, GameTree, ImpartialGame, Outcome, Search, Square, ThreeRows, Written, Wrong,
};

fn board(text: &str) -> Board {
    text.parse().expect(text)
}

/// A heap of Nim: its Grundy value is its size (Sprague, Grundy).
struct Heap;

impl ImpartialGame for Heap {
    type Position = u64;

    fn options(&self, size: &u64) -> impl Iterator<Item = u64> {
        0..*size
    }
}

/// Three-rowed Chomp, without boards.
struct ThreeRowedChomp;

impl ImpartialGame for ThreeRowedChomp {
    type Position = ThreeRows;

    fn options(&self, position: &ThreeRows) -> impl Iterator<Item = ThreeRows> {
        position.bites()
    }
}

#[test]
fn a_heap_is_worth_its_size() {
    let mut search = Search::of(&Heap);
    for size in 0..20 {
        assert_eq!(search.grundy(&size), size);
        assert_eq!(search.outcome(&size), if size == 0 { Outcome::P } else { Outcome::N });
        assert_eq!(search.winning_options(&size), vec![0; usize::from(size > 0)]);
    }
}

#[test]
fn three_rowed_chomp_and_boards_agree_with_the_tree() {
    const N: u64 = 9;
    let tree = GameTree::up_to(N);
    let (mut three, mut any) = (Search::of(&ThreeRowedChomp), Search::of(&Chomp));
    for position in ThreeRows::up_to(N) {
        let same = Board::try_from(position).expect("short rows");
        let outcome = tree.outcome(position).expect("in reach");
        assert_eq!(three.outcome(&position), outcome, "{position}");
        assert_eq!(any.outcome(&same), outcome, "{position}");
        assert_eq!(any.grundy(&same), three.grundy(&position), "{position}");
        assert_eq!(any.grundy(&same) == 0, outcome == Outcome::P, "{position}");
        let options: Vec<_> =
            ThreeRowedChomp.options(&position).map(|left| Board::try_from(left).unwrap()).collect();
        assert!(Chomp.options(&same).all(|left| options.contains(&left)), "{position}");
        assert_eq!(Chomp.options(&same).count(), options.len());
    }
}

/// A bite takes the bitten square and all that are in no earlier row and no earlier column.
#[test]
fn bites_of_a_board_follow_the_rule() {
    for text in ["1x1", "1x5", "4x1", "4,5,5,7", "[1133]", "(6,6,2,1,1)"] {
        let board = board(text);
        let mut bites = board.bites();
        for bitten in board.squares().skip(1) {
            let (square, left) = bites.next().expect("one for each square but the poison");
            assert_eq!(square, bitten);
            let expected = board
                .squares()
                .filter(|other| other.row < bitten.row || other.column < bitten.column);
            assert!(left.squares().eq(expected), "{text} {bitten}");
        }
        assert_eq!(bites.next(), None);
        assert_eq!(board.squares().count(), board.area() as usize);
        assert_eq!(board.after(Square { row: board.height() + 1, column: 1 }), None);
    }
}

#[test]
fn a_transposed_board_has_its_squares_mirrored() {
    for text in ["1x1", "1x5", "4,5,5,7", "[1133]", "(6,6,2,1,1)"] {
        let (board, mirrored) = (board(text), board(text).transposed());
        assert_eq!(board.area(), mirrored.area());
        for Square { row, column } in board.squares() {
            assert!(mirrored.has(Square { row: column, column: row }), "{text}");
        }
        assert_eq!(mirrored.transposed(), board);
    }
}

/// Cho 2018, 1.2: `[114]` is `[1113]'`, and the rows go from the top, the poison last.
#[test]
fn boards_are_read_in_either_direction() {
    let rows = |text: &str| board(text).rows().to_vec();
    for text in
        ["4,5,5,7", "7,5,5,4", "(7, 5, 5, 4)", "4 5 5 7", "[4557]", "[4, 5, 5, 7]", "7 5 5 4 0"]
    {
        assert_eq!(rows(text), [7, 5, 5, 4], "{text}");
    }
    assert_eq!(board("[114]"), board("[1113]'"));
    assert_eq!(board("[224]'"), board("[1133]"));
    for text in ["3x5", " 3 X 5", "3×5", "3⊗5"] {
        assert_eq!(rows(text), [5, 5, 5], "{text}");
    }
    assert_eq!(
        (rows("[12]"), rows("12"), rows("[12,]".replace(",]", ",12]").as_str())),
        (vec![2, 1], vec![12], vec![12, 12])
    );
    let direction = |text: &str| match Written::<u16>::read(text).expect(text) {
        Written::Lengths(lengths) => lengths.poison_last,
        Written::Squared(_) => panic!("{text}"),
    };
    assert!(direction("[4557]") && !direction("7,5,5,4") && !direction("3x5"));
}

#[test]
fn what_is_no_board_is_refused() {
    let parse = |text: &str| text.parse::<Board>().expect_err(text);
    let no_board = |text: &str, problem: &str| {
        let error = parse(text);
        assert!(error.wrong == Wrong::Board && error.to_string().contains(problem), "{error}");
    };
    for text in ["0x5", "5x0", "0", "[000]", "", "()", "[]"] {
        no_board(text, "a board without squares is not a position");
    }
    for (text, error) in [
        ("7,5,6,4", "row 3 (6) is longer than the row before it (5)"),
        ("[4657]", "row 3 (6) is longer than the row before it (5)"),
        ("5,0,5", "row 3 (5) is longer than the row before it (0)"),
    ] {
        no_board(text, error);
    }
    for text in ["10001x1", "1x65535", "10_001", &("1,".repeat(10_000) + "1")] {
        no_board(text, "columns are too many; at most 10000 of either are supported");
    }
    for text in ["(4,5", "4,5]", "[4557)", "4557'", "(4,5)'"] {
        assert!(parse(text).to_string().contains("brackets"), "{text:?}");
    }
    assert_eq!(parse("8x10x2").wrong, Wrong::Product);
    for text in ["4,5-", "a", "[4.5]"] {
        assert_eq!(parse(text).wrong, Wrong::Number, "{text:?}");
    }
    for text in ["8x", "x", "4,,5"] {
        assert!(parse(text).to_string().contains("lacks a number"), "{text:?}");
    }
    for text in ["65536x1", "99999999999999999999999"] {
        assert_eq!(parse(text).wrong, Wrong::TooLarge, "{text:?}");
    }
    let long = parse(&format!("{}x", "9".repeat(1_000_000))).to_string();
    assert!(long.len() < 1000, "{long}");
}
