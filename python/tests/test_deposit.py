"""The archive that is deposited, and what is said of it."""

from __future__ import annotations

import http.server
import io
import json
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chomp
import pytest
from datacite import schema45


def archive(root: Path, folder: Path, manifest: Path, target: Path) -> Any:
    """Runs the program that makes an archive."""
    command = [sys.executable, str(root / "outputs/deposit/archive")]
    paths = [str(path) for path in (folder, manifest, target)]
    return subprocess.run([*command, *paths], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def rows(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of rows 0 to 30 000."""
    folder = tmp_path_factory.mktemp("deposit")
    chomp.write(folder / "rows", 30_000)
    # The committed data set is the beginning of this one.
    first = "rows-0000000-0009999.ron"
    committed = (root / "outputs/rows-10000" / first).read_bytes()
    assert (folder / "rows" / first).read_bytes() == committed
    made = archive(root, folder / "rows", folder / "rows/MANIFEST.ron", folder / "rows.zip")
    assert made.returncode == 0, made.stderr
    return folder / "rows.zip"


def test_an_archive_is_the_data_set(rows: Path, root: Path, tmp_path: Path) -> None:
    """The same bytes each time, and verified when it is unpacked."""
    again = tmp_path / "again.zip"
    folder = rows.parent / "rows"
    made = archive(root, folder, folder / "MANIFEST.ron", again)
    assert again.read_bytes() == rows.read_bytes()
    assert re.fullmatch(r"[0-9a-f]{64}  again\.zip\n", made.stdout)
    with zipfile.ZipFile(again) as file:
        file.extractall(tmp_path / "rows")
    assert chomp.verify(tmp_path / "rows", heads=True).last == 30_000


def test_another_data_set_is_refused(rows: Path, root: Path, tmp_path: Path) -> None:
    """What is deposited must be what was verified."""
    million = root / "outputs/rows-1000000-MANIFEST.ron"
    refused = archive(root, rows.parent / "rows", million, tmp_path / "no.zip")
    assert refused.returncode == 1
    assert "is not the data set of" in refused.stderr
    assert not (tmp_path / "no.zip").exists()


def reader(root: Path) -> tuple[str, str]:
    """The lines of the README, and what they print."""
    text = (root / "outputs/deposit/README.md").read_text()
    found = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1], found[2]


def test_the_lines_of_the_readme(rows: Path, root: Path) -> None:
    """As they stand."""
    code, printed = reader(root)
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=rows.parent)
    assert run.stdout == printed


class Counted(io.FileIO):
    """A file that counts what is read of it."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """As many bytes as asked for."""
        block = super().read(-1 if size is None else size)
        self.count += len(block)
        return block


@pytest.mark.parametrize("row", [120, 9999, 10_000, 25_000, 30_000])
def test_one_record_is_read_without_all(rows: Path, root: Path, row: int) -> None:
    """The record of the data set, from its own segment and the list of segments."""
    names: dict[str, Any] = {}
    definition, _question = reader(root)[0].split("print(")
    exec(definition, names)
    with Counted(rows) as file:
        found = chomp.Row.of_record(names["record"](file, row))
        assert file.count < 0.4 * rows.stat().st_size
    *_, wanted = chomp.rows(row)
    assert found == wanted


class Ranges(http.server.BaseHTTPRequestHandler):
    """Serves the archive by ranges, and counts the bytes."""

    content = b""
    sent = 0

    def do_GET(self) -> None:
        """The bytes of the range."""
        ranged = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"])
        assert ranged
        part = self.content[int(ranged[1]) : int(ranged[2]) + 1]
        type(self).sent += len(part)
        self.send_response(206)
        last = int(ranged[1]) + len(part) - 1
        self.send_header("Content-Range", f"bytes {ranged[1]}-{last}/{len(self.content)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def server(rows: Path) -> Iterator[str]:
    """The address of the archive."""
    Ranges.content, Ranges.sent = rows.read_bytes(), 0
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_address[1]}/rows.zip"
        serving.shutdown()
        thread.join()


def fetched(root: Path, archive: str, manifest: Path, row: int) -> Any:
    """Runs the program that fetches a row."""
    command = [sys.executable, str(root / "outputs/deposit/fetch"), str(row)]
    command += ["--archive", archive, "--manifest", str(manifest)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_one_row_is_fetched_by_ranges_and_verified(rows: Path, root: Path, server: str) -> None:
    """The record of the data set, for a part of the bytes; what was changed is refused."""
    manifest = rows.parent / "rows/MANIFEST.ron"
    for row in (120, 30_000):
        run = fetched(root, server, manifest, row)
        *_, wanted = chomp.rows(row)
        assert chomp.Row.of_record(run.stdout.rstrip("\n")) == wanted, run.stderr
    assert 0 < Ranges.sent < 0.8 * len(Ranges.content)
    assert fetched(root, str(rows), manifest, 120).stdout.startswith("Periodic(row: 120,")
    refused = fetched(root, server, manifest, 30_001)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "has no row 30001" in refused.stderr
    place = Ranges.content.index(b"Periodic(row: 120,")
    # The archive's own checksum would find a single changed byte.
    forged = manifest.with_name("forged.ron")
    zeros = re.sub(r'blake3: "\w{8}', 'blake3: "' + 8 * "0", manifest.read_text())
    forged.write_text(zeros)
    refused = fetched(root, server, forged, 120)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "its hash is another one" in refused.stderr
    Ranges.content = Ranges.content[:place] + b"p" + Ranges.content[place + 1 :]
    refused = fetched(root, server, manifest, 120)
    assert (refused.returncode, refused.stdout) == (1, "")


def test_the_metadata_are_those_of_a_data_set(root: Path) -> None:
    """By the schema of DataCite, with the counts of the census."""
    text = (root / "outputs/deposit/metadata.json").read_text(encoding="utf-8")
    metadata = json.loads(text)
    # The identifier is the depository's to give.
    metadata["identifiers"] = [{"identifier": "10.1234/5", "identifierType": "DOI"}]
    schema45.validate(metadata)
    census = (root / "outputs/census-3000000.md").read_text()
    counts = {line.split("|")[1].strip(): line.split("|")[-2].strip() for line in rows_of(census)}
    finite, number = int(counts["finite"]), int(counts["all"])
    for count in (finite, number - finite, number):
        assert f"{count:,}".replace(",", " ") in text
    periods = [kind.removeprefix("period ") for kind in counts if kind.startswith("period ")]
    assert f"{', '.join(periods[:-1])} and {periods[-1]}" in text


def rows_of(census: str) -> list[str]:
    """The lines of a table, without its head."""
    return [line for line in census.splitlines() if line.startswith("|")][2:]
