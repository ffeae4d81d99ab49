/** For each score, the share of a configuration's seeds above it: a curve further to the right is better everywhere. */
import { useMemo } from "react";
import type { Comparison } from "@/api/types";
import { LineChart } from "@/charts/LineChart";
import { LineSample } from "@/charts/LineSample";
import type { Series } from "@/charts/series";
import type { Look } from "@/lib/colour";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Panel } from "@/ui/Panel";

const MOST = 8;

export interface ProfilePanelProps {
  comparison: Comparison;
  look: (group: ProfiledGroup) => Look;
}

type ProfiledGroup = Comparison["groups"][number];

export function ProfilePanel({ comparison, look }: ProfilePanelProps) {
  const themeNow = useStore(theme);
  const series = useMemo(() => profilesOf(comparison, look), [comparison, look]);
  if (series.length === 0) return null;
  return (
    <Panel title="Performance profile">
      <LineChart
        title="Share of the seeds above a score"
        series={series}
        xTitle={comparison.measures[comparison.measure] ?? "score"}
        yTitle="share of the seeds above it"
        height={240}
        theme={themeNow}
      />
      <ul aria-label="Legend" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {series.map((line) => (
          <li key={line.id} className="flex min-w-0 items-center gap-1.5">
            <LineSample colour={line.colour} dash={line.dash} />
            <span className="truncate">{line.label}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-ink-3">
        A curve that is above another everywhere belongs to the better one; curves that cross have no clear
        order.
      </p>
    </Panel>
  );
}

/** Those of the highest means, where a group has two seeds or more. */
export function profilesOf(
  { groups, scores, measure }: Comparison,
  look: (group: ProfiledGroup) => Look,
): Series[] {
  if (scores.length < 2) return [];
  const mean = (group: ProfiledGroup) => group.statistics[measure]?.mean ?? -Infinity;
  return groups
    .filter((group) => group.profile && group.run_ids.length > 1)
    .toSorted((a, b) => mean(b) - mean(a))
    .slice(0, MOST)
    .map((group) => ({
      id: group.label,
      label: group.label,
      ...look(group),
      xs: scores,
      ys: group.profile!.share,
      low: group.profile!.low ?? undefined,
      high: group.profile!.high ?? undefined,
    }));
}
