/** What was chosen, each with a button that removes it. */
import { Icon } from "@/ui/icons";

export interface RemovableChipsProps {
  label: string;
  chips: readonly { id: string; title: string }[];
  onRemove: (id: string) => void;
}

export function RemovableChips({ label, chips, onRemove }: RemovableChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {chips.map(({ id, title }) => (
        <li key={id} className="min-w-0">
          <button
            type="button"
            aria-label={`Remove ${title}`}
            onClick={() => onRemove(id)}
            className="flex max-w-full items-center gap-1.5 rounded-sm border px-2 py-1 text-xs hover:bg-sunken"
          >
            <span className="truncate">{title}</span>
            <Icon name="close" size={11} />
          </button>
        </li>
      ))}
    </ul>
  );
}
