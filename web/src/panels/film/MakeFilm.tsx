/** The button whose form makes a film with other scenes, length, style or seed. */
import type { Run } from "@/api/types";
import { JobPopover } from "@/panels/job-form/JobPopover";
import { FilmForm } from "./FilmForm";

export default function MakeFilm({ run, action = "Make film" }: { run: Run; action?: string }) {
  return (
    <JobPopover title="Make a film" action={action} icon="film" onStarted={() => {}}>
      {(started) => <FilmForm run={run} onStarted={started} />}
    </JobPopover>
  );
}
