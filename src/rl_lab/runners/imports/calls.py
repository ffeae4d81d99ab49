"""The two worker calls of an import: what the files hold, and the checkpoint made of them.

A file that is refused is an answer, not a crash: `refused` and `next_step`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rl_lab.core.errors import LabError
from rl_lab.core.models.forms import ModelForm
from rl_lab.runners.evaluate_only.runners import POLICY
from rl_lab.runners.imports.cards import ALGORITHMS, read_cards
from rl_lab.runners.imports.files import GivenFile
from rl_lab.runners.imports.forms import choose_model, opened_folders
from rl_lab.runners.imports.found_models import FoundModel
from rl_lab.runners.imports.refusals import refused

PICKLE_HEAD = 4096


def inspect_model(given: dict[str, Any]) -> dict[str, Any]:
    """`files` (name, path), `algorithm`: form, algorithm, environment and what else the files say."""
    return _answered(lambda: _inspect(given))


def convert_model(given: dict[str, Any]) -> dict[str, Any]:
    """The same with `env_id`, `env_kwargs` and `output`, the open file that gets the checkpoint."""
    return _answered(lambda: _convert(given))


def _answered(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return work()
    except LabError as error:
        return {"refused": error.detail, "next_step": error.next_step}


def _files(given: dict[str, Any]) -> list[GivenFile]:
    return [GivenFile(str(one["name"]), Path(one["path"])) for one in given["files"]]


def _inspect(given: dict[str, Any]) -> dict[str, Any]:
    given_files = _files(given)
    with opened_folders(given_files) as files:
        file, form, notes = choose_model(files)
        card = read_cards(files)
        found = read_model(file, form, given.get("algorithm") or card.algorithm, files)
    numbers = {one.name: number for number, one in enumerate(given_files)}
    return {
        "number": numbers.get(file.name, 0),
        "form": form,
        "algorithm": found.algorithm,
        "env_id": found.env_id or card.env_id,
        "timesteps": found.timesteps,
        "observation": found.observation_text,
        "action": found.action_text,
        "claim": card.claim if card.claim and "mean" in card.claim else None,
        "notes": [*found.notes, *notes],
    }


def _convert(given: dict[str, Any]) -> dict[str, Any]:
    env_id, env_kwargs = str(given["env_id"]), dict(given["env_kwargs"])
    with opened_folders(_files(given)) as files:
        file, form, notes = choose_model(files)
        if form in ("onnx", "torchscript"):
            _try_out(file.path, form, env_id, env_kwargs)
            _require_unpacked(file, _files(given))
            return {"algorithm": POLICY, "params": {}, "notes": notes, "unchanged": True}
        found = read_model(file, form, given.get("algorithm"), files)
        params = _write(found, file, given)
    return {
        "algorithm": found.algorithm,
        "params": params,
        "notes": [*found.notes, *notes],
        "unchanged": False,
    }


def _write(found: FoundModel, file: GivenFile, given: dict[str, Any]) -> dict[str, Any]:
    from rl_lab.worker.rendering.made_files import handed_over

    env_id, env_kwargs = str(given["env_id"]), dict(given["env_kwargs"])
    suffix = ".safetensors" if found.form == "turbo" else ".zip"
    with handed_over(int(given["output"]), suffix) as made:
        if found.form == "turbo":
            from rl_lab.runners.imports.turbo_files import convert_turbo

            return convert_turbo(file.path, file.name, env_id, env_kwargs, made.path)
        from rl_lab.runners.sb3.library import load_library

        load_library()
        from rl_lab.runners.imports.sb3_models import convert_sb3

        return convert_sb3(found, env_id, env_kwargs, made.path)


def read_model(
    file: GivenFile, form: ModelForm, wanted: str | None, files: Sequence[GivenFile]
) -> FoundModel:
    """The contents of the model file, and of a scaling next to it; nothing in it is executed."""
    if wanted and wanted.lower() not in ALGORITHMS and form in ("sb3", "cleanrl"):
        raise refused(
            f"The lab has no algorithm “{wanted}” of Stable-Baselines3.",
            f"Choose one of {', '.join(ALGORITHMS)}.",
        )
    if form == "onnx":
        return _read_onnx(file)
    if form == "torchscript":
        return FoundModel("torchscript", POLICY)
    if form == "turbo":
        from rl_lab.runners.imports.turbo_files import read_turbo

        return read_turbo(file.path, file.name)
    if form == "sb3":
        from rl_lab.runners.imports.sb3_zips import read_sb3

        return _with_normaliser(read_sb3(file.path, file.name, wanted), files)
    from rl_lab.runners.imports.cleanrl_models import read_cleanrl
    from rl_lab.runners.imports.tensors import read_torch

    return read_cleanrl(read_torch(file.path, file.name), file.name, wanted)


def _with_normaliser(found: FoundModel, files: Sequence[GivenFile]) -> FoundModel:
    scaling = [
        one for one in files if b"VecNormalize" in one.head(PICKLE_HEAD) and one.head().startswith(b"\x80")
    ]
    if not scaling:
        return found
    from rl_lab.runners.imports.normalisers import read_normaliser

    file = min(scaling, key=lambda one: one.depth)
    found.normaliser = read_normaliser(file.path.read_bytes(), file.name)
    found.notes += found.normaliser["notes"]
    return found


def _read_onnx(file: GivenFile) -> FoundModel:
    from rl_lab.runners.evaluate_only.onnx_graphs import dimensions, inputs_of, read_graph

    model = read_graph(file.path, file.name)
    dims, gives = dimensions(inputs_of(model)[0])[1:], dimensions(model.graph.output[0])[1:]
    found = FoundModel("onnx", POLICY, observation=tuple(dims) if all(dims) else None)
    found.action_size = gives[0] if len(gives) == 1 and gives[0] else None
    return found


def _try_out(path: Path, form: ModelForm, env_id: str, env_kwargs: dict[str, Any]) -> None:
    if form == "onnx":
        from rl_lab.runners.evaluate_only.onnx_graphs import load_policy as load_onnx

        load_onnx(path, env_id, env_kwargs).try_out()
        return
    from rl_lab.runners.evaluate_only.torchscript_programs import load_policy as load_torchscript

    load_torchscript(path, env_id, env_kwargs).try_out()


def _require_unpacked(file: GivenFile, files: Sequence[GivenFile]) -> None:
    """These forms are stored as they are, so the file must be one that was sent."""
    if all(file.path != one.path for one in files):
        raise refused(f"“{file.name}” is inside a zip.", "Unpack the zip and import the file or the folder.")
