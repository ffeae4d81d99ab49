/** The run's name, edited in place; the change can be undone. */
import type { Run } from "@/api/types";
import { usePatchRun } from "@/entities/runs/use-patch-run";
import { EditableTitle } from "@/panels/editable-title/EditableTitle";

export function RunName({ run }: { run: Run }) {
  const patch = usePatchRun(run);
  return (
    <EditableTitle
      label="Name of the run"
      text={run.name}
      onChange={(name) => patch({ name }, `Renamed to “${name}”.`)}
    />
  );
}
