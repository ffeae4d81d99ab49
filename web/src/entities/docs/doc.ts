/** The shape of a page of the docs: plugins/docs.ts makes it from docs/*.md when the page is built. Pure. */

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
