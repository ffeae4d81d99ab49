/** One environment: preview, facts, whether it is deterministic, and the findings of the smoke test. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Environment } from "@/api/types";
import { InstallNote } from "@/entities/environments/InstallNote";
import { exactnessQuery } from "@/entities/environments/queries";
import { useSmokeTest } from "@/entities/environments/use-smoke-test";
import type { SmokeFinding } from "@/entities/results/results";
import { formatCount, formatNumber } from "@/lib/format";
import { HighScores } from "@/panels/high-scores/HighScores";
import { PreviewPlayer } from "@/panels/preview/PreviewPlayer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";

export function EnvironmentDetail({ environment }: { environment: Environment }) {
  return (
    <div className="flex flex-col gap-3">
      <Panel
        title={environment.name}
        aside={<Badge>{environment.id}</Badge>}
        flush
        className="overflow-hidden"
      >
        {environment.problem ? (
          <div className="p-4">
            <InstallNote environment={environment} />
          </div>
        ) : (
          <PreviewPlayer envId={environment.id} />
        )}
      </Panel>
      <Facts environment={environment} />
      {!environment.problem && <HighScores envId={environment.id} />}
      {!environment.problem && <SmokeTestPanel envId={environment.id} />}
    </div>
  );
}

function Facts({ environment }: { environment: Environment }) {
  const facts = [
    ["Actions", environment.action_space],
    ["Observations", environment.obs_space],
    ["Solved at", formatNumber(environment.reward_threshold)],
    ["Maximum steps", formatCount(environment.max_episode_steps)],
    ["Package", environment.package],
  ];
  return (
    <Panel title="About">
      {environment.description && <p className="mb-3 text-sm text-ink-2">{environment.description}</p>}
      <dl className="text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 border-b py-1.5 last:border-0">
            <dt className="text-ink-3">{name}</dt>
            <dd className="figures text-right text-xs leading-6">{value}</dd>
          </div>
        ))}
      </dl>
      <Named title="Observation" names={environment.observation_names} />
      <Named
        title={environment.action_space_type === "discrete" ? "Actions" : "Action"}
        names={environment.action_names}
      />
      {!environment.problem && <ExactnessCheck envId={environment.id} />}
      {!environment.problem && (
        <div className="mt-4 grid grid-cols-2 gap-3">
          <Link
            to="/"
            search={{ env: environment.id }}
            className="label flex h-9 items-center justify-center gap-2 rounded-sm bg-ink text-on-ink hover:opacity-88"
          >
            <Icon name="play" size={14} />
            Train here
          </Link>
          <Link
            to="/play"
            search={{ env: environment.id, mode: "human" }}
            className="label flex h-9 items-center justify-center gap-2 rounded-sm border border-line-strong hover:bg-sunken"
          >
            <Icon name="gamepad" size={14} />
            Play
          </Link>
        </div>
      )}
    </Panel>
  );
}

/** The numbers of a space, each with its index and what it means. */
function Named({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <details className="border-t py-2 text-sm" open={names.length <= 8}>
      <summary className="cursor-pointer text-ink-3">{title}</summary>
      <ol className="mt-1 grid gap-x-6 sm:grid-cols-2">
        {names.map((name, i) => (
          <li key={name} className="flex gap-3 py-0.5 text-xs">
            <span className="figures w-5 text-right text-ink-3">{i}</span>
            {name}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Runs on a click: the lab plays the environment twice, compares, and remembers the result. */
function ExactnessCheck({ envId }: { envId: string }) {
  const exactness = useQuery({ ...exactnessQuery(envId), enabled: false });
  const { data, error, isFetching } = exactness;
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-t py-1.5 text-sm">
      <span className="text-ink-3">Replays exactly</span>
      {data ? (
        <span className="text-right">
          <Badge tone={data.exact ? "good" : "warn"}>{data.exact ? "yes" : "no"}</Badge>
          {!data.exact && <span className="mt-1 block text-xs text-ink-2">{data.note}</span>}
        </span>
      ) : (
        <span className="flex items-center gap-2">
          {error && <span className="text-xs text-warn">{error.message}</span>}
          <Button small kind="quiet" disabled={isFetching} onClick={() => void exactness.refetch()}>
            {isFetching ? "Checking" : "Check"}
          </Button>
        </span>
      )}
    </div>
  );
}

function SmokeTestPanel({ envId }: { envId: string }) {
  const test = useSmokeTest(envId);
  const check = () => test.mutate();
  const isBusy = test.isPending;
  return (
    <Panel
      title="Smoke test"
      flush
      actions={
        <Button small icon="check" disabled={isBusy} onClick={check}>
          {isBusy ? "Testing" : test.data ? "Again" : "Test it"}
        </Button>
      }
    >
      {!test.data && !isBusy && !test.error && (
        <p className="p-4 text-sm text-ink-2">
          Gymnasium’s checker, finite values, repeatability, rendering and speed. Takes a few seconds.
        </p>
      )}
      {isBusy && !test.data && (
        <div className="p-4">
          <Loading lines={5} label="The environment is being tested" />
        </div>
      )}
      {test.error && <ErrorState error={test.error} onRetry={check} />}
      {test.data?.findings.map((finding) => (
        <FindingRow key={finding.check} {...finding} />
      ))}
    </Panel>
  );
}

const LEVELS = {
  ok: { icon: "check", look: "text-good" },
  warning: { icon: "warn", look: "text-warn" },
  problem: { icon: "warn", look: "text-warn" },
} as const;

function FindingRow({ check, level, message, remarks }: SmokeFinding) {
  const { icon, look } = LEVELS[level] ?? LEVELS.warning;
  return (
    <div className="flex gap-3 border-b px-4 py-2.5 text-sm last:border-0">
      <span className={cx("mt-0.5", look)}>
        <Icon name={icon} size={14} />
      </span>
      <div className="min-w-0">
        <p className="label text-ink-3">
          <span className="sr-only">{level}: </span>
          {check.replaceAll("_", " ")}
        </p>
        <p className="break-words text-ink-2">{message}</p>
        {(remarks?.length ?? 0) > 1 && (
          <details className="text-xs text-ink-3">
            <summary>{`${remarks!.length - 1} more`}</summary>
            {remarks!.slice(1).map((remark) => (
              <p key={remark} className="mt-1 break-words">
                {remark}
              </p>
            ))}
          </details>
        )}
      </div>
    </div>
  );
}
