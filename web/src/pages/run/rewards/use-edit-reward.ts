/** *Edit and run*: opens the code of a run's reward in the Workbench. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { CodeVersion, Run } from "@/api/types";
import { draftKey, type KeptDraft, keepDraft, NEW_DRAFT, recallDraft } from "@/entities/codes/drafts";
import { codesQuery } from "@/entities/codes/queries";
import { rewardOf, runRewardQuery } from "@/entities/codes/run-reward";
import { findContents } from "@/entities/codes/words";

/** The saved reward that has the contents which the run learns from; undefined when there is none. */
export function useSavedReward(run: Run) {
  const reward = rewardOf(run);
  const codes = useQuery({ ...codesQuery("reward"), enabled: reward !== null });
  return { codes, saved: reward && codes.data ? findContents(codes.data, reward) : undefined };
}

/** `saved`: undefined when these contents are no longer saved. Then the run's copy is opened as something new. */
export function useEditReward(run: Run, saved: CodeVersion | undefined) {
  const navigate = useNavigate();
  const copy = useQuery(runRewardQuery(run.id)).data;
  const [isAsking, setAsking] = useState(false);
  const open = (name: string, version?: number) =>
    void navigate({ to: "/workbench", search: { tab: "rewards", name, version, run: run.id } });
  const openCopy = () => {
    if (copy) keepDraft(NEW_REWARD, { source: copy.source, env_id: run.env_id ?? "" });
    open(NEW_DRAFT);
  };
  const edit = () => {
    if (saved) open(saved.name, saved.version);
    else if (copy && isOtherText(recallDraft(NEW_REWARD), copy.source)) setAsking(true);
    else openCopy();
  };
  return {
    edit,
    /** A new reward that is not saved would be replaced. */
    isAsking,
    replace: openCopy,
    keep: () => open(NEW_DRAFT),
    cancel: () => setAsking(false),
  };
}

const NEW_REWARD = draftKey("reward", null, null);

/** Whether something would be lost. */
export const isOtherText = (draft: KeptDraft | null, source: string): boolean =>
  draft !== null && draft.source.trim() !== "" && draft.source !== source;
