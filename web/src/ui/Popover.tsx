import * as Radix from "@radix-ui/react-popover";
import type { ReactNode } from "react";

/** A small panel that opens next to its button. */
export function Popover({
  trigger,
  title,
  open,
  onOpenChange,
  children,
}: {
  trigger: ReactNode;
  title: string;
  /** `open` and `onOpenChange` together: the caller opens and closes it. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={title}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-40 w-72 rounded-md border border-line-strong bg-surface p-4 shadow-pop focus:outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
