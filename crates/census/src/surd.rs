//! Numbers `x + y/√2` and decimals, compared and rounded in integers only.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Sub;
use std::str::FromStr;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::CheckedMul;
use serde::{Serialize, Serializer};

/// The number `x + y/√2`, with integers x and y. The distances of three-rowed Chomp from its lines
/// are of this form: `α = 1 + 1/√2`, `β = 1 + √2 = 1 + 2/√2` (2005 paper, 8.4 and 8.6).
///
/// Order and rounding are decided in integers. √2 being irrational, two such numbers are equal only
/// if x and y are.
///
/// ```
/// use census::{Decimal, Surd};
///
/// // d_24 = 42, and 42 - 24α = 18 - 12√2 = 1.0294...
/// let distance = Surd::from_line(42, Surd::ALPHA, 24);
/// assert_eq!(distance, Surd::new(18, -24));
/// assert_eq!(distance.down(3).to_string(), "1.029");
/// assert_eq!(distance.up(3).to_string(), "1.030");
/// assert_eq!((distance.floor_of(1), distance.floor_of(1000)), (1, 1029));
/// // √2 = 1.41421356237309504880... (OEIS A002193); 170 - 120·√2 = 0.2943...
/// assert_eq!(Surd::ROOT_2.floor_of(1_000_000_000), 1_414_213_562);
/// assert_eq!(Surd::from_line(170, Surd::ROOT_2, 120).floor_of(1000), 294);
/// assert_eq!(Surd::from_line(1, Surd::ROOT_2, 1).floor_of(1000), -415);
/// assert_eq!(Surd::from_line(1, Surd::ROOT_2, 0).floor_of(1000), 1000);
/// let bound: Decimal = "2.141".parse().unwrap();
/// assert!(distance.compare(&bound).is_lt());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(into = "SurdObject")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Surd {
    whole: i128,
    over_root: i128,
}

impl Surd {
    /// α = 1 + 1/√2, about 1.7: the slope of the diagonal values and of the finite rows.
    pub const ALPHA: Self = Self { whole: 1, over_root: 1 };

    /// β = 1 + √2, about 2.4: the slope of the ends of finite rows.
    pub const BETA: Self = Self { whole: 1, over_root: 2 };

    /// √2, about 1.4: the slope of the starts of periodic rows.
    pub const ROOT_2: Self = Self { whole: 0, over_root: 2 };

    /// `whole + over_root/√2`.
    pub const fn new(whole: i64, over_root: i64) -> Self {
        Self { whole: whole as i128, over_root: over_root as i128 }
    }

    /// `value - slope·n`: the height of the n-th term of a sequence above a line through 0.
    ///
    /// # Panics
    /// If it does not fit 128 bits. The slopes of this module always fit.
    pub fn from_line(value: u64, slope: Self, n: u64) -> Self {
        let times_n = |x: i128| x.checked_mul(n.into()).expect("a slope times n fits 128 bits");
        let whole = i128::from(value).checked_sub(times_n(slope.whole));
        Self {
            whole: whole.expect("a distance fits 128 bits"),
            over_root: -times_n(slope.over_root),
        }
    }

    /// The largest decimal with `places` places that is not larger.
    pub fn down(self, places: u32) -> Decimal {
        let scale = BigInt::from(10).pow(places);
        Decimal { digits: self.floor_of_multiple(&scale), places }
    }

    /// The least decimal with `places` places that is not less.
    pub fn up(self, places: u32) -> Decimal {
        let negative = Self { whole: -self.whole, over_root: -self.over_root };
        let Decimal { digits, places } = negative.down(places);
        Decimal { digits: -digits, places }
    }

    /// The nearest decimal with `places` places. No irrational number lies half-way between two.
    pub fn nearest(self, places: u32) -> Decimal {
        let scale = 2 * BigInt::from(10).pow(places);
        let digits = (self.floor_of_multiple(&scale) + 1_u32).div_floor(&2.into());
        Decimal { digits, places }
    }

    /// The largest integer that is not larger than `scale` times the number, which is small: x and
    /// y are less than 2⁶³ divided by the scale.
    ///
    /// # Panics
    /// If it is larger.
    pub fn floor_of(self, scale: u32) -> i64 {
        let [whole, over_root] = [self.whole, self.over_root].map(|part| {
            i64::try_from(part * i128::from(scale)).expect("a distance of a small number")
        });
        let root = (i128::from(over_root).pow(2) / 2).isqrt();
        let root = i64::try_from(root).expect("less than its argument");
        whole + if over_root < 0 { -root - 1 } else { root }
    }

    /// `⌊scale · (x + y/√2)⌋`, for a positive scale: `⌊Y/√2⌋ = ⌊√(Y²/2)⌋` for `Y >= 0`, and
    /// `-Y/√2` is never an integer.
    fn floor_of_multiple(self, scale: &BigInt) -> BigInt {
        let over_root = scale * self.over_root;
        let root = (over_root.pow(2) / 2_u32).sqrt();
        let floor = if self.over_root < 0 { -root - 1 } else { root };
        scale * self.whole + floor
    }

    /// How it compares with a decimal.
    ///
    /// # Panics
    /// Never: integers of any size have squares.
    pub fn compare(self, decimal: &Decimal) -> Ordering {
        let scale = BigInt::from(10).pow(decimal.places);
        let whole = &scale * self.whole - &decimal.digits;
        Self::sign(&whole, &(scale * self.over_root)).expect("integers of any size")
    }

    /// How a number compares with 0, if squares fit into this type: always for [`BigInt`].
    fn sign<N: CheckedMul + Ord + From<i8>>(whole: &N, over_root: &N) -> Option<Ordering> {
        let square = |number: &N| number.checked_mul(number);
        let twice = |number: N| number.checked_mul(&2.into());
        Some(match (whole.cmp(&0.into()), over_root.cmp(&0.into())) {
            (Ordering::Greater, Ordering::Less) => twice(square(whole)?)?.cmp(&square(over_root)?),
            (Ordering::Less, Ordering::Greater) => square(over_root)?.cmp(&twice(square(whole)?)?),
            (Ordering::Equal, sign) | (sign, _) => sign,
        })
    }
}

impl Sub for Surd {
    type Output = Self;

    /// The difference, which must fit 128 bits as well.
    fn sub(self, other: Self) -> Self {
        Self { whole: self.whole - other.whole, over_root: self.over_root - other.over_root }
    }
}

impl Ord for Surd {
    /// `x + y/√2 > 0` with `x > 0 > y` iff `2x² > y²`, and so on.
    fn cmp(&self, other: &Self) -> Ordering {
        let small = || {
            let whole = self.whole.checked_sub(other.whole)?;
            Self::sign(&whole, &self.over_root.checked_sub(other.over_root)?)
        };
        small().unwrap_or_else(|| {
            let whole = BigInt::from(self.whole) - other.whole;
            let over_root = BigInt::from(self.over_root) - other.over_root;
            Self::sign(&whole, &over_root).expect("integers of any size")
        })
    }
}

impl PartialOrd for Surd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The number `whole + over_root_2/√2` in JSON, and the decimals with six places next below and
/// above.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SurdObject {
    whole: i128,
    over_root_2: i128,
    down: Decimal,
    up: Decimal,
}

impl From<Surd> for SurdObject {
    fn from(surd: Surd) -> Self {
        let Surd { whole, over_root: over_root_2 } = surd;
        Self { whole, over_root_2, down: surd.down(6), up: surd.up(6) }
    }
}

/// A decimal fraction, such as the papers print: its value is `digits / 10^places`.
///
/// ```
/// use census::Decimal;
/// assert_eq!("-1.242".parse::<Decimal>().unwrap().to_string(), "-1.242");
/// assert_eq!(Decimal::ratio(1, 3, 3).to_string(), "0.333");
/// assert_eq!(Decimal::ratio(2, 3, 3).to_string(), "0.667");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
pub struct Decimal {
    digits: BigInt,
    places: u32,
}

impl Decimal {
    /// The fraction `part / all` to the nearest decimal with `places` places, half-way cases up.
    ///
    /// # Panics
    /// If `all` is 0.
    pub fn ratio(part: u64, all: u64, places: u32) -> Self {
        let doubled = 2_u32 * BigInt::from(part) * BigInt::from(10).pow(places);
        Self { digits: (doubled + all).div_floor(&(2_u32 * BigInt::from(all))), places }
    }

    /// Its digits after the point.
    pub fn places(&self) -> u32 {
        self.places
    }
}

/// A text that is no decimal fraction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a decimal fraction, such as -1.242")]
pub struct DecimalError(String);

impl FromStr for Decimal {
    type Err = DecimalError;

    /// An optional minus sign, digits, and optionally a point and digits.
    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let error = || DecimalError(text.to_owned());
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let parts = unsigned.split_once('.').map(|(whole, fraction)| (whole, Some(fraction)));
        let (whole, fraction) = parts.unwrap_or((unsigned, None));
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !is_digits(whole) || !fraction.is_none_or(is_digits) {
            return Err(error());
        }
        let fraction = fraction.unwrap_or_default();
        let places = u32::try_from(fraction.len()).map_err(|_too_long| error())?;
        let digits: BigInt = format!("{whole}{fraction}").parse().map_err(|_never| error())?;
        Ok(Self { digits: if text.starts_with('-') { -digits } else { digits }, places })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let scale = BigInt::from(10).pow(self.places).into_parts().1;
        let (whole, rest) = self.digits.magnitude().div_rem(&scale);
        let sign = if self.digits < BigInt::ZERO { "-" } else { "" };
        match self.places as usize {
            0 => f.pad(&format!("{sign}{whole}")),
            places => f.pad(&format!("{sign}{whole}.{rest:0>places$}", rest = rest.to_string())),
        }
    }
}

/// A string, as it is printed.
impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
