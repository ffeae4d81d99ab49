/** All saved evaluation code. */
import { useQuery } from "@tanstack/react-query";
import type { Code } from "@/api/types";
import { draftKey, draftKeys, hasDraft } from "@/entities/codes/drafts";
import { codesQuery } from "@/entities/codes/queries";
import { formatDate, formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { CodeNote, CodeTitle } from "@/pages/workbench/CodeTitle";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { Button } from "@/ui/Button";
import { ErrorState, Loading } from "@/ui/states";

export function CodesList({ onOpen }: { onOpen: (next: WorkbenchSearch) => void }) {
  const codes = useQuery(codesQuery("evaluation"));
  const drafts = useStore(draftKeys);
  const hasNew = drafts.includes(draftKey("evaluation", null, null));
  return (
    <section aria-labelledby="evaluation-codes" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="evaluation-codes" className="heading">
            Evaluation code
          </h2>
          <p className="max-w-3xl text-sm text-ink-2">
            A Python function that looks at a whole episode and returns numbers, such as soft landings. They
            join the score in summaries, tables, comparisons and reports.
          </p>
        </div>
        <Button icon="plus" onClick={() => onOpen({ name: "new" })}>
          {hasNew ? "Continue the new evaluation code" : "New evaluation code"}
        </Button>
      </div>
      {codes.isPending && <Loading lines={3} />}
      {codes.isError && <ErrorState error={codes.error} onRetry={() => void codes.refetch()} />}
      {codes.isSuccess && codes.data.length > 0 && (
        <ul aria-label="Evaluation code" className="flex flex-col rounded-md border bg-surface">
          {codes.data.map((code) => (
            <Row key={code.name} code={code} isUnsaved={hasDraft(drafts, "evaluation", code.name)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ code, isUnsaved }: { code: Code; isUnsaved: boolean }) {
  return (
    <li className="relative flex flex-wrap items-center justify-between gap-x-6 border-b px-4 py-3 last:border-0 hover:bg-sunken">
      <div className="min-w-0">
        <CodeTitle code={code} tab="evaluation" isUnsaved={isUnsaved} />
        <CodeNote code={code} />
      </div>
      <span className="figures text-xs text-ink-3">
        {`${code.env_id || "any environment"} · ${formatPlural(code.versions.length, "version")} · ${formatDate(code.updated_at)}`}
      </span>
    </li>
  );
}
