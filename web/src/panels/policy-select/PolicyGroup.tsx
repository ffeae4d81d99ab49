/** One group of models to choose from, with a way to its older ones. */
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { CheckpointItem } from "@/api/types";
import { Icon } from "@/ui/icons";
import { LoadFailed } from "@/ui/states";
import { actorDetail, actorTitle, isActing, type PolicyChoice, withoutTwins } from "./actors";

export interface PolicyGroupProps {
  title: string;
  query: UseInfiniteQueryResult<InfiniteData<{ items: CheckpointItem[] }>>;
  policy: PolicyChoice | null;
  /** Whether models of several environments are listed. */
  isOfAny: boolean;
  onChoose: (item: CheckpointItem) => void;
}

export function PolicyGroup({ title, query, policy, isOfAny, onChoose }: PolicyGroupProps) {
  const headingId = useId();
  const items = withoutTwins(query.data?.pages.flatMap((page) => page.items) ?? [], policy);
  const { list, showMore } = useMore(query, items.length);
  if (query.isError && items.length === 0)
    return <LoadFailed what="models" error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0) return null;
  return (
    <section>
      <h3 id={headingId} className="label px-2 pb-1 text-ink-3">
        {title}
      </h3>
      <ul ref={list} aria-labelledby={headingId}>
        {items.map((item) => (
          <PolicyRow
            key={item.id}
            title={actorTitle(item)}
            detail={actorDetail(item, isOfAny)}
            isActing={isActing(item, policy)}
            onChoose={() => onChoose(item)}
          />
        ))}
        {query.hasNextPage && (
          <li>
            <button
              type="button"
              onClick={showMore}
              className="ring-inside min-h-9 w-full rounded-sm px-2 text-left text-ink-2 hover:bg-sunken hover:text-ink"
            >
              {query.isFetchingNextPage ? "Loading…" : "Show older ones"}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** The first of the older rows gets the focus: the button that asked for them may be gone. */
function useMore({ fetchNextPage, isFetchingNextPage }: PolicyGroupProps["query"], rows: number) {
  const list = useRef<HTMLUListElement>(null);
  const [before, setBefore] = useState<number | null>(null);
  useEffect(() => {
    if (before === null || rows <= before) return;
    list.current?.children[before]?.querySelector("button")?.focus();
    setBefore(null);
  }, [before, rows]);
  const showMore = () => {
    if (isFetchingNextPage) return;
    setBefore(rows);
    void fetchNextPage();
  };
  return { list, showMore };
}

export interface PolicyRowProps {
  title: string;
  detail?: string;
  isActing: boolean;
  onChoose: () => void;
}

export const PolicyRow = ({ title, detail, isActing, onChoose }: PolicyRowProps) => (
  <li>
    <button
      type="button"
      aria-current={isActing || undefined}
      onClick={onChoose}
      className="ring-inside flex min-h-9 w-full items-center gap-2 rounded-sm px-2 py-1 text-left hover:bg-sunken"
    >
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate">{title}</span>
        {detail && <span className="figures truncate text-2xs text-ink-3">{detail}</span>}
      </span>
      {isActing && <Icon name="check" size={13} />}
    </button>
  </li>
);
