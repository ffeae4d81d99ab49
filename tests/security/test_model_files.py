"""A zoo of malicious model files: each is refused with a clear message, executes nothing and leaves nothing behind."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import pickle
import re
import stat
import struct
import zipfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.labs import furnish, open_lab
from support.model_files import (
    cleanrl_ppo,
    onnx_graph,
    ppo_tensors,
    sb3_data,
    sb3_zip,
    torch_bytes,
    torchscript,
    turbo_checkpoint,
    zip_bytes,
)

from rl_lab.cli.commands.models.imports import list_files
from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.core.models.imports import ImportChoices
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.runners.imports.calls import convert_model, inspect_model
from rl_lab.store.files.folders import list_run_ids

CANARY = "canary"
Files = dict[str, bytes]
Make = Callable[[Path], Files]
ZOO: dict[str, tuple[Make, str]] = {}
"""Name → what makes its files, and the message that refuses them."""


class Gadget:
    """Unpickled, it creates the canary."""

    def __init__(self, canary: Path) -> None:
        self.canary = canary

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.canary}",)


def evil(name: str, message: str) -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        ZOO[name] = (make, message)
        return make

    return register


def gadget(folder: Path) -> bytes:
    return pickle.dumps(Gadget(folder / CANARY))


def one(name: str, data: bytes) -> Files:
    return {name: data}


def refitted(data: bytes, change: Callable[[zipfile.ZipInfo], None]) -> bytes:
    """The zip with a change at every member's entry."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w") as target:
        for info in source.infolist():
            content = source.read(info)
            change(info)
            target.writestr(info, content)
    return buffer.getvalue()


@evil("a pickle", "is a pickle, which would run code")
def _(folder: Path) -> Files:
    return one("model.pkl", gadget(folder))


@evil("a pickle named like a zip", "is a pickle, which would run code")
def _(folder: Path) -> Files:
    return one("model.zip", gadget(folder))


@evil("a gadget in policy.pth", r"holds other objects than tensors \((posix|nt)\.system\)")
def _(folder: Path) -> Files:
    return one("model.zip", sb3_zip({"policy.pth": torch_bytes({"a": Gadget(folder / CANARY)})}))


@evil("a gadget in a CleanRL model", "holds other objects than tensors")
def _(folder: Path) -> Files:
    return one("x.cleanrl_model", torch_bytes({**cleanrl_ppo(), "evil": Gadget(folder / CANARY)}))


@evil("a gadget in an old file of torch", "holds other objects than tensors")
def _(folder: Path) -> Files:
    data = torch_bytes(Gadget(folder / CANARY), _use_new_zipfile_serialization=False)
    return one("x.cleanrl_model", data)


@evil("a gadget in vec_normalize", r"names (posix|nt)\.system, which no model needs")
def _(folder: Path) -> Files:
    data = pickle.dumps(["VecNormalize", Gadget(folder / CANARY)])
    return {"model.zip": sb3_zip(), "vec_normalize.pkl": data}


@evil("a builtin in vec_normalize", r"names builtins\.eval")
def _(folder: Path) -> Files:
    return {"model.zip": sb3_zip(), "vec_normalize.pkl": b"\x80\x04cbuiltins\neval\n(VVecNormalize\ntR."}


@evil("a vec_normalize that asks for memory", "vec_normalize.pkl")
def _(folder: Path) -> Files:
    data = b"\x80\x04" + pickle.BINBYTES8 + struct.pack("<Q", 1 << 50) + b"VecNormalize"
    return {"model.zip": sb3_zip(), "vec_normalize.pkl": data}


@evil("zip slip", "leads outside")
def _(folder: Path) -> Files:
    return one("model.zip", sb3_zip({f"../../{CANARY}": b"x"}))


@evil("an absolute member", "leads outside")
def _(folder: Path) -> Files:
    return one("model.zip", sb3_zip({str(folder / CANARY): b"x"}))


@evil("a link in a zip", "holds a link")
def _(folder: Path) -> Files:
    def link(info: zipfile.ZipInfo) -> None:
        info.external_attr = (stat.S_IFLNK | 0o777) << 16

    return one("model.zip", refitted(sb3_zip(), link))


@evil("an encrypted zip", "is encrypted")
def _(folder: Path) -> Files:
    data = bytearray(sb3_zip())
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    return one("model.zip", bytes(data))


@evil("two members of one name", "has two members “data”")
def _(folder: Path) -> Files:
    buffer = io.BytesIO(sb3_zip())
    with pytest.warns(UserWarning), zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("data", b"{}")
    return one("model.zip", buffer.getvalue())


@evil("a bomb of zeros", "would unpack to")
def _(folder: Path) -> Files:
    return one("model.zip", zip_bytes({"data": b"{}", "policy.pth": bytes(64 << 20)}, zipfile.ZIP_DEFLATED))


@evil("a bomb in a bomb", "would unpack to")
def _(folder: Path) -> Files:
    inner = zip_bytes({"archive/data.pkl": bytes(64 << 20)}, zipfile.ZIP_DEFLATED)
    return one("model.zip", sb3_zip({"policy.pth": inner}))


@evil("a million members", "too many members")
def _(folder: Path) -> Files:
    entry = b"PK\x01\x02" + bytes(24) + struct.pack("<HHH", 1, 0, 0) + bytes(12) + b"x"
    entries = entry * 1_000_000
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, len(entries), 0, 0)
    return one("model.zip", b"PK\x03\x04" + entries + end)


@evil("a huge tensor on a small storage", "is damaged|too large")
def _(folder: Path) -> Files:
    data = torch_bytes({"actor.0.weight": np_tensor((3, 5))})
    return one("x.cleanrl_model", data.replace(b"K\x03K\x05\x86", b"K\xffK\xff\x86"))


@evil("a safetensors header of 10^12", "header would have 1,000,000,000,000 bytes")
def _(folder: Path) -> Files:
    return one("model.safetensors", struct.pack("<Q", 10**12) + b"{}")


@evil("safetensors that are no turbo checkpoint", "no turbo checkpoint")
def _(folder: Path) -> Files:
    header = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    return one("model.safetensors", struct.pack("<Q", len(header)) + header + bytes(4))


@evil("a turbo checkpoint cut in the middle", "is not a turbo checkpoint|is damaged")
def _(folder: Path) -> Files:
    return one("model.safetensors", turbo_checkpoint(folder / "x").read_bytes()[:-100])


@evil("NaN in a turbo checkpoint", "NaN or infinity")
def _(folder: Path) -> Files:
    return one("model.safetensors", turbo_checkpoint(folder / "x", weight=float("nan")).read_bytes())


@evil("too many weights in a turbo checkpoint", "holds 70,000 weights")
def _(folder: Path) -> Files:
    data = turbo_checkpoint(folder / "x", parameters=np.zeros(70_000, np.float32)).read_bytes()
    return one("model.safetensors", data)


@evil("NaN weights", "hold NaN or infinity")
def _(folder: Path) -> Files:
    tensors = ppo_tensors()
    tensors["action_net.weight"][0, 0] = float("nan")
    return one("model.zip", sb3_zip({"policy.pth": torch_bytes(tensors)}))


@evil("wrong shapes", r"does not fit CartPole-v1: it takes observations of shape \(4,\).*not \(8, 4\)")
def _(folder: Path) -> Files:
    return one("model.zip", sb3_zip({"policy.pth": torch_bytes(ppo_tensors(inputs=6))}))


@evil("other spaces", r"does not fit CartPole-v1: it takes observations of shape \(8,\)")
def _(folder: Path) -> Files:
    space = {"_shape": [8], ":type:": "<class 'gymnasium.spaces.box.Box'>"}
    return one("model.zip", sb3_zip(data=sb3_data(observation_space=space)))


@evil("a policy with its own code", "policy class of “their.module”")
def _(folder: Path) -> Files:
    return one("model.zip", sb3_zip(data=sb3_data(policy_class={"__module__": "their.module"})))


@evil("unknown layers", "“evil.weight” is unknown")
def _(folder: Path) -> Files:
    tensors = {**ppo_tensors(), "evil.weight": np_tensor((2, 2))}
    return one("model.zip", sb3_zip({"policy.pth": torch_bytes(tensors)}))


@evil("settings that are not JSON", "settings are not JSON")
def _(folder: Path) -> Files:
    return one("model.zip", sb3_zip({"data": b"\x80\x04."}))


@evil("settings nested without end", "settings are not JSON")
def _(folder: Path) -> Files:
    return one("model.zip", sb3_zip({"data": b"[" * 200_000}))


@evil("a zip that is cut", "damaged zip")
def _(folder: Path) -> Files:
    return one("model.zip", sb3_zip()[:-50])


@evil("a wrong checksum", "is damaged")
def _(folder: Path) -> Files:
    data = sb3_zip()
    return one("model.zip", data.replace(b'"gamma"', b'"gamme"'))


@evil("an empty file", "is empty")
def _(folder: Path) -> Files:
    return one("model.zip", b"")


@evil("an empty zip", "empty zip|damaged zip|not a model")
def _(folder: Path) -> Files:
    return one("model.zip", zip_bytes({}))


@evil("a text", "is not a model that the lab can read")
def _(folder: Path) -> Files:
    return one("модель\u200b.zip", b"hello")


@evil("an ONNX graph with weights elsewhere", "keeps weights in another file")
def _(folder: Path) -> Files:
    return one("policy.onnx", onnx_graph(external="../../token"))


@evil("an ONNX graph with an operator of its own", "evil.MatMul, which is not a standard one")
def _(folder: Path) -> Files:
    return one("policy.onnx", onnx_graph(domain="evil"))


@evil(
    "an ONNX graph of another environment", r"does not fit CartPole-v1: it takes observations of shape \(7,\)"
)
def _(folder: Path) -> Files:
    return one("policy.onnx", onnx_graph(inputs=7))


@evil("an ONNX graph with too few actions", "does not fit CartPole-v1: for one observation")
def _(folder: Path) -> Files:
    return one("policy.onnx", onnx_graph(outputs=5))


@evil("a card that grows without bound", "is not a model|None of the")
def _(folder: Path) -> Files:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    card = "---\n" + "\n".join([*lines, "model-index: [{name: *a11}]"]) + "\n---\n"
    return {"README.md": card.encode(), "x.bin": b"hello"}


def np_tensor(shape: tuple[int, ...]) -> Any:
    import torch

    return torch.zeros(shape)


def ask(files: Files, folder: Path, **more: Any) -> dict[str, Any]:
    """As the confined process answers, in this one: nothing of a file may be executed even here."""
    sent = []
    for number, (name, data) in enumerate(files.items()):
        (folder / str(number)).write_bytes(data)
        sent.append({"name": name, "path": str(folder / str(number))})
    found = inspect_model({"files": sent})
    if "refused" in found:
        return found
    output = os.open(folder / "made", os.O_RDWR | os.O_CREAT)
    try:
        question = {"files": sent, "env_id": "CartPole-v1", "env_kwargs": {}, "output": output, **more}
        return {**found, **convert_model(question)}
    finally:
        os.close(output)


@pytest.mark.parametrize("name", ZOO)
def test_an_evil_model_is_refused_and_executes_nothing(name: str, tmp_path: Path) -> None:
    make, message = ZOO[name]
    found = ask(make(tmp_path), tmp_path)
    assert re.search(message, found.get("refused", "")), found
    assert found["next_step"]
    assert not (tmp_path / CANARY).exists()


def test_pickles_in_the_settings_of_sb3_are_never_decoded(tmp_path: Path) -> None:
    code = base64.b64encode(gadget(tmp_path)).decode()
    hidden = {":type:": "<class 'function'>", ":serialized:": code}
    data = sb3_data(clip_range=hidden, lr_schedule=hidden, learning_rate=hidden, evil=hidden)
    found = ask(one("model.zip", sb3_zip({"pytorch_variables.pth": gadget(tmp_path)}, data=data)), tmp_path)
    assert (found["algorithm"], found["unchanged"]) == ("ppo", False)
    made = (tmp_path / "made").read_bytes()
    assert code[:40].encode() not in made
    assert not (tmp_path / CANARY).exists()


def test_only_files_and_folders_are_sent(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link.zip").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "folder" / "pipe.zip")
    for path in (tmp_path / "pipe", Path("/dev/null"), tmp_path / "folder", tmp_path / "missing"):
        with pytest.raises(LabError):
            list_files(path)


@pytest.mark.skipif(not probe().landlock, reason="this kernel has no Landlock")
def test_an_approved_program_reads_and_writes_nothing_of_yours(tmp_path: Path) -> None:
    """A program that the user approved neither reads the token nor creates a file; the lab imports the next model."""
    home = tmp_path / "home"
    furnish(home)
    token, canary = home / "token", tmp_path / CANARY
    reads = torchscript(f'return torch.from_file("{token}", False, 4, dtype=0).to(torch.float)[None, :2]')
    writes = torchscript(f'return torch.from_file("{canary}", True, 8)[None, :2]')

    async def story() -> None:
        async with open_lab(home) as lab:
            for name, data in {"reads.pt": reads, "writes.pt": writes}.items():
                upload = (await lab.models.imports.uploads.receive(name, chunks(data))).id
                preview = await lab.models.imports.preview(upload)
                choices = ImportChoices(env_id="CartPole-v1", consent=preview.sha256)
                with pytest.raises(InvalidInput, match=r"failed on an observation|could not be imported"):
                    await lab.models.imports.take_in(upload, choices)
                await lab.models.imports.drop(upload)
            assert not canary.exists()
            assert list_run_ids(home) == []
            assert not [path for path in (home / "imports").rglob("*") if path.is_file()]
            assert await lab.models.imports.uploads.receive("next", chunks(b"x"))

    asyncio.run(story())


async def chunks(data: bytes) -> AsyncIterator[bytes]:
    yield data
