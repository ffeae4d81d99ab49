/** Every tensor of the networks as a histogram. */
import type { Inspection } from "@/api/types";
import { formatNumber, formatPercent } from "@/lib/format";
import { Figures } from "./Figures";
import { shapeText, weightsTable } from "./figures";
import { LAYERS, LayerCard } from "./LayerCard";

export function WeightsView({ weights }: Pick<Inspection, "weights">) {
  return (
    <Figures title="Weights" table={weightsTable({ weights })}>
      <ul aria-label="Weights by tensor" className={LAYERS}>
        {weights.map((layer) => (
          <LayerCard
            key={layer.name}
            layer={layer}
            aside={shapeText(layer.shape)}
            facts={[
              `norm ${formatNumber(layer.norm)}`,
              layer.zeros > 0 ? `${formatPercent(layer.zeros, 1)} zeros` : null,
            ]}
          />
        ))}
      </ul>
    </Figures>
  );
}
