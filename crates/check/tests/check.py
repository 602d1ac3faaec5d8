#!/usr/bin/env python3
"""A second checker of data sets, written from docs/FORMAT.md. It shares no code with the first.

usage: check.py [--heads] DIR...    (--heads: every head of rows 0 to 300)

Prints a line a folder: `verified DEPTH`, or `refused DEPTH: why`. Exit code 0 if all are verified.
"""
import math, re, sys
LAST_HEAD, FARTHEST, LIMIT = 300, 20000, 1 << 63

class Refused(Exception):
    """The depth at which, and why."""
def blake3(data):
    """The hash, 64 hexadecimal digits."""
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
                block = data[i:i + 64].ljust(64, b"\0")
                words = [int.from_bytes(block[j:j + 4], "little") for j in range(0, 64, 4)]
                flags = (1 if i == 0 else 0) | (2 | last if i == ends else 0)  # chunk start, chunk end
                chain = compress(chain, words, counter, len(data[i:i + 64]), flags)
            return chain
        left = 1024 << (-(-len(data) // 1024) - 1).bit_length() - 1
        below = tree(data[:left], counter, 0) + tree(data[left:], counter + left // 1024, 0)
        return compress(iv, below, 0, 64, 4 | last)  # parent
    return b"".join(word.to_bytes(4, "little") for word in tree(data, 0, 8)).hex()  # 8: root

numbers = lambda text: [int(word) for word in text.split(", ")] if text else []
N, HEX = r"(0|[1-9]\d*)", r"([0-9a-f]{64})"
LIST = r"\[((?:(?:0|[1-9]\d*)(?:, (?!\])|(?=\])))*)\]"
HEAD = rf'(?:"([0-9a-f]{{16}})"|{LIST})'
FINITE = re.compile(rf"Finite\(row: {N}, first: {N}, last: {N}, head: {HEAD}\)", re.A)
PERIODIC = re.compile(rf"Periodic\(row: {N}, first: {N}, start: {N}, values: {LIST}, certificate: \(from: {N}, "
                      rf'recurs: {N}, modulus: "{N}", filled: {N}, above: {LIST}\), head: {HEAD}\)', re.A)

class Row:
    """A record; `fail` unless its numbers hang together (the faults of docs/FORMAT.md)."""
    def __init__(self, line, form, fail):
        found, self.periodic = FINITE.fullmatch(line), False
        if found:
            row, first, last, sum_, offsets = found.groups()
            self.end = int(last) + 1
        else:
            found, self.periodic = PERIODIC.fullmatch(line) or fail("no record"), True
            row, first, start, values, from_, recurs, modulus, filled, above, sum_, offsets = found.groups()
            self.start, self.end, self.values, self.above = int(start), int(start), numbers(values), numbers(above)
            self.from_, self.recurs, self.modulus, self.filled = map(int, (from_, recurs, modulus, filled))
        self.row, self.first, self.sum = int(row), int(first), sum_ and int(sum_, 16)
        (sum_ is not None) == (form == "Fingerprint") or fail("a head of the other form")
        self.head, last = numbers(offsets) if sum_ is None else None, self.end - (not self.periodic)
        self.row <= min(self.first, last) and max(self.first, last) < LIMIT or fail("a column out of range")
        self.first - self.row <= self.row + 1 or fail("first is out of range")
        (self.first == self.row) == (not self.periodic and last == self.row) or fail("offset 0 not just at the end")
        self.periodic and self.check_periodic(fail)
        if self.head is not None:
            head, whole = self.head, self.head + (self.values if self.periodic else [])
            len(head) == self.end - self.row or fail("head has another length")
            all(b <= self.row + 1 for b in head) or fail("an offset is out of range")
            len({i + b for i, b in enumerate(head)}) == len(head) or fail("two columns have the same p")
            self.first - self.row == whole[0] or fail("first is not the first offset")
            zeros = [i for i, b in enumerate(head) if b == 0]
            zeros == ([] if self.periodic else [len(head) - 1]) or fail("offset 0 not just at the end")
            self.periodic and head and head[-1] == self.values[-1] and fail("start is not least")
        elif self.periodic and self.start == self.row:
            self.sum == 0 and self.first - self.row == self.values[0] or fail("no column, so sum 0 and first = values[0]")

    def check_periodic(self, fail):
        v, k, distance = self.values, len(self.values), self.recurs - self.from_
        v and all(0 < b <= self.row + 1 for b in v) or fail("values are out of range")
        any(k % j == 0 and v == v[:j] * (k // j) for j in range(1, k)) and fail("the period is not the least")
        len({(i + b) % k for i, b in enumerate(v)}) == k or fail("no juggling sequence")
        self.start <= self.from_ < self.recurs < LIMIT or fail("from and recurs")
        self.modulus and distance % k == 0 == distance % self.modulus or fail("the distance is no multiple")
        state = [self.filled] + self.above
        all(a < b for a, b in zip(state, self.above)) and max(state) <= self.row + 1 or fail("the state")

    def refuse(self, depth):
        def fail(why):
            raise Refused(depth, f"row {self.row}, line {self.row % 10000 + 2}: {why}")
        return fail
    def value(self, q):
        return self.values[(q - self.start) % len(self.values)]

def structure(folder):
    """The rows, if the files are whole, canonical and in order."""
    def fail(why):
        raise Refused("structure", why)
    def read(name):
        try:
            return open(f"{folder}/{name}", "rb").read().decode()
        except (OSError, UnicodeDecodeError) as error:
            fail(f"{name}: {error}")
    entry = rf'        \(first: {N}, last: {N}, blake3: "{HEX}"\),\n'
    shape = rf"\(\n    format: 1,\n    rows: {N},\n    head: (Fingerprint|Offsets),\n    segments: \[\n((?:{entry})+)    \],\n\)\n"
    found = re.fullmatch(shape, read("MANIFEST.ron"), re.A) or fail("no manifest")
    count, form, rows, previous = int(found[1]), found[2], [], ""
    for first, last, hash_ in re.findall(entry, found[3], re.A):
        first, last = int(first), int(last)
        first == len(rows) and last == min(first + 9999, count - 1) or fail("segments do not follow")
        text = read(f"rows-{first:07}-{last:07}.ron")
        *lines, end, rest = text.split("\n") if "\n" in text else fail("cut short")
        body = "".join(line + "\n" for line in lines)
        blake3(body.encode()) == hash_ or fail("the hash is another one")
        end == f'End(rows: {last - first + 1}, blake3: "{hash_}")' and rest == "" or fail("no End")
        head = f'Segment(format: 1, first: {first}, last: {last}, head: {form}, previous: "{previous}")'
        lines and lines[0] == head and len(lines) == last - first + 2 or fail("header or number of lines")
        for place, line in enumerate(lines[1:], first):
            row = Row(line, form, lambda why: fail(f"row {place}, line {place - first + 2}: {why}"))
            row.row == place or fail(f"row {place}, line {place - first + 2}: another row")
            rows.append(row)
        previous = hash_
    return rows if count == len(rows) else fail("segments do not follow")

def tails(rows):
    """Fact 3 for every periodic row, from the records alone."""
    holders, settled, full = {}, 0, 1  # who has a value; s; a common multiple of all periods below
    for r in rows:
        fail = r.refuse("tails")
        if r.periodic:
            r.from_ >= settled or fail(f"the rows below settle at column {settled}")
            state = past = {*range(r.filled), *r.above}
            seen, least, largest = set(), r.row + 2, 0
            for q in range(r.from_, r.recurs):
                key = frozenset(past), (q - r.from_) % full
                key not in seen and not seen.add(key) or fail("U comes back before recurs, or never to U(from)")
                free = next(b for b in range(r.row + 3) if b not in past)
                b = next(b for b in range(free, 3 * r.row + 9)
                         if b not in past and all(c.value(q) != b for c in holders.get(b, ())))
                b == r.value(q) or fail(f"the offset of column {q} is {b}")
                least, largest, past = min(least, free), max(largest, b), {u - 1 for u in past | {b} if u}
                m = math.lcm(*(len(c.values) for v in range(least, largest + 1) for c in holders.get(v, ())))
                q + 1 < r.recurs and past == state and (q + 1 - r.from_) % m == 0 and fail(f"U recurs at {q + 1}")
            past == state or fail("U does not recur")
            m == r.modulus or fail(f"the modulus is {m}")
            full = math.lcm(full, len(r.values))
            for v in set(r.values):
                holders.setdefault(v, []).append(r)
        settled = max(settled, r.end)

def weight(q):  # splitmix64(q) | 1
    z = q + 0x9E3779B97F4A7C15 & 2**64 - 1
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ z >> shift) * factor & 2**64 - 1
    return z ^ z >> 31 | 1

def heads(rows):
    """Fact 1 for rows 0 to LAST_HEAD, row by row; offset(q) of the rows below is kept."""
    diagonal, below = {0}, []
    for r in rows[:LAST_HEAD + 1]:
        fail = r.refuse("heads")
        own, offsets, last = set(), [], r.from_ if r.periodic else r.end - 1
        last <= FARTHEST or fail("too far for this checker")
        for q in range(r.row, last + 1):
            column = {q + (c.value(q) if q >= c.end else h[q - c.row]) for c, h in below if c.periodic or q < c.end}
            state = {p - q for p in diagonal | own if p >= q} if r.periodic and q == last else None
            state in (None, {*range(r.filled), *r.above} if r.periodic else None) or fail("U(from) is another set")
            p = next(p for p in range(q, 2 * q + 2) if p not in diagonal and p not in own and p not in column)
            own.add(p)
            offsets.append(p - q)
            (p == q) == (not r.periodic and q == last) or fail(f"offset {p - q} in column {q}")
            not r.periodic or q < r.start or p - q == r.value(q) or fail(f"offset {p - q} in column {q}")
        offsets[0] + r.row == r.first or fail("first is another one")
        head = offsets[:r.end - r.row]
        sum_ = sum(b * weight(q) for q, b in enumerate(head, r.row)) % 2**64
        (head == r.head if r.sum is None else sum_ == r.sum) or fail("head is another one")
        r.periodic and head and head[-1] == r.values[-1] and fail("start is not least")
        diagonal.add(r.first)
        below.append((r, head))

def verdict(folder, depths):
    try:
        rows = structure(folder)
        for depth in depths:
            depth(rows)
        return f"verified {depth.__name__}"
    except Refused as refused:
        return f"refused {refused.args[0]}: {refused.args[1]}"

if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    deep = "--heads" in sys.argv
    verdicts = [verdict(word, [tails, heads][:1 + deep]) for word in sys.argv[1:] if word != "--heads"]
    print(*verdicts, sep="\n")
    sys.exit(not all(word.startswith("verified") for word in verdicts))
