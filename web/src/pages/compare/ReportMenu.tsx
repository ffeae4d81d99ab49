/** The report of the shown runs: one file with curves, statistics, settings, seeds and commands. */
import { mediaAddress } from "@/api/addresses";
import type { ComparisonQuestion } from "@/entities/comparisons/queries";
import { startDownload } from "@/lib/download";
import { Button } from "@/ui/Button";
import { Menu } from "@/ui/Menu";

export interface ReportMenuProps {
  runIds: readonly string[];
  /** Whether the seeds of a configuration are drawn as one line. */
  isGrouped: boolean;
  /** What its verdicts are about, as on the page. */
  question: ComparisonQuestion;
}

export function ReportMenu({ runIds, isGrouped, question }: ReportMenuProps) {
  const trigger = (
    <Button
      small
      icon="download"
      reason={runIds.length > 0 ? null : "All runs are hidden. Show one to report on it."}
    >
      Report
    </Button>
  );
  if (runIds.length === 0) return trigger;
  const address = (format: string) => reportAddress({ runIds, isGrouped, question }, format);
  return (
    <Menu
      trigger={trigger}
      items={[
        {
          title: "Open as a page",
          icon: "link",
          run: () => void window.open(address("html"), "_blank", "noopener"),
        },
        { title: "Save the page", icon: "download", run: () => startDownload(address("html")) },
        { title: "Save as Markdown", icon: "download", run: () => startDownload(address("markdown")) },
        { title: "Save as text", icon: "download", run: () => startDownload(address("text")) },
        { title: "Save as JSON", icon: "download", run: () => startDownload(address("json")) },
      ]}
    />
  );
}

export function reportAddress({ runIds, isGrouped, question }: ReportMenuProps, format: string): string {
  const query = new URLSearchParams([
    ...runIds.map((id) => ["runs", id]),
    ["format", format],
    ["group", String(isGrouped)],
    ...Object.entries(question).map(([name, value]) => [name, String(value)]),
  ]);
  return mediaAddress(`/api/compare/report?${query}`);
}
