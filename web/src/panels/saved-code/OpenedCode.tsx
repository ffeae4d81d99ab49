/** The code that a link names: a saved version, or new code, which begins with an example. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { draftKey, draftKeys, NEW_DRAFT } from "@/entities/codes/drafts";
import { codeQuery, type SavedKind } from "@/entities/codes/queries";
import { spellCode, versionOfCode } from "@/entities/codes/words";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import type { OpenedVersion } from "./use-code-desk";

export interface OpenedCodeProps {
  kind: SavedKind;
  /** "new" for new code. */
  name: string;
  /** The newest when absent. */
  version: number | undefined;
  /** The title of the list: "All rewards". */
  all: string;
  /** What is left of a version that was deleted. */
  gone: string;
  /** Shown until new code was begun. */
  examples: ReactNode;
  onOpen: (next: { name?: string }) => void;
  /** The same component for new and for saved code: then saving keeps what is shown next to the code. */
  children: (opened: OpenedVersion) => ReactNode;
}

export function OpenedCode({ kind, name, version, all, gone, examples, onOpen, children }: OpenedCodeProps) {
  const isNew = name === NEW_DRAFT;
  const isBegun = useStore(draftKeys).includes(draftKey(kind, null, null));
  const code = useQuery({ ...codeQuery(kind, name), enabled: !isNew });
  if (isNew) return isBegun ? children({ code: null, version: null }) : examples;
  if (code.isPending) return <Loading lines={10} />;
  if (code.isError)
    return (
      <ErrorState
        error={code.error}
        onRetry={() => void code.refetch()}
        action={<Button onClick={() => onOpen({})}>{all}</Button>}
      />
    );
  const shown = versionOfCode(code.data, version);
  if (!shown)
    return (
      <EmptyState
        title={`There is no ${spellCode({ name, version })}`}
        action={<Button onClick={() => onOpen({ name })}>Open its newest version</Button>}
      >
        {`This version was deleted; ${gone}`}
      </EmptyState>
    );
  return children({ code: code.data, version: shown });
}
