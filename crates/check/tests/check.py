#!/usr/bin/env python3
"""A second checker of data sets, written from docs/FORMAT.md. It shares no code with the first.

It reads formats 1 and 2, and format 3 by check_families.py, which shares the certificates and the
verdicts of this checker; check_files.py reads the files for both. The facts are those of
proofs/README.md, and so are the names of the reasons why a p is blocked: (D) the diagonal, (R) the
row's own past, (C) the rows of the same level with shorter tails, (L) those of lower levels with
the same tail. Format 1 has the rows of level 0 whose tails have one part. For these, fact 12 is
fact 1, and all rows with smaller numbers are below a row.

For each folder it prints one line:

    verified heads of rows 0 to 300, tails of rows 0 to 10000
    refused DEPTH: why; verified ...
    incomplete DEPTH: why; verified ...         (it cannot decide)

In format 2, "rows 0 to N" are the first N + 1 records. The exit code is 0 if every folder is
verified, 1 if one is refused, and 4 otherwise.
"""

import argparse
import math
import re
import sys
from itertools import chain

from check_files import CONTENTS, SEGMENT, Incomplete, N, Refused, Stop
from check_files import naming, read, require, segments

LIMIT = 1 << 63  # columns are less
MOST_COLUMNS = 20000  # of one certificate
LAST_COLUMN = 20000  # of one head


# Records


def fields(*names, form):
    """A pattern for `NAME: VALUE, NAME: VALUE`, with values of this form."""
    return ", ".join(f"{name}: (?P<{name}>{form})" for name in names)


LIST = rf"\[(?:{N}(?:, {N})*)?\]"
TAIL = rf"\[{N}(?:, {N})+\]"
KEY = rf"(?:{fields('row', form=N)}|{fields('tail', form=TAIL)})(?:, level: (?P<level>[1-9]\d*))?"
HEAD = rf'head: (?:"(?P<fingerprint>[0-9a-f]{{16}})"|(?P<head>{LIST}))'
CERTIFICATE = (
    rf"\({fields('from', 'recurs', form=N)}, modulus: \"(?P<modulus>0|[1-9]\d{{0,18}})\", "
    rf"{fields('filled', form=N)}, {fields('above', form=LIST)}\)"
)


def record_patterns(key):
    """The patterns of finite, periodic and empty records with keys of this pattern."""
    finite = rf"Finite\({key}, {fields('first', 'last', form=N)}, {HEAD}\)"
    periodic = (
        rf"Periodic\({key}, {fields('first', 'start', form=N)}, {fields('values', form=LIST)}, "
        rf"certificate: {CERTIFICATE}, {HEAD}\)"
    )
    empty = rf"Empty\({key}, {fields('by', form=N)}\)"
    return [re.compile(kind, re.ASCII) for kind in (finite, periodic, empty)]


RECORDS = record_patterns(KEY)


def numbers(text):
    """The numbers of a list."""
    return [int(number) for number in re.findall(r"\d+", text)]


class Row:
    """A record: what it states, and after *heads* the offsets of its head."""

    def __init__(self, line, place):
        field = self.read(line, place, RECORDS)
        parts = numbers(field["tail"] or field["row"])
        self.tail = () if parts == [0] else tuple(parts)
        self.row = parts[0]  # its first column
        self.most_offset = sum(parts) + self.level + 1  # corollary 1a; fact 12(d)

    def read(self, line, place, patterns):
        """Reads level and statement, and returns the fields."""
        self.place = place
        finite, periodic, empty = (pattern.fullmatch(line) for pattern in patterns)
        match = finite or periodic or empty
        require(match, "no record")
        field = match.groupdict()
        self.level = int(field["level"] or 0)
        self.periodic, self.empty = match is periodic, match is empty
        if self.empty:
            self.by, self.end = int(field["by"]), 0
            return field
        self.first = int(field["first"])
        if self.periodic:
            self.start = self.end = int(field["start"])
            self.from_, self.recurs = int(field["from"]), int(field["recurs"])
            self.modulus, self.filled = int(field["modulus"]), int(field["filled"])
            self.values, self.above = numbers(field["values"]), numbers(field["above"])
        else:
            self.last = int(field["last"])
            self.end = self.last + 1  # the head has the columns before
        self.fingerprint = int(field["fingerprint"], 16) if field["fingerprint"] else None
        self.head = numbers(field["head"]) if field["head"] else None
        return field

    def __str__(self):
        name = f"row {self.row}"
        if len(self.tail) > 1:
            name = f"tail ({','.join(map(str, self.tail))})"
        if self.level > 0:
            name += f" of level {self.level}"
        return f"{name}, line {self.place % SEGMENT + 2}"

    def value(self, column):
        """The offset of a periodic row in a column from `start` on."""
        return self.values[(column - self.start) % len(self.values)]


def check_numbers(row, head_form):
    """*Structure*, 4: the numbers of a record agree with each other."""
    if row.empty:
        require(len(row.tail) > 1 or row.level > 0, "no row of three rows is empty at level 0")
        require(0 < row.by < row.row, "by is out of range")
    else:
        check_statement(row, head_form)


def check_statement(row, head_form):
    """The same for a row that is not empty."""
    require((row.head is not None) == (head_form == "Offsets"), "a head of the other form")
    last = row.start if row.periodic else row.last
    require(row.row <= min(row.first, last), "a column before the first")
    require(max(row.first, last) < LIMIT, "a column out of range")
    require(row.first - row.row <= row.most_offset, "first is out of range")
    ends_at_once = not row.periodic and row.last == row.row
    require((row.first == row.row) == ends_at_once, "offset 0 not just at the end")
    if row.periodic:
        check_values(row)
        check_certificate(row)
    if row.fingerprint is not None and row.end == row.row:
        require(row.fingerprint == 0, "a fingerprint of no columns is 0")
        row.head = []
    if row.head is not None:
        check_offsets(row, row.head)


def check_values(row):
    """The values of a periodic row: within the bound, with the least period, and fact 4."""
    values, period = row.values, len(row.values)
    within = values and all(0 < offset <= row.most_offset for offset in values)
    require(within, "values are out of range")
    parts = [part for part in range(1, period) if period % part == 0]
    repeats = any(values == values[:part] * (period // part) for part in parts)
    require(not repeats, "the period is not the least")
    residues = {(place + offset) % period for place, offset in enumerate(values)}
    require(len(residues) == period, "no juggling sequence")


def check_certificate(row):
    """The numbers of a certificate, as fact 3 needs them: columns, distance and state."""
    require(row.start <= row.from_ < row.recurs < LIMIT, "from and recurs")
    distance = row.recurs - row.from_
    multiple = row.modulus and distance % len(row.values) == distance % row.modulus == 0
    require(multiple, "the distance is no multiple")
    state = [row.filled, *row.above]
    ascends = all(one < next_one for one, next_one in zip(state, row.above))
    require(ascends and state[-1] <= row.most_offset, "the state")


def check_offsets(row, head):
    """The offsets of a head: within the bound, no p twice (R), and 0 only at the end of a row."""
    values = row.values if row.periodic else []
    require(len(head) == row.end - row.row, "head has another length")
    require(all(offset <= row.most_offset for offset in head), "an offset is out of range")
    distinct = {place + offset for place, offset in enumerate(head)}
    require(len(distinct) == len(head), "two columns have the same p")
    require(row.first - row.row == (head or values)[0], "first is not the first offset")
    zeros = [place for place, offset in enumerate(head, 1) if offset == 0]
    require(zeros == ([] if row.periodic else [len(head)]), "offset 0 within")
    if row.periodic and head:
        require(head[-1] != values[-1], "start is not least")


# Structure

FAMILY = rf"    to_level: (?P<to_level>{N}),\n    within: (?P<within>{LIST}),\n"
MANIFEST = rf"\(\n    format: (?:1,\n|2,\n{FAMILY}){CONTENTS}"


def structure(folder):
    """The rows of a data set, and whether it is of format 2. Its files must be whole, in order."""
    match = re.fullmatch(MANIFEST, read(folder, "MANIFEST.ron"), re.ASCII)
    require(match, "no manifest")
    manifest = match.groupdict()
    all_rows, head_form, within = int(manifest["rows"]), manifest["head"], manifest["within"]
    keyed = within is not None
    require(head_form != ("Fingerprint" if keyed else "Splitmix64"), "no manifest")
    keys, family = keys_of_family(0, (all_rows - 1,)), "format: 1"
    if keyed:
        keys = keys_of_family(int(manifest["to_level"]), tail_from(within))
        family = f"format: 2, to_level: {manifest['to_level']}, within: {within}"

    def read_line(line, place):
        row, key = Row(line, place), next(keys, None)
        require((row.level, row.tail) == key, "another row")
        check_numbers(row, head_form)
        return row

    rows = segments(folder, manifest, family, read_line)
    require(next(keys, None) is None, "fewer rows than there are")
    return rows, keyed


def tail_from(text):
    """The tail `within` of a manifest."""
    tail = tuple(numbers(text))
    is_tail = 0 not in tail and all(a >= b for a, b in zip(tail, tail[1:]))
    require(is_tail, "within is no tail")
    return tail


def keys_of_family(to_level, within):
    """The levels and tails of a data set, in order. Rows 0 to r are level 0 within (r)."""
    return ((level, tail) for tail in contained(within, LIMIT) for level in range(to_level + 1))


def contained(within, most):
    """All tails contained in a tail, with parts of at most `most`, in lexicographic order."""
    yield ()
    if within:
        for part in range(1, min(within[0], most) + 1):
            for rest in contained(within[1:], part):
                yield part, *rest


def rows_below(rows):
    """A function that finds the rows of (C) and of (L) for a row, in two lists. The first list begins
    with the rows of the tail cut to 0, 1, ..., r1 - 1 squares; these but the first are those of (D).
    """
    by_key = {(row.level, row.tail): row for row in rows}

    def below(row):
        same_level = [by_key[row.level, tail] for tail in bites(row.tail)]
        return same_level, [by_key[level, row.tail] for level in range(row.level)]

    return below


def bites(tail):
    """The tails of (C), fact 12: the rows from row i on are cut to z squares."""
    found = []
    for place, length in enumerate(tail):
        for z in range(length):
            cut = tail[:place] + tuple(min(part, z) for part in tail[place:])
            found.append(tuple(part for part in cut if part))
    return found


# Tails


class Settled:
    """The rows below a row, in columns where all of them have ended or repeat."""

    def __init__(self, rows):
        self.column = 0  # s of fact 3: they have settled there
        self.holders = {}  # offset -> the periodic rows that have it among their values
        for row in rows:
            self.add(row)

    def add(self, row):
        """One more row."""
        self.column = max(self.column, row.end)
        if row.periodic:
            for offset in set(row.values):
                self.holders.setdefault(offset, []).append(row)

    def least_free(self, filled, above, column):
        """The least offset neither in U, which is [0,filled) and `above`, nor in this column."""
        offset = filled
        while offset in above or self.blocks(offset, column):
            offset += 1
        return offset

    def blocks(self, offset, column):
        """Whether a row has this offset in this column (C)."""
        return any(row.value(column) == offset for row in self.holders.get(offset, ()))

    def modulus(self, least, largest):
        """μ of fact 3: the least common multiple of the periods with a value in the window."""
        window = range(least, largest + 1)
        return math.lcm(*{len(row.values) for v in window for row in self.holders.get(v, ())})


def tails(rows, keyed):
    """Facts 3 and 12(e) for every periodic row, from the records alone."""
    below, settled = rows_below(rows), Settled([])
    for row in rows:
        if row.periodic:
            with naming(row):
                check_tail(row, Settled(chain(*below(row))) if keyed else settled)
        settled.add(row)


def check_tail(row, below):
    """Fact 3: from `from` on, the offsets are the stated values, and U recurs."""
    require(row.from_ >= below.column, f"the rows below settle at column {below.column}")
    period = len(row.values)
    filled, above = row.filled, set(row.above)
    least, largest = filled, 0
    for column in range(row.from_, row.recurs):
        steps = column - row.from_
        if steps == MOST_COLUMNS:
            raise Incomplete(f"more than {MOST_COLUMNS} columns")
        offset = below.least_free(filled, above, column)
        if offset != row.value(column):
            raise Refused(f"the offset of column {column} is {offset}")
        least, largest = min(least, filled), max(largest, offset)
        filled, above = next_state(filled, above | {offset})
        if steps + 1 == period:
            state_recurs = filled == row.filled and above == set(row.above)
            require(state_recurs, "U does not recur")
            check_return(row, below.modulus(least, largest))


def next_state(filled, above):
    """U one column later: all offsets are one less (OneLess of fact 2)."""
    above = {offset - 1 for offset in above}
    filled = max(filled - 1, 0)
    while filled in above:
        filled += 1
    return filled, {offset for offset in above if offset > filled}


def check_return(row, modulus):
    """Fact 7: one period has the whole window, and `recurs` is lcm(period, μ) columns away."""
    require(modulus == row.modulus, f"the modulus is {modulus}")
    recurs = row.from_ + math.lcm(len(row.values), modulus)
    require(row.recurs == recurs, f"U recurs at column {recurs}")


# Heads


def heads(rows, keyed):
    """Facts 1 and 12(b), (c) for these rows: every head from the rows of the game. With *tails*
    this proves every record (fact 9).
    """
    named, diagonal, below = rows_below(rows), {0}, []
    for row in rows:
        with naming(row):
            if keyed:
                same_level, lower_levels = named(row)
                check_empty(row, same_level)
                diagonal = {0} | {c.first for c in same_level[: row.row] if not c.empty}
                below = [c for c in same_level + lower_levels if not c.empty]
            if not row.empty:
                check_head(row, diagonal, below)
        if not keyed:
            diagonal.add(row.first)
            below = [c for c in below if c.periodic or c.end > row.row] + [row]


def check_empty(row, same_level):
    """Fact 12(b): a row is empty by x if and only if row min(t,x) ends in its first column."""
    diagonal_rows = list(enumerate(same_level[: row.row]))[1:]
    ending = [x for x, other in diagonal_rows if not other.empty and other.first == x]
    require((ending[:1] == [row.by]) if row.empty else not ending, f"empty by {ending}")


def check_head(row, diagonal, below):
    """Fact 1 or 12(c), column by column up to `from` or `last`. Every stated number is compared;
    *tails* compute column `from` and what follows.
    """
    last = last_column(row)
    past, offsets = set(), []
    for column in range(row.row, row.from_ if row.periodic else row.end):
        taken, p = taken_in_column(column, below), column
        while p in diagonal or p in past or p in taken:
            p += 1
        past.add(p)
        offsets.append(p - column)
    state = {p - last for p in diagonal | past if p >= last}
    compare(row, offsets, state)


def last_column(row):
    """The last column of a row that *heads* looks at."""
    last = row.from_ if row.periodic else row.last
    require_reach(last)
    return last


def require_reach(column):
    """Ends the check if a head is too long for this checker."""
    if column > LAST_COLUMN:
        raise Incomplete(f"its head goes to column {column}, this checker to {LAST_COLUMN}")


def compare(row, offsets, state):
    """The record states these offsets of its first columns, and this U(from)."""
    head, values = offsets[: row.end - row.row], offsets[row.end - row.row :]
    if row.periodic:
        require(state == {*range(row.filled), *row.above}, "U(from) is another set")
    stated = [row.value(column) for column in range(row.end, row.end + len(values))]
    require(values == stated, "the values are others")
    if row.head is None:
        require(row.fingerprint == fingerprint(row.row, head), "head is another one")
    else:
        require(row.head == head, "head is another one")
    check_offsets(row, head)
    row.head = head


def taken_in_column(column, below):
    """The p that (C) and (L) block: those of the rows below that have not ended."""
    return {
        column + (row.head[column - row.row] if column < row.end else row.value(column))
        for row in below
        if row.periodic or column < row.end
    }


def fingerprint(first, offsets):
    """The sum of the offsets of columns `first` on, with the weights of docs/FORMAT.md."""
    return sum(offset * weight(q) for q, offset in enumerate(offsets, first)) % 2**64


def weight(q):
    """splitmix64(q) | 1"""
    z = (q + 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31 | 1


# Verdicts


def checks_of(folder):
    """The three checks of a data set: those of its format."""
    if not read(folder, "MANIFEST.ron").startswith("(\n    format: 3,\n"):
        return structure, tails, heads
    import check_families

    return check_families.structure, check_families.tails, check_families.heads


def verdict(folder, heads_to):
    """The line to print for a folder."""
    verified, depth = [], "structure"
    try:
        structure, tails, heads = checks_of(folder)
        rows, contents = structure(folder)
        depth = "tails"
        tails(rows, contents)
        verified.append(f"tails of rows 0 to {len(rows) - 1}")
        depth, rows = "heads", rows[: heads_to + 1]
        heads(rows, contents)
        if rows:
            verified.insert(0, f"heads of rows 0 to {len(rows) - 1}")
        return f"verified {', '.join(verified)}"
    except Stop as stop:
        kind = "refused" if isinstance(stop, Refused) else "incomplete"
        return f"{kind} {depth}: {stop}; verified {', '.join(verified) or 'nothing'}"


def main():
    """Checks the folders that the command line names."""
    sys.set_int_max_str_digits(0)
    parser = argparse.ArgumentParser(description="Checks data sets, by docs/FORMAT.md alone.")
    parser.add_argument("folders", metavar="DIR", nargs="+")
    parser.add_argument("--heads-to", metavar="N", type=int, default=-1, help="heads to row N, too")
    arguments = parser.parse_args()
    heads_to = arguments.heads_to
    verdicts = [verdict(folder, heads_to) for folder in arguments.folders]
    print(*verdicts, sep="\n")
    kinds = {line.split()[0] for line in verdicts}
    sys.exit(1 if "refused" in kinds else 4 if "incomplete" in kinds else 0)


if __name__ == "__main__":
    main()
