/** What is around every page: header, palette, key sheet, toasts; and the sign-in screen when not signed in. */

import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { session } from "@/api/session";
import { live, useLiveState } from "@/api/use-live";
import { useAlertNotices } from "@/entities/alerts/use-alert-notices";
import { useLiveRefresh } from "@/entities/live-refresh";
import { useNotifications } from "@/entities/notifications/use-notifications";
import { useLiveQueue } from "@/entities/queue/use-live-queue";
import { useLiveRuns } from "@/entities/runs/live-runs";
import { resumeDialog } from "@/entities/runs/use-resume";
import { chunk } from "@/lib/chunks";
import { listenToKeys, useKeys } from "@/lib/keys";
import { useStore } from "@/lib/store";
import { followSystemTheme, toggleTheme } from "@/lib/theme";
import { adoptDialog } from "@/panels/adopt-dialog/dialog";
import { newDatasetDialog, openNewDataset } from "@/panels/new-dataset/dialog";
import { newStudyDialog } from "@/panels/new-study/dialog";
import { consentDialog, openScriptDialog, scriptDialog } from "@/panels/script-dialog/dialogs";
import { longerDialog } from "@/panels/train-longer/dialog";
import { Boundary } from "@/ui/Boundary";
import { TooltipProvider } from "@/ui/Tooltip";
import { Toasts, toast } from "@/ui/toasts";
import { Header } from "./Header";
import { toggleNotifications } from "./notification-switch";
import { Palette } from "./Palette";
import { MORE_PAGES, PAGES } from "./pages";

const SignInScreen = lazy(chunk(() => import("./SignInScreen")));
const KeySheet = lazy(chunk(() => import("./KeySheet")));
const ScriptDialog = lazy(chunk(() => import("@/panels/script-dialog/ScriptDialog")));
const ConsentDialog = lazy(chunk(() => import("@/panels/script-dialog/ConsentDialog")));
const NewStudyDialog = lazy(chunk(() => import("@/panels/new-study/NewStudyDialog")));
const NewDatasetDialog = lazy(chunk(() => import("@/panels/new-dataset/NewDatasetDialog")));
const TrainLonger = lazy(chunk(() => import("@/panels/train-longer/TrainLonger")));
const ResumeDialog = lazy(chunk(() => import("@/panels/resume-dialog/ResumeDialog")));
const AdoptDialog = lazy(chunk(() => import("@/panels/adopt-dialog/AdoptDialog")));

export function Shell() {
  const state = useStore(session);
  useEffect(() => {
    if (state !== "open") return;
    live.connect();
    return () => live.close();
  }, [state]);
  useRefreshAfterLoss();
  useLiveRefresh();
  useEffect(followSystemTheme, []);
  useEffect(() => listenToKeys(), []);
  if (state === "closed")
    return (
      <Suspense>
        <SignInScreen />
      </Suspense>
    );
  return <TooltipProvider>{state === "open" && <Frame />}</TooltipProvider>;
}

function Frame() {
  const [searching, setSearching] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  const navigate = useNavigate();
  useLiveRuns();
  useLiveQueue();
  useNotifications((runId) => void navigate({ to: "/runs/$runId", params: { runId } }));
  useAlertNotices((runId) => void navigate({ to: "/runs/$runId", params: { runId } }));
  useKeys([
    {
      keys: "ctrl+k",
      title: "Search runs, actions and docs",
      group: "Everywhere",
      inFields: true,
      run: () => setSearching(true),
    },
    { keys: "?", title: "Show all keys", group: "Everywhere", run: () => setShowsKeys(true) },
    { keys: "t", title: "Switch between light and dark", group: "Everywhere", run: toggleTheme },
    {
      keys: "n",
      title: "Switch notifications about runs on or off",
      group: "Everywhere",
      run: () => void toggleNotifications(),
    },
    { keys: "x", title: "Run a script", group: "Everywhere", run: () => openScriptDialog() },
    {
      keys: "a",
      title: "Adopt a folder",
      group: "Everywhere",
      run: () => adoptDialog.set({ isOpen: true, folder: "" }),
    },
    { keys: "s", title: "New study", group: "Everywhere", run: () => newStudyDialog.set(true) },
    { keys: "d", title: "New dataset", group: "Everywhere", run: () => openNewDataset() },
    { keys: "y", title: "Copy a link to this view", group: "Everywhere", run: () => void copyLink() },
    ...[...PAGES, ...MORE_PAGES].map((page) => ({
      keys: page.keys,
      title: `Go to ${page.title}`,
      group: "Pages",
      run: () => void navigate({ to: page.to }),
    })),
  ]);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-3"
      >
        Skip to the page
      </a>
      <Header onSearch={() => setSearching(true)} onKeys={() => setShowsKeys(true)} />
      <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <Boundary what="This page">
          <Outlet />
        </Boundary>
      </main>
      <Palette open={searching} onOpenChange={setSearching} />
      <LazyDialogs />
      <Suspense>{showsKeys && <KeySheet open onOpenChange={setShowsKeys} />}</Suspense>
      <Toasts />
    </div>
  );
}

/** The code of a dialog is loaded when it is opened for the first time. */
function LazyDialogs() {
  const runsScript = useStore(scriptDialog).isOpen;
  const asks = useStore(consentDialog) !== null;
  const adopts = useStore(adoptDialog).isOpen;
  const makesStudy = useStore(newStudyDialog);
  const makesDataset = useStore(newDatasetDialog) !== null;
  const trainsLonger = useStore(longerDialog) !== null;
  const resumes = useStore(resumeDialog) !== null;
  return (
    <Suspense>
      {runsScript && <ScriptDialog />}
      {asks && <ConsentDialog />}
      {adopts && <AdoptDialog />}
      {makesStudy && <NewStudyDialog />}
      {makesDataset && <NewDatasetDialog />}
      {trainsLonger && <TrainLonger />}
      {resumes && <ResumeDialog />}
    </Suspense>
  );
}

/** Requests sent while the lab was away failed, and their answers are old: all of them are sent again. */
function useRefreshAfterLoss(): void {
  const client = useQueryClient();
  const state = useLiveState();
  const wasLost = useRef(false);
  useEffect(() => {
    if (state === "connected" && wasLost.current) void client.invalidateQueries();
    wasLost.current = state === "reconnecting" || state === "stale";
  }, [state, client]);
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    toast("Link copied. It opens this view as you see it.");
  } catch {
    toast("The browser does not allow this page to use the clipboard. Copy the link from the address bar.", {
      tone: "warn",
    });
  }
}
