//! Positions and bites: the rules, without outcomes.

use std::fmt;

use thiserror::Error;

/// A position of three-rowed Chomp: row lengths `p >= q >= r >= 0` in squares, with `p >= 1`.
///
/// The empty board is not a position, since taking the poison is not a move. The notation `(p,q,r)`
/// stands in the 2005 paper, section 8. Zeilberger's `[c,a,b]` counts columns instead: `c` of them
/// have three squares, `a` two, `b` one, hence `c = r`, `a = q - r`, `b = p - q` (*Chomp,
/// Recurrences and Chaos(?)*, 2003, "Chomp Positions").
///
/// The order is by `p`, then `q`, then `r`. Every bite leaves a position that is smaller in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreeRows {
    p: u64,
    q: u64,
    r: u64,
}

/// Why three numbers are no [`ThreeRows`], in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ThreeRowsError(String);

impl ThreeRows {
    /// The position `(p,q,r)`: lengths of the top, the middle and the bottom row, in squares.
    ///
    /// Constant time.
    ///
    /// # Errors
    ///
    /// [`ThreeRowsError`] for `(0,0,0)`, and if `q > p` or `r > q`.
    ///
    /// ```
    /// use game::ThreeRows;
    ///
    /// assert_eq!(ThreeRows::new(7, 4, 3)?.to_string(), "(7,4,3)");
    /// assert!(ThreeRows::new(0, 0, 0).is_err());
    /// # Ok::<(), game::ThreeRowsError>(())
    /// ```
    pub fn new(p: u64, q: u64, r: u64) -> Result<Self, ThreeRowsError> {
        let longer = |[row, before]: [&str; 2], [length, most]: [u64; 2]| {
            format!(
                "in ({p},{q},{r}) the {row} row ({length}) is longer than the {before} row \
                 ({most}); give the row lengths from the top down, p >= q >= r"
            )
        };
        let problem = match () {
            () if q > p => longer(["middle", "top"], [q, p]),
            () if r > q => longer(["bottom", "middle"], [r, q]),
            () if p > 0 => return Ok(Self { p, q, r }),
            () => "the empty board is not a position, since taking the poison is not a move; \
                   the top row needs at least one square"
                .to_owned(),
        };
        Err(ThreeRowsError(problem))
    }

    /// Zeilberger's `[c,a,b]`: `c` columns of three squares, `a` of two, `b` of one.
    ///
    /// Constant time.
    ///
    /// # Errors
    ///
    /// [`ThreeRowsError`] for `[0,0,0]`, and if `c + a + b` does not fit in 64 bits.
    ///
    /// ```
    /// use game::ThreeRows;
    ///
    /// assert_eq!(ThreeRows::from_zeilberger(3, 1, 3)?, ThreeRows::new(7, 4, 3)?);
    /// # Ok::<(), game::ThreeRowsError>(())
    /// ```
    pub fn from_zeilberger(c: u64, a: u64, b: u64) -> Result<Self, ThreeRowsError> {
        let rows = c.checked_add(a).and_then(|q| Some((q.checked_add(b)?, q)));
        let too_long = || {
            ThreeRowsError(format!(
                "in [{c},{a},{b}] the top row has c + a + b squares, which is more than {}, the \
                 longest row supported; use smaller numbers",
                u64::MAX
            ))
        };
        let (p, q) = rows.ok_or_else(too_long)?;
        Self::new(p, q, c)
    }

    /// Length of the top row, in squares; at least 1.
    pub const fn p(self) -> u64 {
        self.p
    }

    /// Length of the middle row, in squares; at most `p`.
    pub const fn q(self) -> u64 {
        self.q
    }

    /// Length of the bottom row, in squares; at most `q`.
    pub const fn r(self) -> u64 {
        self.r
    }

    /// Zeilberger's `[c,a,b]`, the numbers of columns of three, two and one squares. The inverse of
    /// [`ThreeRows::from_zeilberger`]; constant time.
    ///
    /// ```
    /// use game::ThreeRows;
    ///
    /// assert_eq!(ThreeRows::new(7, 4, 3)?.to_zeilberger(), [3, 1, 3]);
    /// # Ok::<(), game::ThreeRowsError>(())
    /// ```
    pub const fn to_zeilberger(self) -> [u64; 3] {
        [self.r, self.q - self.r, self.p - self.q]
    }

    /// All positions one move away, each once.
    ///
    /// A bite at a row and a column cuts that row, and all rows below that are longer, to the
    /// squares left of the column. So from `(p,q,r)` it leaves
    ///
    /// - `(p', min(q,p'), min(r,p'))` for `0 < p' < p` (top row; `p' = 0` would be the poison),
    /// - `(p, q', min(r,q'))` for `0 <= q' < q` (middle row),
    /// - `(p, q, r')` for `0 <= r' < r` (bottom row).
    ///
    /// They come in this order, the new length ascending in each family. No position occurs twice:
    /// the first row that got shorter tells the family, and its new length tells the position.
    /// Hence there are `p + q + r - 1`, one for each square but the poison.
    ///
    /// Constant time and memory for each.
    ///
    /// # Source
    ///
    /// Zeilberger, *Chomp, Recurrences and Chaos(?)*, 2003, "Set of Positions and Legal Moves",
    /// gives the same set as six families.
    ///
    /// # Example
    ///
    /// The 2005 paper, section 7.1: from `(3,2,1)` one can move to the P-positions `(3,1,1)` and
    /// `(2,2,1)`. Here they are among all five:
    ///
    /// ```
    /// use game::ThreeRows;
    ///
    /// let bites: Vec<String> =
    ///     ThreeRows::new(3, 2, 1)?.bites().map(|bite| bite.to_string()).collect();
    /// assert_eq!(bites, ["(1,1,1)", "(2,2,1)", "(3,0,0)", "(3,1,1)", "(3,2,0)"]);
    ///
    /// // The poison alone: no move.
    /// assert_eq!(ThreeRows::new(1, 0, 0)?.bites().next(), None);
    /// # Ok::<(), game::ThreeRowsError>(())
    /// ```
    pub fn bites(self) -> impl Iterator<Item = ThreeRows> + Clone {
        let Self { p, q, r } = self;
        let top = (1..p).map(move |x| Self { p: x, q: q.min(x), r: r.min(x) });
        let middle = (0..q).map(move |x| Self { p, q: x, r: r.min(x) });
        let bottom = (0..r).map(move |x| Self { p, q, r: x });
        top.chain(middle).chain(bottom)
    }

    /// All positions with `p <= n`, in their order (by `p`, then `q`, then `r`); none for `n = 0`.
    ///
    /// There are `(n+1)(n+2)(n+3)/6 - 1`. Constant time and memory for each.
    ///
    /// ```
    /// use game::ThreeRows;
    ///
    /// let positions: Vec<String> = ThreeRows::up_to(1).map(|position| position.to_string()).collect();
    /// assert_eq!(positions, ["(1,0,0)", "(1,1,0)", "(1,1,1)"]);
    /// ```
    pub fn up_to(n: u64) -> impl Iterator<Item = ThreeRows> + Clone {
        (1..=n).flat_map(Self::with_top_row)
    }

    /// All positions with this p, in the same order; none for `p = 0`.
    ///
    /// There are `(p+1)(p+2)/2`. Constant time and memory for each.
    ///
    /// ```
    /// use game::ThreeRows;
    ///
    /// assert!(ThreeRows::with_top_row(5).eq(ThreeRows::up_to(5).filter(|at| at.p() == 5)));
    /// assert_eq!(ThreeRows::with_top_row(0).count(), 0);
    /// ```
    pub fn with_top_row(p: u64) -> impl Iterator<Item = ThreeRows> + Clone {
        let least = u64::from(p == 0);
        (least..=p).flat_map(move |q| (0..=q).map(move |r| Self { p, q, r }))
    }
}

/// `(p,q,r)`, without spaces.
impl fmt::Display for ThreeRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{},{})", self.p, self.q, self.r)
    }
}
