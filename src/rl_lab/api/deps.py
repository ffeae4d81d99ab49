"""What routes ask for, as type aliases: one room of the lab each, the hub, ids of the right form, bounded numbers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Path, Query
from starlette.requests import HTTPConnection

from rl_lab.api.http.clients import Client
from rl_lab.api.http.throttle import Throttle
from rl_lab.api.http.tokens import Keyring, KnownCaller
from rl_lab.api.streams.feeds import Hub
from rl_lab.orchestrator.adoption.service import Adoptions
from rl_lab.orchestrator.dashboards.service import Dashboards
from rl_lab.orchestrator.datasets.service import Datasets
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.execution.queue import Queue
from rl_lab.orchestrator.experiments.aggregates import Aggregates
from rl_lab.orchestrator.experiments.comparison_reports import ComparisonReports
from rl_lab.orchestrator.experiments.exports import RunExports
from rl_lab.orchestrator.experiments.packs import Packs
from rl_lab.orchestrator.experiments.studies import Studies
from rl_lab.orchestrator.experiments.sweep_views import SweepViews
from rl_lab.orchestrator.foreign.service import Foreign
from rl_lab.orchestrator.housekeeping.service import Housekeeping
from rl_lab.orchestrator.jobs.service import Jobs
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.machine.service import Machine
from rl_lab.orchestrator.models.imports import Imports
from rl_lab.orchestrator.models.service import Models
from rl_lab.orchestrator.plays.service import Plays
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.runs.run_episodes import RunEpisodes
from rl_lab.orchestrator.runs.service import Runs
from rl_lab.orchestrator.sessions import Sessions
from rl_lab.orchestrator.viewing.service import Viewing
from rl_lab.orchestrator.workbench.service import Workbench
from rl_lab.settings import Settings

MAX_PAGE = 200
ID = r"^[0-9a-z]{12}$"
ARTIFACT_ID = r"^[0-9A-Za-z_-]{1,64}$"


def _lab(connection: HTTPConnection) -> Lab:
    lab: Lab = connection.app.state.lab
    return lab


def _runs(connection: HTTPConnection) -> Runs:
    return _lab(connection).runs


def _queries(connection: HTTPConnection) -> RunQueries:
    return _lab(connection).queries


def _episodes(connection: HTTPConnection) -> RunEpisodes:
    return _lab(connection).runs.episodes


def _jobs(connection: HTTPConnection) -> Jobs:
    return _lab(connection).jobs


def _imports(connection: HTTPConnection) -> Imports:
    return _lab(connection).models.imports


def _models(connection: HTTPConnection) -> Models:
    return _lab(connection).models


def _plays(connection: HTTPConnection) -> Plays:
    return _lab(connection).plays


def _datasets(connection: HTTPConnection) -> Datasets:
    return _lab(connection).datasets


def _workbench(connection: HTTPConnection) -> Workbench:
    return _lab(connection).workbench


def _queue(connection: HTTPConnection) -> Queue:
    return _lab(connection).execution.queue


def _comparison_reports(connection: HTTPConnection) -> ComparisonReports:
    return _lab(connection).experiments.reports


def _aggregates(connection: HTTPConnection) -> Aggregates:
    return _lab(connection).experiments.aggregates


def _studies(connection: HTTPConnection) -> Studies:
    return _lab(connection).experiments.studies


def _sweep_views(connection: HTTPConnection) -> SweepViews:
    return _lab(connection).experiments.sweep_views


def _viewing(connection: HTTPConnection) -> Viewing:
    return _lab(connection).viewing


def _environments(connection: HTTPConnection) -> Environments:
    return _lab(connection).environments


def _foreign(connection: HTTPConnection) -> Foreign:
    return _lab(connection).foreign


def _housekeeping(connection: HTTPConnection) -> Housekeeping:
    return _lab(connection).housekeeping


def _adoptions(connection: HTTPConnection) -> Adoptions:
    return _lab(connection).adoptions


def _dashboards(connection: HTTPConnection) -> Dashboards:
    return _lab(connection).dashboards


def _exports(connection: HTTPConnection) -> RunExports:
    lab = _lab(connection)
    return RunExports(lab.context, lab.queries, lab.dashboards.event_exports)


def _packs(connection: HTTPConnection) -> Packs:
    return _lab(connection).experiments.packs


def _machine(connection: HTTPConnection) -> Machine:
    return _lab(connection).machine


def _settings(connection: HTTPConnection) -> Settings:
    settings: Settings = connection.app.state.settings
    return settings


def _hub(connection: HTTPConnection) -> Hub:
    hub: Hub = connection.app.state.hub
    return hub


def _keyring(connection: HTTPConnection) -> Keyring:
    keyring: Keyring = connection.app.state.keyring
    return keyring


def _caller(connection: HTTPConnection) -> KnownCaller | None:
    """Who asks; None for a stranger, who gets only as far as the open addresses."""
    caller: KnownCaller | None = connection.scope["rl_lab.caller"]
    return caller


def _sessions(connection: HTTPConnection) -> Sessions:
    return _lab(connection).sessions


def _throttle(connection: HTTPConnection) -> Throttle:
    throttle: Throttle = connection.app.state.throttle
    return throttle


RunsDep = Annotated[Runs, Depends(_runs)]
QueriesDep = Annotated[RunQueries, Depends(_queries)]
EpisodesDep = Annotated[RunEpisodes, Depends(_episodes)]
JobsDep = Annotated[Jobs, Depends(_jobs)]
ImportsDep = Annotated[Imports, Depends(_imports)]
ModelsDep = Annotated[Models, Depends(_models)]
PlaysDep = Annotated[Plays, Depends(_plays)]
DatasetsDep = Annotated[Datasets, Depends(_datasets)]
WorkbenchDep = Annotated[Workbench, Depends(_workbench)]
QueueDep = Annotated[Queue, Depends(_queue)]
ComparisonReportsDep = Annotated[ComparisonReports, Depends(_comparison_reports)]
AggregatesDep = Annotated[Aggregates, Depends(_aggregates)]
StudiesDep = Annotated[Studies, Depends(_studies)]
SweepViewsDep = Annotated[SweepViews, Depends(_sweep_views)]
ViewingDep = Annotated[Viewing, Depends(_viewing)]
ClientDep = Annotated[Client, Depends(Client)]
EnvironmentsDep = Annotated[Environments, Depends(_environments)]
ForeignDep = Annotated[Foreign, Depends(_foreign)]
HousekeepingDep = Annotated[Housekeeping, Depends(_housekeeping)]
AdoptionsDep = Annotated[Adoptions, Depends(_adoptions)]
DashboardsDep = Annotated[Dashboards, Depends(_dashboards)]
ExportsDep = Annotated[RunExports, Depends(_exports)]
PacksDep = Annotated[Packs, Depends(_packs)]
MachineDep = Annotated[Machine, Depends(_machine)]
SettingsDep = Annotated[Settings, Depends(_settings)]
HubDep = Annotated[Hub, Depends(_hub)]
CallerDep = Annotated[KnownCaller | None, Depends(_caller)]
SessionsDep = Annotated[Sessions, Depends(_sessions)]
KeyringDep = Annotated[Keyring, Depends(_keyring)]
ThrottleDep = Annotated[Throttle, Depends(_throttle)]

RunId = Annotated[str, Path(pattern=ID, description="Id of the run.", examples=["1h5w2k0p7q3x"])]
StudyId = Annotated[str, Path(pattern=ID, description="Id of the study.", examples=["1h5w2k0p7q3x"])]
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
Since = Annotated[
    int | None, Query(ge=0, le=2**53, description="Start a stream after this id; 0 = from the beginning.")
]
