//! What a run begins with.

use super::{
    boundary::Boundary,
    link::Message,
    options::{Options, Part, words_on_disk},
    visits::Visits,
};
use crate::{
    band::{
        below::Knowledge,
        checkpoint::Checkpoint,
        geometry::Frame,
        post::{Elsewhere, Office, Routes, SpillTo},
        schedule::{FIRST_BAND, block_of},
        shared::Shared,
        simd::Runnable,
        units::{BandIndex, LANES},
    },
    error::SweepError,
    sink::Cells,
    units::RowIndex,
};

/// Where words wait.
#[derive(Clone, Copy)]
pub(super) enum Waiting<'a> {
    /// In memory, all of them.
    Memory,
    /// In files, those for which memory has no room.
    Spilling(&'a SpillTo),
    /// In the memory of this part, those that it reads.
    In(Part),
}

/// What a run needs before its first block.
pub(super) struct Start {
    pub(super) kernel: Runnable,
    pub(super) shared: Shared,
    pub(super) office: Office,
    /// The run goes from band `band` to before `bands`.
    pub(super) bands: BandIndex,
    pub(super) band: BandIndex,
    pub(super) knowledge: Knowledge,
    /// What the block below the first one would have sent.
    pub(super) messages: [Message; 3],
    /// The rows below, encoded.
    pub(super) rows: Vec<u8>,
}

impl Start {
    /// Begins with row 0 or, if given, with a checkpoint. `None` if the caller needs no more.
    pub(super) fn new(
        options: Options,
        from: Option<Checkpoint>,
        waiting: Waiting,
        visits: &mut Visits,
        cells: &mut impl Cells,
    ) -> Result<Option<Self>, SweepError> {
        let kernel = options.kernel.detect()?;
        let RowIndex(end) = visits.end;
        let bands = BandIndex(end.div_ceil(LANES));
        if bands > Frame::MOST_BANDS {
            return Err(SweepError::End { end, most: Frame::MOST_BANDS.first_row().0 });
        }
        let frame = match &from {
            None => Frame { windows: options.windows, bands },
            Some(checkpoint) => checkpoint.frame(options.windows, bands)?,
        };
        let first =
            from.as_ref().map_or(FIRST_BAND, |from| BandIndex::of_row(RowIndex(from.row())));
        let left = from.as_ref().map(Checkpoint::files);
        let office = match waiting {
            Waiting::Memory => Office::default(),
            Waiting::In(Part { number: part, parts }) => {
                let (threads, first) = (options.threads.get(), block_of(first));
                Office::shared(Elsewhere { part, parts, threads, first })
            }
            Waiting::Spilling(spill) => {
                let needed = words_on_disk(frame.bands.first_row().0, spill.memory);
                spill.require_space(needed)?;
                Office::spilling(spill, left, block_of(first))?
            }
        };
        let routes = Routes::new(frame);
        let post = (&routes, &office);
        let boundary = match from {
            None => Boundary::seed(frame, post, visits, cells)?,
            Some(checkpoint) => Boundary::restore(checkpoint, post, visits)?,
        };
        let Some(Boundary { band, knowledge, corner, groups, rows }) = boundary else {
            return Ok(None);
        };
        let messages = [Message::Started(corner), Message::Groups(groups), Message::Finished];
        let shared = Shared::new(frame, bands, routes);
        Ok(Some(Self { kernel, shared, office, bands, band, knowledge, messages, rows }))
    }
}
