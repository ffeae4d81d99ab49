/** Exactly what would run: command, Python, folder, variables, permissions; and known problems. */
import type { ReactNode } from "react";
import type { CommandPreview } from "@/api/types";
import { IsolationBadge } from "@/entities/runs/IsolationBadge";
import { TextWithCode } from "@/ui/states";
import { joinWords } from "./command-line";

const SHOWN_FILES = 12;

export function CommandView({ preview }: { preview: CommandPreview }) {
  const { command, interpreter } = preview;
  return (
    <div className="flex flex-col gap-4">
      <pre className="figures overflow-x-auto rounded-sm border bg-sunken p-3 text-xs whitespace-pre-wrap break-all">
        {joinWords(command.shown)}
      </pre>
      <Notes title="Changed since you approved it" texts={preview.changes} />
      <dl className="grid grid-cols-[7.5rem_1fr] gap-x-4 gap-y-2 text-sm max-sm:grid-cols-1">
        {interpreter && (
          <Fact title="Python">
            <Path>{interpreter.path}</Path> {interpreter.version}
          </Fact>
        )}
        <Fact title="Folder">
          <Path>{command.cwd}</Path>
        </Fact>
        <Fact title="May write">
          <Paths paths={command.writes} />
        </Fact>
        <Fact title="May read">
          <Paths paths={command.reads} /> <span className="text-ink-3">and system files</span>
        </Fact>
        {preview.added.length > 0 && (
          <Fact title="Also reads">
            <Paths paths={preview.added} /> <span className="text-warn">because the interpreter adds it</span>
          </Fact>
        )}
        <Fact title="Network">{command.network ? "allowed" : "none"}</Fact>
        <Fact title="Variables">
          <span className="figures text-xs break-words text-ink-2">{preview.variables.join(" ")}</span>
        </Fact>
        {preview.threads && (
          <Fact title="Threads">
            {preview.threads} <span className="text-ink-3">(variable OMP_NUM_THREADS)</span>
          </Fact>
        )}
        <Fact title="User">{preview.runs_as}</Fact>
        <Fact title="Isolation">
          <IsolationBadge isolation={preview.isolation} /> {preview.isolation_note}
        </Fact>
        {command.script && (
          <Fact title="Covers">
            <Covered files={[fileName(command.script), ...preview.modules]} />
          </Fact>
        )}
        <Fact title="SHA-256">
          <span className="figures text-xs break-all text-ink-3">{preview.sha256}</span>
        </Fact>
      </dl>
      <Notes title="Not captured" texts={preview.not_captured} />
      {preview.problems.map((problem) => (
        <p
          key={problem}
          role="alert"
          className="rounded-sm border border-warn bg-warn-soft p-3 text-sm text-warn"
        >
          <TextWithCode text={problem} />
        </p>
      ))}
      <details className="text-sm">
        <summary className="cursor-pointer text-ink-2">Full command, including what the lab adds</summary>
        <pre className="figures mt-2 overflow-x-auto text-xs whitespace-pre-wrap break-all text-ink-2">
          {joinWords(command.argv)}
        </pre>
      </details>
    </div>
  );
}

/** The files whose contents are approved; the rest of a long list opens on demand. */
function Covered({ files }: { files: readonly string[] }) {
  const more = files.slice(SHOWN_FILES);
  return (
    <>
      <Paths paths={files.slice(0, SHOWN_FILES)} />
      {more.length > 0 && (
        <details>
          <summary className="cursor-pointer text-ink-2">and {more.length} more</summary>
          <Paths paths={more} />
        </details>
      )}{" "}
      <span className="text-ink-3">
        {files.length === 1 ? "as it is now" : "as they are now"}; other files that it reads may change
        without a question
      </span>
    </>
  );
}

function Notes({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section aria-label={title} className="rounded-sm border bg-sunken p-3 text-sm">
      <h3 className="heading mb-1">{title}</h3>
      <ul className="flex flex-col gap-1 break-words text-ink-2">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <dt className="label pt-0.5 text-ink-3">{title}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

const fileName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const Path = ({ children }: { children: string }) => (
  <span className="figures text-xs break-all">{children}</span>
);

function Paths({ paths }: { paths: readonly string[] }) {
  return paths.length === 0 ? "nothing" : paths.map((path) => <div key={path}>{<Path>{path}</Path>}</div>);
}
