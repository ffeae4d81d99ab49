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

/** What had the focus last, outside of dialogs and menus: most dialogs are opened by an item of a menu, which is gone by then. */
let opener = document.activeElement as HTMLElement | null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest("[role=dialog],[role=menu]")) opener = target;
});

export function Dialog({ open, onOpenChange, title, bare, wide, children }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(10_12_16/0.35)]" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            const first = body.current?.querySelector<HTMLElement>("input,textarea,select,button");
            if (!first) return;
            event.preventDefault();
            first.focus({ preventScroll: true });
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
