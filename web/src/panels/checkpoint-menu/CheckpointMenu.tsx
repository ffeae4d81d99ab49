/** What can be done with one checkpoint, from its button in a list or on the timeline. */
import type { ReactNode } from "react";
import type { CheckpointSubject } from "@/entities/checkpoints/subject";
import { Menu } from "@/ui/Menu";
import { type CheckpointActions, useCheckpointItems } from "./use-items";

export interface CheckpointMenuProps extends CheckpointActions {
  subject: CheckpointSubject;
  trigger: ReactNode;
  /** What the checkpoint is, where the menu covers it. */
  heading?: string;
  /** `open` and `onOpenChange` together: the caller opens and closes it. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

export function CheckpointMenu({
  subject,
  trigger,
  heading,
  open,
  onOpenChange,
  ...actions
}: CheckpointMenuProps) {
  const items = useCheckpointItems(subject, actions);
  return <Menu trigger={trigger} heading={heading} items={items} open={open} onOpenChange={onOpenChange} />;
}
