//! Bands and groups by their indices, so that neither can be taken for the other, or for a row or a
//! column.

use std::ops::{Add, AddAssign, Sub};

/// Rows in a band, columns in a group, lanes in a vector.
pub(crate) const LANES: u64 = 8;

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident, $first:ident, $containing:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) u64);

        impl $name {
            /// The first of the eight.
            #[inline(always)]
            pub(crate) fn $first(self) -> u64 {
                LANES * self.0
            }

            /// The one that has this among its eight.
            #[inline(always)]
            pub(crate) fn $containing(n: u64) -> Self {
                Self(n / LANES)
            }

            /// All from this one to before `end`.
            pub(crate) fn up_to(self, end: Self) -> impl Iterator<Item = Self> {
                (self.0..end.0).map(Self)
            }
        }

        impl Add<u64> for $name {
            type Output = Self;

            #[inline(always)]
            fn add(self, n: u64) -> Self {
                Self(self.0 + n)
            }
        }

        impl AddAssign<u64> for $name {
            #[inline(always)]
            fn add_assign(&mut self, n: u64) {
                self.0 += n;
            }
        }

        impl Sub<u64> for $name {
            type Output = Self;

            #[inline(always)]
            fn sub(self, n: u64) -> Self {
                Self(self.0 - n)
            }
        }

        impl Sub for $name {
            type Output = u64;

            #[inline(always)]
            fn sub(self, other: Self) -> u64 {
                self.0 - other.0
            }
        }
    };
}

index_type!(
    /// Eight consecutive rows, by the number of bands below.
    BandIndex,
    first_row,
    of_row
);

index_type!(
    /// Eight consecutive columns, by the number of groups to the left.
    GroupIndex,
    first_column,
    of_column
);
