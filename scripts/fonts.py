"""Makes the page's two typefaces: Geist and Geist Mono (SIL Open Font Licence), cut to the signs the lab writes.

`python scripts/fonts.py` downloads the npm package named below and writes web/src/app/fonts and the licence in
web/public. Needs `pip install fonttools brotli` and npm. Run it again when a new sign is needed (SIGNS).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = "geist@1.7.2"
WEB = Path(__file__).resolve().parents[1] / "web"
FONTS = {"sans": "geist-sans/Geist-Variable.ttf", "mono": "geist-mono/GeistMono-Variable.ttf"}
SIGNS = "–—‘’“”…·•−×÷±≥≤≈≠→←↑↓∞√µ°²³½¦€"
LETTERS = "äöüÄÖÜßéèêëàâçñáíóúïîôûåøæÅØÆÉ"
"""Names that users type; any other letter comes from the fallback fonts of styles.css."""
WEIGHTS = (400, 700)
FEATURES = {"sans": ["kern", "tnum", "ccmp", "locl", "mark"], "mono": ["ccmp", "locl", "mark"]}


def main() -> None:
    try:
        from fontTools.ttLib import TTFont
    except ImportError:
        raise SystemExit("fonts: fonttools is not installed.\nNext: pip install fonttools brotli.") from None
    with tempfile.TemporaryDirectory() as made:
        folder = unpack(Path(made))
        for name, file in FONTS.items():
            target = WEB / "src" / "app" / "fonts" / f"geist-{name}.woff2"
            target.parent.mkdir(exist_ok=True)
            cut(TTFont(folder / "dist" / "fonts" / file), name, target)
            print(f"fonts: {target.relative_to(WEB)} {target.stat().st_size / 1000:.1f} kB")
        shutil.copyfile(folder / "LICENSE.txt", WEB / "public" / "font-licence.txt")


def unpack(folder: Path) -> Path:
    subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=sys.stderr)
    shutil.unpack_archive(next(folder.glob("*.tgz")), folder, filter="data")
    return folder / "package"


def cut(font: object, name: str, target: Path) -> None:
    """Keeps the signs, the features and the weights that the page uses."""
    from fontTools import subset
    from fontTools.varLib import instancer

    options = subset.Options(flavor="woff2", hinting=False, notdef_outline=True)
    options.layout_features = FEATURES[name]
    options.drop_tables += ["meta"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*range(0x20, 0x7F), 0xA0, *map(ord, SIGNS + LETTERS)])
    subsetter.subset(font)
    lightest, boldest = WEIGHTS
    font = instancer.instantiateVariableFont(font, {"wght": (lightest, lightest, boldest)})
    subset.save_font(font, str(target), options)


if __name__ == "__main__":
    main()
