/** All saved rewards: their environment, versions and use. */
import { useQuery } from "@tanstack/react-query";
import type { Code } from "@/api/types";
import { draftKey, draftKeys, hasDraft } from "@/entities/codes/drafts";
import { codesQuery } from "@/entities/codes/queries";
import { usedBy } from "@/entities/codes/words";
import { formatDate, formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { CodeNote, CodeTitle } from "@/pages/workbench/CodeTitle";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

export function RewardsList({ onOpen }: { onOpen: (next: WorkbenchSearch) => void }) {
  const codes = useQuery(codesQuery("reward"));
  const drafts = useStore(draftKeys);
  const hasNew = drafts.includes(draftKey("reward", null, null));
  const create = (
    <Button kind="primary" icon="plus" onClick={() => onOpen({ name: "new" })}>
      {hasNew ? "Continue the new reward" : "New reward"}
    </Button>
  );
  if (codes.isPending) return <Loading lines={6} />;
  if (codes.isError) return <ErrorState error={codes.error} onRetry={() => void codes.refetch()} />;
  if (codes.data.length === 0)
    return (
      <EmptyState title="No rewards yet" action={create}>
        A reward is a Python function that says how good a step was. Write your own, try it on episodes that
        you already have, and train with it.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-3xl text-sm text-ink-2">
          Rewards that you wrote. Open one to change it, to try it on recorded episodes or to train with it.
        </p>
        {create}
      </div>
      <ul aria-label="Rewards" className="flex flex-col rounded-md border bg-surface">
        {codes.data.map((code) => (
          <Row key={code.name} code={code} isUnsaved={hasDraft(drafts, "reward", code.name)} />
        ))}
      </ul>
    </div>
  );
}

function Row({ code, isUnsaved }: { code: Code; isUnsaved: boolean }) {
  const uses = usedBy(code);
  return (
    <li className="relative grid gap-x-6 gap-y-0.5 border-b px-4 py-3 last:border-0 hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_11rem_9rem_8rem] sm:items-center">
      <div className="min-w-0">
        <CodeTitle code={code} tab="rewards" isUnsaved={isUnsaved} />
        <CodeNote code={code} />
      </div>
      <span className="truncate text-sm text-ink-2">{code.env_id || "any environment"}</span>
      <span className="figures text-xs text-ink-2">
        {formatPlural(code.versions.length, "version")}
        <span className="text-ink-3">{uses > 0 ? ` · ${formatPlural(uses, "run")}` : ""}</span>
      </span>
      <span className="text-xs text-ink-3 sm:text-right">{formatDate(code.updated_at)}</span>
    </li>
  );
}
