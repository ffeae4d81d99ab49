"""Which file of an import is the model, and of which form: decided by contents."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from rl_lab.core.models.forms import FORM_NAMES, ModelForm
from rl_lab.core.models.transfers import MODEL_SUFFIXES
from rl_lab.runners.imports.files import GivenFile, open_zip, read_member
from rl_lab.runners.imports.refusals import refused
from rl_lab.runners.imports.sb3_zips import MEMBERS
from rl_lab.runners.imports.tensors import LEGACY, ZIP
from rl_lab.runners.imports.turbo_files import is_safetensors

ORDER: tuple[ModelForm, ...] = ("sb3", "turbo", "onnx", "torchscript", "cleanrl")
"""Of several models in one folder the first form counts: a repository may hold an unpacked copy of its zip."""
KNOWN = "The lab reads zips of Stable-Baselines3, turbo checkpoints, CleanRL models, ONNX and TorchScript."
MAX_INNER_FILES = 200
MAX_INNER_BYTES = 2 << 30
PICKLE = b"\x80"


def recognise(file: GivenFile) -> ModelForm | None:
    """The form of one file; None when it is no model."""
    head = file.head()
    if head.startswith(ZIP):
        with open_zip(file.path, file.name) as archive:
            return _form_of_zip(set(archive.namelist()))
    if head.startswith(LEGACY):
        return "cleanrl"
    if is_safetensors(head):
        return "turbo"
    return "onnx" if head[:1] == b"\x08" and _is_onnx(file.path) else None


def _form_of_zip(names: set[str]) -> ModelForm | None:
    if names >= MEMBERS:
        return "sb3"
    inner = {name.partition("/")[2] for name in names}
    if any(name.startswith("code/") for name in inner) or "constants.pkl" in inner:
        return "torchscript"
    return "cleanrl" if "data.pkl" in inner else None


def _is_onnx(path: Path) -> bool:
    import onnx

    try:
        model = onnx.load_model_from_string(path.read_bytes())
    except Exception:  # not a message of protobuf
        return False
    return bool(model.ir_version and model.graph.node)


class ChosenModel(NamedTuple):
    file: GivenFile
    form: ModelForm
    notes: list[str]
    """About other models of this form among the files."""


def choose_model(files: Sequence[GivenFile]) -> ChosenModel:
    """The model among the files; refused when there is none, or no one that is meant."""
    found: dict[ModelForm, list[GivenFile]] = {}
    for file in files:
        form = recognise(file) if file.path.stat().st_size else None
        if form is not None:
            found.setdefault(form, []).append(file)
    for form in ORDER:
        if form in found:
            chosen = _only(found[form], form)
            return ChosenModel(chosen, form, _notes_about(found[form], chosen))
    raise _no_model(files)


def _only(files: list[GivenFile], form: ModelForm) -> GivenFile:
    top = min(file.depth for file in files)
    upper = [file for file in files if file.depth == top]
    best = [
        file
        for file in upper
        if file.base in ("best_model.zip", "model.zip", "model.safetensors", "model.onnx")
    ]
    chosen = upper if len(upper) == 1 else best
    if len(chosen) != 1:
        names = ", ".join(file.name for file in upper[:5])
        raise refused(
            f"There are {len(upper)} files that are each a {FORM_NAMES[form]}: {names}.",
            "Import one of them alone; of a repository on the Hub, `--file NAME` chooses it.",
        )
    return chosen[0]


def _notes_about(files: list[GivenFile], chosen: GivenFile) -> list[str]:
    others = [file.name for file in files if file is not chosen]
    return [f"{chosen.name} was taken; there are other models: {', '.join(others[:5])}."] if others else []


def _no_model(files: Sequence[GivenFile]) -> Exception:
    likely = files if len(files) == 1 else [file for file in files if _is_called_like_a_model(file)]
    if len(likely) != 1:
        named = f": {', '.join(file.name for file in likely[:5])}" if likely else ""
        return refused(f"None of the {len(files)} files is a model that the lab can read{named}.", KNOWN)
    file, size = likely[0], likely[0].path.stat().st_size
    if not size:
        return refused(f"“{file.name}” is empty.")
    if file.head().startswith(PICKLE):
        return refused(
            f"“{file.name}” is a pickle, which would run code when it is loaded. Nothing was loaded.",
            "Save the tensors only: torch.save(model.state_dict(), FILE).",
        )
    return refused(f"“{file.name}” is not a model that the lab can read.", KNOWN)


def _is_called_like_a_model(file: GivenFile) -> bool:
    return PurePosixPath(file.name).suffix.lower() in MODEL_SUFFIXES


@contextmanager
def opened_folders(files: Sequence[GivenFile]) -> Iterator[list[GivenFile]]:
    """A single zip that is itself no model is a folder: its files, in a temporary one; else the files as they are."""
    if len(files) != 1 or not files[0].head().startswith(ZIP) or recognise(files[0]) is not None:
        yield list(files)
        return
    with (
        open_zip(files[0].path, files[0].name) as archive,
        tempfile.TemporaryDirectory(prefix="rl-lab-") as folder,
    ):
        yield _unpack(archive, Path(folder), files[0].name)


def _unpack(archive: zipfile.ZipFile, folder: Path, name: str) -> list[GivenFile]:
    members = [info for info in archive.infolist() if not info.is_dir()]
    if "pack.json" in archive.namelist():
        raise refused(f"“{name}” is a pack of runs.", "Import it with `rl-lab unpack FILE`.")
    if len(members) > MAX_INNER_FILES or sum(info.file_size for info in members) > MAX_INNER_BYTES:
        raise refused(
            f"“{name}” holds too many or too large files for a model.", "Import the model file alone."
        )
    found = []
    for number, info in enumerate(members):
        path = folder / str(number)
        path.write_bytes(read_member(archive, info.filename))
        found.append(GivenFile(info.filename, path))
    if not found:
        raise refused(f"“{name}” is an empty zip.")
    return found
