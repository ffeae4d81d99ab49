/** The pages of the navigation; keys and palette are built from this list too. */
export const PAGES = [
  { to: "/", title: "Lab", keys: "g l" },
  { to: "/runs", title: "Runs", keys: "g r" },
  { to: "/studies", title: "Studies", keys: "g u" },
  { to: "/models", title: "Models", keys: "g m" },
  { to: "/datasets", title: "Datasets", keys: "g a" },
  { to: "/compare", title: "Compare", keys: "g c" },
  { to: "/environments", title: "Environments", keys: "g e" },
  { to: "/play", title: "Play", keys: "g p" },
  { to: "/workbench", title: "Workbench", keys: "g b" },
  { to: "/system", title: "System", keys: "g s" },
] as const;

/** Pages that are reached from elsewhere: with a key, from the palette, or by a link in the header. */
export const MORE_PAGES = [
  { to: "/queue", title: "Queue", keys: "g q" },
  { to: "/welcome", title: "Welcome", keys: "g w" },
  { to: "/docs", title: "Docs", keys: "g d" },
] as const;
