/** Rewards that users write: the list, a new one, or the one that is open. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { draftKey, draftKeys } from "@/entities/codes/drafts";
import { codeQuery } from "@/entities/codes/queries";
import { spellCode, versionOfCode } from "@/entities/codes/words";
import { useStore } from "@/lib/store";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { NewReward } from "./NewReward";
import type { Opening } from "./opening";
import { RewardDesk } from "./RewardDesk";
import { RewardsList } from "./RewardsList";

const route = getRouteApi("/workbench");

export default function RewardsTab() {
  const { name, version, run, env } = route.useSearch();
  const navigate = route.useNavigate();
  const onOpen = (next: WorkbenchSearch) =>
    void navigate({ search: { tab: "rewards", run, ...next }, resetScroll: false });
  if (name === undefined) return <RewardsList onOpen={onOpen} />;
  if (name === "new") return <New envId={env ?? ""} runId={run ?? null} onOpen={onOpen} />;
  return <Saved name={name} version={version} runId={run ?? null} onOpen={onOpen} />;
}

/** Examples to begin with, until something was chosen or typed. */
function New({ envId, ...rest }: Opening & { envId: string }) {
  const key = draftKey("reward", null, null);
  const isBegun = useStore(draftKeys).includes(key);
  return isBegun ? (
    <RewardDesk {...rest} code={null} version={null} />
  ) : (
    <NewReward envId={envId} onOpen={rest.onOpen} />
  );
}

function Saved({ name, version, ...rest }: Opening & { name: string; version: number | undefined }) {
  const code = useQuery(codeQuery("reward", name));
  if (code.isPending) return <Loading lines={10} />;
  if (code.isError)
    return (
      <ErrorState error={code.error} action={<Button onClick={() => rest.onOpen({})}>All rewards</Button>} />
    );
  const shown = versionOfCode(code.data, version);
  if (!shown)
    return (
      <EmptyState
        title={`There is no ${spellCode({ name, version })}`}
        action={<Button onClick={() => rest.onOpen({ name })}>Open its newest version</Button>}
      >
        This version was deleted; runs that used it keep their copy.
      </EmptyState>
    );
  return (
    <RewardDesk
      key={draftKey("reward", shown.name, shown.version)}
      {...rest}
      code={code.data}
      version={shown}
    />
  );
}
