/** The keys of an environment, before one plays. */
import { Fragment } from "react";
import { axisLabel, type Controls, labelOf, unkeyedText } from "@/entities/plays/controls";
import type { Mode } from "@/entities/plays/words";
import { KeyCaps } from "@/panels/play-controls/KeyCap";
import { mouseText } from "@/panels/play-controls/touch";

const MOST = 12;

export interface KeyLegendProps {
  controls: Controls;
  mode: Mode;
  /** The mouse steers as it moves. */
  isMouseOn: boolean;
}

export function KeyLegend({ controls, mode, isMouseOn }: KeyLegendProps) {
  if (controls.kind === "none") return null;
  const rows = [...actionRows(controls), ...axisRows(controls)];
  const unkeyed = unkeyedText(controls);
  const byMouse = controls.axes.filter((axis) => axis.mouse !== null).map(axisLabel);
  const moves = mouseText(controls);
  return (
    <div className="flex flex-col gap-2">
      <h3 className="label text-ink-3">{mode === "hybrid" ? "Hold to take over" : "Keys"}</h3>
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5">
        {rows.slice(0, MOST).map(({ chords, text }) => (
          <li key={text} className="flex items-center gap-2 text-xs">
            {chords.map((codes, i) => (
              <Fragment key={codes.join()}>
                {i > 0 && <span className="text-ink-3">or</span>}
                <KeyCaps codes={codes} />
              </Fragment>
            ))}
            {text}
          </li>
        ))}
        {rows.length > MOST && <li className="text-xs text-ink-3">{`and ${rows.length - MOST} more`}</li>}
      </ul>
      {unkeyed && <p className="text-xs text-ink-2">{unkeyed}</p>}
      {isMouseOn && moves ? (
        <p className="text-xs text-ink-2">{`Or move the mouse over the picture (${moves}).`}</p>
      ) : (
        byMouse.length > 0 && (
          <p className="text-xs text-ink-2">{`Or hold the mouse on the picture: ${byMouse.join(", ")}.`}</p>
        )
      )}
      <p className="text-xs text-ink-3">
        {controls.kind === "discrete" && controls.rest === null && mode === "human"
          ? "The environment waits for a key. "
          : ""}
        A gamepad works as soon as it is plugged in.
      </p>
    </div>
  );
}

interface LegendRow {
  /** One of these has to be held. */
  chords: string[][];
  text: string;
}

/** Several keys may do the same. */
function actionRows({ keys }: Controls): LegendRow[] {
  const rows = new Map<string, string[][]>();
  for (const entry of keys) rows.set(labelOf(entry), [...(rows.get(labelOf(entry)) ?? []), entry.keys]);
  return [...rows].map(([text, chords]) => ({ chords, text }));
}

const axisRows = ({ axes }: Controls): LegendRow[] =>
  axes
    .flatMap((axis) => [
      { chords: axis.minus.map((code) => [code]), text: `less ${axisLabel(axis)}` },
      { chords: axis.plus.map((code) => [code]), text: `more ${axisLabel(axis)}` },
    ])
    .filter(({ chords }) => chords.length > 0);
