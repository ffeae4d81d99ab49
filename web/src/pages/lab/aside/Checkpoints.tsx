/** The checkpoints of a run, newest first; each can be tested on the stage. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import {
  bestBy,
  type CheckpointMark,
  marksOf,
  returnText,
  shortReturn,
} from "@/entities/artifacts/checkpoints";
import { addressOf, artifactsQuery } from "@/entities/artifacts/queries";
import { subjectOfFile } from "@/entities/checkpoints/subject";
import { TEST, whyNotTest } from "@/entities/evaluations/test-run";
import { formatBytes, formatClock, formatCount } from "@/lib/format";
import { useTest } from "@/pages/lab/TestButton";
import type { Shown } from "@/pages/lab/use-shown";
import { CheckpointDialogs } from "@/panels/checkpoint-menu/CheckpointDialogs";
import { CheckpointMenu } from "@/panels/checkpoint-menu/CheckpointMenu";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

export default function Checkpoints({ run, shown }: { run: Run; shown: Shown }) {
  const files = useQuery(artifactsQuery(run.id));
  const test = useTest(shown);
  if (files.isPending) return <Loading lines={4} />;
  if (files.isError) return <ErrorState error={files.error} onRetry={() => void files.refetch()} />;
  const found = marksOf(files.data).reverse();
  if (found.length === 0)
    return (
      <EmptyState title="No checkpoint yet">The run saves one as it learns, and one at its end.</EmptyState>
    );
  return (
    <>
      <CheckpointDialogs />
      <ul className="flex flex-col divide-y">
        {found.map((mark) => (
          <CheckpointRow
            key={mark.file.id}
            run={run}
            mark={mark}
            isBusy={test.isPending}
            onTest={() => test.mutate({ ...TEST, checkpoint: mark.file.id })}
            onTested={(made) => shown.showEvaluation(run.id, made.id)}
          />
        ))}
      </ul>
    </>
  );
}

interface CheckpointRowProps {
  run: Run;
  mark: CheckpointMark;
  isBusy: boolean;
  onTest: () => void;
  onTested: (evaluation: Run) => void;
}

function CheckpointRow({ run, mark, isBusy, onTest, onTested }: CheckpointRowProps) {
  const { file, isBest, isNewest } = mark;
  const step = formatCount(file.timestep);
  return (
    <li className="flex items-center gap-2 px-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="figures flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          {`Step ${step}`}
          {isBest && (
            <Badge tone="good" title={bestBy(run)}>
              best
            </Badge>
          )}
          {isNewest && <Badge>newest</Badge>}
          {file.pinned && <Badge title="Never removed automatically">pinned</Badge>}
          {(file.tags ?? []).map((tag) => (
            <Badge key={tag} tone="strong">
              {tag}
            </Badge>
          ))}
        </p>
        <p className="figures text-xs text-ink-2" title={returnText(file) ?? undefined}>
          {shortReturn(file)}
        </p>
        {file.note && <p className="text-xs text-pretty text-ink-2">{file.note}</p>}
        <a href={addressOf(file)} download className="figures text-xs text-ink-3 hover:underline">
          {`${formatClock(file.created_at)} · ${formatBytes(file.size)}`}
        </a>
      </div>
      <Button
        small
        icon="check"
        aria-label={`Test the checkpoint of step ${step}`}
        reason={whyNotTest(run, false)}
        disabled={isBusy}
        onClick={onTest}
      >
        Test
      </Button>
      <CheckpointMenu
        subject={subjectOfFile(run, file)}
        onTested={onTested}
        trigger={<IconButton icon="more" label={`Actions for the checkpoint of step ${step}`} />}
      />
    </li>
  );
}
