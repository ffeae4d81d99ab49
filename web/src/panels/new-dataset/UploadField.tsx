/** A file or a folder that is chosen or dropped and sent to the lab: progress, pause, resume, cancel. */
import { type ChangeEvent, useEffect, useRef } from "react";
import { useUploadFile } from "@/entities/datasets/use-upload-file";
import { formatBytes } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Progress } from "@/ui/Progress";
import { ProblemNote } from "@/ui/states";
import { arrivedText, OtherUploads } from "./OtherUploads";

export interface UploadFieldProps {
  /** A file that was dropped on the page. */
  file: File | undefined;
  problem: string | undefined;
  /** The name of what was chosen. */
  onName: (name: string) => void;
  /** The id of a finished upload; null while there is none. */
  onUpload: (id: string | null) => void;
}

export function UploadField({ file: dropped, problem, onName, onUpload }: UploadFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const upload = useUploadFile(onUpload);
  const { shown, phase } = upload;
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    onName(chosen.name);
    upload.send(chosen);
  };
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => latest.current(dropped), [dropped]);
  const chooseFolder = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // The same folder can be chosen again.
    target.value = "";
    const [first] = files;
    if (!first) return;
    onName(first.webkitRelativePath.split("/")[0] ?? "");
    upload.sendFolder(files);
  };
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
        <Button icon="plus" onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
        <input
          ref={input}
          type="file"
          accept=".hdf5,.h5,.npz,.parquet,.csv,.zip"
          aria-label="File of a dataset"
          className="hidden"
          onChange={(event) => choose(event.target.files?.[0])}
        />
        <input
          ref={folder}
          type="file"
          // Known to every browser, not to React’s types.
          {...{ webkitdirectory: "" }}
          aria-label="Folder of Minari"
          className="hidden"
          onChange={chooseFolder}
        />
        {phase === "sending" && (
          <Button small icon="pause" onClick={upload.pause}>
            Pause
          </Button>
        )}
        {phase === "paused" && (
          <Button small icon="play" onClick={upload.resume}>
            Resume
          </Button>
        )}
        {shown && phase !== "done" && (
          <Button small kind="danger" onClick={upload.cancel}>
            Cancel
          </Button>
        )}
      </div>
      <p className="text-xs text-ink-2">
        {phase === "packing"
          ? "Reading the folder…"
          : shown
            ? `${shown.name}, ${formatBytes(shown.size)}`
            : "Or drop a file here: HDF5, NPZ, Parquet, CSV, or a zipped Minari folder. A folder is one of Minari. Nothing is unpickled."}
      </p>
      {shown && (
        <div aria-live="polite" className="flex flex-col gap-1">
          <Progress label="Sending the file" fraction={upload.received / Math.max(1, shown.size)} />
          <p className="figures text-2xs text-ink-3">
            {phase === "done"
              ? "The lab has the file."
              : `${arrivedText(upload.received, shown.size)}${phase === "paused" ? ", paused" : ""}`}
          </p>
        </div>
      )}
      {phase === "idle" && (
        <OtherUploads
          uploads={upload.others}
          onTake={(taken) => {
            onName(taken.name);
            upload.take(taken);
          }}
          onDiscard={upload.discard}
        />
      )}
      {problem && (
        <p role="alert" className="text-xs text-warn">
          {problem}
        </p>
      )}
      <ProblemNote error={upload.error} />
    </div>
  );
}
