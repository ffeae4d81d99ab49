/** What can be done with one file: rename, pin, delete; a checkpoint also has tags and a note. */
import { useState } from "react";
import type { Artifact } from "@/api/types";
import { useArtifactActions } from "@/entities/artifacts/use-artifact-actions";
import { useFineTune } from "@/entities/continuing/use-fine-tune";
import { useDownloadPackage } from "@/entities/hub/use-package";
import { useResume } from "@/entities/runs/use-resume";
import { LabelDialog } from "@/panels/checkpoints/LabelDialog";
import { Button, IconButton } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Menu, type MenuItem } from "@/ui/Menu";

export interface ArtifactMenuProps {
  artifact: Artifact;
  title: string;
  /** Of a checkpoint that the lab can package. */
  onPush?: () => void;
}

export function ArtifactMenu({ artifact, title, onPush }: ArtifactMenuProps) {
  const [asked, setAsked] = useState<"rename" | "label" | "delete" | null>(null);
  const { togglePin, rename, label, remove } = useArtifactActions(artifact);
  const fineTune = useFineTune();
  const resume = useResume(artifact.run_id);
  const download = useDownloadPackage();
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" label={`Actions for ${title}`} />}
        items={[
          ...(artifact.kind === "checkpoint"
            ? [
                {
                  title: "Resume from here",
                  icon: "play" as const,
                  run: () => resume.mutate({ checkpoint: artifact.id }),
                },
                {
                  title: "Fine-tune from here",
                  icon: "play" as const,
                  run: () => fineTune(artifact.run_id, artifact.id),
                },
              ]
            : []),
          ...(onPush ? packageItems(() => download.mutate(artifact.id), onPush) : []),
          { title: "Rename…", icon: "settings", run: () => setAsked("rename") },
          ...(artifact.kind === "checkpoint"
            ? [{ title: "Tags and note…", icon: "settings" as const, run: () => setAsked("label") }]
            : []),
          {
            title: artifact.pinned ? "Unpin" : "Pin: never removed automatically",
            icon: "check",
            run: togglePin,
          },
          { title: "Delete…", icon: "close", danger: true, run: () => setAsked("delete") },
        ]}
      />
      <Dialog open={asked === "rename"} onOpenChange={close} title={`Rename ${title}`}>
        <RenameForm
          title={title}
          onCancel={close}
          onRename={(name) => {
            close();
            rename(name);
          }}
        />
      </Dialog>
      <LabelDialog
        title={title}
        open={asked === "label"}
        tags={artifact.tags ?? []}
        note={artifact.note ?? ""}
        onClose={close}
        onSave={label}
      />
      <Dialog open={asked === "delete"} onOpenChange={close} title={`Delete ${title}?`}>
        <div className="flex flex-col gap-4 p-5 text-sm">
          <p>The file is deleted permanently. This cannot be undone.</p>
          <div className="flex justify-end gap-3">
            <Button onClick={close}>Cancel</Button>
            <Button
              kind="danger"
              onClick={() => {
                close();
                remove();
              }}
            >
              Delete
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

const packageItems = (onDownload: () => void, onPush: () => void): MenuItem[] => [
  {
    title: "Download package (zip)",
    icon: "download",
    run: onDownload,
  },
  { title: "Push to the Hub…", icon: "up", run: onPush },
];

interface RenameFormProps {
  title: string;
  onCancel: () => void;
  onRename: (name: string) => void;
}

function RenameForm({ title, onCancel, onRename }: RenameFormProps) {
  const [name, setName] = useState(title);
  const isSame = name.trim() === "" || name.trim() === title;
  return (
    <form
      className="flex flex-col gap-4 p-5 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) onRename(name.trim());
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-ink-2">Name</span>
        <input
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
          className="h-9 rounded-sm border border-line-strong bg-surface px-2"
        />
      </label>
      <div className="flex justify-end gap-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={isSame}>
          Rename
        </Button>
      </div>
    </form>
  );
}
