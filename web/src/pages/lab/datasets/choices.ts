/** Which datasets the form offers. Pure. */
import type { Dataset, DatasetVersion } from "@/api/types";
import { readSpelled, versionOf } from "@/entities/datasets/words";
import type { Offer } from "@/entities/runners/offers";

/** Those with a version, whose name or environment has every word. */
export function filterDatasets(datasets: readonly Dataset[], query: string): Dataset[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return datasets.filter(({ name, versions }) => {
    const text = `${name} ${versions[0]?.env_id}`.toLowerCase();
    return versions.length > 0 && words.every((word) => text.includes(word));
  });
}

/** The version that a link spells; undefined when there is none. */
export function chosenVersion(datasets: readonly Dataset[], spelled: string): DatasetVersion | undefined {
  const { name, version } = readSpelled(spelled);
  const dataset = datasets.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return dataset && versionOf(dataset, version);
}

/** Why the algorithm cannot learn from it; null when it can. */
export function whyNotDataset(version: DatasetVersion, { algorithm }: Offer): string | null {
  if (version.integrity === "damaged" || version.integrity === "missing")
    return version.integrity_message || "Its files are damaged.";
  const kind = actionKind(version);
  if (kind === null || algorithm.action_kinds.includes(kind)) return null;
  return `${algorithm.name} needs ${algorithm.action_kinds.join(" or ")} actions; it has ${kind} ones.`;
}

/** The newest versions that the replay buffer of a learner in this environment can begin with. */
export function prefillVersions(datasets: readonly Dataset[], envId: string, offer: Offer): DatasetVersion[] {
  return datasets
    .flatMap(({ versions }) => versions.slice(0, 1))
    .filter((one) => one.env_id === envId && whyNotDataset(one, offer) === null);
}

function actionKind({ action_space: space }: DatasetVersion): "discrete" | "continuous" | null {
  const kind = String(space.type ?? space.kind ?? "").toLowerCase();
  if (kind === "discrete") return "discrete";
  return kind === "box" ? "continuous" : null;
}
