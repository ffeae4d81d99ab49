/** Chooses a second episode of the run, to play next to the shown one. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { landmarksQuery } from "@/entities/episodes/queries";
import { formatCount, formatNumber } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Menu } from "@/ui/Menu";

export interface SecondEpisodeMenuProps {
  run: Run;
  episode: number;
  onChoose: (episode: number) => void;
}

export function SecondEpisodeMenu({ run, episode, onChoose }: SecondEpisodeMenuProps) {
  const landmarks = useQuery(landmarksQuery(run.id)).data ?? [];
  const items = landmarks
    .filter((landmark) => landmark.row.episode !== episode)
    .map(({ title, row }) => ({
      title: `${title} episode: ${formatCount(row.episode)}, return ${formatNumber(row.reward, 4)}`,
      icon: "play" as const,
      run: () => onChoose(row.episode),
    }));
  if (items.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button small kind="quiet" icon="columns">
          Compare
        </Button>
      }
      items={items}
    />
  );
}
