"""Where a CleanRL checkout has its scripts."""

from __future__ import annotations

from pathlib import Path

from rl_lab.runners.checkouts.checkout import CheckoutLayout
from rl_lab.runners.cleanrl.scripts import Script, read_script

SHARED = "cleanrl_utils"
"""The folder next to that of the scripts, with modules that they share."""
MAX_FILES = 500


class CleanRlLayout(CheckoutLayout[Script]):
    library = "CleanRL"
    folder = "cleanrl"
    no_script = "no training script: no file has a dataclass “Args” or uses argparse."

    def candidates(self, folder: Path) -> list[Path]:
        """The files of the folder, and files in subfolders that have the name of their subfolder."""
        paths = []
        for path in sorted(folder.iterdir())[:MAX_FILES]:
            inner = path / f"{path.name}.py"
            if path.suffix == ".py" and path.name != "__init__.py":
                paths.append(path)
            elif path.is_dir() and inner.is_file():
                paths.append(inner)
        return paths

    def read(self, path: Path) -> Script:
        return read_script(path)

    def checkout_around(self, root: Path) -> str | None:
        is_inside = root.name == self.folder and any(root.glob("*.py"))
        return f"its parent, {root.parent}" if is_inside else None
