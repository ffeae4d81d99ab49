/** The plan of a run's stage, with the switches that change it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "@/api/types";
import { bestEpisodeQuery } from "@/entities/episodes/queries";
import { isOver } from "@/entities/runs/status";
import { prefersReducedMotion } from "@/lib/motion";
import { useRemembered } from "@/lib/remembered";
import { stagePlan } from "./plan";

export function useStagePlan(run: Run) {
  const [isOn, setOn] = useRemembered("feed", true);
  const [wasPlayed, setPlayed] = useState(false);
  const hasEnded = isOver(run);
  const best = useQuery({ ...bestEpisodeQuery(run.id), enabled: hasEnded && !run.source }).data;
  const plan = stagePlan(run, { isOn, isStill: prefersReducedMotion() && !wasPlayed, best });
  return {
    ...plan,
    best: hasEnded ? best : undefined,
    isOn,
    toggle: () => setOn(!isOn),
    /** What the button on the empty stage does. */
    act: () => (plan.action === "turn on" ? setOn(true) : setPlayed(true)),
  };
}
