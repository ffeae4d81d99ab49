/** A line chart in a card: legend, number of points, settings and downloads, and a table. */
import { useState } from "react";
import { formatCount } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Tooltip } from "@/ui/Tooltip";
import { type ChartCardProps, ChartSettings } from "./ChartSettings";
import { ChartTable } from "./ChartTable";
import { LineChart } from "./LineChart";
import { LineSample } from "./LineSample";
import type { Series } from "./series";

export function ChartCard(props: ChartCardProps) {
  const {
    help,
    totalPoints,
    fileName: _,
    onWhole: _all,
    actions: _more,
    below,
    onSmoothing: _s,
    onLogY: _l,
    onBand: _b,
    ...chart
  } = props;
  const [isTable, setIsTable] = useState(false);
  const themeNow = useStore(theme);
  const shown = chart.series.reduce((most, s) => Math.max(most, s.xs.length), 0);
  return (
    <Panel
      title={
        help ? (
          <Tooltip text={help}>
            <span>{chart.title}</span>
          </Tooltip>
        ) : (
          chart.title
        )
      }
      aside={<PointCount shown={shown} total={totalPoints} />}
      actions={
        <>
          {chart.range && (
            <Button small kind="quiet" icon="reset" onClick={() => chart.onZoom?.(null)}>
              Follow
            </Button>
          )}
          <ChartSettings {...props} isTable={isTable} onTable={setIsTable} />
        </>
      }
    >
      {isTable ? <ChartTable {...chart} /> : <LineChart {...chart} theme={themeNow} />}
      {!isTable && below}
      {chart.series.length > 1 && <Legend series={chart.series} />}
    </Panel>
  );
}

/** Which colour is which line. */
function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul
      aria-label="Legend"
      className="mt-2 flex max-h-24 flex-wrap gap-x-4 gap-y-1 overflow-y-auto text-xs text-ink-2"
    >
      {series.map(({ id, label, colour, dash }) => (
        <li key={id} className="flex min-w-0 items-center gap-1.5" title={label}>
          <LineSample colour={colour} dash={dash} />
          <span className="truncate">{label}</span>
        </li>
      ))}
    </ul>
  );
}

function PointCount({ shown, total }: { shown: number; total?: number }) {
  if (total === undefined || total <= shown) return null;
  return (
    <Badge title="Neighbouring points are merged in this chart. Zoom in to see each one; the CSV has all.">{`${formatCount(shown)} of ${formatCount(total)} points`}</Badge>
  );
}
