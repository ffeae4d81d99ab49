/** Environments and wrappers that users write: the list, a new one, or the one that is open. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { draftKey, draftKeys } from "@/entities/codes/drafts";
import { codeQuery } from "@/entities/codes/queries";
import { spellCode, versionOfCode } from "@/entities/codes/words";
import { useStore } from "@/lib/store";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { EnvironmentDesk } from "./EnvironmentDesk";
import { EnvironmentsList } from "./EnvironmentsList";
import { NewEnvironment } from "./NewEnvironment";
import type { OpensEnvironment } from "./opening";

const route = getRouteApi("/workbench");

export default function EnvironmentsTab() {
  const { name, version } = route.useSearch();
  const navigate = route.useNavigate();
  const onOpen = (next: WorkbenchSearch) =>
    void navigate({ search: { tab: "environments", ...next }, resetScroll: false });
  if (name === undefined) return <EnvironmentsList onOpen={onOpen} />;
  if (name === "new") return <New onOpen={onOpen} />;
  return <Saved name={name} version={version} onOpen={onOpen} />;
}

/** Examples to begin with, until something was chosen or typed. */
function New({ onOpen }: OpensEnvironment) {
  const isBegun = useStore(draftKeys).includes(draftKey("environment", null, null));
  return isBegun ? (
    <EnvironmentDesk code={null} version={null} onOpen={onOpen} />
  ) : (
    <NewEnvironment onOpen={onOpen} />
  );
}

function Saved({ name, version, onOpen }: OpensEnvironment & { name: string; version: number | undefined }) {
  const code = useQuery(codeQuery("environment", name));
  if (code.isPending) return <Loading lines={10} />;
  if (code.isError)
    return (
      <ErrorState
        error={code.error}
        action={<Button onClick={() => onOpen({})}>All your environments</Button>}
      />
    );
  const shown = versionOfCode(code.data, version);
  if (!shown)
    return (
      <EmptyState
        title={`There is no ${spellCode({ name, version })}`}
        action={<Button onClick={() => onOpen({ name })}>Open its newest version</Button>}
      >
        This version was deleted; runs in it can still be watched.
      </EmptyState>
    );
  return (
    <EnvironmentDesk
      key={draftKey("environment", shown.name, shown.version)}
      code={code.data}
      version={shown}
      onOpen={onOpen}
    />
  );
}
