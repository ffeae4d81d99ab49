/** Opens the editor of the keys. */
import { lazy, Suspense, useState } from "react";
import type { Controls } from "@/entities/plays/controls";
import { useSaveControls } from "@/entities/plays/use-controls";
import { chunk } from "@/lib/chunks";
import { Button } from "@/ui/Button";

const ControlsEditor = lazy(
  chunk(async () => ({ default: (await import("@/panels/play-controls/ControlsEditor")).ControlsEditor })),
);

export interface ControlsButtonProps {
  envId: string;
  controls: Controls;
  actionNames: readonly string[];
  onSaved?: (controls: Controls) => void;
}

export function ControlsButton({ envId, controls, actionNames, onSaved }: ControlsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const save = useSaveControls(envId, (saved) => {
    setOpen(false);
    onSaved?.(saved);
  });
  const close = () => {
    setOpen(false);
    save.reset();
  };
  return (
    <>
      <Button small kind="quiet" icon="settings" onClick={() => setOpen(true)}>
        Change the keys
      </Button>
      <Suspense>
        {isOpen && (
          <ControlsEditor
            envId={envId}
            controls={controls}
            actionNames={actionNames}
            isBusy={save.isPending}
            error={save.error}
            onSave={(draft) => save.mutate(draft)}
            onReset={() => save.mutate(null)}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}
