/** SHARE: the link, the report as one file, and the film when there is one. */
import { useQuery } from "@tanstack/react-query";
import { mediaAddress } from "@/api/addresses";
import type { Artifact, Run } from "@/api/types";
import { downloadOf } from "@/entities/artifacts/queries";
import { filmsQuery } from "@/entities/films/queries";
import { useFilm } from "@/entities/films/use-films";
import { startDownload } from "@/lib/download";
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
  return [
    {
      title: "Copy link",
      icon: "link",
      run: () => void copyText(`${window.location.origin}/runs/${run.id}`, "Link copied."),
    },
    {
      title: "Download report (HTML)",
      icon: "download",
      run: () => startDownload(mediaAddress(`/api/runs/${run.id}/report?format=html`)),
    },
    {
      title: "Download film",
      icon: "film",
      reason: film ? null : "There is no film yet. FILM makes one.",
      run: () => film && startDownload(downloadOf(film)),
    },
  ];
}
