/** One film: how far it is, why it failed, or the film itself. */
import type { Artifact, Run } from "@/api/types";
import { addressOf, downloadOf } from "@/entities/artifacts/queries";
import { useFilm } from "@/entities/films/use-films";
import { RunProgress } from "@/entities/runs/RunProgress";
import { RunReason } from "@/entities/runs/RunReason";
import { isLive } from "@/entities/runs/status";
import { VideoPlayer } from "@/panels/video/VideoPlayer";

export function Film({ filmId }: { filmId: string }) {
  const { film, file } = useFilm(filmId);
  return film ? <FilmView film={film} file={file} /> : null;
}

function FilmView({ film, file }: { film: Run; file: Artifact | undefined }) {
  return (
    <div className="flex flex-col gap-3">
      {isLive(film) && <FilmUnderWay film={film} />}
      <RunReason run={film} />
      {file && (
        <div className="mx-auto w-full max-w-3xl overflow-hidden rounded-sm border">
          <VideoPlayer
            src={addressOf(file)}
            download={downloadOf(file)}
            label={film.name}
            isGif={file.media_type === "image/gif"}
          />
        </div>
      )}
    </div>
  );
}

function FilmUnderWay({ film }: { film: Run }) {
  const isWaiting = film.status === "queued";
  return (
    <div className="flex flex-col gap-2">
      <RunProgress run={film} />
      <p className="text-sm text-ink-2">
        {isWaiting ? "The film is made as soon as a slot is free." : "Making the film…"}
      </p>
    </div>
  );
}
