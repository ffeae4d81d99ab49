/** How many seeds a duel plays. */
import { Select } from "@/ui/Select";

const SEEDS = [5, 10, 20, 50];

export function SeedsSelect({ value, onChange }: { value: number; onChange: (seeds: number) => void }) {
  return (
    <div className="w-32">
      <Select
        label="Seeds of the duel"
        value={String(value)}
        options={SEEDS.map((seeds) => ({ value: String(seeds), title: `${seeds} seeds` }))}
        onChange={(seeds) => onChange(Number(seeds))}
      />
    </div>
  );
}
