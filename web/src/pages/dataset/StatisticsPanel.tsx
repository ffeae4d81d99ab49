/** A version in charts: returns and lengths, which also filter the episodes, actions, visited states, quality. */
import type { DatasetStatistics, DatasetVersion } from "@/api/types";
import { HistogramBrush, ShareBars } from "@/charts/histograms/HistogramBrush";
import { VisitMap } from "@/charts/histograms/VisitMap";
import { formatPercent, formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Histogram } from "@/panels/inspection/Histogram";
import { Panel } from "@/ui/Panel";
import { FactRows } from "./FactsPanel";
import { qualityOf } from "./facts";
import type { DatasetSearch } from "./search";

export interface StatisticsPanelProps {
  version: DatasetVersion;
  statistics: DatasetStatistics;
  /** Empty where the lab has none. */
  actionNames: readonly string[];
  search: DatasetSearch;
  onSearch: (change: DatasetSearch) => void;
}

export function StatisticsPanel(props: StatisticsPanelProps) {
  const { version, statistics, search, onSearch } = props;
  const isDark = useStore(theme) === "dark";
  const map = statistics.state_map;
  return (
    <Panel title="Statistics" flush>
      <div className="grid gap-px bg-line md:grid-cols-2 [&>*]:bg-surface">
        <Chart title="Returns" about="Drag over bars to list only those episodes.">
          <HistogramBrush
            title="Return"
            bars={statistics.returns}
            range={{ low: search.return_min, high: search.return_max }}
            onRange={({ low, high }) => onSearch({ return_min: low, return_max: high })}
          />
        </Chart>
        <Chart title="Lengths" about="Steps per episode.">
          <HistogramBrush
            title="Length"
            bars={statistics.lengths}
            range={{ low: search.length_min, high: search.length_max }}
            onRange={({ low, high }) =>
              onSearch({ length_min: low && Math.ceil(low), length_max: high && Math.floor(high) })
            }
          />
        </Chart>
        <Chart title="Actions">
          <Actions {...props} />
        </Chart>
        <Chart
          title="Visited states"
          about={
            statistics.state_coverage === null
              ? undefined
              : `${formatPercent(statistics.state_coverage)} of a grid over the two widest directions of the observations.`
          }
        >
          {map.length > 0 ? (
            <VisitMap title="Visited states" visits={map} isDark={isDark} />
          ) : (
            <p className="text-xs text-ink-3">Not computed for observations of this kind.</p>
          )}
        </Chart>
        <div className="md:col-span-2">
          <div className="md:columns-2 md:gap-px">
            <FactRows facts={qualityOf(version)} />
          </div>
        </div>
      </div>
    </Panel>
  );
}

function Chart({ title, about, children }: { title: string; about?: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2 p-4">
      <div>
        <h3 className="text-sm font-medium">{title}</h3>
        {about && <p className="text-xs text-ink-3">{about}</p>}
      </div>
      {children}
    </section>
  );
}

const MOST_ACTIONS = 8;
const MOST_BARS = 24;

function Actions({ version, statistics, actionNames }: StatisticsPanelProps) {
  const { actions } = statistics;
  const isDiscrete = String(version.action_space.type ?? "").toLowerCase() === "discrete";
  const [first] = actions;
  if (!first) return <p className="text-xs text-ink-3">Not computed for actions of this kind.</p>;
  if (isDiscrete && first.counts.length <= MOST_BARS)
    return <ShareBars title="Share of each action" counts={first.counts} names={actionNames} />;
  return (
    <div className="grid grid-cols-2 gap-3">
      {actions.slice(0, MOST_ACTIONS).map(({ edges, counts }, i) => (
        <div key={i}>
          <p className="figures text-2xs text-ink-3">{actions.length > 1 ? `number ${i + 1}` : "action"}</p>
          <Histogram
            title={`Action ${i + 1}`}
            low={edges[0] ?? 0}
            high={edges.at(-1) ?? 0}
            counts={counts}
            height={40}
          />
        </div>
      ))}
      {actions.length > MOST_ACTIONS && (
        <p className="text-xs text-ink-3">{`and ${formatPlural(actions.length - MOST_ACTIONS, "more number")}`}</p>
      )}
    </div>
  );
}
