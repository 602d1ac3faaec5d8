"""What tests of figures and tables share."""

from __future__ import annotations

import os
import shutil

import pytest


@pytest.fixture(scope="session")
def program() -> str:
    """The program chomp, which the variable CHOMP names, or which is on the path."""
    program = os.environ.get("CHOMP") or shutil.which("chomp")
    if program is None:
        pytest.skip("the variable CHOMP names no program")
    return program
