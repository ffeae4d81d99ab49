/** The episode so far: the reward of each step, the value where there is one, and who acted. */
import { useEffect, useRef } from "react";
import { drawWho } from "@/entities/plays/who";
import { formatCount, formatPercent } from "@/lib/format";
import { useStore } from "@/lib/store";
import { theme } from "@/lib/theme";
import { drawStrip } from "@/panels/replay/strip";
import { shareOfPerson, type Trace } from "./trace";

const HEIGHT = 56;
/** A short episode does not fill the width, so that single steps stay thin. */
const FEW_STEPS = 120;

export function PlayTimeline({ trace }: { trace: Trace }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const themeNow = useStore(theme);
  const steps = trace.rewards.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens read here
  useEffect(() => {
    const element = canvas.current!;
    const pen = element.getContext("2d");
    if (!pen) return;
    const width = Math.max(1, Math.round(element.clientWidth * Math.min(1, steps / FEW_STEPS)));
    element.width = Math.max(1, element.clientWidth);
    element.height = HEIGHT;
    if (steps === 0) return;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name);
    const size = { width, height: HEIGHT };
    drawStrip(pen, size, trace.rewards, trace.values, {
      bar: colour("--line-strong"),
      negative: colour("--warn"),
      line: colour("--focus"),
    });
    drawWho(pen, size, trace.who, { person: colour("--live"), agent: colour("--ink") });
  }, [trace, themeNow, steps]);
  const person = shareOfPerson(trace);
  return (
    <div className="border-t">
      <div
        role="img"
        aria-label={`The episode so far: ${formatCount(steps)} steps${person === null ? "" : `, ${formatPercent(person)} of them by a person`}`}
        className="bg-sunken"
        style={{ height: HEIGHT }}
      >
        <canvas ref={canvas} className="size-full" />
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 border-t px-4 py-1.5 text-2xs text-ink-2">
        <Entry mark="h-2.5 w-1.5 bg-line-strong">reward of each step</Entry>
        <Entry mark="h-1.5 w-4 bg-live">person</Entry>
        <Entry mark="h-1.5 w-4 bg-ink">agent</Entry>
        {person !== null && person > 0 && person < 1 && (
          <li className="figures ml-auto">{`${formatPercent(person)} by a person`}</li>
        )}
      </ul>
    </div>
  );
}

const Entry = ({ mark, children }: { mark: string; children: string }) => (
  <li className="inline-flex items-center gap-1.5">
    <span aria-hidden="true" className={mark} />
    {children}
  </li>
);
