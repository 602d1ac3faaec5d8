"""What the tests compare with: published numbers, and Chomp played from its rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

Position = tuple[int, int, int]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the whole program."""
    return ROOT


def bites(p: int, q: int, r: int) -> list[Position]:
    """All positions one bite away, without the empty board, from the rules of the game."""
    top = [(x, min(q, x), min(r, x)) for x in range(1, p)]
    middle = [(p, x, min(r, x)) for x in range(q)]
    bottom = [(p, q, x) for x in range(r)]
    return top + middle + bottom


@cache
def is_p(position: Position) -> bool:
    """Whether the player who moves next loses: no bite leaves a P-position."""
    return not any(is_p(left) for left in bites(*position))


def numbers(file: Path) -> list[tuple[int, ...]]:
    """The lines of numbers of a file."""
    lines = file.read_text().splitlines()
    return [tuple(map(int, line.split())) for line in lines if line and line[0].isdigit()]
