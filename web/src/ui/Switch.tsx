import * as Radix from "@radix-ui/react-switch";

export interface SwitchProps {
  id?: string;
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ id, label, checked, onChange }: SwitchProps) {
  return (
    <Radix.Root
      id={id}
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      className="relative h-6 w-10 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors data-[state=checked]:border-ink data-[state=checked]:bg-ink"
    >
      <Radix.Thumb className="block size-4 translate-x-[3px] rounded-full bg-ink transition-transform data-[state=checked]:translate-x-[19px] data-[state=checked]:bg-on-ink" />
    </Radix.Root>
  );
}
