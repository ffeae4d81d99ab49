import * as Radix from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { Icon, type IconName } from "./icons";

export interface MenuItem {
  /** Needed when titles may repeat. */
  key?: string;
  title: string;
  icon?: IconName;
  danger?: boolean;
  /** Why it is disabled. */
  reason?: string | null;
  run: () => void;
}

export interface MenuProps {
  trigger: ReactNode;
  /** What it is about, above the items. */
  heading?: string;
  items: MenuItem[];
  /** `open` and `onOpenChange` together: the caller opens and closes it. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

export function Menu({ trigger, heading, items, open, onOpenChange }: MenuProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={open === undefined}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto rounded-md border border-line-strong bg-surface py-1.5 shadow-pop"
        >
          {heading && (
            <Radix.Label className="figures mb-1 max-w-72 border-b px-3.5 pb-1.5 text-2xs text-pretty text-ink-2">
              {heading}
            </Radix.Label>
          )}
          {items.map((item) => (
            <Radix.Item
              key={item.key ?? item.title}
              disabled={Boolean(item.reason)}
              title={item.reason ?? undefined}
              onSelect={item.run}
              className={cx(
                "flex cursor-pointer items-center gap-2.5 px-3.5 py-1.5 text-sm outline-none select-none",
                "data-disabled:cursor-not-allowed data-disabled:text-ink-3 data-highlighted:bg-sunken",
                item.danger && "text-warn",
              )}
            >
              {item.icon && <Icon name={item.icon} size={14} />}
              {item.title}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
