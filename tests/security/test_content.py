"""What a run or a folder contains is data: nothing is unpickled, and no file of a run is shown as a page of the lab."""

from __future__ import annotations

import base64
import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.adoptions import adopt, runs
from support.foreign_programs import run_program
from support.server import Server

MONITOR = '#{"t_start": 1700000000.0, "env_id": "CartPole-v1"}\nr,l,t\n' + "".join(
    f"{n}.0,{10 + n},{n}.5\n" for n in range(40)
)
SCRIPT = "<script>window.attacked = true</script>"


class Attack:
    """Unpickling it creates a file."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self._mark), "w")


def pickles(mark: Path) -> dict[str, bytes]:
    """Files that trainings leave and whose usual reader would execute them."""
    attack = pickle.dumps(Attack(mark))
    return {
        "model.zip": sb3_model(attack),
        "best_model.zip": sb3_model(attack),
        "vecnormalize.pkl": attack,
        "params.pkl": attack,
        "replay_buffer.pkl": attack,
        "policy.pth": attack,
        "checkpoint.pt": attack,
        "evaluations.npz": arrays(Attack(mark)),
    }


def sb3_model(attack: bytes) -> bytes:
    """Stable-Baselines3 keeps pickles as base64 in JSON, and tensors as pickles."""
    data = {":type:": "<class 'dict'>", ":serialized:": base64.b64encode(attack).decode()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data", json.dumps({"policy_class": data, "observation_space": data}))
        for name in ("policy.pth", "pytorch_variables.pth", "policy.optimizer.pth"):
            archive.writestr(name, attack)
        archive.writestr("_stable_baselines3_version", "2.7.0")
    return file.getvalue()


def arrays(attack: Attack) -> bytes:
    file = io.BytesIO()
    objects = np.empty(1, dtype=object)
    objects[0] = attack
    np.savez(file, allow_pickle=True, timesteps=objects, results=objects, ep_lengths=objects)
    return file.getvalue()


def test_the_pickles_of_these_tests_would_be_executed(tmp_path: Path) -> None:
    """Otherwise the next tests show nothing."""
    for number, name in enumerate(("params.pkl", "evaluations.npz")):
        mark = tmp_path / f"mark{number}"
        data = pickles(mark)[name]
        if name.endswith("pkl"):
            pickle.loads(data).close()
        else:
            np.load(io.BytesIO(data), allow_pickle=True)["timesteps"][0].close()
        assert mark.exists()


def read_everything(lab: Server, run_id: str) -> None:
    """All that a person looks at, and all that could load a model."""
    address = f"/api/runs/{run_id}"
    for file in lab.client.get(f"{address}/artifacts").json():
        lab.client.get(f"/api/artifacts/{file['id']}")
        for job in ("evaluations", "films", "exports"):
            body = {"checkpoint_id": file["id"]} | ({"format": "onnx"} if job == "exports" else {})
            assert lab.client.post(f"{address}/{job}", json=body).status_code in {409, 422}
    for part in (
        "report?format=html",
        "insights",
        "metrics",
        "episodes",
        "manifest",
        "config",
        "usage",
        "log",
    ):
        assert lab.client.get(f"{address}/{part}").status_code < 500, part
    assert lab.client.get("/api/compare", params={"runs": [run_id]}).status_code == 200


@pytest.mark.parametrize("copy", [False, True])
def test_no_pickle_of_an_adopted_folder_is_executed(lab: Server, tmp_path: Path, copy: bool) -> None:
    mark = tmp_path / "executed"
    source = tmp_path / "source"
    source.mkdir()
    (source / "monitor.csv").write_text(MONITOR)
    for name, data in pickles(mark).items():
        (source / name).write_bytes(data)
    outcome = adopt(lab, source, copy_files=copy)
    [run] = runs(lab, source).values()
    assert {"model.zip", "best_model.zip"} <= {
        Path(file["path"]).name for file in lab.client.get(f"/api/runs/{run['id']}/artifacts").json()
    }
    assert "cannot be read as arrays" in "\n".join(outcome["problems"])
    read_everything(lab, run["id"])
    assert not mark.exists()


def test_no_pickle_that_a_program_reports_as_its_model_is_executed(lab: Server, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    source = tmp_path / "mine"
    source.mkdir()
    lines: list[dict[str, Any]] = [{"type": "config", "env_id": "CartPole-v1"}]
    for number, (name, data) in enumerate(pickles(mark).items()):
        (source / name).write_bytes(data)
        lines.append({"type": "checkpoint", "path": f"files/{name}", "timestep": number, "role": "final"})
    run = run_program(lab, tmp_path / "trainer", copying(source, *lines), reads=[str(source)])
    read_everything(lab, run["id"])
    assert not mark.exists()


def copying(source: Path, *lines: dict[str, Any]) -> str:
    """A program that takes these files into its folder and reports these lines."""
    told = "\n".join(map(json.dumps, [*lines, {"type": "finished"}]))
    return f"#!/bin/sh\ncp {source}/* .\ncat <<'END'\n{told}\nEND\n"


PAGES = {
    "page.html": f"<!doctype html>{SCRIPT}",
    "page.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml">{SCRIPT}</html>',
    "picture.svg": f'<svg xmlns="http://www.w3.org/2000/svg">{SCRIPT}</svg>',
    "feed.xml": f'<?xml version="1.0"?><x xmlns:h="http://www.w3.org/1999/xhtml">{SCRIPT}</x>',
    "code.js": "window.attacked = true",
    "style.css": "* { background: url(http://evil.example) }",
    "paper.pdf": "%PDF-1.7",
    "page.HTML": SCRIPT,
    'quote".html': SCRIPT,
    "no-ending": SCRIPT,
}
SHOWN = {"page.png": SCRIPT, "page.mp4": SCRIPT, "page.gif": SCRIPT}
"""Pages with the ending of a picture: their type is the one of the ending, and a browser must not guess another."""


@pytest.fixture(scope="module")
def served(lab: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The answers for each file, by name."""
    source = tmp_path_factory.mktemp("mine") / "files"
    source.mkdir()
    for name, text in (PAGES | SHOWN).items():
        (source / name).write_text(text)
    files = [{"type": "artifact", "path": f"files/{name}"} for name in PAGES | SHOWN]
    run = run_program(lab, source.parent / "pages", copying(source, *files), reads=[str(source)])
    renamed = lab.client.patch(f"/api/runs/{run['id']}", json={"name": 'a"; filename="x.html'})
    assert renamed.status_code == 200, renamed.text
    files = lab.client.get(f"/api/runs/{run['id']}/artifacts").json()
    return {Path(file["path"]).name: lab.client.get(f"/api/artifacts/{file['id']}") for file in files}


@pytest.mark.parametrize("name", PAGES)
def test_a_file_that_could_be_a_page_is_downloaded(served: dict[str, Any], name: str) -> None:
    answer = served[name]
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment;")


@pytest.mark.parametrize("name", [*PAGES, *SHOWN])
def test_a_browser_neither_guesses_a_type_nor_runs_a_script(served: dict[str, Any], name: str) -> None:
    headers = served[name].headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert "allow-scripts" not in headers["content-security-policy"]
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["content-disposition"].count('"') == 2


@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_has_the_type_of_its_ending(served: dict[str, Any], name: str) -> None:
    assert served[name].headers["content-type"].split("/")[0] in {"image", "video"}


def test_a_report_is_a_document_without_scripts_whatever_the_run_is_called(lab: Server) -> None:
    run = lab.create(name=SCRIPT, tags=["<img src=x onerror=alert(1)>"], start=True)
    lab.wait(run["id"], "succeeded")
    for address in (f"/api/runs/{run['id']}/report", f"/api/compare/report?runs={run['id']}"):
        answer = lab.client.get(address, params={"format": "html", "runs": run["id"]})
        assert answer.status_code == 200
        assert "<script" not in answer.text.lower()
        assert "<img src=x" not in answer.text
        assert answer.headers["content-security-policy"].startswith("sandbox;")
        assert "allow-scripts" not in answer.headers["content-security-policy"]
