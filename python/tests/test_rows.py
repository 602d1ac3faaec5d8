"""Rows, f(q, r), P and N, and bites."""

from __future__ import annotations

import pickle
import re
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import chomp
import pytest
from conftest import bites, is_p, numbers

MOST = 12


def published_periods(root: Path) -> dict[int, int]:
    """The rows to 10 000 of a period other than 1, by Nivasch's lists."""
    text = (root / "testdata/nivasch-lists.txt").read_text()
    lists = re.findall(r"^Period (\d+) for r = ([\d,\s]+)\.", text, re.MULTILINE)
    return {int(row): int(period) for period, rows in lists for row in rows.split(",")}


def test_row_120(root: Path) -> None:
    """Row 120, by hand in docs/FORMAT.md; its offsets are in testdata."""
    row = chomp.row(120)
    assert (row.row, row.first, row.start, row.period, row.values) == (120, 206, 170, 2, (72, 70))
    assert (row.pattern, row.mean, row.is_finite, row.last) == ((1, -1), 71, False, None)
    # From column 170 on, offsets 72 and 70 take turns; 10^30 is even.
    assert (row.offset(10**30), row.offset(10**30 + 1)) == (72, 70)
    assert row.f(10**30) == 10**30 + 72
    certificate = row.certificate
    assert certificate is not None
    assert (certificate.from_, certificate.recurs, certificate.modulus) == (170, 172, 1)
    assert (certificate.filled, certificate.above) == (71, ())
    line = next(line for line in record_lines(root) if "row: 120," in line)
    assert row.record == line


def record_lines(root: Path) -> list[str]:
    """Rows 0 to 400 in full, as they are committed."""
    lines = (root / "outputs/closed-forms-400.ron").read_text().splitlines()
    return [line for line in lines if line.startswith(("Finite(", "Periodic("))]


def test_rows_in_full_are_those_committed(root: Path) -> None:
    """All records of rows 0 to 400."""
    assert [str(row) for row in chomp.rows(400, full=True)] == record_lines(root)


def test_periods_are_those_of_nivasch(root: Path) -> None:
    """Periods of rows to 10 000."""
    rows = [row for row in chomp.rows(10_000) if not row.is_finite]
    assert {row.row: row.period for row in rows if row.period != 1} == published_periods(root)
    assert all(len(row.values) == row.period for row in rows)


def test_diagonal_values_are_those_of_the_oeis(root: Path) -> None:
    """A029900 is f(n, n)."""
    published = dict(numbers(root / "testdata/oeis/A029900.txt"))
    assert len(published) >= 20
    first = {row.row: row.first for row in chomp.rows(max(published))}
    assert {n: first[n] for n in published} == published


def test_positions_are_those_of_the_game() -> None:
    """P or N, winning bites and f, of every position with p <= 12."""
    for p in range(1, MOST + 1):
        for q in range(p + 1):
            for r in range(q + 1):
                position = (p, q, r)
                assert chomp.is_p(*position) == is_p(position)
                found = [bite.leaves for bite in chomp.winning_bites(*position)]
                wanted = [left for left in bites(*position) if is_p(left)]
                rows = [tuple(length for length in left if length) for left in wanted]
                assert sorted(found) == sorted(rows)
    for q in range(6):
        for r in range(6):
            wanted = [p for p in range(max(q, 1), MOST + 1) if q >= r and is_p((p, q, r))]
            assert value(q, r) == (wanted[0] if wanted else None)


def value(q: int, r: int) -> int | None:
    """The value of f, or None where there is none."""
    try:
        return chomp.f(q, r)
    except chomp.NoValueError:
        return None


@cache
def winning(board: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The P-positions one bite away from a board with any number of rows, from the rules."""
    left = (
        tuple(
            length
            for length in (*board[:row], *(min(length, x) for length in board[row:]))
            if length
        )
        for row, length in enumerate(board)
        for x in range(length)
    )
    return tuple(sorted(position for position in left if position and not winning(position)))


def test_positions_may_have_more_rows() -> None:
    """P or N, and winning bites, of every position with four rows of at most five squares."""
    for board in combinations_with_replacement(range(5, 0, -1), 4):
        found = chomp.winning_bites(*board)
        assert tuple(sorted(bite.leaves for bite in found)) == winning(board)
        assert chomp.is_p(*board) == (not found)
        rows = {bite.record.tail for bite in found if bite.record}
        assert rows <= {bite.leaves[2:] for bite in found}
    # Zeros at the end do not count, and Cho's [4557] is P.
    assert chomp.is_p(7, 5, 5, 4)
    assert chomp.is_p(7, 4, 3, 0, 0)
    assert (chomp.f(5, 5, 4), chomp.f(4, 3, 0)) == (7, 7)
    bites = chomp.winning_bites(8, 5, 5, 4)
    assert tuple(bite.leaves for bite in bites) == winning((8, 5, 5, 4))
    assert [bite.square for bite in bites] == [(1, 8), (2, 1 + bites[1].leaves[1])]
    assert repr(bites[0]) == "<Bite: row 1, column 8, leaves (7,5,5,4), value 0>"


def test_a_row_may_be_empty_or_of_another_level() -> None:
    """(2,2,2,1) is P: every bite leaves an N-position. So (p,q,3,1) is never P."""
    assert not winning((2, 2, 2, 1))
    row = chomp.row(3, 1)
    assert (row.row, row.tail, row.level, row.empty_by) == (3, (3, 1), 0, 2)
    assert (row.is_finite, row.first, row.last, row.start, row.head) == (False, *[None] * 4)
    assert (row.period, row.values, row.fingerprint) == (None, (), None)
    assert (row.offset(10), row.is_finite, len(row)) == (None, False, 0)
    with pytest.raises(chomp.NoValueError, match="row \\(3,1\\) is empty"):
        row.f(10**30)
    assert (repr(row), str(row)) == ("<Row (3,1): empty by 2>", "Empty(tail: [3, 1], by: 2)")
    assert pickle.loads(pickle.dumps(row)) == chomp.Row.of_record(str(row)) == row
    assert "Row (3,1) is empty" in row._repr_html_()
    with pytest.raises(ValueError, match=r"rows of three-rowed Chomp, not tail \(3,1\)"):
        row.figure()
    # At level 1, row 0 has (2,0) and (1,1), from which all bites leave values other than 1.
    level = chomp.Row.of_record("Finite(row: 0, level: 1, first: 2, last: 1, head: [2, 0])")
    assert (level.level, level.tail, level.f(1)) == (1, (), 1)
    assert repr(level) == "<Row 0 of level 1: finite, to column 1>"
    assert chomp.row(120).tail == (120,)


def test_a_bite_names_its_row() -> None:
    """The record that it rests on, and the row of the board."""
    top, middle, bottom = chomp.winning_bites(7, 5, 3)
    assert [top.square, middle.square, bottom.square] == [(1, 6), (2, 5), (3, 3)]
    assert [bite.record and bite.record.row for bite in (top, middle, bottom)] == [3, 3, 2]
    assert top.record
    assert top.record.is_finite
    assert top.record.last == 5


def test_numbers_may_have_any_size() -> None:
    """Row 5 has the offset 4 from column 7 on (2005 paper)."""
    q = 10**100_000
    assert chomp.f(q, 5) == q + 4
    assert chomp.is_p(q + 4, q, 5)
    assert not chomp.is_p(q + 3, q, 5)
    (bite,) = chomp.winning_bites(q + 5, q, 5)
    assert bite.leaves == (q + 4, q, 5)
    assert chomp.row(5).offset(q) == 4


def test_offsets_exist_where_there_are_p_positions() -> None:
    """Not before the diagonal, and not past the end of row 4, column 7."""
    row = chomp.row(4)
    assert (row.is_finite, row.last, row.start, row.period, row.values) == (True, 7, None, None, ())
    assert (row.certificate, row.mean, row.pattern) == (None, None, ())
    assert [row.offset(q) is None for q in (3, 4, 7, 8, 10**30)] == [True, False, False, True, True]
    head = row.head
    assert head is not None
    assert head == tuple(row.offset(q) for q in range(4, 8))


def test_a_fingerprint_says_where_the_offsets_are() -> None:
    """A record without its head."""
    *_, row = chomp.rows(120)
    assert (row.head, row.offset(170)) == (None, 72)
    assert row.fingerprint == chomp.row(120).fingerprint
    with pytest.raises(ValueError, match=r"chomp\.row\(120\) and chomp\.rows\(120, full=True\)"):
        row.offset(169)
    with pytest.raises(ValueError, match="fingerprint"):
        row.figure()


def test_rows_are_values() -> None:
    """Equality, hash, text, and pickles, which `multiprocessing` needs."""
    row, *_ = [row for row in chomp.rows(120, full=True) if row.row == 120]
    assert row == chomp.row(120) == pickle.loads(pickle.dumps(row))
    assert hash(row) == hash(chomp.row(120))
    assert row != chomp.row(121)
    assert chomp.Row.of_record(row.record) == row
    assert repr(row) == "<Row 120: period 2 from column 170 on>"
    assert repr(chomp.row(1)) == "<Row 1: finite, to column 2>"
    html = row._repr_html_()
    for words in ("<caption>Row 120 is periodic</caption>", "170, the least", "72, 70", "1 -1"):
        assert words in html


class Index:
    """An integer as those of Sage and NumPy are: no `int`, but one by `__index__`."""

    def __index__(self) -> int:
        """Five."""
        return 5


def test_other_integers_are_integers() -> None:
    """What has `__index__` counts."""
    assert chomp.row(Index()).row == 5
    assert chomp.f(Index(), Index()) == 10
    assert chomp.is_p(10, Index(), Index())


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: chomp.row(-1), ValueError, "-1 is negative"),
        (lambda: chomp.row(-(10**60)), ValueError, "a number of 200 bits is negative"),
        (lambda: chomp.row(1.5), TypeError, "cannot be interpreted as an integer"),
        (lambda: chomp.row("five"), ValueError, "five"),
        (lambda: chomp.row([1.5]), TypeError, "cannot be interpreted as an integer"),
        (lambda: chomp.row(chomp.LARGEST_ROW + 1), ValueError, "rows go to 536870911 here"),
        (lambda: chomp.f(1, 10**30), ValueError, "rows go to 536870911 here"),
        (
            lambda: chomp.is_p(1, 2, 0),
            ValueError,
            r"row 2 \(2\) is longer than the row before it \(1\)",
        ),
        (lambda: chomp.is_p(0, 0, 0), ValueError, "the empty board is not a position"),
        (
            lambda: chomp.is_p(10**40, 10**40, 10**40),
            ValueError,
            "the rows below the two longest are too long",
        ),
        (lambda: chomp.winning_bites(3, 3, -1), ValueError, "-1 is negative"),
        (lambda: chomp.is_p(3, 3, 2, 3), ValueError, r"row 4 \(3\) is longer"),
        (lambda: chomp.f(3, 2, 3), ValueError, "the parts of a tail do not ascend"),
        (lambda: chomp.is_p(10**6, 10**6, 10**6, 10**6 - 1), ValueError, "tails"),
        (lambda: chomp.row(chomp.LARGEST_ROW), MemoryError, "need about"),
        (lambda: next(iter(chomp.rows(chomp.LARGEST_ROW))), MemoryError, "need about"),
        (lambda: chomp.row(5, progress=3), TypeError, "progress is True, False or a function"),
        (lambda: chomp.Row.of_record("row 5"), OSError, "line 1"),
        (lambda: chomp.Row.of_record(""), ValueError, "a record is one line of text"),
        (
            lambda: chomp.Row.of_record(chomp.row(1).record.replace("first: 3", "first: 9")),
            chomp.RefutedError,
            "offset 8 is out of range",
        ),
    ],
)
def test_errors(call: object, error: type[Exception], words: str) -> None:
    """What was wrong, as the exception that Python users expect."""
    assert callable(call)
    with pytest.raises(error, match=words):
        call()
