//! What a run has found of P-positions, and its state in a file of a
//! [`ResumeFolder`](files::ResumeFolder).
//!
//! | part | bytes |
//! |---|---|
//! | first line | `chomp-positions 2 rows M next A`: the version, the rows, and the least length of row 1 that is not done |
//! | layers | for each length from 1 to A - 1 the number of positions, 8 bytes little-endian, and their hash, 32 bytes |
//! | sieve | the output of [`Sieve::save`] |
//! | hash | see [`ResumeFolder`](files::ResumeFolder) |

use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use boards::SolveError;
use boards::sieve::{LayerCount, Sieve};
use files::invalid;
use serde::Serialize;

use crate::Error;
use crate::job::{Event, Keeper, Watch, refused};

/// The counts for all lengths of row 1 from 1 on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLayers {
    /// The counts by length.
    pub layers: Vec<LayerCount>,
    /// The state that was believed, if the run resumed.
    pub believed: Option<BelievedState>,
}

/// The state from which a run resumed. The P-positions with a shorter row 1 are as it has them;
/// only some of that was tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BelievedState {
    /// The largest length of row 1 that it has.
    pub last: u16,
    /// The hash of its file, as hexadecimal digits.
    pub blake3: String,
    /// The counts and hashes to this length were computed again.
    pub recounted: u16,
    /// The number of positions with a short row 3, from the rows of tails, that the state has, too.
    pub in_tails: u64,
}

impl FoundLayers {
    /// The number of P-positions whose row 1 has at most this length.
    pub fn total(&self, to: u16) -> u64 {
        self.layers.iter().take(to.into()).map(|layer| layer.count).sum()
    }

    /// The BLAKE3 hash of their [hashes](LayerCount), 32 bytes each, one after the other, as
    /// hexadecimal digits.
    pub fn hash(&self, to: u16) -> String {
        let mut hasher = blake3::Hasher::new();
        for layer in self.layers.iter().take(to.into()) {
            hasher.update(&layer.hash);
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// How the first line begins: a name and the version.
const MAGIC: &str = "chomp-positions 2 ";

/// The bytes of a length: the number of its positions, and their hash.
const LAYER: u64 = 8 + 32;

/// Where the state of a run is.
pub(super) struct StateFile<'a> {
    keeper: Keeper<'a>,
    name: String,
    /// The least length that is not done in the state that is there.
    kept: Option<u16>,
}

impl<'a> StateFile<'a> {
    pub(super) fn open(
        folder: &Path,
        rows: u16,
        every: Duration,
        watch: &'a dyn Watch,
    ) -> Result<Self, Error> {
        let keeper = Keeper::open(folder, every, watch);
        let keeper = keeper.map_err(|error| refused(folder, error))?;
        Ok(Self { keeper, name: format!("positions-{rows}.state"), kept: None })
    }

    /// The state of a run to this length, if there is one. It is believed, but for what `test`
    /// tests of it: the largest length that was counted again, and the number of positions that the
    /// rows of tails have, too; `None` if the state is wrong.
    pub(super) fn resume(
        &mut self,
        (rows, to): (u16, u16),
        test: impl FnOnce(&Sieve, &[LayerCount]) -> Result<Option<(u16, u64)>, Error>,
    ) -> Result<Option<(Sieve, FoundLayers)>, Error> {
        let refused = |problem: &str| self.keeper.refused(&self.name, problem);
        let failed = |error: io::Error| {
            refused(&format!("{error}; remove it to begin again, or choose another folder"))
        };
        let state = self.read(rows).map_err(failed)?;
        let Some((next, layers, mut rest, blake3)) = state else { return Ok(None) };
        if next > to.saturating_add(1) {
            let done = next - 1;
            return Err(refused(&format!(
                "its run goes to a = {done} at least, and a = {to} is asked for; choose another \
                 folder, or a larger length"
            )));
        }
        let sieve = match Sieve::restore(rows, to, next, &mut rest) {
            Err(SolveError::Restore(error)) => return Err(failed(error)),
            sieve => sieve?,
        };
        let is_whole = rest.read(&mut [0]).is_ok_and(|more| more == 0);
        let tested = if is_whole { test(&sieve, &layers)? } else { None };
        let (recounted, in_tails) = tested.ok_or_else(|| {
            refused("what it holds contradicts itself or the rules; remove it to begin again")
        })?;
        let file = self.keeper.folder.file(&self.name);
        let words = format!("resuming at a = {next} from {}, which is believed", file.display());
        self.keeper.watch.event(&Event::Remark(words));
        self.kept = Some(next);
        let believed = BelievedState { last: next - 1, blake3, recounted, in_tails };
        Ok(Some((sieve, FoundLayers { layers, believed: Some(believed) })))
    }

    /// The next length and the layers, a reader of the rest, and the hash; `None` if there is no
    /// state.
    fn read(
        &self,
        rows: u16,
    ) -> io::Result<Option<(u16, Vec<LayerCount>, impl Read + use<'a>, String)>> {
        let Some(opened) = self.keeper.folder.read(&self.name)? else { return Ok(None) };
        let next = opened
            .line
            .strip_prefix(MAGIC)
            .ok_or_else(|| invalid("it is no state of this version of the program"))?
            .strip_prefix(&format!("rows {rows} next "))
            .and_then(|next| next.parse::<u16>().ok())
            .ok_or_else(|| invalid("it is the state of another number of rows"))?;
        let sieve = Sieve::bytes_to_resume(rows, next).map_err(|error| invalid(error.to_string()));
        let layers = u64::from(next.saturating_sub(1)) * LAYER;
        let (most, watch) = (sieve?.saturating_add(layers), self.keeper.watch);
        let (mut source, blake3) = opened.verify(most, move || watch.stop())?;
        let layers = (1..next).map(|first| {
            let (mut count, mut hash) = ([0; 8], [0; 32]);
            source.read_exact(&mut count)?;
            source.read_exact(&mut hash)?;
            Ok(LayerCount { first, count: u64::from_le_bytes(count), hash })
        });
        let layers = layers.collect::<io::Result<Vec<_>>>()?;
        Ok(Some((next, layers, source, blake3)))
    }

    /// Writes the state after a block, if it is time, or if the run `stops`; the error is then the
    /// interruption.
    pub(super) fn keep(
        &mut self,
        sieve: &Sieve,
        found: &FoundLayers,
        stops: bool,
    ) -> Result<(), Error> {
        if !stops && !self.keeper.is_due() {
            return Ok(());
        }
        let line = format!("{MAGIC}rows {} next {}", sieve.rows(), sieve.next());
        let written = self.keeper.write(&self.name, &line, |out| {
            for layer in &found.layers {
                out.write_all(&layer.count.to_le_bytes())?;
                out.write_all(&layer.hash)?;
            }
            sieve.save(out)
        });
        self.kept = written.map(|_hash| sieve.next()).or(self.kept);
        let (true, Some(next)) = (stops, self.kept) else { return Ok(()) };
        Err(Error::interrupted(format!(
            "; {} holds the state, and the same command resumes at a = {next}",
            self.keeper.folder.file(&self.name).display()
        )))
    }

    /// Removes the state of a run that is complete.
    pub(super) fn end(self) {
        self.keeper.folder.remove(&self.name);
        self.keeper.folder.end();
    }
}
