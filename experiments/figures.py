"""The figures that only outputs/ shows, of rows, levels and positions that the program computes.

    python experiments/figures.py NAME [OPTION...] OUT.svg

Needs the package `chomp` (docs/PYTHON.md) and those of requirements.txt; the figures of four rows
also need the program `chomp`. Numbers that are compared, rounded or printed are integers; floats
only place marks. With the same versions of the packages a figure has the same bytes.
"""

# ruff: noqa: RUF001, RUF002

from __future__ import annotations

import argparse
import inspect
import subprocess
import tempfile
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise, takewhile
from math import isqrt, sqrt
from pathlib import Path
from typing import Any

import chomp
import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from sheets import LOWER, Array, floor, nearest, perturbation, sheets, surd

# A figure, and the lines of the table of its numbers, if it has one: the header first.
Table = list[tuple[Any, ...]]
Drawn = tuple[Figure, Table]

BLUE, VERMILION, GREEN, ORANGE, PINK = "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7"
SHADES = ["#94bfe0", "#5f9bcd", "#3277b5", "#174f86", "#062a52"]
PROVED = (
    "Every row is proved: a finite one by computing it to its end, a periodic one by the "
    "certificate in its record, an empty one by the row that makes it so."
)

mpl.rcParams.update(
    {
        "axes.axisbelow": True,
        "axes.grid": True,
        "axes.labelsize": 8,
        "axes.titlelocation": "left",
        "axes.titlesize": 7.5,
        "font.size": 7.5,
        "grid.color": "#dddddd",
        "grid.linewidth": 0.35,
        "legend.frameon": False,
        "lines.linewidth": 1,
        "lines.markersize": 3,
        "svg.hashsalt": "chomp",
    }
)


def page(title: str, height: int, *shape: int, **options: Any) -> tuple[Figure, Any]:
    """A page of 120 mm and this height with panels: rows and columns."""
    figure = Figure(figsize=(120 / 25.4, height / 25.4), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", size=10)
    axes = figure.subplots(*shape, squeeze=False, **options)
    for axis in np.ravel([[panel.xaxis, panel.yaxis] for panel in axes.flat]):
        axis.set_major_formatter(lambda value, _: grouped(value))
    return figure, axes


def finish(figure: Figure, caption: str, *legends: tuple[str, list[Any]]) -> Figure:
    """Adds legends, each with a title and marks, and the caption, which is the last text."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    bottom = 0.0
    for title, marks in legends:
        for columns in range(len(marks), 0, -1):
            legend = figure.legend(
                handles=marks,
                title=title or None,
                alignment="left",
                ncols=columns,
                loc="upper left",
                bbox_to_anchor=(0, bottom),
            )
            box = legend.get_window_extent().transformed(figure.transFigure.inverted())
            if box.x1 <= 1 or columns == 1:
                break
            legend.remove()
        bottom = box.y0
    figure.text(0.015, bottom - 0.01, textwrap.fill(caption, 86), va="top", linespacing=1.4)
    return figure


def grouped(number: float) -> str:
    """A number as text, its thousands set apart from 10 000 on."""
    text = f"{number:,.10g}" if abs(number) >= 10_000 else f"{number:.10g}"
    return text.replace(",", "\u202f").replace("-", "−")


def thousandths(number: int) -> str:
    """This number of thousandths."""
    text = f"{abs(number) // 1000}.{abs(number) % 1000:03}"
    return f"−{text}" if number < 0 else text


def mark(colour: str, words: str, style: Any = "o") -> Line2D:
    """An entry of a legend: a dot, or a line of this style."""
    marker, style = ("o", "") if style == "o" else ("", style)
    return Line2D([], [], color=colour, label=words, marker=marker, linestyle=style)


def draw_cells(axes: Axes, places: Array, extent: Any, colours: list[str]) -> None:
    """Draws cells in the colours with these places, none where it is -1, the lowest row first."""
    # A cell is many pixels, so that it has an edge in programs that smooth them.
    pixels = np.ones((-(-1200 // max(places.shape)),) * 2, int)
    axes.imshow(
        np.ma.masked_less(np.kron(places, pixels), 0),
        ListedColormap(colours),
        BoundaryNorm(range(len(colours) + 1), len(colours)),
        extent=extent,
        origin="lower",
        interpolation="none",
        aspect="auto",
    )
    axes.grid(visible=False)


def shades(counts: Array) -> tuple[Array, list[Patch]]:
    """The place of the shade of each number, -1 for 0, and a legend. Each shade begins at the same
    multiple of the number at which the one before begins."""
    most, factor = int(counts.max()), 2
    while factor ** len(SHADES) <= most:
        factor += 1
    first = [factor**place for place in range(len(SHADES) + 1)]
    legend = []
    for (begin, end), colour in zip(pairwise(first), SHADES, strict=True):
        last = min(end - 1, most)
        words = grouped(begin) if begin == last else f"{grouped(begin)} to {grouped(last)}"
        legend += [Patch(color=colour, label=words)] if begin <= most else []
    return np.searchsorted(first, counts, side="right") - 1, legend


# Figures of rows


def rows_to(to: int | None, data: Path | None) -> tuple[Array, Array]:
    """The diagonal values and the periods of rows 0 to `to`; finite rows have the period 0."""
    table = chomp.rows(100_000 if to is None and data is None else to, data=data).table()
    return table["first"].to_numpy(), table["period"].to_numpy()


def diagonal(to: int | None = None, data: Path | None = None) -> Drawn:
    """The diagonal: f(n,n) - αn against n, α = 1 + 1/√2."""
    first, _ = rows_to(to, data)
    last = len(first) - 1
    figure, [[axes]] = page("The diagonal along its line", 85, 1, 1)
    n = np.arange(len(first))
    distance = first - (1 + sqrt(0.5)) * n
    extent = (0, max(last, 1), min(-1.4, distance.min()), max(2.3, distance.max()))
    counts, _, _ = np.histogram2d(distance, n, (120, 200), (extent[2:], extent[:2]))
    places, legend = shades(counts)
    draw_cells(axes, places, extent, SHADES)
    for bound in (-1.242, 2.141):  # 2005 paper, section 8.4
        axes.axhline(bound, color=VERMILION, linestyle="--")
    axes.set(xlabel="row n", ylabel="dₙ − αn (squares)")
    words = "−1.242 and 2.141: bounds of the 2005 paper, n < 100\u202f000"
    caption = (
        "The diagonal value dₙ = f(n, n) less αn, α = 1 + 1/√2, for rows n = 0 to "
        f"{grouped(last)}; every dₙ was computed, and that they follow the line is observed, not "
        "proved."
    )
    bounds = [mark(VERMILION, words, "--")]
    return finish(figure, caption, ("Rows n in a cell:", legend), ("", bounds)), []


def densities(to: int | None = None, data: Path | None = None) -> Drawn:
    """The density of the rows of each kind against r, with the errors of counting."""
    _, period = rows_to(to, data)
    every, fewest, numbers = len(period), 40, Counter(period.tolist())
    drawn = [kind for kind in sorted(numbers) if numbers[kind] >= fewest]
    edges = sorted({every * place // 20 for place in range(21)})
    table: Table = [("period", "first", "last", "rows", "in_1000", "error")]
    title = "How many rows are of each kind"
    figure, axes = page(title, 30 + 20 * len(drawn), max(len(drawn), 1), 1, sharex=True)
    for kind in sorted(numbers):
        points = []
        for begin, end in pairwise(edges):
            size, n = end - begin, int(np.count_nonzero(period[begin:end] == kind))
            density, error = n * 10**6 // size, isqrt(n * (size - n) * 10**12 // size) // size
            table.append((kind, begin, end - 1, n, thousandths(density), thousandths(error)))
            points.append(((begin + end - 1) / 2, density / 1000, error / 1000))
        if kind in drawn:
            panel = axes[drawn.index(kind), 0]
            middle, height, error = np.transpose(points)
            panel.errorbar(middle, height, error, fmt="o", color=BLUE)
            mean = 1000 * numbers[kind] / every if kind else 1000 * (2 - sqrt(2))
            panel.axhline(mean, color=VERMILION, linestyle="--")
            name = f"period {kind}; the line is the mean" if kind else "finite; the line is 2 − √2"
            panel.set_title(f"{name}: {grouped(numbers[kind])} rows")
            panel.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes[0, 0].set_xlim(0, max(every - 1, 1))
    axes[-1, 0].set_xlabel("row r")
    figure.supylabel("rows in 1000", size=8)
    caption = (
        f"Rows 0 to {grouped(every - 1)} by kind; kinds with fewer than {fewest} rows are left "
        "out. An error of counting is that of so many independent trials, √(n(1\u00a0−\u00a0n/N)) "
        "for n of N rows."
    )
    marks = [mark(BLUE, "rows in 1000, in a twentieth of the range")]
    marks += [mark(BLUE, "error of counting", "-"), mark(VERMILION, "line", "--")]
    return finish(figure, caption, ("", marks)), table


def bands(rows: tuple[int, ...] = (1000, 10_000, 100_000)) -> Drawn:
    """The P-positions of up to five rows about two lines of Friedman and Landsberg."""
    table: Table = [("row", "line", "distance", "columns", "in_1000")]
    figure, axes = page("The bands about two lines", 85, 2, 1)
    colours, marks, shares = [ORANGE, VERMILION, BLUE, GREEN, PINK], [], []
    for r, colour in zip(sorted(rows), colours[: len(rows)], strict=True):
        row, columns = chomp.row(r), range(r + -(-r // 24), isqrt(2 * r * r) + 1)
        z = np.array(list(takewhile(lambda z: z is not None, map(row.offset, columns))), int)
        lines, heights = nearest(r, np.arange(len(z)) + columns.start - r, z)
        for place, name in enumerate(("lower", "upper")):
            is_near = (lines == LOWER) == (name == "lower")
            counts = sorted(Counter(floor(heights)[is_near].tolist()).items())
            density = [n * 10**6 // len(z) for _, n in counts]
            for (at, n), share in zip(counts, density, strict=True):
                table.append((r, name, at, n, thousandths(share)))
            panel, at = axes[place, 0], [at for at, _ in counts]
            panel.plot(at, np.divide(density, 1000), "o-", color=colour)
            panel.set_title(f"the {name} line")
            if name == "lower":
                shares.append(f"{thousandths(sum(density))[:-2]} in 1000 of row {grouped(r)}")
        marks.append(mark(colour, f"row {grouped(r)}", "-"))
    axes[1, 0].set_xlabel("distance from the line (squares, rounded down)")
    figure.supylabel("columns in 1000", size=8)
    caption = (
        "P-positions (p, q, r) by their distance p\u00a0−\u00a0q\u00a0−\u00a0z from the nearer of "
        "two lines, z\u00a0=\u00a0r/√2\u00a0+\u00a0(−1\u00a0±\u00a01/√2)(q\u00a0−\u00a0r), where "
        f"they are apart: r/24 ≤ q − r ≤ (√2 − 1)r. Near the lower one are {', '.join(shares)}. "
        "Nothing is scaled with r: that the curves agree is observed, not proved."
    )
    return finish(figure, caption, ("", marks)), table


def queue(to: int | None = None, data: Path | None = None) -> Drawn:
    """The largest and the least excess of periodic rows over finite ones, by the number of rows of
    the interval; and the periodic rows by the difference to the next one, and by h."""
    _, period = rows_to(to, data)
    sums = np.concatenate([[0], np.cumsum(np.where(period > 0, 1, -1))])
    table: Table = [("of", "number", "largest", "count", "first", "least")]
    for n in range(1, min(len(period), 60) + 1):
        excess = sums[n:] - sums[:-n]
        ends = np.flatnonzero(excess == excess.max()) + n - 1
        table.append(("rows", n, excess.max(), len(ends), ends[0], excess.min()))
    lengths, largest, least = np.array([(line[1], line[2], line[5]) for line in table[1:]]).T
    # h + 1 is the largest excess of an interval that begins at an earlier periodic row and ends
    # at this one (proofs/cascade.md, 5.2); row 0 has h = 0.
    periodic = np.flatnonzero(period)
    before = np.minimum.accumulate(sums[periodic])[:-1]
    tallies = {"Δ": np.diff(periodic), "h": np.append(0, sums[periodic[1:] + 1] - before - 1)}

    figure, axes = page("Periodic rows less finite rows", 110, 2, 2, height_ratios=(5, 2))
    for panel in axes[0]:
        panel.remove()
    top = figure.add_subplot(axes[0, 0].get_gridspec()[0, :])
    top.plot(lengths, largest, color=VERMILION)
    top.plot(lengths, least, color=BLUE)
    top.axline((0, 0), slope=2 * sqrt(2) - 3, color="black", linestyle="--")
    top.set_xlim(0, len(lengths))
    top.set(xlabel="rows of the interval", ylabel="periodic rows − finite rows")
    for panel, (name, numbers) in zip(axes[1], tallies.items(), strict=True):
        counts = sorted(Counter(numbers.tolist()).items())
        for number, count in counts:
            first = periodic[np.argmax(numbers == number)]
            table.append((name, number, "", count, first, ""))
        bars = panel.bar(*zip(*counts, strict=True), color=BLUE, width=0.6)
        panel.bar_label(bars, [grouped(count) for _, count in counts], size=6.5)
        panel.set(xlabel="difference to the next one" if name == "Δ" else name, yticks=[])
        panel.margins(y=0.2)
        panel.grid(visible=False)
    axes[1, 0].set_ylabel("periodic rows")
    most = max(largest)
    first, n = min((line[4], line[1]) for line in table if line[2] == most)
    caption = (
        "The number of periodic rows less the number of finite rows, in all intervals of "
        f"successive rows from 0 to {grouped(len(period) - 1)}. The largest is {most}, first in "
        f"the {n} rows to row {grouped(first)}. A row with h ≥ 2 would end an interval with excess "
        "3 or more. That the curves stay at a bounded distance from the line is observed, not "
        "proved. Below, the number of periodic rows by the difference to the next one, and by h, "
        "the length of the queue."
    )
    words = "mean, if the density of periodic rows is √2 − 1"
    marks = [(VERMILION, "largest", "-"), (BLUE, "least", "-"), ("black", words, "--")]
    return finish(figure, caption, ("", [mark(*words) for words in marks])), table


def renormalize(to: int = 4096, random: int = 2) -> Drawn:
    """The map of Friedman and Landsberg from a sheet to the next, iterated from Chomp's first sheet
    and from a random one of outputs/perturbed.tsv, from 0: P-positions in units of r, and the bands
    about the lines. The sheets of rows 128, 256, 512, ... are kept."""
    starts = {
        "Chomp": sheets(to, [], []),
        f"random sheet {random}": sheets(to, *perturbation(random)),
    }
    columns = "start row lower upper lower_in_1000 mean greatest from_half from_first_start"
    table: Table = [tuple(columns.split())]
    title, ratios = "Sheets under renormalization", (3, 1)
    figure, [[top], [bottom]] = page(title, 130, 2, 1, height_ratios=ratios)
    marks, lines, farthest = [], [], []
    colours = [("#9ecae1", BLUE), ("#fdae6b", VERMILION)]
    for (name, found), inks in zip(starts.items(), colours, strict=True):
        for sheet, half, first in zip(found, [None, *found], starts["Chomp"], strict=False):
            lower, upper, _ = np.bincount(sheet.nearest()[0], minlength=3).tolist()
            share, far = 1000 * lower // max(lower + upper, 1), sheet.far()
            distances = thousandths(far.sum() // len(far)), sheet.greatest()
            apart = "" if half is None else sheet.difference(half), sheet.difference(first)
            table.append((name, sheet.row, lower, upper, share, *distances, *apart))
        ends = [found[0], found[-1]]
        for sheet, ink, size in zip(ends, inks, (9, 2), strict=True):
            y = np.arange(len(sheet.offsets)) / sheet.row
            dots = top.scatter(y, sheet.offsets / sheet.row, size, ink, linewidths=0)
            dots.set_rasterized(len(y) > 1000)
            marks.append(mark(ink, f"{name}, row {grouped(sheet.row)}"))
        heights = floor(found[-1].nearest()[1]).clip(-8, 8)
        density = [10**6 * n // len(heights) / 1000 for n in np.bincount(heights + 8, minlength=17)]
        bottom.plot(range(-8, 9), density, "o-", color=inks[1])
        greatest = [f"{sheet.greatest()} in row {grouped(sheet.row)}" for sheet in ends]
        farthest.append(f"{name}: {' and '.join(greatest)}")
    end, bend = 0.75, sqrt(2) - 1
    for points, style, words in [
        ([(0, sqrt(0.5)), (bend, 2 - sqrt(2))], "-", "z = r/√2 − (1 − 1/√2)·y"),
        ([(0, sqrt(0.5)), (bend, 0)], "--", "z = r/√2 − (1 + 1/√2)·y"),
        ([(bend, 2 - sqrt(2)), (end, 2 - sqrt(2))], ":", "z = (2 − √2)·r"),
    ]:
        top.plot(*zip(*points, strict=True), style, color="black", linewidth=0.6)
        lines.append(mark("black", words, style))
    top.set(xlabel="(q − r) / r", ylabel="(p − q) / r", xlim=(-0.01, end), ylim=(-0.01, end))
    bottom.set(xlabel="distance from the line (squares, rounded down)", ylabel="columns in 1000")
    bottom.set_title("the bands of the last sheets")
    caption = (
        "P-positions (p, q, r) in units of r, where the map from an instant-winner sheet to the "
        "next was iterated from two first sheets; y = q − r, z = p − q. The three lines are the "
        "fixed point that Friedman and Landsberg describe; that sheets tend to it is observed, not "
        "proved. The greatest distance from the lines, in squares and not scaled, is, for "
        f"{'; '.join(farthest)}."
    )
    return finish(figure, caption, ("", marks), ("", lines)), table


# Figures of levels


def levels(level: int = 6, to: int = 1000) -> Drawn:
    """Levels of three-rowed Chomp: how many rows are empty, finite, or of each period."""
    kinds = [(0, "empty"), (0, "finite")]
    counts: Counter[tuple[tuple[int, str], int]] = Counter()
    for row in chomp.levels(level, to):
        finite_or_empty = kinds[row.is_finite]
        kind = (row.period, grouped(row.period)) if row.period else finite_or_empty
        counts[kind, row.level] += 1
    kinds = sorted({kind for kind, _ in counts})
    numbers = np.array([[counts[kind, g] for g in range(level + 1)] for kind in kinds])
    title = "Empty and finite rows, and periods, by level"
    figure, [[axes]] = page(title, 12 + 4 * len(kinds), 1, 1)
    places, _ = shades(numbers)
    draw_cells(axes, places, (-0.5, level + 0.5, -0.5, len(kinds) - 0.5), SHADES)
    for (y, x), number in np.ndenumerate(numbers):
        if number:
            ink = "white" if places[y, x] > 1 else "black"
            axes.text(x, y, grouped(number), ha="center", va="center", color=ink)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.set(xlabel="level", ylabel="period (columns)", xticks=range(level + 1))
    axes.set_yticks(range(len(kinds)), [name for _, name in kinds])
    axes.hlines(np.arange(len(kinds) + 1) - 0.5, -0.5, level + 0.5, color="#dddddd", linewidth=0.35)
    axes.spines[:].set_visible(False)
    axes.invert_yaxis()
    caption = (
        f"How many of the rows r = 0 to {grouped(to)} of each level of three-rowed Chomp are "
        f"empty, finite, or periodic with each period. {PROVED} Every period is the least one."
    )
    return finish(figure, caption), []


def level_starts(level: int = 6, to: int = 1000) -> Drawn:
    """Starts of the periodic rows by level: start - √2·r against r."""
    of: dict[int, list[chomp.Row]] = {g: [] for g in range(level + 1)}
    for row in chomp.levels(level, to):
        of[row.level].append(row)
    ended, drawn = [], {}
    for g, rows in of.items():
        last = max((row.row for row in rows if row.empty_by is None), default=-1)
        starts = np.array([(row.row, row.start) for row in rows if row.period])
        if last < to:
            ended.append(f"level {g} (empty from row {grouped(last + 1)} on)")
        elif not starts.size:
            ended.append(f"level {g} (no periodic row)")
        else:
            drawn[g] = starts.T
    title = "Where periodic rows start, by level"
    figure, axes = page(title, 20 + 32 * len(drawn), max(len(drawn), 1), 1)
    for [axis], (g, (r, start)) in zip(axes, drawn.items(), strict=False):
        axis.plot(r, start - sqrt(2) * r, "o", color=BLUE, markersize=2, markeredgewidth=0)
        # Exact enough to find the least and the largest: billionths.
        order = floor(surd(start, -2 * r), 10**9)
        ends = [
            f"{thousandths(order[at] // 10**6)} (row {grouped(r[at])})"
            for at in (order.argmin(), order.argmax())
        ]
        axis.set_title(f"level {g}: {grouped(len(r))} rows, from {ends[0]} to {ends[1]}")
        axis.set_xlim(0, to)
    axes[-1, 0].set_xlabel("row r")
    figure.supylabel("start − √2·r (columns)", size=8)
    without = f" Without a panel: {', '.join(ended)}." if ended else ""
    caption = (
        f"The start of every periodic row less √2·r, for rows r = 0 to {grouped(to)} of each level "
        f"of three-rowed Chomp; the heights of the panels differ in scale.{without} {PROVED} That "
        "starts stay near √2·r is observed, not proved."
    )
    return finish(figure, caption), []


# Figures of four rows: P-positions (a,b,c,d)


def positions(first: int, to: int, program: str) -> Iterator[tuple[int, Array]]:
    """The P-positions of four rows by a, from `first` to `to`: an array of lines b, c, d."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "positions.csv"
        command = f"positions --rows 4 --from {first} --to {to} --format csv --out".split()
        subprocess.run([program, *command, file], check=True, stdout=subprocess.DEVNULL)
        every = np.loadtxt(file, np.int16, delimiter=",", skiprows=1, ndmin=2)
    for layer in np.split(every, np.flatnonzero(np.diff(every[:, 0])) + 1):
        yield int(layer[0, 0]), layer[:, 1:].astype(np.int64)


def openings(a: int, lower: Array) -> list[tuple[int, int]]:
    """The winning bites in 4 × a: the row, and the squares that it leaves there and below."""
    found = []
    for row in (2, 3, 4):
        above, left = lower[:, : row - 2], lower[:, row - 2 :]
        is_left = (above == a).all(1) & (left == lower[:, 2:]).all(1) & (lower[:, 2] < a)
        found += [(row, int(x)) for x in lower[is_left, 2]]
    return found


def family(a: int, lower: Array) -> str:
    """LOW if the bite in row 2 of 4 × a wins."""
    return "LOW" if any(row == 2 for row, _ in openings(a, lower)) else "HIGH"


OPENINGS = {2: VERMILION, 3: BLUE, 4: GREEN}


def section(a: int = 499, program: str = "chomp") -> Drawn:
    """All P-positions (a,b,c,d) of four rows in the plane of b and c, shaded by d."""
    [(_, lower)] = positions(a, a, program)
    b, c, d = lower.T
    shared = -(-(a + 1) // 250)
    number = -(-(a + 1) // shared)
    least = np.full((number, number), a + 1)
    np.minimum.at(least, (c // shared, b // shared), d)
    ranges = {2: "d to a/50", 10: "to a/10", 20: "to a/5", 30: "to 3a/10", 100: "more"}
    places = np.searchsorted([end * a for end in ranges], 100 * least)
    title = f"P-positions of four rows with a = {grouped(a)}: {family(a, lower)}"
    figure, [[axes]] = page(title, 112, 1, 1)
    edge = number * shared - 0.5
    draw_cells(axes, np.where(places < 5, places, -1), (-0.5, edge, -0.5, edge), SHADES[::-1])
    axes.plot([0, a], [0, a], color="#dddddd", linewidth=0.6)
    inks = zip(SHADES[::-1], ranges.values(), strict=True)
    shaded = [Patch(color=ink, label=words) for ink, words in inks]
    legends: list[tuple[str, list[Any]]] = [("", shaded)]
    if len(found := openings(a, lower)) == 1:
        [(row, x)] = found
        left = [a if below < row else x for below in (2, 3, 4)]
        axes.plot(*left[:2], "o", color=OPENINGS[row], markersize=5, clip_on=False)
        words = ", ".join(map(str, (a, *left)))
        opening = mark(OPENINGS[row], f"left by the winning opening: ({words})")
        legends.append(("", [opening]))
    axes.set(xlabel="b (squares)", ylabel="c (squares)", aspect="equal")
    size = f"{shared} × {shared} of the (b, c)" if shared > 1 else "one (b, c)"
    caption = (
        f"All {grouped(len(lower))} P-positions (a, b, c, d), a\u00a0≥\u00a0b\u00a0≥\u00a0c\u00a0"
        f"≥\u00a0d, with a\u00a0=\u00a0{grouped(a)}; for each (b, c) there is at most one d. "
        f"Cells have {size}, with the shade of its least d. The darkest ones, with the least d, "
        "lie along the three lines of three-rowed Chomp."
    )
    return finish(figure, caption, *legends), []


def slices(to: int = 1000, program: str = "chomp") -> Drawn:
    """P-positions of four rows by b/a and c/a, for three values of d/a and for HIGH and LOW a."""
    families, middles, columns, rows = ("HIGH", "LOW"), (100, 200, 300), 120, 180
    counts = np.zeros((2, 3, rows, columns), int)
    above = 85 * to // 100
    for a, lower in positions(above + 1, to, program):
        own = counts[families.index(family(a, lower))]
        for place, middle in enumerate(middles):
            b, c, d = 1000 * lower.T
            inside = (abs(d - middle * a) <= 4 * a) & (b >= 400 * a) & (c < 900 * a)
            x = np.minimum((b[inside] - 400 * a) * columns // (600 * a), columns - 1)
            np.add.at(own[place], (c[inside] * rows // (900 * a), x), 1)
    places, legend = shades(counts)
    title = "P-positions of four rows with the same d/a"
    figure, axes = page(title, 122, 2, 3, sharex=True, sharey=True)
    for (row, column), panel in np.ndenumerate(axes):
        draw_cells(panel, places[row, column], (0.4, 1, 0, 0.9), SHADES)
        panel.set_title(f"{families[row]}, d/a = {middles[column] / 1000}", loc="center")
    for panel in axes[1]:
        panel.set_xlabel("b/a")
    for panel in axes[:, 0]:
        panel.set_ylabel("c/a")
    ordered = np.sort(counts.ravel())[::-1]
    half = int((2 * (np.cumsum(ordered) - ordered) < ordered.sum()).sum())
    high, low = (grouped(int(own.sum())) for own in counts)
    caption = (
        f"P-positions (a, b, c, d) with {grouped(above)} < a ≤ {grouped(to)} and d/a within 0.004 "
        f"of the number above: {high} with HIGH a, {low} with LOW a. Half of them are in "
        f"{grouped(half)} of the {grouped(counts.size)} cells. For these d/a the two families have "
        "the same curves; a LOW a only lacks P-positions with d/a above 0.44 (observed)."
    )
    return finish(figure, caption, ("P-positions in a cell:", legend)), []


def families(to: int = 1000, program: str = "chomp") -> Drawn:
    """The families HIGH and LOW of four rows: the median and the largest d/a against a."""
    table: Table = [("a", "family", "opening", "left", "positions", "median", "largest")]
    points, smallest = [], 20
    for a, lower in positions(smallest, to, program):
        if len(found := openings(a, lower)) != 1:
            continue
        [(row, left)], d = found, np.sort(lower[:, 2])
        # Millionths of a, to the nearest, of the mean of the two in the middle.
        middle = (10**6 * int(d[(len(d) - 1) // 2] + d[len(d) // 2]) + a) // (2 * a)
        table.append((a, family(a, lower), row, left, len(d), thousandths(middle), d[-1]))
        points.append((row, a, middle / 1000, 1000 * d[-1] / a))
    figure, axes = page("The families HIGH and LOW of four rows", 115, 2, 1)
    panels = [("the median of d", (100, 320)), ("the largest d", (400, 1000))]
    for place, ([panel], (words, heights)) in enumerate(zip(axes, panels, strict=True)):
        for row, ink in OPENINGS.items():
            own = np.array([point for point in points if point[0] == row]).reshape(-1, 4)
            panel.scatter(own[:, 1], own[:, 2 + place], 4, ink, linewidths=0)
        panel.set(xlabel="a (squares)", ylabel="thousandths of a", xlim=(0, to), ylim=heights)
        panel.set_title(words)
    names = ["row 2, and leaves (a, x, x, x): LOW", "row 3: HIGH", "row 4: HIGH"]
    marks = [mark(ink, name) for ink, name in zip(OPENINGS.values(), names, strict=True)]
    low = sum(point[0] == 2 for point in points)
    caption = (
        f"P-positions (a, b, c, d), a from {smallest} to {grouped(to)}: of {grouped(len(points))} "
        f"a, {grouped(low)} are LOW. If the opening leaves (a, x, x, x), all other P-positions "
        "with this a have d < x, so x is the largest d (proved). That the medians form two bands "
        "is observed."
    )
    return finish(figure, caption, ("The winning opening of 4 × a is in", marks)), table


def splits(to: int = 6000) -> Drawn:
    """In which row 4 × n is opened: how often, less the mean share of the row."""
    opened: dict[int, Array] = {row: np.zeros(to + 1, np.int64) for row in OPENINGS}
    file = Path(__file__).parents[1] / "outputs/openings-few-rows.tsv"
    for line in file.read_text(encoding="utf-8").splitlines()[1:]:
        rows, n, _, bites = line.split("\t")
        for row in {int(bite.split(",")[0]) for bite in bites.split()}:
            if rows == "4" and int(n) <= to:
                opened[row][int(n)] = 1
    table: Table = [("row", "to", "openings", "range")]
    figure, [[axes]] = page("In which row 4 × n is opened", 85, 1, 1)
    for row, ink in OPENINGS.items():
        counts, n = np.cumsum(opened[row]), np.arange(to + 1)
        for end in (to // 16, to // 8, to // 4, to // 2, to):
            apart = (counts * end - counts[end] * n)[: end + 1]
            table.append((row, end, counts[end], thousandths(1000 * int(np.ptp(apart)) // end)))
        axes.plot(n, counts - counts[to] * n / to, color=ink)
    axes.set(xlabel="n (squares)", ylabel="openings − mean", xlim=(0, to))
    ranges = [line[3] for line in table if line[1] == to]
    caption = (
        f"The number of 4 × m, 4 ≤ m ≤ n, with a winning opening in row i, less the share of the "
        f"row to n = {grouped(to)}. For i = 2, 3, 4 the range of this difference is "
        f"{', '.join(ranges)} (computed); whether it stays bounded is open."
    )
    marks = [mark(ink, f"row {row}", "-") for row, ink in OPENINGS.items()]
    return finish(figure, caption, ("", marks)), table


FIGURES: list[Callable[..., Drawn]] = [diagonal, densities, bands, queue, renormalize]
FIGURES += [levels, level_starts, section, slices, families, splits]
OPTIONS: dict[str, tuple[Callable[[str], Any], str]] = {
    "to": (int, "the last row, or the largest a"),
    "data": (Path, "the data set to read the rows from"),
    "rows": (lambda text: tuple(map(int, text.split(","))), "the rows, with commas"),
    "random": (int, "which random sheet, from 0"),
    "level": (int, "the highest level"),
    "a": (int, "the length of the longest row"),
    "program": (str, "the program chomp"),
}


def save(figure: Figure, file: Path) -> None:
    """Writes the SVG; its description is the caption."""
    caption = " ".join(figure.texts[-1].get_text().split("\n"))
    figure.savefig(
        file,
        bbox_inches="tight",
        dpi=600,
        metadata={"Date": None, "Title": figure.get_suptitle(), "Description": caption},
    )


def main() -> None:
    """Draws the figure that the command line names."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    names = parser.add_subparsers(dest="name", required=True, metavar="NAME")
    figures = {draw.__name__.replace("_", "-"): draw for draw in FIGURES}
    for name, draw in figures.items():
        text = inspect.getdoc(draw) or ""
        command = names.add_parser(name, help=text, description=text)
        for option, parameter in inspect.signature(draw).parameters.items():
            kind, words = OPTIONS[option]
            command.add_argument(f"--{option}", type=kind, default=parameter.default, help=words)
        command.add_argument("--tsv", type=Path, help="write the table of the numbers there")
        command.add_argument("out", type=Path, metavar="OUT.svg")
    options = vars(parser.parse_args())
    name, tsv, out = (options.pop(key) for key in ("name", "tsv", "out"))
    figure, table = figures[name](**options)
    if tsv and not table:
        parser.error(f"{name} has no table")
    if tsv:
        lines = ["\t".join(map(str, line)) + "\n" for line in table]
        tsv.write_text("".join(lines), encoding="utf-8")
    save(figure, out)


if __name__ == "__main__":
    main()
