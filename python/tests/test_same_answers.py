"""The same questions in the terminal, in Python and in the page have equal answers.

The questions are in same_questions.json: `command` is what the terminal gets besides `--json`,
`python` the expression whose dictionary is compared, `page` the question to the page, and `fields`
those of its answer that the others have as well. Without `fields`, the question is one of the table
of the crate ask, and its answer on the page is compared whole.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import chomp
import pytest

QUESTIONS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "same_questions.json").read_text(encoding="utf-8")
)


# The variables of the environment that name the programs to ask.
PROGRAMS = {"CHOMP": "the program chomp", "PAGE": "the program ask of the page"}


@pytest.fixture(scope="session")
def programs() -> list[str]:
    """The terminal, and the page's library."""
    for variable, program in PROGRAMS.items():
        if variable not in os.environ:
            pytest.skip(f"{variable} does not name {program}")
    return [os.environ[variable] for variable in PROGRAMS]


def test_the_page_is_asked_each_kind_of_question() -> None:
    """A row, a position of four rows, a level, a rectangle, and the questions of the table."""
    asked = {question["page"]["ask"] for question in QUESTIONS if "page" in question}
    assert asked == {"row", "position", "level", "table"}
    table = {
        question["page"]["question"]["ask"]
        for question in QUESTIONS
        if question.get("page", {}).get("ask") == "table"
    }
    stub = (Path(chomp.__file__).parent / "_chomp.pyi").read_text(encoding="utf-8")
    assert table == set(re.findall(r'question: Literal\["(\w+)"\]', stub))
    assert all(name in (chomp.ask.__doc__ or "") for name in table)
    assert sum("page" in question for question in QUESTIONS) >= 4


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["question"])
def test_all_agree(question: dict[str, Any], programs: list[str]) -> None:
    """Field by field, as JSON; and as published, where a paper has the answer."""
    program, page = programs
    command = [program, *question["command"], "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    objects = [json.loads(line) for line in run.stdout.splitlines()]
    (wanted,) = [found for found in objects if question.get("of", {}).items() <= found.items()]
    found = eval(question["python"], {"chomp": chomp})
    assert found == wanted
    assert question["published"].items() <= found.items()
    if "page" in question:
        text = json.dumps(question["page"])
        run = subprocess.run([page], input=text, capture_output=True, text=True, check=True)
        shown = json.loads(run.stdout)
        if "fields" not in question:
            assert shown["answer"] == wanted
            return
        assert {field: shown[field] for field in question["fields"]} == {
            field: wanted[field] for field in question["fields"]
        }
