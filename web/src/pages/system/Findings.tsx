/** The findings of the doctor: problems first, then warnings, then what is in order. */
import { useQuery } from "@tanstack/react-query";
import type { Finding } from "@/api/types";
import { doctorQuery } from "@/entities/system/queries";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { worstFirst } from "./recent";

export function Findings() {
  const doctor = useQuery(doctorQuery);
  const found = worstFirst(doctor.data ?? []);
  const open = found.filter((finding) => finding.level !== "ok").length;
  return (
    <Panel
      title="Doctor"
      flush
      aside={
        doctor.data && (
          <Badge tone={open > 0 ? "warn" : "good"}>{open > 0 ? `${open} to check` : "all good"}</Badge>
        )
      }
      actions={
        <Button
          small
          kind="quiet"
          icon="reset"
          disabled={doctor.isFetching}
          onClick={() => void doctor.refetch()}
        >
          Check again
        </Button>
      }
    >
      {doctor.isPending && (
        <div className="p-4">
          <Loading lines={8} label="Checking the machine" />
        </div>
      )}
      {doctor.isError && <ErrorState error={doctor.error} onRetry={() => void doctor.refetch()} />}
      {found.map((finding) => (
        <FindingRow key={finding.id} finding={finding} />
      ))}
    </Panel>
  );
}

function FindingRow({ finding }: { finding: Finding }) {
  const isGood = finding.level === "ok";
  return (
    <div className="flex gap-3 border-b px-4 py-2 last:border-0">
      <span className={cx("mt-0.5", isGood ? "text-good" : "text-warn")}>
        <Icon name={isGood ? "check" : "warn"} size={14} />
      </span>
      <div className="grid min-w-0 flex-1 gap-x-4 text-sm sm:grid-cols-[13rem_minmax(0,1fr)]">
        <p className="font-medium">
          <span className="sr-only">{finding.level}: </span>
          {finding.title}
        </p>
        <p className="break-words text-ink-2">
          {finding.message}
          {!isGood && finding.remedy && <span className="block text-ink">{finding.remedy}</span>}
        </p>
      </div>
    </div>
  );
}
