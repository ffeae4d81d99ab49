import * as Radix from "@radix-ui/react-slider";

export interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onChange: (value: number) => void;
  /** What a screen reader reads instead of the position. */
  valueText?: string;
}

export function Slider({ label, value, min, max, step, onChange, valueText }: SliderProps) {
  return (
    <Radix.Root
      value={[value]}
      min={min}
      max={max}
      step={step}
      onValueChange={([next]) => onChange(next!)}
      className="relative flex h-6 w-full touch-none items-center select-none"
    >
      <Radix.Track className="relative h-0.5 flex-1 rounded-full bg-line-strong">
        <Radix.Range className="absolute h-full rounded-full bg-ink" />
      </Radix.Track>
      <Radix.Thumb
        aria-label={label}
        aria-valuetext={valueText}
        className="block size-4 rounded-full border-2 border-ink bg-surface"
      />
    </Radix.Root>
  );
}
