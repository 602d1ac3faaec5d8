"""What `chomp` prints of rows for other programs, read by an interpreter of what little it needs.

    python3 languages.py LANGUAGE TO < text

Prints, for each row in the text, its level, its tail or the name of its ideal, and f(q) or f(n) for
0 to TO as JSON, null where f is not defined. It shares no code with the program. Sage is Python here; `chomp` prints nothing of Sage
that Python reads otherwise.
"""

import json
import operator
import re
import sys


def sage(text):
    """Definitions of f_R."""
    names = {}
    exec(text, names)
    for (level, ideal), f in names.get("f", {}).items():
        yield level, ideal, f
    for name, f in names.items():
        if name.startswith("f_"):
            tail, _, level = name[2:].partition("_level_")
            yield int(level or 0), [int(part) for part in tail.split("_")], f


def maple(text):
    """B[R] := [head, period]: for q - R = 0, 1, 2, ..."""
    for line in text.splitlines():
        level, name, lists = re.fullmatch(r"B(\d*)\[(.*)\] := (.*):", line).groups()
        name, lists = json.loads(f"[{name}]"), json.loads(lists)
        if isinstance(name[-1], str):
            level, name = name
            first, shift, early, head, period = lists
        else:
            first, shift, early, (head, period) = name[0], 0, [], lists

        def f(q, first=first, shift=shift, early=dict(early), head=head, period=period):
            a = q - first
            if a < 0 or (a >= len(head) and not period):
                return early.get(q)
            offset = head[a] if a < len(head) else period[(a - len(head)) % len(period)]
            return q + offset - shift

        yield int(level or 0), name, f


def pari_function(text):
    """A function of q for "if(CONDITION, THEN, ELSE)", "[]", "4", "q + [5, 3][q - 5 + 1] - 2"."""
    if text == "[]":
        return lambda q: None
    if text.isdigit():
        return lambda q: int(text)
    if text.startswith("if("):
        assert text.endswith(")")
        inner, depth, commas = text[3:-1], 0, []
        for place, letter in enumerate(inner):
            depth += (letter in "([") - (letter in ")]")
            if letter == "," and depth == 0:
                commas.append(place)
        first, second = commas
        when = [part.split() for part in inner[:first].split(" && ")]
        then, other = pari_function(inner[first + 2 : second]), pari_function(inner[second + 2 :])
        ways = {"<": operator.lt, "<=": operator.le, ">=": operator.ge, "==": operator.eq}
        number = lambda word, q: q if word in ("q", "n") else int(word)
        holds = lambda q: all(ways[way](number(a, q), number(b, q)) for a, way, b in when)
        return lambda q: then(q) if holds(q) else other(q)
    numbers, place, sign, shift = re.fullmatch(
        r"[qn] \+ (\[[\d, ]*\])\[(.*) \+ 1\](?: ([+-]) (\d+))?", text
    ).groups()
    assert re.fullmatch(r"[qn] - \d+|\([qn] - \d+\) % \d+", place)
    numbers, shift = json.loads(numbers), int(sign + shift) if shift else 0
    place = compile(place, "", "eval")

    def value(q):
        index = eval(place, {"q": q, "n": q})
        assert 0 <= index < len(numbers)
        return q + numbers[index] + shift

    return value


def pari(text):
    """f_3_2_level_1(q) = ...; and mapput(f, [1, "{a}"], (n) -> ...); after f = Map();"""
    for line in text.splitlines():
        if line == "f = Map();":
            continue
        ideal = re.fullmatch(r'mapput\(f, \[(\d+), (".*?[^\\]")\], \(n\) -> (.*)\);', line)
        if ideal:
            yield int(ideal[1]), json.loads(ideal[2]), pari_function(ideal[3])
            continue
        tail, level, body = re.fullmatch(r"f_([\d_]+?)(?:_level_(\d+))?\(q\) = (.*);", line).groups()
        yield int(level or 0), [int(part) for part in tail.split("_")], pari_function(body)


def latex_name(name):
    """f(q,3,2), f_{1}(q,3,2), f_{1}(n;\\{\\text{\\texttt{a}}\\})."""
    level, what = re.fullmatch(r"f(?:_\{(\d+)\})?\([qn][,;](.*)\)", name).groups()
    if ";" not in name:
        return int(level or 0), [int(part) for part in what.split(",")]
    names = re.findall(r"\\texttt\{((?:\\.|[^}\\])*)\}", what)
    return int(level), "{" + ",".join(re.sub(r"\\(.)", r"\1", name) for name in names) + "}"


def latex_value(value, lists):
    """A function of q for "q + 3", "q + h_{q - 5} - 2", "q + v_{(q - 7) \\bmod 2}", or "4"."""
    if value.isdigit():
        return lambda q: int(value)
    offset, sign, shift = re.fullmatch(r"[qn] \+ (.*?)(?: ([+-]) (\d+))?", value).groups()
    shift = int(sign + shift) if shift else 0
    of_head = re.fullmatch(r"h_\{[qn] - (\d+)\}", offset)
    of_period = re.fullmatch(r"v_\{\([qn] - (\d+)\) \\bmod (\d+)\}", offset)
    if of_head:
        return lambda q, n=int(of_head[1]): q + lists["h"][q - n] + shift
    if of_period:
        n, m = int(of_period[1]), int(of_period[2])
        assert m == len(lists["v"])
        return lambda q: q + lists["v"][(q - n) % m] + shift
    return lambda q, n=int(offset): q + n + shift


def latex_case(case, lists):
    """The first column, the one past the last or None, and the value."""
    value, when = re.fullmatch(r" *(.*) & \\text\{if \} (.*)", case).groups()
    between = re.fullmatch(r"(\d+) \\le [qn] < (\d+)", when)
    one = re.fullmatch(r"[qn] = (\d+)", when)
    rest = re.fullmatch(r"[qn] \\ge (\d+)", when)
    if between:
        first, end = int(between[1]), int(between[2])
    else:
        first, end = (int(one[1]), int(one[1]) + 1) if one else (int(rest[1]), None)
    return first, end, latex_value(value, lists)


def latex(text):
    """A formula by cases, and its lists."""
    for paragraph in re.split(r"\n\n", text.strip()):
        none = re.fullmatch(r"\$(.*)\$ is defined for no \$[qn]\$\.", paragraph)
        if none:
            yield *latex_name(none[1]), lambda q: None
            continue
        formula = re.fullmatch(
            r"\\\[\n(.*) = \\begin\{cases\}\n(.*)[.,]\n\\end\{cases\}\n\\\]"
            r"(\nwhere indices begin with \$0\$, and\n(.*)\.)?",
            paragraph,
            re.DOTALL,
        )
        lists = {}
        for one in (formula[4] or "").split(" and\n"):
            if one:
                name, numbers = re.fullmatch(r"\$([hv]) = \(([^)]*)\)\$", one, re.DOTALL).groups()
                lists[name] = [int(n) for n in numbers.replace("\\allowbreak", "").split(",")]
        cases = formula[2].split(", \\\\\n")
        if cases[-1].strip() == "\\text{undefined} & \\text{otherwise}":
            cases.pop()
        cases = [latex_case(case, lists) for case in cases]

        def f(q, cases=cases):
            for first, end, value in cases:
                if first <= q and (end is None or q < end):
                    return value(q)
            return None

        yield *latex_name(formula[1]), f


class Mathematica:
    """Expressions of numbers, lists, comparisons, Part, Which and Mod, and one name, q or n."""

    def __init__(self, text):
        self.tokens = re.findall(r"\d+|[A-Za-z]+|<=|>=|==|[^\s\w]", text)
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
        while self.peek() in ("<", "<=", ">=", "=="):
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
        assert token in ("q", "n", "True", "Undefined"), token
        return token


def value(of, q):
    if isinstance(of, int):
        return of
    if isinstance(of, str):
        return {"q": q, "n": q, "True": True, "Undefined": None}[of]
    kind, *parts = of
    if kind == "Which":
        (pairs,) = parts
        for when, then in zip(pairs[::2], pairs[1::2]):
            if value(when, q):
                return value(then, q)
    if kind == "compare":
        (parts,) = parts
        sides = [value(side, q) for side in parts[::2]]
        ways = {"<": operator.lt, "<=": operator.le, ">=": operator.ge, "==": operator.eq}
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
    """Definitions of f[q, R], f[1][q, R], f[1, "{a}"][n]."""
    for line in text.splitlines():
        name, body = line.split(" := ")
        board = re.fullmatch(r"f(?:\[(\d+)\])?\[q_Integer, ([\d, ]+)\]", name)
        ideal = re.fullmatch(r"f\[(\d+), (\".*\")\]\[n_Integer\]", name)
        parser = Mathematica(body)
        tree = parser.comparison()
        assert parser.peek() is None
        lower = json.loads(f"[{board[2]}]" if board else ideal[2])
        yield int((board or ideal)[1] or 0), lower, lambda q, tree=tree: value(tree, q)


language, to = sys.argv[1], int(sys.argv[2])
read = {
    "sage": sage, "pari": pari, "maple": maple, "latex": latex, "mathematica": mathematica
}[language]
for level, lower, f in read(sys.stdin.read()):
    print(json.dumps([level, lower, [f(q) for q in range(to + 1)]]))
