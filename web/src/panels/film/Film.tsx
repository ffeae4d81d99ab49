/** One film: how far it is, why it failed, or the film itself. */
import type { Artifact, Run } from "@/api/types";
import { addressOf } from "@/entities/artifacts/queries";
import { useFilm } from "@/entities/films/use-films";
import { RunReason } from "@/entities/runs/RunReason";
import { isLive } from "@/entities/runs/status";
import { VideoPlayer } from "@/panels/video/VideoPlayer";
import { Progress } from "@/ui/Progress";

export function Film({ filmId }: { filmId: string }) {
  const { film, file } = useFilm(filmId);
  return film ? <FilmView film={film} file={file} /> : null;
}

function FilmView({ film, file }: { film: Run; file: Artifact | undefined }) {
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
