/** The code that a training learns from, as its folder has it, and the way to change it and run again. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Code, CodeChoice, CodeVersion, Run } from "@/api/types";
import { rewardOf, runRewardQuery } from "@/entities/codes/run-reward";
import { spellCode, versionOfCode } from "@/entities/codes/words";
import { CodeEditor } from "@/panels/code-editor/CodeEditor";
import { ListProblem } from "@/panels/saved-code/ListProblem";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { ReplaceDraftDialog } from "./ReplaceDraftDialog";
import { useEditReward, useSavedReward } from "./use-edit-reward";

export function RewardPanel({ run }: { run: Run }) {
  const reward = rewardOf(run);
  return reward && <Reward run={run} reward={reward} />;
}

function Reward({ run, reward }: { run: Run; reward: CodeChoice }) {
  const kept = useQuery(runRewardQuery(run.id));
  const { codes, saved } = useSavedReward(run);
  const editing = useEditReward(run, saved);
  const title = spellCode(reward);
  const isLoading = kept.isPending || codes.isPending;
  const isUnknown = !saved && (kept.isError || codes.isError);
  return (
    <Panel
      title={`Reward ${title}`}
      flush
      className="overflow-hidden"
      actions={
        <Button
          small
          icon="reset"
          reason={isLoading ? "It is loading." : isUnknown ? "It could not be loaded." : null}
          onClick={editing.edit}
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
      {codes.data && <SavedNote codes={codes.data} reward={reward} saved={saved} />}
      {codes.isLoadingError && (
        <div className="border-t px-4 py-2">
          <ListProblem what="saved rewards" query={codes} />
        </div>
      )}
      <ReplaceDraftDialog
        isOpen={editing.isAsking}
        onReplace={editing.replace}
        onKeep={editing.keep}
        onCancel={editing.cancel}
      />
    </Panel>
  );
}

interface SavedNoteProps {
  codes: readonly Code[];
  reward: CodeChoice;
  saved: CodeVersion | undefined;
}

/** Where these contents are saved, if not under the run's name and version. */
function SavedNote({ codes, reward, saved }: SavedNoteProps) {
  if (saved && spellCode(saved) === spellCode(reward)) return null;
  const code = codes.find(({ name }) => name === reward.name);
  const isReplaced = code && versionOfCode(code, reward.version);
  return (
    <p className="border-t px-4 py-2 text-xs text-ink-2">
      {saved && `It is saved as ${spellCode(saved)} now.`}
      {!saved &&
        isReplaced &&
        "Another text is saved under this name and version now; this is the run’s own copy."}
      {!saved && !isReplaced && "It is no longer saved; this is the run’s own copy. "}
      {!saved && code && !isReplaced && (
        <Link
          to="/workbench"
          search={{ tab: "rewards", name: code.name }}
          className="underline underline-offset-4"
        >
          Its other versions
        </Link>
      )}
    </p>
  );
}
