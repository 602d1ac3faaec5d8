//! `chomp play`: a game against the program, line by line.

use std::io::{self, BufRead, IsTerminal, Read, Stdin};
use std::iter;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use ask::{Played, Player};
use clap::Args;
use driver::{Engine, Error, Position, Reach, Square, Watch, Way};
use terminal::{Watcher, cost_in_words};

use crate::drawing::{self, Marks};
use crate::output;
use ask::input;

/// Play a game against the program, in the terminal.
///
/// A bite is typed as row and column, both counted from 1 at the poison: `2 5` is the fifth square
/// of row 2. Other words are `hint`, `undo`, `help` and `quit`. The player who must take the poison
/// loses. The program wins whenever it can, on a small board in as few turns as it can. When it
/// cannot, it delays: on a small board as long as the best play of both allows, on a large one with
/// the single square that leaves the fewest winning bites.
///
/// The board may be any position with rows of finite length. It is drawn if it has at most 24 rows
/// and 24 columns. If the program cannot decide all positions of the game in ten seconds and with 1
/// GB, it says so, and wins only where a theorem (fact 14 of the proofs) or a short search decides
/// the position: from a square, such as 100x100, it wins if it begins. Ctrl-C and Ctrl-D end the
/// game.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp play\n  chomp play 7 5 3\n  \
    chomp play 4x7 --second\n\nExit codes: 0 if the game has ended or was left, 4 if it was \
    interrupted.")]
pub struct Arguments {
    /// The board, in any form (`chomp help notation`).
    #[arg(value_name = "P Q R ...", num_args = 1.., default_values = ["3x7"],
        allow_negative_numbers = true)]
    position: Vec<String>,
    /// The program bites first.
    #[arg(long)]
    second: bool,
    /// Decide all positions of the game, whatever it costs.
    #[arg(long)]
    all: bool,
}

/// Up to this row a bite is found at once, without progress.
const QUICK: u64 = 10_000;

/// Plays one game.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let position = start(&arguments.position.join(" "))?;
    let player = Player::of(&position, Engine::default(), arguments.all, &Watcher::new()?)?;
    let is_quick = position.tail().first_column() <= QUICK;
    let watcher = if is_quick { Watcher::without_progress() } else { Watcher::new() }?;
    let input = files::stdin().map_err(|error| unreadable(&error))?;
    let prompts = input.is_terminal() && io::stdout().is_terminal();
    let game = Game { player, watcher, lines: lines(input), prompts, position, past: Vec::new() };
    game.play(arguments.second)
}

/// A position in which there is a bite.
fn start(typed: &str) -> Result<Position, Error> {
    let position = input::position(typed)?;
    if position.longest_two().is_none() {
        let words = format!("{position} has infinite rows; choose a finite board to play on");
        return Err(Error::usage(words));
    }
    if is_poison(&position) {
        let words = "the poison alone is no board to play on; choose a larger one, such as 3x7";
        return Err(Error::usage(words));
    }
    Ok(position)
}

fn is_poison(position: &Position) -> bool {
    position.as_board() == "(1)"
}

/// The lines of standard input, read by a thread of its own: a signal does not end a read.
fn lines(input: Stdin) -> Receiver<io::Result<String>> {
    let (send, lines) = mpsc::sync_channel(0);
    thread::spawn(move || {
        let mut input = input.lock();
        let read = iter::from_fn(|| next_line(&mut input).transpose());
        // Until the end of the input, or of the game.
        read.map(|line| send.send(line)).take_while(Result::is_ok).for_each(drop);
    });
    lines
}

fn unreadable(error: &io::Error) -> Error {
    Error::file(format!("cannot read standard input: {error}"))
}

/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The next line; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = input.take(LONGEST_LINE + 1).read_until(b'\n', &mut line)?;
    let invalid = |problem: String| io::Error::new(io::ErrorKind::InvalidData, problem);
    if read as u64 > LONGEST_LINE {
        return Err(invalid(format!("a line is longer than {LONGEST_LINE} bytes")));
    }
    let line = String::from_utf8(line).map_err(|_| invalid("a line is not text".to_owned()))?;
    Ok((read > 0).then_some(line))
}

struct Game {
    player: Player,
    watcher: Watcher,
    lines: Receiver<io::Result<String>>,
    /// Whether a person is asked for each line.
    prompts: bool,
    position: Position,
    /// The positions in which the person has bitten.
    past: Vec<Position>,
}

const HELP: &str = "\
Type a bite as its row and its column, such as 2 5. It takes that square and all
squares to the right of it and below it.
The player who must take the poison loses.
hint names a bite that wins; undo takes your last bite back; quit leaves the
game. The program wins whenever it can, and hurries. When it cannot, it delays.";

const IN_SHORT: &str =
    "Type a bite as its row and its column, such as 2 5; or hint, undo, help or quit.";

impl Game {
    fn play(mut self, second: bool) -> Result<(), Error> {
        self.draw()?;
        say(IN_SHORT)?;
        if self.player.way().is_none() {
            say(&too_large(&self.position))?;
        }
        if second && self.program_bites()? {
            return Ok(());
        }
        while let Some(line) = self.line()? {
            match line.trim().to_lowercase().as_str() {
                "" => {}
                "hint" => self.hint()?,
                "undo" => self.undo()?,
                "help" => say(HELP)?,
                "quit" => break,
                bite => match input::square(bite) {
                    Ok(square) if self.person_bites(&square)? => return Ok(()),
                    Ok(_) => {}
                    Err(error) => say(&format!("{error}; or hint, undo, help or quit."))?,
                },
            }
        }
        say("The game is left unfinished.")
    }

    /// The next line; `None` at the end of the input.
    fn line(&self) -> Result<Option<String>, Error> {
        if self.prompts {
            output::print(b"> ")?;
        }
        let read = loop {
            match self.lines.recv_timeout(Duration::from_millis(50)) {
                Err(RecvTimeoutError::Timeout) if !self.watcher.stop() => {}
                read => break read,
            }
        };
        if read.is_err() && self.prompts {
            say("")?;
        }
        match read {
            Ok(line) => Ok(Some(line.map_err(|error| unreadable(&error))?)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(Error::interrupted("; the game is not finished")),
        }
    }

    /// Whether the game ends with this bite and the program's answer.
    fn person_bites(&mut self, square: &Square) -> Result<bool, Error> {
        let Some(left) = self.position.after(square) else {
            let is_poison = square.to_string() == "row 1, column 1";
            say(&if is_poison {
                "That is the poison. There is another bite.".to_owned()
            } else {
                format!("There is no square in {square}.")
            })?;
            return Ok(false);
        };
        say(&format!("You bite {square}, and leave {}.", left.as_board()))?;
        self.past.push(std::mem::replace(&mut self.position, left));
        if is_poison(&self.position) {
            say("Only the poison is left, and the program must take it. You win!")?;
            return Ok(true);
        }
        self.program_bites()
    }

    /// Whether the game ends with this bite.
    fn program_bites(&mut self) -> Result<bool, Error> {
        let played = self.player.bite(&self.position, &self.watcher)?;
        let none = || Error::defect(format!("there is no bite in {}", self.position));
        let Played { square, leaves, .. } = played.ok_or_else(none)?;
        say(&format!("The program bites {square}, and leaves {}.", leaves.as_board()))?;
        self.position = leaves;
        self.draw()?;
        let ends = is_poison(&self.position);
        if ends {
            say("Only the poison is left, and you must take it. The program wins.")?;
        }
        Ok(ends)
    }

    fn hint(&self) -> Result<(), Error> {
        let position = &self.position;
        let Some(answer) = self.player.known(position, &self.watcher)? else {
            return say("It is not known here whether a bite wins: the board is too large.");
        };
        say(&match answer.bites.first() {
            Some(bite) => {
                format!("A bite in {} wins: it leaves {}.", bite.square, bite.leaves.as_board())
            }
            None if answer.is_p() => {
                format!(
                    "No bite wins: {} is a P-position, and the program never errs.",
                    position.as_board()
                )
            }
            None => "A bite wins, by strategy stealing, but it is not known here which.".to_owned(),
        })
    }

    fn undo(&mut self) -> Result<(), Error> {
        match self.past.pop() {
            Some(position) => {
                self.position = position;
                self.draw()
            }
            None => say("You have not bitten yet."),
        }
    }

    fn draw(&self) -> Result<(), Error> {
        let marks = Marks::of_stdout();
        let mut lines = drawing::position(&self.position, &[], marks);
        if lines.is_empty() {
            lines.push(format!("The board is {}.", self.position.as_board()));
        } else {
            lines.insert(0, String::new());
            lines.push(String::new());
        }
        say(&lines.join("\n"))
    }
}

/// Says what the program cannot do in this game.
fn too_large(position: &Position) -> String {
    let all = match Way::of_game(position, Engine::default(), &Reach::ALL) {
        Some((_, cost)) => format!("with --all, {}", cost_in_words("will", cost)),
        None => "no way to that is known here".to_owned(),
    };
    format!(
        "This board is too large for the program to decide all positions of the game at once ({all}).\n\
         It wins where a theorem or a short search decides the position. Elsewhere it takes a single\n\
         square, and may err."
    )
}

fn say(line: &str) -> Result<(), Error> {
    output::print(format!("{line}\n").as_bytes())
}
