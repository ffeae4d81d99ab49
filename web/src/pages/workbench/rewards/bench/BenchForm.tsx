/** Which episodes the reward is tried on, how many, and next to which other version. */
import { useInfiniteQuery } from "@tanstack/react-query";
import type { CodeVersion } from "@/api/types";
import { spellCode } from "@/entities/codes/words";
import { runsQuery } from "@/entities/runs/queries";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/icons";
import { Select } from "@/ui/Select";
import {
  type BenchChoice,
  type BenchKind,
  KIND_WORDS,
  KINDS,
  LIMITS,
  type OpenReward,
  runTitle,
  whyNotBench,
} from "./choice";

export interface BenchFormProps {
  open: OpenReward;
  choice: BenchChoice;
  others: readonly CodeVersion[];
  isRunning: boolean;
  onChange: (change: Partial<BenchChoice>) => void;
  onStart: () => void;
  onStop: () => void;
}

export function BenchForm(props: BenchFormProps) {
  const { open, choice, others, isRunning, onChange, onStart, onStop } = props;
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-3xl text-sm text-ink-2">
        Recorded episodes are simulated again and scored by your reward: before training you see what it would
        have preferred.
      </p>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.4fr)_auto] xl:items-start">
        <Episodes {...props} />
        <Labelled title="Episodes, at most">
          <Select
            label="Episodes, at most"
            value={String(choice.limit)}
            options={LIMITS.map((limit) => ({ value: String(limit), title: formatCount(limit) }))}
            onChange={(limit) => onChange({ limit: Number(limit) })}
          />
        </Labelled>
        <Labelled title="Side by side with">
          <Select
            label="Side by side with"
            value={choice.second}
            options={[
              { value: "", title: "nothing else" },
              ...others.map((one) => ({ value: spellCode(one), title: spellCode(one) })),
            ]}
            onChange={(second) => onChange({ second })}
          />
        </Labelled>
        <div className="flex items-end xl:pt-5">
          {isRunning ? (
            <Button icon="stop" onClick={onStop}>
              Stop
            </Button>
          ) : (
            <Button kind="primary" icon="play" reason={whyNotBench(open, choice)} onClick={onStart}>
              Try it
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Chosen runs, else all of the environment of certain kinds. */
function Episodes({ open, choice, onChange }: BenchFormProps) {
  const pages = useInfiniteQuery(
    runsQuery({ env_id: open.envId || undefined, kind: "all", sort: "-created_at" }),
  ).data?.pages;
  const runs = pages?.flatMap(({ items }) => items) ?? [];
  const nameOf = (id: string) => runs.find((run) => run.id === id)?.name ?? id;
  const free = runs.filter(
    ({ id, kind }) => !choice.runIds.includes(id) && (KINDS as readonly string[]).includes(kind),
  );
  return (
    <Labelled title="Episodes of">
      <Select
        label="Episodes of"
        value=""
        options={[
          {
            value: "",
            title: choice.runIds.length > 0 ? "add another run…" : allTitle(open.envId),
          },
          ...free.map((run) => ({ value: run.id, title: runTitle(run) })),
        ]}
        onChange={(id) => id && onChange({ runIds: [...choice.runIds, id] })}
      />
      {choice.runIds.length === 0 ? (
        <Kinds kinds={choice.kinds} onChange={(kinds) => onChange({ kinds })} />
      ) : (
        <ul aria-label="Chosen runs" className="mt-2 flex flex-wrap gap-1.5">
          {choice.runIds.map((id) => (
            <li key={id} className="min-w-0">
              <button
                type="button"
                aria-label={`Without ${nameOf(id)}`}
                onClick={() => onChange({ runIds: choice.runIds.filter((one) => one !== id) })}
                className="flex max-w-full items-center gap-1.5 rounded-sm border px-2 py-1 text-xs hover:bg-sunken"
              >
                <span className="truncate">{nameOf(id)}</span>
                <Icon name="close" size={11} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Labelled>
  );
}

const allTitle = (envId: string): string =>
  envId ? `all runs of ${envId}` : "choose a run, or an environment above";

function Kinds({ kinds, onChange }: { kinds: readonly BenchKind[]; onChange: (kinds: BenchKind[]) => void }) {
  return (
    <fieldset className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
      <legend className="sr-only">Kinds of runs</legend>
      {KINDS.map((kind) => (
        <label key={kind} className="flex items-center gap-1.5">
          <input
            type="checkbox"
            className="accent-ink"
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              onChange(KINDS.filter((one) => (one === kind ? target.checked : kinds.includes(one))))
            }
          />
          {KIND_WORDS[kind]}
        </label>
      ))}
    </fieldset>
  );
}

function Labelled({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <p aria-hidden="true" className="label mb-1 text-ink-3">
        {title}
      </p>
      {children}
    </div>
  );
}
