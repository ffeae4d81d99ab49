/** Which of the two ways into the lab is open; it is in the link. */
import { getRouteApi } from "@tanstack/react-router";

export type Way = "new" | "trained";

const route = getRouteApi("/");

export function useWay(): [Way, (way: Way) => void] {
  const { way = "new" } = route.useSearch();
  const navigate = route.useNavigate();
  return [
    way,
    (next) =>
      void navigate({
        search: (s) => ({ ...s, way: next === "new" ? undefined : next }),
        replace: true,
        resetScroll: false,
      }),
  ];
}
