/** Evaluation code: the editor, what the check says, its versions, and its numbers on recorded episodes. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Code, CodeVersion } from "@/api/types";
import { draftKey } from "@/entities/codes/drafts";
import { codesQuery } from "@/entities/codes/queries";
import { spellCode } from "@/entities/codes/words";
import { environmentsQuery } from "@/entities/environments/queries";
import { EnvironmentSelect } from "@/pages/workbench/rewards/EnvironmentSelect";
import { CodeEditor } from "@/panels/code-editor/CodeEditor";
import { CheckPanel } from "@/panels/saved-code/CheckPanel";
import { type AskedCode, CodeDialogs } from "@/panels/saved-code/CodeDialogs";
import { useCodeCheck } from "@/panels/saved-code/use-code-check";
import { useCodeDraft } from "@/panels/saved-code/use-code-draft";
import { VersionsPanel } from "@/panels/saved-code/VersionsPanel";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { evaluationWords, FIRST_CODE } from "./evaluation-words";
import type { OpenedFrom } from "./opened-from";
import { PreviewPanel } from "./PreviewPanel";

export interface EvaluationCodeDeskProps extends OpenedFrom {
  /** Both null for code that is not saved yet. */
  code: Code | null;
  version: CodeVersion | null;
}

const NEW = { source: FIRST_CODE, env_id: "" };

export function EvaluationCodeDesk({ code, version, runId, onOpen }: EvaluationCodeDeskProps) {
  const saved = useMemo(
    () => (code && version ? { source: version.source, env_id: code.env_id } : NEW),
    [code, version],
  );
  const draft = useCodeDraft(draftKey("evaluation", code?.name ?? null, version?.version ?? null), saved);
  const tried = { source: draft.source, env_id: draft.envId, run_ids: runId ? [runId] : [] };
  const checking = useCodeCheck("evaluation", tried);
  const environment = useQuery(environmentsQuery).data?.find(({ id }) => id === draft.envId);
  const known = useQuery(codesQuery("evaluation")).data ?? [];
  const [asked, setAsked] = useState<AskedCode | null>(null);
  const [jump, setJump] = useState<{ line: number } | null>(null);
  const title = version ? spellCode(version) : "New evaluation code";
  const save = () =>
    setAsked({ what: "save", source: draft.source, envId: draft.envId, name: code?.name ?? null });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="quiet" icon="left" className="-ml-3" onClick={() => onOpen({})}>
          All evaluation code
        </Button>
        <div className="w-56 max-sm:w-full">
          <EnvironmentSelect value={draft.envId} onChange={draft.setEnvId} />
        </div>
        {draft.isChanged && <Badge tone="warn">unsaved changes</Badge>}
        <div className="ml-auto flex gap-2 max-sm:ml-0">
          {code && (
            <Button kind="quiet" onClick={() => setAsked({ what: "delete", code, version: null })}>
              Delete
            </Button>
          )}
          <Button
            kind="primary"
            reason={version && !draft.isChanged ? "Nothing has changed since it was saved." : null}
            onClick={save}
          >
            {version ? "Save a version" : "Save"}
          </Button>
        </div>
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel title={title} flush className="overflow-hidden">
          <CodeEditor
            label={`Code of ${title}`}
            value={draft.source}
            onChange={draft.setSource}
            remarks={(checking.check ?? checking.stale)?.remarks}
            words={evaluationWords(environment)}
            jump={jump}
            onSave={save}
            onCheck={checking.checkNow}
          />
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <CheckPanel checking={checking} triedOn="recorded episodes" onLine={(line) => setJump({ line })} />
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
      <PreviewPanel
        source={draft.source}
        envId={draft.envId}
        runId={runId}
        onLine={(line) => setJump({ line })}
      />
      <CodeDialogs
        kind="evaluation"
        asked={asked}
        known={known}
        onClose={() => setAsked(null)}
        onSaved={(made) => {
          setAsked(null);
          draft.discard();
          onOpen({ name: made.name, version: made.version });
        }}
        onRenamed={(name) => onOpen({ name })}
        onDeleted={(which) => onOpen(which === null || !code ? {} : { name: code.name })}
      />
    </div>
  );
}
