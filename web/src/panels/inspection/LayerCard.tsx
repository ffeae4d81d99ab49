/** One layer: its name, a histogram of its values, and a few figures. */
import type { Inspection } from "@/api/types";
import { formatCount, formatNumber } from "@/lib/format";
import { Histogram } from "./Histogram";

type Layer = Inspection["weights"][number] | Inspection["activations"][number];

export interface LayerCardProps {
  layer: Layer;
  aside: string;
  /** Figures of its own, after those that all layers have. */
  facts: readonly (string | null)[];
}

export function LayerCard({ layer, aside, facts }: LayerCardProps) {
  const shown = [`mean ${formatNumber(layer.mean)}`, `std ${formatNumber(layer.std)}`, ...facts].filter(
    Boolean,
  );
  return (
    <li className="flex min-w-0 flex-col gap-2 rounded-sm border p-3">
      <p className="flex items-baseline justify-between gap-2 text-xs">
        <span className="figures min-w-0 truncate font-medium" title={layer.name}>
          {layer.name}
        </span>
        <span className="figures shrink-0 text-2xs text-ink-3">{aside}</span>
      </p>
      {layer.histogram ? (
        <Histogram title={layer.name} {...layer.histogram} />
      ) : (
        <p className="text-xs text-warn">No value is a finite number.</p>
      )}
      <p className="figures text-2xs text-ink-2">{shown.join(" · ")}</p>
      {layer.not_finite > 0 && (
        <p className="text-xs text-warn">{`${formatCount(layer.not_finite)} values are NaN or infinite.`}</p>
      )}
    </li>
  );
}

export const LAYERS = "grid gap-3 sm:grid-cols-2 xl:grid-cols-3";
