/** What can be done with one file: rename, pin, delete; with a checkpoint, everything that its menu has elsewhere. */
import { useState } from "react";
import type { Artifact, Run } from "@/api/types";
import { useArtifactActions } from "@/entities/artifacts/use-artifact-actions";
import { subjectOfFile } from "@/entities/checkpoints/subject";
import { CheckpointMenu } from "@/panels/checkpoint-menu/CheckpointMenu";
import { Button, IconButton } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Menu, type MenuItem } from "@/ui/Menu";
import { RenameForm } from "./RenameForm";

export interface ArtifactMenuProps {
  run: Run;
  artifact: Artifact;
  title: string;
  /** An evaluation of a checkpoint was started here. */
  onTested: (evaluation: Run) => void;
}

export function ArtifactMenu({ run, artifact, title, onTested }: ArtifactMenuProps) {
  const [asked, setAsked] = useState<"rename" | "delete" | null>(null);
  const { togglePin, rename, remove } = useArtifactActions(artifact);
  const close = () => setAsked(null);
  const trigger = <IconButton icon="more" label={`Actions for ${title}`} />;
  const renaming: MenuItem = { title: "Rename…", icon: "settings", run: () => setAsked("rename") };
  return (
    <>
      {artifact.kind === "checkpoint" ? (
        <CheckpointMenu
          trigger={trigger}
          subject={subjectOfFile(run, artifact)}
          shown="run"
          onTested={onTested}
          more={[renaming]}
        />
      ) : (
        <Menu
          trigger={trigger}
          items={[
            renaming,
            {
              title: artifact.pinned ? "Unpin" : "Pin: never removed automatically",
              icon: "check",
              run: togglePin,
            },
            { title: "Delete…", icon: "close", danger: true, run: () => setAsked("delete") },
          ]}
        />
      )}
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
