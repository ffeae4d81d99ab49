/** Why an environment cannot be used, and the command that changes it, to copy. */
import type { Environment } from "@/api/types";
import { IconButton } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";

export function InstallNote({ environment }: { environment: Environment }) {
  const { name, install, problem, remedy } = environment;
  if (!install) return <p className="text-sm text-warn">{`${problem ?? ""} ${remedy ?? ""}`.trim()}</p>;
  return (
    <div className="flex flex-col gap-1.5 text-xs text-ink-2">
      <p>{`${name} is not installed. Run this command, then reload the page:`}</p>
      <div className="flex items-center gap-1 rounded-sm border bg-sunken pl-2">
        <code className="figures min-w-0 flex-1 py-1.5 break-words text-ink">{install}</code>
        <IconButton
          icon="copy"
          label="Copy the command"
          onClick={() => void copyText(install, "Command copied. Run it in a terminal.")}
        />
      </div>
    </div>
  );
}
