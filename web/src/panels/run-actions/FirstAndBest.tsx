/** Opens the first and the best episode of a run side by side, played in step. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { type Landmark, landmarksQuery } from "@/entities/episodes/queries";
import { Button } from "@/ui/Button";

export function FirstAndBest({ run }: { run: Run }) {
  const navigate = useNavigate();
  const search = firstAndBestSearch(useQuery({ ...landmarksQuery(run.id), enabled: !run.source }).data ?? []);
  if (search === null) return null;
  return (
    <Button
      small
      kind="quiet"
      icon="columns"
      onClick={() => void navigate({ to: "/runs/$runId", params: { runId: run.id }, search })}
    >
      First vs best
    </Button>
  );
}

/** The search of the link; null when the run has not both. */
export function firstAndBestSearch(landmarks: readonly Landmark[]) {
  const find = (title: Landmark["title"]) => landmarks.find((one) => one.title === title)?.row.episode;
  const [first, best] = [find("First"), find("Best")];
  if (first === undefined || best === undefined) return null;
  return { tab: "episodes" as const, episode: best, second: first };
}
