//! What a walk keeps of the heads of its rows.

// What is called for all lanes at once must be compiled with their instructions.
#![allow(clippy::inline_always)]

use super::lanes::{Plane, SIDE, Square, exchange_bits, exchange_bytes};
use super::tile::Taken;
use super::windows::TileAt;
use crate::units::{ColumnIndex, Number};
use record::column_weight;

/// A listener to the numbers that the cells of a block take.
pub(super) trait Heads<const W: usize>: Taken<W> {
    /// Whether [`Self::tile`] does anything.
    const TILES: bool;

    /// Before the first band of a block.
    fn new() -> Self;

    /// A cell of row `i` of a lane that is not decided in planes.
    fn cell(&mut self, lane: usize, i: usize, q: ColumnIndex, p: Number);

    /// The tiles of a slot are decided now.
    fn begin(&mut self);

    /// They have been decided.
    fn end(&mut self);

    /// The tile of a lane has been decided in planes in this slot.
    fn tile(&mut self, at: &TileAt);

    /// The fingerprint of row `i` of a lane.
    fn sum(&self, lane: usize, i: usize) -> u64;
}

/// Fingerprints of format 1.
pub(super) struct Fingerprints<const W: usize> {
    /// By lane.
    sums: Vec<[u64; SIDE]>,
    /// By row: the places that its cells take, in binary. First bit `n` for column `j` is plane
    /// `[j][n]`; then a word of plane `[v][t]` has the eight bytes of lane `8 t + v` of the word.
    places: [Square<W>; SIDE],
}

impl<const W: usize> Taken<W> for Fingerprints<W> {
    #[inline(always)]
    fn take(&mut self, i: usize, place: usize, columns: &[Plane<W>; SIDE]) {
        for n in (0..5).filter(|n| place >> n & 1 == 1) {
            for (places, &column) in self.places[i].iter_mut().zip(columns) {
                places[n] |= column;
            }
        }
    }
}

impl<const W: usize> Heads<W> for Fingerprints<W> {
    const TILES: bool = true;

    fn new() -> Self {
        let places = [[[Plane::NONE; SIDE]; SIDE]; SIDE];
        Self { sums: vec![[0; SIDE]; 64 * W], places }
    }

    fn cell(&mut self, lane: usize, i: usize, q: ColumnIndex, p: Number) {
        let product = q.offset(p).wrapping_mul(column_weight(q.0));
        self.sums[lane][i] = self.sums[lane][i].wrapping_add(product);
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.places = [[[Plane::NONE; SIDE]; SIDE]; SIDE];
    }

    #[inline(always)]
    fn end(&mut self) {
        for places in &mut self.places {
            places.iter_mut().for_each(exchange_bits);
            let by_column = *places;
            for (v, places) in places.iter_mut().enumerate() {
                *places = by_column.map(|planes| planes[v]);
                exchange_bytes(places);
            }
        }
    }

    fn tile(&mut self, at: &TileAt) {
        let (lane, first) = (at.lane, at.group.first_column());
        let weights: [u64; SIDE] = std::array::from_fn(|j| column_weight(first.0 + j as u64));
        for (i, (sum, places)) in self.sums[lane].iter_mut().zip(&self.places).enumerate() {
            let places = places[lane % SIDE][lane / SIDE % SIDE].0[lane / 64].to_le_bytes();
            for (j, (place, weight)) in places.into_iter().zip(weights).enumerate() {
                let offset = at.windows.of_row(i, place.into()) - first.0 - j as u64;
                *sum = sum.wrapping_add(offset.wrapping_mul(weight));
            }
        }
    }

    fn sum(&self, lane: usize, i: usize) -> u64 {
        self.sums[lane][i]
    }
}

/// No fingerprints.
pub(super) struct NoHeads;

impl<const W: usize> Taken<W> for NoHeads {
    #[inline(always)]
    fn take(&mut self, _: usize, _: usize, _: &[Plane<W>; SIDE]) {}
}

impl<const W: usize> Heads<W> for NoHeads {
    const TILES: bool = false;
    fn new() -> Self {
        Self
    }
    fn cell(&mut self, _: usize, _: usize, _: ColumnIndex, _: Number) {}
    #[inline(always)]
    fn begin(&mut self) {}
    #[inline(always)]
    fn end(&mut self) {}
    fn tile(&mut self, _: &TileAt) {}
    fn sum(&self, _: usize, _: usize) -> u64 {
        0
    }
}
