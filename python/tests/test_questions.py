"""Positions in all notations, sequences of rows, and the questions about levels and boards."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import chomp
import numpy
import pytest
from conftest import numbers

Board = tuple[int, ...]


def options(board: Board) -> list[Board]:
    """All boards one bite away, the poison left, from the rules."""
    left = [
        (*board[:row], *(min(length, x) for length in board[row:]))
        for row, length in enumerate(board)
        for x in range(length)
    ]
    return [kept for rows in left if (kept := tuple(length for length in rows if length))]


@cache
def value(board: Board) -> int:
    """The Grundy value: the least that no bite leaves."""
    left = {value(option) for option in options(board)}
    return next(number for number in range(len(left) + 1) if number not in left)


@pytest.mark.parametrize(
    "position",
    [
        (7, 5, 5, 4),
        ((7, 5, 5, 4),),
        ([4, 5, 5, 7],),
        (numpy.array([7, 5, 5, 4]),),
        (iter((7, 5, 5, 4)),),
        ("7 5 5 4",),
        ("(7,5,5,4)",),
        ("4,5,5,7",),
        ("[4557]",),
        ("[4,1,0,2]",),
        ("[1134444]'",),
    ],
)
def test_a_position_has_many_forms(position: Any) -> None:
    """Every line of the table in docs/GUIDE.md, and the numbers of Python."""
    answer = chomp.query(*position)
    # Cho 2018, proposition 3.10.
    assert (answer.position, answer.outcome, answer.winning_bites) == ((7, 5, 5, 4), "P", [])


def test_positions_with_few_rows_and_rectangles() -> None:
    """Missing rows have no squares."""
    assert chomp.is_p(1)
    assert chomp.is_p(2, 1)
    assert not chomp.is_p(2)
    assert chomp.query("3x7").position == (7, 7, 7)
    # Zeilberger's numbers of columns.
    assert chomp.query("[3,1,3]").position == (7, 4, 3)
    assert chomp.query(7, 4, 3).cab == (3, 1, 3)
    assert chomp.is_p("10^30 999999999999999999999999999999")


def test_rows_may_be_infinite() -> None:
    """The board 2 x ω is P, and 3 x ω is won by the bite that leaves it (fact 10)."""
    assert chomp.is_p(math.inf, math.inf)
    (bite,) = chomp.winning_bites(math.inf, math.inf, math.inf)
    assert (bite.leaves, bite.record) == ((math.inf, math.inf), None)
    assert chomp.query("ω ω 4").position == (math.inf, math.inf, 4)


def test_no_value_says_why() -> None:
    """The three reasons, which are those of the program."""
    for call, why in [
        (lambda: chomp.f(3, 4), "before_first"),
        (lambda: chomp.f(8, 4), "ended"),
        (lambda: chomp.f(5, (3, 1)), "empty"),
        (lambda: chomp.row(4).f(8), "ended"),
        (lambda: chomp.row(4)[8], "ended"),
    ]:
        with pytest.raises(chomp.NoValueError) as raised:
            call()
        assert raised.value.none == why
        assert isinstance(raised.value, LookupError)


def test_a_row_is_a_sequence_by_column() -> None:
    """Offsets by index and slice; a row without an end has no length."""
    row = chomp.row(4)
    assert (list(row), len(row), row[5], row[4:7]) == ([4, 4, 4, 0], 4, 4, (4, 4, 4))
    assert numpy.asarray(row).tolist() == [4, 4, 4, 0]
    row = chomp.row(120)
    assert row
    assert row[168:173] == tuple(row.offset(q) for q in range(168, 173))
    assert row[10**30 : 10**30 + 4 : 2] == (72, 72)
    for call in (
        lambda: len(row),
        lambda: row[170:],
        lambda: list(row),
        lambda: numpy.asarray(row),
    ):
        with pytest.raises(ValueError, match="row 120 is periodic, and has no end"):
            call()
    for search in (lambda: 3 in row, lambda: reversed(row)):
        with pytest.raises(TypeError):
            search()
    assert row.to_dict()["values"] == [72, 70]


def test_rows_are_a_sequence() -> None:
    """Length, index, slices and loops agree, computed or read."""
    for rows in (chomp.rows(200), chomp.rows(200, full=True)):
        kept = list(rows)
        assert (len(rows), rows[120], rows[-1]) == (201, kept[120], kept[200])
        assert rows[118:130:3] == kept[118:130:3]
        assert rows[5:0:-2] == kept[5:0:-2]
        assert (rows[7:3], rows.row(120)) == ([], kept[120])
    for index in (201, -202):
        with pytest.raises(IndexError, match="out of range for rows 0 to 200"):
            rows[index]
    with pytest.raises(ValueError, match="these are rows 0 to 200, not row 201"):
        rows.row(201)


def test_data_sets_are_read(root: Path, tmp_path: Path) -> None:
    """Rows, and levels and tails, as rows and as a table; questions about what they hold."""
    data = root / "outputs/rows-10000"
    rows = chomp.read(data)
    assert (len(rows), rows[120], rows[-1].row) == (10_001, chomp.rows(120)[120], 10_000)
    assert chomp.rows(300, data=data)[:] == list(chomp.rows(300))
    assert chomp.rows(data=data).table()[120] == rows.table()[120] == chomp.table(120)[120]
    assert chomp.is_p(10**30 + 72, 10**30, 120, data=data)
    assert chomp.query(10**30 + 72, 10**30, 120, data=data).to_dict()["source"] == {
        "from": "data_set",
        "folder": str(data),
    }
    assert chomp.f(10**30, 120, data=data) == 10**30 + 72
    # The data set has a fingerprint of these offsets. The 2005 paper has (172,169,120).
    assert (chomp.is_p(172, 169, 120, data=data), chomp.f(169, 120, data=data)) == (True, 172)
    source = chomp.query(172, 169, 120, data=data).to_dict()["source"]
    assert source == {"from": "computed", "folder": None}
    assert chomp.row(120, data=data) == rows[120]
    with pytest.raises(ValueError, match="holds rows 0 to 10000, not row 10001"):
        chomp.row(10_001, data=data)
    with pytest.raises(OSError, match="there is no data set in"):
        chomp.read(tmp_path)

    family = root / "crates/record/tests/fixtures/format-2"
    held = chomp.read(family)
    assert repr(held) == "<Rows: levels 0 to 2, tails within (6,2)>"
    computed = chomp.tail(6, 2, level=2)
    assert [row.to_dict()["fingerprint"] for row in held] == [
        row.to_dict()["fingerprint"] for row in computed
    ]
    assert held.row(3, 2, level=1).level == 1
    assert len(held.table()) == len(held)


def test_levels_are_those_of_the_game() -> None:
    """Every position of rows 0 to 3 with q <= 8, at the level of its Grundy value."""
    levels = chomp.levels(4, 3, full=True)
    for r in range(4):
        for level in range(5):
            row = levels.row(r, level=level)
            for q in range(max(r, 1), 9):
                wanted = [
                    p for p in range(q, 30) if value(tuple(x for x in (p, q, r) if x)) == level
                ]
                offset = row.offset(q)
                assert ([] if offset is None else [q + offset]) == wanted, (level, q, r)


def test_grundy_values_are_those_of_the_game(root: Path) -> None:
    """All boards with at most four rows of at most three squares; 3 x n by the OEIS."""
    for board in {tuple(sorted(b, reverse=True)) for b in options((4, 4, 3, 3)) if b}:
        assert chomp.grundy(board) == value(board)
        found = chomp.bites(board)
        assert (found.grundy, len(found)) == (value(board), len(options(board)))
        assert all(bite.grundy == value(bite.leaves) for bite in found)
    published = dict(numbers(root / "testdata/oeis/A069001.txt"))
    assert all(chomp.grundy(f"3x{n}") == published[n] for n in range(1, 8))
    with pytest.raises(chomp.IncompleteError, match="at least 94"):
        chomp.grundy(1_000_100, 1_000_000, 5, level=6)


def test_boards_are_those_of_the_game() -> None:
    """Outcomes and winning bites of small boards, and all P-positions of a rectangle."""
    for board in {(4, 4, 3, 3), *options((4, 4, 3, 3))}:
        solved = chomp.board(board)
        assert (solved.position, solved.outcome == "P") == (board, value(board) == 0)
        assert len(solved.winning_bites) == sum(value(left) == 0 for left in options(board))
    solved = chomp.board("3x4")
    assert all(value(board) == 0 for board in solved.p_positions())
    assert solved.p_count == len(solved.p_positions())
    assert "<svg" in solved.figure().svg
    with pytest.raises(ValueError, match="can be read in two ways"):
        chomp.board("[3,4,7]")


def test_why_losers_and_posets(tmp_path: Path) -> None:
    """Row 120 by its own record; the example of Zeilberger; a poset that is a board."""
    why = chomp.why(120)
    assert (why.row, why.period, why.is_explained) == (120, 2, True)
    assert why.to_dict()["pattern"] == list(chomp.row(120).pattern)
    assert "<svg" in why.figure().svg
    with pytest.raises(ValueError, match="row 4 is finite"):
        chomp.why(4)

    losers = chomp.losers("[{0,1,2,3},{0,1,5}][{0,1}]^oo")
    assert (losers.head, losers.values, losers[0], losers[10**30]) == ((4, 2), (3,), 4, 3)
    # Two-rowed Chomp: the P-positions have one square more in the first row.
    assert chomp.losers("[{0}][{}]^oo")[100] == 1

    file = tmp_path / "chains.txt"
    file.write_text("a < b\n0 < a\n0 < c\n")
    # A board of a row of three squares and a column of two.
    poset = chomp.poset(file)
    assert (poset.outcome, poset.grundy) == ("N", value((3, 1)))
    assert chomp.poset(file.read_text()).winning_bites == poset.winning_bites
    assert chomp.poset(file, after=["b"]).outcome == "P"
    assert '  "0" -- "a";' in poset.dot().splitlines()
    with pytest.raises(ValueError, match=r'named "no"; the names are chains .*, semigroup X'):
        chomp.poset("no such poset")


def test_sequences_are_those_of_the_oeis(root: Path) -> None:
    """Every sequence of testdata/oeis, by its indices; and those of a data set."""
    for file in sorted((root / "testdata/oeis").glob("A*.txt")):
        published = dict(numbers(file))
        terms = min(len(published), 12)
        wanted = dict(list(published.items())[:terms])
        assert chomp.seq(file.stem, terms) == wanted, file.stem
    data = root / "outputs/rows-10000"
    # Nivasch: rows 6541 and 8767 have period 9.
    assert chomp.seq("period-9", 2, data=data) == {1: 6541, 2: 8767}
    with pytest.raises(chomp.IncompleteError, match="2 of the 3 terms of period-9"):
        chomp.seq("period-9", 3, data=data)
    with pytest.raises(ValueError, match="rows that are there"):
        chomp.seq("period-9")
    with pytest.raises(
        ValueError, match="A112470 is no sequence of rows, and a data set holds rows"
    ):
        chomp.seq("A112470", data=data)
    with pytest.raises(ValueError, match='no sequence "A1" here; there are A029899'):
        chomp.seq("A1")


def test_questions_have_no_other_arguments() -> None:
    """An argument that is misspelled is no argument."""
    with pytest.raises(ValueError, match='grundy has no argument "levels"; it has position, by'):
        chomp.ask("grundy", position="8x8", levels=9)  # type: ignore[call-overload]
