/** What is about to run, and the button that approves it. */
import type { CommandPreview } from "@/api/types";
import { Button } from "@/ui/Button";
import { ProblemNote } from "@/ui/states";
import { CommandView } from "./CommandView";

export interface ConsentPanelProps {
  preview: CommandPreview;
  isStarting?: boolean;
  /** Why it could not be started. */
  error?: unknown;
  onAgree: (sha256: string) => void;
  onBack: () => void;
  /** Look again with this PYTHONPATH; absent where the runner sets the variables. */
  onPythonPath?: (path: string) => void;
}

export function ConsentPanel(props: ConsentPanelProps) {
  const { preview, isStarting, error, onAgree, onBack, onPythonPath } = props;
  const path = preview.interpreter?.python_path;
  return (
    <div className="flex flex-col gap-4">
      <CommandView preview={preview} />
      {path && onPythonPath && (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <p className="min-w-0 flex-1 break-words">
            {`The lab found ${(preview.interpreter?.found ?? []).join(", ")} in the script’s repository: `}
            <code>PYTHONPATH={path}</code>
          </p>
          <Button small onClick={() => onPythonPath(path)}>
            Set PYTHONPATH
          </Button>
        </div>
      )}
      <ProblemNote error={error} />
      <div className="flex flex-wrap items-center gap-3 border-t pt-4">
        <p className="min-w-0 flex-1 text-xs text-ink-2 max-sm:basis-full">
          {preview.is_consented
            ? "This was approved before, exactly as it is."
            : "This code comes from outside the lab. Your approval covers the files listed above as they are now, and the folders; if one changes, you are asked again."}
        </p>
        <Button onClick={onBack}>Back</Button>
        <Button kind="primary" icon="play" disabled={isStarting} onClick={() => onAgree(preview.sha256)}>
          {preview.is_consented ? "Run" : "Approve and run"}
        </Button>
      </div>
    </div>
  );
}
