/** The loss around a checkpoint: a map of two directions, and a cut through it that a slider moves. */
import { useState } from "react";
import type { Inspection } from "@/api/types";
import { ContourPlot } from "@/charts/sweeps/ContourPlot";
import { formatNumber } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { Slider } from "@/ui/Slider";
import { CutCurve } from "./CutCurve";
import { Figures } from "./Figures";
import { lowestText, surfaceTable } from "./figures";

type Surface = NonNullable<Inspection["loss_surface"]>;

export function LossSurfaceView({ surface }: { surface: Surface }) {
  const isDark = useStore(theme) === "dark";
  const { steps, values, centre } = surface;
  const [row, setRow] = useState(Math.floor(steps.length / 2));
  const [low, high] = [steps[0] ?? -1, steps.at(-1) ?? 1];
  const axis = (title: string) => ({ name: title, title, is_log: false, low, high });
  const distance = formatNumber(steps[row]);
  return (
    <Figures title="Loss surface" table={surfaceTable(surface)}>
      <p className="text-sm text-ink-2">{lowestText(surface)}</p>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <ContourPlot
          x={axis("First direction")}
          y={axis("Second direction")}
          xs={steps}
          ys={steps}
          values={values}
          points={centre == null ? [] : [{ variant: 0, label: "The checkpoint", x: 0, y: 0, value: centre }]}
          measure="Loss"
          description={`Map of the loss. ${lowestText(surface)}`}
          isDark={isDark}
        />
        <div className="flex min-w-0 flex-col gap-2">
          <p className="text-xs text-ink-2">{`Cut at ${distance} along the second direction`}</p>
          <CutCurve
            xs={steps}
            ys={values[row] ?? []}
            low={surface.minimum ?? 0}
            high={surface.maximum ?? 1}
            label={`Loss along the first direction, at ${distance} along the second`}
          />
          <Slider
            label="Where the map is cut, along the second direction"
            value={row}
            min={0}
            max={Math.max(0, steps.length - 1)}
            step={1}
            valueText={distance}
            onChange={setRow}
          />
        </div>
      </div>
    </Figures>
  );
}
