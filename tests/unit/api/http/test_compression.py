"""What is compressed on its way out, and what is not."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from rl_lab.api.http.compression import Compression, accepted_encodings
from rl_lab.api.http.static import Page

LONG = {"numbers": list(range(1000))}


async def long_json(_: Any) -> Response:
    return JSONResponse(LONG)


async def short_json(_: Any) -> Response:
    return JSONResponse({})


async def video(_: Any) -> Response:
    return Response(b"0" * 5000, media_type="video/mp4")


async def part(_: Any) -> Response:
    return Response("0" * 5000, 206, {"Content-Range": "bytes 0-4999/9999"}, media_type="text/plain")


async def events(_: Any) -> Response:
    async def lines() -> Any:
        for n in range(3):
            yield f"data: {n}\n\n"
            await asyncio.sleep(0)

    return StreamingResponse(lines(), media_type="text/event-stream")


@pytest.fixture
def client() -> TestClient:
    handlers = (long_json, short_json, video, part, events)
    app = Starlette(routes=[Route(f"/{handler.__name__}", handler) for handler in handlers])
    app.add_middleware(Compression)
    return TestClient(app)


@pytest.mark.parametrize(("accepted", "sent"), [("gzip", "gzip"), ("gzip, deflate, br", "br")])
def test_a_long_json_answer_is_compressed_and_reads_the_same(
    client: TestClient, accepted: str, sent: str
) -> None:
    answer = client.get("/long_json", headers={"Accept-Encoding": accepted})
    assert answer.headers["content-encoding"] == sent
    assert answer.headers["vary"] == "Accept-Encoding"
    assert int(answer.headers["content-length"]) < len(answer.content) / 2
    assert answer.json() == LONG


@pytest.mark.parametrize("path", ["short_json", "video", "part", "events"])
def test_short_answers_videos_ranges_and_streams_stay_as_they_are(client: TestClient, path: str) -> None:
    answer = client.get(f"/{path}", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in answer.headers
    assert answer.content


def test_a_client_that_does_not_accept_it_gets_plain_json(client: TestClient) -> None:
    answer = client.get("/long_json", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in answer.headers
    assert answer.json() == LONG


def test_a_quality_of_zero_means_no() -> None:
    assert accepted_encodings("gzip, deflate, br;q=0, zstd") == {"gzip", "deflate", "zstd"}
    assert accepted_encodings("") == set()


@pytest.mark.parametrize(("accepted", "sent"), [("gzip, br", "br"), ("gzip", "gzip"), ("identity", None)])
def test_the_page_is_sent_as_the_copy_that_was_built(tmp_path: Path, accepted: str, sent: str | None) -> None:
    assets = tmp_path / "assets"
    assets.mkdir()
    (assets / "main.js").write_text("plain")
    (assets / "main.js.gz").write_bytes(gzip.compress(b"plain"))
    (assets / "main.js.br").write_bytes(b"brotli")
    with TestClient(Page(tmp_path)).stream(
        "GET", "/assets/main.js", headers={"Accept-Encoding": accepted}
    ) as answer:
        raw = b"".join(answer.iter_raw())
    stored = {"br": "main.js.br", "gzip": "main.js.gz", None: "main.js"}[sent]
    assert raw == (assets / stored).read_bytes()
    assert answer.headers.get("content-encoding") == sent
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "immutable" in answer.headers["cache-control"]


def test_each_copy_has_its_own_etag(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>hello</p>" * 100)
    (tmp_path / "index.html.gz").write_bytes(gzip.compress(b"<p>hello</p>" * 100))
    client = TestClient(Page(tmp_path))
    plain = client.get("/", headers={"Accept-Encoding": "identity"})
    small = client.get("/runs", headers={"Accept-Encoding": "gzip"})
    assert plain.text == small.text
    assert plain.headers["etag"] != small.headers["etag"]
    again = {"Accept-Encoding": "gzip", "If-None-Match": small.headers["etag"]}
    assert client.get("/", headers=again).status_code == 304
