"""The tables of outputs/: against the rules in plain Python, published lists and other programs."""

# ruff: noqa: RUF001

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise, product
from math import prod
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OUTPUTS = ROOT / "outputs"
FEW_ROWS, LONG = "openings-few-rows.tsv", "openings-long.tsv"

Openings = dict[tuple[int, int], list[tuple[int, int]]]


def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the script."""
    command = [sys.executable, ROOT / "experiments/tables.py", "--program", program, *arguments]
    environment = {**os.environ, "PYTHONUTF8": "1"}
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=environment
    )


def table(program: str, *arguments: str | Path) -> str:
    """What it prints."""
    done = run(program, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def output(name: str) -> str:
    """A file of outputs/."""
    return (OUTPUTS / name).read_text(encoding="utf-8")


def openings(name: str) -> Openings:
    """A table of openings: by rows and columns, the openings."""
    found: Openings = {}
    for line in output(name).splitlines()[1:]:
        rows, columns, number, bites = line.split("\t")[:4]
        squares = [(int(row), int(column)) for row, column in map(pair, bites.split())]
        assert len(squares) == int(number)
        found[int(rows), int(columns)] = squares
    return found


def pair(text: str) -> list[str]:
    """Two numbers."""
    return text.split(",")


def test_ends_have_the_ranges_of_an_independent_program(program: str) -> None:
    """By its ends and starts of these rows."""
    printed = table(program, "ends", "--data", OUTPUTS / "rows-10000")
    assert [" ".join(line.split()) for line in printed.splitlines()] == [
        "Rows 0 to 10000",
        "x_n - 2n - e(n) from -1 (n = 10) to 2 (n = 89)",
        "r_n - n - #{i: x_i + i < x_n} from -1 (n = 31) to 1 (n = 7)",
        "K(r) - e(r) from 0 (r = 0) to 2 (r = 89)",
        "N(r) - 2r, r >= 2 from -5857 (r = 10000) to 0 (r = 3)",
        "N(r) - the greatest N(c), c < r from -3 (r = 2977) to 5 (r = 626)",
        "N(r) - √2 r from -1.7098 (r = 458) to 5.4061 (r = 5431)",
    ]
    computed = table(program, "ends", "--to", "300")
    assert computed.startswith("Rows 0 to 300\n")
    assert computed.splitlines()[4].endswith("to 0 (r = 3)")


def test_columns_have_the_ranges_of_an_independent_program(program: str) -> None:
    """By the definitions and the bare recurrence."""
    assert table(program, "ends", "--random", "1", "--to", "800").splitlines() == [
        "E\tGA\tFF\tUB\tSL\tperturbation",
        "-1 to 1\t0 to 1\t-2 to 1\t0 to 2\t-2 to 2\tPerturbation(diagonal: [], cells: [])",
        "0 to 2\t5 to 7\t0 to 4\t6 to 10\t-1 to 10\t"
        "Perturbation(diagonal: [1, 12, 47, 48, 53, 54, 58], cells: [])",
    ]


def test_the_ledger_has_every_claim_of_the_program_and_of_the_committed_one(program: str) -> None:
    """Some claims are out of reach of few rows; the part on Cho 2018 does not depend on the range,
    and that on Garg 2026 does.
    """
    document, committed = table(program, "ledger", "--to", "300"), output("LEDGER.md")
    claims = [line.split("**. ")[1] for line in document.splitlines() if line.startswith("- **")]
    ron = "".join(file.read_text("utf-8") for file in ROOT.glob("crates/ledger/src/*/claims.ron"))
    assert len(claims) == len(re.findall(r"(?m)^ +id: ", ron)) > 200
    lines = [line for line in committed.splitlines() if line.startswith("- **")]
    assert claims == [line.split("**. ")[1] for line in lines]
    of_cho, of_committed = (
        text[text.index("## I.-S. Cho") : text.index("## A. Garg")]
        for text in (document, committed)
    )
    assert of_cho == of_committed
    # The table of verdicts, what is wrong with the true figure, the papers.
    found = "  - found: row 782 has period 1, the offset 459 from column 1106 on"
    marks = [
        "| all |",
        "\n## Wrong",
        found,
        "\n## Vague",
        "\n## A. E. Brouwer, G. ",
        "\n## I.-S. Cho",
    ]
    places = [document.index(mark) for mark in marks if mark != found or found in document]
    assert places == sorted(places)
    rows = [line.split("|")[2:-1] for line in document.splitlines() if line.startswith("| ")]
    numbers = [[int(cell) for cell in row] for row in rows[1:]]
    assert numbers[-1][-1] == len(claims)
    assert [sum(column) for column in zip(*numbers[:-1], strict=True)] == numbers[-1]
    assert all(sum(row[:-1]) == row[-1] for row in numbers)
    for verdict in rows[0][:-1]:
        assert f"\n- *{verdict.strip()}" in document
    assert "*out of reach*" in document
    assert "*out of reach*" not in committed


def test_the_document_of_openings_has_the_first_boards(program: str, tmp_path: Path) -> None:
    """As the committed document, by another run, does; and again from the parts that it keeps."""
    document = table(program, "openings", "13", tmp_path / "parts")
    committed = output("OPENINGS.md").splitlines()
    found = [line for line in document.splitlines() if line.startswith(("| 8 × 10", "| 13 | "))]
    assert len(found) == 2
    assert set(found) < set(committed)
    by_measure = [line for line in document.splitlines() if line.startswith("Smallest with 2")]
    assert by_measure == [line for line in committed if line.startswith("Smallest with 2")]
    assert list((tmp_path / "parts").iterdir())
    assert table(program, "openings", "13", tmp_path / "parts") == document


def test_openings_of_long_rectangles_are_those_of_short_ones_and_published() -> None:
    """By another solver and another run, where both have them; no opening is within another, and on
    a square their number is odd."""
    long, short = openings(LONG), openings("openings-20.tsv")
    both = [board for board in long if board in short]
    assert len(both) > 100
    assert all(long[board] == short[board] for board in both)
    # Padhi 2026, section 4.
    of_two = "6x13 6x93 7x29 7x30 7x57 8x10 8x22 8x23 9x10 9x26 10x14 10x29 10x33 10x35 11x18"
    for name in [*of_two.split(), "12x13", "13x16", "14x16"]:
        rows, columns = map(int, name.split("x"))
        assert len(long.get((rows, columns), "??")) == 2
    # Padhi and Dabish 2026.
    assert long[10, 42] == [(5, 36), (7, 30), (8, 26)]
    for (rows, columns), bites in long.items():
        assert is_antichain(bites)
        assert rows != columns or rows == 1 or len(bites) % 2 == 1


def is_antichain(bites: list[tuple[int, int]]) -> bool:
    """Whether no bite is within another."""
    return all(a < c and b > d for (a, b), (c, d) in pairwise(bites))


def test_openings_of_few_rows_are_those_of_rectangles(program: str, tmp_path: Path) -> None:
    """Those by a sieve, by tables; and some are found again."""
    few, long = openings(FEW_ROWS), openings(LONG)
    both = [board for board in few if board in long]
    assert len(both) > 250
    assert all(few[board] == long[board] for board in both)
    # Padhi 2026, section 4.
    assert [len(few[6, 13]), len(few[6, 93])] == [2, 2]
    assert all(bites and is_antichain(bites) for bites in few.values())
    found = table(program, "rectangles", "4x160", "5x151", "--keep", tmp_path).splitlines()
    assert len(found) == 1 + 157 + 147
    assert set(found) < set(output(FEW_ROWS).splitlines())


def test_rectangles_are_kept(program: str, tmp_path: Path) -> None:
    """The lines that are there are believed, if they are of this rectangle."""
    boards = ("rectangles", "2x9", "8x12", "--keep", tmp_path / "lines", "--verify", "50")
    found = table(program, *boards)
    assert set(found.splitlines()) < set(output(LONG).splitlines())
    again = run("no-such-program", *boards)
    assert (again.returncode, again.stdout) == (0, found)
    assert again.stderr.count("is believed") == 2
    several = table(program, *boards, "--several")
    assert "2 × 9, 8 × 12.\n1 of them have" in several
    assert "| 8 × 10 | 80 | 2 | 4,9 and 5,6 | yes |\n" in several
    kept = tmp_path / "lines/8x12.tsv"
    text = kept.read_text(encoding="utf-8")
    for damaged in (
        "",
        text.replace("8\t9\t", "8\t10\t"),
        text[:-20],
        text.replace("\t2\t", "\t3\t"),
    ):
        kept.write_text(damaged, encoding="utf-8")
        refused = run(program, *boards)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "remove it" in refused.stderr
    # The program refuses it, and says why.
    refused = run(program, "rectangles", "9x2", "--keep", tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "A <= B" in refused.stderr


def test_products_have_the_openings_of_a_plain_search(program: str) -> None:
    """A position is the set of its elements, as bits; the poison is element 0."""
    committed, found = (text.splitlines() for text in (output(PRODUCTS), products(program)))
    assert set(found) < set(committed)
    sides = [line.split("\t")[:3] for line in found[1:]]
    all_sides = product(range(2, 13), repeat=3)
    expected = {side for side in all_sides if prod(side) <= 40 and list(side) == sorted(side)}
    assert {tuple(map(int, side)) for side in sides} == expected
    for line in found[1:]:
        a, b, c, number, bites, _ = line.split("\t")
        elements = list(product(*(range(1, int(side) + 1) for side in (a, b, c))))
        above = [
            sum(1 << n for n, other in enumerate(elements) if is_above(other, own))
            for own in elements
        ]

        @cache
        def is_p(position: int, above: tuple[int, ...] = tuple(above)) -> bool:
            bites = (n for n in range(1, len(above)) if position >> n & 1)
            return not any(is_p(position & ~above[n]) for n in bites)

        wins = [own for own, taken in zip(elements, above, strict=True) if taken != above[0]]
        wins = [own for own in wins if is_p(above[0] & ~above[elements.index(own)])]
        names = [",".join(map(str, own)) for own in wins]
        assert (number, bites) == (str(len(names)), " ".join(names))


PRODUCTS = "openings-products.tsv"


def products(program: str) -> str:
    """Those with at most 40 elements."""
    return table(program, "products", "40")


def is_above(other: tuple[int, ...], own: tuple[int, ...]) -> bool:
    """Whether a bite at `own` takes the other element."""
    return all(x >= y for x, y in zip(other, own, strict=True))


@cache
def turns(rows: tuple[int, ...]) -> int:
    """The length of a game, by the rules: odd if the position is P."""
    left = [
        (*rows[:row], *(min(x, end) for end in rows[row:]))
        for row in range(len(rows))
        for x in range(rows[row])
        if row or x
    ]
    lengths = [turns(position) for position in left]
    winning = [length for length in lengths if length % 2 == 1]
    return 1 + (min(winning) if winning else max(lengths, default=0))


def test_lengths_of_rectangles_are_those_of_outputs_and_of_the_rules(program: str) -> None:
    """At least 2·max(a, b)."""
    committed = output("lengths-12.tsv").splitlines()
    found = table(program, "lengths", "--rectangles", "6").splitlines()
    assert len(found) == 22
    assert set(found) < set(committed)
    for line in committed[1:]:
        rows, columns, length = map(int, line.split("\t"))
        assert rows == 1 or (length >= 2 * columns and length % 2 == 0)
        if columns <= 5:
            assert length == turns((columns,) * rows)


def test_lengths_along_rows_are_those_of_the_rules(program: str) -> None:
    """With the condition under which `proofs/boards.md`, 8 (e), proves it for all columns."""
    committed, found = output("lengths-2000.tsv"), table(program, "lengths", "130")
    assert committed.startswith(found)
    lines = [list(line.split("\t")) for line in found.splitlines()[1:]]
    settled = 0
    # f(q,r) of the first rows, the last of which is periodic; a finite one has ended before q.
    for row, start, period, begin, repeats, lengths, excess, window, shift in lines[:4]:
        r, q_1 = int(row), int(begin)
        assert (period, repeats, shift) == ("1", "1", "1")
        settled = max(settled, int(start), r + 1)
        assert int(window) >= settled + 2 * r + 3
        for q in range(q_1, int(window) + r + 2):
            p, length = p_position(q, r)
            assert (length - 2 * q, length - 2 * p + 1) == (int(lengths), int(excess))
        if q_1 > r:
            p, length = p_position(q_1 - 1, r)
            assert (length - 2 * q_1 + 2, length - 2 * p + 1) != (int(lengths), int(excess))


def p_position(q: int, r: int) -> tuple[int, int]:
    """The p of the P-position (p,q,r), and its length."""
    of_p = ((p, turns((p, q, r))) for p in range(max(q, 1), q + r + 2))
    return next((p, length) for p, length in of_p if length % 2 == 1)


def test_the_document_on_recurrences_counts_their_lines(program: str, tmp_path: Path) -> None:
    """All of them, and two of them by hand."""
    lines = OUTPUTS / "perturbed.tsv"
    assert table(program, "perturbed", lines) == output("perturbed.txt")
    header, one, other, *_ = output("perturbed.tsv").splitlines()
    few = tmp_path / "few.tsv"
    few.write_text("\n".join([header, one, other]), encoding="utf-8")
    found = table(program, "perturbed", few)
    both = [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in (one, other)]
    failures = [int(line["h <= 1"]) for line in both]
    row = next(line for line in found.splitlines() if line.startswith("| h <= 1"))
    cells = [cell.strip() for cell in row.split("|")]
    assert cells[2] == str(sum(number > 0 for number in failures))
    assert cells[4] == str(sum(failures))
    assert cells[6] == str(max(int(line["h <= 1, last"]) for line in both))


@pytest.mark.parametrize(
    "arguments", ["", "lengths", "ends", "ends --random 1", "lengths 3 --to 4"]
)
def test_usage(program: str, arguments: str) -> None:
    """What is missing or unknown is refused."""
    assert run(program, *arguments.split()).returncode == 2


def test_lists_of_rows_are_those_of_nivasch(program: str) -> None:
    """The text on Brouwer's page, to 10 000."""
    assert table(program, "lists", "--to", "10000") == output("period-lists-10000.txt")
    assert table(program, "lists", "--to", "100") == ""


def test_families_are_those_of_outputs(program: str) -> None:
    """The smaller ones."""
    header, *expected = output("families.tsv").splitlines()
    names = ["skew 1000 2 -1", "beside chains 7 6", "beside complete 5", "on circuit 8"]
    printed = table(program, "families", *names, "--level", "2").splitlines()
    assert printed[0] == header
    assert printed[1:] == [line for line in expected if line.split("\t")[0] in names]
