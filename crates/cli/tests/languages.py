"""What `chomp show` prints for other programs, read by an interpreter of what little it needs.

    python3 languages.py LANGUAGE TO < text

Prints, for each row in the text, its tail and f(q) for q = 0 to TO as JSON, null where f is not
defined. It shares no code with the program. Sage is Python here; `chomp` prints nothing of Sage
that Python reads otherwise.
"""

import json
import re
import sys


def sage(text):
    """Definitions of f_R."""
    names = {}
    exec(text, names)
    for name, f in names.items():
        if name.startswith("f_"):
            yield [int(part) for part in name[2:].split("_")], f


def maple(text):
    """B[R] := [head, period]: for q - R = 0, 1, 2, ..."""
    for line in text.splitlines():
        tail, pair = re.fullmatch(r"B\[([\d, ]+)\] := (.*):", line).groups()
        head, period = json.loads(pair)
        tail = json.loads(f"[{tail}]")

        def f(q, first=tail[0], head=head, period=period):
            a = q - first
            if a < 0 or (a >= len(head) and not period):
                return None
            return q + (head[a] if a < len(head) else period[(a - len(head)) % len(period)])

        yield tail, f


def latex(text):
    """A formula by cases, and its lists."""
    number = r"(\d+)"
    for paragraph in re.split(r"\n\n", text.strip()):
        none = re.fullmatch(r"\$f\(q,([\d,]+)\)\$ is defined for no \$q\$\.", paragraph)
        if none:
            yield [int(part) for part in none[1].split(",")], lambda q: None
            continue
        formula = re.fullmatch(
            r"\\\[\nf\(q,([\d,]+)\) = \\begin\{cases\}\n(.*)[.,]\n\\end\{cases\}\n\\\]"
            r"(\nwhere indices begin with \$0\$, and\n(.*)\.)?",
            paragraph,
            re.DOTALL,
        )
        lists = {}
        for one in (formula[4] or "").split(" and\n"):
            if one:
                name, numbers = re.fullmatch(r"\$([hv]) = \(([^)]*)\)\$", one, re.DOTALL).groups()
                lists[name] = [int(n) for n in numbers.replace("\\allowbreak", "").split(",")]
        cases = []
        for case in formula[2].split(", \\\\\n"):
            value, when = re.fullmatch(r" *q \+ (.*) & \\text\{if \} (.*)", case).groups()
            head = re.fullmatch(number + r" \\le q < " + number, when)
            rest = re.fullmatch(r"q \\ge " + number, when)
            first, end = (int(head[1]), int(head[2])) if head else (int(rest[1]), None)
            of_head = re.fullmatch(r"h_\{q - " + number + r"\}", value)
            of_period = re.fullmatch(r"v_\{\(q - " + number + r"\) \\bmod " + number + r"\}", value)
            if of_head:
                offset = lambda q, h=lists["h"], n=int(of_head[1]): h[q - n]
            elif of_period:
                n, m = int(of_period[1]), int(of_period[2])
                offset = lambda q, v=lists["v"], n=n, m=m: v[(q - n) % m]
            else:
                offset = lambda q, n=int(value): n
            cases.append((first, end, offset))

        def f(q, cases=cases):
            for first, end, offset in cases:
                if first <= q and (end is None or q < end):
                    return q + offset(q)
            return None

        yield [int(part) for part in formula[1].split(",")], f


class Mathematica:
    """Expressions of numbers, lists, comparisons, Part, Which and Mod, and one name, q."""

    def __init__(self, text):
        self.tokens = re.findall(r"\d+|[A-Za-z]+|<=|>=|[^\s\w]", text)
        self.place = 0

    def peek(self, ahead=0):
        tokens = self.tokens[self.place + ahead :]
        return tokens[0] if tokens else None

    def take(self, expected=None):
        token = self.peek()
        assert token is not None and expected in (None, token), (expected, token)
        self.place += 1
        return token

    def several(self, end):
        found = []
        while self.peek() != end:
            found.append(self.comparison())
            if self.peek() != end:
                self.take(",")
        self.take(end)
        return found

    def comparison(self):
        parts = [self.sum()]
        while self.peek() in ("<", "<=", ">="):
            parts += [self.take(), self.sum()]
        return parts[0] if len(parts) == 1 else ("compare", parts)

    def sum(self):
        found = self.part()
        while self.peek() in ("+", "-"):
            found = (self.take(), found, self.part())
        return found

    def part(self):
        found = self.primary()
        while self.peek() == "[" and self.peek(1) == "[":
            self.take(), self.take()
            found = ("part", found, self.comparison())
            self.take("]"), self.take("]")
        return found

    def primary(self):
        token = self.take()
        if token == "{":
            return ("list", self.several("}"))
        if token.isdigit():
            return int(token)
        if self.peek() == "[" and self.peek(1) != "[":
            self.take()
            return (token, self.several("]"))
        assert token in ("q", "True", "Undefined"), token
        return token


def value(of, q):
    if isinstance(of, int):
        return of
    if isinstance(of, str):
        return {"q": q, "True": True, "Undefined": None}[of]
    kind, *parts = of
    if kind == "Which":
        (pairs,) = parts
        for when, then in zip(pairs[::2], pairs[1::2]):
            if value(when, q):
                return value(then, q)
    if kind == "compare":
        (parts,) = parts
        sides = [value(side, q) for side in parts[::2]]
        ways = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}
        return all(ways[way](a, b) for way, a, b in zip(parts[1::2], sides, sides[1:]))
    if kind == "part":
        place = value(parts[1], q)
        items = value(parts[0], q)
        assert 1 <= place <= len(items)
        return items[place - 1]
    if kind == "list":
        return [value(item, q) for item in parts[0]]
    if kind == "Mod":
        return value(parts[0][0], q) % value(parts[0][1], q)
    assert kind in ("+", "-"), kind
    left, right = (value(side, q) for side in parts)
    return left + right if kind == "+" else left - right


def mathematica(text):
    """Definitions of f[q, R]."""
    for line in text.splitlines():
        tail, body = re.fullmatch(r"f\[q_Integer, ([\d, ]+)\] := (.*)", line).groups()
        parser = Mathematica(body)
        tree = parser.comparison()
        assert parser.peek() is None
        yield json.loads(f"[{tail}]"), lambda q, tree=tree: value(tree, q)


language, to = sys.argv[1], int(sys.argv[2])
read = {"sage": sage, "maple": maple, "latex": latex, "mathematica": mathematica}[language]
for tail, f in read(sys.stdin.read()):
    print(json.dumps([tail, [f(q) for q in range(to + 1)]]))
