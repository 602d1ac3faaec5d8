"""The figures of outputs/: what they draw, against the rules and the recurrence in plain Python."""

# ruff: noqa: RUF001

from __future__ import annotations

import re
import statistics
import subprocess
import sys
from collections import Counter
from functools import cache
from importlib.metadata import version
from itertools import pairwise, product
from math import floor, sqrt
from pathlib import Path
from typing import Any

import chomp
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments"))

import figures  # noqa: E402
import sheets  # noqa: E402

ALPHA = 1 + sqrt(0.5)


@cache
def recurrence(
    rows: int, columns: int, diagonal: tuple[int, ...] = (), cells: tuple[tuple[int, int], ...] = ()
) -> dict[tuple[int, int], int]:
    """f(q, r) by fact 1, with these numbers blocked from the outset."""
    found: dict[tuple[int, int], int] = {}
    in_row = {0, *diagonal}
    in_column: list[set[int]] = [set() for _ in range(columns)]
    for column, number in cells:
        in_column[column].add(number)
    for r in range(rows):
        blocked = set(in_row)
        for q in range(r, columns):
            p = next(p for p in range(q, 4 * columns) if p not in blocked | in_column[q])
            found[q, r] = p
            blocked.add(p)
            in_column[q].add(p)
            if p == q:
                break
        in_row.add(found[r, r])
    return found


@cache
def four_rows(longest: int) -> dict[int, list[tuple[int, int, int]]]:
    """By a the (b, c, d) of all P-positions (a, b, c, d), from the rules of the game."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    p_positions = set()
    for a in range(1, longest + 1):
        found[a] = []
        lengths = range(a + 1)
        for b, c, d in product(lengths, lengths, lengths):
            if not b >= c >= d:
                continue
            rows = (a, b, c, d)
            bites = (
                (*rows[:row], *(min(x, left) for left in rows[row:]))
                for row in range(4)
                for x in range(rows[row])
                if row or x
            )
            if not any(bite in p_positions for bite in bites):
                p_positions.add(rows)
                found[a].append((b, c, d))
    return found


def lines(file: str) -> list[list[str]]:
    """The lines of a table without comments and header."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line[0].isdigit()]


def number(text: str) -> float:
    """A number in a text of a figure."""
    return float(text.replace("−", "-").replace("\u202f", ""))


def caption(figure: Any) -> str:
    """The caption of a figure on one line."""
    return str(figure.texts[-1].get_text()).replace("\n", " ")


def test_the_diagonal_is_that_of_the_recurrence() -> None:
    """A cell has a colour if and only if a point is in it."""
    figure, _ = figures.diagonal(to=150)
    (image,) = figure.axes[0].images
    _, _, low, high = image.get_extent()
    places = image.get_array()
    height, width = places.shape
    found = recurrence(151, 151)
    expected = set()
    for n in range(151):
        y = (found[n, n] - ALPHA * n - low) / (high - low)
        expected.add((floor(y * 120), min(n * 200 // 150, 199)))
    coloured = zip(*(~places.mask).nonzero(), strict=True)
    pixels = {(y * 120 // height, x * 200 // width) for y, x in coloured}
    assert pixels == expected


def test_densities_count_the_rows_of_brouwers_page() -> None:
    """As many rows of each period as it lists; 20 ranges of 45 rows, and one has 46."""
    _, (header, *table) = figures.densities(to=900)
    assert header == ("period", "first", "last", "rows", "in_1000", "error")
    listed = Counter(line[2] for line in lines("testdata/patterns.tsv") if int(line[0]) <= 900)
    counted: Counter[str] = Counter()
    for period, first, last, rows, density, error in table:
        counted[str(period)] += rows
        every = last + 1 - first
        assert abs(float(density) - 1000 * rows / every) < 0.002
        assert abs(float(error) - 1000 * sqrt(rows * (1 - rows / every)) / every) < 0.002
    assert {period: counted[period] for period in listed} == listed
    assert sum(counted.values()) == 901


def test_densities_draw_their_table() -> None:
    """A dot for each range, at its density."""
    figure, (_, *table) = figures.densities(to=900)
    for axes, period in zip(figure.axes, (0, 1), strict=True):
        dots, mean = axes.lines
        drawn = [f"{y:.3f}" for y in dots.get_ydata()]
        assert drawn == [line[4] for line in table if line[0] == period]
        assert period == 1 or abs(mean.get_ydata()[0] - 585.786) < 0.001


def test_bands_are_those_of_the_recurrence() -> None:
    """In floats."""
    row, found = 60, recurrence(61, 90)
    expected: Counter[tuple[str, int]] = Counter()
    for q in range(row + 3, floor(row * sqrt(2)) + 1):
        y, z = q - row, found[q, row] - q
        lower = z - row / sqrt(2) + (1 + 1 / sqrt(2)) * y
        upper = z - row / sqrt(2) + (1 - 1 / sqrt(2)) * y
        name, distance = ("lower", lower) if abs(lower) < abs(upper) else ("upper", upper)
        expected[name, floor(distance)] += 1
    figure, (_, *table) = figures.bands(rows=(row,))
    assert {(name, at): n for _, name, at, n, _ in table} == expected
    dots = sum(len(axes.lines[0].get_xdata()) for axes in figure.axes)
    assert dots == len(table) == len(expected)


def test_the_queue_is_that_of_the_recurrence() -> None:
    """Every interval is counted, and whether a row ends: it does so in column 2r or before."""
    last, found = 120, recurrence(121, 242)
    steps = [-1 if (2 * r + 1, r) not in found else 1 for r in range(last + 1)]
    figure, (_, *table) = figures.queue(to=last)
    for n in range(1, 61):
        excess = [sum(steps[first : first + n]) for first in range(last + 2 - n)]
        most = max(excess)
        expected = ("rows", n, most, excess.count(most), excess.index(most) + n - 1, min(excess))
        assert table[n - 1] == expected
    periodic = [r for r in range(last + 1) if steps[r] == 1]
    tallies = {("h", 0): [0]}
    for before, r in pairwise(periodic):
        h = max(sum(steps[first : r + 1]) for first in periodic if first < r) - 1
        tallies.setdefault(("h", h), []).append(r)
        tallies.setdefault(("Δ", r - before), []).append(before)
    counted = {(name, n): (count, first) for name, n, _, count, first, _ in table[60:]}
    assert counted == {key: (len(rows), rows[0]) for key, rows in tallies.items()}
    bars = [bar.get_height() for axes in figure.axes for bar in axes.patches]
    assert bars == [line[3] for line in table[60:]]
    assert "The largest is 2, first in the 2 rows" in caption(figure)


@pytest.mark.parametrize("index", [None, 0, 1, 2])
def test_sheets_follow_the_recurrence(index: int | None) -> None:
    """All rows of a random first sheet at once, as one after the other."""
    diagonal, cells = sheets.perturbation(index) if index is not None else ([], [])
    found = sheets.rows_from(60, 106, diagonal, cells)
    columns = found.shape[1]
    expected = recurrence(61, columns, tuple(diagonal), tuple(cells_to(columns, cells)))
    drawn = {(int(q), int(r)): found[r, q] for r, q in zip(*found.nonzero(), strict=True)}
    assert drawn == expected


def cells_to(columns: int, cells: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those in the first columns."""
    return [cell for cell in cells if cell[0] < columns]


def test_sheets_are_measured() -> None:
    """Row 128 of Chomp in floats, and its instant winners one by one."""
    row, side = 128, 96
    found = recurrence(row + 1, row + side)
    (sheet,) = sheets.sheets(row, [], [])
    count, far, distances = Counter[int](), [], []
    for y, z in enumerate(sheet.offsets.tolist()):
        assert found[row + y, row] == row + y + z
        lower = z + y - (row - y) / sqrt(2)
        is_past = y > (row - y) / sqrt(2)
        other = z - (2 - sqrt(2)) * row if is_past else z + y - (row + y) / sqrt(2)
        count[0 if abs(lower) < abs(other) else 1 + is_past] += 1
        distances.append(min(lower, other, key=abs))
        far.append(floor(1000 * abs(distances[-1])))
    line, heights = sheet.nearest()
    assert Counter(line.tolist()) == count
    assert sheets.floor(heights).tolist() == list(map(floor, distances))
    assert sheet.far().tolist() == far
    assert sheet.greatest() == max(far) // 1000 + 1 == 4
    winners: Counter[tuple[int, int]] = Counter()
    for y in range(side):
        below = {found.get((row + y, c)) for c in range(row)} | {found[c, c] for c in range(row)}
        winners.update((y // 3, z // 3) for z in range(side) if row + y + z in below)
    assert {(y, z): n for (y, z), n in np_items(sheet.winners)} == winners
    assert sheet.difference(sheet) == 0


def np_items(numbers: Any) -> list[tuple[tuple[int, int], int]]:
    """The numbers of an array that are not 0, with their places."""
    return [((y, x), n) for y, line in enumerate(numbers.tolist()) for x, n in enumerate(line) if n]


def test_renormalization_draws_its_sheets() -> None:
    """A dot for each P-position of the first and the last sheet of both starts, and the bands.
    Row 256 of Chomp ends."""
    figure, (_, *table) = figures.renormalize(to=256)
    top, bottom = figure.axes
    dots = [len(dots.get_offsets()) for dots in top.collections]
    assert dots == [96, len(chomp.row(256)), 96, 192]
    assert all(abs(sum(line.get_ydata()) - 1000) < 0.02 for line in bottom.lines)
    assert [line[:2] for line in table] == [
        (name, row) for name in ("Chomp", "random sheet 2") for row in (128, 256)
    ]
    assert [line[8] for line in table[:2]] == [0, 0]


def test_levels_count_the_rows_of_the_table() -> None:
    """That of `chomp grundy`."""
    figure, _ = figures.levels()
    (axes,) = figure.axes
    kinds = [label.get_text() for label in axes.get_yticklabels()]
    drawn = {}
    for text in axes.texts:
        level, kind = text.get_position()
        drawn[str(level), kinds[kind]] = number(text.get_text())
    table = lines("outputs/levels-1000.tsv")
    assert drawn == Counter(
        (g, period if kind == "periodic" else kind) for g, _, kind, period, _ in table
    )


def test_level_starts_are_those_of_the_table() -> None:
    """A dot for each periodic row of the levels that are not empty, and the extremes."""
    figure, _ = figures.level_starts()
    levels = {}
    for axes in figure.axes:
        words = axes.get_title("left")
        level, *extremes = re.findall(r"level (\d): .* from (\S+) .* to (\S+)", words)[0]
        starts = {
            int(row): int(start) - sqrt(2) * int(row)
            for g, row, kind, _, start in lines("outputs/levels-1000.tsv")
            if g == level and kind == "periodic"
        }
        dots = dict(zip(*axes.lines[0].get_data(), strict=True))
        assert dots == pytest.approx(starts)
        least, largest = map(number, extremes)
        assert 0 <= min(starts.values()) - least < 0.001
        assert 0 <= max(starts.values()) - largest < 0.001
        levels[level] = len(starts)
    assert levels == {"0": 415, "1": 416, "3": 415, "6": 416}


def test_a_section_has_all_p_positions(program: str) -> None:
    """A cell for each (b, c), the darker the less d."""
    figure, _ = figures.section(a=21, program=program)
    (image,) = figure.axes[0].images
    places = image.get_array()
    pixels = len(places) // 22
    cells = places[pixels // 2 :: pixels, pixels // 2 :: pixels].filled(9).tolist()
    drawn = {(b, c): place for c, line in enumerate(cells) for b, place in enumerate(line)}
    ends = [21 / 50, 21 / 10, 21 / 5, 3 * 21 / 10, 21]
    expected = {(b, c): sum(d > end for end in ends) for b, c, d in four_rows(21)[21]}
    assert {cell: place for cell, place in drawn.items() if place < 9} == expected
    assert f"All {len(expected)} P-positions" in caption(figure)


def test_slices_count_p_positions(program: str) -> None:
    """Those with d/a near 0.1, 0.2 and 0.3, by family."""
    figure, _ = figures.slices(to=21, program=program)
    numbers = {"HIGH": 0, "LOW": 0}
    for a in (18, 19, 20, 21):
        is_low = any(b == c == d < a for b, c, d in four_rows(21)[a])
        for b, c, d in four_rows(21)[a]:
            is_near = any(abs(1000 * d - middle * a) <= 4 * a for middle in (100, 200, 300))
            if is_near and 10 * b >= 4 * a and 10 * c < 9 * a:
                numbers["LOW" if is_low else "HIGH"] += 1
    high, low = numbers.values()
    assert f": {high} with HIGH a, {low} with LOW a." in caption(figure)
    assert high + low > 0
    drawn = sum(int((~axes.images[0].get_array().mask).any()) for axes in figure.axes)
    assert 0 < drawn <= 6


def test_families_are_those_of_all_p_positions(program: str) -> None:
    """Median, largest d and winning opening."""
    figure, (_, *table) = figures.families(to=22, program=program)
    for a, family, opening, left, count, median, largest in table:
        all_d = [d for _, _, d in four_rows(22)[a]]
        assert (count, largest) == (len(all_d), max(all_d))
        assert abs(float(median) - 1000 * statistics.median(all_d) / a) <= 0.0005 + 1e-9
        lower = tuple(a if below < opening else left for below in (2, 3, 4))
        assert lower in four_rows(22)[a]
        assert family == ("LOW" if opening == 2 else "HIGH")
    assert [line[0] for line in table] == [20, 21, 22]
    dots = [len(dots.get_offsets()) for axes in figure.axes for dots in axes.collections]
    assert sum(dots) == 2 * len(table)


def test_splits_count_the_openings() -> None:
    """A bite in row i leaves (n, ..., n, x, ..., x) with i - 1 rows of n squares."""
    figure, (_, *table) = figures.splits(to=21)
    opened = {
        row: [
            any(cut == (*(n,) * (row - 2), *(cut[2],) * (5 - row)) for cut in four_rows(21)[n])
            if n > 3
            else False
            for n in range(22)
        ]
        for row in (2, 3, 4)
    }
    for row, end, count, apart in table:
        own = opened[row][: end + 1]
        assert count == sum(own)
        difference = [sum(own[: n + 1]) - count * n / end for n in range(end + 1)]
        assert abs(float(apart) - (max(difference) - min(difference))) < 0.002
    assert [line[1] for line in table[:5]] == [1, 2, 5, 10, 21]
    (axes,) = figure.axes
    assert [len(line.get_xdata()) for line in axes.lines] == [22, 22, 22]


def test_the_committed_figures_are_those_of_these_versions(program: str, tmp_path: Path) -> None:
    """Byte for byte, those that take little time."""
    pinned = (ROOT / "experiments/requirements.txt").read_text(encoding="utf-8")
    packages = re.findall(r"^(\w+)==(.*)$", pinned, re.MULTILINE)
    if any(version(name) != pin for name, pin in packages):
        pytest.skip("other versions of the packages draw other bytes")
    for name, arguments in {
        "levels-1000": ["levels"],
        "level-starts-1000": ["level-starts"],
        "section-497": ["section", "--a=497", f"--program={program}"],
    }.items():
        file = tmp_path / f"{name}.svg"
        run(*arguments, str(file))
        assert file.read_bytes() == (ROOT / f"outputs/figures/{name}.svg").read_bytes(), name


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the script."""
    command = [sys.executable, str(ROOT / "experiments/figures.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def test_a_data_set_and_a_table(tmp_path: Path) -> None:
    """A data set and computed rows give the same figure; not every figure has a table."""
    data = f"--data={ROOT / 'outputs/rows-10000'}"
    for options in ([], [data]):
        run("queue", "--to=150", *options, f"--tsv={tmp_path}/a.tsv", f"{tmp_path}/a.svg")
        (tmp_path / "a.svg").rename(tmp_path / f"{len(options)}.svg")
    assert (tmp_path / "0.svg").read_bytes() == (tmp_path / "1.svg").read_bytes()
    assert (tmp_path / "a.tsv").read_text(encoding="utf-8").startswith("of\tnumber\tlargest\t")
    with pytest.raises(subprocess.CalledProcessError):
        run("levels", "--to=9", f"--tsv={tmp_path}/b.tsv", f"{tmp_path}/b.svg")
