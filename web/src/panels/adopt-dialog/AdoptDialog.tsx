/** Adopt a folder: files of another tool become runs; the files stay where they are. */

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { adoptionQuery } from "@/entities/adoptions/queries";
import { useAdopt } from "@/entities/adoptions/use-adopt";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { SwitchRow } from "@/ui/SwitchRow";
import { ErrorState, Loading, ProblemNote } from "@/ui/states";
import { AdoptionOutcome } from "./AdoptionOutcome";
import { adoptDialog, KNOWN_FORMATS } from "./dialog";
import { droppedPath } from "./drop";

const close = () => adoptDialog.set({ isOpen: false, folder: "" });

export default function AdoptDialog() {
  const { isOpen, folder } = useStore(adoptDialog);
  return (
    <Dialog open={isOpen} onOpenChange={close} title="Adopt a folder" wide>
      {isOpen && <AdoptSteps folder={folder} />}
    </Dialog>
  );
}

function AdoptSteps({ folder }: { folder: string }) {
  const [adoptionId, setAdoptionId] = useState<string | null>(null);
  if (adoptionId) return <Outcome adoptionId={adoptionId} />;
  return <AdoptForm folder={folder} onStarted={setAdoptionId} />;
}

function AdoptForm(props: { folder: string; onStarted: (adoptionId: string) => void }) {
  const [folder, setFolder] = useState(props.folder);
  const [follow, setFollow] = useState(true);
  const [copies, setCopies] = useState(false);
  const [joins, setJoins] = useState(true);
  const [note, setNote] = useState<string | null>(null);
  const start = useAdopt((result) => props.onStarted(result.id));
  const reason = folder.trim() ? null : "Enter a folder first.";
  const wanted = { folder: folder.trim(), follow, copy_files: copies, join: joins, tags: [] };
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!reason) start.mutate(wanted);
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const found = droppedPath(event);
        setNote(found.reason);
        if (found.path) setFolder(found.path);
      }}
    >
      <FolderField value={folder} note={note} onChange={setFolder} />
      <SwitchRow title="Keep following the folder while it grows" checked={follow} onChange={setFollow} />
      <SwitchRow title="Copy the files into the lab" checked={copies} onChange={setCopies} />
      <SwitchRow title="Make one run of the folders of one training" checked={joins} onChange={setJoins} />
      <ProblemNote error={start.error} />
      <div className="flex items-center gap-3 border-t pt-4">
        <p className="min-w-0 flex-1 text-xs text-ink-2">
          {KNOWN_FORMATS} folders. Adopting again creates no duplicates; nothing in the folder is changed.
        </p>
        <Button kind="primary" type="submit" reason={reason} disabled={start.isPending} icon="plus">
          Adopt
        </Button>
      </div>
    </form>
  );
}

interface FolderFieldProps {
  value: string;
  note: string | null;
  onChange: (folder: string) => void;
}

function FolderField({ value, note, onChange }: FolderFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5 rounded-sm border border-dashed border-line-strong p-4">
      <label htmlFor={id} className="label text-ink-3">
        Folder
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type in it
        autoFocus
        spellCheck={false}
        autoComplete="off"
        value={value}
        placeholder="/home/me/project/runs"
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        className="figures h-9 w-full rounded-sm border border-line-strong bg-surface px-3 text-xs placeholder:text-ink-3"
      />
      <p id={`${id}-note`} role={note ? "alert" : undefined} className="text-xs text-ink-3">
        {note ?? "A path on the lab’s machine. Type it, paste it, or drop it here."}
      </p>
    </div>
  );
}

function Outcome({ adoptionId }: { adoptionId: string }) {
  const adoption = useQuery(adoptionQuery(adoptionId));
  if (adoption.isPending) return <Loading lines={4} />;
  if (adoption.isError) return <ErrorState error={adoption.error} onRetry={() => void adoption.refetch()} />;
  return <AdoptionOutcome result={adoption.data} onDone={close} />;
}
