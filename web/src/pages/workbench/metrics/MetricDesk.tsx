/** One derived metric: its expression with a live preview on a run, its name and note. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { DerivedMetric } from "@/api/types";
import { expressionPreviewQuery } from "@/entities/derived-metrics/queries";
import { useDeleteDerived, useSaveDerived } from "@/entities/derived-metrics/use-derived-actions";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { DraftNote } from "@/panels/kept-draft/DraftNote";
import { useKeptDraft } from "@/panels/kept-draft/use-kept-draft";
import { problemsOf } from "@/panels/name-model/draft";
import { TextField } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { ProblemNote } from "@/ui/states";
import { ExpressionField } from "./ExpressionField";
import { ExpressionHelp } from "./ExpressionHelp";
import { PreviewChart } from "./PreviewChart";
import { RunSelect, useNewestRun } from "./RunSelect";
import { useSettled } from "./use-settled";

export interface MetricDeskProps {
  /** Null for a new one. */
  metric: DerivedMetric | null;
  /** The run that the preview begins with. */
  runId: string | null;
  onOpen: (next: WorkbenchSearch) => void;
}

export function MetricDesk({ metric, runId, onOpen }: MetricDeskProps) {
  const kept = useKeptDraft(`metric.${metric?.name ?? "new"}`, {
    name: metric?.name ?? "",
    expression: metric?.expression ?? "",
    note: metric?.note ?? "",
  });
  const { name, expression, note } = kept.draft;
  const set = (change: Partial<typeof kept.draft>) => kept.setDraft({ ...kept.draft, ...change });
  const [chosen, setChosen] = useState(runId);
  const newest = useNewestRun();
  const shownRun = chosen ?? newest;
  const typed = useSettled(expression.trim());
  const preview = useQuery({
    ...expressionPreviewQuery(typed, shownRun ?? ""),
    enabled: shownRun !== null && typed !== "",
  });
  const save = useSaveDerived(metric === null, (saved) => {
    kept.drop();
    onOpen({ name: saved.name });
  });
  const refused = problemsOf(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name: name.trim(), expression: expression.trim(), note: note.trim() });
  };
  // Another text is typed or being computed: its column would be that of the text before.
  const isCurrent = typed !== "" && typed === expression.trim() && !preview.isPlaceholderData;
  const fault = isCurrent && preview.data?.fault ? { ...preview.data.fault, text: typed } : null;
  return (
    <div className="flex flex-col gap-4">
      <Button kind="quiet" icon="left" className="-ml-3 self-start" onClick={() => onOpen({})}>
        All metrics
      </Button>
      <DeskTitle metric={metric} onDeleted={() => onOpen({})} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          {metric === null && (
            <TextField
              label="Name"
              value={name}
              placeholder="reward_per_step"
              problem={refused.name}
              onChange={(next) => set({ name: next })}
            />
          )}
          <ExpressionField value={expression} fault={fault} onChange={(next) => set({ expression: next })} />
          <div className="max-w-md">
            <RunSelect value={shownRun} onChange={setChosen} />
          </div>
          <PreviewChart title={name || "Preview"} runId={shownRun} preview={preview} isTyped={typed !== ""} />
          <TextField label="What it is about" value={note} onChange={(next) => set({ note: next })} />
          <DraftNote {...kept} />
          <ProblemNote error={save.error} />
          <Button
            kind="primary"
            type="submit"
            className="self-start"
            disabled={save.isPending || name.trim() === "" || expression.trim() === ""}
          >
            Save
          </Button>
        </form>
        <ExpressionHelp runId={shownRun} onInsert={(text) => set({ expression: joined(expression, text) })} />
      </div>
    </div>
  );
}

const joined = (expression: string, text: string): string =>
  expression === "" || /[\s(]$/.test(expression) ? expression + text : `${expression} ${text}`;

function DeskTitle({ metric, onDeleted }: { metric: DerivedMetric | null; onDeleted: () => void }) {
  const remove = useDeleteDerived(onDeleted);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 className="heading">{metric?.name ?? "New metric"}</h2>
      {metric && (
        <Button
          small
          kind="quiet"
          icon="close"
          reason={metric.used_by?.length ? `It is used by ${metric.used_by.join(", ")}.` : null}
          onClick={() => remove.mutate(metric.name)}
        >
          Delete
        </Button>
      )}
      <ProblemNote error={remove.error} />
    </div>
  );
}
