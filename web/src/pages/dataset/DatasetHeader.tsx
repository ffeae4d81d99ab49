/** Name, version and state of a dataset, and what can be done with it. */
import { Link, useNavigate } from "@tanstack/react-router";
import type { Dataset, DatasetVersion } from "@/api/types";
import { IntegrityBadge, VerifiedBadge } from "@/entities/datasets/DatasetBadges";
import { returnText, spell } from "@/entities/datasets/words";
import { formatBytes, formatPlural } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { Select } from "@/ui/Select";
import type { Asked } from "./dialogs/asked";

export interface DatasetHeaderProps {
  dataset: Dataset;
  version: DatasetVersion;
  onVersion: (version: number) => void;
  onAsk: (asked: Asked) => void;
}

export function DatasetHeader({ dataset, version, onVersion, onAsk }: DatasetHeaderProps) {
  const navigate = useNavigate();
  const isBroken = version.integrity === "damaged" || version.integrity === "missing";
  const broken = isBroken ? "Its files are damaged. Make or import it again first." : null;
  return (
    <header className="flex flex-col gap-2">
      <nav aria-label="Where this is" className="text-xs text-ink-3">
        <Link to="/datasets" className="underline underline-offset-2 hover:text-ink">
          Datasets
        </Link>
      </nav>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 text-lg font-semibold break-words">{dataset.name}</h1>
        <div className="w-36">
          <Select
            label="Version"
            value={String(version.version)}
            options={dataset.versions.map((one) => ({
              value: String(one.version),
              title: `v${one.version}${one === dataset.versions[0] ? " · newest" : ""}`,
            }))}
            onChange={(number) => onVersion(Number(number))}
          />
        </div>
        <p className="flex flex-wrap items-center gap-1.5">
          <IntegrityBadge version={version} />
          <VerifiedBadge version={version} />
          {version.pinned && <Badge title="Never removed automatically">pinned</Badge>}
        </p>
        <div className="flex flex-wrap items-center gap-2 lg:ml-auto">
          <Button
            kind="primary"
            icon="play"
            reason={broken}
            onClick={() =>
              void navigate({
                to: "/",
                search: {
                  way: "new",
                  runner: "offline",
                  env: version.env_id || undefined,
                  dataset: spell(version),
                },
              })
            }
          >
            Learn from it
          </Button>
          <Button icon="download" reason={broken} onClick={() => onAsk({ kind: "export" })}>
            Export…
          </Button>
          <Menu
            trigger={<IconButton icon="more" label="More" />}
            items={[
              { title: "Split…", icon: "fork", reason: broken, run: () => onAsk({ kind: "split" }) },
              { title: "Merge…", icon: "plus", reason: broken, run: () => onAsk({ kind: "merge" }) },
              { title: "Prune…", icon: "settings", reason: broken, run: () => onAsk({ kind: "prune" }) },
              { title: "Rename…", icon: "note", run: () => onAsk({ kind: "rename" }) },
              { title: "Versions to keep…", icon: "settings", run: () => onAsk({ kind: "keep" }) },
              {
                title: "Delete this dataset…",
                icon: "close",
                danger: true,
                run: () => onAsk({ kind: "delete", version: null }),
              },
            ]}
          />
        </div>
      </div>
      <p className="figures text-xs text-ink-2">
        {[
          version.env_id,
          formatPlural(version.episodes, "episode"),
          formatPlural(version.transitions, "step"),
          formatBytes(version.size),
          `return ${returnText(version.statistics)}`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </header>
  );
}
