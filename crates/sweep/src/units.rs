//! Rows, columns and numbers as types of their own. All three are 64-bit integers, and
//! `p >= q >= r` compares them all the time. Between modules each has its type, so that none can be
//! passed as another, or as an offset, a count or a band.
//!
//! Plain integers remain where a type would hide the arithmetic or is of no use:
//!
//! - the fields of `Group`, `Band`, `ExactRow` and `Tile` that say where windows begin, and the
//!   bits of `NumberSet`: their code is one shift or mask after the other;
//! - offsets, which are distances;
//! - what the caller sees: [`Cells`](record::listeners::Cells), `end`, and errors.

#![allow(clippy::must_use_candidate)]

/// An index into memory.
///
/// # Panics
/// If it does not fit.
// Otherwise a call for each of the kernel's look-ups: 3 % of a run.
#[allow(clippy::inline_always)]
#[inline(always)]
pub fn index(n: u64) -> usize {
    usize::try_from(n).expect("what is indexed is in memory")
}

/// A number of its own type: it moves by counts, and the distance of two is a count.
macro_rules! unit {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $name(pub u64);

        #[allow(clippy::inline_always)]
        impl std::ops::Add<u64> for $name {
            type Output = Self;

            #[inline(always)]
            fn add(self, n: u64) -> Self {
                Self(self.0 + n)
            }
        }

        #[allow(clippy::inline_always)]
        impl std::ops::AddAssign<u64> for $name {
            #[inline(always)]
            fn add_assign(&mut self, n: u64) {
                self.0 += n;
            }
        }

        #[allow(clippy::inline_always)]
        impl std::ops::Sub<u64> for $name {
            type Output = Self;

            #[inline(always)]
            fn sub(self, n: u64) -> Self {
                Self(self.0 - n)
            }
        }

        #[allow(clippy::inline_always)]
        impl std::ops::Sub for $name {
            type Output = u64;

            #[inline(always)]
            fn sub(self, other: Self) -> u64 {
                self.0 - other.0
            }
        }

        impl $name {
            /// All from this one to before `end`.
            pub fn up_to(self, end: Self) -> impl Iterator<Item = Self> {
                (self.0..end.0).map(Self)
            }
        }
    };
}

pub(crate) use unit;

unit!(
    /// A row r.
    RowIndex
);

unit!(
    /// A column q.
    ColumnIndex
);

unit!(
    /// A number p: the first of a position `(p,q,r)`, if it is `f(q,r)`.
    Number
);

impl RowIndex {
    /// The first column of the row, `q = r`.
    pub fn diagonal(self) -> ColumnIndex {
        ColumnIndex(self.0)
    }
}

#[allow(clippy::inline_always)]
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
