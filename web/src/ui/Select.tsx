import * as Radix from "@radix-ui/react-select";
import { Icon } from "./icons";

export interface Option<Value extends string> {
  value: Value;
  title: string;
  /** Why this option is disabled. */
  reason?: string | null;
}

export interface SelectProps<Value extends string> {
  id?: string;
  label: string;
  value: Value;
  options: Option<Value>[];
  onChange: (value: Value) => void;
  invalid?: boolean;
}

export function Select<Value extends string>({
  id,
  label,
  value,
  options,
  onChange,
  invalid,
}: SelectProps<Value>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <Radix.Trigger
        id={id}
        aria-label={label}
        aria-invalid={invalid || undefined}
        className="flex h-9 w-full items-center justify-between gap-2 rounded-sm border border-line-strong bg-surface px-3 text-left text-sm hover:bg-sunken aria-invalid:border-warn"
      >
        <Radix.Value />
        <Icon name="down" size={13} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={12}
          className="z-50 max-h-80 min-w-(--radix-select-trigger-width) overflow-hidden rounded-md border border-line-strong bg-surface py-1 shadow-pop"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                disabled={Boolean(option.reason)}
                title={option.reason ?? undefined}
                className="flex cursor-pointer items-center justify-between gap-4 px-3 py-1.5 text-sm outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-sunken"
              >
                <Radix.ItemText>{option.title}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Icon name="check" size={13} />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
