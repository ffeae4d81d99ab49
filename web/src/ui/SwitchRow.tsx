import { Switch } from "./Switch";

export interface SwitchRowProps {
  title: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A choice with its name in front of it. */
export function SwitchRow({ title, checked, onChange }: SwitchRowProps) {
  return (
    <div className="flex items-center justify-between gap-4">
      <span className="text-sm">{title}</span>
      <Switch label={title} checked={checked} onChange={onChange} />
    </div>
  );
}
