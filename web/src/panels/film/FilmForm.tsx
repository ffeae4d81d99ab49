/** Makes a film: what it shows, how many scenes, how long, in which style. A play has no checkpoints to choose. */
import { useState } from "react";
import type { NewFilm, Run } from "@/api/types";
import { useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { useMakeFilm } from "@/entities/films/use-films";
import { whyNoEpisodes } from "@/entities/films/why-no-film";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { Slider } from "@/ui/Slider";

type Show = NonNullable<NewFilm["show"]>;
type Style = NonNullable<NewFilm["style"]>;
type Format = NonNullable<NewFilm["format"]>;

const STYLES: { value: Style; title: string }[] = [
  { value: "full", title: "Title, captions, curve, facts" },
  { value: "captions", title: "Captions only" },
  { value: "plain", title: "Pictures only" },
];
const PLAY_STYLES = STYLES.map((style) =>
  style.value === "full" ? { ...style, title: "Title, captions, returns" } : style,
);
const FORMATS: { value: Format; title: string }[] = [
  { value: "mp4", title: "MP4" },
  { value: "gif", title: "GIF" },
];

export function FilmForm({ run, onStarted }: { run: Run; onStarted: (film: Run) => void }) {
  const checkpoints = useCheckpoints(run.id);
  const make = useMakeFilm(run.id);
  const [chosen, setShow] = useState<Show | null>(null);
  const [scenes, setScenes] = useState(10);
  const [seconds, setSeconds] = useState(6);
  const [style, setStyle] = useState<Style>("full");
  const [format, setFormat] = useState<Format>("mp4");
  const isPlay = run.kind === "play";
  const show = chosen ?? (isPlay || checkpoints.reason ? "episodes" : "checkpoints");
  const noEpisodes = whyNoEpisodes(run);
  const submit = () =>
    make.mutate({ show, scenes, seconds_per_scene: seconds, style, format }, { onSuccess: onStarted });
  return (
    <div className="flex flex-col gap-4 text-sm">
      {!isPlay && (
        <Select
          label="What the film shows"
          value={show}
          options={[
            { value: "checkpoints", title: "Checkpoints playing one seed", reason: checkpoints.reason },
            { value: "episodes", title: "Episodes of the training", reason: noEpisodes },
          ]}
          onChange={setShow}
        />
      )}
      <Amount label={isPlay ? "Episodes" : "Scenes"} value={scenes} max={40} onChange={setScenes} />
      <Amount label="Longest scene, seconds" value={seconds} max={60} onChange={setSeconds} />
      <Select label="Style" value={style} options={isPlay ? PLAY_STYLES : STYLES} onChange={setStyle} />
      <Select label="Format" value={format} options={FORMATS} onChange={setFormat} />
      <Button
        kind="primary"
        icon="film"
        disabled={make.isPending}
        reason={show === "checkpoints" ? checkpoints.reason : noEpisodes}
        onClick={submit}
      >
        {format === "gif" ? "Make GIF" : "Make film"}
      </Button>
    </div>
  );
}

interface AmountProps {
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
}

function Amount({ label, value, max, onChange }: AmountProps) {
  return (
    <div>
      <div className="flex justify-between">
        <span>{label}</span>
        <span className="figures text-ink-2">{value}</span>
      </div>
      <Slider label={label} value={value} min={1} max={max} step={1} onChange={onChange} />
    </div>
  );
}
