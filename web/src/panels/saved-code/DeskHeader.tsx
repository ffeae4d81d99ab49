/** Which code is open, whether it is saved, and what can be done with it. */
import type { ReactNode } from "react";
import { Button, IconButton } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { UnsavedNote } from "./UnsavedNote";
import { type CodeDeskState, whyNotSave } from "./use-code-desk";

export interface DeskHeaderProps {
  desk: CodeDeskState;
  /** The title of the list: "All rewards". */
  all: string;
  /** Before the buttons that save: what it can be used for. */
  actions?: ReactNode;
  /** Next to the way back: the environment. */
  children?: ReactNode;
}

export function DeskHeader({ desk, all, actions, children }: DeskHeaderProps) {
  const { code, version, draft, title } = desk;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button kind="quiet" icon="left" className="-ml-3" onClick={() => desk.onOpen({})}>
        {all}
      </Button>
      {children}
      <UnsavedNote draft={draft} isSaved={version !== null} />
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0">
        {actions}
        <Button kind="primary" reason={whyNotSave(desk)} title="Ctrl-S in the editor" onClick={desk.askSave}>
          {version ? "Save a version" : "Save"}
        </Button>
        {code && (
          <Menu
            trigger={<IconButton icon="more" label={`Actions for ${title}`} />}
            items={[
              {
                title: desk.kind === "environment" ? "Change its note…" : "Rename…",
                icon: "note",
                run: () => desk.ask({ what: "rename", code }),
              },
              {
                title: "Delete all versions…",
                icon: "close",
                danger: true,
                run: () => desk.ask({ what: "delete", code, version: null }),
              },
            ]}
          />
        )}
      </div>
    </div>
  );
}
