/** One file: what it is, how large, and what can be done with it; videos and pictures open below it. */

import { useState } from "react";
import type { Artifact, Run } from "@/api/types";
import { returnText } from "@/entities/artifacts/checkpoints";
import { addressOf, downloadOf } from "@/entities/artifacts/queries";
import { shownAs, titleOf } from "@/entities/artifacts/title";
import { formatBytes, formatDate } from "@/lib/format";
import { VideoPlayer } from "@/panels/video/VideoPlayer";
import { Badge } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { Icon } from "@/ui/icons";
import { ArtifactMenu } from "./ArtifactMenu";

export interface ArtifactRowProps {
  run: Run;
  artifact: Artifact;
  /** An evaluation of a checkpoint was started here. */
  onTested: (evaluation: Run) => void;
}

export function ArtifactRow({ run, artifact, onTested }: ArtifactRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const title = titleOf(artifact);
  const shown = shownAs(artifact);
  const measured = returnText(artifact);
  return (
    <li className="border-b last:border-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm">
        <span className="min-w-0 flex-1 truncate max-sm:basis-full">
          {title}
          {artifact.path !== title && (
            <span className="figures ml-3 text-xs text-ink-3 max-sm:hidden">{artifact.path}</span>
          )}
        </span>
        {artifact.role && <Badge>{artifact.role}</Badge>}
        {artifact.pinned && <Badge tone="strong">pinned</Badge>}
        {(artifact.tags ?? []).map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {measured && <span className="figures text-xs text-ink-2">{measured}</span>}
        <span className="figures text-xs text-ink-2">{formatDate(artifact.created_at)}</span>
        <span className="figures text-right sm:w-20 text-xs">{formatBytes(artifact.size)}</span>
        <div className="ml-auto flex items-center gap-1">
          {shown && (
            <IconButton
              icon={isOpen ? "close" : "play"}
              label={isOpen ? `Close ${title}` : `${shown === "video" ? "Play" : "Show"} ${title}`}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            />
          )}
          <Opening artifact={artifact} title={title} />
          <ArtifactMenu run={run} artifact={artifact} title={title} onTested={onTested} />
        </div>
      </div>
      {artifact.note && <p className="px-4 pb-2 text-xs text-pretty text-ink-2">{artifact.note}</p>}
      {isOpen && (
        <div className="mx-auto max-w-3xl px-4 pb-4">
          <div className="overflow-hidden rounded-sm border">
            <VideoPlayer
              src={addressOf(artifact)}
              download={downloadOf(artifact)}
              label={title}
              isGif={shown === "picture"}
            />
          </div>
        </div>
      )}
    </li>
  );
}

const LINK = "grid size-8 place-items-center rounded-sm text-ink-2 hover:bg-sunken hover:text-ink";

/** A file is downloaded, a page elsewhere is opened, a folder is neither. */
function Opening({ artifact, title }: { artifact: Artifact; title: string }) {
  const url = typeof artifact.data?.url === "string" ? artifact.data.url : null;
  if (url)
    return (
      <a
        href={url}
        target="_blank"
        rel="noreferrer noopener"
        aria-label={`Open ${title}`}
        title={`${new URL(url).host}, according to the script`}
        className={LINK}
      >
        <Icon name="link" size={14} />
      </a>
    );
  if (["tensorboard", "wandb"].includes(artifact.kind)) return <span className="size-8" />;
  return (
    <a href={downloadOf(artifact)} download aria-label={`Download ${title}`} className={LINK}>
      <Icon name="download" size={14} />
    </a>
  );
}
