/** The shape of a page of the docs: plugins/docs.ts makes it from docs/*.md when the page is built. Pure. */

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

export interface DocEntry {
  /** Its path in docs/ without the ending: "quickstart", "howto/install". */
  id: string;
  title: string;
  section: string;
  headings: { id: string; title: string }[];
}

/** A word of the glossary. */
export interface DocTerm {
  id: string;
  term: string;
  meaning: string;
}

/** What a person reads, without any markup. */
export const plainText = (nodes: readonly DocNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : plainText(node.children))).join("");
