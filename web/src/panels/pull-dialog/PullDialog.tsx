/** Import a model from the Hugging Face Hub: its files are downloaded, read, shown, and imported when the user says so. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { usePull } from "@/entities/hub/use-pull";
import { useImportModel } from "@/entities/imports/use-import";
import { ImportModelForm } from "@/panels/import-model/ImportModelForm";
import { Dialog } from "@/ui/Dialog";
import { ProblemNote } from "@/ui/states";
import { toast } from "@/ui/toasts";
import { pullDialog } from "./dialog";
import { PullForm } from "./PullForm";
import { PullProgress } from "./PullProgress";

const close = () => pullDialog.set({ isOpen: false });

export default function PullDialog() {
  return (
    <Dialog open onOpenChange={close} title="Import from the Hugging Face Hub" wide>
      <PullSteps />
    </Dialog>
  );
}

function PullSteps() {
  const navigate = useNavigate();
  const { pull, preview, error, start, leave } = usePull();
  const importing = useImportModel();
  useEffect(() => leave, [leave]);
  const found = preview.data;
  return (
    <div className="flex flex-col gap-4 p-5">
      {!found && <PullForm isBusy={pull !== null && pull.ended_at == null} onPull={start} />}
      {pull && !found && <PullProgress pull={pull} isReading={preview.isFetching} />}
      <ProblemNote error={error ?? preview.error ?? importing.error} />
      {found && (
        <ImportModelForm
          preview={found}
          isImporting={importing.isPending}
          onImport={(choices) =>
            importing.mutate(
              { uploadId: found.id, choices },
              {
                onSuccess: (run) => {
                  toast(`${run.name} imported.`);
                  close();
                  void navigate({ to: "/runs/$runId", params: { runId: run.id } });
                },
              },
            )
          }
        />
      )}
    </div>
  );
}
