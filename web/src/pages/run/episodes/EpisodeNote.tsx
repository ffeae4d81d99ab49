/** The note on the episode that is replayed. */
import { useQuery } from "@tanstack/react-query";
import { episodeTitle } from "@/entities/episodes/episode-title";
import { episodeQuery } from "@/entities/episodes/queries";
import { useEpisodeNote } from "@/entities/episodes/use-episode-note";
import { NotePanel } from "@/panels/notes/NotePanel";

export function EpisodeNote({ runId, episode }: { runId: string; episode: number }) {
  const { data: row } = useQuery(episodeQuery(runId, episode));
  const save = useEpisodeNote(runId, episode);
  if (row === undefined) return null;
  return <NotePanel about={episodeTitle(episode).toLowerCase()} note={row.note ?? ""} onSave={save} />;
}
