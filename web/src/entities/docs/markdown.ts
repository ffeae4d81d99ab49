/**
 * Markdown as docs/ and notes use it: headings, paragraphs, lists, tables, code, quotes, links, images, emphasis. The
 * result is a tree and never HTML, so that no text can bring its own markup into the lab. Pure.
 */
export type DocTag =
  | "h1"
  | "h2"
  | "h3"
  | "h4"
  | "p"
  | "ul"
  | "ol"
  | "li"
  | "table"
  | "thead"
  | "tbody"
  | "tr"
  | "th"
  | "td"
  | "pre"
  | "code"
  | "em"
  | "strong"
  | "a"
  | "img"
  | "blockquote";

export interface DocElement {
  tag: DocTag;
  id?: string;
  href?: string;
  src?: string;
  alt?: string;
  children: DocNode[];
}
export type DocNode = string | DocElement;

const FENCE = /^```/;
const HEADING = /^(#{1,4})\s+(.*)$/;
const BULLET = /^(\s*)([-*]|\d+\.)\s+(.*)$/;
const RULER = /^\s*\|?\s*:?-{2,}.*\|/;
const INLINE =
  /(?<code>`+)(?<text>.+?)\k<code>(?!`)|(?<bang>!?)\[(?<label>(?:[^\][]|`[^`]*`)*)\]\((?<to>[^)\s]+)\)|\*\*(?<strong>.+?)\*\*|(?<![\w*])[*_](?<em>[^*_\s](?:[^*_]*[^*_\s])?)[*_](?![\w*])/s;

export function parseMarkdown(text: string): DocElement[] {
  const lines = text.replace(/<!--.*?-->/gs, "").split("\n");
  return blocks(lines, slugger());
}

export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Ids as GitHub makes them: the second heading of one name ends with -1. */
function slugger(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const slug = slugOf(text);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
}

function blocks(lines: readonly string[], slug: (text: string) => string): DocElement[] {
  const made: DocElement[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at);
    const block = lines.slice(at, end);
    if (block[0]!.trim() !== "") made.push(blockOf(block, slug));
    at = end;
  }
  return made;
}

/** The line after the block that begins here. */
function endOfBlock(lines: readonly string[], at: number): number {
  const first = lines[at]!;
  if (first.trim() === "" || HEADING.test(first)) return at + 1;
  if (FENCE.test(first)) {
    const close = lines.findIndex((line, i) => i > at && FENCE.test(line));
    return close === -1 ? lines.length : close + 1;
  }
  const isList = BULLET.test(first);
  let end = at + 1;
  while (end < lines.length && !endsBlock(lines, end, isList)) end++;
  return end;
}

function endsBlock(lines: readonly string[], at: number, isList: boolean): boolean {
  const line = lines[at]!;
  if (line.trim() === "") return !(isList && /^\s{2,}\S/.test(lines[at + 1] ?? ""));
  return HEADING.test(line) || FENCE.test(line) || (!isList && BULLET.test(line));
}

function blockOf(block: readonly string[], slug: (text: string) => string): DocElement {
  const first = block[0]!;
  const heading = HEADING.exec(first);
  if (heading) {
    const children = inline(heading[2]!);
    return { tag: `h${heading[1]!.length}` as DocTag, id: slug(plainText(children)), children };
  }
  if (FENCE.test(first)) {
    const code = block.slice(1, FENCE.test(block.at(-1)!) ? -1 : undefined).join("\n");
    return element("pre", [element("code", [code])]);
  }
  if (BULLET.test(first)) return list(block, slug);
  if (first.includes("|") && RULER.test(block[1] ?? "")) return table(block);
  if (first.startsWith(">"))
    return element(
      "blockquote",
      blocks(
        block.map((line) => line.replace(/^>\s?/, "")),
        slug,
      ),
    );
  return element("p", inline(block.map((line) => line.trim()).join(" ")));
}

function list(block: readonly string[], slug: (text: string) => string): DocElement {
  const indent = BULLET.exec(block[0]!)![1]!.length;
  const items: string[][] = [];
  for (const line of block) {
    const bullet = BULLET.exec(line);
    if (bullet && bullet[1]!.length <= indent) items.push([bullet[3]!]);
    else items.at(-1)!.push(line.replace(new RegExp(`^\\s{0,${indent + 3}}`), ""));
  }
  const isOrdered = /^\s*\d/.test(block[0]!);
  return element(
    isOrdered ? "ol" : "ul",
    items.map((item) => element("li", looseless(blocks(item, slug)))),
  );
}

/** A list item of one paragraph has no paragraph around it. */
const looseless = (found: DocElement[]): DocNode[] =>
  found[0]?.tag === "p" ? [...found[0].children, ...found.slice(1)] : found;

function table(block: readonly string[]): DocElement {
  const rows = block.map(cells);
  const row = (tag: "th" | "td", texts: string[]) =>
    element(
      "tr",
      texts.map((text) => element(tag, inline(text))),
    );
  return element("table", [
    element("thead", [row("th", rows[0]!)]),
    element(
      "tbody",
      rows.slice(2).map((texts) => row("td", texts)),
    ),
  ]);
}

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

export function inline(text: string): DocNode[] {
  const found = INLINE.exec(text);
  if (!found) return text === "" ? [] : [text];
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  return [...(before ? [before] : []), inlineOf(found.groups!), ...inline(after)];
}

function inlineOf(part: Record<string, string | undefined>): DocElement {
  if (part.text !== undefined) return element("code", [part.text]);
  if (part.strong !== undefined) return element("strong", inline(part.strong));
  if (part.em !== undefined) return element("em", inline(part.em));
  if (part.bang) return { tag: "img", src: part.to!, alt: part.label!, children: [] };
  return { tag: "a", href: part.to!, children: inline(part.label!) };
}

const element = (tag: DocTag, children: DocNode[]): DocElement => ({ tag, children });

/** What a person reads, without any markup. */
export const plainText = (nodes: readonly DocNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : plainText(node.children))).join("");
