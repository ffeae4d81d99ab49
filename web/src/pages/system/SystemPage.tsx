/** The machine and the lab on it: resources, runners, disk space, findings, signed-in browsers, settings. */
import { useQuery } from "@tanstack/react-query";
import { runnersQuery } from "@/entities/runners/queries";
import { doctorQuery, systemQuery } from "@/entities/system/queries";
import { RunnersPanel } from "@/panels/runners/RunnersPanel";
import { SpacePanel } from "@/panels/space/SpacePanel";
import { BrowsersPanel } from "./BrowsersPanel";
import { ConsentsPanel } from "./ConsentsPanel";
import { Findings } from "./Findings";
import { Machine } from "./Machine";
import { SettingsTable } from "./SettingsTable";

/** A panel waits for the one above it, so that nothing moves while the page loads. */
export function SystemPage() {
  const isMachineKnown = !useQuery(systemQuery).isPending;
  const areRunnersKnown = !useQuery(runnersQuery).isPending && isMachineKnown;
  const isDoctorDone = !useQuery(doctorQuery).isPending && areRunnersKnown;
  return (
    <div className="container-page flex flex-col gap-6 py-4 sm:py-6">
      <h1 className="title">System</h1>
      <Machine />
      {isMachineKnown && <RunnersPanel />}
      {areRunnersKnown && <SpacePanel />}
      {areRunnersKnown && <Findings />}
      {isDoctorDone && <BrowsersPanel />}
      {isDoctorDone && <ConsentsPanel />}
      {isDoctorDone && <SettingsTable />}
    </div>
  );
}
