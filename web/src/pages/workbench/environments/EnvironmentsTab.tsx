/** Environments and wrappers that users write: the list, a new one, or the one that is open. */
import { getRouteApi } from "@tanstack/react-router";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { OpenedCode } from "@/panels/saved-code/OpenedCode";
import { EnvironmentDesk } from "./EnvironmentDesk";
import { EnvironmentsList } from "./EnvironmentsList";
import { NewEnvironment } from "./NewEnvironment";

const route = getRouteApi("/workbench");

export default function EnvironmentsTab() {
  const { name, version } = route.useSearch();
  const navigate = route.useNavigate();
  const onOpen = (next: WorkbenchSearch) =>
    void navigate({ search: { tab: "environments", ...next }, resetScroll: false });
  if (name === undefined) return <EnvironmentsList onOpen={onOpen} />;
  return (
    <OpenedCode
      kind="environment"
      name={name}
      version={version}
      all="All your environments"
      gone="runs in it can still be watched."
      onOpen={onOpen}
      examples={<NewEnvironment onOpen={onOpen} />}
    >
      {(opened) => <EnvironmentDesk {...opened} onOpen={onOpen} />}
    </OpenedCode>
  );
}
