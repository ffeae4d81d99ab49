/** Less frequent actions of a run: link, comparison, again, report, archive, delete. */
import { useNavigate } from "@tanstack/react-router";
import { mediaAddress } from "@/api/addresses";
import type { Run } from "@/api/types";
import { useFineTune, whyNotFineTune } from "@/entities/continuing/use-fine-tune";
import { whyNotLonger } from "@/entities/continuing/use-longer";
import { isLive } from "@/entities/runs/status";
import { useAgain, useEditAndRun, whyNotAgain } from "@/entities/runs/use-again";
import { useRunActions } from "@/entities/runs/use-run-actions";
import { scriptOf } from "@/entities/runs/words";
import { openScript } from "@/panels/script-dialog/again";
import { openLonger } from "@/panels/train-longer/dialog";
import { IconButton } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { Menu } from "@/ui/Menu";

export function RunMenu({ run }: { run: Run }) {
  const navigate = useNavigate();
  const actions = useRunActions();
  const again = useAgain();
  const edit = useEditAndRun();
  const fineTune = useFineTune();
  const script = scriptOf(run);
  const busy = isLive(run) ? "Stop the run first." : null;
  return (
    <Menu
      trigger={<IconButton icon="more" label="More" />}
      items={[
        {
          title: "Copy link to this view",
          icon: "link",
          run: () => void copyText(window.location.href, "Link copied. It opens this view as you see it."),
        },
        {
          title: "Compare with others",
          icon: "chart",
          reason: run.kind === "train" ? null : "Only training runs can be compared.",
          run: () => void navigate({ to: "/compare", search: { runs: run.id } }),
        },
        { title: "Run again", icon: "play", reason: whyNotAgain(run), run: () => again.mutate(run) },
        {
          title: "Edit and run",
          icon: "settings",
          reason: whyNotAgain(run),
          run: () => (script ? openScript(run) : edit(run)),
        },
        {
          title: "Train longer…",
          icon: "play",
          reason: whyNotLonger(run),
          run: () => openLonger(run),
        },
        {
          title: "Fine-tune from here…",
          icon: "plus",
          reason: whyNotFineTune(run),
          run: () => fineTune(run.id),
        },
        {
          title: "Report (HTML)",
          icon: "download",
          run: () =>
            void window.open(mediaAddress(`/api/runs/${run.id}/report?format=html`), "_blank", "noopener"),
        },
        {
          title: "All numbers (CSV)",
          icon: "download",
          reason: run.kind === "train" ? null : "Only training runs have curves.",
          run: () => window.location.assign(mediaAddress(`/api/runs/${run.id}/metrics.csv`)),
        },
        {
          title: run.archived ? "Unarchive" : "Archive",
          icon: "check",
          run: () => actions.archive([run], !run.archived),
        },
        {
          title: "Delete",
          icon: "close",
          danger: true,
          reason: busy,
          run: () => {
            actions.remove([run]);
            void navigate({ to: "/runs" });
          },
        },
      ]}
    />
  );
}
