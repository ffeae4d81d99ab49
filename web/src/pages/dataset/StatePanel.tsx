/** Whether a version can be trusted: what each badge means, and the buttons that find out. */
import type { DatasetVersion, Run } from "@/api/types";
import { operationOf } from "@/entities/dataset-jobs/jobs";
import { useStartDatasetJob } from "@/entities/dataset-jobs/use-start-dataset-job";
import { IntegrityBadge, VerifiedBadge } from "@/entities/datasets/DatasetBadges";
import { integrityOf, verificationOf } from "@/entities/datasets/words";
import { isLive } from "@/entities/runs/status";
import { formatCount, formatDate } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { toast } from "@/ui/toasts";
import type { DatasetSearch } from "./search";

export interface StatePanelProps {
  version: DatasetVersion;
  jobs: readonly Run[];
  onSearch: (change: DatasetSearch, isStep?: boolean) => void;
}

export function StatePanel({ version, jobs, onSearch }: StatePanelProps) {
  const start = useStartDatasetJob(() => toast("Started. Its progress is at the top of the page."));
  const { verification } = version;
  const of = { name: version.name, version: version.version };
  const isAtWork = (what: "check" | "verify") =>
    jobs.some((job) => {
      const operation = operationOf(job);
      return isLive(job) && operation?.do === what && operation.of.version === version.version;
    });
  return (
    <Panel title="State" flush>
      <section aria-label="Files" className="flex flex-col gap-1.5 border-b px-4 py-3">
        <div className="flex items-center gap-2">
          <h3 className="text-sm font-medium">Files</h3>
          <IntegrityBadge version={version} />
          <Button
            small
            className="ml-auto"
            disabled={start.isPending}
            reason={isAtWork("check") ? "They are being checked." : null}
            onClick={() => start.mutate({ do: "check", of })}
          >
            Check files
          </Button>
        </div>
        <p className="text-xs text-ink-2">{integrityOf(version).meaning}</p>
        {version.checked_at && (
          <p className="text-2xs text-ink-3">{`checked ${formatDate(version.checked_at)}`}</p>
        )}
      </section>
      <section aria-label="Steps" className="flex flex-col gap-1.5 px-4 py-3">
        <div className="flex items-center gap-2">
          <h3 className="text-sm font-medium">Steps</h3>
          <VerifiedBadge version={version} />
          <Button
            small
            className="ml-auto"
            disabled={start.isPending}
            reason={isAtWork("verify") ? "It is being verified." : null}
            onClick={() => start.mutate({ do: "verify", of })}
          >
            Verify
          </Button>
        </div>
        <p className="text-xs text-ink-2">{verificationOf(version).meaning}</p>
        {verification?.outcome === "different" && verification.episode != null && (
          <p>
            <Button
              small
              kind="quiet"
              icon="eye"
              className="-ml-2.5"
              onClick={() =>
                onSearch({ episode: verification.episode!, frame: verification.step ?? undefined }, true)
              }
            >
              {`Episode ${formatCount(verification.episode)}, step ${formatCount(verification.step ?? 0)}`}
            </Button>
          </p>
        )}
        {verification && <p className="text-2xs text-ink-3">{`verified ${formatDate(verification.at)}`}</p>}
      </section>
    </Panel>
  );
}
