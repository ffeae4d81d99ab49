// @vitest-environment node
import { expect, test } from "vitest";
import {
  type DocElement,
  type DocNode,
  inline,
  parseMarkdown,
  plainText,
} from "../src/entities/docs/markdown.ts";
import { docIds, termsOf, treeOf } from "./docs.ts";

const all = (nodes: readonly DocNode[]): DocElement[] =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : [node, ...all(node.children)]));

test("blocks become a tree", () => {
  const tags = parseMarkdown(
    "# Title\n\ntext\nmore\n\n- one\n  goes on\n- two\n\n```sh\nrl-lab `x`\n\n# no heading\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
  ).map((node) => node.tag);
  expect(tags).toEqual(["h1", "p", "ul", "pre", "table"]);
});

test("markup in the text stays text", () => {
  expect(inline("<b onclick=x>&amp;</b>")).toEqual(["<b onclick=x>&amp;</b>"]);
});

test("code keeps its signs, names with underscores are no emphasis", () => {
  expect(inline("`a*b*` and run_id of *this* run_id")).toEqual([
    { tag: "code", children: ["a*b*"] },
    " and run_id of ",
    { tag: "em", children: ["this"] },
    " run_id",
  ]);
});

test("every page has a title, and every link between pages leads to a page and a heading", () => {
  const ids = docIds();
  expect(ids).toContain("howto/install");
  const places = new Set(
    ids.flatMap((id) => [`/docs/${id}`, ...all(treeOf(id)).map((node) => `/docs/${id}#${node.id}`)]),
  );
  for (const id of ids) {
    const nodes = all(treeOf(id));
    expect(nodes[0]!.tag, id).toBe("h1");
    for (const link of nodes.filter((node) => node.tag === "a" && node.href!.startsWith("/")))
      expect(places, `${id}: ${link.href}`).toContain(link.href);
  }
});

test("words of the glossary can be linked to", () => {
  const terms = termsOf(treeOf("glossary"));
  expect(terms.find(({ id }) => id === "checkpoint")!.meaning).toMatch(/resumed/);
  expect(terms.find(({ id }) => id === "episode")!.term).toBe("Episode, Step");
});

test("a table cell may contain code with a bar", () => {
  const table = parseMarkdown("| a | b |\n| --- | --- |\n| `x \\| y` | z |")[0]!;
  expect(plainText(table.children)).toBe("abx | yz");
});
