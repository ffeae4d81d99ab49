/** What can be done with one checkpoint. Only the row whose button was pressed has a real menu: rows stay light. */
import { useState } from "react";
import type { CheckpointItem } from "@/api/types";
import { checkpointName } from "@/entities/checkpoints/words";
import { Icon } from "@/ui/icons";
import { Menu } from "@/ui/Menu";
import { useCheckpointItems } from "./use-items";

const BUTTON = "grid size-8 place-items-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink";

export function CheckpointMenu({ item }: { item: CheckpointItem }) {
  const [isArmed, setIsArmed] = useState(false);
  const label = `Actions for ${checkpointName(item)}`;
  if (isArmed) return <OpenMenu item={item} label={label} />;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={label}
      onClick={() => setIsArmed(true)}
      className={BUTTON}
    >
      <Icon name="more" />
    </button>
  );
}

function OpenMenu({ item, label }: { item: CheckpointItem; label: string }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Menu
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <button type="button" aria-label={label} className={BUTTON}>
          <Icon name="more" />
        </button>
      }
      items={useCheckpointItems(item)}
    />
  );
}
