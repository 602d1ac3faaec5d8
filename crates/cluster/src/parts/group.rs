//! A group in a message to another process.
//!
//! Between two blocks a group has two windows, its last complete word, its partial word, and up to
//! two words that it carries; everything else follows from its index, its band and the windows. The
//! upper places of the high window are free there, and the lowest places of the partial word repeat
//! those of the last complete word. So both together take twelve bytes a column, not sixteen.

use std::io;
use sweep::band::parts::{
    Group, GroupIndex, GroupPosition, MARGIN, complete_end, eight, last_band,
};
use sweep::band::pipeline::{
    BandIndex, BlockIndex, Decoder, Eight, FIRST_BAND, Frame, block_of, index, invalid, put_eight,
};

/// The last byte of the head has the number of words that the group carries, and whether more data
/// follows: the whole high window, and the exceptions. Its other bits are 0.
const CARRIES: u8 = 3;
const MORE_FOLLOWS: u8 = 4;

/// Four numbers, and that byte.
const HEAD: usize = 4 * size_of::<u32>() + 1;

/// The offsets of the words.
const LOW: usize = HEAD;
const LAST: usize = LOW + 64;
const LOWER: usize = LAST + 64;
const UPPER: usize = LOWER + 64;
const CARRIED_WORDS: usize = UPPER + 32;

/// The most words that a group carries.
const CARRIED: usize = 2;

/// This number of places of the high window replace places of the partial word, in the lower part
/// of both. The next 32 places are the upper part.
const SHARED: u32 = 8;

const LOWEST: u64 = (1 << SHARED) - 1;

/// The places of the high window above these are free, if no more data follows.
const FREE: u64 = u64::MAX << (SHARED + u32::BITS);

/// The most bytes of a group, if no more data follows.
pub(super) const MOST_BYTES: usize = CARRIED_WORDS + 64 * CARRIED;

type Bytes = [u8; MOST_BYTES];

/// Writes a group into `out`, from `at` on, as the last band of a block has left it. Returns its
/// end; bytes after the end are arbitrary.
#[inline]
pub(super) fn send(group: &Group, out: &mut Vec<u8>, at: usize) -> usize {
    if out.len() < at + MOST_BYTES {
        out.resize(at + MOST_BYTES, 0);
    }
    let bytes: &mut Bytes = out[at..].first_chunk_mut().expect("there is room");
    let numbers = [group.index().0, group.band().0, group.made.0, group.first_word() as u64];
    let numbers = numbers.map(|n| u32::try_from(n).expect("no run is as long").to_le_bytes());
    bytes[..HEAD - 1].copy_from_slice(numbers.as_flattened());
    let [first, second] = &group.carried;
    let carries = if any(second) != 0 { 2 } else { u8::from(any(first) != 0) };
    let more_follows = needs_more(group);
    bytes[HEAD - 1] = carries | if more_follows { MORE_FOLLOWS } else { 0 };
    write(bytes, LOW, &group.low);
    write(bytes, LAST, &group.last);
    let lowest = if more_follows { &group.partial } else { &group.high };
    write(bytes, LOWER, &joined(lowest, &group.partial));
    write_halves(bytes, UPPER, &group.high);
    write(bytes, CARRIED_WORDS, first);
    write(bytes, CARRIED_WORDS + 64, second);
    let end = at + CARRIED_WORDS + 64 * usize::from(carries);
    if more_follows { send_rest(group, out, end) } else { end }
}

/// Whether the words alone do not describe the group.
#[inline]
fn needs_more(group: &Group) -> bool {
    let all = group.high.0.iter().fold(u64::MAX, |all, word| all & word);
    any(&below_partial(group)) != 0 || all & FREE != FREE || group.has_exceptions()
}

/// The places below its own bits in which the partial word differs from the end of the last
/// complete word.
#[inline]
fn below_partial(group: &Group) -> Eight {
    let below = |lane: usize| group.partial.0[lane] ^ group.last.0[lane] >> (u64::BITS - SHARED);
    Eight(std::array::from_fn(|lane| below(lane) & LOWEST))
}

#[cold]
fn send_rest(group: &Group, out: &mut Vec<u8>, end: usize) -> usize {
    out.truncate(end);
    put_eight(out, &group.high);
    group.save_exceptions(out);
    out.len()
}

/// Reads into `group` the next group that [`send`] has written, in a run with this frame.
#[inline]
pub(super) fn receive(
    group: &mut Group,
    source: &mut Decoder<&[u8]>,
    frame: Frame,
) -> io::Result<()> {
    let last;
    let bytes: &Bytes = if let Some(bytes) = source.0.first_chunk() {
        bytes
    } else {
        last = padded(source.0);
        &last
    };
    let numbers = bytes[..HEAD - 1].as_chunks().0;
    let [g, band, made, first_word] =
        std::array::from_fn(|i| u64::from(u32::from_le_bytes(numbers[i])));
    let (index, band, made) = (GroupIndex(g), BandIndex(band), BlockIndex(made));
    let nowhere = || invalid("a group is in an impossible place");
    if !is_of_run(index, band, frame) {
        return Err(nowhere());
    }
    group.place(GroupPosition { index, band, made, first_word }, frame.windows);
    if group.is_too_far_right() {
        return Err(nowhere());
    }
    let said = bytes[HEAD - 1];
    let carries = usize::from(said & CARRIES);
    if said & !(CARRIES | MORE_FOLLOWS) != 0 || !has_its_words(group, carries) {
        return Err(invalid("a group has the wrong number of words"));
    }
    (group.low, group.last) = (eight(bytes, LOW), eight(bytes, LAST));
    (group.partial, group.high) = (eight(bytes, LOWER), read_halves(bytes, UPPER));
    for (high, word) in group.high.0.iter_mut().zip(&group.partial.0) {
        *high = *high << SHARED | FREE | word & LOWEST;
    }
    for (word, last) in group.partial.0.iter_mut().zip(&group.last.0) {
        *word = *word & !LOWEST | last >> (u64::BITS - SHARED);
    }
    for (i, words) in group.carried.iter_mut().enumerate() {
        *words = if i < carries { eight(bytes, CARRIED_WORDS + 64 * i) } else { Eight::ZERO };
    }
    let rest = source.0.get(CARRIED_WORDS + 64 * carries..);
    source.0 = rest.ok_or(io::ErrorKind::UnexpectedEof)?;
    if said & MORE_FOLLOWS == 0 { Ok(()) } else { receive_rest(group, bytes, source) }
}

/// Reads the output of [`send_rest`]. It must be needed, and agree with the part of the high window
/// read before.
#[cold]
fn receive_rest(group: &mut Group, bytes: &Bytes, source: &mut Decoder<&[u8]>) -> io::Result<()> {
    (group.partial, group.high) = (eight(bytes, LOWER), source.eight()?);
    group.restore_exceptions(source)?;
    let mut again = [0; MOST_BYTES];
    write_halves(&mut again, UPPER, &group.high);
    let is_same = again[UPPER..CARRIED_WORDS] == bytes[UPPER..CARRIED_WORDS];
    if is_same && needs_more(group) { Ok(()) } else { Err(invalid("a group contradicts itself")) }
}

/// Whether a group with these windows can have its first stored word there, and carry this many.
#[inline]
fn has_its_words(group: &Group, carries: usize) -> bool {
    let made = group.band().min(last_band(group.made));
    let read_end = (group.low_anchor().0 + 64 + MARGIN - group.origin).div_ceil(64);
    let carried_end = index(read_end).min(group.complete_end() - 1);
    group.made <= block_of(group.band())
        && group.first_word() < complete_end(made)
        && (carries == 0 || group.next_word() + carries <= carried_end)
}

/// Whether a band can be the last of a block of the run, and leave this group there.
#[inline]
fn is_of_run(g: GroupIndex, band: BandIndex, frame: Frame) -> bool {
    (FIRST_BAND..frame.bands).contains(&band)
        && last_band(block_of(band)) == band
        && (band.0..2 * band.0).contains(&g.0)
}

#[inline]
fn any(words: &Eight) -> u64 {
    words.0.iter().fold(0, |any, word| any | word)
}

/// Words with the lowest places of `lowest` and the other places of `others`.
#[inline]
fn joined(lowest: &Eight, others: &Eight) -> Eight {
    let word = |lane: usize| lowest.0[lane] & LOWEST | others.0[lane] & !LOWEST;
    Eight(std::array::from_fn(word))
}

/// The bytes of the last group of a message, padded to the longest.
#[cold]
fn padded(bytes: &[u8]) -> Bytes {
    let mut padded = [0; MOST_BYTES];
    padded[..bytes.len()].copy_from_slice(bytes);
    padded
}

#[inline]
fn write(bytes: &mut Bytes, at: usize, words: &Eight) {
    bytes[at..at + 64].copy_from_slice(words.0.map(u64::to_le_bytes).as_flattened());
}

/// 32 places from [`SHARED`] on of each word.
#[inline]
fn write_halves(bytes: &mut Bytes, at: usize, words: &Eight) {
    let halves = words.0.map(|word| {
        let [_, a, b, c, d, ..] = word.to_le_bytes();
        [a, b, c, d]
    });
    bytes[at..at + 32].copy_from_slice(halves.as_flattened());
}

/// Reads the output of [`write_halves`], from place 0 on.
#[inline]
fn read_halves(bytes: &Bytes, at: usize) -> Eight {
    let halves = bytes[at..at + 32].as_chunks().0;
    Eight(std::array::from_fn(|lane| u32::from_le_bytes(halves[lane]).into()))
}
