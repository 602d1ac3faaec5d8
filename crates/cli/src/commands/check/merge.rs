//! `chomp check --merge`: verdicts of parts, put together.

use ask::{Depth, RowRange, VerdictObject};
use driver::Error;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::output;

/// No verdict is longer, in bytes.
const LONGEST: u64 = 1 << 20;

/// The details of the verdict on a part.
#[derive(Deserialize)]
struct Ends {
    last: u64,
    from: Option<Checkpoint>,
    to: Checkpoint,
}

#[derive(Deserialize)]
struct Checkpoint {
    hash: String,
}

/// A part of a check: the hashes of the checkpoints at which it begins and ends.
struct Part {
    file: String,
    data: String,
    last: u64,
    /// `None`: column 0.
    from: Option<String>,
    /// `None`: the end.
    to: Option<String>,
}

impl Part {
    fn read(path: &Path) -> Result<Self, Error> {
        let file = output::shown(path);
        let text = files::text(path, LONGEST)
            .map_err(|error| Error::file(format!("cannot read {file}: {error}")))?;
        let no_part = "is no verdict of a part, as `chomp check --heads --keep DIR \
                       --to-column Q --json` prints it";
        let printed: VerdictObject = serde_json::from_str(&text)
            .map_err(|error| Error::file(format!("{file} {no_part}: {error}")))?;
        let VerdictObject { verdict, depth, data, rows, checkpoint, problem, .. } = printed;
        let part = problem.filter(|problem| problem.reason == "part");
        let part = part.and_then(|problem| serde_json::from_value(problem.details).ok());
        let ends = match (&*verdict, part, rows) {
            _ if depth != Some(Depth::Heads) => None,
            ("incomplete", Some(Ends { last, from, to }), _) => {
                Some((last, from.map(|from| from.hash), Some(to.hash)))
            }
            ("verified", _, Some(RowRange { first: 0, last })) => Some((last, checkpoint, None)),
            _ => None,
        };
        let Some(((last, from, to), data)) = ends.zip(data) else {
            return Err(Error::file(format!("{file} {no_part}")));
        };
        Ok(Self { file, data, last, from, to })
    }
}

/// The verdict that follows from the verdicts of parts, in words.
pub fn merged(files: &[PathBuf]) -> Result<String, Error> {
    let mut left = files.iter().map(|file| Part::read(file)).collect::<Result<Vec<_>, _>>()?;
    let mut chain: Vec<Part> = Vec::new();
    loop {
        let at = chain.last().map_or(Some(None), |part| part.to.as_ref().map(Some));
        let Some(at) = at else { break };
        let Some(next) = left.iter().position(|part| part.from.as_ref() == at) else {
            let gap = match at {
                None => "no part begins at column 0".to_owned(),
                Some(hash) => format!("no part begins at the checkpoint with hash {hash}"),
            };
            return Err(Error::incomplete(gap));
        };
        let next = left.swap_remove(next);
        if let Some(first) = chain.first()
            && (&next.data, next.last) != (&first.data, first.last)
        {
            let (one, other) = (&first.file, &next.file);
            return Err(Error::incomplete(format!("{one} and {other} are of different rows")));
        }
        chain.push(next);
    }
    if let Some(part) = left.first() {
        return Err(Error::incomplete(format!("{} has no place among the others", part.file)));
    }
    let (parts, first) = (chain.len(), &chain[0]);
    Ok(format!(
        "Verified in parts: rows 0 to {}, depths structure, tails, heads.\n\
         Data set: {} (BLAKE3).\n\
         Proved: each of the {parts} parts begins at the checkpoint at which another one ends.\n\
         Assumed: `chomp check` printed each verdict, for these files.\n",
        first.last, first.data,
    ))
}
