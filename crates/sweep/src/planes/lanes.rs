//! Planes: one bit for each of many lanes.
//!
//! A plane is an array of words. Operations are inlined into functions that are compiled for a set
//! of instructions, and the compiler takes the widest registers of that set.

#![allow(clippy::inline_always)]

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Range};

/// Rows of a band and columns of a group.
pub(super) const SIDE: usize = 8;

/// One bit for each of `64 W` lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Plane<const W: usize>(pub(super) [u64; W]);

/// Eight planes of eight numbers, columns or places.
pub(super) type Square<const W: usize> = [[Plane<W>; SIDE]; SIDE];

impl<const W: usize> Plane<W> {
    pub(super) const NONE: Self = Self([0; W]);
    pub(super) const ALL: Self = Self([u64::MAX; W]);

    /// These lanes.
    pub(super) fn of(lanes: Range<usize>) -> Self {
        let mut plane = Self::NONE;
        for (word, first) in plane.0.iter_mut().zip((0..).step_by(64)) {
            let below = |lane: usize| match lane.saturating_sub(first) {
                n if n < 64 => (1 << n) - 1,
                _ => u64::MAX,
            };
            *word = below(lanes.end) & !below(lanes.start);
        }
        plane
    }

    pub(super) fn has(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, bit: bool) {
        let word = &mut self.0[lane / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(bit) << (lane % 64);
    }

    /// The lanes in the plane, ascending.
    pub(super) fn lanes(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().zip((0..).step_by(64)).flat_map(|(mut word, first)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(first + bit as usize)
            })
        })
    }

    /// Every bit, one lane higher.
    #[inline(always)]
    pub(super) fn above(self) -> Self {
        let mut above = self;
        for k in 0..W {
            above.0[k] = self.0[k] << 1 | if k > 0 { self.0[k - 1] >> 63 } else { 0 };
        }
        above
    }

    /// The lanes of `yes` that are in this plane, and those of `no` that are not.
    #[inline(always)]
    pub(super) fn choose(self, yes: Self, no: Self) -> Self {
        no ^ (self & (yes ^ no))
    }

    #[inline(always)]
    fn with(mut self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        for k in 0..W {
            self.0[k] = operation(self.0[k], other.0[k]);
        }
        self
    }
}

impl<const W: usize> BitAnd for Plane<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.with(other, |a, b| a & b)
    }
}

impl<const W: usize> BitOr for Plane<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.with(other, |a, b| a | b)
    }
}

impl<const W: usize> BitXor for Plane<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.with(other, |a, b| a ^ b)
    }
}

impl<const W: usize> Not for Plane<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::ALL
    }
}

impl<const W: usize> BitOrAssign for Plane<W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const W: usize> BitXorAssign for Plane<W> {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

/// Exchanges, in each byte, bit `a` of plane `b` with bit `b` of plane `a`.
#[inline(always)]
pub(super) fn exchange_bits<const W: usize>(planes: &mut [Plane<W>; SIDE]) {
    step::<W, 4, 4>(planes, 0x0F0F_0F0F_0F0F_0F0F);
    step::<W, 2, 2>(planes, 0x3333_3333_3333_3333);
    step::<W, 1, 1>(planes, 0x5555_5555_5555_5555);
}

/// Exchanges, in each word, byte `a` of plane `b` with byte `b` of plane `a`.
#[inline(always)]
pub(super) fn exchange_bytes<const W: usize>(planes: &mut [Plane<W>; SIDE]) {
    step::<W, 4, 32>(planes, 0x0000_0000_FFFF_FFFF);
    step::<W, 2, 16>(planes, 0x0000_FFFF_0000_FFFF);
    step::<W, 1, 8>(planes, 0x00FF_00FF_00FF_00FF);
}

/// Exchanges squares of `HALF` planes and `BITS` bits.
#[inline(always)]
fn step<const W: usize, const HALF: usize, const BITS: usize>(
    planes: &mut [Plane<W>; SIDE],
    mask: u64,
) {
    for a in (0..SIDE).filter(|a| a & HALF == 0) {
        let b = a + HALF;
        for k in 0..W {
            let exchanged = (planes[a].0[k] >> BITS ^ planes[b].0[k]) & mask;
            planes[a].0[k] ^= exchanged << BITS;
            planes[b].0[k] ^= exchanged;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::column_weight;

    fn random() -> [Plane<2>; SIDE] {
        let word = |n: usize| column_weight(n as u64);
        std::array::from_fn(|n| Plane([word(2 * n), word(2 * n + 1)]))
    }

    #[test]
    fn bits_and_bytes_change_places_with_planes() {
        let (before, mut bits, mut bytes) = (random(), random(), random());
        exchange_bits(&mut bits);
        exchange_bytes(&mut bytes);
        for lane in 0..128 {
            let (word, byte, bit) = (lane / 64 * 64, lane % 64 / 8, lane % 8);
            for n in 0..SIDE {
                assert_eq!(bits[n].has(lane), before[bit].has(word + 8 * byte + n));
                assert_eq!(bytes[n].has(lane), before[byte].has(word + 8 * n + bit));
            }
        }
    }

    #[test]
    fn planes_are_sets_of_lanes() {
        for lanes in [0..0, 0..5, 3..64, 64..100, 60..128, 0..128] {
            let plane = Plane::<2>::of(lanes.clone());
            assert!(plane.lanes().eq(lanes.clone()));
            let above = lanes.map(|lane| lane + 1).filter(|&lane| lane < 128);
            assert!(plane.above().lanes().eq(above));
        }
    }
}
