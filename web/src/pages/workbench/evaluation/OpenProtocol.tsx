/** One protocol: its contents to change, and its versions. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProtocolVersion, SavedProtocol } from "@/api/types";
import { protocolsQuery } from "@/entities/protocols/queries";
import { useDeleteProtocol } from "@/entities/protocols/use-protocol-actions";
import { describeProtocol, spellProtocol } from "@/entities/protocols/words";
import { formatDate } from "@/lib/format";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/Dialog";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading, ProblemNote } from "@/ui/states";
import { ProtocolForm } from "./ProtocolForm";
import { draftOf, NEW_PROTOCOL } from "./protocol-draft";

interface OpenProtocolProps {
  name: string;
  version: number | undefined;
  onOpen: (next: WorkbenchSearch) => void;
}

export function OpenProtocol({ name, version, onOpen }: OpenProtocolProps) {
  const protocols = useQuery(protocolsQuery);
  const back = (
    <Button kind="quiet" icon="left" className="-ml-3 self-start" onClick={() => onOpen({})}>
      All protocols
    </Button>
  );
  if (name === "new")
    return (
      <div className="flex flex-col gap-4">
        {back}
        <h2 className="heading">New protocol</h2>
        <ProtocolForm title="new" first={NEW_PROTOCOL} isNamed={false} onOpen={onOpen} />
      </div>
    );
  if (protocols.isPending) return <Loading lines={8} />;
  if (protocols.isError) return <ErrorState error={protocols.error} />;
  const saved = protocols.data.find((one) => one.name === name);
  const shown = saved?.versions.find((one) => version === undefined || one.version === version);
  if (saved && !shown)
    return (
      <EmptyState
        title={`There is no ${name}@v${version}`}
        action={<Button onClick={() => onOpen({ protocol: name })}>Open its newest version</Button>}
      >
        This version was deleted. Scores that cite it stay as they are.
      </EmptyState>
    );
  if (!saved || !shown)
    return (
      <EmptyState title={`There is no protocol ${name}`} action={back}>
        It was deleted. Scores that cite it stay as they are.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-4">
      {back}
      <Title saved={saved} shown={shown} onDeleted={() => onOpen({})} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <ProtocolForm
          key={spellProtocol(shown)}
          title={spellProtocol(shown)}
          first={draftOf(shown)}
          isNamed={!saved.is_built_in}
          onOpen={onOpen}
        />
        <Versions saved={saved} shown={shown} onOpen={onOpen} />
      </div>
    </div>
  );
}

interface ShownProps {
  saved: SavedProtocol;
  shown: ProtocolVersion;
}

function Title({ saved, shown, onDeleted }: ShownProps & { onDeleted: () => void }) {
  const [isAsked, setIsAsked] = useState(false);
  const remove = useDeleteProtocol(onDeleted);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 className="heading">{spellProtocol(shown)}</h2>
      {saved.is_built_in ? (
        <p className="text-sm text-ink-2">Part of the lab. Save it under another name to change it.</p>
      ) : (
        <Button small kind="quiet" icon="close" onClick={() => setIsAsked(true)}>
          Delete
        </Button>
      )}
      <Dialog open={isAsked} onOpenChange={setIsAsked} title={`Delete ${saved.name}?`}>
        <div className="flex flex-col gap-4 p-5 text-sm">
          <p>All its versions are deleted. Scores that cite it stay as they are.</p>
          <ProblemNote error={remove.error} />
          <div className="flex justify-end gap-3">
            <Button onClick={() => setIsAsked(false)}>Cancel</Button>
            <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate(saved.name)}>
              Delete
            </Button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}

function Versions({ saved, shown, onOpen }: ShownProps & Pick<OpenProtocolProps, "onOpen">) {
  if (saved.is_built_in) return null;
  return (
    <Panel title="Versions" flush>
      <ul aria-label={`Versions of ${saved.name}`}>
        {saved.versions.map((one) => (
          <li key={one.version} className={cx("border-b last:border-0", one === shown && "bg-select")}>
            <button
              type="button"
              aria-current={one === shown || undefined}
              onClick={() => onOpen({ protocol: saved.name, version: one.version })}
              className="ring-inside flex w-full flex-col gap-0.5 px-4 py-2 text-left hover:bg-sunken"
            >
              <span className="figures text-sm font-semibold">{`v${one.version}`}</span>
              <span className="text-xs text-ink-2">{describeProtocol(one)}</span>
              <span className="text-2xs text-ink-3">{formatDate(String(one.created_at))}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
