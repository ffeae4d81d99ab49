import * as Radix from "@radix-ui/react-dialog";
import { type ReactNode, useRef } from "react";
import { cx } from "./cx";
import { Icon } from "./icons";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The title is for screen readers only (the palette has a field instead). */
  bare?: boolean;
  wide?: boolean;
  children: ReactNode;
}

const FIELDS = "input,textarea,select,button,[role=slider]";

/**
 * What had the focus last, outside of dialogs and menus: most dialogs are opened by an item of a menu, which is gone by
 * then. The button of a menu does not get the focus when it is clicked.
 */
let opener = document.activeElement as HTMLElement | null;
const remember = (found: Element | null) => {
  if (found instanceof HTMLElement && !found.closest("[role=dialog],[role=menu]")) opener = found;
};
document.addEventListener("focusin", ({ target }) => remember(target as Element));
document.addEventListener(
  "pointerdown",
  ({ target }) => remember((target as Element).closest("button")),
  true,
);

/** Whether something took the focus: a slider brings a hidden field along, which cannot. */
function focusFirst(body: HTMLElement): boolean {
  for (const field of body.querySelectorAll<HTMLElement>(FIELDS)) {
    field.focus({ preventScroll: true });
    if (document.activeElement === field) return true;
  }
  return false;
}

export function Dialog({ open, onOpenChange, title, bare, wide, children }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(10_12_16/0.35)]" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            if (body.current && focusFirst(body.current)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            opener?.focus();
          }}
          className={cx(
            "fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col",
            "overflow-hidden rounded-lg border border-line-strong bg-surface shadow-pop focus:outline-none",
            wide ? "max-w-3xl" : "max-w-xl",
          )}
        >
          {bare ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <header className="flex items-center border-b px-5 py-2.5">
              <Radix.Title className="heading">{title}</Radix.Title>
              <Radix.Close
                aria-label="Close"
                className="ml-auto grid size-8 place-items-center rounded-sm text-ink-2 hover:bg-sunken hover:text-ink"
              >
                <Icon name="close" />
              </Radix.Close>
            </header>
          )}
          <div ref={body} className="min-h-0 flex-1 overflow-y-auto">
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
