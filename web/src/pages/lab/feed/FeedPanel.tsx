/** The frame of the middle column: title, badges, buttons, and the buttons that hide the side columns. */
import type { ReactNode } from "react";
import type { Columns } from "@/pages/lab/use-columns";
import { IconButton } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Loading } from "@/ui/states";

export interface FeedPanelProps {
  title: string;
  badges?: ReactNode;
  actions?: ReactNode;
  columns: Columns;
  children: ReactNode;
}

export function FeedPanel({ title, badges, actions, columns, children }: FeedPanelProps) {
  return (
    <Panel
      title={title}
      caps
      aside={badges && <div className="flex gap-1.5">{badges}</div>}
      flush
      className="shrink-0 overflow-hidden xl:min-h-80 xl:flex-1"
      data-tour="feed"
      actions={
        <>
          {actions}
          <FoldButtons columns={columns} />
        </>
      }
    >
      <div className="flex h-full flex-col">{children}</div>
    </Panel>
  );
}

/** The size of the stage: 3:2, or all free space where the columns fill the window. */
export const STAGE = "aspect-3/2 xl:aspect-auto xl:min-h-52 xl:flex-1";

/** Holds the place of a stage and its bar. */
export function FeedLoading() {
  return (
    <>
      <div className={`${STAGE} bg-stage`} />
      <div className="h-[8.4rem] border-t px-4 py-3 sm:h-[5.4rem]">
        <Loading lines={2} />
      </div>
    </>
  );
}

function FoldButtons({ columns }: { columns: Columns }) {
  const { isLeftOpen, isRightOpen, setLeftOpen, setRightOpen } = columns;
  return (
    <span className="ml-1 hidden lg:flex">
      <IconButton
        icon="leftColumn"
        label={isLeftOpen ? "Hide the left column" : "Show the left column"}
        aria-expanded={isLeftOpen}
        onClick={() => setLeftOpen(!isLeftOpen)}
      />
      <IconButton
        icon="rightColumn"
        label={isRightOpen ? "Hide the right column" : "Show the right column"}
        aria-expanded={isRightOpen}
        onClick={() => setRightOpen(!isRightOpen)}
      />
    </span>
  );
}
