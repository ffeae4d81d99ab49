/** The list of pages; navigation, keys and palette are built from it. */
export const PAGES = [
  { to: "/", title: "Lab", keys: "g l" },
  { to: "/runs", title: "Runs", keys: "g r" },
  { to: "/compare", title: "Compare", keys: "g c" },
  { to: "/environments", title: "Environments", keys: "g e" },
  { to: "/system", title: "System", keys: "g s" },
] as const;
