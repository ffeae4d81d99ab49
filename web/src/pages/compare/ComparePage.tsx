/** Several runs compared: curves, settings, evaluations, and a duel between them. */
import { useQueries } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { useLiveRuns } from "@/entities/runs/live-runs";
import { runQuery } from "@/entities/runs/queries";
import { trainConfigOf } from "@/entities/runs/words";
import { ConfigDiff } from "@/panels/config-diff/ConfigDiff";
import { TensorboardButton } from "@/panels/dashboards/TensorboardButton";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { AddRuns } from "./AddRuns";
import { ComparedCharts } from "./ComparedCharts";
import { ComparedEvaluations } from "./ComparedEvaluations";
import { DuelPanel } from "./DuelPanel";
import { RunChips } from "./RunChips";
import type { CompareSearch } from "./search";

const route = getRouteApi("/compare");
export const MOST_RUNS = 20;

const listOf = (text: string | undefined) => [...new Set((text ?? "").split(",").filter(Boolean))];
const textOf = (ids: readonly string[]) => (ids.length === 0 ? undefined : ids.join(","));

export function ComparePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useLiveRuns();
  const ids = listOf(search.runs).slice(0, MOST_RUNS);
  const hidden = new Set(listOf(search.hidden));
  const queries = useQueries({ queries: ids.map((id) => runQuery(id)) });
  const runs = queries.flatMap((query) => query.data ?? []);
  const onSearch = (change: CompareSearch, isStep = false) =>
    void navigate({ search: (s) => ({ ...s, ...change }), replace: !isStep, resetScroll: false });
  const toggle = (id: string) =>
    onSearch({ hidden: textOf(hidden.has(id) ? [...hidden].filter((one) => one !== id) : [...hidden, id]) });
  const failed = queries.find((query) => query.isError);
  const add = (
    <AddRuns
      known={ids}
      room={MOST_RUNS - ids.length}
      onAdd={(id) => onSearch({ runs: textOf([...ids, id]) }, true)}
    />
  );
  return (
    <div className="container-page flex flex-col gap-6 py-4 sm:py-6">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="title">Compare</h1>
        {add}
        <div className="ml-auto" />
        {ids.length > 0 && <TensorboardButton runIds={ids} small />}
        <Button
          small
          kind="quiet"
          icon="link"
          onClick={() => void copyText(window.location.href, "Link copied. It opens this comparison.")}
        >
          Copy link
        </Button>
      </div>
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {queries.some((query) => query.isPending) && <Loading lines={4} />}
      <RunChips
        runs={runs}
        hidden={hidden}
        onToggle={toggle}
        onRemove={(id) => onSearch({ runs: textOf(ids.filter((other) => other !== id)) }, true)}
      />
      {ids.length === 0 && (
        <EmptyState title="Nothing to compare yet" action={add}>
          Add runs here, or select them in the table of runs and press Compare.
        </EmptyState>
      )}
      {runs.length > 0 && <Compared runs={runs} hidden={hidden} search={search} onSearch={onSearch} />}
    </div>
  );
}

function Compared({
  runs,
  hidden,
  search,
  onSearch,
}: {
  runs: Run[];
  hidden: ReadonlySet<string>;
  search: CompareSearch;
  onSearch: (change: CompareSearch, isStep?: boolean) => void;
}) {
  return (
    <>
      <ComparedCharts runs={runs.filter((run) => !hidden.has(run.id))} search={search} onSearch={onSearch} />
      <Panel title="Settings" flush>
        <ConfigDiff
          label="Settings of the runs"
          columns={runs.map((run) => ({ id: run.id, title: run.name, config: settingsOf(run) }))}
          showsAll={search.all ?? false}
          onShowAll={(all) => onSearch({ all: all || undefined })}
        />
      </Panel>
      <ComparedEvaluations runs={runs} />
      <DuelPanel runs={runs} duelId={search.duel} onDuel={(duel) => onSearch({ duel }, true)} />
    </>
  );
}

/** Settings, parameters and reported arguments in one flat table. */
function settingsOf(run: Run): Record<string, unknown> {
  const config = trainConfigOf(run);
  if (config === null) return { kind: run.kind };
  const { params, args, kind: _, ...rest } = config;
  return { ...rest, ...params, ...args };
}
