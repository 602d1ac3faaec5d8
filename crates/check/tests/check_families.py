"""A second checker of data sets of format 3: posets that grow along two chains.

It was written from docs/FORMAT.md and fact 13 of proofs/families.md, and shares no code with the
first. Names are those of fact 13. A set of elements of A is an integer: element a is bit a. Columns
are numbers n. check.py calls it for data sets of this format, and prints the verdicts; "rows 0 to N"
are the first N + 1 records.
"""

import math
import re
from functools import lru_cache
from itertools import count

import check
from check import numbers
from check_files import CONTENTS, SEGMENT, Incomplete, N, blake3, naming, read, require, segments

HIGHEST = 10000  # element of a chain in a description
NAME = r"(?:(?![<#\[\],\"\\])[!-~]){1,40}"
STRING = rf'"{NAME}"'
HEIGHT = r"[cd]\[\d+\]"
ELEMENT = rf"(?:{HEIGHT}|{NAME})"
RULE = r"c\[i\] < d\[i((?:[+-]\d+)?)\]"
LINE = rf'"(?:{NAME}|{ELEMENT} < {ELEMENT}|{RULE})"'
POSET = rf"    to_level: (?P<to_level>{N}),\n    poset: \[(?P<poset>(?:{LINE}(?:, {LINE})*)?)\],\n"
MANIFEST = rf"\(\n    format: 3,\n{POSET}{CONTENTS}"

PAIR = rf"\({N}, {N}\)"
KEY = (
    rf"(?P<key>ideal: \[(?:{STRING}(?:, {STRING})*)?\], begins: {N}, column: {N}, shift: -?{N})"
    rf"(?:, early: \[(?P<early>{PAIR}(?:, {PAIR})*)\])?(?:, level: (?P<level>[1-9]\d*))?"
)
RECORDS = check.record_patterns(KEY)


# The poset


def elements(these):
    """The elements of a set, in ascending order."""
    while these:
        least = these & -these
        yield least.bit_length() - 1
        these ^= least


class Poset:
    """The order that the lines of a description generate.

    `up[a]`, `down[a]`: the elements of A above or below a, and a itself.
    `C[a]`, `D[a]`, `C1[a]`, `D1[a]`: C(a), D(a), C'(a), D'(a); infinite is math.inf.
    `all`: the set A, without the poison. `c0`: 1 if c[1] is the poison.
    `k`: that of the rule c[i] < d[i+k], or None.
    `steps`: pairs (i, j) with c[i] < d[j] that the rule does not imply.
    """

    def __init__(self, lines):
        self.names, self.k = [], None
        relations = [pair for line in lines for pair in self.relations_of(line)]
        heights = self.heights({part for pair in relations for part in pair})
        parts = [*range(len(self.names)), *heights]
        self.read_order(heights, order(parts, relations + self.implied(heights)))
        self.take_poison_out()

    def relations_of(self, line):
        """The relations of a line, one or none. The rule of the chains becomes k."""
        rule = re.fullmatch(RULE, line, re.ASCII)
        if rule:
            require(self.k is None, "the rule of the chains is given twice")
            self.k = int(rule[1] or 0)
            require(abs(self.k) <= HIGHEST, "the rule is out of range")
            return []
        parts = [self.element(part) for part in line.split(" < ")]
        return [tuple(parts)] if len(parts) == 2 else []

    def element(self, text):
        """A pair of chain and height, or the number of an element of A, which may be new."""
        if re.fullmatch(HEIGHT, text, re.ASCII):
            height = int(text[2:-1])
            require(0 < height <= HIGHEST, f"{text} is no element of a chain")
            return text[0], height
        if text not in self.names:
            self.names.append(text)
        return self.names.index(text)

    def heights(self, named):
        """The elements of the chains that decide the order: c[1], d[1], those that the relations
        name, and the least above and the greatest below each of these by the rule.
        """
        found = {("c", 1), ("d", 1), *(part for part in named if isinstance(part, tuple))}
        if self.k is not None:
            above = {("d", self.rule(i)) for chain, i in found if chain == "c"}
            below = {("c", j - self.k) for chain, j in found if chain == "d" and j > self.k}
            found |= above | below
        return sorted(found)

    def implied(self, heights):
        """The relations among these elements of the chains: neighbours, and the rule."""
        pairs = [(low, high) for low, high in zip(heights, heights[1:]) if low[0] == high[0]]
        if self.k is not None:
            with_rule = [(low, ("d", self.rule(low[1]))) for low in heights if low[0] == "c"]
            decisive = set(heights)
            pairs += [(low, high) for low, high in with_rule if high in decisive]
        return pairs

    def rule(self, i):
        """The j of the rule for c[i]."""
        return math.inf if self.k is None else max(1, i + self.k)

    def read_order(self, heights, below):
        """What fact 13 derives from the order. The order satisfies (B)."""
        a_ = range(len(self.names))
        c, d = ([part for part in heights if part[0] == chain] for chain in "cd")
        self.C, self.C1 = limits(a_, c, below)
        self.D, self.D1 = limits(a_, d, below)
        crossed = any(below(low, high) for low in d for high in c)
        require(not crossed, "an element of d is below one of c")
        self.up = [sum(1 << b for b in a_ if a == b or below(a, b)) for a in a_]
        self.down = [sum(1 << b for b in a_ if self.up[b] >> a & 1) for a in a_]
        pairs = [(low[1], high[1]) for low in c for high in d if below(low, high)]
        self.steps = [(i, j) for i, j in pairs if j < self.rule(i)]
        self.F = lru_cache(maxsize=None)(self.first_above)

    def first_above(self, i):
        """F(i): the least j with c[i] < d[j]."""
        return min([self.rule(i)] + [j for start, j in self.steps if i <= start])

    def take_poison_out(self):
        """The least element is not taken. If it is in A, it is left out."""
        size = len(self.names)
        self.all = (1 << size) - 1
        self.c0 = int(self.F(1) == 1 and all(self.C))
        for a in range(size):
            if self.C1[a] == self.D1[a] == 1 and self.up[a] == self.all:
                self.all ^= 1 << a
                return

    def exceptions(self):
        """The i with finite F(i), F(i) != max(1, i + k), as far as s0 and the least p need them:
        the last one of each value of F.
        """
        return sorted({i for i, _ in self.steps})


def order(parts, pairs):
    """The order that these pairs generate, by Warshall's algorithm, as a function of two parts. No
    part is below itself.
    """
    place, above = {part: place for place, part in enumerate(parts)}, [0] * len(parts)
    for low, high in pairs:
        above[place[low]] |= 1 << place[high]
    for middle in range(len(parts)):
        for low in range(len(parts)):
            if above[low] >> middle & 1:
                above[low] |= above[middle]
    circle = any(above[low] >> low & 1 for low in range(len(parts)))
    require(not circle, "an element is below itself")
    return lambda low, high: above[place[low]] >> place[high] & 1 == 1


def limits(a_, chain, below):
    """C and C' of fact 13 for each element of A, or D and D'."""
    lower = [max((part[1] for part in chain if below(part, a)), default=0) for a in a_]
    upper = [min((part[1] for part in chain if below(a, part)), default=math.inf) for a in a_]
    return lower, upper


# Ideals


class Ideal:
    """An order ideal I of A, with C(I), D(I), C'(I), D'(I)."""

    def __init__(self, poset, members):
        self.members, self.size = members, bin(members).count("1")
        inside, outside = list(elements(members)), list(elements(poset.all & ~members))
        self.C = max((poset.C[a] for a in inside), default=0)
        self.D = max((poset.D[a] for a in inside), default=0)
        self.C1 = min((poset.C1[a] for a in outside), default=math.inf)
        self.D1 = min((poset.D1[a] for a in outside), default=math.inf)
        self.inside = inside
        self.maximal = [a for a in inside if poset.up[a] & members == 1 << a]


class Family:
    """The rows of a poset to a level. After *structure* `rows` has them by ideal and level."""

    def __init__(self, lines, to_level):
        self.poset, self.to_level, self.rows = Poset(lines), to_level, {}
        self.ideal = lru_cache(maxsize=None)(lambda members: Ideal(self.poset, members))
        self.up_to_c = lru_cache(maxsize=None)(lambda x: self.with_bound(self.poset.C, x))
        self.up_to_d = lru_cache(maxsize=None)(lambda y: self.with_bound(self.poset.D, y))
        self.shift = self.poset.k
        if self.shift is None:
            whole = self.ideal(self.poset.all)
            self.shift = whole.D + to_level + whole.size + 1  # S of (d)

    def with_bound(self, bounds, most):
        """The a in A with C(a) or D(a) of at most this."""
        return sum(1 << a for a in elements(self.poset.all) if bounds[a] <= most)

    def ideals(self, most):
        """All ideals, in the order of the data set; refuses more than `most`."""
        layer, found = {0}, 0
        while layer:
            found += len(layer)
            require(found <= most, "fewer rows than there are")
            yield from sorted(layer, key=lambda members: list(elements(members)))
            layer = {larger for members in layer for larger in self.with_one_more(members)}

    def with_one_more(self, members):
        """The ideals with one more element."""
        for a in elements(self.poset.all & ~members):
            if self.poset.down[a] & self.poset.all & ~members == 1 << a:
                yield members | 1 << a

    def without(self, ideal, a):
        """I - a."""
        return self.ideal(ideal.members & ~self.poset.up[a])

    def to_c(self, ideal, x):
        """I|c<=x"""
        return self.ideal(ideal.members & self.up_to_c(x))

    def to_d(self, ideal, y):
        """I|d<=y"""
        return self.ideal(ideal.members & self.up_to_d(y))

    def past(self, ideal, level, x):
        """(c): no column from this one on has a position of the row with this p."""
        column = self.poset.F(x + 1)
        return column if column < math.inf else ideal.D + level + x + ideal.size + 1

    def first_regular(self, ideal, level):
        """s0 of (c)."""
        poset, c_bounds = self.poset, {ideal.C1, *(self.poset.C1[a] for a in ideal.inside)}
        columns = [ideal.D, ideal.D1, *(poset.D1[a] for a in ideal.inside)]
        columns += [poset.F(i) for i in poset.exceptions()]
        columns += [self.past(ideal, level, c - 1) for c in c_bounds if c < math.inf]
        for x in range(poset.c0, ideal.C):
            columns.append(self.past(self.to_c(ideal, x), level, x))
        if poset.k is not None and poset.k < 0:
            columns.append(1)
        return max(column for column in columns if column < math.inf)

    def key(self, ideal, column):
        """The key of a row with this s0, as its record must state it. The level follows."""
        names = ", ".join(f'"{self.poset.names[a]}"' for a in ideal.maximal)
        return f"ideal: [{names}], begins: {ideal.D}, column: {column}, shift: {self.shift}"


# Structure


class Row(check.Row):
    """A record. `row` is its first regular column. `p_of` has the p of each column that *heads*
    have computed.
    """

    def __init__(self, line, place, family, ideal, level):
        field = self.read(line, place, RECORDS)
        self.family, self.ideal = family, ideal
        self.row, self.most_offset = family.first_regular(ideal, level), check.LIMIT - 1
        key = family.key(ideal, self.row)
        require((field["key"], self.level) == (key, level), "another row")
        pairs = numbers(field["early"] or "")
        self.early = list(zip(pairs[::2], pairs[1::2]))
        self.p_of = {}

    def __str__(self):
        names = ", ".join(self.family.poset.names[a] for a in self.ideal.maximal)
        name = f"row [{names}]" + (f" of level {self.level}" if self.level else "")
        return f"{name}, line {self.place % SEGMENT + 2}"

    def position(self, column):
        """f_g(n; I) in a column that *heads* have passed, or None."""
        if not self.empty and self.periodic and column >= self.from_:
            return column + self.value(column) - self.family.shift
        return self.p_of.get(column)


def check_numbers(row, head_form):
    """The numbers of a record agree with each other."""
    columns = [column for column, _ in row.early]
    ascend = all(one < next_one for one, next_one in zip(columns, columns[1:]))
    within = not columns or row.ideal.D <= columns[0] <= columns[-1] < row.row
    require(ascend and within, "the columns of early")
    require(all(p < check.LIMIT for _, p in row.early), "a p of early is out of range")
    distinct = {p for _, p in row.early}
    require(len(distinct) == len(row.early), "two columns of early have the same p")
    if row.empty:
        require(row.by < 1 << 64, "by is out of range")
    else:
        check.check_statement(row, head_form)


def structure(folder):
    """The rows of a data set, and their family. Files are whole and in order."""
    text = read(folder, "MANIFEST.ron")
    if re.match(r"\(\n    format: [12],\n", text):
        raise Incomplete("check.py reads formats 1 and 2")
    match = re.fullmatch(MANIFEST, text, re.ASCII)
    require(match and match["head"] != "Fingerprint", "no manifest")
    to_level, head_form = int(match["to_level"]), match["head"]
    lines = [line[1:-1] for line in re.findall(r'"[^"]*"', match["poset"])]
    with naming("poset"):
        family = Family(lines, to_level)
    most = int(match["rows"]) // (to_level + 1)
    levels = range(to_level + 1)
    keys = ((ideal, level) for ideal in map(family.ideal, family.ideals(most)) for level in levels)

    def read_line(line, place):
        key = next(keys, None)
        require(key is not None, "more rows than there are")
        row = Row(line, place, family, *key)
        check_numbers(row, head_form)
        family.rows[row.ideal.members, row.level] = row
        return row

    hash_ = blake3("\n".join(lines).encode())
    header = f'format: 3, to_level: {to_level}, poset: "{hash_}"'
    rows = segments(folder, match.groupdict(), header, read_line)
    require(next(keys, None) is None, "fewer rows than there are")
    return rows, family


# Tails


def rows_below(row):
    """The rows of (C) whose columns grow with n, and those of (L)."""
    family, ideal = row.family, row.ideal
    growing = [a for a in ideal.inside if family.poset.D1[a] == math.inf]
    found = [family.rows[family.without(ideal, a).members, row.level] for a in growing]
    return found + [family.rows[ideal.members, level] for level in range(row.level)]


def tails(rows, _family):
    """Facts 3 and 13 (e) for every periodic row, from the records alone."""
    for row in rows:
        if row.periodic:
            with naming(row):
                check.check_tail(row, check.Settled(rows_below(row)))


# Heads


def heads(rows, family):
    """Fact 13 (b) and (c) for these rows: every position from the rows of the game."""
    for row in rows:
        with naming(row):
            check.require_reach(row.row)
            Head(row, family).check()


class Head:
    """The computation of one row. `past` has the p of (D) and (R), that is, of bites of kind 2."""

    def __init__(self, row, family):
        self.row, self.family, self.poset = row, family, family.poset
        self.ideal, self.level = row.ideal, row.level
        self.past = {self.value(family.to_d(self.ideal, y), y) for y in range(self.ideal.D)}

    def value(self, ideal, column):
        """f_g(n; I') of the same level g."""
        return self.family.rows[ideal.members, self.level].position(column)

    def check(self):
        """Compares everything that the record states."""
        self.check_early()
        column, ended = self.row.row, self.row.row >= self.ideal.D1
        ceiling = math.inf if ended else self.ceiling(column)
        is_empty = ended or ceiling < math.inf
        require(self.row.empty == is_empty, "it is empty" if is_empty else "it is not empty")
        if is_empty:
            by = 0 if ended else ceiling
            require(self.row.by == by, f"it is empty by {by}")
        else:
            self.check_regular()

    def check_early(self):
        """The columns before the regular ones."""
        stated = dict(self.row.early)
        for column in range(self.ideal.D, self.row.row):
            p = self.irregular(column)
            require(stated.get(column) == p, f"early: the p of column {column} is {p}")
            self.set(column, p)

    def set(self, column, p):
        """This position, or none, is the one of the column."""
        if p is not None:
            self.row.p_of[column] = p
            self.past.add(p)

    def irregular(self, column):
        """f_g(n; I) by (b), or None."""
        if column >= self.ideal.D1:
            return None
        ceiling = self.ceiling(column)
        blocked = self.past | {w for _, w in self.bites_in_a(column)}
        blocked |= self.lower_levels(column)
        for p in count(max(self.ideal.C, self.poset.c0)):
            if p >= ceiling:
                return None
            if column < self.poset.F(p + 1) and p not in blocked:
                return p

    def ceiling(self, column):
        """The ceiling of a column, or infinite. As F does not descend, the x of kind 1 are the least
        ones.
        """
        found = [self.ideal.C1]
        for x in count(self.poset.c0):
            first_above = self.poset.F(x + 1)
            if x >= self.ideal.C and first_above > column:
                break
            w = self.value(self.family.to_c(self.ideal, x), min(column, first_above - 1))
            if w == x:
                found.append(x)
        found += [w for a, w in self.bites_in_a(column) if w == self.poset.C1[a] - 1]
        return min(found)

    def bites_in_a(self, column):
        """Each a in I with the w of the bite of kind 3 at a."""
        for a in self.ideal.inside:
            lands = min(column, self.poset.D1[a] - 1)
            yield a, self.value(self.family.without(self.ideal, a), lands)

    def lower_levels(self, column):
        """(L)"""
        rows, members = self.family.rows, self.ideal.members
        return {rows[members, level].position(column) for level in range(self.level)}

    def check_regular(self):
        """The columns from s0 to `from` or `last`: offsets as in fact 12, but with p + shift."""
        row, shift = self.row, self.family.shift
        last = check.last_column(row)
        least = max([self.ideal.C, self.poset.c0, *self.poset.exceptions()])
        fixed = {w for a, w in self.bites_in_a(row.row) if self.poset.D1[a] < math.inf}
        below, offsets = rows_below(row), []
        for column in range(row.row, row.from_ if row.periodic else row.end):
            taken = {other.position(column) for other in below}
            p = max(least, column - shift)
            while p in self.past or p in fixed or p in taken:
                p += 1
            self.set(column, p)
            offsets.append(p + shift - column)
        blocked = {p + shift - last for p in self.past | fixed if p is not None}
        state = {offset for offset in blocked if offset >= 0} | {*range(least + shift - last)}
        check.compare(row, offsets, state)
