/** What can be done with one run of the table. Only the row whose button was pressed has a real menu: rows stay light. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Run } from "@/api/types";
import { useFineTune, whyNotFineTune } from "@/entities/continuing/use-fine-tune";
import { whyNotLonger } from "@/entities/continuing/use-longer";
import { isLive } from "@/entities/runs/status";
import { useAgain, useEditAndRun, whyNotAgain } from "@/entities/runs/use-again";
import { useRunActions } from "@/entities/runs/use-run-actions";
import { scriptOf } from "@/entities/runs/words";
import { openScript } from "@/panels/script-dialog/again";
import { openLonger } from "@/panels/train-longer/dialog";
import { Icon } from "@/ui/icons";
import { Menu, type MenuItem } from "@/ui/Menu";

const BUTTON = "grid size-8 place-items-center rounded-sm text-ink-3 hover:bg-sunken hover:text-ink";

export function RowMenu({ run }: { run: Run }) {
  const [isArmed, setIsArmed] = useState(false);
  if (isArmed) return <OpenRowMenu run={run} />;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label={`Actions for ${run.name}`}
      onClick={() => setIsArmed(true)}
      className={BUTTON}
    >
      <Icon name="more" />
    </button>
  );
}

function OpenRowMenu({ run }: { run: Run }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Menu
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <button type="button" aria-label={`Actions for ${run.name}`} className={BUTTON}>
          <Icon name="more" />
        </button>
      }
      items={useItems(run)}
    />
  );
}

function useItems(run: Run): MenuItem[] {
  const navigate = useNavigate();
  const actions = useRunActions();
  const again = useAgain();
  const edit = useEditAndRun();
  const fineTune = useFineTune();
  const open = (runId: string) => void navigate({ to: "/runs/$runId", params: { runId } });
  const { parent_id: parent } = run;
  return [
    { title: "Open", icon: "right", run: () => open(run.id) },
    ...(parent ? [{ title: "Open its training", icon: "up" as const, run: () => open(parent) }] : []),
    { title: "Run again", icon: "play", reason: whyNotAgain(run), run: () => again.mutate(run) },
    {
      title: "Edit and run",
      icon: "settings",
      reason: whyNotAgain(run),
      run: () => (scriptOf(run) ? openScript(run) : edit(run)),
    },
    { title: "Train longer…", icon: "play", reason: whyNotLonger(run), run: () => openLonger(run) },
    {
      title: "Fine-tune from here…",
      icon: "plus",
      reason: whyNotFineTune(run),
      run: () => fineTune(run.id),
    },
    {
      title: "Compare",
      icon: "chart",
      reason: run.kind === "train" ? null : "Only training runs can be compared.",
      run: () => void navigate({ to: "/compare", search: { runs: run.id } }),
    },
    {
      title: run.archived ? "Unarchive" : "Archive",
      icon: "check",
      reason: isLive(run) ? "Stop the run first." : null,
      run: () => actions.archive([run], !run.archived),
    },
    {
      title: "Delete",
      icon: "close",
      danger: true,
      reason: isLive(run) ? "Stop the run first." : null,
      run: () => actions.remove([run]),
    },
  ];
}
