/** What a sweep shows: which parameter mattered, all of them at once, one by one, and two together. */
import { useQuery } from "@tanstack/react-query";
import { memo, useMemo } from "react";
import type { Slices, Study } from "@/api/types";
import { ContourPlot } from "@/charts/sweeps/ContourPlot";
import { ImportanceBars } from "@/charts/sweeps/ImportanceBars";
import { ParallelCoordinates, type ParallelPoint } from "@/charts/sweeps/ParallelCoordinates";
import { SlicePlot } from "@/charts/sweeps/SlicePlot";
import { importanceQuery, slicesQuery, surfaceQuery } from "@/entities/studies/statistics";
import { formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { ErrorState, Loading } from "@/ui/states";
import type { StudySearch } from "./search";

export interface SweepViewsProps {
  study: Study;
  search: StudySearch;
  onSearch: (change: StudySearch) => void;
  /** The variants that the brushes keep; null: all. */
  onKeep: (variants: number[] | null) => void;
}

export function SweepViews({ study, search, onSearch, onKeep }: SweepViewsProps) {
  const slices = useQuery(slicesQuery(study.id));
  const isDark = useStore(theme) === "dark";
  if (slices.isPending) return <Loading lines={6} />;
  if (slices.isError) return <ErrorState error={slices.error} onRetry={() => void slices.refetch()} />;
  const found = slices.data;
  if (found.slices.every((slice) => slice.points.length === 0))
    return (
      <Panel title="What the sweep shows">
        <p className="text-sm text-ink-2">{found.text}</p>
      </Panel>
    );
  return (
    <>
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel title="All parameters">
          <All slices={found} isDark={isDark} onKeep={onKeep} />
          <p className="mt-1 text-xs text-ink-3">
            One line for each variant; drag along an axis to keep a range, also in the table. {found.text}
          </p>
        </Panel>
        <ImportancePanel studyId={study.id} />
      </div>
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Panel title="One by one">
          <div className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(17rem,1fr))]">
            {found.slices.map((slice) => (
              <SlicePlot key={slice.axis.name} {...slice} measure={found.measure} isDark={isDark} />
            ))}
          </div>
        </Panel>
        {found.slices.length > 1 && (
          <Pair studyId={study.id} slices={found} isDark={isDark} search={search} onSearch={onSearch} />
        )}
      </div>
    </>
  );
}

interface AllProps {
  slices: Slices;
  isDark: boolean;
  onKeep: (variants: number[] | null) => void;
}

const All = memo(function All({ slices, isDark, onKeep }: AllProps) {
  const axes = useMemo(() => slices.slices.map((slice) => slice.axis), [slices]);
  const points = useMemo(() => pointsOf(slices), [slices]);
  return (
    <ParallelCoordinates
      axes={axes}
      points={points}
      measure={slices.measure}
      isDark={isDark}
      onKeep={onKeep}
    />
  );
});

/** Each variant once, with its place on every axis. */
export function pointsOf({ slices }: Slices): ParallelPoint[] {
  const points = new Map<number, ParallelPoint & { places: Record<string, number> }>();
  for (const { axis, points: dots } of slices)
    for (const { variant, label, value, x } of dots) {
      const known = points.get(variant) ?? { variant, label, value, places: {} };
      known.places[axis.name] = x;
      points.set(variant, known);
    }
  return [...points.values()];
}

function ImportancePanel({ studyId }: { studyId: string }) {
  const importance = useQuery(importanceQuery(studyId));
  return (
    <Panel title="What mattered">
      {importance.isPending && <Loading lines={4} />}
      {importance.isError && (
        <ErrorState error={importance.error} onRetry={() => void importance.refetch()} />
      )}
      {importance.data && (
        <div className="flex flex-col gap-3">
          <ImportanceBars parameters={importance.data.parameters} />
          <p className="text-sm text-ink-2">{importance.data.text}</p>
          <p className="text-xs text-ink-3">
            {`${importance.data.method}, ${formatPlural(importance.data.variants, "finished variant")}.`}
          </p>
        </div>
      )}
    </Panel>
  );
}

interface PairProps {
  studyId: string;
  slices: Slices;
  isDark: boolean;
  search: StudySearch;
  onSearch: (change: StudySearch) => void;
}

function Pair({ studyId, slices, isDark, search, onSearch }: PairProps) {
  const axes = slices.slices.map((slice) => slice.axis);
  const x = axes.find((axis) => axis.name === search.x) ?? axes[0]!;
  const y = axes.find((axis) => axis.name === search.y && axis !== x) ?? axes.find((axis) => axis !== x)!;
  const surface = useQuery(surfaceQuery(studyId, x.name, y.name));
  const choice = (label: string, value: string, other: string, onChange: (name: string) => void) => (
    <div className="w-36">
      <Select
        label={label}
        value={value}
        options={axes
          .filter((axis) => axis.name !== other)
          .map(({ name, title }) => ({ value: name, title }))}
        onChange={onChange}
      />
    </div>
  );
  return (
    <Panel
      title="Two together"
      actions={
        <>
          {choice("Across", x.name, y.name, (name) => onSearch({ x: name, y: y.name }))}
          {choice("Up", y.name, x.name, (name) => onSearch({ x: x.name, y: name }))}
        </>
      }
    >
      {surface.isPending && <Loading lines={6} />}
      {surface.isError && <ErrorState error={surface.error} onRetry={() => void surface.refetch()} />}
      {surface.data && (
        <div className="flex flex-col gap-1">
          <ContourPlot {...surface.data} isDark={isDark} />
          <p className="text-xs text-ink-3">{`${surface.data.text} Between the variants: ${surface.data.method}.`}</p>
        </div>
      )}
    </Panel>
  );
}
