/** A film with other scenes, length or style: the button, and under it the form, in the dialog of the first film. */
import { useState } from "react";
import type { Run } from "@/api/types";
import { Button } from "@/ui/Button";
import { FilmForm } from "./FilmForm";

export default function MakeFilm({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-col items-end gap-3">
      <Button small icon="film" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Make another…
      </Button>
      {isOpen && (
        <section aria-label="Make another film" className="w-full max-w-xs">
          <FilmForm run={run} onStarted={() => setOpen(false)} />
        </section>
      )}
    </div>
  );
}
