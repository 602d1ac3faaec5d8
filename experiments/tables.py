"""The tables and documents of outputs/ that no command of the program `chomp` prints.

    python experiments/tables.py [--program FILE] NAME [OPTION...]

They are printed to standard output. The program, by default that of $CHOMP or `chomp`, computes
them; messages and progress are its own. An interrupted command exits with code 4, as the program
does, and the same command resumes from what it keeps. Only `ends --random` needs NumPy.
"""

# ruff: noqa: RUF001, RUF002, RUF003

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate, chain, cycle
from math import comb, isqrt, lcm
from pathlib import Path
from textwrap import fill
from typing import Any

PROGRAM = [os.environ.get("CHOMP", "chomp")]


class TableError(Exception):
    """Why there is no table."""


def lines(*arguments: object) -> Iterator[str]:
    """The lines that the program prints with these arguments, without their ends."""
    # It also receives the signal, keeps its state and ends; Python waits for it.
    handler = signal.signal(signal.SIGINT, lambda *_: None)
    command = [*PROGRAM, *map(str, arguments)]
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as running:
            assert running.stdout
            for line in running.stdout:
                yield line.rstrip("\n")
    finally:
        signal.signal(signal.SIGINT, handler)
    if running.returncode:
        # The program has said why.
        sys.exit(running.returncode if running.returncode > 0 else 4)


def objects(*arguments: object) -> Iterator[dict[str, Any]]:
    """The JSON objects that it prints, one a line."""
    return map(json.loads, lines(*arguments))


def records(to: int | None, data: Path | None) -> Iterator[dict[str, Any]]:
    """The records of rows 0 to `to`, computed or from a data set."""
    with tempfile.TemporaryDirectory() as folder:
        if data is None:
            for _ in lines("rows", "--to", to, "--out", f"{folder}/rows"):
                pass
        exported = objects("export", data or f"{folder}/rows", "--format", "jsonl")
        for record in exported:
            if to is None or record["row"] <= to:
                yield record


# A rectangle a × b with a <= b, and its openings as row,column.
Openings = tuple[int, int, list[str]]


def of_line(line: str) -> Openings:
    """The openings of a line of a table."""
    rows, columns, number, bites = line.split("\t")[:4]
    found = int(rows), int(columns), bites.split()
    if len(found[2]) != int(number):
        raise ValueError(f"{number} openings are not {bites}")
    return found


def openings(side: int, parts: Path) -> str:
    """Print the winning openings of all a x b, a, b <= N, as a document in Markdown, with the
    smallest boards that have several. The folder keeps the parts of N x N, as that of `chomp query
    --openings N --keep` does.
    """
    grid, p_counts, all_openings = [], {}, []
    for found in objects("query", "--openings", side, "--keep", parts, "--json"):
        rows, columns, checksum = found["rows"], found["columns"], found["checksum"]
        bites = [",".join(square) for square in found["openings"]]
        text = " and ".join(bites) or "none"
        text = f" **{text}** |" if len(bites) > 1 else f" {text} |"
        if columns == 1:
            grid.append(f"| **{rows}** |")
        grid[-1] += " |" if rows > columns else text
        p_counts[rows, columns] = found["p_positions"]
        if rows <= columns:
            all_openings.append((rows, columns, bites))
    several = [found for found in all_openings if len(found[2]) > 1]
    several.sort(key=lambda found: (found[0] * found[1], found[0]))
    numbers = [len(bites) for _, _, bites in all_openings]
    of_squares = [(n, comb(2 * n, n) - 1, p_counts[n, n]) for n in range(1, side + 1)]
    text = [
        f"# Winning openings of a × b, a, b ≤ {side}",
        "",
        "Every bite of the full board that leaves a P-position, as *row,column* of the bitten "
        "square,",
        "counted from 1 at the poison. There are a rows and b columns; for a > b exchange rows and",
        "columns. Bold: more than one.",
        "",
        f"| a \\ b |{''.join(f' {n} |' for n in range(1, side + 1))}",
        f"|---|{'---|' * side}",
        *grid,
        "",
        "## More than one winning opening",
        "",
        "| openings | boards a × b, a ≤ b |",
        "|---|---|",
        *(f"| {number} | {numbers.count(number)} |" for number in range(max(numbers) + 1)),
        "",
        f"No board to {side} × {side} has more than {max(numbers)}.",
        "",
        "| board | squares | perimeter | openings |",
        "|---|---|---|---|",
        *(
            f"| {a} × {b} | {a * b} | {2 * (a + b)} | {' and '.join(bites)} |"
            for a, b, bites in several
        ),
        *smallest(several),
        "",
        "## P-positions",
        "",
        "Positions and P-positions of n × n. The checksum of all P-positions of "
        f"{side} × {side} is",
        f"{checksum}: the sum, modulo 2^64, of the outputs of `SplitMix64` whose states are their",
        "boundary words (`boards::boundary::mix`).",
        "",
        "| n | positions | P-positions | one in |",
        "|---|---|---|---|",
        *(f"| {n} | {all_of_n} | {p} | {all_of_n // p} |" for n, all_of_n, p in of_squares),
    ]
    return "\n".join(text) + "\n"


def squares(a: int, b: int) -> int:
    """The size of a × b by its squares."""
    return a * b


def perimeter(a: int, b: int) -> int:
    """The size of a × b by its perimeter."""
    return 2 * (a + b)


def smallest(several: list[Openings]) -> Iterator[str]:
    """The smallest boards with two openings, with three, and so on, searched without a limit on
    their sides; some of these boards have as many."""
    for number in range(2, max((len(bites) for _, _, bites in several), default=0) + 1):
        for measure in (squares, perimeter):
            most = min(measure(a, b) for a, b, bites in several if len(bites) >= number)
            found = []
            a = 1
            while measure(a, a) <= most:
                longest = max(b for b in range(a, most + 1) if measure(a, b) <= most)
                for line in list(lines("query", "--openings", f"{a}x{longest}"))[1:]:
                    _, b, bites = of_line(line)
                    if len(bites) >= number:
                        found.append((measure(a, b), f"{a} × {b}"))
                a += 1
            least = min(size for size, _ in found)
            names = ", ".join(name for size, name in found if size == least)
            yield ""
            yield (
                f"Smallest with {number} by {measure.__name__}: {names}, {most}. "
                "Every a × b that is smaller was solved, however"
            )
            yield "long."


# The rectangles with two openings that Padhi lists (2026, section 4).
PADHI = [(6, 13), (6, 93), (7, 29), (7, 30), (7, 57), (8, 10), (8, 22), (8, 23), (9, 10)]
PADHI += [(9, 26), (10, 14), (10, 29), (10, 33), (10, 35), (11, 18), (12, 13), (13, 16), (14, 16)]

HEADER = "rows\tcolumns\tnumber\topenings"


def rectangles(boards: list[str], keep: Path, verify: int, several: bool) -> str:
    """Print the winning openings of a x a, a x (a+1), ..., a x b for each of these rectangles a x
    b, a <= b: tab-separated, with a header line. With --several, print a section of a document
    instead, on those with more than one opening.
    """
    keep.mkdir(parents=True, exist_ok=True)
    found = [line for board in boards for line in kept_lines(board, keep, verify)]
    if not several:
        return "".join(f"{line}\n" for line in [HEADER, *found])
    table = [(a * b, a, b, bites) for a, b, bites in map(of_line, found) if len(bites) > 1]
    names = [board.replace("x", " × ") for board in boards]
    solved = ",\n".join(", ".join(names[i : i + 10]) for i in range(0, len(names), 10))
    most = max((len(bites) for *_, bites in table), default=0)
    text = (
        "\n## Long rectangles\n\nAll a × a, a × (a + 1), ..., a × b were solved for these a × b:\n"
        f"{solved}.\n{len(table)} of them have more than one winning opening; none has more than "
        f"{most}.\n\n| board | squares | number | openings | in the list of Padhi 2026 |\n"
        "|---|---|---|---|---|\n"
    )
    for size, a, b, bites in sorted(table):
        listed = "yes" if (a, b) in PADHI else ""
        text += f"| {a} × {b} | {size} | {len(bites)} | {' and '.join(bites)} | {listed} |\n"
    return text


def kept_lines(board: str, keep: Path, verify: int) -> list[str]:
    """The lines of a rectangle, from the folder or by the program, which then go into it."""
    file = keep / f"{board}.tsv"
    if not file.exists():
        games = ["--verify", verify] if verify else []
        text = "".join(f"{line}\n" for line in lines("query", "--openings", board, *games))
        draft = file.with_suffix(".part")
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    else:
        print(f"{file} is believed", file=sys.stderr)
    header, *found = file.read_text(encoding="utf-8").splitlines() or [""]
    a, b = map(int, board.split("x"))
    try:
        there = [of_line(line)[:2] for line in found]
    except ValueError as error:
        raise TableError(f"{file}: {error}; remove it") from error
    if header != HEADER or there != [(a, columns) for columns in range(a, b + 1)]:
        raise TableError(f"{file} does not have the openings of {board}; remove it")
    return found


def lists(to: int | None, data: Path | None) -> str:
    """Print the rows of each period of 2 or more, a paragraph for each period.

    Gabriel Nivasch listed them like this for Brouwer's page.
    """
    of_period = defaultdict(list)
    for line in list(lines("show", "--periods", "--tsv", *rows_from(to, data)))[1:]:
        row, _, period, _ = line.split("\t")
        of_period[int(period)].append(row)
    text = (f"Period {n} for r = {', '.join(rows)}." for n, rows in sorted(of_period.items()))
    return "\n".join(fill(paragraph, 72) + "\n" for paragraph in text)


def rows_from(to: int | None, data: Path | None) -> list[object]:
    """The options for rows 0 to `to`, computed or from a data set."""
    last = [] if to is None else ["--to", to]
    return last if data is None else [*last, "--data", data]


def ledger(to: int | None, data: Path | None, four_rows: int | None, posets: bool) -> str:
    """Print the claims ledger as a document in Markdown.

    `chomp reproduce` tests all claims, and has the same options. Claims that fail, or that have no
    exact meaning, come first.
    """
    options: list[object] = [] if four_rows is None else ["--four-rows", four_rows]
    options += ["--posets"] if posets else []
    [tested] = objects("reproduce", "--json", *rows_from(to, data), *options)
    claims, last = tested["claims"], tested["last_row"]
    introduction = (FOLDER / "ledger.md").read_text(encoding="utf-8")
    if not tested["counts"]["out_of_reach"]:
        introduction = re.sub("- [*]out of reach[*].*\n", "", introduction)
    command = " ".join(map(str, ["ledger --to", last, *options]))
    text = [
        introduction,
        f"Rows 0 to {last}, {len(claims)} claim{'' if len(claims) == 1 else 's'}.",
        f"This file is what `python experiments/tables.py {command}` prints.",
        "",
        *counts_of_verdicts(claims),
    ]
    for verdict, heading in FIRST.items():
        first = [claim for claim in claims if claim["verdict"] == verdict]
        text += [f"\n## {heading}\n"] if first else []
        for claim in first:
            text.append(f"- `{claim['id']}`, {place(claim['sources'][0])}: {claim['claim']}")
            found = in_words(claim) if verdict == "vague" else "found"
            text += [f"  - {found}: {claim['figure']}", *note(claim)]
    for paper, of_paper in by_paper(claims).items():
        text.append(f"\n## {papers()[paper][1]}")
        section = None
        for claim in of_paper:
            source, *others = claim["sources"]
            if source["section"] != section:
                section = source["section"]
                text.append(f"\n### {papers()[paper][0]}: {section}\n")
            text.append(f"- **{in_words(claim)}**. {claim['claim']} (`{claim['id']}`)")
            if claim["verdict"] in ("proved", "reported", "out_of_reach"):
                text.append(f"  - {claim['figure']}")
            else:
                text.append(f"  - found: {claim['figure']}")
                text.append(f"  - tested: {claim['tested']}; {claim['method']}")
            text += note(claim)
            text += [f"  - also: {'; '.join(map(place, others))}"] if others else []
    return "\n".join(text) + "\n"


FOLDER = Path(__file__).parent

VERDICTS = [
    *("confirmed", "extended", "wrong", "misprint", "rounding", "vague", "proved", "reported"),
    "out_of_reach",
]

# The verdicts that come first, for all papers together.
FIRST = {
    "wrong": "Wrong, and what is true",
    "misprint": "Misprints, and what is true",
    "rounding": "True but for rounding",
    "vague": "Vague",
}

Claim = dict[str, Any]


@cache
def papers() -> dict[str, list[str]]:
    """The short name of each source of claims, and its authors, title and place."""
    text = (FOLDER.parent / "crates/ledger/src/papers.ron").read_text(encoding="utf-8")
    found = re.findall(r'(?m)^    (\w+): \(\n +"(.*)",\n +"(.*)",$', text)
    return {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower(): names for key, *names in found}


def by_paper(claims: list[Claim]) -> dict[str, list[Claim]]:
    """The claims that are listed under each paper."""
    listed = {
        paper: [of for of in claims if of["sources"][0]["paper"] == paper] for paper in papers()
    }
    return {paper: own for paper, own in listed.items() if own}


def place(source: dict[str, str]) -> str:
    """A paper and its section: "2005 paper, 8.2"."""
    return f"{papers()[source['paper']][0]}, {source['section']}"


def note(claim: Claim) -> list[str]:
    """The line of a remark."""
    return [f"  - note: {claim['note']}"] if claim["note"] else []


def in_words(claim: Claim) -> str:
    """The verdict with its range: "confirmed to 130000", "vague, not seen to 130000"."""
    verdict, reached, seen = claim["verdict"], claim["reached"], claim["seen"]
    if verdict in ("confirmed", "extended") and reached is not None:
        return f"{verdict} to {reached}"
    if verdict == "vague" and seen is not None:
        return f"vague, seen in row {seen}"
    if verdict == "vague" and reached is not None:
        return f"vague, not seen to {reached}"
    return str(verdict).replace("_", " ")


def counts_of_verdicts(claims: list[Claim]) -> Iterator[str]:
    """The number of claims of each paper and verdict."""
    counts = Counter(claim["verdict"] for claim in claims)
    verdicts = [verdict for verdict in VERDICTS if counts[verdict]]

    def row(name: str, own: list[Claim]) -> str:
        counts = Counter(claim["verdict"] for claim in own)
        numbers = [*(counts[verdict] for verdict in verdicts), len(own)]
        return f"| {name} | {' | '.join(map(str, numbers))} |"

    yield f"| first stands in | {' | '.join(verdicts).replace('_', ' ')} | all |"
    yield f"|---|{'---:|' * (len(verdicts) + 1)}"
    yield from (row(papers()[paper][0], own) for paper, own in by_paper(claims).items())
    yield row("all", claims)


def families(names: list[str], level: int) -> str:
    """Print a line for each level of families of posets that grow along two chains.

    The columns are separated by tabs, and the first line names them. `chomp family` lists the names
    of families.

    A line has the rows by kind, the periodic ones in 1000, the periods with the number of rows of
    each, the latest start, the most holes of a state U below its greatest member, the rows with
    more than one, and the finite rows that end with a p which a row of a larger ideal has in an
    earlier column: (M*) of `proofs/uniqueness.md`, 2.2, for families.
    """
    text = (
        "family\tlevel\trows\tempty\tfinite\tperiodic\tin_1000\tperiods\tlatest_start\t"
        "most_holes\tmore_holes\tends_above\n"
    )
    for name in names:
        of_level = defaultdict[int, list[dict[str, Any]]](list)
        options = ("--levels", f"0..{level}", "--json", "--full")
        for row in objects("family", *name.split(), *options):
            of_level[row["level"]].append(row)
        below = relations(name)
        for number, rows in sorted(of_level.items()):
            kinds = Counter(row["kind"] for row in rows)
            periodic = [row for row in rows if row["kind"] == "periodic"]
            periods = sorted(Counter(row["period"] for row in periodic).items())
            holes = [holes_of(row["certificate"]) for row in periodic]
            share = (20000 * len(periodic) + len(rows)) // (2 * len(rows))
            cells = [name, number, len(rows), kinds["empty"], kinds["finite"], len(periodic)]
            cells += [f"{share // 10}.{share % 10}", " ".join(f"{n}:{k}" for n, k in periods)]
            cells += [max((row["start"] for row in periodic), default="")]
            cells += [max(holes, default=""), sum(own > 1 for own in holes)]
            text += "\t".join(map(str, [*cells, ends_above(rows, below)])) + "\n"
    return text


def relations(name: str) -> dict[str, set[str]]:
    """The elements of the finite part that are at most each of them."""
    lower = defaultdict[str, list[str]](list)
    for line in lines("family", *name.split(), "--describe"):
        least, _, above = line.partition(" < ")
        if above and "[" not in line:
            lower[above].append(least)
    below: dict[str, set[str]] = {}
    waiting = list(lower)
    while waiting:
        element = waiting[-1]
        if missing := [own for own in lower.get(element, ()) if own not in below]:
            waiting += missing
        else:
            below[element] = {element}.union(*(below[own] for own in lower.get(element, ())))
            waiting.pop()
    return below


def holes_of(certificate: dict[str, Any]) -> int:
    """The offsets that are not in U(from), and less than a member."""
    above = certificate["above"]
    return above[-1] - certificate["filled"] - (len(above) - 1) if above else 0


def ends_above(rows: list[dict[str, Any]], below: dict[str, set[str]]) -> int:
    """The finite rows of a level that end with a p which a row of a larger ideal has in an earlier
    column."""
    ideals = []
    ends = defaultdict[int, list[tuple[int, int]]](list)
    for place, row in enumerate(rows):
        generators = row["ideal"]["generators"]
        ideals.append(set(generators).union(*(below.get(own, ()) for own in generators)))
        if row["kind"] == "finite":
            p = dict(columns(row, row["last"] + 1))[row["last"]]
            ends[p].append((row["last"], place))
    last = max((column for of_p in ends.values() for column, _ in of_p), default=0)
    above = set()
    for row, ideal in zip(rows, ideals, strict=True):
        for n, p in columns(row, last):
            above |= {
                place for column, place in ends.get(p, ()) if n < column and ideals[place] < ideal
            }
    return len(above)


def columns(row: dict[str, Any], end: int) -> Iterator[tuple[int, int]]:
    """The columns n < `end` of a row of an ideal, each with its p."""
    ideal = row["ideal"]
    yield from ((n, p) for n, p in ideal["early"] if n < end)
    offsets = chain(row["head"] or (), cycle(row["values"]))
    for n, offset in zip(range(ideal["column"], end), offsets, strict=False):
        yield n, n + offset - ideal["shift"]


def products(elements: int, memory: str) -> str:
    """Print the winning openings of the products a x b x c with 2 <= a <= b <= c and at most N
    elements: tab-separated, with a header line.

    An opening is a bite, i,j,k for the element with these numbers on the three chains, from 1 on.
    The last column counts the positions that were searched, up to symmetry.
    """
    text = "a\tb\tc\tnumber\topenings\tpositions\n"
    for a in range(2, elements // 4 + 1):
        for b in range(a, isqrt(elements // a) + 1):
            for c in range(b, elements // (a * b) + 1):
                poset = ("chains", a, b, c, "--memory", memory, "--json")
                (found,) = objects("poset", *poset)
                bites = [name.strip("()") for name in found["winning_bites"]]
                numbers = (a, b, c, len(bites), " ".join(bites), found["positions_of_bites"])
                text += "\t".join(map(str, numbers)) + "\n"
    return text


def lengths(last: int | None, rectangles: int | None) -> str:
    """Print how the length of a game goes on along each periodic row to R: tab-separated, with a
    header line.

    L is the length of the P-position (p,q,r) in column q of row r. From the column `from` on,
    L - 2q repeats with the least period `repeats`, and `lengths` has one period of it; `excess` has
    L - (2p - 1), which is never negative, in the same columns. This is proved for all columns
    (`proofs/boards.md`, 8 (e)): L - 2q is the same `shift` columns later in columns `window` to
    `window` + r + 1.
    """
    if last is not None:
        return along_rows(last)
    text = "rows\tcolumns\tturns\n"
    side = rectangles or 0
    for a in range(1, side + 1):
        for b in range(a, side + 1):
            (found,) = objects("query", f"{a}x{b}", "--all", "--json")
            if found["length"] is None:
                raise TableError(f"the program does not say how long a game from {a}x{b} is")
            text += f"{a}\t{b}\t{found['length']}\n"
    return text


def window(row: int, settled: int) -> int:
    """The first column of the window of a row."""
    return settled + 2 * row + 3


def along_rows(last: int) -> str:
    """The table of rows."""
    rows = list(records(last, None))
    settled = max(record["head_end"] for record in rows)
    shift = lcm(*(record["period"] or 1 for record in rows))
    columns = window(last, settled) + last + 2 + 2 * shift
    # The p and the length in each column, of each row; 0 where there is none.
    ps, turns = ([array("H", bytes(2 * columns)) for _ in rows] for _ in range(2))
    # An offset is at most r + 1.
    longest = columns + last + 1
    positions = lines("positions", "--rows", 3, "--to", longest, "--lengths", last, "--out", "-")
    next(positions)
    for line in positions:
        p, q, r, length = map(int, line.split(","))
        if q < columns:
            ps[r][q], turns[r][q] = p, length
    text = "row\tstart\tperiod\tfrom\trepeats\tlengths\texcess\twindow\tshift\n"
    # The rows so far have settled from this column on, which is past all of them; the periods of
    # these rows and of their lengths divide `shift`.
    settled, shift = 0, 1
    for record in rows:
        row, period = record["row"], record["period"]
        settled = max(settled, record["head_end"], row + 1)
        if period:
            shift = lcm(shift, period)
            line = of_row(row, ps[row], turns[row], window(row, settled), shift)
            text += f"{row}\t{record['start']}\t{period}\t{line}\n"
    return text


def of_row(row: int, ps: array[int], turns: array[int], first: int, shift: int) -> str:
    """How the lengths of a periodic row repeat, after those of the rows below."""

    def of_column(q: int) -> tuple[int, int] | None:
        if q >= len(turns) or not turns[q]:
            return None
        return turns[q] - 2 * q, turns[q] + 1 - 2 * ps[q]

    def agrees(q: int, by: int) -> bool:
        return of_column(q) is not None and of_column(q) == of_column(q + by)

    for q in range(first, first + row + 2):
        if not agrees(q, shift):
            raise TableError(f"row {row}: the lengths of columns {q} and {q + shift} differ")
    divisors = (by for by in range(1, shift + 1) if shift % by == 0)
    repeats = next(by for by in divisors if all(agrees(q, by) for q in range(first, first + shift)))
    start = next((q + 1 for q in reversed(range(first)) if not agrees(q, repeats)), 0)
    period = [of_column(q) or () for q in range(start, start + repeats)]
    own, above = (",".join(map(str, values)) for values in zip(*period, strict=True))
    return f"{start}\t{repeats}\t{own}\t{above}\t{first}\t{shift}"


# An index and an error.
Terms = Iterable[tuple[int, int]]
# Distances from multiples of √2 are rounded down to multiples of one part in this number. Those of
# numbers below 10^9 are at least 10^-10 apart, so their order stays.
PARTS = 10**12


def ends(to: int | None, data: Path | None, random: int | None) -> str:
    """Print the ranges of several errors. None of them is proved to be bounded.

    `x_n` is the n-th end by size, `r_n` its row, e(n) the number of ends to n, F(b) and K(b) those
    of the finite and of the periodic rows below b, and N(r) the start of a periodic row, or the
    column after the end of a finite one (`proofs/uniqueness.md`, 5.10, and `proofs/effective.md`,
    3). With --random, print a table of ranges from column 300 on instead, in Chomp and in N random
    recurrences that differ from it near the origin (`experiments perturbed`); time grows with the
    square of R, and is some seconds each for R = 3000.
    """
    if random is not None:
        return in_columns(to or 0, random)
    settled, found = array("Q"), []
    for record in records(to, data):
        settled.append(record["head_end"])
        if record["kind"] == "finite":
            found.append((record["last"], record["row"]))
    # A row that ends at x is below x, so all ends to this number are known.
    by_size = [end for end in sorted(found) if end[0] <= len(settled)]
    sizes, of_rows = [x for x, _ in by_size], [row for _, row in found]
    greatest = list(accumulate(settled, max))

    def periodic_less_ends() -> Terms:
        for row in range(len(settled)):
            yield row, row - bisect_left(of_rows, row) - bisect_right(sizes, row)

    x_n, r_n = conditions(by_size, 0, 1)
    errors: list[tuple[str, str, Terms, int]] = [
        ("x_n - 2n - e(n)", "n", x_n, 1),
        ("r_n - n - #{i: x_i + i < x_n}", "n", r_n, 1),
        ("K(r) - e(r)", "r", periodic_less_ends(), 1),
        ("N(r) - 2r, r >= 2", "r", ((r, n - 2 * r) for r, n in enumerate(settled) if r >= 2), 1),
        (
            "N(r) - the greatest N(c), c < r",
            "r",
            ((r, n - greatest[r - 1]) for r, n in enumerate(settled) if r),
            1,
        ),
        (
            "N(r) - √2 r",
            "r",
            ((r, PARTS * n - root(2 * (PARTS * r) ** 2)) for r, n in enumerate(settled)),
            PARTS,
        ),
    ]
    text = f"Rows 0 to {len(settled) - 1}\n"
    for name, index, terms, unit in errors:
        if extremes := least_and_largest(terms):
            least, largest = (f"{decimal(error, unit)} ({index} = {n})" for n, error in extremes)
            text += f"{name:<35} from {least} to {largest}\n"
    return text


def root(square: int) -> int:
    """The square root, rounded up."""
    return isqrt(square - 1) + 1 if square else 0


def decimal(error: int, unit: int) -> str:
    """The error in this unit, to the nearest four decimals; an integer without them."""
    if unit == 1 or error == 0:
        return str(error // unit)
    digits = (error // (unit // 20000) + 1) // 2
    return f"{'-' * (digits < 0)}{abs(digits) // 10000}.{abs(digits) % 10000:04}".replace(
        ".0000", ""
    )


def least_and_largest(terms: Terms) -> list[tuple[int, int]]:
    """The first terms with the least and with the largest error; none of no terms."""
    first = next(terms := iter(terms), None)
    if first is None:
        return []
    least = largest = first
    for term in terms:
        if term[1] < least[1]:
            least = term
        if term[1] > largest[1]:
            largest = term
    return [least, largest]


def conditions(by_size: list[tuple[int, int]], k: int, start: int) -> tuple[Terms, Terms]:
    """The errors of the conditions of 5.10, n >= start, if k numbers count as diagonal values from
    the outset: x_n - 2(n+k) - e(n+k), and r_n - n - k - #{i: x_i + i + k < x_n}. The ends, each
    with its row, are by size."""
    sizes = [x for x, _ in by_size]
    sums = [x + i + k for i, x in enumerate(sizes, 1)]
    by_n = [(n, x, row) for n, (x, row) in enumerate(by_size, 1) if n >= start]
    x_n = [(n, x - 2 * (n + k) - bisect_right(sizes, n + k)) for n, x, _ in by_n]
    r_n = [(n, row - n - k - bisect_left(sums, x)) for n, x, row in by_n]
    return x_n, r_n


# Columns and ends from here on are far from the perturbations.
FAR = 300


def in_columns(last: int, others: int) -> str:
    """The ranges of E, GA and of what is blocked in a column (FF, UB and SL of
    `proofs/uniqueness.md`, 5.11) in Chomp and in recurrences that differ from it near the origin.
    """
    from sheets import perturbation

    text = "E\tGA\tFF\tUB\tSL\tperturbation\n"
    games = [([], []), *map(perturbation, range(others))]
    for diagonal, cells in games:
        for terms in errors_in_columns(last, diagonal, cells):
            extremes = least_and_largest(terms) or [(0, ""), (0, "")]
            text += " to ".join(str(error) for _, error in extremes) + "\t"
        text += f"Perturbation(diagonal: {diagonal}, cells: {cells})\n"
    return text


def errors_in_columns(last: int, diagonal: list[int], cells: list[tuple[int, int]]) -> list[Terms]:
    """E, GA, FF, UB and SL in a recurrence with rows 0 to `last`, in columns 0 to `last`."""
    import numpy as np
    from sheets import rows_from

    # By column and row.
    numbers = np.ascontiguousarray(rows_from(last, last + 1, diagonal, cells).T)
    k, top, found = len(diagonal), 0, []
    on_diagonal, bounds, blocked = [], [], []
    # The greatest number that (D) or (R) blocks in a row.
    greatest = np.zeros(last + 1, np.int64)
    for q in range(last + 1):
        greatest[q] = top
        rows = np.flatnonzero(numbers[q])
        own, place = numbers[q, rows], np.arange(len(rows))
        # m is 1 + k + row - place, or one more than before if that is greater.
        m = place + np.maximum.accumulate(1 + k + rows - 2 * place)
        above = own - q - m
        if rows.size and rows[-1] == q:
            on_diagonal.append((q, int(above[-1])))
            top = max(top, int(own[-1]))
        if rows.size:
            bounds.append((q, int(above.max())))
        for c in rows[own == q]:
            found.append((q, int(c)))
            later = rows[rows >= c]
            errors = greatest[later] - (q + later - c) - k - len(found)
            blocked += [(q, int(errors.min())), (q, int(errors.max()))]
        greatest[rows] = np.maximum(greatest[rows], own)
    far = [[term for term in terms if term[0] >= FAR] for terms in (on_diagonal, bounds, blocked)]
    return [*conditions(found, k, FAR), *far]


# A failure in a row, column or number greater than this is far from the perturbation.
LATE = 1000
# The estimates, with the names of their columns.
ESTIMATES = {
    "F(F(b)) - 4F(b) + 2b": "equation",
    "E_b - 2b + F(b)": "ends",
    "d_y - y - b(y)": "diagonal",
    "2r_n - q_n - n + 1": "rows_of_ends",
    "q_n + r_n + 1 - d_(q_n)": "columns_of_ends",
}


def perturbed(lines: Path) -> str:
    """Print what the lines of `experiments perturbed --random N` say of all recurrences: in how
    many of them each statement fails, the ranges of the estimates, and the periods.
    """
    header, *rows = lines.read_text(encoding="utf-8").splitlines()
    games = [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]
    if not games:
        raise TableError(f"{lines} has no recurrences")

    def numbers(column: str) -> list[int]:
        return [int(game[column]) for game in games if game[column]]

    statements = []
    for name in (column.removesuffix(", cases") for column in games[0] if ", cases" in column):
        failures, last = numbers(name), numbers(f"{name}, last")
        late = sum(place > LATE for place in last)
        fails = [len(last), late, sum(failures), sum(numbers(f"{name}, cases"))]
        statements.append([name, *map(str, fails), str(max(last, default=""))])
    last_row = numbers("rows")[0] - 1
    text = (
        f"Not Chomp: {len(games)} random perturbations, each to row {last_row}. No row is "
        "certified; periods are\nread from 2048 columns.\n\n"
    )
    names = ["statement", "fails in", f"beyond {LATE} in", "failures", "of cases", "last failure"]
    text += grid(names, statements) + "\n"
    widths = sorted((game["D_width"] for game in games), key=float)
    entries = [("width of D(r)", f"{widths[0]} to {widths[-1]}")]
    # To the nearest four decimals.
    all_rows = last_row + 1
    shares = [(20000 * part + all_rows) // (2 * all_rows) for part in numbers("periodic")]
    least, largest = (f"{part // 10000}.{part % 10000:04}" for part in (min(shares), max(shares)))
    entries.append(("periodic rows", f"{least} to {largest} of all"))
    for name, column in ESTIMATES.items():
        low, high = (numbers(f"{column}_{end}") for end in ("least", "largest"))
        widest = max(top - bottom for bottom, top in zip(low, high, strict=True))
        words = f"{min(low)} to {max(high)}, in one recurrence at most {widest} apart"
        entries.append((name, words))
    excesses = Counter(numbers("excess"))
    entries.append(
        ("largest excess", ", ".join(f"{size} in {excesses[size]}" for size in sorted(excesses)))
    )
    taken = f"take out h balls {sum(numbers('takes_h'))}, fewer {sum(numbers('takes_fewer'))}"
    entries.append(("rows with h >= 2", taken))
    unread = f"{sum(numbers('not_read'))} of {sum(numbers('periodic'))}"
    entries.append(("periods not read", unread))
    of_period = defaultdict[int, list[int]](list)
    for cell in ",".join(game["periods"] for game in games).split(","):
        period, count = map(int, cell.split(":"))
        of_period[period].append(count)
    often = [period for period in sorted(of_period) if 10 * len(of_period[period]) >= len(games)]
    seldom = sorted(of_period.keys() - set(often))
    others = f", the last is {seldom[-1]}" if seldom else ""
    entries.append(("other periods", f"{len(seldom)}{others}"))
    text += "".join(f"{name:<23} {words}\n" for name, words in entries)
    text += "\nPeriods that occur in a tenth of the recurrences, or more:\n\n"
    found = [[period, len(of_period[period]), sum(of_period[period])] for period in often]
    return text + grid(["period", "recurrences", "rows"], found)


def grid(header: list[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown with columns for the eye; a first column of words is left-aligned."""
    cells = [header, *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    is_left = not all(row[0].isdigit() for row in cells[1:])
    lines = []
    for row in cells:
        padded = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        if is_left:
            padded[0] = row[0].ljust(widths[0])
        lines.append(f"| {' | '.join(padded)} |")
    lines.insert(1, f"|{'|'.join('-' * (width + 2) for width in widths)}|")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Prints the table that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--program", help="the program chomp")
    names = parser.add_subparsers(dest="name", required=True, metavar="NAME")

    def command(table: Callable[..., str]) -> argparse.ArgumentParser:
        text = inspect.getdoc(table) or ""
        form = argparse.RawDescriptionHelpFormatter
        added = names.add_parser(
            table.__name__, help=text.split("\n\n")[0], description=text, formatter_class=form
        )
        added.set_defaults(table=table)
        return added

    arguments = command(openings)
    arguments.add_argument("side", type=int, metavar="N")
    arguments.add_argument("parts", type=Path, metavar="DIR")
    arguments = command(rectangles)
    arguments.add_argument("boards", nargs="+", metavar="AxB")
    words = "keep the lines of each rectangle there, and believe those that are there"
    arguments.add_argument("--keep", type=Path, required=True, metavar="DIR", help=words)
    words = "test each by games from random positions; not with thousands of columns"
    arguments.add_argument("--verify", type=int, default=0, metavar="GAMES", help=words)
    arguments.add_argument("--several", action="store_true")
    arguments = command(lists)
    arguments.add_argument("--to", type=int, metavar="R", help="the last row")
    arguments.add_argument("--data", type=Path, metavar="DIR", help="read its rows")
    arguments = command(ledger)
    arguments.add_argument("--to", type=int, metavar="R", help="the last row")
    arguments.add_argument("--data", type=Path, metavar="DIR", help="read its rows")
    words = "count the P-positions of four rows to N"
    arguments.add_argument("--four-rows", type=int, metavar="N", help=words)
    arguments.add_argument("--posets", action="store_true", help="search those that take long")
    arguments = command(families)
    arguments.add_argument("names", nargs="+", metavar="FAMILY")
    arguments.add_argument("--level", type=int, default=0, metavar="G", help="the highest level")
    arguments = command(products)
    arguments.add_argument("elements", type=int, metavar="N")
    arguments.add_argument("--memory", default="4G", metavar="SIZE", help="that of a search")
    one = command(lengths).add_mutually_exclusive_group(required=True)
    one.add_argument("last", nargs="?", type=int, metavar="R", help="the last row")
    words = "print instead how many turns a game from a x b takes, a <= b <= N"
    one.add_argument("--rectangles", type=int, metavar="N", help=words)
    arguments = command(ends)
    arguments.add_argument("--to", type=int, metavar="R", help="the last row")
    arguments.add_argument("--data", type=Path, metavar="DIR", help="read its rows")
    arguments.add_argument("--random", type=int, metavar="N", help="at most 200")
    arguments = command(perturbed)
    arguments.add_argument("lines", type=Path, metavar="FILE")
    options = vars(parser.parse_args())
    program, name, table = (options.pop(key) for key in ("program", "name", "table"))
    if name == "ends" and options["to"] is None and (options["data"] is None or options["random"]):
        parser.error("ends needs --to or --data, and --random needs --to")
    if program:
        PROGRAM[:] = [program]
    try:
        print(table(**options), end="")
    except TableError as error:
        sys.exit(f"tables.py: {error}")


if __name__ == "__main__":
    main()
