//! Games against the program, and what is printed of small positions.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use game::{Board, Chomp, GameTree, Outcome, Search, Square, ThreeRows};
use predicates::str::contains;

use crate::program::{INCOMPLETE, USAGE, chomp, stdout};

/// A game, from outside.
struct Game {
    child: Child,
    bites: ChildStdin,
    lines: BufReader<ChildStdout>,
}

impl Game {
    fn begin(arguments: &str) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("chomp"));
        command.arg("play").args(arguments.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (bites, lines) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, bites, lines: BufReader::new(lines) }
    }

    fn type_line(&mut self, line: &str) {
        writeln!(self.bites, "{line}").unwrap();
    }

    /// The next line that says this, or that the game has ended.
    fn hear(&mut self, words: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the program says nothing");
            if line.contains(words) || line.contains("Only the poison is left") {
                return line;
            }
        }
    }

    /// The board after the program's bite; `None` if it has no bite.
    fn reply(&mut self) -> Option<Board> {
        let line = self.hear("The program bites");
        let left = line.split_once("leaves ")?.1.trim_end().trim_end_matches('.');
        Some(left.parse().unwrap())
    }

    fn end(mut self) {
        drop(self.bites);
        assert!(self.child.wait().unwrap().success());
    }
}

/// The last bite that leaves a P-position, by the rules; of none, a bite that does not.
fn best(board: &Board, search: &mut Search<'_, Chomp>) -> (Square, bool) {
    let mut bites: Vec<(Square, bool)> =
        board.bites().map(|(square, left)| (square, search.outcome(&left) == Outcome::P)).collect();
    bites.sort_by_key(|&(_, wins)| wins);
    *bites.last().unwrap()
}

/// Against perfect play the program loses lost positions, and wins won ones.
#[test]
fn the_program_wins_what_can_be_won() {
    let mut search = Search::of(&Chomp);
    for (board, second) in [
        ("7 5 3", false),
        ("7 5 3", true),
        ("7 4 3", false),
        ("7 4 3", true),
        ("4x5", true),
        ("7 5 5 4", false),
        ("2 2 2 2 1", true),
        ("6 5", true),
        ("1 1 1", false),
    ] {
        let start = board.parse().unwrap();
        let mut game = Game::begin(&format!("{board} {}", if second { "--second" } else { "" }));
        let program_wins = (search.outcome(&start) == Outcome::N) == second;
        let mut position = start;
        let mut persons = !second;
        let last = loop {
            if persons {
                if position.area() == 1 {
                    break game.hear("Only the poison");
                }
                let (square, wins) = best(&position, &mut search);
                assert_eq!(wins, !program_wins, "{board}: {position}");
                position = position.after(square).unwrap();
                game.type_line(&format!("{} {}", square.row, square.column));
            } else {
                if position.area() == 1 {
                    break game.hear("Only the poison");
                }
                let left = game.reply().unwrap();
                assert!(position.bites().any(|(_, other)| other == left), "{position}: {left}");
                assert_eq!(search.outcome(&left) == Outcome::P, program_wins, "{left}");
                // When it has lost it takes a square at a time.
                assert!(program_wins || left.area() + 1 == position.area());
                position = left;
            }
            persons = !persons;
        };
        assert!(
            last.contains(if program_wins { "The program wins" } else { "You win!" }),
            "{last}"
        );
        game.end();
    }
}

/// From a square the program wins if it begins: (2,2), and then the mirror image (2005 paper,
/// section 7). On other large boards it says what it cannot do, and wins where a theorem decides.
#[test]
fn large_boards_are_played() {
    let mut game = Game::begin("100x100 --second");
    let mut position: Board = game.reply().unwrap();
    assert_eq!(
        position,
        Board::rectangle(100, 100).unwrap().after(Square { row: 2, column: 2 }).unwrap()
    );
    for (row, column) in [(1, 60), (31, 1), (1, 2)] {
        position = position.after(Square { row, column }).unwrap();
        game.type_line(&format!("{row} {column}"));
        let left = game.reply().unwrap();
        assert!(position.bites().any(|(_, other)| other == left), "{left}");
        assert_eq!(left.height(), left.width(), "{left}");
        position = left;
    }
    assert!(game.hear("Only the poison").contains("The program wins"));
    game.end();

    let play = |lines: &str| stdout(chomp("play 20x30").write_stdin(lines).assert().success());
    let told = play("hint\n10 10\nhint\n3 1\n");
    assert!(told.contains("too large for the program") && told.contains("--all"), "{told}");
    assert!(told.contains("A bite wins, by strategy stealing"), "{told}");
    // Two rows: it takes a single square, and then wins if it can.
    let two_rows = play("3 1\n2 5\n");
    assert!(two_rows.contains("leaves (30,29)") && two_rows.contains("leaves (5,4)"), "{two_rows}");
}

#[test]
fn a_game_has_hints_and_undo_and_says_what_it_does_not_understand() {
    let play = |arguments: &str, lines: &str| {
        stdout(chomp(&format!("play {arguments}")).write_stdin(lines).assert())
    };
    let board = "      1 2 3 4 5 6 7\n   1  # o o o o o o\n   2  o o o o o\n   3  o o o\n";
    let game = play("7 5 3", "HINT\n2 5\nundo\n\nundo\nhelp\nquit\n2 5\n");
    assert_eq!(game.matches(board).count(), 2, "{game}");
    // The 2005 paper, section 7.1, and the rules have these three bites.
    let tree = GameTree::up_to(7);
    let hint = game.split_once("A bite in ").unwrap().1.split_once(" wins: it leaves ").unwrap();
    let left = hint.1.split_once(".\n").unwrap().0.trim_matches(['(', ')']);
    let left: Vec<u64> = left.split(',').map(|length| length.parse().unwrap()).collect();
    let left = ThreeRows::new(left[0], left[1], left[2]).unwrap();
    assert_eq!(tree.outcome(left), Some(Outcome::P));
    assert!(["row 1, column 6", "row 2, column 5", "row 3, column 3"].contains(&hint.0));
    for words in [
        "You bite row 2, column 5, and leave (7,4,3).\n",
        "You have not bitten yet.\n",
        "The player who must take the poison loses.\n",
    ] {
        assert_eq!(game.matches(words).count(), 1, "{words} in {game}");
    }
    assert!(game.ends_with("The game is left unfinished.\n"), "{game}");

    let odd = play("7 5 3", "1 1\n2 6\n4 1\n0 1\n2\nbite 2 5\nhunt\n");
    assert!(odd.contains("That is the poison."), "{odd}");
    assert_eq!(odd.matches("There is no square in row").count(), 3, "{odd}");
    assert_eq!(odd.matches("a square is its row and its column").count(), 3, "{odd}");
    let lost = play("(7,4,3)", "hint\n");
    assert!(lost.contains("No bite wins: (7,4,3) is a P-position"), "{lost}");
    // Nothing is drawn of a large board; rows may be of any length. In row 5 the offset is 4.
    let n = "1".to_owned() + &"0".repeat(40);
    let far = play(&format!("{n} {n} 5"), "hint\n");
    assert!(far.contains(&format!("The board is ({n},{n},5).")) && !far.contains('#'), "{far}");
    assert!(far.contains(" wins: it leaves ("), "{far}");
    // Of four rows, far out: docs/GUIDE.md has this bite.
    let four = play("1_000_000 1_000_000 3 2", "hint\n");
    let bite = "A bite in row 2, column 999998 wins: it leaves (1000000,999997,3,2).";
    assert!(four.contains(bite), "{four}");
    assert!(play("", "").contains("   3  o o o o o o o\n"), "3x7 by default");
}

#[test]
fn what_cannot_be_played_is_refused() {
    for (board, words) in [
        ("1", "the poison alone is no board"),
        ("ω 3 1", "has infinite rows"),
        ("5 6 5", "row 2 (6) is longer"),
        ("7 5 x", "\"x\" in"),
        ("600000001 600000001 600000001", "rows go to"),
    ] {
        let refused = chomp(&format!("play {board}")).write_stdin("").assert();
        refused.code(USAGE).stdout("").stderr(contains(words));
    }
    let unreadable = chomp("play").write_stdin(vec![0xff, b'\n']).assert();
    unreadable.code(3).stderr(contains("cannot read standard input"));
}

/// Ctrl-C, at a line that never comes.
#[cfg(unix)]
#[test]
fn a_game_can_be_interrupted() {
    let mut game = Game::begin("7 5 3");
    game.hear("Type a bite");
    // The tests may have been started to ignore this signal; then nothing happens.
    let kill = Command::new("kill").args(["-s", "TERM", &game.child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(game.child.wait().unwrap().code(), Some(INCOMPLETE));
}

/// f of the papers: the values of OEIS A029900 on the diagonal, rows 3 and 5, and Cho's (7,5,5,4).
#[test]
fn f_is_the_function_of_the_papers() {
    let f = |arguments: &str| stdout(chomp(&format!("f {arguments}")).assert());
    for line in fixtures::text("oeis/A029900.txt").lines().take(30) {
        let (n, d) = line.split_once(' ').unwrap();
        assert_eq!(f(&format!("{n} {n}")), format!("{d}\n"), "{n}");
    }
    let n = "1".to_owned() + &"0".repeat(100);
    assert_eq!(f(&format!("{n} 5")), format!("{}4\n", &n[..100]));
    assert_eq!(f("1_000 0"), "1001\n");
    for tail in ["5,4", "5 4", "(5,4)"] {
        assert_eq!(f(&format!("5 {tail}")), "7\n");
    }
    assert_eq!(f("41 ()"), "42\n");
    let folder = crate::program::data_set_to(130);
    let read =
        |arguments: &str| chomp(&format!("f {arguments} --data")).arg(folder.path()).assert();
    assert_eq!(stdout(read("1_000_000 120")), f("1_000_000 120"));
    assert_eq!(stdout(read("150 120")), f("150 120"));
    read("9 5,4").code(USAGE).stdout("").stderr(contains("not tail (5,4)"));
    read("999 131").code(USAGE).stdout("").stderr(contains("not row 131"));
    let tails = tempfile::tempdir().unwrap();
    chomp("tail 5,4 --full --out").arg(tails.path()).assert().success();
    let read = |arguments: &str| chomp(&format!("f {arguments} --data")).arg(tails.path()).assert();
    assert_eq!(stdout(read("5 5,4")), "7\n");
    read("5 3").code(0).stdout("5\n");
    read("6 3").code(1).stdout("").stderr(contains("row 3 ends with (5,5,3)"));
    read("9 6,4").code(USAGE).stdout("").stderr(contains("not tail (6,4)"));
}

/// (5,5,3) is the last P-position of row 3 (the 2005 paper, section 8), and (2,2,2,1) is one, so
/// that tail (3,1) has none.
#[test]
fn where_f_is_not_defined_it_is_said_why() {
    for (arguments, words) in [
        (
            "6 3",
            "no p makes (p,6,3) a P-position: row 3 ends with (5,5,3) (the 2005 paper sets f(6,3) = 5)\n",
        ),
        ("2 3", "(p,2,3) is no position, as 2 < 3 (the 2005 paper sets f(2,3) = f(2,2))\n"),
        ("9 3,1", "no p makes (p,9,3,1) a P-position: row (3,1) is empty"),
        ("2 3,1", "(p,2,3,1) is no position"),
    ] {
        let said = chomp(&format!("f {arguments}")).assert().code(1).stdout("");
        said.stderr(contains(words));
    }
    for (arguments, words) in [
        ("x 3", "give a whole number"),
        ("-1 3", "a number here is 0 or more"),
        ("10 2,3", "begins with its longest row; type 3,2"),
        ("10 600_000_000", "rows go to"),
        ("10", "f has q and then r"),
    ] {
        let refused = chomp(&format!("f {arguments}")).assert().code(USAGE).stdout("");
        refused.stderr(contains(words));
    }
}

/// The bites of the 2005 paper, section 7.1, where they are on the board.
#[test]
fn small_positions_are_drawn() {
    let query = |position: &str| stdout(chomp(&format!("query {position}")).assert());
    let n = query("3 2 1");
    let drawn = "\n      1 2 3\n   1  # o x\n   2  o x\n   3  x\n\n\
                 A bite at x wins; # is the poison.\n\
                 With best play the game takes 6 turns.\n\
                 This rests on rows 0 to 1, computed here; --proof prints the records of rows";
    assert!(n.contains(drawn), "{n}");
    assert!(!n.contains("Finite("), "{n}");
    let p = query("[4557]");
    assert!(p.contains("\n   4  o o o o\n\n# is the poison.\n") && !p.contains('x'), "{p}");
    // Of two rows, two are drawn.
    let two = query("7 5");
    assert!(two.contains("\n   1  # o o o o o x\n   2  o o o o o\n\nA bite at x wins"), "{two}");
    assert!(!query("25 5 3").contains('#') && query("24 5 3").contains('#'));
    // 13 columns, each of one square.
    assert!(!query("25x1").contains('#') && query("24x1").contains('#'));
}
