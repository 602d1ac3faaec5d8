//! Types for rows, columns and numbers, and for bands, groups and blocks. All are 64-bit integers,
//! and `p >= q >= r` compares the first three all the time. Between modules each has its own type,
//! so that none can be passed as another, or as an offset or a count.
//!
//! Plain integers remain where a type would hide the arithmetic or would not help:
//!
//! - the fields of `Group`, `Band`, `ExactRow` and `Tile` that say where windows begin, and the
//!   bits of `NumberSet`: their code consists of shifts and masks;
//! - offsets, which are distances;
//! - the public interface: [`Cells`](record::listeners::Cells), `end`, and errors.

// Without inlining, each look-up of the kernel is a call: 3 % of a run.
#![allow(clippy::inline_always)]

/// An index into memory.
///
/// # Panics
/// If it does not fit.
#[inline(always)]
pub fn index(n: u64) -> usize {
    usize::try_from(n).expect("what is indexed is in memory")
}

/// Defines an integer type. Adding a count gives the same type; the difference of two is a count.
macro_rules! unit {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $name(pub u64);

        impl std::ops::Add<u64> for $name {
            type Output = Self;

            #[inline(always)]
            fn add(self, n: u64) -> Self {
                Self(self.0 + n)
            }
        }

        impl std::ops::AddAssign<u64> for $name {
            #[inline(always)]
            fn add_assign(&mut self, n: u64) {
                self.0 += n;
            }
        }

        impl std::ops::Sub<u64> for $name {
            type Output = Self;

            #[inline(always)]
            fn sub(self, n: u64) -> Self {
                Self(self.0 - n)
            }
        }

        impl std::ops::Sub for $name {
            type Output = u64;

            #[inline(always)]
            fn sub(self, other: Self) -> u64 {
                self.0 - other.0
            }
        }

        impl $name {
            /// All values from this one to before `end`.
            pub fn up_to(self, end: Self) -> impl Iterator<Item = Self> {
                (self.0..end.0).map(Self)
            }
        }
    };
}

unit!(
    /// A row r.
    RowIndex
);

unit!(
    /// A column q.
    ColumnIndex
);

unit!(
    /// A number p, the longest row of a position `(p,q,r)`; a value if it is `f(q,r)`.
    Number
);

impl RowIndex {
    /// The first column of the row, `q = r`.
    pub fn diagonal(self) -> ColumnIndex {
        ColumnIndex(self.0)
    }
}

impl ColumnIndex {
    /// The number at this offset.
    #[inline(always)]
    pub fn number(self, offset: u64) -> Number {
        Number(self.0 + offset)
    }

    /// The offset of a number that is not below the column.
    #[inline(always)]
    pub fn offset(self, p: Number) -> u64 {
        p.0 - self.0
    }
}

/// Rows in a band, columns in a group, lanes in a vector.
pub const LANES: u64 = 8;

unit!(
    /// Eight consecutive rows, by the number of bands below.
    BandIndex
);

unit!(
    /// Eight consecutive columns, by the number of groups to the left.
    GroupIndex
);

unit!(
    /// Consecutive bands that one worker computes together, counted from 1; block 0 is everything
    /// below them.
    BlockIndex
);

impl BandIndex {
    /// The first of its rows.
    #[inline(always)]
    pub fn first_row(self) -> RowIndex {
        RowIndex(LANES * self.0)
    }

    /// The band that has this row.
    #[inline(always)]
    pub fn of_row(r: RowIndex) -> Self {
        Self(r.0 / LANES)
    }
}

impl GroupIndex {
    /// The first of its columns.
    #[inline(always)]
    pub fn first_column(self) -> ColumnIndex {
        ColumnIndex(LANES * self.0)
    }

    /// The group that has this column.
    #[inline(always)]
    pub fn of_column(q: ColumnIndex) -> Self {
        Self(q.0 / LANES)
    }
}
