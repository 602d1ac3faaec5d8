"""The files of a data set, for check.py and check_families.py: texts, their BLAKE3 hashes, the
segments, and the errors that end a check. Modules are used if installed; BLAKE3 needs none.
"""

import importlib
import re
import shutil
import struct
import subprocess
from contextlib import contextmanager


class Stop(Exception):
    """The check of a folder ends here; the message says why."""


class Refused(Stop):
    """The data set is wrong."""


class Incomplete(Stop):
    """This checker cannot decide."""


def require(condition, why):
    """Refuses the data set unless the condition holds."""
    if not condition:
        raise Refused(why)


@contextmanager
def naming(place):
    """Puts a place before the message of a check that ends here."""
    try:
        yield
    except Stop as stop:
        raise type(stop)(f"{place}: {stop}") from None


def optional_module(name):
    """The module, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


# BLAKE3 (https://github.com/BLAKE3-team/BLAKE3-specs)

blake3_module = optional_module("blake3")

WORD = 0xFFFFFFFF
IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A)
IV += (0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
CHUNK, BLOCK = 1024, 64  # bytes
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)


def blake3(data):
    """The BLAKE3 hash of some bytes, as 64 hexadecimal digits."""
    if blake3_module:
        return blake3_module.blake3(data).hexdigest()
    return struct.pack("<8I", *blake3_tree(data, 0, ROOT)).hex()


def blake3_tree(data, first_chunk, root):
    """The eight words of a subtree. The left one has the largest power of two of whole chunks."""
    if len(data) <= CHUNK:
        return blake3_chunk(data, first_chunk, root)
    left = 1 << ((len(data) - 1) // CHUNK).bit_length() - 1
    words = blake3_tree(data[: left * CHUNK], first_chunk, 0)
    words += blake3_tree(data[left * CHUNK :], first_chunk + left, 0)
    return blake3_compress(IV, words, 0, BLOCK, PARENT | root)


def blake3_chunk(data, number, root):
    """The eight words of one chunk, block by block."""
    words, start_flag = IV, CHUNK_START
    *others, last = range(0, len(data), BLOCK) or [0]
    for start in others:
        block = struct.unpack_from("<16I", data, start)
        words = blake3_compress(words, block, number, BLOCK, start_flag)
        start_flag = 0
    block = struct.unpack("<16I", data[last:].ljust(BLOCK, b"\0"))
    flags = start_flag | CHUNK_END | root
    return blake3_compress(words, block, number, len(data) - last, flags)


def blake3_compress(chain, block, counter, length, flags):
    """The compression function: seven rounds of eight mixings."""
    v = [*chain, *IV[:4], counter & WORD, counter >> 32, length, flags]
    for _ in range(7):
        words = iter(block)
        for i, j, k, l in COLUMNS + DIAGONALS:
            a, b, c, d = v[i], v[j], v[k], v[l]
            for turn_d, turn_b in ((16, 12), (8, 7)):
                a = a + b + next(words) & WORD
                d ^= a
                d = (d >> turn_d | d << 32 - turn_d) & WORD
                c = c + d & WORD
                b ^= c
                b = (b >> turn_b | b << 32 - turn_b) & WORD
            v[i], v[j], v[k], v[l] = a, b, c, d
        block = [block[place] for place in PERMUTATION]
    return [v[i] ^ v[i + 8] for i in range(8)]


# Zstandard (RFC 8878)

zstandard = optional_module("zstandard")


def unpack(path, data):
    """The text of a file that is one Zstandard frame."""
    most = frame_text_length(data)
    if zstandard:
        return zstandard.ZstdDecompressor().stream_reader(data).read(most)
    if not shutil.which("zstd"):
        raise Incomplete("to read it takes the module zstandard or the program zstd")
    command = ["zstd", "-dcq", "--", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        text = program.stdout.read(most)
    require(program.returncode == 0, "a damaged frame")
    return text


def frame_text_length(data):
    """The most bytes that the text of a frame may have. The frame ends where the file ends."""
    require(data[:4] == b"\x28\xb5\x2f\xfd" and len(data) > 9, "no Zstandard frame")
    descriptor = data[4]
    single_segment, checksum = descriptor >> 5 & 1, descriptor >> 2 & 1
    window, dictionary = 1 - single_segment, (0, 1, 2, 4)[descriptor & 3]
    length_bytes = (single_segment, 2, 4, 8)[descriptor >> 6]
    start = 5 + window + dictionary
    place = start + length_bytes
    most = 256 * len(data)
    if length_bytes:
        announced = int.from_bytes(data[start:place], "little") + 256 * (length_bytes == 2)
        require(announced <= most, "its text is over 256 times as long")
        most = announced
    last = 0
    while not last and place < len(data):
        block = int.from_bytes(data[place : place + 3], "little")
        last, one_byte_repeated = block & 1, block >> 1 & 3 == 1
        place += 3 + (1 if one_byte_repeated else block >> 3)
    require(last and place + 4 * checksum == len(data), "not one whole frame")
    return most


def read(folder, name):
    """The text of a file, which is compressed if its name says so."""
    path = f"{folder}/{name}"
    errors = (OSError, UnicodeDecodeError)
    if zstandard:
        errors += (zstandard.ZstdError,)
    try:
        with open(path, "rb") as file:
            data = file.read()
        return (unpack(path, data) if name.endswith(".zst") else data).decode()
    except errors as error:
        raise Refused(f"{name}: {error}") from None


# Manifest and segments

SEGMENT = 10000  # records, except in the last segment
N = r"(?:0|[1-9]\d*)"
HASH = r"[0-9a-f]{64}"
ENTRY = rf'        \(first: ({N}), last: ({N}), blake3: "({HASH})"(, zstd: true)?\),\n'
CONTENTS = (
    rf"    rows: (?P<rows>{N}),\n    head: (?P<head>Fingerprint|Splitmix64|Offsets),\n"
    rf"    segments: \[\n(?P<entries>(?:{ENTRY})+)    \],\n\)\n"
)


def segments(folder, manifest, family, read_line):
    """The records of all segments. `read_line` makes one from its line and its place."""
    all_rows, head_form = int(manifest["rows"]), manifest["head"]
    rows, previous = [], ""
    for first, last, hash_, zstd in re.findall(ENTRY, manifest["entries"], re.ASCII):
        first, last = int(first), int(last)
        follows = first == len(rows) <= last == min(first + SEGMENT, all_rows) - 1
        require(follows, "segments do not follow")
        text = read(folder, f"rows-{first:07}-{last:07}.ron" + (".zst" if zstd else ""))
        columns = f"first: {first}, last: {last}, head: {head_form}"
        header = f'Segment({family}, {columns}, previous: "{previous}")'
        for line in segment_lines(text, header, last - first + 1, hash_):
            place = len(rows)
            with naming(f"record {place}, line {place % SEGMENT + 2}"):
                rows.append(read_line(line, place))
        previous = hash_
    require(all_rows == len(rows), "fewer rows than there are")
    return rows


def segment_lines(text, header, records, hash_):
    """The lines of the records of a segment, whose header, hash and end are as they must be."""
    require("\n" in text, "cut short")
    *lines, end, rest = text.split("\n")
    hashed = "".join(line + "\n" for line in lines)
    require(blake3(hashed.encode()) == hash_, "the hash is another one")
    require([end, rest] == [f'End(rows: {records}, blake3: "{hash_}")', ""], "no End")
    require(lines[:1] == [header] and len(lines) == records + 1, "header or number of lines")
    return lines[1:]
