/** The settings of one chart, and its downloads: numbers as CSV, picture as SVG or PNG. */
import { type ReactNode, useState } from "react";
import { formatPlural } from "@/lib/format";
import { Button, IconButton } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { Slider } from "@/ui/Slider";
import { SwitchRow } from "@/ui/SwitchRow";
import { toast, toastProblem } from "@/ui/toasts";
import { csvOf, download, fileNameOf, pngOf } from "./files/export";
import { type FigureColours, figureSvg, PRINT } from "./files/figure";
import type { LineChartProps } from "./LineChart";
import type { Series } from "./series";
import { chartTokens } from "./tokens";

export interface ChartCardProps extends Omit<LineChartProps, "theme"> {
  /** What the metric is and what good values look like. */
  help?: ReactNode;
  /** The number of all points, when the chart shows fewer. */
  totalPoints?: number;
  /** Whose chart it is, for the names of downloads and the title of a picture. */
  fileName?: string;
  /** Every point of the lines, for the CSV; the shown points when absent. */
  onWhole?: () => Promise<Series[]>;
  /** More things to do with the chart, in its settings. */
  actions?: ReactNode;
  /** Drawn under the chart, such as a timeline. */
  below?: ReactNode;
  onSmoothing?: (smoothing: number) => void;
  onLogY?: (logY: boolean) => void;
  onBand?: (band: boolean) => void;
}

export interface ChartSettingsProps extends ChartCardProps {
  isTable: boolean;
  onTable: (isTable: boolean) => void;
}

export function ChartSettings(props: ChartSettingsProps) {
  const { title, onSmoothing, onLogY, onBand } = props;
  return (
    <Popover
      title={`${title}: settings`}
      trigger={<IconButton icon="settings" label={`${title}: settings`} />}
    >
      <div className="flex flex-col gap-4 text-sm">
        {onSmoothing && <SmoothingField value={props.smoothing ?? 0} onChange={onSmoothing} />}
        {onLogY && <SwitchRow title="Logarithmic y" checked={props.logY ?? false} onChange={onLogY} />}
        {onBand && (
          <SwitchRow title="Band from lowest to highest" checked={props.band ?? false} onChange={onBand} />
        )}
        <SwitchRow title="Show as table" checked={props.isTable} onChange={props.onTable} />
        {props.actions}
        <Downloads {...props} />
      </div>
    </Popover>
  );
}

function Downloads(props: ChartSettingsProps) {
  const [isThemed, setIsThemed] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const name = fileNameOf(props.fileName ?? "", props.title);
  const picture = () => figureSvg(figureOf(props), isThemed ? themeColours() : PRINT);
  const saveCsv = async () => {
    setIsBusy(true);
    try {
      const { text, rows } = csvOf(props.xTitle, (await props.onWhole?.()) ?? props.series);
      download(`${name}.csv`, text);
      toast(`Saved ${formatPlural(rows, "row")} as ${name}.csv.`);
    } catch (error) {
      toastProblem(error);
    } finally {
      setIsBusy(false);
    }
  };
  const savePng = async () => {
    const blob = await pngOf(picture());
    if (blob) download(`${name}.png`, blob);
  };
  return (
    <div className="flex flex-col gap-3 border-t pt-3">
      <div className="flex flex-wrap gap-2">
        <Button small icon="download" disabled={isBusy} onClick={() => void saveCsv()}>
          CSV
        </Button>
        <Button small icon="download" onClick={() => download(`${name}.svg`, picture(), "image/svg+xml")}>
          SVG
        </Button>
        <Button small icon="download" onClick={() => void savePng().catch(toastProblem)}>
          PNG
        </Button>
      </div>
      <SwitchRow title="Pictures in the page's colours" checked={isThemed} onChange={setIsThemed} />
    </div>
  );
}

const figureOf = (props: ChartCardProps) => ({
  title: props.fileName ? `${props.title} · ${props.fileName}` : props.title,
  xTitle: props.xTitle,
  yTitle: props.yTitle ?? props.title,
  xKind: props.xKind ?? "number",
  series: props.series,
  smoothing: props.smoothing ?? 0,
  logY: props.logY ?? false,
  range: props.range ?? null,
  threshold: props.threshold ?? null,
});

function themeColours(): FigureColours {
  const tokens = chartTokens();
  return { background: tokens.surface, ink: tokens.ink, faint: tokens.line };
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
