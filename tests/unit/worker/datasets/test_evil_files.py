"""Files that try to run code, read other files, fill memory or disk, or that are simply broken: a clear error each."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from support.dataset_files import d4rl_arrays, make_dataset, take

from rl_lab.core.errors import LabError
from rl_lab.worker.datasets.exports import export
from rl_lab.worker.datasets.formats import hdf5_files


def npz(**changes: Any) -> Callable[[Path], None]:
    return lambda path: np.savez(path, **{**d4rl_arrays(), **changes})


def npz_members(members: dict[str, bytes], cut: int | None = None) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, data)
        path.write_bytes(file.getvalue()[:cut])

    return make


def array_file(shape: tuple[int, ...], data: bytes = b"") -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return file.getvalue() + data


def hdf5(change: Callable[[Any, Path], Any]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with h5py.File(path, "w") as file:
            for name, values in d4rl_arrays().items():
                file[name] = values
            change(file, path)

    return make


def replaced(**arguments: Any) -> Callable[[Path], None]:
    """Observations that are stored in another way."""

    def change(file: Any, _: Path) -> None:
        del file["observations"]
        file.create_dataset("observations", **arguments)

    return hdf5(change)


def linked(link: Callable[[Path], Any]) -> Callable[[Path], None]:
    def change(file: Any, path: Path) -> None:
        del file["observations"]
        file["observations"] = link(path)

    return hdf5(change)


def stolen(path: Path) -> str:
    secret = path.with_name("secret.bin")
    secret.write_bytes(bytes(240))
    return str(secret)


def virtual(path: Path) -> Any:
    layout = h5py.VirtualLayout((20, 3), "f4")
    layout[:] = h5py.VirtualSource(stolen(path), "x", (20, 3))
    return layout


def make_virtual(path: Path) -> None:
    def change(file: Any, _: Path) -> None:
        del file["observations"]
        file.create_virtual_dataset("observations", virtual(path))

    hdf5(change)(path)


def circle(file: Any, _: Path) -> None:
    file.create_group("infos")["again"] = file["/"]


def cut_hdf5(path: Path) -> None:
    hdf5(lambda file, _: None)(path)
    path.write_bytes(path.read_bytes()[:-300])


class Payload:
    def __reduce__(self) -> Any:
        return (Path("/tmp/rl-lab-was-here").touch, ())


EVIL: dict[str, tuple[Callable[[Path], Any], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "is empty"),
    "pickle": (lambda path: path.write_bytes(pickle.dumps(Payload())), "never loaded"),
    "noise": (lambda path: path.write_bytes(b"\x00\x01\x02" * 50), "no format"),
    "array": (lambda path: path.write_bytes(array_file((1,), bytes(4))), "single array"),
    "text": (lambda path: path.write_text("once upon a time\nthere was a file\n"), "no column of numbers"),
    "csv-without-rows": (lambda path: path.write_text("obs,action,reward\n"), "has no rows|cannot be read"),
    "csv-broken": (
        lambda path: path.write_text("obs_0,action,done\n1,0,0\n2,x\n"),
        "cannot be read as CSV",
    ),
    "npz-pickled": (npz(infos=np.array([Payload()] * 20, dtype=object)), "pickled objects"),
    "npz-no-actions": (npz_members({"observations.npy": array_file((2, 1), bytes(8))}), "no actions"),
    "npz-other": (npz_members({"readme.txt": b"hello"}), "no observations and actions"),
    "npz-lying-header": (
        npz_members({"observations.npy": array_file((10**9, 3), bytes(12))}),
        "says it holds",
    ),
    "npz-negative": (npz_members({"observations.npy": array_file((-5, 3))}), "negative"),
    "npz-bad-header": (
        npz_members({"observations.npy": b"\x93NUMPY\x01\x00\x04\x00{[}\n"}),
        "no readable header",
    ),
    "npz-not-an-array": (npz_members({"observations.npy": b"hello"}), "no readable header"),
    "npz-cut": (
        npz_members({"observations.npy": array_file((2, 2), bytes(16))}, cut=60),
        "not a complete archive",
    ),
    "npz-short-ends": (npz(terminals=np.zeros(1), timeouts=np.zeros(1)), "“terminals” has 1 row"),
    "npz-no-ends": (npz(terminals=np.float64(0), timeouts=np.float64(0)), "where episodes end"),
    "npz-texts": (npz(actions=np.array(["left"] * 20)), "not numbers"),
    "parquet-cut": (lambda path: path.write_bytes(b"PAR1" + bytes(50)), "cannot be read as Parquet"),
    "hdf5-cut": (cut_hdf5, "damaged or not complete"),
    "hdf5-empty": (lambda path: h5py.File(path, "w").close(), "no observations and actions"),
    "hdf5-external-link": (
        linked(lambda path: h5py.ExternalLink(stolen(path), "/x")),
        "link to another file",
    ),
    "hdf5-soft-link": (linked(lambda _: h5py.SoftLink("/actions")), "link to another place"),
    "hdf5-soft-link-loop": (linked(lambda _: h5py.SoftLink("/observations")), "link to another place"),
    "hdf5-circle": (hdf5(circle), "in a circle"),
    "hdf5-external-storage": (
        lambda path: replaced(shape=(20, 3), dtype="f4", external=[(stolen(path), 0, 240)])(path),
        "in other files",
    ),
    "hdf5-virtual": (make_virtual, "in other files"),
    "hdf5-hollow": (replaced(shape=(20, 10**12), dtype="f4", chunks=(1, 1000)), "claims to hold"),
    "hdf5-large-chunk": (
        replaced(shape=(20, 1 << 25), dtype="u1", chunks=(20, 1 << 25), fillvalue=0),
        "claims to hold|in pieces of",
    ),
    "hdf5-objects": (
        replaced(data=np.array([b"x"] * 20, dtype=object), dtype=h5py.string_dtype()),
        "not numbers",
    ),
    "hdf5-references": (replaced(shape=(20,), dtype=h5py.ref_dtype), "references"),
    "hdf5-many-groups": (
        hdf5(lambda f, _: [f.create_group(f"g/{n}") for n in range(10_001)]),
        "10,001 entries",
    ),
}


@pytest.mark.parametrize("case", EVIL)
def test_an_evil_file_is_refused_and_leaves_nothing(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hdf5_files, "MAX_NAMES", 20)
    make, words = EVIL[case]
    path = tmp_path / "file"
    make(path)
    for file in tmp_path.glob("file.*"):
        file.rename(path)
    with pytest.raises(LabError, match=words) as refused:
        take(path, tmp_path / "d")
    assert refused.value.next_step or case in ("hdf5-circle", "hdf5-many-groups", "npz-texts")
    assert not (tmp_path / "d").exists() and not Path("/tmp/rl-lab-was-here").exists()


def break_metadata(data: Path) -> None:
    (data / "metadata.json").write_text("{")


def break_count(data: Path) -> None:
    change_metadata(data, total_episodes=10)


def break_space(data: Path) -> None:
    change_metadata(
        data, observation_space='{"type": "Box", "dtype": "float32", "shape": [-1], "low": [], "high": 1}'
    )


def change_metadata(data: Path, **changes: Any) -> None:
    path = data / "metadata.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **changes}))


def break_episode(data: Path) -> None:
    with h5py.File(data / "main_data.hdf5", "a") as file:
        rewards = file["episode_2/rewards"][:-1]
        del file["episode_2/rewards"]
        file["episode_2/rewards"] = rewards


def break_link(data: Path) -> None:
    with h5py.File(data / "main_data.hdf5", "a") as file:
        del file["episode_1"]
        file["episode_1"] = h5py.SoftLink("/episode_0")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (break_metadata, "cannot be read"),
        (break_count, "says 10 episodes"),
        (break_space, "no readable space"),
        (break_episode, "where its rewards ask for"),
        (break_link, "link to another place"),
        (lambda data: (data / "main_data.hdf5").unlink(), "stores its episodes as"),
        (lambda data: (data / "metadata.json").unlink(), "not a dataset of Minari"),
    ],
)
def test_a_broken_minari_folder_is_refused(tmp_path: Path, spoil: Callable[[Path], None], words: str) -> None:
    made = export(make_dataset(tmp_path / "d"), "minari", tmp_path / "made-v1", lambda _: None)
    zipfile.ZipFile(made).extractall(tmp_path)
    spoil(tmp_path / "made-v1" / "data")
    with pytest.raises(LabError, match=words):
        take(tmp_path / "made-v1", tmp_path / "again")
    assert not (tmp_path / "again").exists()
