/** The card everything sits in: a thin border, a monospaced title, room for buttons, and its own error boundary. */
import { type ReactNode, useId } from "react";
import { Boundary } from "./Boundary";
import { cx } from "./cx";

export interface PanelProps {
  title: ReactNode;
  actions?: ReactNode;
  /** Something small beside the title: a count, a badge. */
  aside?: ReactNode;
  /** Content reaches the border (tables, stages). */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

export function Panel({ title, actions, aside, flush, className, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={cx("flex min-w-0 flex-col rounded-md border bg-surface", className)}
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1.5">
        <h2 id={id} className="label text-ink">
          {title}
        </h2>
        {aside}
        {actions && <div className="ml-auto flex items-center gap-1">{actions}</div>}
      </header>
      <div className={cx("min-h-0 min-w-0 flex-1", !flush && "p-4")}>
        <Boundary what={typeof title === "string" ? title : "This panel"}>{children}</Boundary>
      </div>
    </section>
  );
}
