/** Addresses that the browser opens by itself, without our headers: pictures, videos, downloads, pages, sockets. */
import { withParameter } from "@/lib/parameters";
import { readKeys } from "./session-keys";

/** For `src`, `href`, `window.open` and downloads of a path such as /api/artifacts/7. */
export function mediaAddress(path: string): string {
  const keys = readKeys();
  return keys ? withParameter(path, "view_key", keys.view_key) : path;
}

/** The full address of a socket such as /api/live; a Worker does not know the page's host. */
export function socketAddress(path: string): string {
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${window.location.host}${mediaAddress(path)}`;
}
