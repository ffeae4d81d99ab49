/** The code that a training learns from, as its folder has it, and the way to change it and run again. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { draftKey, keepDraft } from "@/entities/codes/drafts";
import { codesQuery } from "@/entities/codes/queries";
import { rewardOf, runRewardQuery } from "@/entities/codes/run-reward";
import { spellCode, versionOfCode } from "@/entities/codes/words";
import { CodeEditor } from "@/panels/code-editor/CodeEditor";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";

export function RewardPanel({ run }: { run: Run }) {
  const reward = rewardOf(run);
  const kept = useQuery({ ...runRewardQuery(run.id), enabled: reward !== null });
  const codes = useQuery({ ...codesQuery("reward"), enabled: reward !== null });
  const navigate = useNavigate();
  if (!reward) return null;
  const code = codes.data?.find(({ name }) => name === reward.name);
  const saved = code && versionOfCode(code, reward.version);
  const isSaved = saved?.sha256 === reward.sha256;
  const title = spellCode(reward);
  const edit = () => {
    if (isSaved) return open(reward.name, reward.version ?? undefined);
    // The saved one was deleted or replaced: the run's copy is opened as something new.
    if (kept.data)
      keepDraft(draftKey("reward", null, null), { source: kept.data.source, env_id: run.env_id ?? "" });
    return open("new");
  };
  const open = (name: string, version?: number) =>
    void navigate({ to: "/workbench", search: { tab: "rewards", name, version, run: run.id } });
  return (
    <Panel
      title={`Reward ${title}`}
      flush
      className="overflow-hidden"
      actions={
        <Button
          small
          icon="reset"
          reason={kept.isPending || codes.isPending ? "It is loading." : null}
          onClick={edit}
        >
          Edit and run
        </Button>
      }
    >
      {kept.isPending && (
        <div className="p-4">
          <Loading lines={4} />
        </div>
      )}
      {kept.isError && <ErrorState error={kept.error} onRetry={() => void kept.refetch()} />}
      {kept.data && (
        <CodeEditor label={`Code of ${title}`} value={kept.data.source} leastLines={4} mostLines={24} />
      )}
      {codes.isSuccess && !isSaved && (
        <p className="border-t px-4 py-2 text-xs text-ink-2">
          {saved
            ? "Another text is saved under this name and version now; this is the run’s own copy."
            : "It is no longer saved; this is the run’s own copy. "}
          {code && !saved && (
            <Link
              to="/workbench"
              search={{ tab: "rewards", name: code.name }}
              className="underline underline-offset-4"
            >
              Its other versions
            </Link>
          )}
        </p>
      )}
    </Panel>
  );
}
