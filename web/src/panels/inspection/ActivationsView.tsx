/** The outputs of every layer as a histogram, with the units that do nothing. */
import type { Inspection } from "@/api/types";
import { formatPercent, formatPlural } from "@/lib/format";
import { Figures } from "./Figures";
import { activationsTable } from "./figures";
import { LAYERS, LayerCard } from "./LayerCard";

export function ActivationsView({ activations }: Pick<Inspection, "activations">) {
  return (
    <Figures title="Activations" table={activationsTable({ activations })}>
      <ul aria-label="Activations by layer" className={LAYERS}>
        {activations.map((layer) => (
          <LayerCard
            key={layer.name}
            layer={layer}
            aside={`${layer.activation ?? "linear"} · ${formatPlural(layer.units, "unit")}`}
            facts={[
              `${formatPercent(layer.dead, 1)} dead`,
              layer.saturated == null ? null : `${formatPercent(layer.saturated, 1)} saturated`,
            ]}
          />
        ))}
      </ul>
    </Figures>
  );
}
