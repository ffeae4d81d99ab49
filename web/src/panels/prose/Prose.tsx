/** Draws a tree of Markdown: a page of the docs, or a note. Links to other pages of the docs stay in the lab. */
import { Link } from "@tanstack/react-router";
import { createElement, type ReactNode } from "react";
import { type DocElement, type DocNode, type DocTag, plainText } from "@/entities/docs/markdown";
import { cx } from "@/ui/cx";

const LOOK: Record<Exclude<DocTag, "a" | "img" | "table" | "pre" | "code">, string> = {
  h1: "text-2xl font-semibold tracking-tight",
  h2: "mt-10 scroll-mt-20 text-xl font-semibold tracking-tight",
  h3: "mt-7 scroll-mt-20 text-lg font-semibold",
  h4: "mt-6 scroll-mt-20 font-semibold",
  p: "mt-3 leading-relaxed text-ink-2",
  ul: "mt-3 list-disc pl-5 text-ink-2 marker:text-ink-3",
  ol: "mt-3 list-decimal pl-5 text-ink-2 marker:text-ink-3",
  li: "mt-1.5 leading-relaxed",
  thead: "label border-b text-left text-ink-3",
  tbody: "",
  tr: "scroll-mt-20 border-b last:border-0",
  th: "px-3 py-2 align-bottom font-medium",
  td: "px-3 py-2 align-top first:text-ink",
  em: "text-ink italic",
  strong: "font-semibold text-ink",
  blockquote: "mt-3 border-l-2 border-line-strong pl-4",
};

export function Prose({ tree, marked }: { tree: readonly DocNode[]; marked: string }): ReactNode {
  return tree.map((node, i) =>
    typeof node === "string" ? node : <Part key={i} node={node} marked={marked} />,
  );
}

function Part({ node, marked }: { node: DocElement; marked: string }): ReactNode {
  const inside = <Prose tree={node.children} marked={marked} />;
  switch (node.tag) {
    case "a":
      return <DocLink href={node.href!}>{inside}</DocLink>;
    case "img":
      return <img src={node.src} alt={node.alt} className="mt-4 w-full rounded-md border bg-[#fff] p-2" />;
    case "code":
      return <InlineCode>{plainText(node.children)}</InlineCode>;
    case "pre":
      return <CodeBlock text={plainText(node.children)} />;
    case "table":
      return (
        <div
          role="group"
          aria-label="Table"
          tabIndex={0}
          className="mt-4 overflow-x-auto rounded-md border bg-surface"
        >
          <table className="w-full text-sm text-ink-2">{inside}</table>
        </div>
      );
    default: {
      const isMarked = node.id !== undefined && node.id === marked;
      const className = isMarked && node.tag === "tr" ? `${LOOK.tr} bg-select` : LOOK[node.tag];
      return createElement(node.tag, { id: node.id, className: className || undefined }, inside);
    }
  }
}

/** Longer code may break anywhere; shorter code stays whole, or `--runner` would break after its hyphens. */
const WHOLE_UP_TO = 28;

const InlineCode = ({ children }: { children: string }) => (
  <code
    className={cx(
      "figures rounded-sm bg-sunken px-1 py-px text-[0.92em] text-ink",
      children.length > WHOLE_UP_TO ? "wrap-anywhere" : "whitespace-nowrap",
    )}
  >
    {children}
  </code>
);

const CodeBlock = ({ text }: { text: string }) => (
  <pre
    role="group"
    aria-label="Code"
    tabIndex={0}
    className="figures mt-4 overflow-x-auto rounded-md border bg-sunken p-4 text-xs leading-relaxed text-ink"
  >
    {text}
  </pre>
);

function DocLink({ href, children }: { href: string; children: ReactNode }) {
  const look = "text-ink underline decoration-line-strong underline-offset-4 hover:decoration-current";
  if (!href.startsWith("/docs/"))
    return (
      <a href={href} target="_blank" rel="noreferrer" className={look}>
        {children}
      </a>
    );
  const [path, hash] = href.slice("/docs/".length).split("#");
  return (
    <Link to="/docs/$" params={{ _splat: path! }} hash={hash} className={look}>
      {children}
    </Link>
  );
}
