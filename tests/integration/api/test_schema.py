"""The OpenAPI document holds against a real server: generated requests find no crash and no undocumented answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.server import Server
from support.waiting import DEADLINE_S

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
STREAMS = r"/stream$|/api/session$"


def printed_document() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "rl_lab.api"], capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    return done.stdout


@pytest.fixture(scope="module")
def lab(shared_server: Server) -> Iterator[Server]:
    yield shared_server


DOCUMENT = printed_document()
schema = schemathesis.openapi.from_dict(json.loads(DOCUMENT)).exclude(path_regex=STREAMS)


@schema.parametrize()
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_generated_requests_get_documented_answers(lab: Server, case: schemathesis.Case) -> None:
    headers = {"Authorization": f"Bearer {lab.token}"}
    answer = case.call(base_url=lab.url, headers=headers, timeout=DEADLINE_S)
    case.validate_response(answer, checks=CHECKS)


def test_the_document_is_printed_the_same_each_time() -> None:
    assert printed_document() == DOCUMENT
