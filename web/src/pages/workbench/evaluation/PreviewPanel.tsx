/** The numbers of the code in the editor on episodes that are recorded already. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { EvaluationPreview } from "@/api/types";
import { evaluationPreviewQuery } from "@/entities/protocols/queries";
import { runsQuery } from "@/entities/runs/queries";
import { formatNumber, formatPlural } from "@/lib/format";
import { Numbers } from "@/panels/evaluation/NumbersTable";
import { ListProblem } from "@/panels/saved-code/ListProblem";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { ErrorState, Loading } from "@/ui/states";

const MOST_RUNS = 50;

export interface PreviewPanelProps {
  source: string;
  envId: string;
  /** The run that is chosen first. */
  runId: string | null;
  onLine: (line: number) => void;
}

export function PreviewPanel({ source, envId, runId, onLine }: PreviewPanelProps) {
  const [chosen, setChosen] = useState(runId ?? "");
  const [asked, setAsked] = useState<{ source: string; run_id: string } | null>(null);
  const { options, lists } = useRuns(envId);
  const preview = useQuery({
    ...evaluationPreviewQuery({ limit: 20, choice: null, source: "", run_id: "", ...asked }),
    enabled: asked !== null,
  });
  const tryIt = () => {
    // The same text on the same run is asked again: it may have failed, or the run has new episodes.
    if (asked?.source === source && asked.run_id === chosen) void preview.refetch();
    else setAsked({ source, run_id: chosen });
  };
  return (
    <Panel
      title="Try it on recorded episodes"
      actions={
        <div className="flex flex-wrap gap-2 py-1">
          <div className="w-72 max-w-full">
            <Select
              label="Episodes of"
              value={chosen}
              options={[{ value: "", title: "Choose a run" }, ...options]}
              onChange={setChosen}
            />
            <ListProblem what="evaluations" query={lists[0]} />
            <ListProblem what="trainings" query={lists[1]} />
            <ListProblem what="plays" query={lists[2]} />
          </div>
          <Button
            icon="play"
            reason={chosen ? null : "Choose a run first."}
            disabled={preview.isFetching}
            onClick={tryIt}
          >
            Try
          </Button>
        </div>
      }
    >
      {asked === null && (
        <p className="text-sm text-ink-2">
          The newest recorded episodes of an evaluation, a training or a play are simulated again, and your
          code looks at each.
        </p>
      )}
      {preview.isFetching && <Loading lines={4} />}
      {!preview.isFetching && preview.isError && (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {!preview.isFetching && preview.data && <Result preview={preview.data} onLine={onLine} />}
    </Panel>
  );
}

/** The newest evaluations, trainings and plays. */
function useRuns(envId: string) {
  const wanted = envId ? { env_id: envId } : {};
  const lists = [
    useInfiniteQuery(runsQuery({ ...wanted, kind: "evaluate" })),
    useInfiniteQuery(runsQuery({ ...wanted, kind: "train" })),
    useInfiniteQuery(runsQuery({ ...wanted, kind: "play" })),
  ] as const;
  const newest = lists.flatMap(({ data }) => data?.pages[0]?.items.slice(0, MOST_RUNS) ?? []);
  return { lists, options: newest.map(({ id, name }) => ({ value: id, title: name })) };
}

const HEAD = "label py-1.5 pr-4 text-left text-ink-3";
const CELL = "figures py-1.5 pr-4 text-xs whitespace-nowrap";

function Result({ preview, onLine }: { preview: EvaluationPreview; onLine: (line: number) => void }) {
  const { episodes, numbers, problem, notes } = preview;
  const names = Object.keys(numbers);
  const line = problem?.line;
  return (
    <div className="flex flex-col gap-4">
      {problem && (
        <p role="alert" className="text-sm text-warn">
          {problem.message}{" "}
          {line != null && (
            <Button small kind="quiet" onClick={() => onLine(line)}>
              {`Line ${line}`}
            </Button>
          )}
        </p>
      )}
      {names.length > 0 && (
        <Numbers numbers={numbers} caption={`Over ${formatPlural(episodes.length, "episode")}`} />
      )}
      <section aria-label="Numbers of each episode" tabIndex={0} className="max-h-96 overflow-auto">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b">
              {["Episode", "Seed", "Return", "Length", ...names].map((head) => (
                <th key={head} scope="col" className={HEAD}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {episodes.map((one) => (
              <tr key={one.episode} className="border-b last:border-0">
                <td className={CELL}>{one.episode}</td>
                <td className={CELL}>{one.seed ?? "–"}</td>
                <td className={CELL}>{formatNumber(one.returned, 4)}</td>
                <td className={CELL}>{one.length}</td>
                {names.map((name) => (
                  <td key={name} className={CELL}>
                    {formatNumber(one.numbers[name], 4)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {notes.map((note) => (
        <p key={note} className="text-xs text-ink-2">
          {note}
        </p>
      ))}
    </div>
  );
}
