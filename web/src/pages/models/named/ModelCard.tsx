/** One named model with its versions, newest first. */
import { Link, useNavigate } from "@tanstack/react-router";
import type { Model, ModelVersion } from "@/api/types";
import { scoreHelp, scoreText } from "@/entities/checkpoints/score";
import { checkpointName, shortHash, versionName } from "@/entities/checkpoints/words";
import { usePatchVersion, useRestoreVersion } from "@/entities/models/use-model-actions";
import { formatDate, formatPlural } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { Menu, type MenuItem } from "@/ui/Menu";
import { Panel } from "@/ui/Panel";
import { toastProblem } from "@/ui/toasts";
import type { Asked } from "./EditDialogs";

export const PRODUCTION = "production";

export interface ModelCardProps {
  model: Model;
  onAsk: (asked: Asked) => void;
}

export function ModelCard({ model, onAsk }: ModelCardProps) {
  return (
    <Panel
      title={model.name}
      flush
      aside={
        <span className="figures text-xs text-ink-3">{formatPlural(model.versions.length, "version")}</span>
      }
      actions={
        <Menu
          trigger={<IconButton icon="more" label={`Actions for ${model.name}`} />}
          items={[
            {
              title: "Rename, or change the note…",
              icon: "note",
              run: () => onAsk({ kind: "model", model }),
            },
            {
              title: "Delete the name…",
              icon: "close",
              danger: true,
              run: () => onAsk({ kind: "delete", model, version: null }),
            },
          ]}
        />
      }
    >
      {model.note && (
        <p className="border-b px-4 py-2.5 text-sm whitespace-pre-line text-ink-2">{model.note}</p>
      )}
      <ul aria-label={`Versions of ${model.name}`}>
        {model.versions.map((version) => (
          <VersionRow key={version.version} model={model} version={version} onAsk={onAsk} />
        ))}
      </ul>
    </Panel>
  );
}

interface VersionRowProps extends ModelCardProps {
  version: ModelVersion;
}

function VersionRow({ model, version, onAsk }: VersionRowProps) {
  const items = useVersionItems({ model, version, onAsk });
  const score = version.checkpoint?.score ?? version.score;
  return (
    <li className="relative grid items-center gap-x-4 gap-y-1 border-b px-4 py-2.5 text-sm last:border-0 sm:grid-cols-[11rem_minmax(0,1fr)_15rem_7rem_2rem] lg:grid-cols-[11rem_minmax(0,1fr)_22rem_7rem_2rem]">
      <p className="flex flex-wrap items-center gap-1.5">
        <span className="figures font-semibold">{`v${version.version}`}</span>
        {version.labels.map((label) => (
          <Badge key={label} tone={label === PRODUCTION ? "good" : "plain"}>
            {label}
          </Badge>
        ))}
      </p>
      <div className="min-w-0">
        <p className="truncate">
          <Source version={version} />
        </p>
        <p className="figures truncate text-2xs text-ink-3">
          {[version.env_id, version.algorithm.toUpperCase(), shortHash(version.sha256)]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {version.note && <p className="mt-0.5 text-xs whitespace-pre-line text-ink-2">{version.note}</p>}
      </div>
      <p title={scoreHelp(score)} className="figures truncate text-xs text-ink-2">
        {scoreText(score)}
      </p>
      <p className="text-xs text-ink-3">{formatDate(version.created_at)}</p>
      <div className="max-sm:absolute max-sm:top-1.5 max-sm:right-3">
        <Menu
          trigger={
            <IconButton icon="more" label={`Actions for ${versionName(model.name, version.version)}`} />
          }
          items={items}
        />
      </div>
    </li>
  );
}

/** Where it comes from; the lab keeps a copy of the file, so a version outlives its checkpoint. */
function Source({ version }: { version: ModelVersion }) {
  if (version.checkpoint)
    return (
      <Link
        to="/models/$checkpointId"
        params={{ checkpointId: version.checkpoint.id }}
        className="ring-inside rounded-sm font-medium hover:underline"
      >
        {checkpointName(version.checkpoint)}
      </Link>
    );
  return (
    <>
      {checkpointName(version)}{" "}
      <span className="text-xs text-ink-3">
        {version.run_is_deleted
          ? "(its run is deleted; the lab keeps a copy)"
          : "(no longer in its run; the lab keeps a copy)"}
      </span>
    </>
  );
}

function useVersionItems({ model, version, onAsk }: VersionRowProps): MenuItem[] {
  const navigate = useNavigate();
  const patch = usePatchVersion(model.name);
  const restore = useRestoreVersion(model.name);
  const { checkpoint, labels } = version;
  const isProduction = labels.includes(PRODUCTION);
  const next = isProduction ? labels.filter((label) => label !== PRODUCTION) : [...labels, PRODUCTION];
  return [
    ...(checkpoint
      ? [
          {
            title: "Open its checkpoint",
            icon: "right" as const,
            run: () =>
              void navigate({ to: "/models/$checkpointId", params: { checkpointId: checkpoint.id } }),
          },
        ]
      : [
          {
            title: "Restore its checkpoint",
            icon: "reset" as const,
            reason: version.run_is_deleted ? "Its run is deleted. Restore the run first." : null,
            run: () => restore.mutate(version.version),
          },
        ]),
    {
      title: isProduction ? "Remove the label production" : "Label as production",
      icon: "check",
      run: () =>
        patch.mutate({ version: version.version, patch: { labels: next } }, { onError: toastProblem }),
    },
    { title: "Labels and note…", icon: "note", run: () => onAsk({ kind: "version", model, version }) },
    {
      title: "Delete this version…",
      icon: "close",
      danger: true,
      reason: model.versions.length === 1 ? "It is the only version. Delete the name instead." : null,
      run: () => onAsk({ kind: "delete", model, version }),
    },
  ];
}
