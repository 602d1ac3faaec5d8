//! Options that would do nothing beside others, as far as clap cannot know it: they are errors.

use driver::Engine;

use crate::arguments::{
    AnySequence, Arguments, Command, EngineChoice, Given, GrundyArguments, Listing,
    ReproduceArguments, RowsArguments, SeqArguments, TailArguments,
};
use crate::failure::Failure;

/// Refuses a command line with an option that would do nothing.
pub fn refuse(Arguments { command, quiet }: &Arguments) -> Result<(), Failure> {
    match command {
        Command::Rows(rows) => of_rows(rows),
        Command::Periods(periods) => of_engine(periods.engine, periods.data.is_some()),
        Command::Stats(stats) => of_engine(stats.engine, stats.data.is_some()),
        Command::Query(query) => of_engine(query.engine, query.data.is_some()),
        Command::Why(why) => of_engine(why.engine, why.data.is_some()),
        Command::Seq(seq) => of_seq(seq),
        Command::Grundy(grundy) => of_grundy(grundy),
        Command::Tail(tail) => of_tail(tail),
        Command::Reproduce(reproduce) => of_reproduce(reproduce),
        Command::Completions { .. } | Command::Man { .. } => {
            none(quiet.then_some("--quiet"), "there is nothing to be quiet about")
        }
        _ => Ok(()),
    }
}

/// Fails if the option was given.
pub fn none(option: Option<&str>, why: &str) -> Result<(), Failure> {
    match option {
        Some(option) => Err(Failure::Usage(format!("{option} does nothing here: {why}"))),
        None => Ok(()),
    }
}

const READ: &str = "the rows are read from --data, not computed";
const LITERAL: &str = "it is for the sweep, and --engine literal is another engine";

fn of_engine(engine: EngineChoice, reads: bool) -> Result<(), Failure> {
    let Given { engine: name, threads, kernel } = engine.given();
    if reads {
        return none(name.or(threads).or(kernel), READ);
    }
    if engine.is_literal() { none(threads.or(kernel), LITERAL) } else { Ok(()) }
}

fn of_rows(rows: &RowsArguments) -> Result<(), Failure> {
    of_engine(rows.engine, false)?;
    let Given { threads, kernel, .. } = rows.engine.given();
    if rows.full {
        none(threads.or(kernel), "with --full the sweep is one thread without vectors")?;
    }
    let checkpoint = rows.checkpoint.map(|_| "--checkpoint");
    let given = checkpoint.or(rows.spill.as_ref().map(|_| "--spill"));
    none(given.filter(|_| matches!(rows.engine.chosen(), Engine::Literal)), LITERAL)
}

fn of_seq(seq: &SeqArguments) -> Result<(), Failure> {
    let Given { engine, threads, kernel } = seq.engine.given();
    match &seq.sequence {
        None => none(engine.or(threads).or(kernel), "no sequence is named"),
        Some(AnySequence::Boards(_)) => none(
            engine.or(threads).or(kernel),
            "boards are counted by a search of their own, on one thread",
        ),
        Some(AnySequence::GrundyValues) => {
            none(engine.or(kernel), "Grundy values come from a full table")
        }
        Some(AnySequence::Words(_) | AnySequence::Pattern(_)) => {
            none(engine.or(threads).or(kernel), "words need no rows")
        }
        Some(AnySequence::Periods(_)) => of_engine(seq.engine, true),
        Some(AnySequence::Rows(_)) => of_engine(seq.engine, seq.data.is_some()),
    }
}

fn of_grundy(grundy: &GrundyArguments) -> Result<(), Failure> {
    of_levels(&grundy.listing, grundy.levels)
}

fn of_tail(tail: &TailArguments) -> Result<(), Failure> {
    of_levels(&tail.listing, tail.levels)
}

fn of_levels(listing: &Listing, levels: Option<(u64, u64)>) -> Result<(), Failure> {
    none(listing.engine.given().kernel, "rows of levels and tails are found without vectors")?;
    of_engine(listing.engine, false)?;
    match levels {
        Some((first, last)) if first > 0 && listing.out.is_some() => Err(Failure::Usage(format!(
            "a data set has all levels from 0 on; with --out write --levels 0..{last}"
        ))),
        _ => Ok(()),
    }
}

/// The cells are computed by the sweep in any case.
fn of_reproduce(reproduce: &ReproduceArguments) -> Result<(), Failure> {
    none(reproduce.engine.given().engine.filter(|_| reproduce.data.is_some()), READ)
}
