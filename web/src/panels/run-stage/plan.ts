/** What the stage of a run shows: its newest episode, the best of an ended one in a loop, or why nothing. Pure. */
import type { EpisodeRow, Run } from "@/api/types";
import { episodeTitle } from "@/entities/episodes/episode-title";
import { isOver } from "@/entities/runs/status";
import { trainConfigOf } from "@/entities/runs/words";
import { formatSigned } from "@/lib/format";

export interface StagePlan {
  title: string;
  /** Path of the frames; null: nothing is asked for. */
  path: string | null;
  /** Shown while there is no picture. */
  note: string;
  /** What a button on the empty stage does. */
  action: "turn on" | "play" | null;
  /** There will never be pictures: the curve takes the stage. */
  showsCurve: boolean;
}

export interface Wishes {
  /** The feed is switched on in this browser. */
  isOn: boolean;
  /** Nothing may play by itself, and nobody has pressed play. */
  isStill: boolean;
  /** The best recorded episode of an ended run; null when there is none, undefined while it is not known. */
  best: EpisodeRow | null | undefined;
}

export function stagePlan(run: Run, wishes: Wishes): StagePlan {
  const { isOn, isStill, best } = wishes;
  const hasEnded = isOver(run);
  const title = hasEnded && best ? bestTitle(best) : LIVE;
  const empty = { title, path: null, action: null, showsCurve: false };
  if (run.source) return { ...empty, title: "Scalars", note: adoptedNote(run), showsCurve: true };
  if (run.status === "created") return { ...empty, note: "This run has not been started." };
  if (hasEnded && best === null) {
    const showsCurve = run.progress.episodes > 0;
    return { ...empty, title: showsCurve ? "Curve" : title, note: unrecordedNote(run), showsCurve };
  }
  if (!isOn) return { ...empty, note: "The feed is off.", action: "turn on" };
  if (!hasEnded && trainConfigOf(run)?.feed === false) return { ...empty, note: WITHOUT_FEED };
  if (hasEnded && isStill) return { ...empty, note: title, action: "play" };
  return { ...empty, path: `/api/runs/${run.id}/frames`, note: waitingNote(run) };
}

const LIVE = "Live feed";
const WITHOUT_FEED =
  "This run was started without a live feed. Its best episode is shown here when it has ended.";

/** "Best episode 264 · +500" */
export const bestTitle = ({ episode, reward }: Pick<EpisodeRow, "episode" | "reward">): string =>
  `Best ${episodeTitle(episode).toLowerCase()} · ${formatSigned(reward)}`;

const adoptedNote = (run: Run): string =>
  `Scalars ${run.source?.is_followed ? "followed" : "read"} from a folder; no pictures.`;

function unrecordedNote({ progress, reason }: Run): string {
  if (progress.episodes > 0) return "No episode of this run was recorded.";
  if (progress.unit === "update")
    return "It learned from a dataset, without playing. Evaluate it to see it play.";
  return reason?.cause === "imported"
    ? "An imported model was trained elsewhere. Evaluate it to see it play."
    : "The run ended before its first episode.";
}

function waitingNote(run: Run): string {
  if (isOver(run)) return "The best episode is being opened.";
  if (run.status === "starting") return "The worker is being started.";
  if (run.progress.unit === "update") return learningNote(trainConfigOf(run)?.params.online_steps);
  return "The first episode appears here in a moment.";
}

/** `onlineSteps`: those that a training from a dataset has in the environment afterwards. */
const learningNote = (onlineSteps: unknown): string =>
  typeof onlineSteps === "number" && onlineSteps > 0
    ? "It learns from a dataset first. Its first episode appears here when it continues in the environment."
    : "It learns from a dataset, without playing. Evaluate it to see it play.";
