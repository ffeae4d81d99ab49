/** A video of the lab: plays in place, frame by frame when paused, and can be downloaded. */
import { useRef } from "react";
import { Button, IconButton } from "@/ui/Button";

export interface VideoPlayerProps {
  /** Address of the MP4 or GIF. */
  src: string;
  /** Address that saves it under a name of its run; the MP4 itself unless given. */
  download?: string;
  label: string;
  /** For single steps. */
  fps?: number;
  isGif?: boolean;
}

const RATES = [0.25, 0.5, 1, 2, 4];

export function VideoPlayer({ src, download = src, label, fps = 30, isGif = false }: VideoPlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const stepBy = (frames: number) => {
    const element = video.current!;
    element.pause();
    element.currentTime = Math.max(0, element.currentTime + frames / fps);
  };
  if (isGif) return <img src={src} alt={label} className="max-h-[56vh] w-full bg-surface object-contain" />;
  return (
    <div>
      {/* biome-ignore lint/a11y/useMediaCaption: environments make no sound; the captions are in the picture */}
      <video
        ref={video}
        src={src}
        aria-label={label}
        controls
        loop
        playsInline
        preload="metadata"
        className="max-h-[56vh] w-full bg-surface"
      />
      <div className="flex items-center gap-1 border-t px-3 py-1.5">
        <IconButton icon="left" label="One frame back" onClick={() => stepBy(-1)} />
        <IconButton icon="right" label="One frame forward" onClick={() => stepBy(1)} />
        {RATES.map((rate) => (
          <Button
            key={rate}
            small
            kind="quiet"
            className="px-1.5 max-sm:hidden"
            onClick={() => {
              video.current!.playbackRate = rate;
            }}
          >
            {`${rate}×`}
          </Button>
        ))}
        <a
          href={download}
          download
          className="label ml-auto inline-flex h-7 items-center rounded-sm px-2.5 text-ink-2 hover:bg-sunken hover:text-ink"
        >
          Download
        </a>
      </div>
    </div>
  );
}
