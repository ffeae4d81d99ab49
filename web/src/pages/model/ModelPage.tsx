/** One checkpoint: what it is, what trained it, what it comes from, and a look inside. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ProblemError } from "@/api/problem";
import type { CheckpointDetail } from "@/api/types";
import { checkpointQuery } from "@/entities/checkpoints/queries";
import { usePatchCheckpoint } from "@/entities/checkpoints/use-checkpoint-actions";
import { shortHash } from "@/entities/checkpoints/words";
import { chunk } from "@/lib/chunks";
import { CheckpointDialogs } from "@/panels/checkpoint-menu/CheckpointDialogs";
import { ConfigDiff } from "@/panels/config-diff/ConfigDiff";
import { LineagePanel } from "@/panels/lineage/LineagePanel";
import { NotePanel } from "@/panels/notes/NotePanel";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { Panel } from "@/ui/Panel";
import { Arriving, ErrorState, Loading } from "@/ui/states";
import { configOf, factsOf } from "./facts";
import { ModelHeader } from "./ModelHeader";

const route = getRouteApi("/models/$checkpointId");
const InspectionPanel = lazy(chunk(() => import("@/panels/inspection/InspectionPanel")));

export function ModelPage() {
  const { checkpointId } = route.useParams();
  const navigate = route.useNavigate();
  const checkpoint = useQuery(checkpointQuery(checkpointId));
  if (checkpoint.isPending)
    return (
      <div className="p-6">
        <Loading lines={6} />
      </div>
    );
  if (checkpoint.isError)
    return (
      <>
        <h1 className="sr-only">This checkpoint cannot be shown</h1>
        <NotShown error={checkpoint.error} onRetry={() => void checkpoint.refetch()} />
      </>
    );
  return (
    <div className="container-page flex flex-col gap-4 py-4">
      <CheckpointDialogs onDeleted={() => void navigate({ to: "/models" })} />
      <ModelHeader item={checkpoint.data} />
      <Parts key={checkpointId} item={checkpoint.data} />
    </div>
  );
}

function NotShown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isMissing = error instanceof ProblemError && [404, 410].includes(error.status);
  if (!isMissing) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <ErrorState
      title="No such checkpoint"
      error={error}
      action={
        <Link to="/models" className="mt-2 text-sm font-semibold underline underline-offset-4">
          All models
        </Link>
      }
    />
  );
}

function Parts({ item }: { item: CheckpointDetail }) {
  const patch = usePatchCheckpoint(item);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <LineagePanel runId={item.run_id} />
        <Suspense fallback={<Arriving />}>
          <InspectionPanel checkpointId={item.id} />
        </Suspense>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Facts item={item} />
        <Panel title="Configuration" flush>
          <ConfigDiff
            label="Settings"
            columns={[{ id: "value", title: "Value", config: configOf(item) }]}
            showsAll
          />
        </Panel>
        <NotePanel
          about="this checkpoint"
          note={item.note}
          onSave={(note) => patch.mutate({ patch: { note }, done: "Note saved." })}
        />
      </div>
    </div>
  );
}

function Facts({ item }: { item: CheckpointDetail }) {
  return (
    <Panel
      title="Facts"
      flush
      actions={
        item.sha256 && (
          <Button small kind="quiet" icon="copy" onClick={() => void copyText(item.sha256, "Hash copied.")}>
            <span className="sr-only">Copy the hash </span>
            {shortHash(item.sha256)}
          </Button>
        )
      }
    >
      <dl className="text-sm">
        {factsOf(item).map(({ title, value }) => (
          <div key={title} className="flex justify-between gap-4 border-b px-4 py-1.5 last:border-0">
            <dt className="text-ink-2">{title}</dt>
            <dd className="figures min-w-0 max-w-[70%] text-right text-xs leading-5 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
