/** The tabs of a run by its kind; each is a separate chunk, loaded when it is opened. */
import { type ComponentType, lazy } from "react";
import type { Run } from "@/api/types";
import type { Capabilities } from "@/entities/runs/use-capabilities";
import { chunk } from "@/lib/chunks";
import type { RunTab } from "./search";
import type { TabProps } from "./tab";

export interface RunTabOf {
  id: RunTab;
  title: string;
  content: ComponentType<TabProps>;
}

const overview = lazy(chunk(() => import("./OverviewTab")));
const charts = lazy(chunk(() => import("./ChartsTab")));
const config = lazy(chunk(() => import("./ConfigTab")));
const episodes = lazy(chunk(() => import("@/pages/run/episodes/EpisodesTab")));
const evaluations = lazy(chunk(() => import("@/pages/run/evaluations/EvaluationsTab")));
const artifacts = lazy(chunk(() => import("@/pages/run/artifacts/ArtifactsTab")));
const events = lazy(chunk(() => import("./EventsTab")));
const log = lazy(chunk(() => import("./LogTab")));

const ALL: readonly RunTabOf[] = [
  { id: "overview", title: "Overview", content: overview },
  { id: "charts", title: "Charts", content: charts },
  { id: "episodes", title: "Episodes", content: episodes },
  { id: "evaluations", title: "Evaluations", content: evaluations },
  { id: "config", title: "Config", content: config },
  { id: "artifacts", title: "Artifacts", content: artifacts },
  { id: "events", title: "Events", content: events },
  { id: "log", title: "Log", content: log },
];

const TRAINING_ONLY: readonly RunTab[] = ["charts", "evaluations"];

export function tabsOf(run: Run, capabilities: Capabilities | undefined): readonly RunTabOf[] {
  // A job on datasets plays no episodes of its own.
  if (run.kind === "dataset")
    return ALL.filter((tab) => tab.id !== "episodes" && !TRAINING_ONLY.includes(tab.id));
  // Its recorded episodes can be measured.
  if (run.kind === "play") return ALL.filter((tab) => tab.id !== "charts");
  if (run.kind !== "train") return ALL.filter((tab) => !TRAINING_ONLY.includes(tab.id));
  return capabilities && !capabilities.evaluate && !capabilities.own_classes
    ? ALL.filter((tab) => tab.id !== "evaluations")
    : ALL;
}
