/** What trying the chosen reward in this environment has shown, before the training starts. */
import { useQuery } from "@tanstack/react-query";
import type { CodeCheck } from "@/api/types";
import type { rewardCheckQuery } from "@/entities/codes/queries";
import { trainingCostText } from "@/entities/codes/words";
import { Remarks } from "@/panels/saved-code/Remarks";

export function RewardCheck({ query }: { query: ReturnType<typeof rewardCheckQuery> }) {
  const found = useQuery(query);
  return (
    <div role="status" className="flex flex-col gap-1.5 text-xs">
      {found.isPending && <p className="text-ink-3">Checking the reward in this environment…</p>}
      {found.isError && <p className="text-ink-2">{`The reward was not checked. ${found.error.message}`}</p>}
      {found.data && <Found check={found.data} />}
    </div>
  );
}

function Found({ check }: { check: CodeCheck }) {
  const cost = trainingCostText(check.slowdown);
  return (
    <>
      {!check.is_usable && <p className="text-warn">It does not work here, so it cannot be trained with.</p>}
      {check.is_usable && check.calls > 0 && (
        <p className="text-ink-2">{["It works here.", cost].filter(Boolean).join(" ")}</p>
      )}
      {check.remarks.length > 0 && <Remarks remarks={check.remarks} onLine={null} />}
    </>
  );
}
