/**
 * Makes index.html paint at once: its style is src/app/boot.css, the stylesheet comes after the outline of the page
 * (so that the outline does not wait for it), and the lab's own chunk is requested with the entry, not after it.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

const BOOT = new URL("../src/app/boot.css", import.meta.url);
const FIRST_PAGE = "/src/pages/lab/LabPage.tsx";
const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/;

export function shell(): Plugin[] {
  return [
    {
      name: "boot-style",
      transformIndexHtml: {
        order: "pre",
        handler: (html) => html.replace("/* boot.css */", () => readFileSync(BOOT, "utf8")),
      },
    },
    {
      name: "first-page",
      transformIndexHtml: {
        order: "post",
        handler: (html, { bundle }) => ({
          html: stylesheetLast(html),
          tags: bundle ? preloads(bundle, html) : [],
        }),
      },
    },
  ];
}

type Modules = { getModuleInfo: (id: string) => Rolldown.ModuleInfo | null };
let first: Set<string> | null = null;

/** One file for what the entry and the lab's page share: 30 small ones compress worse and take longer to ask for. */
export function firstLoad(id: string, modules: Modules): string | null {
  first ??= reachable(fileURLToPath(new URL(`..${FIRST_PAGE}`, import.meta.url)), modules);
  return first.has(id) ? "lab" : null;
}

function reachable(from: string, modules: Modules): Set<string> {
  const found = new Set<string>();
  const add = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    modules.getModuleInfo(id)?.importedIds.forEach(add);
  };
  add(from);
  return found;
}

function stylesheetLast(html: string): string {
  const found = STYLESHEET.exec(html)?.[0];
  return found ? html.replace(found, "").replace("</body>", `  ${found.trim()}\n  </body>`) : html;
}

/** A `modulepreload` for each file that the lab's page needs and the entry does not name. */
function preloads(bundle: Rolldown.OutputBundle, html: string): HtmlTagDescriptor[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const first = chunks.find((chunk) => chunk.moduleIds.some((id) => id.endsWith(FIRST_PAGE)));
  if (!first) throw new Error(`shell: no chunk is made from ${FIRST_PAGE}`);
  const needed = new Set<string>();
  const add = (name: string) => {
    const chunk = chunks.find((one) => one.fileName === name);
    if (!chunk || needed.has(name)) return;
    needed.add(name);
    chunk.imports.forEach(add);
  };
  add(first.fileName);
  return [...needed]
    .filter((name) => !html.includes(`/${name}"`))
    .map((name) => ({
      tag: "link",
      attrs: { rel: "modulepreload", crossorigin: true, href: `/${name}` },
      injectTo: "head",
    }));
}
