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
        geometry::{Frame, reach},
        group::Spare,
        post::{Elsewhere, Office, Place, Routes, SpillTo, Tenant},
        schedule::{FIRST_BAND, block_of},
        shared::Shared,
        simd::Runnable,
        units::{BandIndex, GroupIndex, LANES},
    },
    error::SweepError,
    units::{RowIndex, index},
};
use record::listeners::Cells;

/// Where words wait.
#[derive(Clone, Copy)]
pub(super) enum Waiting<'a> {
    /// In memory, all of them.
    Memory,
    /// In files, those for which memory has no room.
    Spilling(&'a SpillTo),
    /// With this part, those that it reads: in memory, or in files as well.
    In(Part, Option<&'a SpillTo>),
}

/// What a run needs before its first block.
pub(super) struct Start {
    pub(super) kernel: Runnable,
    pub(super) shared: Shared,
    /// Places for groups.
    pub(super) spare: Spare,
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
        let left = from.as_ref().map(Checkpoint::words_left);
        let next = block_of(first);
        let elsewhere = |Part { number: part, parts }| {
            let threads = options.threads.get();
            Elsewhere { part, parts, threads, first: next }
        };
        let on_disk = words_on_disk(frame.bands.first_row().0);
        let office = match waiting {
            Waiting::Memory => Office::default(),
            Waiting::In(part, None) => Office::shared(elsewhere(part)),
            Waiting::In(part, Some(spill)) => {
                let (place, parts) = (Place::OfPart(part.number as u64), part.parts as u64);
                let tenant = Tenant { place, parts };
                let tenant = (tenant, on_disk.div_ceil(parts));
                Office::spilling(spill, tenant, left, next, Some(elsewhere(part)))?
            }
            Waiting::Spilling(spill) => {
                Office::spilling(spill, (Tenant::ALONE, on_disk), left, next, None)?
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
        let places = match waiting {
            // Most of the groups are elsewhere.
            Waiting::In(part, _) if part.parts > 1 => 0,
            // Those that the last band meets, or has activated: there never are more.
            _ => index(reach(bands.first_row()) - GroupIndex(bands.0)).saturating_sub(groups.len()),
        };
        let (shared, spare) = (Shared::new(frame, bands, routes), Spare::new(places));
        let messages = [Message::Started(corner), Message::Groups(groups), Message::Finished];
        Ok(Some(Self { kernel, shared, spare, office, bands, band, knowledge, messages, rows }))
    }
}
