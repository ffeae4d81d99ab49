"""Alerts on a real lab: fired once per run, by metrics and ends, across restarts; commands and webhooks."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.labs import furnish, make_settings, open_lab, toy, wait_for
from support.server import command, serve
from support.waiting import wait_until, wait_until_async

from rl_lab.core.errors import ConsentNeeded, InvalidInput, WrongExpression
from rl_lab.core.workbench.alerts import Alert, AlertFiring, AlertPatch, NewAlert
from rl_lab.orchestrator.bus import ALERTS_TOPIC
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.workbench import alert_deliveries, alert_webhooks
from rl_lab.orchestrator.workbench.alert_commands import AlertCommands
from rl_lab.orchestrator.workbench.alert_webhooks import WebhookFailed

ALWAYS = {"expression": "reward", "comparison": "above", "value": -1e9}
"""Met by the first episode."""


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@contextmanager
def listener(*statuses: int, port: int = 0) -> Iterator[tuple[str, list[Received]]]:
    """A server of the user; answers with these statuses, the last one for good."""
    seen: list[Received] = []
    waiting = list(statuses)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen.append(Received(self.path, dict(self.headers), json.loads(body)))
            self.send_response(waiting.pop(0) if len(waiting) > 1 else waiting[0])
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@asynccontextmanager
async def watching(home: Path, **rules: dict[str, Any]) -> AsyncIterator[tuple[Lab, dict[str, Alert]]]:
    """A lab with alerts by name."""
    furnish(home)
    async with open_lab(home) as lab:
        save = lab.workbench.alerts.save
        made = {
            name: await save(NewAlert.model_validate({"name": name, "rule": rule, "command_approved": True}))
            for name, rule in rules.items()
        }
        yield lab, made


async def firings(lab: Lab, count: int) -> list[AlertFiring]:
    """Once so many alerts have fired and all their actions are done."""

    async def look() -> list[AlertFiring] | None:
        found = await lab.workbench.alerts.list_firings()
        is_done = all(one.state in ("done", "failed") for f in found for one in f.deliveries.values())
        return found if len(found) >= count and is_done else None

    return await wait_until_async(look, f"{count} firings")


async def train(lab: Lab, **changes: Any) -> str:
    run = await lab.runs.create(toy(**{"evaluate_after": 0, **changes}))
    await wait_for(lab, run.id)
    return run.id


def test_every_kind_of_condition_fires_once_for_the_runs_it_watches(home: Path) -> None:
    async def story() -> None:
        rules: dict[str, dict[str, Any]] = {
            "high": {"expression": "ema(return, 0.5)", "comparison": "above", "value": 20},
            "never": {"expression": "return", "comparison": "above", "value": 1e9},
            "row": {**ALWAYS, "points": 5},
            "risen": {"expression": "return", "comparison": "rises_by", "value": 30},
            "stalled": {"expression": "-length", "comparison": "stalls_for", "value": 500},
            "broken": {"expression": "loss", "comparison": "not_a_number"},
            "done": {"comparison": "ended"},
            "lost": {"comparison": "ended", "statuses": ["lost"]},
            "tagged": {**ALWAYS, "scope": {"tag": "watched"}},
            "elsewhere": {**ALWAYS, "scope": {"env_id": "Acrobot-v1"}},
        }
        async with watching(home, **rules) as (lab, _):
            with lab.context.bus.subscribe([ALERTS_TOPIC]) as published:
                run_id = await train(lab, learning_rate=0.01, tags=["watched"], nan_at=1500)
                found = {one.alert_name: one for one in await firings(lab, 7)}
                assert set(found) == {"high", "row", "risen", "stalled", "broken", "done", "tagged"}
                assert len(await published.take()) == 7
            assert found["high"].value is not None and found["high"].value > 20
            assert found["row"].step == 100, "the fifth episode of 20 steps"
            assert found["broken"].value is None
            assert {one.run_id for one in found.values()} == {run_id}
            events = await lab.queries.events(run_id, limit=200)
            fired = [event.message for event in events if event.type == "alert_fired"]
            assert sorted(fired) == sorted(one.message for one in found.values())
            listed = {one.name: one.firings for one in await lab.workbench.alerts.list_all()}
            assert (listed["high"], listed["never"]) == (1, 0)

    asyncio.run(story())


def test_an_alert_fires_once_although_the_lab_restarts_and_also_for_what_it_missed(home: Path) -> None:
    """The run ends while there is no lab."""
    furnish(home)

    async def first() -> str:
        lab = Lab(make_settings(home))
        await lab.start()
        try:
            for name, rule in (
                ("early", ALWAYS),
                ("late", {"expression": "cumsum(length)", "comparison": "at_least", "value": 19_000}),
                ("done", {"comparison": "ended"}),
            ):
                await lab.workbench.alerts.save(NewAlert.model_validate({"name": name, "rule": rule}))
            wanted = toy(steps_per_second=10_000, total_timesteps=20_000, evaluate_after=0)
            run = await lab.runs.create(wanted)
            assert [one.alert_name for one in await firings(lab, 1)] == ["early"]
            return run.id
        finally:
            await lab.close()

    async def second(run_id: str) -> None:
        exits = home / "runs" / run_id / "attempts" / "1" / "exit.json"
        wait_until(exits.exists, "the end of the run")
        async with open_lab(home) as lab:
            found = await firings(lab, 3)
            assert sorted(one.alert_name for one in found) == ["done", "early", "late"]
        async with open_lab(home) as lab:
            await train(lab)
            again = await firings(lab, 5)
            assert sum(one.run_id == run_id for one in again) == 3
            events = await lab.queries.events(run_id, limit=200)
            assert sum(event.type == "alert_fired" for event in events) == 3

    asyncio.run(second(asyncio.run(first())))


def test_a_new_alert_ignores_what_was_before_and_a_new_rule_arms_it_again(home: Path) -> None:
    async def story() -> None:
        async with watching(home) as (lab, _):
            await train(lab)
            late = await lab.workbench.alerts.save(NewAlert.model_validate({"name": "late", "rule": ALWAYS}))
            run_id = await train(lab, seed=2)
            assert [one.run_id for one in await firings(lab, 1)] == [run_id]
            rule = late.rule.model_copy(update={"value": -2e9})
            changed = await lab.workbench.alerts.change(late.id, AlertPatch(rule=rule))
            assert changed.firings == 0
            await lab.workbench.alerts.change(late.id, AlertPatch(is_active=False))
            await train(lab, seed=3)
            await lab.workbench.alerts.change(late.id, AlertPatch(is_active=True))
            again = await train(lab, seed=4)
            assert [one.run_id for one in await firings(lab, 1)] == [again]

    asyncio.run(story())


def test_a_webhook_gets_the_facts_and_nothing_of_the_lab(home: Path) -> None:
    async def story(address: str, seen: list[Received]) -> None:
        async with watching(home, hook={**ALWAYS, "webhook": address}) as (lab, _):
            run_id = await train(lab)
            [fired] = await firings(lab, 1)
            assert fired.deliveries["webhook"].model_dump() == {
                "state": "done",
                "tries": 1,
                "message": "It answered 204.",
                "output": "",
            }
            [received] = seen
            assert received.path == "/hook"
            assert received.body["run_id"] == run_id
            assert received.body["message"] == fired.message
            assert received.headers.keys() <= {
                "Host",
                "User-Agent",
                "Content-Type",
                "Content-Length",
                "Connection",
            }
            assert lab.token not in json.dumps([received.headers, received.body])

    with listener(204) as (address, seen):
        asyncio.run(story(address, seen))


def test_a_lab_that_closes_after_a_run_still_sends_what_fired_for_it(home: Path) -> None:
    """As the lab of a command does, which ends with its training."""

    async def story(address: str) -> None:
        async with watching(home, hook={**ALWAYS, "webhook": address}) as (lab, _):
            lab.workbench.alerts._watch._next_at = time.monotonic() + 1000
            await train(lab)

    with listener(204) as (address, seen):
        asyncio.run(story(address))
        assert len(seen) == 1


@pytest.mark.parametrize(
    ("statuses", "state", "requests"), [((500, 200), "done", 2), ((503,), "failed", 3), ((302,), "failed", 1)]
)
def test_a_webhook_is_tried_three_times_and_follows_no_redirect(
    home: Path, monkeypatch: pytest.MonkeyPatch, statuses: tuple[int, ...], state: str, requests: int
) -> None:
    monkeypatch.setattr(alert_deliveries, "WAITS_S", (0.0, 0.0, 0.0))

    async def story(address: str, seen: list[Received]) -> None:
        async with watching(home, hook={**ALWAYS, "webhook": address}) as (lab, _):
            await train(lab)
            [fired] = await firings(lab, 1)
            delivery = fired.deliveries["webhook"]
            assert (delivery.state, delivery.tries, len(seen)) == (state, requests, requests)
            assert {one.path for one in seen} == {"/hook"}

    with listener(*statuses) as (address, seen):
        asyncio.run(story(address, seen))


def test_a_webhook_that_an_earlier_lab_could_not_send_is_sent_by_the_next(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alert_deliveries, "WAITS_S", (0.0, 3600.0, 0.0))
    furnish(home)

    async def first(address: str) -> None:
        lab = Lab(make_settings(home))
        await lab.start()
        rule = {**ALWAYS, "webhook": address}
        await lab.workbench.alerts.save(NewAlert.model_validate({"name": "hook", "rule": rule}))
        await train(lab)
        await wait_until_async(lambda: has_tried(lab), "the first try")
        await lab.close()

    async def has_tried(lab: Lab) -> bool:
        return any(one.deliveries["webhook"].tries for one in await lab.workbench.alerts.list_firings())

    async def second() -> list[AlertFiring]:
        async with open_lab(home) as lab:
            return await firings(lab, 1)

    with listener(204) as (address, _):
        pass
    asyncio.run(first(address))
    monkeypatch.setattr(alert_deliveries, "WAITS_S", (0.0, 0.0, 0.0))
    with listener(204, port=int(address.split(":")[2].split("/")[0])) as (_, seen):
        [fired] = asyncio.run(second())
    assert (fired.deliveries["webhook"].state, fired.deliveries["webhook"].tries, len(seen)) == ("done", 2, 1)


def test_a_server_that_stays_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alert_webhooks, "TIMEOUT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(WebhookFailed, match="did not answer within"):
            asyncio.run(alert_webhooks.send_webhook(address, {}, []))


def test_a_command_gets_values_as_variables_and_no_secret(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "do-not-pass")
    monkeypatch.setenv("HF_TOKEN", "do-not-pass")
    words = ["/usr/bin/env"]

    async def story() -> None:
        async with watching(home, told={**ALWAYS, "command": words}) as (lab, _):
            run_id = await train(lab, name="$(touch /tmp/x); `id`")
            [fired] = await firings(lab, 1)
            delivery = fired.deliveries["command"]
            assert (delivery.state, delivery.message) == ("done", "It ended with code 0.")
            variables = dict(line.split("=", 1) for line in delivery.output.splitlines() if "=" in line)
            assert variables["RL_LAB_ALERT_RUN_ID"] == run_id
            assert variables["RL_LAB_ALERT_RUN_NAME"] == "$(touch /tmp/x); `id`"
            assert variables["RL_LAB_ALERT_MESSAGE"] == fired.message
            assert "do-not-pass" not in delivery.output
            assert lab.token not in delivery.output
            assert "RL_LAB_HOME" not in variables

    asyncio.run(story())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["/bin/sh", "-c", "sleep 100 & sleep 100"], "It was ended after 0.3 s."),
        (["/bin/sh", "-c", "yes"], "It was ended after 0.3 s."),
        (["/bin/sh", "-c", "echo no; exit 3"], "It ended with code 3."),
        (["/bin/sh", "-c", "kill -9 $$"], "It was ended by signal 9."),
        (["/no/such/program"], "/no/such/program could not be started: No such file or directory."),
        (["; echo hi"], "; echo hi could not be started: No such file or directory."),
    ],
)
def test_a_command_that_misbehaves_is_ended_and_reported(home: Path, words: list[str], message: str) -> None:
    commands = AlertCommands(make_settings(home))
    found = asyncio.run(commands.run(words, {"alert": "x"}, limit_s=0.3))
    commands.close()
    assert (found.state, found.message) == ("failed", message)
    assert len(found.output) <= 4000


def test_slow_commands_keep_nothing_else_of_the_lab_waiting(home: Path, tmp_path: Path) -> None:
    async def story() -> None:
        loop, commands = asyncio.get_running_loop(), AlertCommands(make_settings(home))
        loop.set_default_executor(ThreadPoolExecutor(1))
        begun = tmp_path / "begun"
        slow = [
            asyncio.create_task(commands.run(["/bin/sh", "-c", f"touch {begun}; exec sleep 100"], {}))
            for _ in range(6)
        ]
        await wait_until_async(begun.exists, "a command")
        assert await asyncio.to_thread(lambda: "free") == "free"
        assert not any(one.done() for one in slow)
        for one in slow:
            one.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        commands.close()

    asyncio.run(story())


def test_what_must_not_be_saved_is_refused(home: Path) -> None:
    async def story() -> None:
        async with watching(home) as (lab, _):

            async def save(approved: bool = False, **rule: Any) -> Alert:
                new = NewAlert.model_validate({"rule": {**ALWAYS, **rule}, "command_approved": approved})
                return await lab.workbench.alerts.save(new)

            with pytest.raises(ConsentNeeded, match="rm -rf 'my files'"):
                await save(command=["rm", "-rf", "my files"])
            for address in ("http://example.org/", "http://10.0.0.1/", "http://169.254.169.254/latest"):
                with pytest.raises(InvalidInput, match="this machine only"):
                    await save(webhook=address)
            with pytest.raises(WrongExpression, match="Did you mean reward"):
                await save(expression="rewrad")
            with pytest.raises(Exception, match="no run"):
                await save(scope={"run_id": "0" * 12})
            saved = await save(command=["true"], approved=True)
            other = saved.rule.model_copy(update={"command": ["false"]})
            with pytest.raises(ConsentNeeded):
                await lab.workbench.alerts.change(saved.id, AlertPatch(rule=other))

    asyncio.run(story())


def test_the_commands_and_the_api_add_list_test_switch_and_delete(home: Path) -> None:
    with listener(200) as (address, seen), serve(home, RL_LAB_ALERT_HOSTS="hooks.example.org") as server:
        refused = command(home, "alerts", "add", "return > 5", "--command", "notify 'it is good'")
        assert (refused.returncode, "notify 'it is good'" in refused.stderr) == (1, True)
        made = command(home, "alerts", "add", "return > 5", "--name", "good", "--webhook", address)
        assert "when return is above 5 (all trainings)" in made.stdout, made.stderr
        assert (
            command(home, "alerts", "add", "ended", "--webhook", "https://hooks.example.org/x").returncode
            == 0
        )
        tried = command(home, "alerts", "test", "good")
        assert (tried.stdout.strip(), seen[0].body["is_test"]) == ("webhook: It answered 200.", True)
        run = server.create(start=True)
        server.wait(run["id"], "succeeded")
        wait_until(lambda: len(server.client.get("/api/alerts/firings").json()) == 2, "both firings")
        assert "return is above 5" in command(home, "alerts", "firings", "--run", run["id"]).stdout
        changed = command(home, "alerts", "edit", "good", "--when", "return > 1M", "--webhook", "")
        assert "when return is above 1e+06 (all trainings)" in changed.stdout, changed.stderr
        edited = next(one for one in server.client.get("/api/alerts").json() if one["name"] == "good")
        assert (edited["rule"]["webhook"], edited["firings"]) == (None, 0), "a new rule arms it again"
        assert command(home, "alerts", "switch", "good", "--off").stdout == "The alert good is off.\n"
        assert command(home, "alerts", "delete", "good").returncode == 0
        [left] = server.client.get("/api/alerts").json()
        assert (left["condition"], left["firings"]) == ("the run has ended", 1)
        assert server.client.delete(f"/api/alerts/{left['id']}").status_code == 200
        assert server.client.get(f"/api/alerts/{left['id']}").status_code == 404
