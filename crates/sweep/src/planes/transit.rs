//! Numbers on their way between the bytes of groups and the planes.
//!
//! In each slot, eight numbers of each group enter the low windows of its columns, and eight leave
//! the high ones. Both are a byte for each number, with a bit for each column. A group meets eight
//! lanes in eight slots, so bytes are read for an *octet* of lanes at once, and written for one:
//!
//! ```text
//! slot       s         s + 1          ...   s + 7
//! lane     8 m        8 m + 1               8 m + 7
//! reads    64 bytes   -                     -
//! writes    -          -                    64 bytes
//! ```
//!
//! The rings have the bytes in between, one entry for each slot.

// What is called for all lanes at once must be compiled with their instructions.
#![allow(clippy::inline_always)]

use super::groups::Window;
use super::lanes::{Plane, SIDE, Square, exchange_bits, exchange_bytes};
use super::tile::Tiles;
use crate::units::index;

/// What enters the low windows in this slot and in the next seven.
///
/// Byte `m` of plane `[n][v]` of a slot is number `n` of lane `8 m + v`.
pub(super) struct Incoming<const W: usize>([Bytes<W>; SIDE]);

/// The bytes of planes `[n][v]`.
type Bytes<const W: usize> = [[[[u8; SIDE]; W]; SIDE]; SIDE];

/// What has left the high windows in this slot and in the seven before.
///
/// Word `k` of plane `[v][t]` of a slot has the eight bytes of lane `64 k + 8 t + v`.
pub(super) struct Outgoing<const W: usize>([Square<W>; SIDE]);

/// The entry of a ring for slot `slot + i`.
#[inline(always)]
fn entry(slot: u64, i: usize) -> usize {
    index(slot % SIDE as u64 + i as u64) % SIDE
}

impl<const W: usize> Incoming<W> {
    pub(super) const NONE: Self = Self([[[[[0; SIDE]; W]; SIDE]; SIDE]; SIDE]);

    /// Number `n` of a lane in a slot: the columns in which it is taken.
    #[inline(always)]
    pub(super) fn set(&mut self, slot: u64, lane: usize, n: usize, taken: u8) {
        self.0[entry(slot, 0)][n][lane % SIDE][lane / 64][lane / SIDE % SIDE] = taken;
    }

    /// The numbers of a whole octet from its first lane on: number `n` of its lane `i` is place
    /// `8 i + n` of a window of numbers.
    #[inline(always)]
    pub(super) fn set_octet(
        &mut self,
        slot: u64,
        lane: usize,
        window: &Window,
        places: &[u16; 64],
    ) {
        let octet = lane / SIDE;
        for i in 0..SIDE {
            let bytes = &mut self.0[entry(slot, i)];
            for n in 0..SIDE {
                bytes[n][i].as_flattened_mut()[octet] =
                    window[usize::from(places[SIDE * i + n]) % window.len()];
            }
        }
    }

    /// The numbers of a slot enter the windows.
    #[inline(always)]
    pub(super) fn enter(&self, slot: u64, tiles: &mut Tiles<W>) {
        for (n, bytes) in self.0[entry(slot, 0)].iter().enumerate() {
            let mut planes = bytes.map(|bytes| !Plane(bytes.map(u64::from_le_bytes)));
            exchange_bits(&mut planes);
            tiles.enter(n, planes);
        }
    }
}

impl<const W: usize> Outgoing<W> {
    pub(super) const NONE: Self = Self([[[Plane::NONE; SIDE]; SIDE]; SIDE]);

    /// Takes what leaves the windows in a slot.
    #[inline(always)]
    pub(super) fn take(&mut self, slot: u64, tiles: &Tiles<W>) {
        let words = &mut self.0[entry(slot, 0)];
        for n in 0..SIDE {
            let mut planes = tiles.leaving(n);
            exchange_bits(&mut planes);
            for (words, plane) in words.iter_mut().zip(planes) {
                words[n] = !plane;
            }
        }
        words.iter_mut().for_each(exchange_bytes);
    }

    /// The numbers that are taken of those that a lane's columns have lost in a slot.
    #[inline(always)]
    pub(super) fn taken(&self, slot: u64, lane: usize) -> [u8; SIDE] {
        let plane = &self.0[entry(slot, 0)][lane % SIDE][lane / SIDE % SIDE];
        plane.0[lane / 64].to_le_bytes()
    }

    /// The same for a whole octet that has left its last lane.
    #[inline(always)]
    pub(super) fn octet(&self, slot: u64, lane: usize) -> [u8; 64] {
        let (t, word) = (lane / SIDE % SIDE, lane / 64);
        let mut bytes = [0; 64];
        for (i, bytes) in bytes.as_chunks_mut().0.iter_mut().enumerate() {
            *bytes = self.0[entry(slot, i + 1)][i][t].0[word].to_le_bytes();
        }
        bytes
    }
}
