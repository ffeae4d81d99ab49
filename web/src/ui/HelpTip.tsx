/**
 * A ⓘ with an explanation. It opens under the mouse or when pressed, never only because the keyboard's focus passes by:
 * then it would cover the message of the field before it.
 */
import * as Radix from "@radix-ui/react-tooltip";
import { type ReactNode, useState } from "react";
import { Icon } from "./icons";

export function HelpTip({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <button
          type="button"
          aria-label={label}
          aria-expanded={isOpen}
          // Radix opens on focus and closes on press; both are decided here.
          onFocus={(event) => event.preventDefault()}
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            event.preventDefault();
            setOpen((open) => !open);
          }}
          className="grid size-[24px] shrink-0 place-items-center text-ink-3 hover:text-ink"
        >
          <Icon name="info" size={12} />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side="right"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-80 rounded-sm bg-ink px-3 py-2 text-xs leading-relaxed text-on-ink shadow-pop"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
