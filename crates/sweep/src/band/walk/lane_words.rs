//! Words of the groups in the lanes: those that enter the low windows of a block's bands, and those
//! that have become complete.
//!
//! A low window rises by 19 or 20 places from band to band. So the places that enter the windows of
//! three bands fit into one word, and those of a band begin at the same bit in every group. The
//! group itself is not in the cache. It takes its complete words when it leaves the lanes, or when
//! the exact path needs it.

use crate::band::geometry::Windows;
use crate::band::group::{GroupInBlock, WordsAhead};
use crate::band::schedule::{BANDS, OCTET};
use crate::band::simd::{Eight, Register};
use crate::units::{BandIndex, GroupIndex, index};

/// Bands that share a word.
const SHARING: usize = 3;

/// Words for the bands of an octet.
const WORDS: usize = OCTET.div_ceil(SHARING);

/// Octets of a block.
const OCTETS: usize = BANDS / OCTET;

const _: () = assert!(BANDS.is_multiple_of(OCTET));

/// The number of places for groups: at least as many as the bands of a block meet in a slot.
pub(super) const PLACES: usize = 64;

const _: () = assert!(BANDS <= PLACES);

/// The words of a group for an octet.
type ClimbWords = [Eight; WORDS];

/// The words for an octet, by descending group. The first eight places are stored twice, so that
/// any eight consecutive groups are consecutive in memory.
type Places = [ClimbWords; PLACES + OCTET];

/// The words of all groups that the bands of a block meet in a slot.
#[derive(Clone, Debug)]
pub(super) struct EnteringWords {
    /// The places that band `k` reads begin this far above the low window with which a group
    /// joined.
    begins: [u64; BANDS],
    octets: Vec<Places>,
}

impl EnteringWords {
    /// For the block that begins with band `first`.
    pub(super) fn new(first: BandIndex, windows: Windows) -> Self {
        let start = windows.rise(first - 1);
        let begins = std::array::from_fn(|k| windows.rise(first + k as u64 - 1) - start);
        Self { begins, octets: vec![[[Eight::ZERO; WORDS]; PLACES + OCTET]; OCTETS] }
    }

    /// The bit of its word at which the places of band `k` begin.
    pub(super) fn bit(&self, k: usize) -> u64 {
        self.begins[k] - self.begins[k - k % OCTET % SHARING]
    }

    /// The words that the bands of an octet read, if its first band meets group `g`.
    #[inline(always)]
    pub(super) fn words(&self, octet: usize, g: GroupIndex) -> [&Eight; OCTET] {
        let groups: &[ClimbWords; OCTET] =
            self.octets[octet][place(g)..].first_chunk().expect("eight are there twice");
        let mut words = [&Eight::ZERO; OCTET];
        for (lane, word) in words.iter_mut().enumerate() {
            *word = &groups[lane][lane / SHARING];
        }
        words
    }

    /// Reads the reach of a group. Returns the bands for which the group is not ready, because they
    /// need more words or it has exceptions: bit `k` is band `k`.
    #[inline(always)]
    pub(super) fn read<R: Register>(&mut self, g: GroupIndex, held: &GroupInBlock) -> u64 {
        let ahead = &held.ahead;
        let place = place(g);
        for (places, begins) in self.octets.iter_mut().zip(self.begins.chunks_exact(OCTET)) {
            for (word, &begin) in places[place].iter_mut().zip(begins.iter().step_by(SHARING)) {
                *word = ahead.at::<R>(begin);
            }
            if place < OCTET {
                places[PLACES + place] = places[place];
            }
        }
        if held.group().has_exceptions() {
            u64::MAX
        } else if ahead.knows(self.begins[BANDS - 1]) {
            0
        } else {
            self.unknown(ahead)
        }
    }

    #[cold]
    fn unknown(&self, ahead: &WordsAhead) -> u64 {
        u64::MAX << self.begins.iter().take_while(|&&begin| ahead.knows(begin)).count()
    }
}

/// The first place of a group.
#[inline(always)]
pub(super) fn place(g: GroupIndex) -> usize {
    PLACES - 1 - index(g.0) % PLACES
}

/// The most words of a group that become complete in a block: one in 8 bands.
const COMPLETED: usize = BANDS / 8;

/// Words of the groups in the lanes, in the order in which they have become complete.
#[derive(Clone, Debug)]
pub(super) struct CompleteWords {
    words: Vec<[Eight; COMPLETED]>,
    counts: [usize; PLACES],
}

impl CompleteWords {
    pub(super) fn new() -> Self {
        Self { words: vec![[Eight::ZERO; COMPLETED]; PLACES], counts: [0; PLACES] }
    }

    /// Adds a word of group `g`.
    #[inline(always)]
    pub(super) fn push(&mut self, g: GroupIndex, word: Eight) {
        let count = &mut self.counts[place(g)];
        self.words[place(g)][*count] = word;
        *count += 1;
    }

    /// Takes the words of group `g`.
    #[inline(always)]
    pub(super) fn take(&mut self, g: GroupIndex) -> &[Eight] {
        let count = std::mem::take(&mut self.counts[place(g)]);
        &self.words[place(g)][..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::below::{Context, Diagonals, OldRows};
    use crate::band::constants::Routes;
    use crate::band::geometry::Frame;
    use crate::band::schedule::last_band;
    use crate::band::words::{Inbox, Outbox, Store};
    use crate::units::BlockIndex;

    /// Each band reads the same from the words as from the reach, if the reach is long enough.
    #[test]
    fn bands_read_what_the_reach_knows() {
        let (old, diagonals) = (OldRows::new(), Diagonals::new());
        let (windows, n) = (Windows::default(), BlockIndex(3));
        let frame = Frame { windows, bands: BandIndex(10_000) };
        let context = Context { frame, old: &old, diagonals: &diagonals };
        let (routes, memory) = (Routes::new(frame), Store::in_memory(BlockIndex(1)));
        let first = last_band(n) + 1;
        let mut entering = EnteringWords::new(first, windows);
        let (mut ready, mut unready) = (0, 0);
        let mut reaches = Vec::new();
        for g in (first.0 + 12..first.0 + 72).map(GroupIndex) {
            let mut held = GroupInBlock::build(
                g,
                first - 1,
                g.first_column().number(60),
                frame.windows,
                |p| {
                    Eight(std::array::from_fn(|lane| {
                        0x9E37_79B9_7F4A_7C15_u64
                            .rotate_left(((p.0 / 64 + lane as u64) % 64) as u32)
                    }))
                },
            );
            let mut outbox = Outbox::new(n, 1, &memory, &routes);
            let group = held.leave(n, &routes, &mut outbox).unwrap();
            outbox.close().unwrap();
            held.join::<u64>(group, n + 1, &routes, &mut Inbox::new(n + 1, &memory), context);
            let unknown = entering.read::<u64>(g, &held);
            reaches.push((g, held.ahead, unknown));
            let Some(seen) = reaches.len().checked_sub(OCTET) else { continue };
            // The groups of the last eight slots, in lanes 7 to 0.
            for octet in 0..OCTETS {
                let words = entering.words(octet, g);
                for (lane, (_, ahead, unknown)) in reaches[seen..].iter().rev().enumerate() {
                    let k = octet * OCTET + lane;
                    let below = windows.rise(first + k as u64 - 1) - windows.rise(first - 1);
                    let lift = windows.rise(first + k as u64) - windows.rise(first + k as u64 - 1);
                    assert_eq!(unknown >> k & 1 == 0, ahead.knows(below));
                    if unknown >> k & 1 == 1 {
                        unready += 1;
                        continue;
                    }
                    ready += 1;
                    let expected = ahead.at::<u64>(below).0;
                    for (word, expected) in words[lane].0.iter().zip(expected) {
                        let differing = (word >> entering.bit(k)) ^ expected;
                        assert!(entering.bit(k) + lift <= 64);
                        assert_eq!(differing & ((1 << lift) - 1), 0, "{g:?} {k}");
                    }
                }
            }
        }
        assert!(ready > 300 && unready > 300, "{ready} {unready}");
    }
}
