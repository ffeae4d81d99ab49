/** The Python in which a runner's scripts run, if it is not the lab's: installed, installing, or a button to install it. */

import type { Runner } from "@/api/types";
import { usePrepareRunner } from "@/entities/runners/use-runner-actions";
import { Button } from "@/ui/Button";

export function OwnPython({ runner }: { runner: Runner }) {
  const prepare = usePrepareRunner(runner);
  const making = runner.preparing;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="figures text-xs break-all text-ink-2">{`Python: ${runner.interpreter}`}</p>
      {making && (
        <p role="status" className="text-xs text-ink-2">
          {making.error ?? (making.state === "running" ? "Installing…" : "Installed.")}
        </p>
      )}
      {making && making.lines.length > 0 && (
        <pre tabIndex={0} className="figures max-h-32 overflow-auto rounded-sm bg-sunken p-2 text-2xs">
          {making.lines.join("\n")}
        </pre>
      )}
      {!runner.ready && (
        <Button
          small
          className="self-start"
          disabled={prepare.isPending || making?.state === "running"}
          onClick={() => prepare.mutate()}
        >
          Install
        </Button>
      )}
    </div>
  );
}
