/** The machine and the lab on it: resources, runners, disk space, findings, settings. */
import { useQuery } from "@tanstack/react-query";
import { runnersQuery } from "@/entities/runners/queries";
import { doctorQuery, systemQuery } from "@/entities/system/queries";
import { RunnersPanel } from "@/panels/runners/RunnersPanel";
import { SpacePanel } from "@/panels/space/SpacePanel";
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
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 p-4 sm:p-6">
      <h1 className="label text-base">System</h1>
      <Machine />
      {isMachineKnown && <RunnersPanel />}
      {areRunnersKnown && <SpacePanel />}
      {areRunnersKnown && <Findings />}
      {isDoctorDone && <ConsentsPanel />}
      {isDoctorDone && <SettingsTable />}
    </div>
  );
}
