/** Which environment is open, whether it is saved, and what can be done with it. */
import { UnsavedNote } from "@/panels/saved-code/UnsavedNote";
import type { CodeDraft } from "@/panels/saved-code/use-code-draft";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { Menu } from "@/ui/Menu";

export interface EnvironmentHeaderProps {
  title: string;
  draft: CodeDraft;
  /** Its id in the catalogue; null for a wrapper, and for code that does not work. */
  envId: string | null;
  isSaved: boolean;
  onBack: () => void;
  onSave: () => void;
  onTrain: () => void;
  onPlay: () => void;
  onDelete: () => void;
}

export function EnvironmentHeader(props: EnvironmentHeaderProps) {
  const { title, draft, envId, isSaved } = props;
  const whyNot = whyNotUse(props);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button kind="quiet" icon="left" className="-ml-3" onClick={props.onBack}>
        All your environments
      </Button>
      {envId && <Badge>{envId}</Badge>}
      <UnsavedNote draft={draft} isSaved={isSaved} />
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0">
        <Button icon="play" reason={whyNot} onClick={props.onTrain}>
          Train in it
        </Button>
        <Button reason={whyNot} onClick={props.onPlay}>
          Play
        </Button>
        <Button
          kind="primary"
          reason={isSaved && !draft.isChanged ? "Nothing has changed since it was saved." : null}
          title="Ctrl-S in the editor"
          onClick={props.onSave}
        >
          {isSaved ? "Save a version" : "Save"}
        </Button>
        {isSaved && (
          <Menu
            trigger={<IconButton icon="more" label={`Actions for ${title}`} />}
            items={[{ title: "Delete all versions…", icon: "close", danger: true, run: props.onDelete }]}
          />
        )}
      </div>
    </div>
  );
}

function whyNotUse({ isSaved, draft, envId }: EnvironmentHeaderProps): string | null {
  if (!isSaved) return "Save it first.";
  if (draft.isChanged) return "Save your changes first.";
  return envId === null ? "It is a wrapper, or does not work yet; see the check." : null;
}
