/** `?`: every key that works right now, from the same table that handles the keys. */
import { type KeyBinding, keyCaps, keyTable } from "@/lib/keys";
import { useStore } from "@/lib/store";
import { Dialog } from "@/ui/Dialog";

export default function KeySheet({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const groups = Object.entries(grouped(useStore(keyTable)));
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keys" wide>
      <div className="grid gap-x-10 gap-y-6 p-5 sm:grid-cols-2">
        {groups.map(([group, bindings]) => (
          <section key={group}>
            <h3 className="label mb-2 text-ink-3">{group}</h3>
            <dl>
              {bindings.map((binding) => (
                <div
                  key={binding.keys}
                  className="flex items-center justify-between gap-4 border-b py-1.5 text-sm last:border-0"
                >
                  <dt>{binding.title}</dt>
                  <dd className="flex gap-1">
                    {keyCaps(binding.keys).map((cap, i) => (
                      <kbd
                        key={i}
                        className="figures rounded-sm border border-line-strong bg-sunken px-1.5 text-xs"
                      >
                        {cap}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function grouped(bindings: readonly KeyBinding[]): Record<string, KeyBinding[]> {
  const groups: Record<string, KeyBinding[]> = {};
  for (const binding of bindings) groups[binding.group] = [...(groups[binding.group] ?? []), binding];
  return groups;
}
