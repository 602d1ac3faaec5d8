"""Certified rows of three-rowed Chomp.

Row r is the set of all P-positions (p, q, r): row lengths p >= q >= r, in squares. Its offsets
p - q, for the columns q = r, r + 1, ..., either end or repeat from some column on (S. Byrnes,
Poset game periodicity, Integers 3 (2003) G03). This package finds both, with a certificate.

>>> import chomp
>>> row = chomp.row(120)
>>> row.start, row.period, row.values
(170, 2, (72, 70))

The words are those of docs/ARCHITECTURE.md; docs/PYTHON.md has examples.
"""

from chomp._chomp import (
    LARGEST_ROW,
    Bite,
    Certificate,
    Figure,
    IncompleteError,
    RefutedError,
    Row,
    Rows,
    Table,
    Verdict,
    __version__,
    f,
    figure,
    is_p,
    row,
    rows,
    table,
    verify,
    winning_bites,
    write,
)

__all__ = [
    "LARGEST_ROW",
    "Bite",
    "Certificate",
    "Figure",
    "IncompleteError",
    "RefutedError",
    "Row",
    "Rows",
    "Table",
    "Verdict",
    "__version__",
    "f",
    "figure",
    "is_p",
    "row",
    "rows",
    "table",
    "verify",
    "winning_bites",
    "write",
]
