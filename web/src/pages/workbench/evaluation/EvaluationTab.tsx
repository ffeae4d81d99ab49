/** How policies are measured: protocols, and evaluation code. The lists, or the one that is open. */
import { getRouteApi } from "@tanstack/react-router";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { CodesList } from "./CodesList";
import { OpenCode } from "./OpenCode";
import { OpenProtocol } from "./OpenProtocol";
import { ProtocolsList } from "./ProtocolsList";

const route = getRouteApi("/workbench");

export default function EvaluationTab() {
  const { name, version, protocol, run } = route.useSearch();
  const navigate = route.useNavigate();
  const onOpen = (next: WorkbenchSearch) =>
    void navigate({ search: { tab: "evaluation", run, ...next }, resetScroll: false });
  if (protocol !== undefined) return <OpenProtocol name={protocol} version={version} onOpen={onOpen} />;
  if (name !== undefined)
    return <OpenCode name={name} version={version} runId={run ?? null} onOpen={onOpen} />;
  return (
    <div className="flex flex-col gap-8">
      <ProtocolsList onOpen={onOpen} />
      <CodesList onOpen={onOpen} />
    </div>
  );
}
