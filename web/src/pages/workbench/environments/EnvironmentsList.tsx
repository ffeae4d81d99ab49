/** All environments of one's own: picture, spaces, versions. */
import { useQuery } from "@tanstack/react-query";
import type { Code } from "@/api/types";
import { draftKey, draftKeys, hasDraft } from "@/entities/codes/drafts";
import { codesQuery } from "@/entities/codes/queries";
import { Thumbnail } from "@/entities/environments/Thumbnail";
import { formatDate, formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { CodeNote, CodeTitle } from "@/pages/workbench/CodeTitle";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import type { OpensEnvironment } from "./opening";

export function EnvironmentsList({ onOpen }: OpensEnvironment) {
  const codes = useQuery(codesQuery("environment"));
  const drafts = useStore(draftKeys);
  const hasNew = drafts.includes(draftKey("environment", null, null));
  const create = (
    <Button kind="primary" icon="plus" onClick={() => onOpen({ name: "new" })}>
      {hasNew ? "Continue the new environment" : "New environment"}
    </Button>
  );
  if (codes.isPending) return <Loading lines={6} />;
  if (codes.isError) return <ErrorState error={codes.error} onRetry={() => void codes.refetch()} />;
  if (codes.data.length === 0)
    return (
      <EmptyState title="No environments of your own yet" action={create}>
        Write a Gymnasium environment, or begin with a working example. It is tried in a confined process;
        then you can train in it, replay it and play it yourself.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-3xl text-sm text-ink-2">
          Environments and wrappers that you wrote. Their code always runs in confined processes.
        </p>
        {create}
      </div>
      <ul aria-label="Your environments" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {codes.data.map((code) => (
          <Row key={code.name} code={code} isUnsaved={hasDraft(drafts, "environment", code.name)} />
        ))}
      </ul>
    </div>
  );
}

function Row({ code, isUnsaved }: { code: Code; isUnsaved: boolean }) {
  const environment = code.versions[0]?.check?.environment;
  return (
    <li className="relative flex gap-3 rounded-md border bg-surface p-3 hover:border-line-strong">
      <div className="size-20 shrink-0 overflow-hidden rounded-sm bg-sunken">
        {environment && <Thumbnail envId={environment.id} />}
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <CodeTitle code={code} tab="environments" isUnsaved={isUnsaved} />
        <p className="figures text-xs text-ink-2">
          {environment ? `${environment.action_space} · ${environment.obs_space}` : "wrapper or not tried"}
        </p>
        <CodeNote code={code} />
        <p className="text-xs text-ink-3">
          {`${formatPlural(code.versions.length, "version")} · ${formatDate(code.updated_at)}`}
        </p>
      </div>
    </li>
  );
}
