/** Import a model of somebody else: its files are sent and read, shown, and imported when the user says so. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { ImportChoices } from "@/api/types";
import { dropUpload } from "@/entities/imports/queries";
import { useImportModel, useSendModel } from "@/entities/imports/use-import";
import { formatBytes } from "@/lib/format";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Progress } from "@/ui/Progress";
import { ProblemNote } from "@/ui/states";
import { toast } from "@/ui/toasts";
import { chooseModel, importDialog } from "./dialog";
import { ImportModelForm } from "./ImportModelForm";

const close = () => importDialog.set({ files: [] });

export default function ImportModelDialog() {
  const { files } = useStore(importDialog);
  const key = files.map((file) => `${file.name} ${file.lastModified}`).join();
  return (
    <Dialog open={files.length > 0} onOpenChange={close} title="Import a model" wide>
      {files.length > 0 && <ImportSteps key={key} files={files} />}
    </Dialog>
  );
}

function ImportSteps({ files }: { files: readonly File[] }) {
  const [fraction, setFraction] = useState(0);
  const navigate = useNavigate();
  const sending = useSendModel(setFraction);
  const importing = useImportModel();
  const { mutate: send } = sending;
  const waiting = useRef<string | null>(null);
  useEffect(() => send(files), [send, files]);
  useEffect(() => {
    waiting.current = sending.data?.id ?? null;
  }, [sending.data]);
  // Files that are not imported are forgotten with the dialog.
  useEffect(() => () => void (waiting.current && dropUpload(waiting.current).catch(() => {})), []);
  const take = (uploadId: string, choices: ImportChoices) =>
    importing.mutate(
      { uploadId, choices },
      {
        onSuccess: (run) => {
          waiting.current = null;
          toast(`${run.name} imported.`);
          close();
          void navigate({ to: "/runs/$runId", params: { runId: run.id } });
        },
      },
    );
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const found = sending.data;
  return (
    <div className="flex flex-col gap-4 p-5">
      <p className="text-sm break-all">
        {files.length === 1 ? files[0]?.name : `${files.length} files`}{" "}
        <span className="figures text-xs text-ink-3">{formatBytes(bytes)}</span>
      </p>
      {sending.isPending && <Sending fraction={fraction} />}
      <ProblemNote error={sending.error ?? importing.error} />
      {sending.isError && (
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" onClick={() => chooseModel()}>
            Choose another file
          </Button>
        </div>
      )}
      {found && (
        <ImportModelForm
          preview={found}
          isImporting={importing.isPending}
          onImport={(choices) => take(found.id, choices)}
        />
      )}
    </div>
  );
}

/** Reading takes seconds: a process of its own starts for it. */
function Sending({ fraction }: { fraction: number }) {
  const words = fraction < 1 ? "Sending the files" : "Reading the model";
  return (
    <section aria-live="polite" aria-label="Sending" className="flex flex-col gap-2 text-sm">
      <p>{words} …</p>
      <Progress label={words} fraction={fraction < 1 ? fraction : null} />
    </section>
  );
}
