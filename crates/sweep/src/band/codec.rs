//! Rows and words as bytes: numbers are little-endian, and small ones are varints.
//!
//! The hash of the bytes has been verified before they are read. Still, no number in them
//! determines the size of an allocation: lists grow with the bytes that exist.

use super::simd::Eight;
use crate::units::RowIndex;
pub use files::invalid;
use record::{Certificate, Finite, Head, Periodic, Record, Statement};
use std::io;

/// Appends a number: eight bytes.
pub fn put(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

/// Appends eight words, all bytes at once: most bytes written are such words.
#[inline]
pub(crate) fn put_eight(out: &mut Vec<u8>, words: &Eight) {
    out.extend_from_slice(words.0.map(u64::to_le_bytes).as_flattened());
}

/// Appends a number with seven bits in each byte, the lowest first; the top bit is set if more
/// bytes follow.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Appends a row, without its number.
///
/// # Panics
/// If it has no valid certificate.
pub fn put_row(out: &mut Vec<u8>, row: &Record) {
    let r = row.row();
    put_varint(out, row.diagonal() - r);
    put(out, row.head().map_or(0, |head| head.fingerprint(r)));
    let Some(Periodic { start, values, certificate, .. }) = row.periodic() else {
        put_varint(out, 0);
        put_varint(out, row.settled() - 1 - r);
        return;
    };
    let Certificate { from, recurs, modulus, filled, above } = certificate;
    put_list(out, values);
    put_varint(out, start - r);
    put_varint(out, from - start);
    put_varint(out, recurs - from);
    put_varint(out, *modulus);
    put_varint(out, *filled);
    put_list(out, above);
}

fn put_list(out: &mut Vec<u8>, numbers: &[u64]) {
    put_varint(out, numbers.len() as u64);
    for &number in numbers {
        put_varint(out, number);
    }
}

/// The words at this offset.
///
/// # Panics
/// If there are too few bytes.
#[inline]
pub(crate) fn eight<const N: usize>(bytes: &[u8; N], at: usize) -> Eight {
    let words = bytes[at..at + size_of::<Eight>()].as_chunks().0;
    Eight(std::array::from_fn(|lane| u64::from_le_bytes(words[lane])))
}

/// Decodes numbers from bytes. Any bytes give numbers or an error.
pub struct Decoder<'a>(pub &'a [u8]);

impl Decoder<'_> {
    /// Takes bytes.
    ///
    /// # Errors
    /// If there are too few.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        self.0 = rest;
        Ok(*bytes)
    }

    /// Takes a number that [`put`] has appended.
    ///
    /// # Errors
    /// As [`Self::array`].
    pub fn number(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Takes words that [`put_eight`] has appended.
    ///
    /// # Errors
    /// As [`Self::array`].
    #[inline]
    pub(crate) fn eight(&mut self) -> io::Result<Eight> {
        self.array::<{ size_of::<Eight>() }>().map(|bytes| eight(&bytes, 0))
    }

    pub(crate) fn varint(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(invalid("a number does not fit 64 bits"))
    }

    fn list(&mut self) -> io::Result<Vec<u64>> {
        let length = self.varint()?;
        (0..length).map(|_| self.varint()).collect()
    }

    /// Takes a row that [`put_row`] has appended, if a record can describe it. Sums wrap, so that
    /// no input overflows.
    ///
    /// # Errors
    /// If there is no such row.
    pub fn row(&mut self, RowIndex(row): RowIndex) -> io::Result<Record> {
        let first = row.wrapping_add(self.varint()?);
        let head = Head::Fingerprint(self.number()?);
        let values = self.list()?;
        let end = row.wrapping_add(self.varint()?);
        let statement = if values.is_empty() {
            Statement::Finite(Finite { row, first, last: end, head })
        } else {
            let from = end.wrapping_add(self.varint()?);
            let recurs = from.wrapping_add(self.varint()?);
            let modulus = self.varint()?;
            let filled = self.varint()?;
            let above = self.list()?;
            let certificate = Certificate { from, recurs, modulus, filled, above };
            Statement::Periodic(Periodic { row, first, start: end, values, certificate, head })
        };
        Record::of_row(statement).map_err(|fault| invalid(format!("row {row}: {fault}")))
    }

    /// Takes a number of words.
    ///
    /// # Errors
    /// If there are too few bytes.
    pub(crate) fn eights(&mut self, count: u64) -> io::Result<Vec<Eight>> {
        let bytes =
            usize::try_from(count).ok().and_then(|count| count.checked_mul(size_of::<Eight>()));
        let taken = bytes.and_then(|bytes| self.0.split_off(..bytes));
        let chunks = taken.ok_or(io::ErrorKind::UnexpectedEof)?.as_chunks().0;
        Ok(chunks.iter().map(|bytes: &[u8; size_of::<Eight>()]| eight(bytes, 0)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Record> {
        let finite = |row, last, sum| {
            Statement::Finite(Finite { row, first: row + 2, last, head: Head::Fingerprint(sum) })
        };
        let distance = 1_u64 << 62;
        let certificate = Certificate {
            from: 170,
            recurs: 170 + distance,
            modulus: distance,
            filled: 71,
            above: vec![73, 121],
        };
        let periodic = Periodic {
            row: 120,
            first: 206,
            start: 170,
            values: vec![72, 70],
            certificate,
            head: Head::Fingerprint(u64::MAX),
        };
        let last = (1 << 63) - 1;
        [finite(1, 2, 0), finite(7, last, u64::MAX / 3), Statement::Periodic(periodic)]
            .map(|statement| Record::of_row(statement).unwrap())
            .to_vec()
    }

    #[test]
    fn rows_come_back() {
        for row in rows() {
            let mut bytes = Vec::new();
            put_row(&mut bytes, &row);
            let mut source = Decoder(bytes.as_slice());
            assert_eq!(source.row(RowIndex(row.row())).unwrap(), row);
            assert!(source.0.is_empty());
            for length in 0..bytes.len() {
                assert!(Decoder(&bytes[..length]).row(RowIndex(row.row())).is_err());
            }
        }
    }

    /// Rows pass the constructor of records, with its bounds: offsets of row r are at most r + 1
    /// (2005 paper, 8.1).
    #[test]
    fn impossible_rows_are_refused() {
        let mut bytes = Vec::new();
        put_row(&mut bytes, &rows()[0]);
        assert_eq!(bytes[0], 2, "the offset of the diagonal");
        bytes[0] = 3;
        let error = Decoder(bytes.as_slice()).row(RowIndex(1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 1: offset 3 is out of range: the offsets of row 1 are 0 to 2"
        );
        assert!(Decoder(bytes.as_slice()).row(RowIndex(2)).is_ok());
    }

    #[test]
    fn arbitrary_bytes_are_read_or_refused() {
        for seed in 0..20_000u64 {
            let weights = (5 * seed..5 * seed + 5).map(record::column_weight);
            let bytes: Vec<u8> = weights.flat_map(u64::to_le_bytes).collect();
            let _ = Decoder(bytes.as_slice()).row(RowIndex(seed));
        }
        assert!(Decoder([0xFF; 12].as_slice()).varint().is_err());
        let mut longest = vec![0xFF; 9];
        longest.push(1);
        assert_eq!(Decoder(longest.as_slice()).varint().unwrap(), u64::MAX);
        longest[9] = 2;
        assert!(Decoder(longest.as_slice()).varint().is_err());
    }
}
