/** Rewards that users write: the list, a new one, or the one that is open. */
import { getRouteApi } from "@tanstack/react-router";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { OpenedCode } from "@/panels/saved-code/OpenedCode";
import { NewReward } from "./NewReward";
import { RewardDesk } from "./RewardDesk";
import { RewardsList } from "./RewardsList";

const route = getRouteApi("/workbench");

export default function RewardsTab() {
  const { name, version, run, env } = route.useSearch();
  const navigate = route.useNavigate();
  const onOpen = (next: WorkbenchSearch) =>
    void navigate({ search: { tab: "rewards", run, ...next }, resetScroll: false });
  if (name === undefined) return <RewardsList onOpen={onOpen} />;
  return (
    <OpenedCode
      kind="reward"
      name={name}
      version={version}
      all="All rewards"
      gone="runs that used it keep their copy."
      onOpen={onOpen}
      examples={<NewReward envId={env ?? ""} onOpen={onOpen} />}
    >
      {(opened) => <RewardDesk {...opened} runId={run ?? null} onOpen={onOpen} />}
    </OpenedCode>
  );
}
