/** Line icons drawn on a 16 px grid; they take the colour and size of the text around them. */
const PATHS = {
  play: "M5 3.5v9l7-4.5z",
  pause: "M5 3.5v9M11 3.5v9",
  stop: "M4 4h8v8H4z",
  record: "M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  reset: "M3.5 8a4.5 4.5 0 1 0 1.4-3.3M3.5 3v2.5H6",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5l3 3",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3.5 8.5l3 3 6-7",
  down: "M4 6l4 4 4-4",
  up: "M4 10l4-4 4 4",
  left: "M10 4L6 8l4 4",
  right: "M6 4l4 4-4 4",
  settings: "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3",
  download: "M8 2.5v7.5M5 7l3 3 3-3M3 13.5h10",
  link: "M6.5 9.5l3-3M7 4.5l1-1a3 3 0 0 1 4.2 4.2l-1 1M9 11.5l-1 1a3 3 0 0 1-4.2-4.2l1-1",
  copy: "M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6",
  warn: "M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.2",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.3v3.4M8 5.1v.2",
  help: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.2 6.3c.2-2.4 3.6-2.3 3.6-.2 0 1.3-1.8 1.4-1.8 2.9M8 11v.2",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  more: "M3.5 8h.1M8 8h.1M12.5 8h.1",
  plus: "M8 3v10M3 8h10",
  step: "M4 3.5v9l6-4.5zM12 3.5v9",
  leftColumn: "M2.5 3.5h11v9h-11zM6 3.5v9",
  rightColumn: "M2.5 3.5h11v9h-11zM10 3.5v9",
  first: "M4 3.5v9M12 4L7 8l5 4",
  last: "M12 3.5v9M4 4l5 4-5 4",
  fork: "M5 2.5v5.5a3 3 0 0 0 3 3h3M5 8v5.5M9 9l2 2-2 2",
  eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  eyeOff:
    "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM3 13L13 3",
  film: "M2.5 4h11v8h-11zM5.5 4v8M10.5 4v8",
  columns: "M2.5 3.5h4.5v9H2.5zM9 3.5h4.5v9H9z",
  full: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  pointer: "M4 2.5l8.5 5.2-4 .9-1.9 3.9z",
  note: "M3.5 2.5h9v8l-3 3h-6zM5.5 5.5h5M5.5 8h5",
  gamepad:
    "M4.7 5h6.6a3.2 3.2 0 0 1 3.2 3.2v.9a2.2 2.2 0 0 1-4 1.2h-5a2.2 2.2 0 0 1-4-1.2v-.9A3.2 3.2 0 0 1 4.7 5zM5 6.8v2.4M3.8 8h2.4M11.2 7.2h.1M9.8 8.6h.1",
  chart: "M2.5 13.5h11M3 11l3-4 3 2 4-6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
