"""The OpenAPI document holds against a real server: generated requests find no crash and no undocumented answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.hypothesis import builder
from schemathesis.generation.meta import content_type_probes_first as probes_first
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.server import Server
from support.waiting import DEADLINE_S

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
STREAMS = r"/stream$|/api/session$"
LONG = os.environ.get("RL_LAB_CHAOS") == "long"
ALL_OF_FIRST = 8
ONE_OF = 8
"""The short form sends the first eight requests of an operation and every eighth of the others; there are up to 900."""


def printed_document() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "rl_lab.api"], capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    return done.stdout


@schemathesis.serializer("application/zip")
def _send_bytes(_: schemathesis.SerializationContext, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@pytest.fixture(scope="module")
def document() -> str:
    return printed_document()


@pytest.fixture(scope="module")
def api(document: str) -> Iterator[BaseSchema]:
    with pytest.MonkeyPatch.context() as patch:
        if not LONG:
            patch.setattr(builder, "content_type_probes_first", _few)
        yield schemathesis.openapi.from_dict(json.loads(document)).exclude(path_regex=STREAMS)


def _few(cases: Iterable[schemathesis.Case]) -> list[schemathesis.Case]:
    """Those that are sent, chosen before Hypothesis sees them: preparing one takes longer than sending it.

    Hypothesis sends the last first.
    """
    all_cases = list(probes_first(cases))[::-1]
    return [case for n, case in enumerate(all_cases, 1) if n <= ALL_OF_FIRST or n % ONE_OF == 0][::-1]


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """One connection for all requests, and no look at the proxies of the machine before each."""
    with requests.Session() as opened:
        opened.trust_env = False
        yield opened


@pytest.fixture
def numbered(request: pytest.FixtureRequest) -> None:
    """Schemathesis 4.32 changes the name of the test for each operation, under an attribute that pytest 9 dropped."""
    request.node._nodeid = request.node.nodeid


# Read from a fixture: at import, every worker of pytest would make the requests of all operations.
@schemathesis.pytest.from_fixture("api").parametrize()
@pytest.mark.chaos
@pytest.mark.timeout(1500)
@pytest.mark.usefixtures("numbered")
@settings(
    max_examples=3 if LONG else 1,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_generated_requests_get_documented_answers(
    shared_server: Server, session: requests.Session, case: schemathesis.Case
) -> None:
    headers = {"Authorization": f"Bearer {shared_server.token}"}
    answer = case.call(base_url=shared_server.url, session=session, headers=headers, timeout=DEADLINE_S)
    case.validate_response(answer, checks=CHECKS)


def test_the_document_is_printed_the_same_each_time(document: str) -> None:
    assert printed_document() == document
