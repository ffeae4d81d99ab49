/** Import a pack: it is sent and checked, shown, and imported only when the user says so. */
import { useEffect, useRef, useState } from "react";
import type { PackImport } from "@/api/types";
import { dropPack } from "@/entities/packs/queries";
import { useImportPack, useUploadPack } from "@/entities/packs/use-pack";
import { formatBytes } from "@/lib/format";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Progress } from "@/ui/Progress";
import { ProblemNote } from "@/ui/states";
import { toast } from "@/ui/toasts";
import { packDialog } from "./dialog";
import { PackContents } from "./PackContents";

const close = () => packDialog.set({ file: null });

export function PackDialog() {
  const { file } = useStore(packDialog);
  return (
    <Dialog open={file !== null} onOpenChange={close} title="Import a pack" wide>
      {file && <PackSteps key={`${file.name} ${file.lastModified}`} file={file} />}
    </Dialog>
  );
}

function describe(made: PackImport): string {
  if (made.is_repeated) return "The runs of this pack are here already.";
  const count = Object.keys(made.runs).length;
  return count === 1 ? "1 run imported." : `${count} runs imported.`;
}

function PackSteps({ file }: { file: File }) {
  const [fraction, setFraction] = useState(0);
  const sending = useUploadPack(setFraction);
  const importing = useImportPack();
  const { mutate: send } = sending;
  const waiting = useRef<string | null>(null);
  useEffect(() => send(file), [send, file]);
  useEffect(() => {
    waiting.current = sending.data?.id ?? null;
  }, [sending.data]);
  // A pack that is not imported is forgotten with the dialog.
  useEffect(() => () => void (waiting.current && dropPack(waiting.current).catch(() => {})), []);
  const take = (packId: string) => {
    waiting.current = null;
    importing.mutate(packId, {
      onSuccess: (made) => {
        toast(describe(made));
        close();
      },
    });
  };
  const found = sending.data;
  return (
    <div className="flex flex-col gap-4 p-5">
      <p className="text-sm break-all">
        {file.name} <span className="figures text-xs text-ink-3">{formatBytes(file.size)}</span>
      </p>
      {sending.isPending && <Progress label="Sending the pack" fraction={fraction < 1 ? fraction : null} />}
      <ProblemNote error={sending.error ?? importing.error} />
      {found && <PackContents preview={found} />}
      <div className="flex items-center gap-3 border-t pt-4">
        <p className="min-w-0 flex-1 text-xs text-ink-2">
          Nothing in a pack is executed or approved by importing it. All of it is imported, or nothing.
        </p>
        <Button
          kind="primary"
          icon="plus"
          reason={found ? null : "The pack has not been checked yet."}
          disabled={importing.isPending}
          onClick={() => found && take(found.id)}
        >
          {importing.isPending ? "Importing…" : "Import"}
        </Button>
      </div>
    </div>
  );
}
