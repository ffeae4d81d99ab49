/** Code that is open: the editor, what the check says, its versions. */
import type { ReactNode } from "react";
import { CodeEditor } from "@/panels/code-editor/CodeEditor";
import type { Word } from "@/panels/code-editor/words";
import { Panel } from "@/ui/Panel";
import { CheckPanel } from "./CheckPanel";
import { CodeDialogs } from "./CodeDialogs";
import type { CodeDeskState } from "./use-code-desk";
import { VersionsPanel } from "./VersionsPanel";

export interface CodeDeskProps {
  desk: CodeDeskState;
  words: readonly Word[];
  /** What it was tried on: "steps of CartPole-v1". */
  triedOn: string;
  mostLines?: number;
  header: ReactNode;
  /** Below the editor. */
  children?: ReactNode;
}

export function CodeDesk({ desk, words, triedOn, mostLines, header, children }: CodeDeskProps) {
  const { kind, code, version, title, draft, checking } = desk;
  return (
    <div className="flex flex-col gap-4">
      {header}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel title={title} flush className="overflow-hidden">
          <CodeEditor
            label={`Code of ${title}`}
            file={desk.draftKey}
            value={draft.source}
            onChange={draft.setSource}
            remarks={checking.remarks}
            words={words}
            jump={desk.jump}
            onSave={desk.askSave}
            onCheck={checking.checkNow}
            mostLines={mostLines}
          />
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <CheckPanel kind={kind} checking={checking} triedOn={triedOn} onLine={desk.onLine} />
          {code && version && (
            <VersionsPanel
              code={code}
              shown={version}
              source={draft.source}
              onVersion={(next) => desk.onOpen({ name: code.name, version: next })}
              onDelete={(which) => desk.ask({ what: "delete", code, version: which })}
            />
          )}
        </div>
      </div>
      {children}
      <CodeDialogs
        kind={kind}
        asked={desk.asked}
        known={desk.known.data ?? null}
        onClose={() => desk.ask(null)}
        onSaved={desk.onSaved}
        onRenamed={desk.onRenamed}
        onDeleted={desk.onDeleted}
      />
    </div>
  );
}
