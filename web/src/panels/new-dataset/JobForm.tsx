/** A form in a dialog that starts a job on a dataset: what it will make, errors, and the buttons. */
import { useQuery } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import type { DatasetOperation, Run } from "@/api/types";
import { useStartDatasetJob } from "@/entities/dataset-jobs/use-start-dataset-job";
import { problemsOf } from "@/entities/datasets/problems";
import { forecastQuery } from "@/entities/datasets/queries";
import { Button } from "@/ui/Button";
import { ProblemNote } from "@/ui/states";
import { toast } from "@/ui/toasts";
import { counted } from "./draft";
import { ForecastLine } from "./ForecastLine";
import { FORECAST_MS } from "./forecast";
import { useSettled } from "./use-settled";

export interface JobFormProps {
  /** Null while something is missing. */
  operation: DatasetOperation | null;
  /** Why it cannot start; null: it can. */
  reason: string | null;
  submit: string;
  /** Without it nothing is counted beforehand. */
  hasForecast?: boolean;
  onCancel: () => void;
  onStarted: (job: Run) => void;
  children: (problems: Record<string, string>) => ReactNode;
}

export function JobForm(props: JobFormProps) {
  const { operation, reason, submit, hasForecast = false, onCancel, onStarted, children } = props;
  const start = useStartDatasetJob((job) => {
    toast("Started. Its progress is at the top of the page.");
    onStarted(job);
  }, true);
  const settled = useSettled(operation && counted(operation), FORECAST_MS);
  const forecast = useQuery({
    ...forecastQuery(settled ?? { do: "check", of: { name: "" } }),
    enabled: hasForecast && settled !== null,
  });
  const problems = problemsOf(start.error);
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (operation && !reason) start.mutate(operation);
      }}
    >
      {children(problems)}
      {Object.keys(problems).length === 0 && <ProblemNote error={start.error} />}
      <div className="sticky bottom-0 z-10 -mx-5 -mb-5 flex flex-wrap items-center justify-end gap-3 border-t bg-surface px-5 py-3">
        <div className="min-w-40 flex-1 max-sm:basis-full">
          {hasForecast && <ForecastLine forecast={forecast} />}
        </div>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" reason={reason} disabled={start.isPending}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
