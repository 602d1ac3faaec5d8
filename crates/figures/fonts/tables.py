"""Writes the table of the font that the program embeds, from the font itself:

    python tables.py [--check]

`glyphs.tsv` has a line for each glyph: its advance in units of the font, and the letters that it
stands for. With `--check` nothing is written, and the table must be that of the font. Needs
fonttools.
"""

import sys
from pathlib import Path

from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent


font = TTFont(FOLDER / "DejaVuSans-subset.ttf")
letters = {}
for code, name in sorted(font.getBestCmap().items()):
    letters[name] = letters.get(name, "") + chr(code)

metrics = [f"{font['hmtx'][name][0]}\t{letters.get(name, '')}\n" for name in font.getGlyphOrder()]
path, text = FOLDER / "glyphs.tsv", "".join(metrics)
good = True
if "--check" not in sys.argv:
    path.write_text(text, encoding="utf-8")
elif path.read_text(encoding="utf-8") != text:
    good = False
    print(f"{path} is not the table of the font. Run tables.py.", file=sys.stderr)
sys.exit(not good)
