/** How far the weights of two checkpoints are apart, tensor by tensor. */
import type { CheckpointDifference } from "@/api/types";
import { formatNumber, formatPercent } from "@/lib/format";
import { shapeText } from "@/panels/inspection/figures";
import { Panel } from "@/ui/Panel";
import { byChange, weightsText } from "./difference";

const HEAD = "label px-4 py-2 text-ink-3";
const CELL = "figures px-4 py-1.5 text-xs whitespace-nowrap";

export function WeightsDifference({ difference }: { difference: CheckpointDifference }) {
  const { tensors, shapes, weights_problem: problem } = difference;
  return (
    <Panel title="Weights" flush>
      <p className="p-4 text-sm text-ink-2">{problem ?? weightsText(difference)}</p>
      {tensors.length > 0 && !difference.has_same_weights && <Tensors tensors={tensors} />}
      {shapes.length > 0 && (
        <ul aria-label="Tensors that cannot be compared" className="border-t px-4 py-3 text-xs text-ink-2">
          {shapes.map(({ name, first, second }) => (
            <li key={name} className="figures">
              {`${name}: ${first ? shapeText(first) : "not in the first"} / ${second ? shapeText(second) : "not in the second"}`}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Tensors({ tensors }: Pick<CheckpointDifference, "tensors">) {
  const most = Math.max(...tensors.map(({ relative }) => relative ?? 0)) || 1;
  return (
    <section
      aria-label="Difference by tensor"
      tabIndex={0}
      className="ring-inside max-h-112 overflow-auto border-t"
    >
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-surface">
          <tr className="border-b">
            <th scope="col" className={`${HEAD} text-left`}>
              Tensor
            </th>
            <th scope="col" className={`${HEAD} text-left`}>
              Shape
            </th>
            <th
              scope="col"
              className={`${HEAD} text-left`}
              title="Norm of the difference, divided by the norm of the first"
            >
              Change
            </th>
            <th scope="col" className={`${HEAD} text-right`} title="The largest change of a single weight">
              Largest
            </th>
            <th scope="col" className={`${HEAD} text-right`} title="1: both point the same way">
              Cosine
            </th>
          </tr>
        </thead>
        <tbody>
          {byChange(tensors).map((tensor) => (
            <tr key={tensor.name} className="border-b last:border-0">
              <th scope="row" className={`${CELL} text-left font-normal`}>
                {tensor.name}
              </th>
              <td className={CELL}>{shapeText(tensor.shape)}</td>
              <td className={CELL}>
                <span className="flex items-center gap-2">
                  <span className="w-14">{formatPercent(tensor.relative, 1)}</span>
                  <span aria-hidden="true" className="block h-2 w-24 rounded-full bg-sunken">
                    <span
                      className="block h-full rounded-full bg-ink-3"
                      style={{ width: `${((tensor.relative ?? 0) / most) * 100}%` }}
                    />
                  </span>
                </span>
              </td>
              <td className={`${CELL} text-right`}>{formatNumber(tensor.maximum)}</td>
              <td className={`${CELL} text-right`}>{formatNumber(tensor.cosine, 4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
