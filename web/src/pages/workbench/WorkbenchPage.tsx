/** What users write themselves: rewards, evaluation code, environments, metrics. One tab each. */
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { chunk } from "@/lib/chunks";
import { Arriving } from "@/ui/states";
import { Tabs } from "@/ui/Tabs";
import type { WorkbenchTab } from "./search";

/** Only tabs with content are listed. */
const TABS = [
  { id: "rewards", title: "Rewards", Content: lazy(chunk(() => import("./rewards/RewardsTab"))) },
  { id: "evaluation", title: "Evaluation", Content: lazy(chunk(() => import("./evaluation/EvaluationTab"))) },
  {
    id: "environments",
    title: "Environments",
    Content: lazy(chunk(() => import("./environments/EnvironmentsTab"))),
  },
  { id: "metrics", title: "Metrics", Content: lazy(chunk(() => import("./metrics/MetricsTab"))) },
] as const satisfies readonly { id: WorkbenchTab; title: string; Content: React.ComponentType }[];

const route = getRouteApi("/workbench");

export function WorkbenchPage() {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = TABS.find(({ id }) => id === tab) ?? TABS[0];
  return (
    <div className="container-page flex flex-col gap-3 py-4 sm:py-6">
      <h1 className="title">Workbench</h1>
      <Tabs
        label="What you write yourself"
        tabs={TABS.map(({ id, title, Content }) => ({
          id,
          title,
          content: (
            <Suspense fallback={<Arriving />}>
              <Content />
            </Suspense>
          ),
        }))}
        value={shown.id}
        onChange={(id) => void navigate({ search: { tab: id } })}
      />
    </div>
  );
}
