"""Data sets: written, verified, and refused when they are forged."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import chomp
import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows 0 to 200, with fingerprints."""
    folder = tmp_path_factory.mktemp("data") / "rows"
    chomp.write(folder, 200)
    return folder


def test_a_data_set_is_the_same_bytes(root: Path, tmp_path: Path) -> None:
    """As committed: in full, and with fingerprints."""
    chomp.write(tmp_path / "full", 400, full=True)
    (segment,) = (tmp_path / "full").glob("rows-*.ron")
    assert segment.read_bytes() == (root / "outputs/closed-forms-400.ron").read_bytes()
    chomp.write(tmp_path / "rows", 10_000)
    for file in (root / "outputs/rows-10000").iterdir():
        assert (tmp_path / "rows" / file.name).read_bytes() == file.read_bytes()


def test_heads_assume_nothing(folder: Path) -> None:
    """The verdict, as README.md has it."""
    verdict = chomp.verify(folder, heads=True)
    assert (verdict.first, verdict.last, verdict.depth, verdict.certificates) == (
        0,
        200,
        "heads",
        84,
    )
    assert (verdict.assumed, verdict.not_checked) == (None, None)
    assert (
        str(verdict).splitlines()[0] == "Verified: rows 0 to 200, depths structure, tails, heads."
    )
    assert verdict.proved in str(verdict)
    assert repr(verdict) == "<Verdict: rows 0 to 200 verified, depth heads>"


def test_levels_and_tails_are_verified(root: Path, tmp_path: Path) -> None:
    """Format 2, beside a forged one."""
    copy = tmp_path / "family"
    shutil.copytree(root / "crates/record/tests/fixtures/format-2", copy)
    verdict = chomp.verify(copy)
    assert (verdict.first, verdict.last, verdict.assumed) == (0, 53, None)
    family = "levels 0 to 2, tails within (6,2)"
    assert repr(verdict) == f"<Verdict: {family} verified, depth heads>"
    assert family in verdict.proved
    forge(
        copy,
        "tail: [3, 2], first: 5, start: 7, values: [3]",
        "tail: [3, 2], first: 5, start: 7, values: [2]",
        root,
    )
    with pytest.raises(chomp.RefutedError, match=r"refuted: tail \(3,2\)"):
        chomp.verify(copy)


def test_tails_say_what_they_assume(folder: Path) -> None:
    """And rows may be chosen."""
    verdict = chomp.verify(folder, heads=False, rows=(100, 150))
    assert (verdict.first, verdict.last, verdict.depth) == (100, 150, "tails")
    assert verdict.assumed is not None
    assert "rows 0 to 99" in (verdict.not_checked or "")
    with pytest.raises(ValueError, match="300"):
        chomp.verify(folder, rows=(0, 300))


def test_another_checker_agrees(folder: Path, root: Path) -> None:
    """The one in Python, which knows none of our code."""
    checker = root / "crates/check/tests/check.py"
    command = [sys.executable, str(checker), "--heads-to", "200", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert "verified heads of rows 0 to 200" in run.stdout


def test_what_is_there_is_extended(folder: Path, tmp_path: Path) -> None:
    """A smaller data set becomes a larger one."""
    extended = tmp_path / "rows"
    shutil.copytree(folder, extended)
    chomp.write(str(extended), 250)
    assert chomp.verify(str(extended)).last == 250


def blake3(root: Path) -> Callable[[bytes], str]:
    """The hash, from that checker."""
    path = root / "crates/check/tests/check_files.py"
    spec = importlib.util.spec_from_file_location("check_files", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.blake3


def forge(copy: Path, old: str, new: str, root: Path) -> None:
    """Changes words of the one segment of a data set, and puts the hashes right."""
    digest = blake3(root)
    (segment,) = copy.glob("rows-*.ron")
    manifest = copy / "MANIFEST.ron"
    before, end = segment.read_text().split("End(")
    assert before.count(old) == 1
    after = before.replace(old, new)
    hashes = digest(before.encode()), digest(after.encode())
    assert hashes[0] in end
    segment.write_text(after + "End(" + end.replace(*hashes))
    assert hashes[0] in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(*hashes))


@pytest.mark.parametrize(
    ("old", "new", "heads"),
    [
        # The certificate of row 120.
        ('recurs: 172, modulus: "1", filled: 71', 'recurs: 172, modulus: "1", filled: 70', False),
        # The fingerprint of its head: tails do not see it.
        ("8a21679c9ed36f2f", "8a21679c9ed36f2e", True),
    ],
)
def test_a_forged_record_is_refuted(
    folder: Path, tmp_path: Path, root: Path, old: str, new: str, heads: bool
) -> None:
    """Beside its untouched control; with the row."""
    copy = tmp_path / "forged"
    shutil.copytree(folder, copy)
    chomp.verify(copy)
    forge(copy, old, new, root)
    if heads:
        chomp.verify(copy, heads=False)
    with pytest.raises(chomp.RefutedError, match=r"refuted: .*row 120"):
        chomp.verify(copy, heads=heads)


def test_a_folder_that_is_none_says_so(tmp_path: Path) -> None:
    """What cannot be read, and what must not be written over."""
    with pytest.raises(OSError, match=r"there is no data set in .*MANIFEST\.ron"):
        chomp.verify(tmp_path / "nothing")
    (tmp_path / "file").write_text("text")
    with pytest.raises(OSError, match="file"):
        chomp.write(tmp_path / "file", 10)


def test_a_damaged_segment_is_not_verified(folder: Path, tmp_path: Path) -> None:
    """A byte is missing."""
    copy = tmp_path / "damaged"
    shutil.copytree(folder, copy)
    (segment,) = copy.glob("rows-*.ron")
    segment.write_bytes(segment.read_bytes()[:-1])
    with pytest.raises((OSError, chomp.RefutedError)):
        chomp.verify(copy)
