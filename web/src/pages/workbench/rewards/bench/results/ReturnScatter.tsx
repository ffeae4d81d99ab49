/**
 * Every episode by its return under the environment's reward and under the user's. A click opens one; the arrow keys
 * walk through all of them in the order of the environment's return, and Enter opens the marked one.
 */
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from "react";
import type { BenchEpisode } from "@/api/types";
import { extentOf } from "@/charts/sweeps/axes";
import { useWidth } from "@/charts/sweeps/use-width";
import { OUTCOME_WORDS, OUTCOMES, type Outcome, type Scored } from "@/entities/bench/ranking";
import { formatNumber } from "@/lib/format";
import { cx } from "@/ui/cx";
import { ScatterMarks } from "./ScatterMarks";
import { COLOURS, HEIGHT, nearestTo, type Place, placeAfter, SHAPES, xOf, yOf } from "./scatter";

export interface ReturnScatterProps {
  name: string;
  scored: readonly Scored[];
  watched: BenchEpisode | null;
  onWatch: (episode: BenchEpisode) => void;
}

const NEAR_PX = 14;

export function ReturnScatter({ name, scored, watched, onWatch }: ReturnScatterProps) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder, 320);
  // By the episode: its scores change with the weights.
  const [pointed, setPointed] = useState<BenchEpisode | null>(null);
  const [xs, ys] = useMemo(
    () => [extentOf(scored.map(({ env }) => env)), extentOf(scored.map(({ own }) => own))],
    [scored],
  );
  const inOrder = useMemo(() => scored.toSorted((a, b) => a.env - b.env), [scored]);
  const place: Place = ({ env, own }) => [xOf(xs, width)(env), yOf(ys)(own)];
  const find = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const point = [event.clientX - box.left, event.clientY - box.top] as const;
    return nearestTo(scored, place, point, NEAR_PX)?.episode ?? null;
  };
  const at = inOrder.findIndex(({ episode }) => episode === (pointed ?? watched));
  const marked = inOrder[at] ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, at, inOrder.length);
    if (next !== null) setPointed(inOrder[next]!.episode);
    else if ((event.key === "Enter" || event.key === " ") && marked) onWatch(marked.episode);
    else return;
    event.preventDefault();
  };
  return (
    <figure className="min-w-0">
      <div
        ref={holder}
        role="slider"
        tabIndex={0}
        aria-label={`Returns of ${scored.length} episodes: the environment’s to the right, those of ${name} upwards. Arrow keys choose an episode, Enter opens it.`}
        aria-valuemin={1}
        aria-valuemax={inOrder.length}
        aria-valuenow={Math.max(1, at + 1)}
        aria-valuetext={marked ? textOf(marked) : "no episode"}
        className={cx("rounded-sm", pointed && "cursor-pointer")}
        onPointerMove={(event) => event.pointerType !== "touch" && setPointed(find(event))}
        onPointerLeave={() => setPointed(null)}
        onBlur={() => setPointed(null)}
        onClick={(event) => {
          const found = find(event);
          if (found) onWatch(found);
        }}
        onKeyDown={onKeyDown}
      >
        <svg aria-hidden="true" width={width} height={HEIGHT} className="block">
          <ScatterMarks scored={scored} xs={xs} ys={ys} width={width} />
          {marked && (
            <circle
              cx={place(marked)[0]}
              cy={place(marked)[1]}
              r={7}
              className="fill-none stroke-ink"
              strokeWidth={2}
            />
          )}
        </svg>
      </div>
      <figcaption className="flex min-h-9 flex-wrap gap-x-4 pt-1 text-2xs text-ink-2">
        {pointed && marked ? (
          <span className="figures">{`${textOf(marked)}; click or Enter to watch`}</span>
        ) : (
          <Legend scored={scored} />
        )}
      </figcaption>
    </figure>
  );
}

const textOf = ({ episode, env, own }: Scored): string =>
  `episode ${episode.episode} of ${episode.run_id}: ${formatNumber(env, 4)} and ${formatNumber(own, 4)}, ${OUTCOME_WORDS[episode.outcome]}`;

function Legend({ scored }: { scored: readonly Scored[] }) {
  const present = OUTCOMES.filter((outcome) => scored.some(({ episode }) => episode.outcome === outcome));
  return present.map((outcome) => (
    <span key={outcome} className="inline-flex items-center gap-1.5">
      <Mark outcome={outcome} />
      {OUTCOME_WORDS[outcome]}
    </span>
  ));
}

const Mark = ({ outcome }: { outcome: Outcome }) => (
  <svg aria-hidden="true" width={10} height={10} viewBox="-5 -5 10 10">
    <path d={SHAPES[outcome]} fill={COLOURS[outcome]} />
  </svg>
);
