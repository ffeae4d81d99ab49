/** The routes. Each page validates its own search parameters (pages/<page>/search.ts) and is a separate chunk. */
import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from "@tanstack/react-router";
import { chunk } from "@/lib/chunks";
import { compareSearch } from "@/pages/compare/search";
import { datasetSearch } from "@/pages/dataset/search";
import { datasetsSearch } from "@/pages/datasets/search";
import { environmentsSearch } from "@/pages/environments/search";
import { labSearch } from "@/pages/lab/search";
import { pairSearch } from "@/pages/model-pair/search";
import { modelsSearch } from "@/pages/models/search";
import { playSearch } from "@/pages/play/search";
import { runSearch } from "@/pages/run/search";
import { runsSearch } from "@/pages/runs/search";
import { studiesSearch } from "@/pages/studies/search";
import { studySearch } from "@/pages/study/search";
import { workbenchSearch } from "@/pages/workbench/search";
import { EmptyState, ErrorState } from "@/ui/states";
import { PendingPage } from "./PendingPage";
import { Shell } from "./Shell";

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <EmptyState
      title="Page not found"
      action={
        <Link to="/" className="underline underline-offset-4">
          Go to the lab
        </Link>
      }
    >
      The address may be from another version of the lab.
    </EmptyState>
  ),
});

export const labRoute = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: labSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/lab/LabPage")),
    "LabPage",
  ),
});
export const runsRoute = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: runsSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/runs/RunsPage")),
    "RunsPage",
  ),
});
export const runRoute = createRoute({
  getParentRoute: () => root,
  path: "/runs/$runId",
  validateSearch: runSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/run/RunPage")),
    "RunPage",
  ),
});
export const studiesRoute = createRoute({
  getParentRoute: () => root,
  path: "/studies",
  validateSearch: studiesSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/studies/StudiesPage")),
    "StudiesPage",
  ),
});
export const studyRoute = createRoute({
  getParentRoute: () => root,
  path: "/studies/$studyId",
  validateSearch: studySearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/study/StudyPage")),
    "StudyPage",
  ),
});
export const modelsRoute = createRoute({
  getParentRoute: () => root,
  path: "/models",
  validateSearch: modelsSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/models/ModelsPage")),
    "ModelsPage",
  ),
});
export const modelPairRoute = createRoute({
  getParentRoute: () => root,
  path: "/models/compare",
  validateSearch: pairSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/model-pair/PairPage")),
    "PairPage",
  ),
});
export const modelRoute = createRoute({
  getParentRoute: () => root,
  path: "/models/$checkpointId",
  component: lazyRouteComponent(
    chunk(() => import("@/pages/model/ModelPage")),
    "ModelPage",
  ),
});
export const datasetsRoute = createRoute({
  getParentRoute: () => root,
  path: "/datasets",
  validateSearch: datasetsSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/datasets/DatasetsPage")),
    "DatasetsPage",
  ),
});
export const datasetRoute = createRoute({
  getParentRoute: () => root,
  path: "/datasets/$name",
  validateSearch: datasetSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/dataset/DatasetPage")),
    "DatasetPage",
  ),
});
export const compareRoute = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  validateSearch: compareSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/compare/ComparePage")),
    "ComparePage",
  ),
});
export const environmentsRoute = createRoute({
  getParentRoute: () => root,
  path: "/environments",
  validateSearch: environmentsSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/environments/EnvironmentsPage")),
    "EnvironmentsPage",
  ),
});
export const playRoute = createRoute({
  getParentRoute: () => root,
  path: "/play",
  validateSearch: playSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/play/PlayPage")),
    "PlayPage",
  ),
});
export const sessionRoute = createRoute({
  getParentRoute: () => root,
  path: "/play/$runId",
  component: lazyRouteComponent(
    chunk(() => import("@/pages/play/session/SessionPage")),
    "SessionPage",
  ),
});
export const workbenchRoute = createRoute({
  getParentRoute: () => root,
  path: "/workbench",
  validateSearch: workbenchSearch,
  component: lazyRouteComponent(
    chunk(() => import("@/pages/workbench/WorkbenchPage")),
    "WorkbenchPage",
  ),
});
export const systemRoute = createRoute({
  getParentRoute: () => root,
  path: "/system",
  component: lazyRouteComponent(
    chunk(() => import("@/pages/system/SystemPage")),
    "SystemPage",
  ),
});

export const queueRoute = createRoute({
  getParentRoute: () => root,
  path: "/queue",
  component: lazyRouteComponent(
    chunk(() => import("@/pages/queue/QueuePage")),
    "QueuePage",
  ),
});

export const welcomeRoute = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: lazyRouteComponent(
    chunk(() => import("@/pages/welcome/WelcomePage")),
    "WelcomePage",
  ),
});
const docsPage = lazyRouteComponent(
  chunk(() => import("@/pages/docs/DocsPage")),
  "DocsPage",
);
export const docsRoute = createRoute({ getParentRoute: () => root, path: "/docs", component: docsPage });
/** Pages have names with a slash: /docs/howto/install. */
export const docRoute = createRoute({ getParentRoute: () => root, path: "/docs/$", component: docsPage });

export const router = createRouter({
  routeTree: root.addChildren([
    labRoute,
    runsRoute,
    runRoute,
    studiesRoute,
    studyRoute,
    modelsRoute,
    modelPairRoute,
    modelRoute,
    datasetsRoute,
    datasetRoute,
    compareRoute,
    environmentsRoute,
    playRoute,
    sessionRoute,
    workbenchRoute,
    systemRoute,
    queueRoute,
    welcomeRoute,
    docsRoute,
    docRoute,
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingMs: 300,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
