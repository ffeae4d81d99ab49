/** SHARE: the link, the report as one file, and the film when there is one. */
import { useQuery } from "@tanstack/react-query";
import type { Artifact, Run } from "@/api/types";
import { addressOf } from "@/entities/artifacts/queries";
import { filmsQuery } from "@/entities/films/queries";
import { useFilm } from "@/entities/films/use-films";
import { saveAs } from "@/lib/save";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { Menu, type MenuItem } from "@/ui/Menu";

export function ShareMenu({ run }: { run: Run }) {
  const newest = useQuery({ ...filmsQuery(run.id), enabled: !run.source }).data;
  return newest ? <ShareWithFilm run={run} filmId={newest.id} /> : <ShareItems run={run} />;
}

function ShareWithFilm({ run, filmId }: { run: Run; filmId: string }) {
  const { file } = useFilm(filmId);
  return <ShareItems run={run} film={file} />;
}

function ShareItems({ run, film }: { run: Run; film?: Artifact }) {
  return (
    <Menu
      trigger={
        <Button small icon="link">
          Share
        </Button>
      }
      items={shareItems(run, film)}
    />
  );
}

export function shareItems(run: Run, film: Artifact | undefined): MenuItem[] {
  const name = fileName(run);
  return [
    {
      title: "Copy link",
      icon: "link",
      run: () => void copyText(`${window.location.origin}/runs/${run.id}`, "Link copied."),
    },
    {
      title: "Download report (HTML)",
      icon: "download",
      run: () => saveAs(`/api/runs/${run.id}/report?format=html`, `${name}.html`),
    },
    {
      title: "Download film",
      icon: "film",
      reason: film ? null : "There is no film yet. FILM makes one.",
      run: () =>
        film && saveAs(addressOf(film), `${name}.${film.media_type === "image/gif" ? "gif" : "mp4"}`),
    },
  ];
}

/** "PPO on CartPole-v1" → "ppo-on-cartpole-v1" */
const fileName = (run: Run): string =>
  run.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "") || run.id;
