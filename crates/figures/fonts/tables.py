"""Writes the tables of the font that the program embeds, from the font itself:

    python tables.py [--check]

`glyphs.tsv` has a line for each glyph: its advance, and the letters that it stands for.
`outlines.txt` has a line for each glyph: path data, y upwards. All lengths are in units of the
font. With `--check` nothing is written, and the tables must be those of the font. Needs fonttools.
"""

import sys
from pathlib import Path

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent


class Outline(BasePen):
    """Collects path data, with spaces between all of its parts."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.data = []

    def add(self, command, *points):
        self.data.append(command)
        self.data += [f"{length:g}" for point in points for length in point]

    def _moveTo(self, point):
        self.add("M", point)

    def _lineTo(self, point):
        self.add("L", point)

    def _qCurveToOne(self, control, point):
        self.add("Q", control, point)

    def _closePath(self):
        self.add("Z")


font = TTFont(FOLDER / "DejaVuSans-subset.ttf")
letters = {}
for code, name in sorted(font.getBestCmap().items()):
    letters[name] = letters.get(name, "") + chr(code)

metrics, outlines = [], []
for name in font.getGlyphOrder():
    metrics.append(f"{font['hmtx'][name][0]}\t{letters.get(name, '')}\n")
    outline = Outline(font.getGlyphSet())
    font.getGlyphSet()[name].draw(outline)
    outlines.append(" ".join(outline.data) + "\n")

good = True
for file, lines in [("glyphs.tsv", metrics), ("outlines.txt", outlines)]:
    path, text = FOLDER / file, "".join(lines)
    if "--check" not in sys.argv:
        path.write_text(text, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text:
        good = False
        print(f"{path} is not the table of the font. Run tables.py.", file=sys.stderr)
sys.exit(not good)
