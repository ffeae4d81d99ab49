/** The menu of a row. Only the row whose button was pressed has a real menu: rows stay light. */
import { type ComponentProps, useState } from "react";
import type { CheckpointItem } from "@/api/types";
import { subjectOfItem } from "@/entities/checkpoints/subject";
import { checkpointName } from "@/entities/checkpoints/words";
import { CheckpointMenu } from "@/panels/checkpoint-menu/CheckpointMenu";
import { Icon } from "@/ui/icons";

export function CheckpointRowMenu({ item }: { item: CheckpointItem }) {
  const [isArmed, setIsArmed] = useState(false);
  const label = `Actions for ${checkpointName(item)}`;
  if (isArmed) return <OpenMenu item={item} label={label} />;
  return <RowButton aria-haspopup="menu" aria-label={label} onClick={() => setIsArmed(true)} />;
}

function OpenMenu({ item, label }: { item: CheckpointItem; label: string }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <CheckpointMenu
      subject={subjectOfItem(item)}
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={<RowButton aria-label={label} />}
    />
  );
}

/** The props that the menu adds are passed on to the button. */
function RowButton(props: ComponentProps<"button">) {
  return (
    <button
      {...props}
      type="button"
      className="grid size-8 place-items-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink"
    >
      <Icon name="more" />
    </button>
  );
}
