/** How large the gradient is in each tensor, from the first to the last, on a logarithmic scale. */
import type { Inspection } from "@/api/types";
import { formatNumber } from "@/lib/format";
import { Figures } from "./Figures";
import { gradientsTable, logShares } from "./figures";

export function GradientsView({ gradients }: Pick<Inspection, "gradients">) {
  const shares = logShares(gradients.map(({ norm }) => norm));
  return (
    <Figures title="Gradient flow" table={gradientsTable({ gradients })}>
      <ul aria-label="Gradient by tensor" className="flex flex-col gap-2.5">
        {gradients.map((layer, i) => (
          <li key={layer.name} className="flex flex-col gap-1">
            <p className="flex items-baseline justify-between gap-3 text-xs">
              <span className="figures min-w-0 truncate">{layer.name}</span>
              <span className="figures shrink-0 text-ink-2">
                {`norm ${formatNumber(layer.norm)} · ${formatNumber(layer.ratio)} × that of the weights`}
              </span>
            </p>
            <span aria-hidden="true" className="block h-2 rounded-full bg-sunken">
              <span
                className="block h-full rounded-full bg-ink-3"
                style={{ width: `${shares[i]! * 100}%` }}
              />
            </span>
          </li>
        ))}
      </ul>
      <p className="text-xs text-ink-3">
        Bars are logarithmic: the shortest is the smallest gradient that is not zero.
      </p>
    </Figures>
  );
}
