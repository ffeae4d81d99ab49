/** Saves the whole episode as a video file and downloads it. */
import type { Run } from "@/api/types";
import { useSaveEpisode } from "@/entities/episodes/use-save-episode";
import { Button } from "@/ui/Button";
import { Menu } from "@/ui/Menu";

export function SaveMenu({ run, episode }: { run: Run; episode: number }) {
  const save = useSaveEpisode(run.id, episode);
  return (
    <Menu
      trigger={
        <Button small kind="quiet" icon="download" disabled={save.isPending}>
          {save.isPending ? "Saving…" : "Save"}
        </Button>
      }
      items={[
        { title: "MP4 video", icon: "film", run: () => save.mutate("mp4") },
        { title: "GIF picture", icon: "film", run: () => save.mutate("gif") },
      ]}
    />
  );
}
