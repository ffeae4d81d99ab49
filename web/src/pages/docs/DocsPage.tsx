/** The docs inside the lab: contents on the left, a page in the middle, its headings on the right. */
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import type { DocEntry } from "@/entities/docs/doc";
import type { DocElement } from "@/entities/docs/markdown";
import { docQuery, docsQuery } from "@/entities/docs/queries";
import { Prose } from "@/panels/prose/Prose";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

export function DocsPage() {
  const id = useParams({ strict: false })._splat ?? "";
  const index = useQuery(docsQuery);
  const entries = index.data?.pages ?? [];
  const entry = entries.find((page) => page.id === id);
  useEffect(() => {
    document.title = `${entry?.title ?? "Docs"} · RL Lab`;
  }, [entry]);
  return (
    <div className="container-page grid gap-x-10 gap-y-6 py-6 lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[14rem_minmax(0,1fr)_13rem]">
      <Contents entries={entries} isOpen={id === ""} />
      <div className="min-w-0">
        {id === "" ? <Overview entries={entries} /> : <DocArticle id={id} />}
        {index.isError && <ErrorState error={index.error} onRetry={() => void index.refetch()} />}
      </div>
      {entry && <Headings entry={entry} />}
    </div>
  );
}

function DocArticle({ id }: { id: string }) {
  const doc = useQuery(docQuery(id));
  const hash = useLocation({ select: (location) => location.hash });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading exists once the page has been loaded
  useEffect(() => {
    if (hash) document.getElementById(hash)?.scrollIntoView();
  }, [hash, doc.data]);
  if (doc.isPending) return <Loading lines={12} label="Loading the page" />;
  if (doc.isError) return <ErrorState error={doc.error} onRetry={() => void doc.refetch()} />;
  if (doc.data === null) return <NoSuchPage />;
  return <Article tree={doc.data} hash={hash} />;
}

const Article = ({ tree, hash }: { tree: DocElement[]; hash: string }) => (
  <article className="max-w-[46rem]">
    <Prose tree={tree} marked={hash} />
  </article>
);

function NoSuchPage() {
  return (
    <EmptyState
      title="The docs have no such page"
      action={
        <Link to="/docs" className="text-sm underline underline-offset-4">
          All pages
        </Link>
      }
    >
      The address may be from another version of the lab.
    </EmptyState>
  );
}

function bySection(entries: readonly DocEntry[]): [string, DocEntry[]][] {
  const sections = new Map<string, DocEntry[]>();
  for (const entry of entries) sections.set(entry.section, [...(sections.get(entry.section) ?? []), entry]);
  return [...sections];
}

/** Always open next to the page; on a phone folded, unless it is the only thing shown. */
function Contents({ entries, isOpen }: { entries: readonly DocEntry[]; isOpen: boolean }) {
  return (
    <nav
      aria-label="Pages of the docs"
      className={`text-sm lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto ${isOpen ? "max-lg:hidden" : ""}`}
    >
      <Link to="/docs" className="mb-3 block font-medium lg:hidden">
        ← All pages
      </Link>
      <div className="flex flex-col gap-5 max-lg:hidden">
        {bySection(entries).map(([section, pages]) => (
          <section key={section}>
            <h2 className="label mb-1 px-2 text-ink-3">{section}</h2>
            <ul>
              {pages.map((page) => (
                <li key={page.id}>
                  <Link
                    to="/docs/$"
                    params={{ _splat: page.id }}
                    activeOptions={{ includeHash: false }}
                    className="ring-inside block rounded-sm px-2 py-1 text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
                  >
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

function Overview({ entries }: { entries: readonly DocEntry[] }) {
  return (
    <>
      <h1 className="title">Docs</h1>
      <p className="mt-1 max-w-[46rem] text-ink-2">
        How the lab works, how to do things with it, and what every setting, event and command means.
        Ctrl&nbsp;K searches all of it.
      </p>
      <div className="mt-6 max-w-5xl gap-4 sm:columns-2">
        {bySection(entries).map(([section, pages]) => (
          <section key={section} className="mb-4 break-inside-avoid rounded-md border bg-surface p-5">
            <h2 className="heading mb-2">{section}</h2>
            <ul className="flex flex-col gap-1 text-sm">
              {pages.map((page) => (
                <li key={page.id}>
                  <Link
                    to="/docs/$"
                    params={{ _splat: page.id }}
                    className="inline-block py-1 text-ink-2 underline-offset-4 hover:text-ink hover:underline"
                  >
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function Headings({ entry }: { entry: DocEntry }) {
  if (entry.headings.length < 2) return null;
  return (
    <nav
      aria-label="On this page"
      className="sticky top-20 hidden max-h-[calc(100dvh-6rem)] self-start overflow-y-auto text-xs xl:block"
    >
      <h2 className="label mb-1 px-2 text-ink-3">On this page</h2>
      <ul>
        {entry.headings.map((heading) => (
          <li key={heading.id}>
            <Link
              to="/docs/$"
              params={{ _splat: entry.id }}
              hash={heading.id}
              className="ring-inside block rounded-sm px-2 py-1 text-ink-2 hover:bg-sunken hover:text-ink"
            >
              {heading.title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
