/** The checkpoints of a run, newest first; each can be tested on the stage. */
import { useQuery } from "@tanstack/react-query";
import type { Artifact, Run } from "@/api/types";
import { addressOf, artifactsQuery } from "@/entities/artifacts/queries";
import { testOf, whyNotTest } from "@/entities/evaluations/test-run";
import { formatBytes, formatClock, formatCount } from "@/lib/format";
import { useTest } from "@/pages/lab/TestButton";
import type { Shown } from "@/pages/lab/use-shown";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

export default function Checkpoints({ run, shown }: { run: Run; shown: Shown }) {
  const files = useQuery(artifactsQuery(run.id));
  const test = useTest(shown);
  if (files.isPending) return <Loading lines={4} />;
  if (files.isError) return <ErrorState error={files.error} onRetry={() => void files.refetch()} />;
  const found = newestFirst(files.data);
  if (found.length === 0)
    return (
      <EmptyState title="No checkpoint yet">The run saves one as it learns, and one at its end.</EmptyState>
    );
  return (
    <ul className="flex flex-col divide-y">
      {found.map((checkpoint) => (
        <li key={checkpoint.id} className="flex items-center gap-2 px-4 py-2">
          <div className="min-w-0 flex-1">
            <p className="figures flex items-center gap-2 text-sm">
              {`Step ${formatCount(checkpoint.timestep)}`}
              {checkpoint.role && (
                <Badge tone={checkpoint.role === "best" ? "good" : "plain"}>{checkpoint.role}</Badge>
              )}
            </p>
            <a href={addressOf(checkpoint)} download className="figures text-xs text-ink-3 hover:underline">
              {`${formatClock(checkpoint.created_at)} · ${formatBytes(checkpoint.size)}`}
            </a>
          </div>
          <Button
            small
            icon="check"
            aria-label={`Test the checkpoint of step ${formatCount(checkpoint.timestep)}`}
            reason={whyNotTest(run, false)}
            disabled={test.isPending}
            onClick={() => test.mutate(testOf(5, false, checkpoint.id))}
          >
            Test
          </Button>
        </li>
      ))}
    </ul>
  );
}

export const newestFirst = (files: readonly Artifact[]): Artifact[] =>
  files
    .filter(({ kind }) => kind === "checkpoint")
    .sort((a, b) => (b.timestep ?? 0) - (a.timestep ?? 0) || a.title.localeCompare(b.title));
