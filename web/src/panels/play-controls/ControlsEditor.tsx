/** What keys, mouse and gamepad do in an environment: choose, see conflicts, save for the environment or reset. */
import { useState } from "react";
import { type Controls, conflictsOf, isSteered, takesKeys } from "@/entities/plays/controls";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";
import { ActionRows } from "./ActionRows";
import { AxisRows } from "./AxisRows";

export interface ControlsEditorProps {
  envId: string;
  controls: Controls;
  actionNames: readonly string[];
  isBusy: boolean;
  error: unknown;
  onSave: (controls: Controls) => void;
  onReset: () => void;
  onClose: () => void;
}

const SOURCES: Record<Controls["source"], string> = {
  environment: "These keys are the environment’s own.",
  lab: "These keys come from the lab’s table.",
  user: "You chose these keys.",
  guessed: "Nobody has named keys for this environment: these are a guess.",
};

export function ControlsEditor(props: ControlsEditorProps) {
  const { envId, controls, actionNames, isBusy, error, onSave, onReset, onClose } = props;
  const [draft, setDraft] = useState(controls);
  const conflicts = conflictsOf(draft);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Controls of ${envId}`} wide>
      <div className="flex flex-col gap-4 p-5 text-sm">
        <p className="text-ink-2">
          {takesKeys(controls)
            ? `${SOURCES[controls.source]} Click on keys and press the ones you want.`
            : "No key can act here."}
        </p>
        {draft.problem && <p className="text-warn">{draft.problem}</p>}
        {draft.entries.length > 0 || draft.keys.length > 0 ? (
          <ActionRows draft={draft} actionNames={actionNames} onChange={setDraft} />
        ) : (
          isSteered(draft) && <AxisRows draft={draft} actionNames={actionNames} onChange={setDraft} />
        )}
        <ul role={conflicts.length > 0 ? "alert" : undefined} className="text-warn">
          {conflicts.map((conflict) => (
            <li key={conflict}>{conflict}</li>
          ))}
        </ul>
        <ProblemNote error={error} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button
            kind="quiet"
            icon="reset"
            className="mr-auto"
            disabled={isBusy}
            reason={controls.source === "user" ? null : "They are not changed."}
            onClick={onReset}
          >
            Reset to the environment’s own
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={isBusy}
            reason={draft.kind === "none" ? "There is nothing to save." : (conflicts[0] ?? null)}
            onClick={() => onSave({ ...draft, source: "user" })}
          >
            Save
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
