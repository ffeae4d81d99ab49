/** A line chart in a card: settings, number of points, download as CSV or PNG, and a table. */
import { type ReactNode, useRef, useState } from "react";
import { formatCount } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Popover } from "@/ui/Popover";
import { Slider } from "@/ui/Slider";
import { Switch } from "@/ui/Switch";
import { Tooltip } from "@/ui/Tooltip";
import { ChartTable } from "./ChartTable";
import { csvOf, download, pngOf } from "./export";
import { LineChart, type LineChartProps } from "./LineChart";
import { chartTokens } from "./tokens";

export interface ChartCardProps extends Omit<LineChartProps, "theme" | "ref"> {
  /** What the metric is and what good values look like. */
  help?: ReactNode;
  /** The number of all points, when the chart shows fewer. */
  totalPoints?: number;
  onSmoothing?: (smoothing: number) => void;
  onLogY?: (logY: boolean) => void;
  onBand?: (band: boolean) => void;
}

export function ChartCard({ help, totalPoints, onSmoothing, onLogY, onBand, ...chart }: ChartCardProps) {
  const [isTable, setIsTable] = useState(false);
  const drawn = useRef<{ canvas: () => HTMLCanvasElement | null }>(null);
  const themeNow = useStore(theme);
  const shown = chart.series.reduce((most, s) => Math.max(most, s.xs.length), 0);
  const fileName = chart.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

  const savePng = async () => {
    const canvas = drawn.current?.canvas();
    const blob = canvas && (await pngOf(canvas, chartTokens().surface));
    if (blob) download(`${fileName}.png`, blob);
  };

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
          <Popover
            title={`${chart.title}: settings`}
            trigger={<IconButton icon="settings" label={`${chart.title}: settings`} />}
          >
            <div className="flex flex-col gap-4 text-sm">
              {onSmoothing && <SmoothingField value={chart.smoothing ?? 0} onChange={onSmoothing} />}
              {onLogY && <SwitchRow label="Logarithmic y" checked={chart.logY ?? false} onChange={onLogY} />}
              {onBand && (
                <SwitchRow
                  label="Band from lowest to highest"
                  checked={chart.band ?? false}
                  onChange={onBand}
                />
              )}
              <SwitchRow label="Show as table" checked={isTable} onChange={setIsTable} />
              <div className="flex gap-2">
                <Button
                  small
                  icon="download"
                  onClick={() => download(`${fileName}.csv`, csvOf(chart.xTitle, chart.series))}
                >
                  CSV
                </Button>
                <Button small icon="download" onClick={savePng} disabled={isTable}>
                  PNG
                </Button>
              </div>
            </div>
          </Popover>
        </>
      }
    >
      {isTable ? <ChartTable {...chart} /> : <LineChart {...chart} theme={themeNow} ref={drawn} />}
    </Panel>
  );
}

function PointCount({ shown, total }: { shown: number; total?: number }) {
  if (total === undefined || total <= shown) return null;
  return (
    <Badge title="Neighbouring points are merged in this chart. Zoom in to see each one.">{`${formatCount(shown)} of ${formatCount(total)} points`}</Badge>
  );
}

export function SmoothingField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <div>
      <div className="flex justify-between">
        <span>Smoothing</span>
        <span className="figures text-ink-2">{value.toFixed(3)}</span>
      </div>
      <Slider
        label="Smoothing"
        value={value}
        min={0}
        max={0.999}
        step={0.001}
        onChange={onChange}
        valueText={value.toFixed(3)}
      />
    </div>
  );
}

function SwitchRow({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <div className="flex items-center justify-between">
      <span>{label}</span>
      <Switch label={label} checked={checked} onChange={onChange} />
    </div>
  );
}
