"""Text that scripts wrote: what the terminal and a spreadsheet get of it, and where its links lead."""

from __future__ import annotations

import ast
import csv
import io
import json
import logging
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.server import Server

import rl_lab.cli
from rl_lab.analysis.adoption.progress_files import read_progress
from rl_lab.analysis.curves import Series
from rl_lab.analysis.run_table import write_csv
from rl_lab.api.http.logs import PlainFormatter
from rl_lab.cli.main import run as run_command
from rl_lab.cli.terminal import make_console
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.events import ArtifactEvent
from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.words.csv_text import as_written
from rl_lab.core.words.shown_text import visible, with_escapes, without_controls
from rl_lab.orchestrator.dashboards.wandb_links import link_of
from rl_lab.orchestrator.ingest.lab_db_writes import to_artifact

NOW = datetime.now(UTC)
SOME_RUN = Run(
    id="a",
    name="a",
    config=TrainConfig(env_id="CartPole-v1", algorithm="ppo", runner="sb3", total_timesteps=1, seed=0),
    status=RunStatus.succeeded,
    created_at=NOW,
    updated_at=NOW,
)
CLEAR, TITLE, CLIPBOARD = "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x1b\\"
HOSTILE = f"a{CLEAR}b{TITLE}c{CLIPBOARD}d\x9b31me\x90q\x9cf\u202eg\u2066h\u200fi\u200bj\x08k\x7fl\u2028m\rn\U000e0041o"
"""Clear the screen, window title, clipboard, C1 colour and string, bidi override, isolate and mark, invisible ones."""
OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)

PROGRAM = """
import json, sys
text = json.loads(sys.argv[1])
print(text, file=sys.stderr, flush=True)
def send(type, **fields):
    print(json.dumps({"type": type, **fields}), flush=True)
send("config", env_id=text, algo=text, args={text: text}, env_version=text, wrappers=[text], versions={text: text})
send("log", message=text, level="warning")
send("metric", name=text, value=1.0, step=1, sources={text: text})
for number in range(3):
    send("episode", episode=number, steps=4, timestep=4 * number, **{"return": 1.0})
send("artifact", path="https://wandb.ai/x", kind="wandb", url="https://wandb.ai/a/b/runs/c", title=text)
send("finished", outcome="failed", cause="toy", message=text, next_step=text)
sys.exit(1)
"""

PAST = re.compile(
    r"typer\.(echo|secho|confirm|prompt)$|sys\.(__)?std(out|err)(__)?\.(write|buffer)|os\.write|builtins|logging\."
    r"|(from|import) (rich\.(console|print|live)|click|builtins|curses)|from rich import"
    r"|from rich.progress import .*\bProgress\b"
)
"""Ways to write to the terminal."""
Type = Callable[..., str]


@pytest.fixture
def type_command(lab: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Runs a command in this process against the running lab; everything that it printed."""
    monkeypatch.setenv("RL_LAB_HOME", str(lab.home))

    def type_command(*words: str) -> str:
        run_command(list(words))
        out, err = capsys.readouterr()
        return out + err

    return type_command


def test_b12_no_command_prints_what_a_terminal_obeys(type_command: Type, lab: Server, tmp_path: Path) -> None:
    program = tmp_path / "hostile.py"
    program.write_text(PROGRAM)
    words = ("run", "--yes", "--protocol", "--tag", "t" + HOSTILE, "--env", HOSTILE.replace("=", ""), "--")
    printed = {"run": type_command(*words, sys.executable, str(program), json.dumps(HOSTILE), HOSTILE)}
    run_id = lab.client.get("/api/runs", params={"limit": 1, "kind": "all"}).json()["items"][0]["id"]
    lab.client.patch(f"/api/runs/{run_id}", json={"name": HOSTILE})
    for command in ("show", "logs", "events", "episodes", "insights", "report", "artifacts", "roles"):
        printed[command] = type_command(command, run_id)
        printed[f"{command} --json"] = type_command(command, run_id, "--json")
    for command in ("runs", "queue", "usage", "retention"):
        printed[command] = type_command(command)
        printed[f"{command} --json"] = type_command(command, "--json")
    printed["logs -f"] = type_command("logs", run_id, "-f")
    printed["events -f"] = type_command("events", run_id, "-f")
    printed["compare"] = type_command("compare", run_id, run_id)
    printed["wrong"] = (
        type_command("show", HOSTILE) + type_command("runs", "--x" + HOSTILE) + type_command(HOSTILE)
    )
    assert {name: found for name, text in printed.items() if (found := OBEYED.findall(text))} == {}
    assert "abcdefghijkl" in printed["logs"] and "abcdefghijkl" in printed["events"]
    assert "\x1b[2J" in json.loads(printed["logs --json"])["lines"][0]


def test_b12_what_is_approved_is_shown_with_its_hidden_characters() -> None:
    assert visible("rm \u202e\x1b[8m x\ny") == "rm \\u202e\\u001b[8m x\\ny"


def test_b12_json_keeps_its_values() -> None:
    value = {"name": HOSTILE + "\U000e0041 \ud83d"}
    text = with_escapes(json.dumps(value, ensure_ascii=False, indent=2))
    assert not OBEYED.search(text) and json.loads(text) == value


def test_b12_letters_of_any_language_and_emoji_stay() -> None:
    text = "שלום نص می‌خواهم 日本\t👩‍🔬 −3\n"
    assert without_controls(text) == text


def test_b12_colours_are_ours_only() -> None:
    terminal = io.StringIO()
    console = make_console(file=terminal, force_terminal=True, color_system="standard", width=200)
    console.print(HOSTILE, style="red", markup=False, highlight=False)
    assert terminal.getvalue().startswith("\x1b[31mab") and not OBEYED.search(
        terminal.getvalue().replace("\x1b", "")
    )
    assert terminal.getvalue().count("\x1b") == 2 * len(terminal.getvalue().splitlines())


def test_b12_the_log_of_the_lab_is_cleaned_with_its_tracebacks() -> None:
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        record = logging.LogRecord("rl_lab", logging.ERROR, "", 1, "run %s", (HOSTILE,), sys.exc_info())
    text = PlainFormatter().format(record)
    assert not OBEYED.search(text) and text.count("abcdefghijkl") == 2


def test_b12_every_module_of_the_command_line_prints_through_the_terminal() -> None:
    folder = Path(rl_lab.cli.__file__).parent
    found = {
        str(path.relative_to(folder)): ways_past(ast.parse(path.read_text())) for path in folder.rglob("*.py")
    }
    del found["terminal.py"]
    assert {name: ways for name, ways in found.items() if ways} == {}


def ways_past(module: ast.Module) -> list[str]:
    """Everything in a module that could write to the terminal without `rl_lab.cli.terminal`."""
    nodes = list(ast.walk(module))
    names = {
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "rl_lab.cli.terminal"
        for alias in node.names
    }
    found = [
        f"line {node.lineno}: print"
        for node in nodes
        if isinstance(node, ast.Name) and node.id == "print" and "print" not in names
    ]
    for node in nodes:
        text = ast.unparse(node) if isinstance(node, ast.Attribute | ast.Import | ast.ImportFrom) else ""
        if PAST.match(text):
            found.append(f"line {node.lineno}: {text}")
    return found


@pytest.mark.parametrize(
    "address",
    [
        "http://wandb.ai/a",
        "http://127.0.0.1:1/a",
        "https://127.0.0.1/a",
        "https://127.1/a",
        "https://2130706433/",
        "https://0x7f.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://10.0.0.1/",
        "https://192.168.0.1/",
        "https://169.254.169.254/",
        "https://localhost/",
        "https://wandb.localhost/",
        "https://machine.local/",
        "https://wandb.ai:8642/",
        "https://wandb.ai@127.0.0.1/",
        "https://wandb.ai\\@localhost/",
        "https://wandb.ai/\u202egpj",
        "javascript:alert(1)",
        "https:///a",
        "//wandb.ai/a",
    ],
)
def test_b21_no_other_address_becomes_a_link(tmp_path: Path, address: str) -> None:
    logged = [to_artifact("a", ArtifactEvent(path="wandb", kind="wandb", url=address))]
    assert "url" not in logged[0].data
    link = link_of(tmp_path, SOME_RUN, logged)
    assert link.url is None and "no link" in link.reason and link.how


@pytest.mark.parametrize("host", ["wandb.ai", "wandb.example.com", "8.8.8.8"])
def test_b21_a_page_on_the_web_is_shown_as_the_words_of_the_script(tmp_path: Path, host: str) -> None:
    address = f"https://{host}/a/b/runs/c"
    link = link_of(tmp_path, SOME_RUN, [to_artifact("a", ArtifactEvent(path="w", kind="wandb", url=address))])
    assert link.url == address and link.url_text == f"{host}, according to the script"


def test_b21_the_page_opens_links_of_scripts_without_naming_itself() -> None:
    source = Path(__file__).resolve().parents[2] / "web" / "src"
    panel = (source / "panels" / "dashboards" / "DashboardsPanel.tsx").read_text()
    row = (source / "pages" / "run" / "artifacts" / "ArtifactRow.tsx").read_text()
    assert '"noopener,noreferrer"' in panel and 'rel="noreferrer noopener"' in row


FORMULAS = [
    "=1+1",
    "+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "＝1",
    "=a\r=1",
    '=HYPERLINK("http://x","y")',
]


@pytest.mark.parametrize("name", FORMULAS)
def test_b22_no_name_of_a_metric_begins_a_formula(name: str) -> None:
    table = write_csv({name: Series.of([1, 2], [-5.0, float("-inf")])})
    head, *rows = csv.reader(io.StringIO(table, newline=""))
    assert head == ["step", "time", f"'{name}"]
    assert [row[2] for row in rows] == ["-5", "-inf"]  # numbers stay numbers
    assert as_written(head[2]) == name


def test_b22_a_table_of_the_lab_is_read_with_its_own_names() -> None:
    table = write_csv({"=1+1": Series.of([1], [5.0]), "'quoted'": Series.of([1], [6.0])})
    assert set(read_progress(io.BytesIO(table.encode()), 0, {}).curves) >= {"=1+1", "'quoted'"}
    assert as_written("'") == "'"


def test_b22_the_exported_file_is_defused(type_command: Type, lab: Server, tmp_path: Path) -> None:
    """Server and command line: the same text reaches the file."""
    program = tmp_path / "formula.py"
    program.write_text('print(\'{"type": "metric", "name": "=1+1", "value": -2, "step": 1}\')\n')
    type_command("run", "--yes", "--protocol", "--", sys.executable, str(program))
    target = tmp_path / "numbers.csv"
    type_command("export", "latest", "--format", "csv", "-o", str(target))
    head, *rows = csv.reader(io.StringIO(target.read_text(encoding="utf-8-sig"), newline=""))
    assert [(row[head.index("metric")], row[head.index("value")]) for row in rows] == [("'=1+1", "-2.0")]
