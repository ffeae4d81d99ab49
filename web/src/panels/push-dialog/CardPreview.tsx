/** What a push would send: the card as the Hub shows it, its metadata, and the list of files. */
import { useQuery } from "@tanstack/react-query";
import { cardQuery, type PackageChoices } from "@/entities/hub/queries";
import { formatBytes } from "@/lib/format";
import { Prose } from "@/panels/prose/Prose";
import { ErrorState, Loading } from "@/ui/states";
import { readCard } from "./card";

export function CardPreview({ checkpointId, choices }: { checkpointId: string; choices: PackageChoices }) {
  const preview = useQuery(cardQuery(checkpointId, choices));
  if (preview.isPending) return <Loading lines={6} />;
  if (preview.isError) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />;
  const { metadata, tree } = readCard(preview.data.card);
  return (
    <section aria-label="Preview of the card" className="flex flex-col gap-3">
      {(preview.data.notes ?? []).map((note) => (
        <p key={note} className="text-xs text-ink-2">
          {note}
        </p>
      ))}
      {choices.video && (preview.data.notes ?? []).length > 0 && (
        <p className="text-xs text-ink-2">A push evaluates it first, and adds the results and a video.</p>
      )}
      <div className="max-h-96 overflow-y-auto rounded-md border p-4 text-sm wrap-anywhere">
        <Prose tree={tree} marked="" />
      </div>
      <details className="text-xs text-ink-2">
        <summary className="cursor-pointer">{`${preview.data.files.length} files and the Hub’s metadata`}</summary>
        <ul className="mt-2 flex flex-col gap-1">
          {preview.data.files.map((file) => (
            <li key={file.name} className="figures flex gap-3">
              <span className="min-w-0 flex-1 truncate">{file.name}</span>
              {formatBytes(file.size)}
            </li>
          ))}
        </ul>
        <pre className="figures mt-2 overflow-x-auto rounded-md border bg-sunken p-3">{metadata}</pre>
      </details>
    </section>
  );
}
