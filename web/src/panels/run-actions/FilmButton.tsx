/** FILM: makes the film of a training, then opens it. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { filmsQuery } from "@/entities/films/queries";
import { useFilm, useMakeFilm } from "@/entities/films/use-films";
import { isLive } from "@/entities/runs/status";
import { formatPercent } from "@/lib/format";
import { Button } from "@/ui/Button";

export function FilmButton({ run }: { run: Run }) {
  const newest = useQuery({ ...filmsQuery(run.id), enabled: !run.source }).data;
  return newest ? <MadeFilm run={run} filmId={newest.id} /> : <MakeFilm run={run} />;
}

function MakeFilm({ run }: { run: Run }) {
  const make = useMakeFilm(run.id);
  return (
    <Button
      small
      icon="film"
      title="From the first clumsy episode to the best one, in about a minute"
      reason={whyNoFilm(run)}
      disabled={make.isPending}
      onClick={() => make.mutate("mp4")}
    >
      Film
    </Button>
  );
}

function MadeFilm({ run, filmId }: { run: Run; filmId: string }) {
  const navigate = useNavigate();
  const { film, file } = useFilm(filmId);
  if (film && !isLive(film) && film.status !== "succeeded") return <MakeFilm run={run} />;
  const isBeingMade = film !== undefined && isLive(film);
  const open = () =>
    void navigate({ to: "/runs/$runId", params: { runId: run.id }, search: { tab: "artifacts" } });
  return (
    <Button
      small
      icon="film"
      title={isBeingMade ? "The film is being made" : "Opens the film"}
      disabled={!file && !isBeingMade}
      onClick={open}
    >
      {isBeingMade ? `Filming ${formatPercent(film.progress.fraction)}` : "Film"}
    </Button>
  );
}

function whyNoFilm(run: Run): string | null {
  if (run.source) return "A film needs recorded episodes; an adopted run has none.";
  return run.progress.episodes < 2 ? "A film needs at least two finished episodes." : null;
}
