/** The folder of the user's checkout; the lab remembers it. */

import { useId, useState } from "react";
import { ProblemError } from "@/api/problem";
import type { Runner } from "@/api/types";
import { useSetRoot } from "@/entities/runners/use-runner-actions";
import { Button } from "@/ui/Button";

export function RootField({ runner }: { runner: Runner }) {
  const id = useId();
  const [path, setPath] = useState(runner.root ?? "");
  const save = useSetRoot(runner);
  const problem = save.error instanceof ProblemError ? save.error.problem.detail : null;
  return (
    <form
      className="flex flex-col gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim()) save.mutate(path.trim());
      }}
    >
      <label htmlFor={id} className="label text-ink-3">
        Folder of your checkout
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          value={path}
          spellCheck={false}
          placeholder={`/home/me/${runner.id}`}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem ? true : undefined}
          onChange={(event) => setPath(event.target.value)}
          className="figures h-8 min-w-0 flex-1 rounded-sm border border-line-strong bg-surface px-2.5 text-xs placeholder:text-ink-3 aria-invalid:border-warn"
        />
        <Button
          small
          type="submit"
          className="h-8!"
          reason={path.trim() ? null : "Enter the folder first."}
          disabled={save.isPending}
        >
          Use
        </Button>
      </div>
      <p id={`${id}-problem`} role={problem ? "alert" : undefined} className="text-xs text-warn">
        {problem}
      </p>
    </form>
  );
}
