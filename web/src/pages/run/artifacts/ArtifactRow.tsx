/** One file: what it is, how large, and what can be done with it. */

import { useState } from "react";
import type { Artifact } from "@/api/types";
import { addressOf } from "@/entities/artifacts/queries";
import { useArtifactActions } from "@/entities/artifacts/use-artifact-actions";
import { formatBytes, formatDate, formatNumber } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Icon } from "@/ui/icons";
import { Menu } from "@/ui/Menu";

export function ArtifactRow({ artifact }: { artifact: Artifact }) {
  const title = artifact.title || artifact.path;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 text-sm last:border-0">
      <span className="min-w-0 flex-1 truncate max-sm:basis-full">
        {title}
        <span className="figures ml-3 text-xs text-ink-3 max-sm:hidden">{artifact.path}</span>
      </span>
      {artifact.role && <Badge>{artifact.role}</Badge>}
      {artifact.pinned && <Badge tone="strong">pinned</Badge>}
      {artifact.score != null && (
        <span className="figures text-xs text-ink-2">score {formatNumber(artifact.score, 4)}</span>
      )}
      <span className="figures text-xs text-ink-2">{formatDate(artifact.created_at)}</span>
      <span className="figures w-20 text-right text-xs">{formatBytes(artifact.size)}</span>
      <Opening artifact={artifact} title={title} />
      <Doing artifact={artifact} title={title} />
    </li>
  );
}

const LINK = "grid size-8 place-items-center rounded-sm text-ink-2 hover:bg-sunken hover:text-ink";

/** A file is downloaded, a page elsewhere is opened, a folder is neither. */
function Opening({ artifact, title }: { artifact: Artifact; title: string }) {
  const url = typeof artifact.data?.url === "string" ? artifact.data.url : null;
  if (url)
    return (
      <a href={url} target="_blank" rel="noreferrer" aria-label={`Open ${title}`} className={LINK}>
        <Icon name="link" size={14} />
      </a>
    );
  if (["tensorboard", "wandb"].includes(artifact.kind)) return <span className="size-8" />;
  return (
    <a href={addressOf(artifact)} download aria-label={`Download ${title}`} className={LINK}>
      <Icon name="download" size={14} />
    </a>
  );
}

function Doing({ artifact, title }: { artifact: Artifact; title: string }) {
  const [isAsking, setAsking] = useState(false);
  const { togglePin, remove } = useArtifactActions(artifact);
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" label={`Actions for ${title}`} />}
        items={[
          {
            title: artifact.pinned ? "Unpin" : "Pin: never removed automatically",
            icon: "check",
            run: togglePin,
          },
          { title: "Delete…", icon: "close", danger: true, run: () => setAsking(true) },
        ]}
      />
      <Dialog open={isAsking} onOpenChange={setAsking} title={`Delete ${title}?`}>
        <div className="flex flex-col gap-4 p-5 text-sm">
          <p>The file is deleted permanently. This cannot be undone.</p>
          <div className="flex justify-end gap-3">
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button
              kind="danger"
              onClick={() => {
                setAsking(false);
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
