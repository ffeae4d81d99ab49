"""The OpenAPI document holds against a real server: generated requests find no crash and no undocumented answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
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
"""The short form sends the first eight requests of an operation and every eighth of the others; there are up to 400."""


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
def api(document: str) -> BaseSchema:
    return schemathesis.openapi.from_dict(json.loads(document)).exclude(path_regex=STREAMS)


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


@pytest.fixture(scope="module")
def numbers() -> Counter[str]:
    """How many requests of each operation were made."""
    return Counter()


# Read from a fixture: at import, every worker of pytest would make the requests of all operations.
@schemathesis.pytest.from_fixture("api").parametrize()
@pytest.mark.chaos
@pytest.mark.timeout(1500)
@pytest.mark.usefixtures("numbered")
@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_generated_requests_get_documented_answers(
    shared_server: Server, session: requests.Session, numbers: Counter[str], case: schemathesis.Case
) -> None:
    numbers[case.operation.label] += 1
    number = numbers[case.operation.label]
    if not LONG and number > ALL_OF_FIRST and number % ONE_OF:
        return
    headers = {"Authorization": f"Bearer {shared_server.token}"}
    answer = case.call(base_url=shared_server.url, session=session, headers=headers, timeout=DEADLINE_S)
    case.validate_response(answer, checks=CHECKS)


def test_the_document_is_printed_the_same_each_time(document: str) -> None:
    assert printed_document() == document
