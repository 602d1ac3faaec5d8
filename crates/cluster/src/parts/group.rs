//! A group in a message to another process.
//!
//! Between two blocks a group has its windows, its last complete word, its partial word, and up to
//! two words that it carries; everything else follows from its index, its band and the windows.

use std::io;
use sweep::band::parts::{Group, GroupIndex, GroupPosition, KNOWN, complete_end, eight, last_band};
use sweep::band::pipeline::{
    BandIndex, BlockIndex, Decoder, Eight, FIRST_BAND, Frame, block_of, index, invalid,
};

/// The last byte of the head has the number of words that the group carries, and whether exceptions
/// follow. Its other bits are 0.
const CARRIES: u8 = 3;
const EXCEPTIONS_FOLLOW: u8 = 4;

/// Four numbers, and that byte.
const HEAD: usize = 4 * size_of::<u32>() + 1;

/// The offsets of the words.
const WINDOWS: usize = HEAD;
const LAST: usize = WINDOWS + 64;
const PARTIAL: usize = LAST + 64;
const CARRIED_WORDS: usize = PARTIAL + 64;

/// The most words that a group carries.
const CARRIED: usize = 2;

/// The most bytes of a group without exceptions.
pub(super) const MOST_BYTES: usize = CARRIED_WORDS + 64 * CARRIED;

type Bytes = [u8; MOST_BYTES];

/// Appends a group, as the last band of a block has left it.
#[inline]
pub(super) fn send(group: &Group, out: &mut Vec<u8>) {
    let mut bytes: Bytes = [0; MOST_BYTES];
    let numbers = [group.index().0, group.band().0, group.made.0, group.first_word() as u64];
    let numbers = numbers.map(|n| u32::try_from(n).expect("no run is as long").to_le_bytes());
    bytes[..HEAD - 1].copy_from_slice(numbers.as_flattened());
    let [first, second] = &group.carried;
    let carries = if any(second) != 0 { 2 } else { u8::from(any(first) != 0) };
    let follow = group.has_exceptions();
    bytes[HEAD - 1] = carries | if follow { EXCEPTIONS_FOLLOW } else { 0 };
    let words = [&group.windows, &group.last, &group.partial, first, second];
    for (words, at) in words.into_iter().zip((WINDOWS..).step_by(64)) {
        bytes[at..at + 64].copy_from_slice(words.0.map(u64::to_le_bytes).as_flattened());
    }
    out.extend_from_slice(&bytes[..CARRIED_WORDS + 64 * usize::from(carries)]);
    if follow {
        group.save_exceptions(out);
    }
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
    if said & !(CARRIES | EXCEPTIONS_FOLLOW) != 0 || !has_its_words(group, carries) {
        return Err(invalid("a group has the wrong number of words"));
    }
    (group.windows, group.last) = (eight(bytes, WINDOWS), eight(bytes, LAST));
    group.partial = eight(bytes, PARTIAL);
    for (i, words) in group.carried.iter_mut().enumerate() {
        *words = if i < carries { eight(bytes, CARRIED_WORDS + 64 * i) } else { Eight::ZERO };
    }
    let rest = source.0.get(CARRIED_WORDS + 64 * carries..);
    source.0 = rest.ok_or(io::ErrorKind::UnexpectedEof)?;
    if said & EXCEPTIONS_FOLLOW == 0 { Ok(()) } else { receive_exceptions(group, source) }
}

/// Reads the exceptions of a group. There must be some.
#[cold]
fn receive_exceptions(group: &mut Group, source: &mut Decoder<&[u8]>) -> io::Result<()> {
    group.restore_exceptions(source)?;
    if group.has_exceptions() { Ok(()) } else { Err(invalid("a group contradicts itself")) }
}

/// Whether a group with these windows can have its first stored word there, and carry this many.
#[inline]
fn has_its_words(group: &Group, carries: usize) -> bool {
    let made = group.band().min(last_band(group.made));
    let read_end = (group.low_anchor().0 + KNOWN - group.origin).div_ceil(64);
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

/// The bytes of the last group of a message, padded to the longest.
#[cold]
fn padded(bytes: &[u8]) -> Bytes {
    let mut padded = [0; MOST_BYTES];
    padded[..bytes.len()].copy_from_slice(bytes);
    padded
}
