/** A new study: from a template, by hand, or from a file. It says at once how many runs that is. */
import { useNavigate } from "@tanstack/react-router";
import { type DragEvent, useRef, useState } from "react";
import { ProblemError } from "@/api/problem";
import type { Study } from "@/api/types";
import { useCreateStudy } from "@/entities/studies/use-study-actions";
import { formatCount, formatDuration, formatPlural } from "@/lib/format";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Loading, ProblemNote } from "@/ui/states";
import { newStudyDialog } from "./dialog";
import { readStudyFile } from "./file";
import { StudyFields } from "./StudyFields";
import { type StudyDraftState, useStudyDraft } from "./use-study-draft";

export default function NewStudyDialog() {
  return (
    <Dialog open={useStore(newStudyDialog)} onOpenChange={newStudyDialog.set} title="New study" wide>
      <Content />
    </Dialog>
  );
}

function Content() {
  const navigate = useNavigate();
  const state = useStudyDraft();
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const create = useCreateStudy((study: Study) => {
    newStudyDialog.set(false);
    void navigate({ to: "/studies/$studyId", params: { studyId: study.id } });
  });
  const read = async (file: File | undefined) => {
    if (!file) return;
    const { study, problem } = await readStudyFile(file);
    setFileProblem(problem);
    if (study) create.mutate(study);
  };
  if (state.isLoading)
    return (
      <div className="p-5">
        <Loading lines={8} />
      </div>
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a second way; the button is the first
    <div
      className="flex flex-col gap-5 p-5"
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        void read(event.dataTransfer.files[0]);
      }}
    >
      <Templates state={state} onFile={(file) => void read(file)} />
      <StudyFields state={state} errors={errorsOf(create.error)} />
      {fileProblem && <ProblemNote error={fileProblem} />}
      <ProblemNote error={create.error} />
      <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 border-t bg-surface px-5 py-3">
        <p role="status" className="min-w-0 flex-1 text-sm text-ink-2">
          {runsText(state)}
        </p>
        <Button
          kind="primary"
          icon="play"
          reason={state.plan.study ? null : "Fix the marked fields first."}
          disabled={create.isPending}
          onClick={() => state.plan.study && create.mutate(state.plan.study)}
        >
          Start the study
        </Button>
      </div>
    </div>
  );
}

/** Messages of the lab by the last part of their field: "sweep.parameters.learning_rate" → "learning_rate". */
function errorsOf(error: Error | null): Record<string, string> {
  if (!(error instanceof ProblemError)) return {};
  return Object.fromEntries(
    (error.problem.errors ?? []).map(({ field, message }) => [field.split(".").at(-1)!, message]),
  );
}

export function runsText({ plan, seconds }: Pick<StudyDraftState, "plan" | "seconds">): string {
  if (plan.problems.runs) return plan.problems.runs;
  const product = `${formatPlural(plan.variants, "variant")} × ${formatPlural(plan.seeds, "seed")}`;
  const runs = formatPlural(plan.runs, "run");
  const isCapped = plan.runs < plan.variants * plan.seeds;
  const time = seconds === null ? "" : `, about ${formatDuration(Math.max(10, seconds))} one after the other`;
  return isCapped
    ? `At most ${runs} of ${formatCount(plan.variants * plan.seeds)} (${product})${time}.`
    : `${product} = ${runs}${time}.`;
}

function Templates({ state, onFile }: { state: StudyDraftState; onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-col gap-2">
      <p className="text-xs text-ink-3">
        A study asks a question: it trains one or more configurations with several seeds each, and says what
        is established and what is luck. Begin with a template, or drop a study file here.
      </p>
      <div className="flex flex-wrap gap-2">
        {state.templates.map((template) => (
          <Button key={template.id} small title={template.description} onClick={() => state.use(template)}>
            {template.title}
          </Button>
        ))}
        <Button small kind="quiet" icon="download" onClick={() => input.current?.click()}>
          Import a study file
        </Button>
        <input
          ref={input}
          type="file"
          accept="application/json,.json"
          aria-label="Study file"
          className="hidden"
          onChange={(event) => onFile(event.target.files?.[0])}
        />
      </div>
    </div>
  );
}
