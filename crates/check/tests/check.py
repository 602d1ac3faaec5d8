#!/usr/bin/env python3
"""A second checker of data sets, written from docs/FORMAT.md. It shares no code with the first.
usage: check.py [--heads-to N] DIR...    (--heads-to: every head of rows 0 to N, too)

Prints a line a folder: `verified heads of rows 0 to 300, tails of rows 0 to 10000`, `refused DEPTH: why; ...`, or, if
it cannot decide, `incomplete DEPTH: why; verified ...`. Exit code 0 if all are verified, 1 if one is refused, else 4.
Both formats are read. In format 2, rows by level and tail, "rows 0 to N" are the first N + 1 records.
"""
import importlib.util, math, re, shutil, subprocess, sys
from itertools import count
zstandard = importlib.import_module("zstandard") if importlib.util.find_spec("zstandard") else None
MOST_COLUMNS, LAST_COLUMN, LIMIT = 20000, 20000, 1 << 63  # of a certificate; of a head; of a number

class Stop(Exception): "Refused or incomplete, and why."
def fail(why, kind="refused"):
    raise Stop(kind, why)
def blake3(data):  # 64 hexadecimal digits
    iv = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
    turn, full = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8), 0xFFFFFFFF
    lanes = [(i, 4 + (i + k) % 4, 8 + (i + 2 * k) % 4, 12 + (i + 3 * k) % 4) for k in (0, 1) for i in range(4)]
    def compress(chain, block, counter, length, flags):
        v = [*chain, *iv[:4], counter & full, counter >> 32, length, flags]
        for _ in range(7):
            for i, (a, b, c, d) in enumerate(lanes):
                for word, r1, r2 in ((block[2 * i], 16, 12), (block[2 * i + 1], 8, 7)):
                    v[a], x = v[a] + v[b] + word & full, v[d] ^ (v[a] + v[b] + word & full)
                    v[d] = (x >> r1 | x << 32 - r1) & full
                    v[c], x = v[c] + v[d] & full, v[b] ^ (v[c] + v[d] & full)
                    v[b] = (x >> r2 | x << 32 - r2) & full
            block = [block[k] for k in turn]
        return [v[i] ^ v[i + 8] for i in range(8)]
    def tree(data, counter, last):
        if len(data) <= 1024:
            chain, ends = iv, max(len(data) - 1, 0) // 64 * 64
            for i in range(0, ends + 1, 64):
                words = [int.from_bytes(data[j:j + 4], "little") for j in range(i, i + 64, 4)]
                flags = (1 if i == 0 else 0) | (2 | last if i == ends else 0)  # chunk start, chunk end
                chain = compress(chain, words, counter, len(data[i:i + 64]), flags)
            return chain
        left = 1024 << (-(-len(data) // 1024) - 1).bit_length() - 1
        below = tree(data[:left], counter, 0) + tree(data[left:], counter + left // 1024, 0)
        return compress(iv, below, 0, 64, 4 | last)  # parent
    return b"".join(word.to_bytes(4, "little") for word in tree(data, 0, 8)).hex()  # 8: root

numbers = lambda text: [int(word) for word in text.split(", ")] if text else []
N, N19, HEX = r"(0|[1-9]\d*)", r"(0|[1-9]\d{0,18})", r"([0-9a-f]{64})"
LIST = r"\[((?:(?:0|[1-9]\d*)(?:, (?!\])|(?=\])))*)\]"
HEAD = rf'(?:"([0-9a-f]{{16}})"|{LIST})'
KEY = rf"(?:row: {N}|tail: \[({N}(?:, {N})+)\])(?:, level: ([1-9]\d*))?"
EMPTY = re.compile(rf"Empty\({KEY}, by: {N}\)", re.A)
RECORD = re.compile(rf"(?:Finite|(Periodic))\({KEY}, first: {N}, (?(1)start: {N}, values: {LIST}, certificate: "
                    rf'\(from: {N}, recurs: {N}, modulus: "{N19}", filled: {N}, above: {LIST}\)|last: {N}), '
                    rf"head: {HEAD}\)", re.A)

def contained(within, most=LIMIT):  # all tails within this one, as words are ordered
    yield ()
    for part in range(1, min(within[0], most) + 1 if within else 0):
        yield from ((part, *rest) for rest in contained(within[1:], part))
def bites(tail):  # what bites leave of a tail: row i cut to z squares, and the rows after it
    return [tuple(p for p in (*tail[:i], *(min(p, z) for p in tail[i:])) if p) for i, r in enumerate(tail) for z in range(r)]

class Row:
    """A record; `fail` unless its numbers hang together (the faults of docs/FORMAT.md)."""
    def __init__(self, line, form, place, key, fail):
        empty = EMPTY.fullmatch(line)
        (self.periodic, row, tail, _, _, level, first, start, values, *certificate, above, last, sum_, offsets
         ) = (None, *empty.groups(), *[None] * 11)[:19] if empty else (RECORD.fullmatch(line) or fail("no record")).groups()
        self.place, self.level, self.tail = place, int(level or 0), tuple(numbers(tail)) if tail else (int(row),) * (row != "0")
        (self.level, self.tail) == key or fail("another row")
        self.by, most = empty and int(empty[6]), sum(self.tail) + self.level + 1
        if empty:
            self.row, self.start, self.end = self.tail[0] if self.tail else 0, 0, 0
            0 < self.by < self.row or fail("by is out of range")
            return
        self.start = self.end = int(start or last) + (not self.periodic)
        if self.periodic:
            self.values, self.above = numbers(values), numbers(above)
            self.from_, self.recurs, self.modulus, self.filled = map(int, certificate)
        self.row, self.first, self.sum = sum(self.tail[:1]), int(first), sum_ and int(sum_, 16)
        (sum_ is not None) == (form == "Fingerprint") or fail("a head of the other form")
        head = self.head = numbers(offsets) if sum_ is None else None
        last = self.end - (not self.periodic)
        self.row <= min(self.first, last) and max(self.first, last) < LIMIT or fail("a column out of range")
        self.first - self.row <= most or fail("first is out of range")
        (self.first == self.row) == (not self.periodic and last == self.row) or fail("offset 0 not just at the end")
        if self.periodic:
            v, k, distance, state = self.values, len(self.values), self.recurs - self.from_, [self.filled] + self.above
            v and all(0 < b <= most for b in v) or fail("values are out of range")
            any(k % j == 0 and v == v[:j] * (k // j) for j in range(1, k)) and fail("the period is not the least")
            len({(i + b) % k for i, b in enumerate(v)}) == k or fail("no juggling sequence")
            self.start <= self.from_ < self.recurs < LIMIT or fail("from and recurs")
            self.modulus and distance % k == 0 == distance % self.modulus or fail("the distance is no multiple")
            all(a < b for a, b in zip(state, self.above)) and max(state) <= most or fail("the state")
        if head is not None:
            len(head) == self.end - self.row or fail("head has another length")
            all(b <= most for b in head) or fail("an offset is out of range")
            len({i + b for i, b in enumerate(head)}) == len(head) or fail("two columns have the same p")
            self.first - self.row == (head or self.values)[0] or fail("first is not the first offset")
            [i for i, b in enumerate(head, 1) if b == 0] == [len(head)] * (not self.periodic) or fail("offset 0 within")
            self.periodic and head and head[-1] == self.values[-1] and fail("start is not least")
        elif self.periodic and self.start == self.row:
            self.sum == 0 and self.first - self.row == self.values[0] or fail("no column, so sum 0 and first = values[0]")
    def fail(self, why, kind="refused"):
        name = f"row {self.row}" if len(self.tail) < 2 else f"tail ({','.join(map(str, self.tail))})"
        name += f" of level {self.level}" * (self.level > 0)
        fail(f"{name}, line {self.place % 10000 + 2}: {why}", kind)
    def value(self, q): return self.values[(q - self.start) % len(self.values)]

def unpack(path, data):  # a file that is one Zstandard frame, which may say how long its text is
    kind, last = data[4] if data[:4] == b"\x28\xb5\x2f\xfd" and len(data) > 9 else fail("no Zstandard frame"), False
    length, place = (kind >> 5 & 1, 2, 4, 8)[kind >> 6], 5 + (not kind & 32) + (0, 1, 2, 4)[kind & 3]
    size, place = int.from_bytes(data[place:place + length], "little") + 256 * (length == 2), place + length
    (most := size if length else 256 * len(data)) <= 256 * len(data) or fail("its text is over 256 times as long")
    while not last and place < len(data):
        block = int.from_bytes(data[place:place + 3], "little")
        last, place = block & 1, place + 3 + (1 if block >> 1 & 3 == 1 else block >> 3)
    last and place + 4 * (kind >> 2 & 1) == len(data) or fail("not one whole frame")
    if zstandard:
        return zstandard.ZstdDecompressor().stream_reader(data).read(most)
    shutil.which("zstd") or fail("to read it takes the module zstandard or the program zstd", "incomplete")
    with subprocess.Popen(["zstd", "-dcq", "--", path], stdout=-1, stderr=subprocess.DEVNULL) as program:
        text = program.stdout.read(most)  # and no more, whatever is in the frame
    return text if program.returncode == 0 else fail("a damaged frame")

def structure(folder):  # the rows, if the files are whole, canonical and in order
    def read(name, zstd):
        try:
            data = open(f"{folder}/{name}", "rb").read()
            return (unpack(f"{folder}/{name}", data) if zstd else data).decode()
        except (OSError, UnicodeDecodeError, zstandard.ZstdError if zstandard else OSError) as error:
            fail(f"{name}: {error}")
    entry = rf'        \(first: {N}, last: {N}, blake3: "{HEX}"(, zstd: true)?\),\n'
    family = rf"    to_level: {N},\n    within: {LIST},\n"
    shape = rf"\(\n    format: (?:1|(2)),\n(?(1){family})    rows: {N},\n    head: ((?(1)Splitmix64|Fingerprint)|Offsets),\n" \
            rf"    segments: \[\n((?:{entry})+)    \],\n\)\n"
    found = re.fullmatch(shape, read("MANIFEST.ron", ""), re.A) or fail("no manifest")
    keyed, to_level, within, all_rows, head_form, entries = found[1], found[2], found[3], int(found[4]), found[5], found[6]
    form, rows, previous = "Fingerprint" if head_form == "Splitmix64" else head_form, [], ""
    of, keys = "format: 1", ((0, (r,) * (r > 0)) for r in count())
    if keyed:
        parts = tuple(numbers(within))
        0 not in parts and all(a >= b for a, b in zip(parts, parts[1:])) or fail("within is no tail")
        of, keys = f"format: 2, to_level: {to_level}, within: [{within}]", (
            (g, t) for t in contained(parts) for g in range(int(to_level) + 1))
    for *ends, hash_, zstd in re.findall(entry, entries, re.A):
        first, last = map(int, ends)
        first == len(rows) <= last == min(first + 9999, all_rows - 1) or fail("segments do not follow")
        text = read(f"rows-{first:07}-{last:07}.ron" + ".zst" * bool(zstd), zstd)
        *lines, end, rest = text.split("\n") if "\n" in text else fail("cut short")
        blake3("\n".join([*lines, ""]).encode()) == hash_ or fail("the hash is another one")
        end == f'End(rows: {last - first + 1}, blake3: "{hash_}")' and rest == "" or fail("no End")
        head = f'Segment({of}, first: {first}, last: {last}, head: {head_form}, previous: "{previous}")'
        lines and lines[0] == head and len(lines) == last - first + 2 or fail("header or number of lines")
        for place, line in enumerate(lines[1:], first):
            key = next(keys, None) or fail("more rows than there are")
            rows.append(Row(line, form, place, key, lambda why: fail(f"record {place}, line {place - first + 2}: {why}")))
            rows[-1].keyed = keyed
        previous = hash_
    not keyed or next(keys, None) is None or fail("fewer rows than there are")
    return rows if all_rows == len(rows) else fail("segments do not follow")

def lookup(rows):  # for each row of format 2 those that (C) and (H) name, in two lists
    by_key = {(r.level, r.tail): r for r in rows}
    return lambda r: ([by_key[r.level, t] for t in bites(r.tail)], [by_key[h, r.tail] for h in range(r.level)])

def tails(rows):
    """Fact 3 for every periodic row, from the records alone."""
    below = lookup(rows)
    def hold(c):
        for v in set(c.values) if c.periodic else ():
            holders.setdefault(v, []).append(c)
    holders, settled = {}, 0  # the rows that have a value; s
    for r in rows:
        if r.keyed and r.periodic:
            holders, others = {}, [c for part in below(r) for c in part]
            settled = max((c.end for c in others), default=0)
            for c in others:
                hold(c)
        if r.periodic:
            r.from_ >= settled or r.fail(f"the rows below settle at column {settled}")
            k, filled, above, least, largest = len(r.values), r.filled, {*r.above}, LIMIT, 0
            for steps, q in enumerate(range(r.from_, r.recurs), 1):
                steps <= MOST_COLUMNS or r.fail(f"more than {MOST_COLUMNS} columns", "incomplete")
                b = next(b for b in count(filled) if b not in above and all(c.value(q) != b for c in holders.get(b, ())))
                b == r.value(q) or r.fail(f"the offset of column {q} is {b}")
                least, largest = min(least, filled), max(largest, b)
                above = {u - 1 for u in above | {b}}
                filled = next(u for u in count(max(filled - 1, 0)) if u not in above)
                above = {u for u in above if u > filled}
                if steps == k:  # the window is whole, by fact 7
                    (filled, above) == (r.filled, {*r.above}) or r.fail("U does not recur")
                    m = math.lcm(*{len(c.values) for v in range(least, largest + 1) for c in holders.get(v, ())})
                    m == r.modulus or r.fail(f"the modulus is {m}")
                    r.recurs - r.from_ == math.lcm(k, m) or r.fail(f"U recurs at column {r.from_ + math.lcm(k, m)}")
        if not r.keyed:
            hold(r)
            settled = max(settled, r.end)

def weight(q):  # splitmix64(q) | 1
    z = q + 0x9E3779B97F4A7C15 & 2**64 - 1
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ z >> shift) * factor & 2**64 - 1
    return z ^ z >> 31 | 1

def heads(rows):
    """Facts 1 and 12 for these rows, row by row; offset(q) of the rows below is kept."""
    diagonal, below, named, head_of = {0}, [], lookup(rows), {}
    for r in rows:
        if r.keyed:
            shorter, lower = named(r)
            singles = [x for x, c in enumerate(shorter[:r.row]) if x and c.by is None and c.first == x]
            r.by == (singles[0] if singles else None) or r.fail(f"empty by {singles}")
            if r.by:
                continue
            diagonal = {0} | {c.first for c in shorter[:r.row] if c.by is None}
            below = [(c, head_of[c.place]) for c in shorter + lower if c.by is None]
        own, offsets, last = set(), [], r.from_ if r.periodic else r.end - 1
        last <= LAST_COLUMN or r.fail(f"its head goes to column {last}, this checker to {LAST_COLUMN}", "incomplete")
        for q in range(r.row, last + 1):
            column = {q + (c.value(q) if q >= c.end else h[q - c.row]) for c, h in below if c.periodic or q < c.end}
            if r.periodic and q == last:
                {p - q for p in diagonal | own if p >= q} == {*range(r.filled), *r.above} or r.fail("U(from) is another set")
            p = next(p for p in count(q) if p not in diagonal and p not in own and p not in column)
            own.add(p)
            offsets.append(p - q)
            (p == q) == (not r.periodic and q == last) or r.fail(f"offset {p - q} in column {q}")
            not r.periodic or q < r.start or p - q == r.value(q) or r.fail(f"offset {p - q} in column {q}")
        offsets[0] + r.row == r.first or r.fail("first is another one")
        head = offsets[:r.end - r.row]
        sum_ = sum(b * weight(q) for q, b in enumerate(head, r.row)) % 2**64
        r.sum in (None, sum_) and r.head in (None, head) or r.fail("head is another one")
        r.periodic and head and head[-1] == r.values[-1] and r.fail("start is not least")
        head_of[r.place] = head
        if not r.keyed:
            diagonal.add(r.first)
            below.append((r, head))

def verdict(folder, heads_to):
    depth, done = "structure", []
    try:
        rows = structure(folder)
        for depth, check, part in (("tails", tails, rows), ("heads", heads, rows[:heads_to + 1])):
            check(part)
            done = [f"{depth} of rows 0 to {len(part) - 1}"] * bool(part) + done
        return f"verified {', '.join(done)}"
    except Stop as stop:
        return f"{stop.args[0]} {depth}: {stop.args[1]}; verified {', '.join(done) or 'nothing'}"

if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    deep = sys.argv[1:2] == ["--heads-to"]
    verdicts = [verdict(folder, int(sys.argv[2]) if deep else -1) for folder in sys.argv[1 + 2 * deep:]]
    print(*verdicts, sep="\n")
    sys.exit(min({"verified": 5, "refused": 1, "incomplete": 4}[line.split()[0]] for line in verdicts) % 5)
