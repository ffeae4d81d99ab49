/** Making the film of a training, and the file it ends up in. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { artifactsQuery } from "@/entities/artifacts/queries";
import { keys } from "@/entities/query-keys";
import { useRun } from "@/entities/runs/live-runs";
import { createFilm, type FilmChoice } from "./queries";

export function useMakeFilm(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (choice: FilmChoice) => createFilm(runId, choice),
    onSuccess: (made) => {
      client.setQueryData(keys.films(runId), made);
    },
  });
}

/** A film as a run, live, and its video or GIF once it is done. */
export function useFilm(filmId: string) {
  const film = useRun(filmId).data;
  const files = useQuery({ ...artifactsQuery(filmId), enabled: film?.status === "succeeded" });
  return { film, file: files.data?.find((one) => /^(video\/|image\/gif)/.test(one.media_type)) };
}
