/** The path in what was dropped on the page. Browsers give the content of dropped text and links, never the path of files. Pure. */

export interface Dropped {
  path: string | null;
  /** Why there is no path. */
  reason: string | null;
}

const HIDDEN_PATH = "Browsers do not reveal the path of a dropped folder. Drop or paste its path as text.";

export function pathOf(text: string, uris: string, fileName: string | undefined): Dropped {
  const uri = uris.split("\n").find((line) => line.startsWith("file://"));
  if (uri) return { path: decodeURIComponent(new URL(uri.trim()).pathname), reason: null };
  const line = text.trim().split("\n")[0]?.trim() ?? "";
  if (/^(\/|~\/)/.test(line)) return { path: line, reason: null };
  if (fileName !== undefined) return { path: null, reason: `“${fileName}”: ${HIDDEN_PATH}` };
  return { path: null, reason: line ? `“${line.slice(0, 80)}” is not the path of a folder.` : HIDDEN_PATH };
}
