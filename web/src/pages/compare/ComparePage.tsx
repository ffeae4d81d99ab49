/** Several runs compared: curves, settings, evaluations, and a duel between them. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import type { Run } from "@/api/types";
import { type ComparisonQuestion, comparisonQuery } from "@/entities/comparisons/queries";
import { useLiveRuns } from "@/entities/runs/live-runs";
import { runQuery } from "@/entities/runs/queries";
import { trainConfigOf } from "@/entities/runs/words";
import { type Look, useComparedLooks } from "@/lib/colour";
import { ConfigDiff } from "@/panels/config-diff/ConfigDiff";
import { TensorboardButton } from "@/panels/dashboards/TensorboardButton";
import { SeedAgreement } from "@/panels/insights/SeedAgreement";
import { ProfilePanel } from "@/panels/profile/ProfilePanel";
import { ComparisonFailed } from "@/panels/verdict/ComparisonFailed";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { AddRuns } from "./AddRuns";
import { ComparedCharts } from "./ComparedCharts";
import { ComparedEvaluations } from "./ComparedEvaluations";
import { DuelPanel } from "./DuelPanel";
import { type Group, GroupTable } from "./GroupTable";
import { bySeed, type Compared, groupsOf, singlesOf } from "./groups";
import { ReportMenu } from "./ReportMenu";
import { RunChips } from "./RunChips";
import { BEST, type CompareSearch } from "./search";
import { useMissingSeeds } from "./use-missing-seeds";
import { VerdictsPanel } from "./VerdictsPanel";

const route = getRouteApi("/compare");
export const MOST_RUNS = 100;
/** More lines at once cannot be told apart. */
const MOST_LINES = 20;

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
  const compared = search.group ? groupsOf(runs) : singlesOf(runs);
  const look = useComparedLooks(compared.map((one) => one.id));
  const onSearch = (change: CompareSearch, isStep = false) =>
    void navigate({ search: (s) => ({ ...s, ...change }), replace: !isStep, resetScroll: false });
  const toggle = (chosen: readonly string[]) => {
    const others = [...hidden].filter((id) => !chosen.includes(id));
    onSearch({ hidden: textOf(chosen.every((id) => hidden.has(id)) ? others : [...others, ...chosen]) });
  };
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
        {ids.length > 0 && (
          <ReportMenu
            runIds={ids.filter((id) => !hidden.has(id))}
            isGrouped={search.group ?? false}
            question={questionOf(search, ids)}
          />
        )}
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
        compared={compared}
        colour={(id) => look(id).colour}
        hidden={hidden}
        onToggle={toggle}
        onRemove={(gone) => onSearch({ runs: textOf(ids.filter((id) => !gone.includes(id))) }, true)}
      />
      {ids.length === 0 && (
        <EmptyState title="Nothing to compare yet" action={add}>
          Add runs here, or select them in the table of runs and press Compare.
        </EmptyState>
      )}
      {runs.length > 0 && (
        <Panels
          ids={ids}
          runs={runs}
          compared={compared}
          look={look}
          hidden={hidden}
          search={search}
          onSearch={onSearch}
        />
      )}
    </div>
  );
}

function Panels({
  ids,
  runs,
  compared,
  look,
  hidden,
  search,
  onSearch,
}: {
  ids: readonly string[];
  runs: Run[];
  compared: Compared[];
  look: (runId: string) => Look;
  hidden: ReadonlySet<string>;
  search: CompareSearch;
  onSearch: (change: CompareSearch, isStep?: boolean) => void;
}) {
  const isGrouped = search.group ?? false;
  const visible = withoutHidden(compared, hidden);
  const comparison = useQuery({
    ...comparisonQuery(runs, questionOf(search, ids)),
    enabled: runs.length > 1 && runs.length === ids.length,
  });
  const missing = useMissingSeeds(runs);
  const groupLook = useComparedLooks(comparison.data?.groups.map(firstRun) ?? []);
  const lookOfGroup = useCallback((group: Group) => groupLook(firstRun(group)), [groupLook]);
  return (
    <>
      {comparison.isError && (
        <ComparisonFailed
          error={comparison.error}
          search={search}
          onSearch={onSearch}
          onRetry={() => void comparison.refetch()}
        />
      )}
      {comparison.data && runs.length > 1 && (
        <VerdictsPanel
          comparison={comparison.data}
          groups={groupsOf(runs)}
          missing={missing}
          search={search}
          onSearch={onSearch}
          onMore={(more) => onSearch({ runs: textOf([...ids, ...more]) }, true)}
        />
      )}
      <ComparedCharts
        compared={visible.slice(0, MOST_LINES)}
        look={look}
        search={search}
        onSearch={onSearch}
      />
      {visible.length > MOST_LINES && (
        <p className="text-xs text-ink-2">
          {`The charts draw the first ${MOST_LINES} of ${visible.length}.${isGrouped ? "" : " “Group seeds” draws one line for each configuration."}`}
        </p>
      )}
      {comparison.data && runs.length > 1 && (
        <GroupTable comparison={comparison.data} look={(group) => (isGrouped ? lookOfGroup(group) : null)} />
      )}
      {comparison.data && runs.length > 1 && <ProfilePanel comparison={comparison.data} look={lookOfGroup} />}
      <SeedAgreement runIds={runs.map((run) => run.id)} />
      <Panel title="Settings" flush>
        <ConfigDiff
          label="Settings of the runs"
          columns={compared.map((one) => ({ id: one.id, title: one.label, config: settingsOf(one) }))}
          showsAll={search.all ?? false}
          onShowAll={(all) => onSearch({ all: all || undefined })}
        />
      </Panel>
      {!isGrouped && (
        <ComparedEvaluations
          compared={compared}
          colour={(id) => look(id).colour}
          protocol={search.protocol}
          verdictBy={comparison.data?.protocols[0]}
          onProtocol={(protocol) => onSearch({ protocol })}
        />
      )}
      <DuelPanel runs={runs} duelId={search.duel} onDuel={(duel) => onSearch({ duel }, true)} />
    </>
  );
}

const firstRun = ({ run_ids }: Group): string => run_ids[0] ?? "";

/** A reference that is no longer compared is none. */
function questionOf(
  { measure, reference, protocol }: CompareSearch,
  ids: readonly string[],
): ComparisonQuestion {
  const isKnown = reference === BEST || (reference !== undefined && ids.includes(reference));
  return { ...(measure && { measure }), ...(protocol && { protocol }), ...(isKnown && { reference }) };
}

const withoutHidden = (compared: readonly Compared[], hidden: ReadonlySet<string>): Compared[] =>
  compared
    .map((one) => ({ ...one, runs: one.runs.filter((run) => !hidden.has(run.id)) }))
    .filter((one) => one.runs.length > 0);

/** Settings, parameters and reported arguments in one flat table; a group has a list of seeds. */
function settingsOf({ runs }: Compared): Record<string, unknown> {
  const config = trainConfigOf(runs[0]!);
  if (config === null) return { kind: runs[0]!.kind };
  const { params, args, kind: _, ...rest } = config;
  const seeds = bySeed(runs).map((run) => trainConfigOf(run)?.seed);
  return { ...rest, ...params, ...args, ...(runs.length > 1 && { seed: seeds.join(", ") }) };
}
