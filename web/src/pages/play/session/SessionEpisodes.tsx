/** The episodes of a play with their returns; each opens its replay. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Run } from "@/api/types";
import { episodesQuery } from "@/entities/episodes/queries";
import { scoresQuery } from "@/entities/plays/queries";
import { playResultOf } from "@/entities/results/results";
import { isOver } from "@/entities/runs/status";
import { formatCount, formatNumber, formatPlural } from "@/lib/format";
import { openNewDataset } from "@/panels/new-dataset/dialog";
import { DuelPolicy } from "@/panels/play-summary/DuelPolicy";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { bestEpisode } from "./best-episode";

/** The newest first. */
const NEWEST = { sort: "-episode" } as const;

export function SessionEpisodes({ run }: { run: Run }) {
  const query = useInfiniteQuery(episodesQuery(run.id, NEWEST));
  const { refetch } = query;
  const { episodes } = run.progress;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one more has ended
  useEffect(() => void refetch(), [episodes, run.status, refetch]);
  const rows = query.data?.pages[0]?.items ?? [];
  // The panel of high scores fetches them again after each episode.
  const found = useQuery(scoresQuery(run.env_id ?? "")).data;
  const best = bestEpisode(rows, { runId: run.id, found, result: playResultOf(run.summary.result) });
  const finished = rows.filter((row) => row.terminated || row.truncated).length;
  return (
    <Panel
      title="Episodes"
      flush
      aside={
        <span className="figures text-xs text-ink-3">{formatCount(query.data?.pages[0]?.total ?? 0)}</span>
      }
      actions={
        finished > 0 && (
          <Button
            small
            kind="quiet"
            onClick={() => openNewDataset({ way: "episodes", choose: { runs: [run.id], kinds: ["play"] } })}
          >
            Make dataset
          </Button>
        )
      }
      footer={finished > 0 && !isOver(run) && <DuelPolicy run={run} finished={finished} />}
    >
      {rows.length === 0 ? (
        <p className="p-4 text-sm text-ink-2">Each episode is kept, and listed here when it ends.</p>
      ) : (
        <ul className="ring-inside max-h-72 overflow-y-auto" tabIndex={0} aria-label="Episodes of this play">
          {rows.map((row) => (
            <li key={row.episode} className="border-b last:border-0">
              <Link
                to="/runs/$runId"
                params={{ runId: run.id }}
                search={{ tab: "episodes", episode: row.episode }}
                className="ring-inside flex items-center gap-3 px-4 py-1.5 text-sm hover:bg-sunken"
              >
                <span>{`Episode ${formatCount(row.episode)}`}</span>
                {row.episode === best && rows.length > 1 && <Badge tone="good">best</Badge>}
                <span className="figures ml-auto text-xs">{formatNumber(row.reward, 4)}</span>
                <span className="figures w-20 text-right text-2xs text-ink-3">
                  {row.length === null ? "" : formatPlural(row.length, "step")}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
