"""The application: one lab behind the security gate, a router per noun, the page at the root."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI

from rl_lab.api.http import docs
from rl_lab.api.http.compression import Compression
from rl_lab.api.http.odd_text import refuse_odd_text
from rl_lab.api.http.problems import install_problems
from rl_lab.api.http.security import Gate
from rl_lab.api.http.static import Page
from rl_lab.api.http.throttle import Throttle
from rl_lab.api.http.tokens import Keyring
from rl_lab.api.openapi import install_openapi
from rl_lab.api.routes import (
    adoptions,
    artifacts,
    commands,
    environments,
    episodes,
    evaluations,
    events,
    exports,
    frames,
    health,
    insights,
    jobs,
    live,
    manifests,
    metrics,
    previews,
    replays,
    retention,
    runners,
    runs,
    session,
    system,
    tensorboards,
    usage,
)
from rl_lab.api.routes.datasets import datasets
from rl_lab.api.routes.datasets import episodes as dataset_episodes
from rl_lab.api.routes.datasets import uploads as dataset_uploads
from rl_lab.api.routes.experiments import aggregates, packs, queue, studies, sweeps, verifications, views
from rl_lab.api.routes.experiments import exports as many_exports
from rl_lab.api.routes.models import (
    certificates,
    checkpoints,
    imports,
    inspections,
    lineage,
    named_models,
    packages,
    pulls,
    pushes,
    stages,
)
from rl_lab.api.routes.plays import environment_keys
from rl_lab.api.routes.plays import sockets as play_sockets
from rl_lab.api.routes.workbench import (
    alerts,
    bench,
    codes,
    derived_metrics,
    own_environments,
    protocols,
    run_rewards,
)
from rl_lab.api.streams.feeds import Hub
from rl_lab.orchestrator.lab import Lab
from rl_lab.settings import Settings

ROUTERS = (
    health,
    session,
    environments,
    environment_keys,
    runners,
    commands,
    runs,
    views,
    metrics,
    events,
    episodes,
    replays,
    evaluations,
    verifications,
    jobs,
    queue,
    exports,
    many_exports,
    packs,
    packages,
    pushes,
    pulls,
    imports,
    tensorboards,
    frames,
    insights,
    previews,
    artifacts,
    manifests,
    retention,
    usage,
    adoptions,
    studies,
    sweeps,
    aggregates,
    certificates,
    checkpoints,
    inspections,
    lineage,
    named_models,
    dataset_uploads,
    datasets,
    dataset_episodes,
    stages,
    play_sockets,
    protocols,
    derived_metrics,
    alerts,
    bench,
    codes,
    own_environments,
    run_rewards,
    system,
    live,
    docs,
)
WILDCARDS = {"0.0.0.0", "::", ""}  # noqa: S104 - compared with, not bound to


def create_app(settings: Settings) -> FastAPI:
    """The lab starts and ends with the application's lifespan, not with this call."""
    app = create_routes(settings.host)
    app.state.settings = settings
    return app


def create_routes(host: str) -> FastAPI:
    """The application without a lab's settings: the same for every lab that listens on this host."""
    app = FastAPI(
        title="RL Lab",
        version=health.lab_version(),
        description="Launch, watch, replay, evaluate, compare and reproduce reinforcement-learning runs.",
        lifespan=open_lab,
        dependencies=[Depends(refuse_odd_text)],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.hub = None
    app.state.throttle = Throttle()
    app.add_middleware(Compression)
    app.add_middleware(Gate, hosts=served_hosts(host))
    install_problems(app)
    for module in ROUTERS:
        app.include_router(module.router)
    install_openapi(app)
    # Not a mount: that would also answer for methods an API route does not have.
    app.router.default = Page()
    return app


@asynccontextmanager
async def open_lab(app: FastAPI) -> AsyncIterator[None]:
    """Starts the lab before the application and closes it after."""
    lab = Lab(app.state.settings)
    await lab.start()
    app.state.lab = lab
    app.state.keyring = Keyring(lab.token, lab.sessions)
    app.state.hub = Hub(lab.context.bus)
    try:
        yield
    finally:
        await app.state.hub.wait_closed()
        await lab.close()


def served_hosts(host: str) -> list[str]:
    """Host names that requests may use, besides the loopback ones."""
    if host not in WILDCARDS:
        return [host]
    import psutil  # type: ignore[import-untyped]

    addresses = [a.address for cards in psutil.net_if_addrs().values() for a in cards]
    return [socket.gethostname(), *(a.partition("%")[0] for a in addresses)]
