/** The machine and the lab on it: what is used now, what is ready, what is missing and what to do about it. */

import { RunnersPanel } from "@/features/runners/RunnersPanel";
import { Findings } from "./Findings";
import { Machine } from "./Machine";
import { SettingsTable } from "./SettingsTable";

export function SystemPage() {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 p-4 sm:p-6">
      <h1 className="label text-base">System</h1>
      <Machine />
      <RunnersPanel />
      <Findings />
      <SettingsTable />
    </div>
  );
}
