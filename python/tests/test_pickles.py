"""Every answer can be pickled, as `multiprocessing` and joblib need it."""

import multiprocessing
import pickle
import warnings
from pathlib import Path
from typing import Any

import chomp
import pytest


def again(answer: Any) -> Any:
    """The answer, after it was pickled."""
    return pickle.loads(pickle.dumps(answer))


@pytest.mark.parametrize(
    "position", ["7 5 3", "[4557]", "3x1000", "8 7", "2x1000", "8x10", "ω 5 3", "ω ω ω"]
)
def test_answers(position: str) -> None:
    """Each basis of an answer: rows, columns, a rectangle, theorems, an infinite board."""
    answer = chomp.query(position, progress=False)
    copy = again(answer)
    assert type(copy) is chomp.Answer
    assert (repr(copy), copy.to_dict()) == (repr(answer), answer.to_dict())
    assert copy.record == answer.record
    for bite, other in zip(answer.winning_bites, copy.winning_bites, strict=True):
        assert (bite.square, bite.leaves, bite.record) == (other.square, other.leaves, other.record)
        one = again(bite)
        assert repr(one) == repr(bite)
        assert (one.square, one.leaves, one.leaves_cab) == (
            bite.square,
            bite.leaves,
            bite.leaves_cab,
        )
        assert (one.record, one.grundy, one.at_least) == (bite.record, bite.grundy, bite.at_least)


def test_answers_from_a_folder(tmp_path: Path) -> None:
    """Answers, rows and verdicts that rest on a data set."""
    chomp.write(tmp_path, 30, progress=False)
    answer = chomp.query(70, 60, 3, data=tmp_path)
    assert again(answer).to_dict() == answer.to_dict()
    for rows in [chomp.read(tmp_path), chomp.rows(data=tmp_path), chomp.rows(12, data=tmp_path)]:
        assert (repr(again(rows)), list(again(rows))) == (repr(rows), list(rows))
    verdict = chomp.verify(tmp_path, progress=False)
    copy = again(verdict)
    assert (str(copy), repr(copy)) == (str(verdict), repr(verdict))
    assert (copy.first, copy.last, copy.depth) == (0, 30, "heads")
    assert (copy.proved, copy.assumed, copy.not_checked, copy.certificates) == (
        verdict.proved, verdict.assumed, verdict.not_checked, verdict.certificates,
    )  # fmt: skip


def test_other_answers() -> None:
    """Those that ask again, and those that hold all."""
    for answer in [
        chomp.board("8x10", progress=False),
        chomp.board((4, 5, 5, 7), progress=False),
        chomp.bites(7, 5, 3, progress=False),
        chomp.why(402, progress=False),
        chomp.losers("[{0,1,2,3},{0,1,5}][{0,1}]^oo"),
        chomp.poset("solid cube", progress=False),
        chomp.poset("a < b\nb < c", after=["c"], progress=False),
    ]:
        copy = again(answer)
        assert type(copy) is type(answer)
        assert (repr(copy), copy.to_dict()) == (repr(answer), answer.to_dict())
    figure = chomp.row(120).figure()
    assert (again(figure).svg, again(figure).title) == (figure.svg, figure.title)
    certificate = chomp.row(402).certificate
    assert again(certificate) == certificate
    for rows in [chomp.rows(50), chomp.rows(50, full=True), chomp.tail(2, 1), chomp.levels(1, 4)]:
        assert (repr(again(rows)), list(again(rows))) == (repr(rows), list(rows))


def test_tables() -> None:
    """Tables and columns, and parts of them."""
    table = chomp.table(300, progress=False)
    lines = [table[line] for line in range(len(table))]
    copy = again(table)
    assert (copy.columns, [copy[line] for line in range(len(copy))]) == (table.columns, lines)
    part = again(table[100:110])
    assert [part[line] for line in range(10)] == lines[100:110]
    assert len(again(table[5:5])) == 0
    for name in ["row", "kind", "values"]:
        assert again(table[name]).to_list() == table[name].to_list()
        assert again(table[name][7:20]).to_list() == table[name].to_list()[7:20]


def solve(position: tuple[int, ...]) -> chomp.Answer:
    """The work of a process."""
    return chomp.query(*position, progress=False)


def test_processes_return_answers() -> None:
    """As `multiprocessing` passes them on."""
    positions = [(7, 4, 3), (7, 5, 3), (9, 6, 5)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(solve, positions)
    assert [answer.outcome for answer in found] == ["P", "N", "P"]


def test_two_numbers_are_two_rows_with_a_warning() -> None:
    """Most people mean the rectangle."""
    with pytest.warns(UserWarning, match=r'board\(8, 10\) has two rows, \(10,8\).*board\("8x10"\)'):
        board = chomp.board(8, 10, progress=False)
    assert board.position == (10, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert chomp.board((10, 8), progress=False).position == (10, 8)
        assert len(chomp.board("8x10", progress=False).position) == 8
        assert chomp.board(2, 1, progress=False).outcome == "P"
