"""What routes ask for, as type aliases: the lab, the hub, ids that have the shape of ids, bounded numbers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Path, Query
from starlette.requests import HTTPConnection

from rl_lab.api.http.throttle import Throttle
from rl_lab.api.http.tokens import Keyring
from rl_lab.api.streams.feeds import Hub
from rl_lab.orchestrator.lab import Lab

MAX_PAGE = 200
ID = r"^[0-9a-z]{12}$"
ARTIFACT_ID = r"^[0-9A-Za-z_-]{1,64}$"


def _lab(connection: HTTPConnection) -> Lab:
    lab: Lab = connection.app.state.lab
    return lab


def _hub(connection: HTTPConnection) -> Hub:
    hub: Hub = connection.app.state.hub
    return hub


def _keyring(connection: HTTPConnection) -> Keyring:
    keyring: Keyring = connection.app.state.keyring
    return keyring


def _throttle(connection: HTTPConnection) -> Throttle:
    throttle: Throttle = connection.app.state.throttle
    return throttle


LabDep = Annotated[Lab, Depends(_lab)]
HubDep = Annotated[Hub, Depends(_hub)]
KeyringDep = Annotated[Keyring, Depends(_keyring)]
ThrottleDep = Annotated[Throttle, Depends(_throttle)]

RunId = Annotated[str, Path(pattern=ID, description="Id of the run.", examples=["1h5w2k0p7q3x"])]
EpisodeNumber = Annotated[int, Path(ge=0, le=2**53, description="Number of the episode in the run, from 0.")]
ArtifactId = Annotated[str, Path(pattern=ARTIFACT_ID, description="Id of the artifact.")]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="How many at most.")]
Cursor = Annotated[
    str | None,
    Query(max_length=500, pattern=r"^[\x21-\x7e]*$", description="`next_cursor` of the page before."),
]
LastEventId = Annotated[
    str | None, Header(max_length=64, description="Resume a stream after the event with this id.")
]
