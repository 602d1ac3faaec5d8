"""Long work: progress, Ctrl-C, and the interpreter's lock."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import chomp
import pytest

# Takes at least ten seconds on two processors, unless it is interrupted.
LONG = 600_000


@pytest.mark.parametrize(
    "work",
    [
        f"for row in chomp.rows({LONG}): pass",
        f"chomp.row({LONG})",
        f"chomp.table({LONG})",
        f"chomp.f(10**30, {LONG})",
        f"chomp.is_p(10**30, 10**29, {LONG})",
        f"chomp.winning_bites({LONG}, {LONG}, {LONG})",
        f"chomp.why({LONG})",
        f"chomp.rows({LONG})[{LONG}]",
        "chomp.levels(20, 4000)",
        "chomp.board('20x20', all_bites=True)",
        f"chomp.figure('periods', {LONG})",
        f"next(iter(chomp.rows(20_000, full=True))); chomp.row({LONG})",
        f"chomp.write('out', {LONG})",
    ],
)
def test_ctrl_c_ends_at_once(work: str, tmp_path: Path) -> None:
    """KeyboardInterrupt within five seconds, and the process ends with it."""
    assert_interrupted(work, tmp_path)


def test_ctrl_c_ends_a_check(tmp_path: Path) -> None:
    """Which computes heads."""
    chomp.write(tmp_path / "out", 150_000)
    assert_interrupted("chomp.verify('out')", tmp_path)


def assert_interrupted(work: str, folder: Path) -> None:
    """The signal comes while the work is on its way."""
    code = f"import chomp\nprint('begins', flush=True)\n{work}\nprint('ends')"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        time.sleep(1)
        assert process.poll() is None, "the work was over before it was interrupted"
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        took = time.monotonic() - asked
    assert "KeyboardInterrupt" in err
    assert out == ""
    assert process.returncode == -signal.SIGINT
    assert took < 5


def test_an_interrupted_data_set_is_kept_and_resumed(tmp_path: Path) -> None:
    """What Ctrl-C leaves is a smaller data set."""
    assert_interrupted(f"chomp.write('out', {LONG})", tmp_path)
    kept = chomp.verify(tmp_path / "out", heads=False)
    assert 0 < kept.last < LONG


def test_the_lock_is_released() -> None:
    """Another thread of Python goes on while rows are computed."""
    over = threading.Event()
    ticks: list[float] = []

    def tick() -> None:
        while not over.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begun = time.monotonic()
    chomp.row(40_000)
    ended = time.monotonic()
    over.set()
    ticker.join()
    assert sum(begun < moment < ended for moment in ticks) >= 20


def test_progress_is_told() -> None:
    """Of rows given, and of rows done."""
    told: list[tuple[int, int]] = []
    given = sum(1 for _ in chomp.rows(20_000, progress=lambda *done: told.append(done)))
    assert given == 20_001
    assert told[-1] == (20_001, 20_001)
    assert told == sorted(told)

    told.clear()
    chomp.table(100_000, progress=lambda *done: told.append(done))
    assert told == sorted(told)
    assert {total for _, total in told} == {100_001}


def test_an_error_of_progress_ends_the_work() -> None:
    """It is raised where the work was called."""

    def fail(_done: int, _total: int) -> None:
        raise LookupError

    with pytest.raises(LookupError):
        chomp.table(LONG, progress=fail)
    with pytest.raises(LookupError):
        list(chomp.rows(LONG, progress=fail))


BAR = """
import chomp, chomp._progress, sys, time
for row in chomp.rows(5):
    pass
print("short", file=sys.stderr)
bar = chomp._progress.Bar()
bar._begun -= 2
bar(1, 10)
time.sleep(0.2)
bar(3, 10)
time.sleep(0.2)
bar(2, 9)
bar.close()
"""


@pytest.mark.parametrize("tqdm", [True, False])
def test_bars_are_those_of_tqdm(tqdm: bool) -> None:
    """Short work has none, long work has one; nobody needs tqdm."""
    without = "import sys; sys.modules['tqdm'] = None\n"
    code = ("" if tqdm else without) + BAR
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    short, long = run.stderr.split("short\n")
    assert short == ""
    assert ("3/10" in long) == tqdm
    assert ("/9" in long) == tqdm
    assert (long == "") == (not tqdm)


def test_a_dropped_iterator_ends_its_work() -> None:
    """No thread goes on computing rows that nobody takes."""
    before = threads()
    rows = iter(chomp.rows(LONG))
    assert [next(rows).row for _ in range(3)] == [0, 1, 2]
    assert threads() > before
    rows.close()
    assert list(rows) == []
    rows = iter(chomp.rows(LONG))
    next(rows)
    del rows
    patience = time.monotonic() + 5
    while threads() > before and time.monotonic() < patience:
        time.sleep(0.01)
    assert threads() == before


def threads() -> int:
    """How many threads this process has."""
    return len(list(Path("/proc/self/task").iterdir()))
