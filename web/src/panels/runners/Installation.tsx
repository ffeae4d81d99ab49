/** Installs what a runner needs: the button, its progress, the error and another try. */
import type { Runner } from "@/api/types";
import { installableInto } from "@/entities/runners/installation";
import { useInstallRunner } from "@/entities/runners/use-runner-actions";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";

const STATES = { running: "Installing…", done: "Installed.", failed: "The installation failed." };

export function Installation({ runner }: { runner: Runner }) {
  const install = useInstallRunner(runner);
  const progress = runner.preparing;
  const isRunning = progress?.state === "running";
  if (!runner.interpreter && !progress && installableInto(runner) === null) return null;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {runner.interpreter && (
        <p className="figures text-xs break-all text-ink-2">{`Python: ${runner.interpreter}`}</p>
      )}
      {progress && (
        <p role="status" className={cx("text-xs wrap-anywhere", progress.error ? "text-warn" : "text-ink-2")}>
          {progress.error ?? STATES[progress.state]}
        </p>
      )}
      {progress && !runner.ready && progress.lines.length > 0 && (
        <pre tabIndex={0} className="figures max-h-32 overflow-auto rounded-sm bg-sunken p-2 text-2xs">
          {progress.lines.join("\n")}
        </pre>
      )}
      {installableInto(runner) !== null && !isRunning && (
        <Button small className="self-start" disabled={install.isPending} onClick={() => install.mutate()}>
          {progress?.state === "failed" ? "Try again" : "Install"}
        </Button>
      )}
    </div>
  );
}
