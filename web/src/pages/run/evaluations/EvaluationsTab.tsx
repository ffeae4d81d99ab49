/** The evaluations of a run: a list, one open with its summary and video, and the form that starts another. */
import { useQuery } from "@tanstack/react-query";
import type { Evaluation } from "@/api/types";
import { hasInterval, intervalOf } from "@/entities/evaluations/interval";
import { evaluationsQuery } from "@/entities/evaluations/queries";
import { citedProtocol } from "@/entities/protocols/words";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { formatDate, formatNumber } from "@/lib/format";
import type { TabProps } from "@/pages/run/tab";
import { cx } from "@/ui/cx";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { EvaluateButton } from "./EvaluateButton";
import { EvaluationDetail } from "./EvaluationDetail";

export default function EvaluationsTab({ run, search, onSearch }: TabProps) {
  const evaluations = useQuery(evaluationsQuery(run.id));
  if (evaluations.isPending) return <Loading lines={6} />;
  if (evaluations.isError)
    return <ErrorState error={evaluations.error} onRetry={() => void evaluations.refetch()} />;
  const list = evaluations.data;
  const shown = list.find((one) => one.run_id === search.evaluation) ?? list[0];
  const start = <EvaluateButton run={run} onStarted={(made) => onSearch({ evaluation: made.id }, true)} />;
  if (!shown)
    return (
      <Panel title="Evaluations">
        <EmptyState title="Not evaluated yet" action={start}>
          {run.kind === "play"
            ? "An evaluation measures the recorded episodes of this play, by a protocol or by your code. Nobody plays again."
            : "An evaluation plays episodes with one checkpoint, measures their returns and records a video."}
        </EmptyState>
      </Panel>
    );
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[22rem_minmax(0,1fr)]">
      <Panel title="Evaluations" flush actions={start}>
        <ul>
          {list.map((one) => (
            <li key={one.run_id}>
              <EvaluationRow
                evaluation={one}
                isSelected={one.run_id === shown.run_id}
                onSelect={() => onSearch({ evaluation: one.run_id }, true)}
              />
            </li>
          ))}
        </ul>
      </Panel>
      <EvaluationDetail evaluation={shown} />
    </div>
  );
}

function EvaluationRow({
  evaluation,
  isSelected,
  onSelect,
}: {
  evaluation: Evaluation;
  isSelected: boolean;
  onSelect: () => void;
}) {
  const { summary } = evaluation;
  const [low, high] = summary ? intervalOf(summary) : [0, 0];
  const width = summary && hasInterval(summary) ? ` ± ${formatNumber((high - low) / 2)}` : "";
  return (
    <button
      type="button"
      aria-current={isSelected || undefined}
      onClick={onSelect}
      className={cx(
        "flex w-full flex-wrap items-center justify-between gap-x-4 border-b px-4 py-2.5 text-left text-sm hover:bg-sunken",
        isSelected && "bg-select shadow-[inset_2px_0_0_var(--ink)]",
      )}
    >
      <span className="figures">{summary ? `${formatNumber(summary.return_mean, 4)}${width}` : "–"}</span>
      <StatusBadge status={evaluation.status} />
      <span className="w-full text-xs text-ink-2">
        {`${formatDate(String(evaluation.created_at))} · ${summary ? citedProtocol(summary) : `${evaluation.episodes} episodes`}`}
      </span>
    </button>
  );
}
