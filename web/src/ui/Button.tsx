/** Buttons. `reason` disables a button and becomes its tooltip. */
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";
import { Icon, type IconName } from "./icons";
import { Tooltip } from "./Tooltip";

type Kind = "primary" | "outline" | "quiet" | "danger";
const LOOK: Record<Kind, string> = {
  primary: "bg-ink text-on-ink border-ink hover:opacity-88",
  outline: "bg-surface text-ink border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-ink-2 border-transparent hover:bg-sunken hover:text-ink",
  danger: "bg-surface text-warn border-line-strong hover:bg-warn-soft",
};

export interface ButtonProps extends ComponentProps<"button"> {
  kind?: Kind;
  small?: boolean;
  icon?: IconName;
  /** Capitals, for the buttons that the lab's console names in capitals: TRAIN, TEST, RECORD, RESET. */
  caps?: boolean;
  /** Why the button is disabled; it stays focusable so that screen readers can read the reason. */
  reason?: string | null;
  children?: ReactNode;
}

export function Button({
  kind = "outline",
  small,
  icon,
  caps,
  reason,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const button = (
    <button
      type="button"
      {...rest}
      // A panel moves its last quiet button outwards: its text ends where the content below it does.
      data-quiet={kind === "quiet" || undefined}
      aria-disabled={reason ? true : undefined}
      onClick={reason ? (event) => event.preventDefault() : onClick}
      className={cx(
        "inline-flex items-center justify-center gap-2 rounded-sm border whitespace-nowrap transition-colors",
        caps ? "caps" : cx("font-medium", small ? "text-xs" : "text-sm"),
        "disabled:opacity-50 aria-disabled:opacity-55",
        small ? "h-7 px-2.5" : "h-9 px-3.5",
        LOOK[kind],
        className,
      )}
    >
      {icon && <Icon name={icon} size={small ? 13 : 14} />}
      {children}
    </button>
  );
  return reason ? <Tooltip text={reason}>{button}</Tooltip> : button;
}

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: IconName;
  /** Read by screen readers and shown as the tooltip. */
  label: string;
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        data-quiet
        {...rest}
        className={cx(
          "inline-flex size-8 items-center justify-center rounded-sm text-ink-2 transition-colors",
          "hover:bg-sunken hover:text-ink disabled:opacity-40 aria-pressed:bg-sunken aria-pressed:text-ink",
          className,
        )}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  );
}
