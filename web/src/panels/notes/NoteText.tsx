/** A note as its author meant it. Pictures are named, not loaded, and only web links are links: a note may be someone else's. */
import { type DocElement, type DocNode, parseMarkdown } from "@/entities/docs/markdown";
import { Prose } from "@/panels/prose/Prose";

export function NoteText({ text, about }: { text: string; about: string }) {
  if (text === "") return <p className="text-sm text-ink-3">What should be remembered about {about}?</p>;
  return (
    <div className="text-sm wrap-anywhere *:first:mt-0">
      <Prose tree={noteTree(text)} marked="" />
    </div>
  );
}

/** Text that cannot be parsed, such as quotes nested a thousand times, is shown as it is. */
export function noteTree(text: string): DocNode[] {
  try {
    return parseMarkdown(text).map(harmless);
  } catch {
    return [text];
  }
}

function harmless(node: DocNode): DocNode {
  if (typeof node === "string") return node;
  if (node.tag === "img") return node.alt || "(picture)";
  const { id: _, ...rest }: DocElement = { ...node, children: node.children.map(harmless) };
  return node.tag === "a" && !/^https?:\/\//i.test(node.href ?? "")
    ? { tag: "em", children: rest.children }
    : rest;
}
