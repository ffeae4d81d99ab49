/** What new code begins with: a working example. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { CodeExample } from "@/api/types";
import { draftKey, keepDraft } from "@/entities/codes/drafts";
import { examplesQuery, type SavedKind } from "@/entities/codes/queries";
import { Button } from "@/ui/Button";
import { ErrorState, Loading } from "@/ui/states";
import { ExampleCard } from "./ExampleCard";

export interface NewCodeProps {
  kind: SavedKind;
  /** "New reward". */
  title: string;
  /** The title of the list: "All rewards". */
  all: string;
  /** Only examples that fit this environment; empty: all. */
  envId?: string;
  onBack: () => void;
  /** Next to the title. */
  aside?: ReactNode;
  /** Another way to begin, above the examples. */
  children?: ReactNode;
}

export function NewCode({ kind, title, all, envId = "", onBack, aside, children }: NewCodeProps) {
  const examples = useQuery(examplesQuery(kind, envId));
  const begin = ({ source, env_id }: CodeExample) => beginNew(kind, source, env_id || envId);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="quiet" icon="left" className="-ml-3" onClick={onBack}>
          {all}
        </Button>
        <h2 className="heading">{title}</h2>
        {aside}
      </div>
      {children}
      {examples.isPending && <Loading lines={6} />}
      {examples.isError && <ErrorState error={examples.error} onRetry={() => void examples.refetch()} />}
      {examples.isSuccess && (
        <ul aria-label="Examples" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {examples.data.map((example) => (
            <ExampleCard
              key={example.title}
              example={example}
              badge={kind === "environment" ? undefined : example.env_id || "any environment"}
              onBegin={() => begin(example)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The editor opens with this text. */
export const beginNew = (kind: SavedKind, source: string, env_id = ""): void =>
  keepDraft(draftKey(kind, null, null), { source, env_id });
