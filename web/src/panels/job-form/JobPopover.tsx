/** A button that opens the form of a job: an evaluation, a fork. It closes when the job has been started. */
import { type ReactNode, useState } from "react";
import type { Run } from "@/api/types";
import { Button } from "@/ui/Button";
import type { IconName } from "@/ui/icons";
import { Popover } from "@/ui/Popover";

export interface JobPopoverProps {
  title: string;
  /** The word on the button. */
  action: string;
  icon: IconName;
  onStarted: (job: Run) => void;
  children: (onStarted: (job: Run) => void) => ReactNode;
}

export function JobPopover({ title, action, icon, onStarted, children }: JobPopoverProps) {
  const [isOpen, setIsOpen] = useState(false);
  const started = (job: Run) => {
    setIsOpen(false);
    onStarted(job);
  };
  return (
    <Popover
      title={title}
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button small icon={icon}>
          {action}
        </Button>
      }
    >
      {children(started)}
    </Popover>
  );
}
