/** The values of the expression on the chosen run. */
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ExpressionPreview } from "@/api/types";
import { LineChart } from "@/charts/LineChart";
import { useRunColour } from "@/lib/colour";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { ErrorState } from "@/ui/states";

export interface PreviewChartProps {
  title: string;
  runId: string | null;
  preview: UseQueryResult<ExpressionPreview>;
  /** Whether there is an expression. */
  isTyped: boolean;
}

export function PreviewChart({ title, runId, preview, isTyped }: PreviewChartProps) {
  const colourOf = useRunColour();
  const themeNow = useStore(theme);
  const points = preview.data?.series;
  const series = useMemo(
    () =>
      points && runId
        ? [{ id: runId, label: title, colour: colourOf(runId), xs: points.step, ys: points.value }]
        : [],
    [points, runId, title, colourOf],
  );
  if (!isTyped) return null;
  if (preview.isError) return <ErrorState error={preview.error} />;
  if (!points) return null;
  if (points.total === 0)
    return <p className="text-sm text-ink-2">This run has no points of one of these metrics.</p>;
  return (
    <div className="rounded-md border bg-surface p-3">
      <LineChart title={title} series={series} xTitle="Step" theme={themeNow} />
    </div>
  );
}
