"""Every example of a document is run, and what types say is so."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chomp
import nbformat
import pytest
from nbclient import NotebookClient


def assert_examples(text: str, name: str, least: int) -> None:
    """Runs the examples of a text, in one namespace."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    assert len(test.examples) >= least, f"{name} has fewer examples than it should"
    found: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=found.append)
    assert outcome.failed == 0, "".join(found)


def pycon(file: Path) -> str:
    """The blocks of a Markdown file that are sessions of Python."""
    blocks = re.findall(r"^```pycon\n(.*?)^```", file.read_text(), re.DOTALL | re.MULTILINE)
    return "\n".join(blocks)


@pytest.mark.parametrize(
    ("file", "least"), [("docs/PYTHON.md", 30), ("README.md", 3), ("python/README.md", 3)]
)
def test_documents(
    file: str, least: int, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an empty folder."""
    monkeypatch.chdir(tmp_path)
    assert_examples(pycon(root / file), file, least)


@pytest.mark.skipif(shutil.which("sage") is None, reason="there is no Sage here")
def test_the_lines_for_sage(root: Path, tmp_path: Path) -> None:
    """With the package alone, since Sage has libraries of its own."""
    (tmp_path / "chomp").symlink_to(Path(chomp.__file__).parent)
    text = (root / "docs/PYTHON.md").read_text()
    found = re.search(r"```sage\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert found
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)}
    run = subprocess.run(
        ["sage", "-c", found[1]], capture_output=True, text=True, check=True, env=environment
    )
    assert run.stdout == found[2]


def documented() -> Iterator[tuple[str, Any]]:
    """What the package makes public, with the members of its classes."""
    yield "chomp", chomp
    for name in chomp.__all__:
        thing = getattr(chomp, name)
        if callable(thing):
            yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize(("name", "thing"), list(documented()), ids=lambda value: str(value)[:40])
def test_everything_is_documented(name: str, thing: Any) -> None:
    """And the examples of docstrings are run."""
    text = inspect.getdoc(thing)
    assert text
    examples = name in {"chomp", "row", "f", "is_p", "winning_bites", "table"}
    assert_examples(text, name, 1 if examples else 0)
    if inspect.isbuiltin(thing):
        assert "Raises" in text or "errors are those of" in text, name


def test_stubs_are_true(root: Path) -> None:
    """The types of the package, compared with what it has."""
    configuration = ["--mypy-config-file", str(root / "python/pyproject.toml")]
    command = [sys.executable, "-m", "mypy.stubtest", *configuration, "chomp"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_version_is_that_of_the_program(root: Path) -> None:
    """One version for all."""
    workspace = tomllib.loads((root / "Cargo.toml").read_text())["workspace"]
    assert chomp.__version__ == workspace["package"]["version"]


def test_the_program_needs_no_python(root: Path) -> None:
    """The commands of README.md build nothing of this package."""

    def cargo(*arguments: str) -> str:
        command = ["cargo", *arguments, "--locked"]
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout

    packages = json.loads(cargo("metadata", "--no-deps", "--format-version", "1"))["packages"]
    [package] = [package for package in packages if package["name"] == "chomp-python"]
    assert [target["test"] or target["doctest"] for target in package["targets"]] == [False]
    assert "pyo3" in cargo("tree", "--package", "chomp-python")
    assert "pyo3" not in cargo("tree", "--workspace", "--exclude", "chomp-python")


def test_the_notebook(root: Path, tmp_path: Path) -> None:
    """The example is run, and shows what is committed."""
    committed = nbformat.read(root / "docs/example.ipynb", as_version=4)
    run = nbformat.from_dict(committed)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(run, timeout=300, kernel_name="python3", resources=resources).execute()
    for cell, old in zip(run.cells, shown(committed), strict=True):
        assert outputs(cell) == old, cell.source
    shown_types = {kind for cell in run.cells for output in outputs(cell) for kind in output}
    assert shown_types == {"text/plain", "text/html", "image/svg+xml", "stdout"}


def shown(notebook: Any) -> list[Any]:
    """What each cell shows."""
    return [outputs(cell) for cell in notebook.cells]


def outputs(cell: Any) -> list[dict[str, str]]:
    """By type. A stream comes in one piece or in several: they are put together."""
    if cell.cell_type != "code":
        return []
    found: list[dict[str, str]] = []
    for output in cell.outputs:
        if output.output_type != "stream":
            found.append(dict(output.data))
        elif found and set(found[-1]) == {output.name}:
            found[-1][output.name] += output.text
        else:
            found.append({output.name: output.text})
    return found


def test_no_test_is_without_words() -> None:
    """A check of the tests themselves: each says what it is for."""
    for file in Path(__file__).parent.glob("*.py"):
        tree = ast.parse(file.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert ast.get_docstring(node), node.name
