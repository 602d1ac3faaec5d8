"""The same questions in the terminal and in Python have equal answers.

The questions are in same_questions.json, so that the page can join: `command` is what the terminal
gets besides `--json`, `python` the expression whose dictionary is compared.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import chomp
import pytest

QUESTIONS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "same_questions.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="session")
def program() -> str:
    """The program: CHOMP names it."""
    program = os.environ.get("CHOMP")
    if program is None:
        pytest.skip("CHOMP does not name the program chomp")
    return program


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["question"])
def test_terminal_and_python_agree(question: dict[str, Any], program: str) -> None:
    """Field by field, as JSON; and as published, where a paper has the answer."""
    command = [program, *question["command"], "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    objects = [json.loads(line) for line in run.stdout.splitlines()]
    (wanted,) = [found for found in objects if question.get("of", {}).items() <= found.items()]
    found = eval(question["python"], {"chomp": chomp})
    assert found == wanted
    assert question["published"].items() <= found.items()
