/** Episodes that one reward ranks high and the other one low; each can be watched. */
import { useState } from "react";
import type { BenchEpisode } from "@/api/types";
import { type Flip, OUTCOME_WORDS } from "@/entities/bench/ranking";
import { formatCount, formatNumber, formatPlural } from "@/lib/format";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Select } from "@/ui/Select";

export interface Comparison {
  first: string;
  second: string;
  episodes: number;
  correlation: number | null;
  flips: readonly Flip[];
}

export interface FlipsProps {
  comparisons: readonly Comparison[];
  watched: BenchEpisode | null;
  onWatch: (episode: BenchEpisode) => void;
}

const FEW = 8;

export function Flips({ comparisons, watched, onWatch }: FlipsProps) {
  const [chosen, setChosen] = useState(0);
  const [isWhole, setWhole] = useState(false);
  const shown = comparisons[chosen] ?? comparisons[0];
  if (!shown) return null;
  const rows = isWhole ? shown.flips : shown.flips.slice(0, FEW);
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="text-sm font-semibold">Episodes whose rank differs most</h3>
        {comparisons.length > 1 && (
          <div className="w-72 max-sm:w-full">
            <Select
              label="Which rankings"
              value={String(chosen)}
              options={comparisons.map((one, i) => ({
                value: String(i),
                title: `${one.first} and ${one.second}`,
              }))}
              onChange={(next) => setChosen(Number(next))}
            />
          </div>
        )}
        {comparisons.length > 1 && (
          <span className="figures text-xs text-ink-2">{`rank correlation ${formatNumber(shown.correlation)}`}</span>
        )}
      </div>
      {shown.flips.length === 0 ? (
        <p className="text-sm text-ink-2">{`Both rank all ${formatPlural(shown.episodes, "episode")} the same.`}</p>
      ) : (
        <>
          <Table comparison={shown} rows={rows} watched={watched} onWatch={onWatch} />
          {shown.flips.length > FEW && (
            <Button small kind="quiet" className="self-start" onClick={() => setWhole(!isWhole)}>
              {isWhole ? "Show fewer" : `Show all ${shown.flips.length}`}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

interface TableProps extends Pick<FlipsProps, "watched" | "onWatch"> {
  comparison: Comparison;
  rows: readonly Flip[];
}

function Table({ comparison: { first, second, episodes }, rows, watched, onWatch }: TableProps) {
  return (
    <section
      aria-label="Episodes whose rank differs most"
      tabIndex={0}
      className="overflow-x-auto rounded-sm border"
    >
      <table className="w-full text-sm">
        <thead>
          <tr className="label border-b text-left text-ink-3">
            <th scope="col" className="px-3 py-2">
              Episode
            </th>
            <th scope="col" className="px-3 py-2 text-right">{`Rank: ${first}`}</th>
            <th scope="col" className="px-3 py-2 text-right">{`Rank: ${second}`}</th>
            <th scope="col" className="px-3 py-2 text-right">{`Return: ${first}`}</th>
            <th scope="col" className="px-3 py-2 text-right">{`Return: ${second}`}</th>
            <th scope="col" className="px-3 py-2">
              Ended
            </th>
            <th scope="col" className="px-3 py-2">
              <span className="sr-only">Watch</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((flip) => (
            <tr
              key={`${flip.episode.run_id} ${flip.episode.episode}`}
              className={cx("border-b last:border-0", flip.episode === watched && "bg-select")}
            >
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {formatCount(flip.episode.episode)}
                <span className="figures ml-2 text-2xs text-ink-3">{flip.episode.run_id}</span>
              </th>
              <Figure text={rankText(flip.firstRank, episodes)} />
              <Figure text={rankText(flip.secondRank, episodes)} isStrong />
              <Figure text={formatNumber(flip.first, 4)} />
              <Figure text={formatNumber(flip.second, 4)} />
              <td className="px-3 py-1.5 text-xs whitespace-nowrap text-ink-2">
                {OUTCOME_WORDS[flip.episode.outcome]}
              </td>
              <td className="px-3 py-1 text-right">
                <Button
                  small
                  icon="eye"
                  aria-label={`Watch episode ${flip.episode.episode} of ${flip.episode.run_id}`}
                  onClick={() => onWatch(flip.episode)}
                >
                  Watch
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const rankText = (rank: number, episodes: number): string => `${formatNumber(rank, 4)} of ${episodes}`;

function Figure({ text, isStrong }: { text: string; isStrong?: boolean }) {
  return (
    <td
      className={cx("figures px-3 py-1.5 text-right text-xs whitespace-nowrap", isStrong && "font-semibold")}
    >
      {text}
    </td>
  );
}
