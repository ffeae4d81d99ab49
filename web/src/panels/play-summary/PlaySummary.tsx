/** What a play is: where, who acted, how many episodes, the best; its film, and how to go on. */
import { Link, useNavigate } from "@tanstack/react-router";
import type { PlayResult, Run, TakeOver } from "@/api/types";
import { rangeText } from "@/entities/evaluations/interval";
import { useStartPlay } from "@/entities/plays/use-start-play";
import { MODES } from "@/entities/plays/words";
import { playResultOf } from "@/entities/results/results";
import { hasWorker } from "@/entities/runs/status";
import { formatCount, formatNumber, formatPercent } from "@/lib/format";
import { keysOf } from "@/lib/keys-of";
import { FilmButton } from "@/panels/run-actions/FilmButton";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { DuelPolicy } from "./DuelPolicy";

export function PlaySummary({ run }: { run: Run }) {
  if (run.config.kind !== "play") return null;
  const { config } = run;
  const result = playResultOf(run.summary.result);
  const share = result && result.steps > 0 ? result.by_person / result.steps : null;
  const facts: [string, string][] = [
    ["environment", run.env_id ?? "–"],
    ["begun in mode", MODES[config.mode ?? "human"].title],
    ["episodes", episodesText(run, result)],
    ["steps", formatCount(result?.steps ?? run.progress.timestep)],
    ["steps by a person", formatPercent(share)],
    ["best return", formatNumber(result?.best_return, 4)],
    ...(result ? figuresOf(result) : []),
    ["first seed", config.seed == null ? "–" : String(config.seed)],
  ];
  return (
    <Panel
      title="Play"
      actions={
        <>
          <FilmButton run={run} />
          <DuelPolicy run={run} finished={result?.finished ?? run.progress.episodes} />
          {hasWorker(run) ? <ContinueLink run={run} /> : <PlayAgain run={run} />}
        </>
      }
    >
      <dl className="text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 border-b py-1 last:border-0">
            <dt className="text-ink-2">{name}</dt>
            <dd className="figures text-right text-xs leading-5">{value}</dd>
          </div>
        ))}
      </dl>
      {config.start && (
        <p className="mt-3 text-sm">
          {"Taken over from "}
          <StartLink start={config.start} />
        </p>
      )}
    </Panel>
  );
}

function episodesText(run: Run, result: PlayResult | null): string {
  const all = formatCount(result?.episodes ?? run.progress.episodes);
  return result?.finished ? `${all}, ${formatCount(result.finished)} finished` : all;
}

/** Of the finished episodes; a play of an earlier version has fewer of them. */
function figuresOf(result: PlayResult): [string, string][] {
  const { return_mean: mean, return_std: std, length_mean: length, terminated = 0, truncated = 0 } = result;
  if (!result.finished || mean == null || std == null) return [];
  return [
    ["mean return", `${formatNumber(mean, 4)} ± ${formatNumber(std, 3)}`],
    ["interval of the mean", rangeText(result.return_ci, result.return_ci_level)],
    ["mean length", formatNumber(length, 4)],
    ["endings", `${terminated} terminated, ${truncated} truncated`],
    ["who played", playersText(result.players ?? [])],
  ];
}

/** "2 by a person, 1 by person and policy": of the finished episodes. */
function playersText(players: readonly Player[]): string {
  const counts = keysOf(BY).map(
    (player) => [BY[player], players.filter((one) => one === player).length] as const,
  );
  return counts.flatMap(([words, count]) => (count > 0 ? [`${count} by ${words}`] : [])).join(", ");
}

type Player = NonNullable<PlayResult["players"]>[number];
const BY: Record<Player, string> = { person: "a person", hybrid: "person and policy", policy: "a policy" };

/** To the episode that was taken over, at its step. */
function StartLink({ start: { run_id, dataset, episode, step } }: { start: TakeOver }) {
  const text = `step ${formatCount(step)} of episode ${formatCount(episode)}`;
  const look = "underline underline-offset-4";
  if (dataset)
    return (
      <Link
        to="/datasets/$name"
        params={{ name: dataset.name }}
        search={{ v: dataset.version ?? undefined, episode, frame: step }}
        className={look}
      >
        {`${text} of ${dataset.name}@v${dataset.version}`}
      </Link>
    );
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run_id ?? "" }}
      search={{ tab: "episodes", episode, frame: step }}
      className={look}
    >
      {text}
    </Link>
  );
}

const ContinueLink = ({ run }: { run: Run }) => (
  <Link
    to="/play/$runId"
    params={{ runId: run.id }}
    className="text-sm underline underline-offset-4 hover:text-ink"
  >
    Go to the play
  </Link>
);

/** With the same settings and the same first seed. */
function PlayAgain({ run }: { run: Run }) {
  const navigate = useNavigate();
  const start = useStartPlay((made) => void navigate({ to: "/play/$runId", params: { runId: made.id } }));
  const again = () => {
    if (run.config.kind !== "play") return;
    const { kind: _, name: __, ...options } = run.config;
    start.mutate(options);
  };
  return (
    <Button small kind="primary" icon="play" disabled={start.isPending} onClick={again}>
      Play again
    </Button>
  );
}
