/** The training as a film through its checkpoints: the form that makes one, and the newest one. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { filmsQuery } from "@/entities/films/queries";
import { JobPopover } from "@/panels/job-form/JobPopover";
import { Panel } from "@/ui/Panel";
import { Film } from "./Film";
import { FilmForm } from "./FilmForm";

export function FilmPanel({ run }: { run: Run }) {
  const newest = useQuery(filmsQuery(run.id)).data;
  return (
    <Panel
      title="Film of the training"
      actions={
        <JobPopover title="Make a film" action="Make film" icon="film" onStarted={() => {}}>
          {(started) => <FilmForm run={run} onStarted={started} />}
        </JobPopover>
      }
    >
      {newest ? (
        <Film filmId={newest.id} />
      ) : (
        <p className="text-sm text-ink-2">
          Its checkpoints play the same seed, from the first clumsy one to the best, captioned with step and
          return, in about a minute.
        </p>
      )}
    </Panel>
  );
}
