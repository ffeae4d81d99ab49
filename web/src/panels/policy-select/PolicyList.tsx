/** The models that can act, found by words: named ones first, then all others, newest first and older ones page by page. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useState } from "react";
import type { CheckpointItem } from "@/api/types";
import { type CheckpointFilter, checkpointsQuery } from "@/entities/checkpoints/queries";
import { SearchField } from "@/ui/SearchField";
import { Loading } from "@/ui/states";
import { type PolicyChoice, RANDOM } from "./actors";
import { PolicyGroup, PolicyRow } from "./PolicyGroup";

export interface PolicyListProps {
  envId: string | undefined;
  policy: PolicyChoice | null;
  /** Null: random actions. */
  onChoose: (item: CheckpointItem | null) => void;
}

export function PolicyList({ envId, policy, onChoose }: PolicyListProps) {
  const [text, setText] = useState("");
  const q = useDeferredValue(text.trim()) || undefined;
  const wanted: CheckpointFilter = { q, env_id: envId, acts_live: true, sort: "-created_at" };
  const named = useInfiniteQuery(checkpointsQuery({ ...wanted, named: true }));
  const others = useInfiniteQuery(checkpointsQuery({ ...wanted, named: false }));
  const group = { policy, isOfAny: envId === undefined, onChoose };
  const isNone = [named, others].every(({ data }) => data?.pages[0]?.items.length === 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the buttons inside
    <div className="flex flex-col gap-2 text-sm" onKeyDown={moveFocus}>
      <SearchField label="Run, algorithm, tag, name" value={text} onChange={setText} />
      <div className="-mx-2 flex max-h-[min(22rem,50dvh)] flex-col gap-2 overflow-y-auto">
        <ul aria-label="Without a model">
          <PolicyRow title={RANDOM} isActing={policy === null} onChoose={() => onChoose(null)} />
        </ul>
        <PolicyGroup title="Named models" query={named} {...group} />
        <PolicyGroup title="Checkpoints, newest first" query={others} {...group} />
      </div>
      {(named.isPending || others.isPending) && <Loading lines={3} />}
      {isNone && <p className="text-ink-2">{noneText(q, envId)}</p>}
    </div>
  );
}

const noneText = (q: string | undefined, envId: string | undefined): string =>
  q ? "No model matches." : `No model has been trained in ${envId ?? "any environment"} yet.`;

/** The arrows go from the field through the rows of all groups. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, ul button")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus();
}
