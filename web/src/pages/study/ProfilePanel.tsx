/** For each score, the share of a variant's seeds above it: a curve further to the right is better everywhere. */
import { useMemo } from "react";
import type { Comparison } from "@/api/types";
import { LineChart } from "@/charts/LineChart";
import type { Series } from "@/charts/series";
import type { Look } from "@/lib/colour";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Panel } from "@/ui/Panel";

const MOST = 8;

export interface ProfilePanelProps {
  comparison: Comparison;
  look: (variant: string) => Look;
}

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
      <p className="mt-2 text-xs text-ink-3">
        The colours are those of the learning curves. A curve that is above another everywhere belongs to the
        better variant; curves that cross have no clear order.
      </p>
    </Panel>
  );
}

/** Those of the highest means, where a variant has two seeds or more. */
export function profilesOf(
  { groups, scores, measure }: Comparison,
  look: (variant: string) => Look,
): Series[] {
  if (scores.length < 2) return [];
  const mean = (group: Comparison["groups"][number]) => group.statistics[measure]?.mean ?? -Infinity;
  return groups
    .filter((group) => group.profile && group.run_ids.length > 1)
    .toSorted((a, b) => mean(b) - mean(a))
    .slice(0, MOST)
    .map((group) => ({
      id: group.label,
      label: group.label,
      ...look(String(group.variant ?? group.label)),
      xs: scores,
      ys: group.profile!.share,
      low: group.profile!.low ?? undefined,
      high: group.profile!.high ?? undefined,
    }));
}
