/** The training as a film through its milestone episodes: the buttons that make one, and the newest one. */
import { useQuery } from "@tanstack/react-query";
import type { NewFilm, Run } from "@/api/types";
import { filmsQuery } from "@/entities/films/queries";
import { useMakeFilm } from "@/entities/films/use-films";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Film } from "./Film";

export function FilmPanel({ run }: { run: Run }) {
  const newest = useQuery(filmsQuery(run.id)).data;
  const make = useMakeFilm(run.id);
  const reason = run.progress.episodes < 2 ? "A film needs at least two finished episodes." : null;
  return (
    <Panel
      title="Film of the training"
      actions={<MakeButtons reason={reason} isBusy={make.isPending} onMake={make.mutate} />}
    >
      {newest ? (
        <Film filmId={newest.id} />
      ) : (
        <p className="text-sm text-ink-2">
          From the first clumsy episode to the best one, captioned with step and return, in about a minute.
        </p>
      )}
    </Panel>
  );
}

interface MakeButtonsProps {
  reason: string | null;
  isBusy: boolean;
  onMake: (format: NewFilm["format"]) => void;
}

function MakeButtons({ reason, isBusy, onMake }: MakeButtonsProps) {
  return (
    <>
      <Button small icon="film" reason={reason} disabled={isBusy} onClick={() => onMake("mp4")}>
        Make film
      </Button>
      <Button small kind="quiet" reason={reason} disabled={isBusy} onClick={() => onMake("gif")}>
        Make GIF
      </Button>
    </>
  );
}
