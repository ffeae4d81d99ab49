/** FILM: makes the film of a training or a play and shows it in a dialog, over any page. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Run } from "@/api/types";
import { useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { filmsQuery } from "@/entities/films/queries";
import { useFilm, useMakeFilm } from "@/entities/films/use-films";
import { whyNoEpisodes } from "@/entities/films/why-no-film";
import { isLive } from "@/entities/runs/status";
import { patiently } from "@/lib/chunks";
import { formatPercent } from "@/lib/format";
import { Film } from "@/panels/film/Film";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

const MakeAnother = lazy(() => patiently(() => import("@/panels/film/MakeFilm")));
type OnOpen = (isOpen: boolean) => void;

export function FilmButton({ run }: { run: Run }) {
  const newest = useQuery({ ...filmsQuery(run.id), enabled: !run.source }).data;
  const [isOpen, setOpen] = useState(false);
  if (!newest) return <MakeFilm run={run} onOpen={setOpen} />;
  return (
    <>
      <MadeFilm run={run} filmId={newest.id} onOpen={setOpen} />
      <Dialog open={isOpen} onOpenChange={setOpen} title={`Film of ${run.name}`} wide>
        <div className="flex flex-col gap-4 p-5">
          <Film filmId={newest.id} />
          <Suspense>
            <MakeAnother run={run} />
          </Suspense>
        </div>
      </Dialog>
    </>
  );
}

function MakeFilm({ run, onOpen }: { run: Run; onOpen: OnOpen }) {
  const make = useMakeFilm(run.id);
  const start = () => {
    onOpen(true);
    make.mutate({}, { onError: () => onOpen(false) });
  };
  return (
    <Button
      small
      icon="film"
      title={
        run.kind === "play"
          ? "Its episodes as one captioned video"
          : "From the first clumsy checkpoint to the best one, in about a minute"
      }
      reason={useWhyNoFilm(run)}
      disabled={make.isPending}
      onClick={start}
    >
      Film
    </Button>
  );
}

interface MadeFilmProps {
  run: Run;
  filmId: string;
  onOpen: OnOpen;
}

function MadeFilm({ run, filmId, onOpen }: MadeFilmProps) {
  const { film, file } = useFilm(filmId);
  if (film && !isLive(film) && film.status !== "succeeded") return <MakeFilm run={run} onOpen={onOpen} />;
  const isBeingMade = film !== undefined && isLive(film);
  return (
    <Button
      small
      icon="film"
      title={isBeingMade ? "The film is being made" : "Opens the film"}
      disabled={!file && !isBeingMade}
      onClick={() => onOpen(true)}
    >
      {isBeingMade ? `Filming ${formatPercent(film.progress.fraction)}` : "Film"}
    </Button>
  );
}

/** An imported model has checkpoints, which can play, but no episodes. */
function useWhyNoFilm(run: Run): string | null {
  const hasCheckpoint = useCheckpoints(run.id).list.length > 0;
  if (run.source) return "A film needs recorded episodes; an adopted run has none.";
  const noEpisodes = whyNoEpisodes(run);
  if (run.kind === "play" || !noEpisodes) return noEpisodes;
  return hasCheckpoint ? null : "A film needs a checkpoint, or two finished episodes.";
}
