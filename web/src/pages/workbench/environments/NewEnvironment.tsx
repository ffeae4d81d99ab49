/** What a new environment begins with: a working example, or a file that is dropped or chosen. */
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type DragEvent, useId } from "react";
import { draftKey, keepDraft } from "@/entities/codes/drafts";
import { examplesQuery } from "@/entities/codes/queries";
import { ExampleCard } from "@/panels/saved-code/ExampleCard";
import { Button } from "@/ui/Button";
import { ErrorState, Loading } from "@/ui/states";
import type { OpensEnvironment } from "./opening";

const begin = (source: string) => keepDraft(draftKey("environment", null, null), { source, env_id: "" });

export function NewEnvironment({ onOpen }: OpensEnvironment) {
  const examples = useQuery(examplesQuery("environment", ""));
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="quiet" icon="left" className="-ml-3" onClick={() => onOpen({})}>
          All your environments
        </Button>
        <h2 className="heading">New environment</h2>
      </div>
      <FileDrop />
      {examples.isPending && <Loading lines={6} />}
      {examples.isError && <ErrorState error={examples.error} onRetry={() => void examples.refetch()} />}
      {examples.isSuccess && (
        <ul aria-label="Examples" className="grid gap-3 sm:grid-cols-2">
          {examples.data.map((example) => (
            <ExampleCard key={example.title} example={example} onBegin={() => begin(example.source)} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** A Python file from this computer; it is read by the browser and opens in the editor. */
function FileDrop() {
  const id = useId();
  const read = (file: File | undefined) => void file?.text().then(begin);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      className="flex flex-wrap items-center gap-3 rounded-md border border-dashed p-4 text-sm text-ink-2"
    >
      <label htmlFor={id}>Drop a Python file here, or choose one:</label>
      <input
        id={id}
        type="file"
        accept=".py,text/x-python"
        className="max-w-full text-sm"
        onChange={(event: ChangeEvent<HTMLInputElement>) => read(event.target.files?.[0])}
      />
    </div>
  );
}
