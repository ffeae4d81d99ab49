/** What all charts below share: x axis, smoothing, scale, crosshair, and the button that resets the zoom. */

import type { ReactNode } from "react";
import { SmoothingField } from "@/charts/ChartSettings";
import { crosshair, cycleCrosshair, isCrosshairLocked, toggleCrosshairLock } from "@/charts/crosshair";
import { type ChartSearch, X_AXES, type XAxis } from "@/entities/metrics/chart-search";
import { metricTitle, xTitle } from "@/entities/metrics/series";
import { useSmoothing } from "@/entities/metrics/smoothing";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { rangeOf } from "./ChartGrid";

export interface ChartToolbarProps {
  search: ChartSearch;
  onSearch: (change: ChartSearch) => void;
  /** Metrics that can be used as the x axis. */
  names: readonly string[];
  /** What only one page has, at the end. */
  children?: ReactNode;
}

export function ChartToolbar({ search, onSearch, names, children }: ChartToolbarProps) {
  const x = search.x ?? "step";
  const [smoothing, setSmoothing] = useSmoothing(search, onSearch);
  const mode = useStore(crosshair);
  const locked = useStore(isCrosshairLocked);
  const axes: XAxis[] = [...X_AXES, ...names.map((name) => `metric:${name}` as const)];
  return (
    <div role="toolbar" aria-label="Charts" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="w-44">
        <Select
          label="X axis"
          value={x}
          options={axes.map((axis) => ({
            value: axis,
            title: axis.startsWith("metric:")
              ? `Over ${metricTitle(axis.slice(7))}`
              : `By ${xTitle(axis).toLowerCase()}`,
          }))}
          onChange={(axis) =>
            onSearch({ x: axis === "step" ? undefined : axis, from: undefined, to: undefined })
          }
        />
      </div>
      <div className="w-44 text-xs">
        <SmoothingField value={smoothing} onChange={setSmoothing} />
      </div>
      <div className="flex flex-wrap gap-1">
        <Toggle on={search.log} title="Log y" onChange={(log) => onSearch({ log })} />
        <Toggle on={search.band} title="Band" onChange={(band) => onSearch({ band })} />
        <Button small kind="quiet" onClick={cycleCrosshair} title="C">{`Crosshair: ${mode}`}</Button>
        <Button
          small
          kind={locked ? "primary" : "quiet"}
          aria-pressed={locked}
          onClick={toggleCrosshairLock}
          title="L"
        >
          {locked ? "Locked" : "Lock"}
        </Button>
      </div>
      {rangeOf(search) && (
        <Button small icon="reset" onClick={() => onSearch({ from: undefined, to: undefined })}>
          Follow
        </Button>
      )}
      <div className="ml-auto flex w-full items-center gap-2 sm:w-auto">
        <div className="min-w-0 flex-1 sm:w-52">
          <SearchField
            label="Find a metric"
            value={search.find ?? ""}
            onChange={(find) => onSearch({ find: find || undefined })}
          />
        </div>
        {children}
      </div>
    </div>
  );
}

function Toggle({ on, title, onChange }: { on?: boolean; title: string; onChange: (on?: true) => void }) {
  return (
    <Button
      small
      kind={on ? "primary" : "quiet"}
      aria-pressed={on ?? false}
      onClick={() => onChange(on ? undefined : true)}
    >
      {title}
    </Button>
  );
}
