/** Name, question, state and progress of a study, and what can be done with it. */
import { useNavigate } from "@tanstack/react-router";
import { mediaAddress } from "@/api/addresses";
import type { Study } from "@/api/types";
import { EXPORTS, exportAddress, packAddress } from "@/entities/exports/addresses";
import type { StudyMove } from "@/entities/studies/queries";
import { StudyBadge } from "@/entities/studies/StudyBadge";
import { isUnderWay, progressWords, remainingSeconds, shareDone } from "@/entities/studies/status";
import { useDeleteStudy, useMoveStudy, usePatchStudy } from "@/entities/studies/use-study-actions";
import { startDownload } from "@/lib/download";
import { formatDate, formatDuration, formatPlural } from "@/lib/format";
import { EditableTitle } from "@/panels/editable-title/EditableTitle";
import { Button, IconButton } from "@/ui/Button";
import type { IconName } from "@/ui/icons";
import { Menu, type MenuItem } from "@/ui/Menu";
import { Progress } from "@/ui/Progress";

const MOVES: readonly { move: StudyMove; title: string; icon: IconName }[] = [
  { move: "start", title: "Start", icon: "play" },
  { move: "pause", title: "Pause", icon: "pause" },
  { move: "resume", title: "Resume", icon: "play" },
  { move: "stop", title: "Stop", icon: "stop" },
];

export function StudyHeader({ study }: { study: Study }) {
  const move = useMoveStudy(study.id);
  const patch = usePatchStudy(study.id);
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <EditableTitle
          label="Name of the study"
          text={study.name}
          onChange={(name) => patch.mutate({ name })}
        />
        <StudyBadge status={study.status} />
        <div className="flex flex-wrap items-center gap-2 lg:ml-auto">
          {MOVES.filter((one) => study.allowed.includes(one.move)).map((one) => (
            <Button
              key={one.move}
              icon={one.icon}
              disabled={move.isPending}
              onClick={() => move.mutate(one.move)}
            >
              {one.title}
            </Button>
          ))}
          <ExportMenu study={study} />
          <MoreMenu study={study} />
        </div>
      </div>
      {study.plan.question && <p className="text-base text-ink-2">{study.plan.question}</p>}
      <p className="figures text-xs text-ink-3">{factsOf(study).join(" · ")}</p>
      {isUnderWay(study) && <Progress label="Progress of the study" fraction={shareDone(study)} />}
      {study.reason && (
        <p role="status" className="rounded-sm border border-warn bg-warn-soft p-3 text-sm text-warn">
          {[study.reason.message, study.reason.next_step].filter(Boolean).join(" ")}
        </p>
      )}
    </header>
  );
}

function factsOf(study: Study): string[] {
  const left = remainingSeconds(study, Date.now());
  const { counts } = study;
  return [
    study.env_id ?? "",
    study.algorithm?.toUpperCase() ?? "",
    formatPlural(counts.variants, "variant"),
    progressWords(study),
    counts.failed > 0 ? `${counts.failed} failed` : "",
    counts.missing > 0 ? `${counts.missing} deleted` : "",
    left === null ? "" : `about ${formatDuration(Math.max(1, left))} left`,
    `created ${formatDate(study.created_at)}`,
  ].filter(Boolean);
}

function ExportMenu({ study }: { study: Study }) {
  const subjects = { studies: [study.id] };
  const items: MenuItem[] = [
    {
      title: "Study file, to edit and import",
      icon: "download",
      run: () => startDownload(mediaAddress(`/api/studies/${study.id}/file`)),
    },
    ...EXPORTS.map(
      ({ title, format, table }): MenuItem => ({
        title,
        icon: "download",
        run: () => startDownload(exportAddress(subjects, format, table)),
      }),
    ),
    {
      title: "Pack, for another lab",
      icon: "download",
      run: () => startDownload(packAddress(subjects)),
    },
  ];
  return <Menu trigger={<Button icon="download">Export</Button>} items={items} />;
}

function MoreMenu({ study }: { study: Study }) {
  const navigate = useNavigate();
  const remove = useDeleteStudy(() => void navigate({ to: "/studies" }));
  return (
    <Menu
      trigger={<IconButton icon="more" label="More" />}
      items={[
        {
          title: "Show its runs",
          icon: "columns",
          run: () => void navigate({ to: "/runs", search: { study: study.id } }),
        },
        {
          title: "Delete with its runs",
          icon: "close",
          danger: true,
          reason: isUnderWay(study) ? "Stop the study first." : null,
          run: () => remove.mutate(study),
        },
      ]}
    />
  );
}
