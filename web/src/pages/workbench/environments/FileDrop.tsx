/** Python files of this computer, dropped or chosen: the browser reads them, and they open in the editor. */
import { type DragEvent, useRef, useState } from "react";
import { formatPlural } from "@/lib/format";
import { beginNew } from "@/panels/saved-code/NewCode";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { toast } from "@/ui/toasts";
import { type FoundFile, joinFiles } from "./code-files";
import { chosenFiles, droppedFiles } from "./dropped";

export function FileDrop() {
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const open = (files: Promise<FoundFile[]>) =>
    void openFiles(files).then(setProblem, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    open(droppedFiles(event.dataTransfer));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same by keyboard
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={cx(
        "flex flex-col gap-3 rounded-md border border-dashed p-4 text-sm text-ink-2",
        isOver && "border-line-strong bg-sunken",
      )}
    >
      <p>
        Drop a Python file here, several, or a folder whose main file is{" "}
        <code className="figures">environment.py</code> or <code className="figures">__init__.py</code>. They
        open in the editor as one text.
      </p>
      <div className="flex flex-wrap gap-3">
        <ChooseButton title="Choose files" accept=".py,text/x-python" multiple onFiles={open} />
        <ChooseButton title="Choose a folder" webkitdirectory="" onFiles={open} />
      </div>
      {problem && (
        <p role="alert" className="text-warn">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Why they could not be opened; null when they were. */
async function openFiles(found: Promise<FoundFile[]>): Promise<string | null> {
  const files = await found;
  if (files.length === 0) return null;
  const joined = await joinFiles(files);
  if (joined.problem !== undefined) return joined.problem;
  beginNew("environment", joined.source);
  if (joined.leftOut.length > 0)
    toast(`${formatPlural(joined.leftOut.length, "file")} left out, because only Python files are taken.`);
  return null;
}

interface ChooseButtonProps {
  title: string;
  accept?: string;
  multiple?: boolean;
  /** Chooses a folder instead of files. */
  webkitdirectory?: string;
  onFiles: (files: Promise<FoundFile[]>) => void;
}

function ChooseButton({ title, onFiles, ...rest }: ChooseButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="plus" onClick={() => input.current?.click()}>
        {title}
      </Button>
      <input
        {...rest}
        ref={input}
        type="file"
        aria-label={title}
        className="hidden"
        onChange={({ target }) => {
          onFiles(Promise.resolve(chosenFiles(target.files)));
          // The same file can be chosen again after it was corrected.
          target.value = "";
        }}
      />
    </>
  );
}
