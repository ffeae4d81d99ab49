/** The card around content: a thin border, a title, buttons, and its own error boundary. */
import { type ReactNode, useId } from "react";
import { Boundary } from "./Boundary";
import { cx } from "./cx";

export interface PanelProps {
  title: ReactNode;
  /** The title in capitals, for the panels of the lab's console. */
  caps?: boolean;
  actions?: ReactNode;
  /** Something small next to the title: a count, a badge. */
  aside?: ReactNode;
  /** Content without padding (tables, stages). */
  flush?: boolean;
  /** Content scrolls inside the panel; the text is the label of the scrolled part for screen readers. */
  scroll?: string;
  /** Below the content, always visible. */
  footer?: ReactNode;
  className?: string;
  /** Marks a stop of the tour. */
  "data-tour"?: string;
  children: ReactNode;
}

export function Panel({
  title,
  caps,
  actions,
  aside,
  flush,
  scroll,
  footer,
  className,
  children,
  ...rest
}: PanelProps) {
  const id = useId();
  const scrolled = scroll ? ({ tabIndex: 0, role: "group", "aria-label": scroll } as const) : {};
  return (
    <section
      aria-labelledby={id}
      data-tour={rest["data-tour"]}
      className={cx("flex min-w-0 flex-col rounded-md border bg-surface", className)}
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1.5">
        <h2 id={id} className={caps ? "caps" : "heading"}>
          {title}
        </h2>
        {aside}
        {actions && (
          <div className="ml-auto flex flex-wrap items-center justify-end gap-1 [&>[data-quiet]:last-child]:-mr-2">
            {actions}
          </div>
        )}
      </header>
      <div
        {...scrolled}
        className={cx("min-h-0 min-w-0 flex-1", !flush && "p-4", scroll && "overflow-y-auto ring-inside")}
      >
        <Boundary what={typeof title === "string" ? title : "This panel"}>{children}</Boundary>
      </div>
      {footer && <div className="border-t p-3">{footer}</div>}
    </section>
  );
}
