/** The tour of the lab: when it is shown, and when it is offered. It never opens by itself. */
import { useEffect } from "react";
import type { Run } from "@/api/types";
import { useKeys } from "@/lib/keys";
import { useRemembered } from "@/lib/remembered";
import { useStore } from "@/lib/store";
import { isTourOn } from "@/panels/tour/open";

export function useTour() {
  const [wasSeen, setSeen] = useRemembered("lab.tour", false);
  const start = () => isTourOn.set(true);
  const end = () => {
    isTourOn.set(false);
    setSeen(true);
  };
  useKeys([{ keys: "w", title: "Take the tour", group: "Lab", run: start }]);
  // The tour explains this page only.
  useEffect(() => () => isTourOn.set(false), []);
  return { isOn: useStore(isTourOn), wasSeen, start, end };
}

/** A first run that is still learning has the user's attention: the tour is offered once a run has ended. */
export const isTourOffered = (wasSeen: boolean, run: Pick<Run, "ended_at"> | undefined): boolean =>
  !wasSeen && run !== undefined && run.ended_at !== null;
