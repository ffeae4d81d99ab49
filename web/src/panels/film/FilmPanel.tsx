/** The training as a film through its milestone episodes: the button, the progress, the picture. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { addressOf, artifactsQuery } from "@/entities/artifacts/queries";
import { createFilm, filmsQuery } from "@/entities/films/queries";
import { useRun } from "@/entities/runs/live-runs";
import { RunReason } from "@/entities/runs/RunReason";
import { isLive } from "@/entities/runs/status";
import { VideoPlayer } from "@/panels/video/VideoPlayer";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Progress } from "@/ui/Progress";
import { toast } from "@/ui/toasts";

export function FilmPanel({ run }: { run: Run }) {
  const client = useQueryClient();
  const newest = useQuery(filmsQuery(run.id));
  const ask = useMutation({
    mutationFn: (format: "mp4" | "gif") => createFilm(run.id, format),
    onSuccess: (made) => {
      client.setQueryData(filmsQuery(run.id).queryKey, made);
      toast("The film is being made; it appears here.");
    },
  });
  const reason = run.progress.episodes < 2 ? "A film needs at least two finished episodes." : null;
  return (
    <Panel
      title="Film of the training"
      actions={
        <>
          <Button
            small
            icon="film"
            reason={reason}
            disabled={ask.isPending}
            onClick={() => ask.mutate("mp4")}
          >
            Make film
          </Button>
          <Button
            small
            kind="quiet"
            reason={reason}
            disabled={ask.isPending}
            onClick={() => ask.mutate("gif")}
          >
            GIF
          </Button>
        </>
      }
    >
      {newest.data ? (
        <FilmOf filmId={newest.data.id} />
      ) : (
        <p className="text-sm text-ink-2">
          From the first clumsy episode to the best one, captioned with step and return, in about a minute.
        </p>
      )}
    </Panel>
  );
}

export function FilmOf({ filmId }: { filmId: string }) {
  const film = useRun(filmId).data;
  const isDone = film?.status === "succeeded";
  const files = useQuery({ ...artifactsQuery(filmId), enabled: isDone });
  if (!film) return null;
  const file = files.data?.find((one) => /^(video\/|image\/gif)/.test(one.media_type));
  return (
    <div className="flex flex-col gap-3">
      {isLive(film) && <Progress label="Film" fraction={film.progress.fraction || null} />}
      {isLive(film) && <p className="text-sm text-ink-2">{`The film is ${film.status}.`}</p>}
      <RunReason run={film} />
      {file && (
        <div className="mx-auto w-full max-w-3xl overflow-hidden rounded-sm border">
          <VideoPlayer
            src={addressOf(file)}
            label="Film of the training"
            isGif={file.media_type === "image/gif"}
          />
        </div>
      )}
    </div>
  );
}
