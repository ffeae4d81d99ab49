/** One reward: its code, what the check says, its versions, and the bench. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Code, CodeVersion } from "@/api/types";
import { draftKey } from "@/entities/codes/drafts";
import { codesQuery } from "@/entities/codes/queries";
import { spellCode } from "@/entities/codes/words";
import { environmentsQuery } from "@/entities/environments/queries";
import { CodeEditor } from "@/panels/code-editor/CodeEditor";
import { rewardWords } from "@/panels/code-editor/words";
import { CheckPanel } from "@/panels/saved-code/CheckPanel";
import { type AskedCode, CodeDialogs } from "@/panels/saved-code/CodeDialogs";
import { useCodeCheck } from "@/panels/saved-code/use-code-check";
import { useCodeDraft } from "@/panels/saved-code/use-code-draft";
import { VersionsPanel } from "@/panels/saved-code/VersionsPanel";
import { Panel } from "@/ui/Panel";
import { BenchPanel } from "./bench/BenchPanel";
import { DeskHeader } from "./DeskHeader";
import type { Opening } from "./opening";

export interface RewardDeskProps extends Opening {
  /** Both null for a reward that is not saved yet. */
  code: Code | null;
  version: CodeVersion | null;
}

const NOTHING = { source: "", env_id: "" };

export function RewardDesk({ code, version, runId, onOpen }: RewardDeskProps) {
  const saved = useMemo(
    () => (code && version ? { source: version.source, env_id: code.env_id } : NOTHING),
    [code, version],
  );
  const draft = useCodeDraft(draftKey("reward", code?.name ?? null, version?.version ?? null), saved);
  const checking = useCodeCheck("reward", {
    source: draft.source,
    env_id: draft.envId,
    run_ids: runId ? [runId] : [],
  });
  const environment = useQuery(environmentsQuery).data?.find(({ id }) => id === draft.envId);
  const words = useMemo(() => rewardWords(environment), [environment]);
  const known = useQuery(codesQuery("reward")).data ?? [];
  const [asked, setAsked] = useState<AskedCode | null>(null);
  const [jump, setJump] = useState<{ line: number } | null>(null);
  const navigate = useNavigate();
  const save = () =>
    setAsked({ what: "save", source: draft.source, envId: draft.envId, name: code?.name ?? null });
  const train = () =>
    version &&
    void navigate({
      to: "/",
      search: { env: draft.envId || undefined, reward: spellCode(version) },
    });
  const title = code && version ? spellCode(version) : "New reward";
  return (
    <div className="flex flex-col gap-4">
      <DeskHeader
        title={title}
        draft={draft}
        isSaved={version !== null}
        isUsable={checking.check?.is_usable ?? null}
        onBack={() => onOpen({})}
        onSave={save}
        onTrain={train}
        onRename={() => code && setAsked({ what: "rename", code })}
        onDelete={() => code && setAsked({ what: "delete", code, version: null })}
      />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel title={title} flush className="overflow-hidden">
          <CodeEditor
            label={`Code of ${title}`}
            value={draft.source}
            onChange={draft.setSource}
            remarks={(checking.check ?? checking.stale)?.remarks}
            words={words}
            jump={jump}
            onSave={save}
            onCheck={checking.checkNow}
          />
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <CheckPanel
            checking={checking}
            triedOn={triedOn(runId, draft.envId)}
            onLine={(line) => setJump({ line })}
          />
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
      <BenchPanel
        open={{ source: draft.source, envId: draft.envId, isChanged: draft.isChanged, version }}
        known={known}
        runId={runId}
      />
      <CodeDialogs
        kind="reward"
        asked={asked}
        known={known}
        onClose={() => setAsked(null)}
        onSaved={(made) => {
          setAsked(null);
          draft.discard();
          onOpen({ name: made.name, version: made.version });
        }}
        onRenamed={(name) => onOpen({ name, version: version?.version })}
        onDeleted={(which) => onOpen(which === null || !code ? {} : { name: code.name })}
      />
    </div>
  );
}

function triedOn(runId: string | null, envId: string): string {
  if (runId) return `recorded steps of ${runId}`;
  return envId ? `steps of ${envId}` : "steps";
}
