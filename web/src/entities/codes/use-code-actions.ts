/** What changes saved code: a new version, its name and note, delete. Errors are shown by the caller. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { CodePatch, CodeVersion, NewCode } from "@/api/types";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { toast } from "@/ui/toasts";
import { dropDrafts, moveDrafts } from "./drafts";
import { codeQuery, deleteCode, deleteCodeVersion, patchCode, type SavedKind, saveCode } from "./queries";
import { spellCode } from "./words";

const shownByCaller = () => undefined;

export function useSaveCode(kind: SavedKind, onSaved: (saved: CodeVersion) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wanted: NewCode) => saveWithEnvironment(client, kind, wanted),
    async onSuccess(saved) {
      await refresh(client, keys.codes(kind));
      if (kind === "environment") void refresh(client, keys.environments);
      toast(`Saved ${spellCode(saved)}.`);
      onSaved(saved);
    },
    onError: shownByCaller,
  });
}

/** The lab keeps the environment as it was for contents that it has already, and where none is named. */
async function saveWithEnvironment(
  client: QueryClient,
  kind: SavedKind,
  wanted: NewCode,
): Promise<CodeVersion> {
  const env_id = wanted.env_id ?? "";
  const saved = await saveCode(kind, wanted);
  const code = await client.fetchQuery({ ...codeQuery(kind, saved.name), staleTime: 0 });
  if (code.env_id !== env_id)
    client.setQueryData(keys.code(kind, saved.name), await patchCode(kind, saved.name, { env_id }));
  return saved;
}

export function usePatchCode(kind: SavedKind, name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (patch: CodePatch) => patchCode(kind, name, patch),
    onSuccess(saved) {
      client.setQueryData(keys.code(kind, saved.name), saved);
      if (saved.name !== name) moveDrafts(kind, name, saved.name);
      // Under its old name there is nothing to fetch again.
      const isGone = (key: readonly unknown[]) => saved.name !== name && key[2] === "one" && key[3] === name;
      return client.invalidateQueries({
        queryKey: keys.codes(kind),
        predicate: ({ queryKey }) => !isGone(queryKey),
      });
    },
    onError: shownByCaller,
  });
}

/** A version, or with null the whole name. */
export function useDeleteCode(kind: SavedKind, name: string, onDeleted: (version: number | null) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (version: number | null): Promise<void> => {
      if (version === null) await deleteCode(kind, name);
      else await deleteCodeVersion(kind, name, version);
    },
    onSuccess(_, version) {
      dropDrafts(kind, name, version);
      onDeleted(version);
      if (version === null) client.removeQueries({ queryKey: keys.code(kind, name) });
      void refresh(client, keys.codes(kind));
      if (kind === "environment") void refresh(client, keys.environments);
      toast(`Deleted ${spellCode({ name, version })}.`);
    },
    onError: shownByCaller,
  });
}
