/** One environment of one's own: its code, what the check says, its versions. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Code, CodeVersion } from "@/api/types";
import { draftKey } from "@/entities/codes/drafts";
import { codesQuery } from "@/entities/codes/queries";
import { spellCode } from "@/entities/codes/words";
import { CodeEditor } from "@/panels/code-editor/CodeEditor";
import { environmentWords } from "@/panels/code-editor/words";
import { CheckPanel } from "@/panels/saved-code/CheckPanel";
import { type AskedCode, CodeDialogs } from "@/panels/saved-code/CodeDialogs";
import { useCodeCheck } from "@/panels/saved-code/use-code-check";
import { useCodeDraft } from "@/panels/saved-code/use-code-draft";
import { VersionsPanel } from "@/panels/saved-code/VersionsPanel";
import { Panel } from "@/ui/Panel";
import { EnvironmentHeader } from "./EnvironmentHeader";
import type { OpensEnvironment } from "./opening";

export interface EnvironmentDeskProps extends OpensEnvironment {
  /** Both null for an environment that is not saved yet. */
  code: Code | null;
  version: CodeVersion | null;
}

const NOTHING = { source: "", env_id: "" };
/** Trying an environment takes seconds of a processor, so a longer pause of the keys is waited for. */
const QUIET_MS = 2500;
const WORDS = environmentWords();

export function EnvironmentDesk({ code, version, onOpen }: EnvironmentDeskProps) {
  const saved = useMemo(
    () => (code && version ? { source: version.source, env_id: code.env_id } : NOTHING),
    [code, version],
  );
  const draft = useCodeDraft(draftKey("environment", code?.name ?? null, version?.version ?? null), saved);
  const tried = { source: draft.source, env_id: draft.envId };
  const checking = useCodeCheck("environment", tried, QUIET_MS);
  const known = useQuery(codesQuery("environment")).data ?? [];
  const [asked, setAsked] = useState<AskedCode | null>(null);
  const [jump, setJump] = useState<{ line: number } | null>(null);
  const navigate = useNavigate();
  const save = () =>
    setAsked({ what: "save", source: draft.source, envId: draft.envId, name: code?.name ?? null });
  const title = version ? spellCode(version) : "New environment";
  const envId = version?.check?.environment?.id;
  return (
    <div className="flex flex-col gap-4">
      <EnvironmentHeader
        title={title}
        draft={draft}
        envId={envId ?? null}
        isSaved={version !== null}
        onBack={() => onOpen({})}
        onSave={save}
        onTrain={() => void navigate({ to: "/", search: { env: envId } })}
        onPlay={() => void navigate({ to: "/play", search: { env: envId } })}
        onDelete={() => code && setAsked({ what: "delete", code, version: null })}
      />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel title={title} flush className="overflow-hidden">
          <CodeEditor
            label={`Code of ${title}`}
            value={draft.source}
            onChange={draft.setSource}
            remarks={(checking.check ?? checking.stale)?.remarks.filter(({ line }) => line !== null)}
            words={WORDS}
            jump={jump}
            onSave={save}
            onCheck={checking.checkNow}
            mostLines={40}
          />
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <CheckPanel checking={checking} triedOn="steps" onLine={(line) => setJump({ line })} />
          {code && version && (
            <VersionsPanel
              code={code}
              shown={version}
              source={draft.source}
              onVersion={(next) => onOpen({ name: code.name, version: next })}
              onDelete={(which) => setAsked({ what: "delete", code, version: which })}
            />
          )}
        </div>
      </div>
      <CodeDialogs
        kind="environment"
        asked={asked}
        known={known}
        onClose={() => setAsked(null)}
        onSaved={(made) => {
          setAsked(null);
          draft.discard();
          onOpen({ name: made.name, version: made.version });
        }}
        onRenamed={() => undefined}
        onDeleted={(which) => onOpen(which === null || !code ? {} : { name: code.name })}
      />
    </div>
  );
}
