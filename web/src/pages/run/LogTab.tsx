/** What the run's worker wrote. */
import { isLive } from "@/entities/runs/status";
import { LogView } from "@/panels/log-drawer/LogView";
import type { TabProps } from "./tab";

export default function LogTab({ run }: TabProps) {
  return <LogView runId={run.id} isLive={isLive(run)} />;
}
