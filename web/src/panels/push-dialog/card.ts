/** A card apart: the metadata for the Hub, and the text as it is drawn. Pure. */
import type { DocNode } from "@/entities/docs/markdown";
import { noteTree } from "@/panels/notes/NoteText";

export interface ReadCard {
  metadata: string;
  tree: DocNode[];
}

export function readCard(card: string): ReadCard {
  const found = /^---\n(?<metadata>.*?)\n---\n(?<text>.*)$/s.exec(card);
  return {
    metadata: found?.groups?.metadata ?? "",
    tree: noteTree(found?.groups?.text ?? card).map(withoutEscapes),
  };
}

/** Names in a card have backslashes before characters that Markdown would take for markup. */
function withoutEscapes(node: DocNode): DocNode {
  if (typeof node === "string") return node.replace(/\\([\\`*_[\]<>|#~!&$])/g, "$1");
  return node.tag === "code" || node.tag === "pre"
    ? node
    : { ...node, children: node.children.map(withoutEscapes) };
}
