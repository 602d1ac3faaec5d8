"""Tables, and what pandas, polars and pyarrow make of them."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import chomp
import numpy
import pandas
import polars
import pyarrow
import pytest

COLUMNS = [
    "row",
    "kind",
    "first",
    "head_end",
    "period",
    "values",
    "certificate_from",
    "certificate_recurs",
    "certificate_modulus",
    "certificate_filled",
    "certificate_above",
    "fingerprint",
]


def line(row: chomp.Row) -> dict[str, object]:
    """What the table should say of a row (docs/GUIDE.md)."""
    certificate = row.certificate
    return {
        "row": row.row,
        "kind": "finite" if row.is_finite else "periodic",
        "first": row.first,
        "head_end": row.start if row.last is None else row.last + 1,
        "period": row.period or 0,
        "values": list(row.values),
        "certificate_from": certificate.from_ if certificate else 0,
        "certificate_recurs": certificate.recurs if certificate else 0,
        "certificate_modulus": certificate.modulus if certificate else 0,
        "certificate_filled": certificate.filled if certificate else 0,
        "certificate_above": list(certificate.above) if certificate else [],
        "fingerprint": row.fingerprint,
    }


def test_a_line_is_a_row() -> None:
    """All columns, with heads and without."""
    wanted = [line(row) for row in chomp.rows(1000)]
    table = chomp.table(1000)
    assert (len(table), table.columns) == (1001, COLUMNS)
    assert pyarrow.table(table).to_pylist() == wanted
    assert table.to_polars().to_dicts() == wanted

    assert [table[index] for index in (0, 120, -1)] == [wanted[0], wanted[120], wanted[-1]]

    full = chomp.table(200, full=True)
    assert full.columns == [*COLUMNS, "head"]
    heads = [list(row.head or ()) for row in chomp.rows(200, full=True)]
    assert full.to_polars()["head"].to_list() == heads


def address(array: pyarrow.Array | pyarrow.ChunkedArray) -> int:
    """Where the numbers of a column are."""
    if isinstance(array, pyarrow.ChunkedArray):
        (array,) = array.chunks
    return array.buffers()[-1].address


@pytest.mark.parametrize("column", ["row", "first", "period", "certificate_filled"])
def test_nothing_is_copied(column: str) -> None:
    """Every library has the numbers where the table has them."""
    table = chomp.table(1000)
    own = address(pyarrow.table(table)[column])
    assert address(pyarrow.table(table)[column]) == own
    series = table.to_pandas()[column]
    assert series.dtype == pandas.ArrowDtype(pyarrow.int64())
    assert address(series.array.__arrow_array__()) == own
    assert address(table.to_polars()[column].to_arrow()) == own


def test_frames_outlive_the_table() -> None:
    """Whoever reads the memory keeps it."""
    frame = chomp.table(500).to_polars()
    assert frame["row"].sum() == 500 * 501 // 2
    assert frame.filter(polars.col("period") > 1)["row"].to_list()[:5] == [120, 400, 402, 422, 424]


def test_pandas_reads_what_the_list_of_periods_has() -> None:
    """The first rows of Brouwer's table."""
    frame = chomp.table(600).to_pandas()
    found = frame[frame.period > 1][["row", "head_end", "period"]].to_numpy().tolist()
    assert found[:3] == [[120, 170, 2], [400, 566, 2], [402, 571, 4]]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_missing_library_is_named(library: str) -> None:
    """With what to do."""
    frame = "to_polars" if library == "polars" else "to_pandas"
    code = f"import sys; sys.modules['{library}'] = None\nimport chomp\nchomp.table(5).{frame}()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "ImportError" in run.stderr
    assert f"`pip install {library}`" in run.stderr


def test_csv_of_the_frame_is_readable() -> None:
    """Without lists, polars writes it."""
    columns = ["row", "kind", "period"]
    text = chomp.table(5).to_polars().select(columns).write_csv()
    assert list(csv.reader(text.splitlines()))[1:3] == [
        ["0", "periodic", "1"],
        ["1", "finite", "0"],
    ]


def test_columns_are_arrays() -> None:
    """Of NumPy, of Arrow and of lists, with the values of the rows."""
    rows = list(chomp.rows(300))
    table = chomp.table(300)
    periods = [row.period or 0 for row in rows]
    column = table["period"]
    assert (column.to_list(), len(column), column[120], column[-1]) == (
        periods,
        301,
        2,
        periods[-1],
    )
    assert column[118:122].to_list() == periods[118:122]
    assert numpy.asarray(column).dtype == numpy.int64
    assert numpy.asarray(column, dtype=float).sum() == sum(periods)
    assert pyarrow.array(column).to_pylist() == polars.Series(column).to_list() == periods
    assert table["kind"].to_numpy()[120] == "periodic"
    assert table["values"].to_numpy()[120].tolist() == [72, 70]

    array = numpy.asarray(table)
    assert array.dtype.names == tuple(table.columns)
    assert array["period"].tolist() == periods
    assert table[118:122]["row"].to_list() == [118, 119, 120, 121]
    assert "<td>8a21679c9ed36f2f</td>" in table[118:122]._repr_html_()
    assert table._repr_html_().count("<tr>") == 12
    with pytest.raises(KeyError, match="the columns are row, kind, first"):
        table["periods"]
    assert array[::100]["row"].tolist() == [0, 100, 200, 300]
    for part in (table, table["row"]):
        with pytest.raises(ValueError, match=r"has the step 1; to_numpy\(\) can be sliced by any"):
            part[::100]
    with pytest.raises(IndexError, match="301 is out of range"):
        table[301]


def test_tables_of_levels_tails_and_ideals() -> None:
    """Which row a line is about, and the rest as in the record."""
    rows = chomp.levels(2, 30)
    table = rows.table()
    assert table.columns[:3] == ["level", "tail", "kind"]
    line = next(line for line in table if (line["level"], line["tail"]) == (2, [10]))
    assert line["head_end"] == rows.row(10, level=2).to_dict()["head_end"]
    assert chomp.tail(5, 4).table()["tail"].to_list() == [
        list(row.tail) for row in chomp.tail(5, 4)
    ]

    ideals = chomp.family("product 4 chains 2 2")
    table = ideals.table()
    for row, line in zip(ideals, table, strict=True):
        ideal = row.ideal
        assert ideal
        assert line["ideal"] == "{" + ",".join(ideal["generators"]) + "}"
        assert [line[name] for name in ("begins", "column", "shift")] == [
            ideal[name] for name in ("begins", "column", "shift")
        ]
        early = zip(line["early_columns"], line["early_p"], strict=True)
        assert [list(pair) for pair in early] == ideal["early"]
        assert line["period"] == (row.period or 0)


def test_the_ledger_is_a_table(root: Path) -> None:
    """Every claim of the ledger, with the verdict that it expects; some are wrong."""
    ledger = chomp.reproduce(2000, data=root / "outputs/rows-10000")
    files = [
        root / f"crates/ledger/src/{author}/claims.ron"
        for author in ("brouwer", "zeilberger", "cho", "garg", "sheiner", "padhi", "nguyen")
    ]
    claims = "".join(file.read_text() for file in files)
    ids = re.findall(r'^ *id: "([^"]+)"', claims, re.M)
    assert ledger["id"].to_list() == ids
    assert set(ledger["as_expected"].to_list()) == {1}
    # Gale's conjecture fails on 6 x 11 squares.
    assert "wrong" in ledger["verdict"].to_list()
    chosen = chomp.reproduce(20, claims=("2005-8.2-row", "page-p-thirds"))
    rows = [f"2005-8.2-row-{row}" for row in (120, 782, 7751)]
    assert chosen["id"].to_list() == [*rows, "page-p-thirds"]
    with pytest.raises(ValueError, match='"2005-9"'):
        chomp.reproduce(20, claims=["2005-9"])
