/** Run a script: enter the command, see exactly what would run, approve it. */

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useStart } from "@/entities/runs/use-start";
import { type Previewed, usePreviewCommand } from "@/entities/scripts/use-scripts";
import { useRemembered } from "@/lib/remembered";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";
import { ConsentPanel } from "./ConsentPanel";
import { scriptDialog } from "./dialogs";
import {
  EMPTY,
  newRunOfScript,
  type ScriptDraft,
  scriptProblem,
  withPythonPath,
  withVariable,
} from "./draft";
import { ScriptForm } from "./ScriptForm";

export default function ScriptDialog() {
  const { isOpen, draft } = useStore(scriptDialog);
  return (
    <Dialog open={isOpen} onOpenChange={close} title="Run a script" wide>
      {isOpen && <ScriptSteps given={draft} />}
    </Dialog>
  );
}

const close = () => scriptDialog.set({ isOpen: false, draft: null });

function ScriptSteps({ given }: { given: ScriptDraft | null }) {
  const [last, remember] = useRemembered<ScriptDraft>("scripts.draft", EMPTY);
  const [draft, setDraft] = useState<ScriptDraft>({ ...EMPTY, ...(given ?? last) });
  const [previewed, setPreviewed] = useState<Previewed | null>(null);
  const navigate = useNavigate();
  const look = usePreviewCommand(setPreviewed);
  const start = useStart((run) => {
    close();
    void navigate({ to: "/runs/$runId", params: { runId: run.id } });
  });
  if (previewed)
    return (
      <div className="p-5">
        <ConsentPanel
          preview={previewed.preview}
          isStarting={start.isPending}
          error={start.error}
          onBack={() => setPreviewed(null)}
          onPythonPath={(path) => {
            setDraft({ ...draft, variables: withVariable(draft.variables, "PYTHONPATH", path) });
            look.mutate(withPythonPath(previewed.wanted, path));
          }}
          onAgree={(consent) => start.mutate({ ...previewed.wanted, consent })}
        />
      </div>
    );
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (scriptProblem(draft)) return;
        remember(draft);
        look.mutate(newRunOfScript(draft));
      }}
    >
      <ScriptForm draft={draft} onChange={setDraft} />
      <ProblemNote error={look.error} />
      <div className="flex items-center gap-3 border-t pt-4">
        <p className="min-w-0 flex-1 text-xs text-ink-2">
          Nothing runs yet: next you see the exact command and what it may do.
        </p>
        <Button
          kind="primary"
          type="submit"
          reason={scriptProblem(draft)}
          disabled={look.isPending}
          icon="search"
        >
          {look.isPending ? "Checking…" : "Show what would run"}
        </Button>
      </div>
    </form>
  );
}
