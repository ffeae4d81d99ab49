/** A file that is chosen or dropped and sent to the lab: progress, pause, resume, cancel. */
import { useEffect, useRef } from "react";
import { useUploadFile } from "@/entities/datasets/use-upload-file";
import { formatBytes, formatPercent } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Progress } from "@/ui/Progress";
import { ProblemNote } from "@/ui/states";

export interface UploadFieldProps {
  /** A file that was dropped on the page. */
  file: File | undefined;
  problem: string | undefined;
  onFile: (file: File) => void;
  /** The id of a finished upload; null while there is none. */
  onUpload: (id: string | null) => void;
}

export function UploadField({ file: dropped, problem, onFile, onUpload }: UploadFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const { file, received, phase, error, unfinished, send, pause, resume, cancel } = useUploadFile(onUpload);
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    onFile(chosen);
    send(chosen);
  };
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => latest.current(dropped), [dropped]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a second way; the button is the first
    <div
      className="flex flex-col gap-3 rounded-sm border border-dashed border-line-strong p-4"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        choose(event.dataTransfer.files[0]);
      }}
    >
      <div className="flex flex-wrap items-center gap-3">
        <Button icon="plus" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          accept=".hdf5,.h5,.npz,.parquet,.csv,.zip"
          aria-label="File of a dataset"
          className="hidden"
          onChange={(event) => choose(event.target.files?.[0])}
        />
        <p className="min-w-0 flex-1 text-xs text-ink-2">
          {file
            ? `${file.name}, ${formatBytes(file.size)}`
            : "or drop it here: HDF5, NPZ, Parquet, CSV, or a zipped Minari folder. It is never unpickled."}
        </p>
        {phase === "sending" && (
          <Button small icon="pause" onClick={pause}>
            Pause
          </Button>
        )}
        {phase === "paused" && (
          <Button small icon="play" onClick={resume}>
            Resume
          </Button>
        )}
        {file && phase !== "done" && (
          <Button small kind="danger" onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
      {file && (
        <div aria-live="polite" className="flex flex-col gap-1">
          <Progress label="Sending the file" fraction={received / Math.max(1, file.size)} />
          <p className="figures text-2xs text-ink-3">
            {phase === "done"
              ? "The lab has the file."
              : `${formatBytes(received)} of ${formatBytes(file.size)}, ${formatPercent(received / Math.max(1, file.size))}${phase === "paused" ? ", paused" : ""}`}
          </p>
        </div>
      )}
      {!file && unfinished && (
        <p className="flex flex-wrap items-center gap-3 text-xs text-ink-2">
          {`${unfinished.name}: ${formatBytes(unfinished.received)} of ${formatBytes(unfinished.size)} have arrived. Choose the same file to resume.`}
          <Button small kind="quiet" onClick={cancel}>
            Forget it
          </Button>
        </p>
      )}
      {problem && (
        <p role="alert" className="text-xs text-warn">
          {problem}
        </p>
      )}
      <ProblemNote error={error} />
    </div>
  );
}
