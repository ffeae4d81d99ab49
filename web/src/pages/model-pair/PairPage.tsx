/** Two checkpoints side by side: a duel, what differs in their configurations, and how far their weights are apart. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { CheckpointDifference, CheckpointItem } from "@/api/types";
import { differenceQuery } from "@/entities/checkpoints/inspections";
import { scoreHelp, scoreText } from "@/entities/checkpoints/score";
import { checkpointName } from "@/entities/checkpoints/words";
import { ConfigDiff } from "@/panels/config-diff/ConfigDiff";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { configurationsOf } from "./difference";
import { PairDuel } from "./PairDuel";
import { WeightsDifference } from "./WeightsDifference";

const route = getRouteApi("/models/compare");

export function PairPage() {
  const { a, b, duel } = route.useSearch();
  const navigate = route.useNavigate();
  const search = (change: { a?: string; b?: string; duel?: string }) =>
    void navigate({ search: (s) => ({ ...s, ...change }), replace: true, resetScroll: false });
  return (
    <div className="container-page flex flex-col gap-4 py-4 sm:py-6">
      <nav aria-label="Where this is" className="text-xs text-ink-3">
        <Link to="/models" className="underline underline-offset-2 hover:text-ink">
          Models
        </Link>
      </nav>
      <h1 className="title">Compare two models</h1>
      {a && b ? (
        <Pair
          key={`${a} ${b}`}
          first={a}
          second={b}
          duelId={duel}
          onDuel={(duelId) => search({ duel: duelId })}
          onSwap={() => search({ a: b, b: a })}
        />
      ) : (
        <EmptyState
          title="Choose two checkpoints"
          action={
            <Link to="/models" className="text-sm font-semibold underline underline-offset-4">
              All models
            </Link>
          }
        >
          Select two rows in the table of checkpoints, then Compare.
        </EmptyState>
      )}
    </div>
  );
}

interface PairProps {
  first: string;
  second: string;
  duelId: string | undefined;
  onDuel: (duelId: string) => void;
  onSwap: () => void;
}

function Pair({ first, second, duelId, onDuel, onSwap }: PairProps) {
  const difference = useQuery(differenceQuery(first, second));
  if (difference.isPending)
    return (
      <div className="flex flex-col gap-3">
        <p className="text-sm text-ink-2">A worker loads both checkpoints and compares them.</p>
        <Loading lines={8} label="Comparing" />
      </div>
    );
  if (difference.isError)
    return <ErrorState error={difference.error} onRetry={() => void difference.refetch()} />;
  const found = difference.data;
  return (
    <>
      <div className="grid items-stretch gap-3 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] sm:items-center">
        <Side title="First" item={found.first} />
        <Button small onClick={onSwap} className="justify-self-center">
          Swap
        </Button>
        <Side title="Second" item={found.second} />
      </div>
      <PairDuel first={found.first} second={found.second} duelId={duelId} onDuel={onDuel} />
      <Configurations found={found} />
      <WeightsDifference difference={found} />
    </>
  );
}

function Side({ title, item }: { title: string; item: CheckpointItem }) {
  return (
    <section aria-label={title} className="min-w-0 rounded-md border bg-surface px-4 py-3">
      <p className="label text-ink-3">{title}</p>
      <p className="truncate text-sm font-medium">
        <Link
          to="/models/$checkpointId"
          params={{ checkpointId: item.id }}
          className="ring-inside rounded-sm hover:underline"
        >
          {checkpointName(item)}
        </Link>
      </p>
      <p className="figures truncate text-xs text-ink-2">
        {[item.env_id, item.algorithm.toUpperCase(), item.runner].filter(Boolean).join(" · ")}
      </p>
      <p title={scoreHelp(item.score)} className="figures truncate text-xs text-ink-2">
        {scoreText(item.score)}
      </p>
    </section>
  );
}

function Configurations({ found }: { found: CheckpointDifference }) {
  const { first, second } = configurationsOf(found);
  return (
    <Panel title="Configuration" flush>
      {found.configuration.length === 0 ? (
        <p className="p-4 text-sm text-ink-2">Both were trained with the same configuration.</p>
      ) : (
        <ConfigDiff
          label="Settings that differ"
          columns={[
            { id: "first", title: "First", config: first },
            { id: "second", title: "Second", config: second },
          ]}
          showsAll
        />
      )}
    </Panel>
  );
}
