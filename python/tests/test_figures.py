"""Figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chomp
import pytest


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("row-892", [892]),
        ("sheet-301", [301]),
        ("table-24", []),
        ("settling-6541", [6541]),
        ("periods-100000", [100_000]),
        ("strips-100000", []),
        ("why-6541", [6541]),
        ("openings-14", []),
    ],
)
def test_figures_are_those_of_the_program(name: str, numbers: list[int], root: Path) -> None:
    """Byte for byte as committed."""
    subject: Any = name.rpartition("-")[0]
    figure = chomp.figure(subject, *numbers)
    file = root / f"outputs/figures/{name}.svg"
    assert figure._repr_svg_() == figure.svg == file.read_text(encoding="utf-8")
    assert ElementTree.fromstring(figure.svg).tag.endswith("svg")
    assert figure.title in figure.svg
    assert figure.caption != ""


def test_a_row_has_a_figure(tmp_path: Path, root: Path) -> None:
    """And it can be saved."""
    figure = chomp.row(892).figure()
    figure.save(tmp_path / "row.svg")
    saved = (tmp_path / "row.svg").read_bytes()
    assert saved == (root / "outputs/figures/row-892.svg").read_bytes()
    with pytest.raises(FileNotFoundError):
        figure.save(tmp_path / "nothing" / "row.svg")
    with pytest.raises(OSError, match="a file of a data set"):
        figure.save(tmp_path / "MANIFEST.ron")
    assert not (tmp_path / "MANIFEST.ron").exists()


def test_what_cannot_be_drawn_is_said() -> None:
    """A name, and a row without a pattern."""
    wrong: Any = "rows"
    with pytest.raises(ValueError, match="no figure is called 'rows'; there are row, sheet"):
        chomp.figure(wrong, 5)
    with pytest.raises(TypeError, match="the figure has other numbers"):
        chomp.figure("sheet")
    with pytest.raises(ValueError, match="row 1 is finite"):
        chomp.figure("settling", 1)
    with pytest.raises(ValueError, match=r"31 is not in 0\.\.=30"):
        chomp.figure("table", 31)
    with pytest.raises(TypeError, match="the figure has other numbers"):
        chomp.figure("periods", 128, 2)
