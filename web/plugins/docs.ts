/**
 * `virtual:docs` is the table of contents of docs/, `virtual:docs/<id>` one page as a tree (src/entities/docs/doc.ts).
 * Links between pages lead to their place in the lab; links to other files of the repository lose their address.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import type { DocEntry, DocTerm } from "../src/entities/docs/doc.ts";
import {
  type DocElement,
  type DocNode,
  parseMarkdown,
  plainText,
  slugOf,
} from "../src/entities/docs/markdown.ts";

const FOLDER = fileURLToPath(new URL("../../docs/", import.meta.url));
const INDEX = "virtual:docs";
const PAGE = "virtual:docs/";
const FIRST = ["quickstart", "concepts", "glossary"];
const SECTIONS = ["Start", "How to", "Reference", "Background"];

export function docs(): Plugin {
  return {
    name: "docs",
    resolveId: (id) => (id === INDEX || id.startsWith(PAGE) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${INDEX}`) return indexModule();
      if (!id.startsWith(`\0${PAGE}`)) return null;
      const page = id.slice(PAGE.length + 1);
      this.addWatchFile(`${FOLDER}${page}.md`);
      return pageModule(page);
    },
  };
}

function indexModule(): string {
  const pages = docIds().map(entryOf).sort(inReadingOrder);
  const loads = pages.map(({ id }) => `${JSON.stringify(id)}: () => import(${JSON.stringify(PAGE + id)})`);
  return [
    `export const pages = ${JSON.stringify(pages)};`,
    `export const terms = ${JSON.stringify(termsOf(treeOf("glossary")))};`,
    `export const loads = { ${loads.join(", ")} };`,
  ].join("\n");
}

/** Pictures are imported, so that they are files of the built page. */
function pageModule(id: string): string {
  const pictures: string[] = [];
  const tree = mapTree(treeOf(id), (node) => {
    if (node.tag !== "img" || /^https?:/.test(node.src!)) return node;
    return { ...node, src: `picture ${pictures.push(posix.join(posix.dirname(id), node.src!)) - 1}` };
  });
  const imports = pictures.map(
    (file, i) => `import picture${i} from ${JSON.stringify(`${FOLDER}${file}?url`)};`,
  );
  const json = JSON.stringify(tree).replace(/"picture (\d+)"/g, "picture$1");
  return [...imports, `export const tree = ${json};`].join("\n");
}

export function docIds(folder = ""): string[] {
  return readdirSync(FOLDER + folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return docIds(`${folder}${entry.name}/`);
    return entry.name.endsWith(".md") ? [folder + entry.name.slice(0, -3)] : [];
  });
}

export function treeOf(id: string): DocElement[] {
  const tree = mapTree(parseMarkdown(readFileSync(`${FOLDER}${id}.md`, "utf8")), (node) =>
    node.tag === "a" ? linked(node, id) : node,
  );
  return id === "glossary" ? mapTree(tree, namedRow) : tree;
}

/** Other pages of the docs and the web stay links; the rest of the repository is not part of the lab. */
function linked(link: DocElement, id: string): DocElement {
  const [path = "", hash] = link.href!.split("#");
  if (/^https?:/.test(path)) return link;
  const target = path === "" ? `${id}.md` : posix.join(posix.dirname(id), path);
  const isPage = !target.startsWith("..") && target.endsWith(".md") && existsSync(FOLDER + target);
  if (!isPage) return { tag: "em", children: link.children };
  return { ...link, href: `/docs/${target.slice(0, -3)}${hash ? `#${hash}` : ""}` };
}

/** A row of the glossary can be linked to: /docs/glossary#checkpoint. */
function namedRow(node: DocElement): DocElement {
  const first = node.children[0];
  if (node.tag !== "tr" || typeof first === "string" || first?.tag !== "td") return node;
  return { ...node, id: slugOf(plainText(first.children).split(",")[0]!) };
}

export function termsOf(tree: readonly DocNode[]): DocTerm[] {
  return tree.flatMap((node): DocTerm[] => {
    if (typeof node === "string") return [];
    if (node.tag !== "tr" || !node.id) return termsOf(node.children);
    const [term, meaning] = node.children.map((cell) => plainText([cell]));
    return [{ id: node.id, term: term!, meaning: meaning! }];
  });
}

function entryOf(id: string): DocEntry {
  const tree = treeOf(id);
  const titled = (tag: string) => tree.filter((node) => node.tag === tag);
  return {
    id,
    title: plainText(titled("h1")[0]?.children ?? [id]),
    section: sectionOf(id),
    headings: titled("h2").map((node) => ({ id: node.id!, title: plainText(node.children) })),
  };
}

function sectionOf(id: string): string {
  if (FIRST.includes(id)) return "Start";
  if (id.startsWith("howto/")) return "How to";
  return id.startsWith("reference/") ? "Reference" : "Background";
}

const inReadingOrder = (a: DocEntry, b: DocEntry): number =>
  SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section) ||
  (FIRST.indexOf(a.id) >>> 0) - (FIRST.indexOf(b.id) >>> 0) ||
  a.title.localeCompare(b.title);

function mapTree(tree: readonly DocElement[], change: (node: DocElement) => DocElement): DocElement[] {
  const walk = (node: DocNode): DocNode =>
    typeof node === "string" ? node : change({ ...node, children: node.children.map(walk) });
  return tree.map((node) => walk(node) as DocElement);
}
