/** The path in what was dropped on the page. Browsers tell the path of dropped text and links, never of files. Pure. */

export interface Dropped {
  path: string | null;
  /** Why there is none, in words. */
  reason: string | null;
}

const KEPT_SECRET =
  "The browser does not tell the page where a dropped folder lies. Drop its path as text, or paste it.";

export function pathOf(text: string, uris: string, fileName: string | undefined): Dropped {
  const uri = uris.split("\n").find((line) => line.startsWith("file://"));
  if (uri) return { path: decodeURIComponent(new URL(uri.trim()).pathname), reason: null };
  const line = text.trim().split("\n")[0]?.trim() ?? "";
  if (/^(\/|~\/)/.test(line)) return { path: line, reason: null };
  if (fileName !== undefined) return { path: null, reason: `“${fileName}”: ${KEPT_SECRET}` };
  return { path: null, reason: line ? `“${line.slice(0, 80)}” is not the path of a folder.` : KEPT_SECRET };
}
