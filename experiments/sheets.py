"""Sheets of rows, the three lines of Friedman and Landsberg, and the map from a sheet to the next.

The sheet of row r is the plane of all (y, z), y = q - r, z = p - q. All is decided in integers:
the distances from the lines are numbers a + b/√2.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# A line for each random perturbation, which is its last field.
PERTURBED = Path(__file__).parent.parent / "outputs/perturbed.tsv"


def surd(a: Any, b: Any) -> Array:
    """The numbers a + b/√2: an array whose first axis has a and b."""
    return np.stack(np.broadcast_arrays(a, b)).astype(np.int64)


def floor(numbers: Array, scale: int = 1) -> Array:
    """The largest integers that are not larger than `scale` times the numbers."""
    whole, over_root = numbers
    parts = [scale * part for part in over_root.ravel().tolist()]
    # -b/√2 is never an integer.
    roots = [-isqrt(b * b // 2) - 1 if b < 0 else isqrt(b * b // 2) for b in parts]
    floors: Array = scale * whole + np.reshape(roots, whole.shape)
    return floors


def sign(numbers: Array) -> Array:
    """-1, 0 or 1; √2 is irrational, so only 0 + 0/√2 is 0."""
    return np.where((numbers == 0).all(0), 0, np.where(floor(numbers) < 0, -1, 1))


LOWER, UPPER, LAST = range(3)


def nearest(row: int, y: Array, z: Array) -> tuple[Array, Array]:
    """The line that each P-position belongs to, and its height above it: the nearer one of the
    lower and the upper line, z = (r ∓ y)/√2 - y; where the lower one has passed z = 0, the last
    line, z = (2 - √2)·r, takes the place of the upper one."""
    lower, upper = surd(y + z, y - row), surd(y + z, -y - row)
    is_past = sign(surd(y, y - row)) > 0
    other = np.where(is_past, surd(z - 2 * row, 2 * row), upper)
    is_lower = sign(lower - other) * sign(lower + other) < 0
    line = np.where(is_lower, LOWER, np.where(is_past, LAST, UPPER))
    return line, np.where(is_lower, lower, other)


@dataclass
class Sheet:
    """A sheet to y, z < 3r/4."""

    row: int
    offsets: Array  # z of the P-positions, for y = 0, 1, ...
    winners: Array  # the number of instant winners in each of 32 x 32 cells

    def nearest(self) -> tuple[Array, Array]:
        """`nearest` of its P-positions."""
        return nearest(self.row, np.arange(len(self.offsets)), self.offsets)

    def far(self) -> Array:
        """The distances of the P-positions from their lines, in thousandths, rounded down."""
        _, heights = self.nearest()
        return floor(heights * sign(heights), 1000)

    def greatest(self) -> int:
        """The greatest distance in squares, rounded up."""
        return int(self.far().max() // 1000 + 1)

    def difference(self, other: Sheet) -> int:
        """The mean difference of the densities of instant winners, in thousandths."""
        own, its = (10**6 * it.winners // (it.row * 3 // 4 // 32) ** 2 for it in (self, other))
        return int(abs(own - its).sum() // (1000 * 32**2))


def perturbation(index: int) -> tuple[list[int], list[tuple[int, int]]]:
    """The numbers that a random first sheet blocks: as diagonal values, and in single columns."""
    text = PERTURBED.read_text(encoding="utf-8").splitlines()[1 + index].split("\t")[-1]
    diagonal, cells = re.findall(r"\[.*?\]", text)
    return ast.literal_eval(diagonal), ast.literal_eval(cells)


def rows_from(last: int, columns: int, diagonal: list[int], cells: list[tuple[int, int]]) -> Array:
    """f(q, r) of rows 0 to `last` in this number of columns, 0 where the row has ended, if fact 1
    blocks these numbers from the outset. f(q, r) needs only the f(q, c) and f(c, r) with c < r and
    c < q, so all f(q, r) with the same q + r are computed at once."""
    found = np.zeros((last + 1, columns), np.int64)
    # The numbers that are blocked in every new row, in a row and in a column, as bits.
    in_new, in_row, in_column = (
        np.zeros((n, columns // 32 + 2), np.uint64) for n in (1, last + 1, columns)
    )
    # The word of each row before which the row itself blocks all numbers.
    start = np.zeros(last + 1, np.int64)
    is_open = np.ones(last + 1, bool)

    def block(bits: Array, place: Any, numbers: Any) -> None:
        bits[place, numbers // 64] |= np.uint64(1) << np.uint64(numbers % 64)

    for number in [0, *diagonal]:
        block(in_new, 0, number)
    for column, number in cells:
        if column < columns:
            block(in_column, column, number)
    for column in range(columns):  # Numbers below q.
        in_column[column, : column // 64] = ~np.uint64(0)
        in_column[column, column // 64] |= (np.uint64(1) << np.uint64(column % 64)) - np.uint64(1)
    for total in range(last + columns):
        r = np.arange(max(0, total - columns + 1), min(last, total // 2) + 1)
        r = r[is_open[r]]
        q = total - r
        is_new = q[-1:] == r[-1:]
        in_row[r[-1:][is_new]] = in_new
        start[r] = np.maximum(start[r], q // 64)
        start[r] += in_row[r, start[r]] == ~np.uint64(0)
        word, left = start[r], np.arange(len(r))
        while left.size:
            free = ~(in_row[r[left], word[left]] | in_column[q[left], word[left]])
            below = np.bitwise_count((free & (~free + np.uint64(1))) - np.uint64(1))
            found[r[left], q[left]] = 64 * word[left] + below
            left = left[free == 0]
            word[left] += 1
        p = found[r, q]
        block(in_row, r, p)
        block(in_column, q, p)
        block(in_new, np.zeros(is_new.sum(), int), p[-1:][is_new])
        is_open[r[p == q]] = False
    return found


def sheets(last: int, diagonal: list[int], cells: list[tuple[int, int]]) -> list[Sheet]:
    """The sheets of rows 128, 256, 512, ... to `last`, from the first sheet that blocks these."""
    found, all_sheets = rows_from(last, last // 4 * 7 + 1, diagonal, cells), []
    row = 128
    while row <= last:
        side = row * 3 // 4
        columns = np.arange(row, row + side)
        own, below = found[row, columns], found[:row, columns]
        end = side if own.all() else int(np.argmin(own > 0))
        is_winner = np.zeros((side, side), bool)
        on_diagonal = [*diagonal, *found[range(row), range(row)]]
        for p in [*below, *np.broadcast_to(np.c_[on_diagonal], (len(on_diagonal), side))]:
            z = p - columns
            inside = (z >= 0) & (z < side)
            is_winner[inside.nonzero()[0], z[inside]] = True
        winners = is_winner.reshape(32, side // 32, 32, side // 32).sum((1, 3))
        all_sheets.append(Sheet(row, (own - columns)[:end], winners))
        row *= 2
    return all_sheets
