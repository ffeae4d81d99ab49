/** What a file is called on the page. Pure. */
import type { Artifact } from "@/api/types";

/** Gymnasium's RecordVideo and Stable-Baselines3 name their videos by episode or step. */
const RECORDED = /^(?<name>.*?)-?(?<unit>episode|step)-(?<from>\d+)(-to-step-\d+)?\.(mp4|webm|gif)$/;

/** Its title; without one, the name of its file, or what that name means. */
export function titleOf(artifact: Pick<Artifact, "title" | "path">): string {
  if (artifact.title && artifact.title !== artifact.path) return artifact.title;
  const file = artifact.path.split("/").at(-1) ?? artifact.path;
  const recorded = RECORDED.exec(file)?.groups;
  return recorded ? `Video of ${recorded.unit} ${Number(recorded.from)}` : file;
}

/** How a browser can show it in place; null for a file that can only be saved. */
export function shownAs(artifact: Pick<Artifact, "media_type">): "video" | "picture" | null {
  if (/^video\/(mp4|webm)$/.test(artifact.media_type)) return "video";
  return /^image\/(png|jpeg|gif|webp)$/.test(artifact.media_type) ? "picture" : null;
}
