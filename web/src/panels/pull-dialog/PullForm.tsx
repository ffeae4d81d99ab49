/** Which repository comes from the Hub. */
import { useId, useState } from "react";
import type { NewPull } from "@/api/types";
import { problemOfRepo } from "@/entities/hub/repo";
import { Button } from "@/ui/Button";

export interface PullFormProps {
  isBusy: boolean;
  onPull: (wanted: NewPull) => void;
}

export function PullForm({ isBusy, onPull }: PullFormProps) {
  const id = useId();
  const [repo, setRepo] = useState("");
  const [revision, setRevision] = useState("");
  const [file, setFile] = useState("");
  const problem = problemOfRepo(repo);
  return (
    <form
      className="flex flex-col gap-4 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (!problem && !isBusy)
          onPull({ repo: repo.trim(), revision: revision.trim() || null, file: file.trim() || null });
      }}
    >
      <Field
        id={`${id}-repo`}
        title="Repository on the Hub"
        hint="user/name"
        problem={repo ? problem : null}
        value={repo}
        onChange={setRepo}
      />
      <Field
        id={`${id}-revision`}
        title="Revision (optional)"
        hint="branch, tag or commit"
        value={revision}
        onChange={setRevision}
      />
      <Field
        id={`${id}-file`}
        title="Model file (optional)"
        hint="if it holds several"
        value={file}
        onChange={setFile}
      />
      <div className="flex flex-wrap items-center gap-3 border-t pt-4">
        <p className="min-w-40 flex-1 text-xs text-ink-2">
          Only files that an import reads are downloaded. They are read as data, without network.
        </p>
        <Button kind="primary" icon="download" type="submit" reason={problem} disabled={isBusy}>
          {isBusy ? "Downloading…" : "Download"}
        </Button>
      </div>
    </form>
  );
}

interface FieldProps {
  id: string;
  title: string;
  problem?: string | null;
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

function Field({ id, title, problem, hint, value, onChange }: FieldProps) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-ink-2">
        {title}
      </label>
      <input
        id={id}
        value={value}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        placeholder={hint}
        aria-invalid={Boolean(problem)}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className="figures h-9 rounded-sm border border-line-strong bg-surface px-2 aria-invalid:border-warn"
      />
      {problem && (
        <p id={`${id}-problem`} className="text-xs text-ink-2">
          {problem}
        </p>
      )}
    </div>
  );
}
