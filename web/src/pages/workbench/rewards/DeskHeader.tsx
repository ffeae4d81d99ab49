/** Which reward is open, whether it is saved, and what can be done with it. */
import { UnsavedNote } from "@/panels/saved-code/UnsavedNote";
import type { CodeDraft } from "@/panels/saved-code/use-code-draft";
import { Button, IconButton } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { EnvironmentSelect } from "./EnvironmentSelect";

export interface DeskHeaderProps {
  title: string;
  draft: CodeDraft;
  isSaved: boolean;
  /** What the check says; null while it is not known. */
  isUsable: boolean | null;
  onBack: () => void;
  onSave: () => void;
  onTrain: () => void;
  onRename: () => void;
  onDelete: () => void;
}

export function DeskHeader(props: DeskHeaderProps) {
  const { title, draft, isSaved } = props;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button kind="quiet" icon="left" className="-ml-3" onClick={props.onBack}>
        All rewards
      </Button>
      <div className="w-56 max-sm:w-full">
        <EnvironmentSelect value={draft.envId} onChange={draft.setEnvId} />
      </div>
      <UnsavedNote draft={draft} isSaved={isSaved} />
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0">
        <Button
          icon="play"
          reason={whyNotTrain(props)}
          title={`Opens the form of a training with ${title}`}
          onClick={props.onTrain}
        >
          Train with it
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
            items={[
              { title: "Rename…", icon: "note", run: props.onRename },
              { title: "Delete all versions…", icon: "close", danger: true, run: props.onDelete },
            ]}
          />
        )}
      </div>
    </div>
  );
}

function whyNotTrain({ isSaved, draft, isUsable }: DeskHeaderProps): string | null {
  if (!isSaved) return "Save it first.";
  if (draft.isChanged) return "Save your changes first.";
  return isUsable === false ? "It does not work yet; see the check." : null;
}
