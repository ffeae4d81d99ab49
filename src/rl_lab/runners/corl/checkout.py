"""Where a CORL checkout has its scripts, and which of them are not offered."""

from __future__ import annotations

from pathlib import Path

from rl_lab.runners.checkouts.checkout import CheckoutLayout
from rl_lab.runners.corl.scripts import CorlScript, read_script

OFFLINE = "offline"
"""Folder of the scripts in a newer checkout; in the first versions they were in `algorithms` itself."""
FINETUNE = "finetune"
MAX_FILES = 200


class CorlLayout(CheckoutLayout[CorlScript]):
    library = "CORL"
    folder = "algorithms"
    no_script = (
        "no script of CORL: no file has a dataclass that `pyrallis.wrap` fills "
        "and learns from a dataset of d4rl."
    )

    def script_folder(self, root: Path) -> Path:
        inner = root / self.folder / OFFLINE
        return inner if inner.is_dir() else root / self.folder

    def candidates(self, folder: Path) -> list[Path]:
        return [path for path in sorted(folder.glob("*.py"))[:MAX_FILES] if path.name != "__init__.py"]

    def read(self, path: Path) -> CorlScript:
        return read_script(path)

    def checkout_around(self, root: Path) -> str | None:
        around = next((one for one in root.parents if (one / self.folder).is_dir()), None)
        return str(around) if around is not None and self.folder in root.parts else None

    def skipped_folders(self, root: Path) -> list[str]:
        if not any((root / self.folder / FINETUNE).glob("*.py")):
            return []
        return [f"{self.folder}/{FINETUNE}: these scripts go on to train in the environment"]
