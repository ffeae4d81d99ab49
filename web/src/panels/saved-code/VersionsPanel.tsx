/** The versions of saved code: open one, see what differs from another, delete. */
import { useState } from "react";
import type { Code, CodeVersion } from "@/api/types";
import { spellCode, verdictOf } from "@/entities/codes/words";
import { formatDate, formatPlural } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/Dialog";
import { Menu } from "@/ui/Menu";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { LineDiff } from "./LineDiff";

export interface VersionsPanelProps {
  code: Code;
  shown: CodeVersion;
  /** What is in the editor, which can be compared too. */
  source: string;
  onVersion: (version: number) => void;
  onDelete: (version: number) => void;
}

export function VersionsPanel({ code, shown, source, onVersion, onDelete }: VersionsPanelProps) {
  const [compared, setCompared] = useState<readonly [string, string] | null>(null);
  const { versions } = code;
  const isChanged = source !== shown.source;
  return (
    <Panel
      title="Versions"
      flush
      aside={<span className="figures text-xs text-ink-3">{versions.length}</span>}
      actions={
        (versions.length > 1 || isChanged) && (
          <Button
            small
            kind="quiet"
            icon="columns"
            onClick={() => setCompared(firstPair(versions, shown, isChanged))}
          >
            Compare
          </Button>
        )
      }
    >
      <ul aria-label={`Versions of ${code.name}`} className="max-h-80 overflow-y-auto">
        {versions.map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            isShown={version === shown}
            isOnly={versions.length === 1}
            onOpen={() => onVersion(version.version)}
            onDelete={() => onDelete(version.version)}
          />
        ))}
      </ul>
      <Dialog
        open={compared !== null}
        onOpenChange={() => setCompared(null)}
        title={`Versions of ${code.name}`}
        wide
      >
        {compared && (
          <Compared
            versions={versions}
            editor={isChanged ? source : null}
            pair={compared}
            onPair={setCompared}
          />
        )}
      </Dialog>
    </Panel>
  );
}

const EDITOR = "editor";

/** The version before the one that is shown, and it; what was typed counts as the newest. */
function firstPair(
  versions: readonly CodeVersion[],
  shown: CodeVersion,
  isChanged: boolean,
): [string, string] {
  if (isChanged) return [String(shown.version), EDITOR];
  const at = versions.indexOf(shown);
  const other = versions[at + 1] ?? versions[at - 1] ?? shown;
  return [other, shown].sort((a, b) => a.version - b.version).map(({ version }) => String(version)) as [
    string,
    string,
  ];
}

interface VersionRowProps {
  version: CodeVersion;
  isShown: boolean;
  isOnly: boolean;
  onOpen: () => void;
  onDelete: () => void;
}

function VersionRow({ version, isShown, isOnly, onOpen, onDelete }: VersionRowProps) {
  const { check, note, used_by, created_at } = version;
  return (
    <li
      className={cx(
        "relative flex items-center gap-3 border-b px-4 py-2 last:border-0 hover:bg-sunken",
        isShown && "bg-select",
      )}
    >
      <button
        type="button"
        aria-current={isShown || undefined}
        onClick={onOpen}
        className="ring-inside min-w-0 flex-1 text-left after:absolute after:inset-0"
      >
        <span className="flex items-center gap-2 text-sm">
          <span className="figures font-semibold">{`v${version.version}`}</span>
          <span className="truncate text-ink-2">{note}</span>
          {check && verdictOf(check) === "wrong" && <Badge tone="warn">does not work</Badge>}
        </span>
        <span className="text-2xs text-ink-3">
          {formatDate(created_at)}
          {used_by > 0 && ` · used by ${formatPlural(used_by, "run")}`}
        </span>
      </button>
      <span className="relative">
        <Menu
          trigger={<IconButton icon="more" label={`Actions for ${spellCode(version)}`} />}
          items={[
            {
              title: "Delete this version…",
              icon: "close",
              danger: true,
              reason: isOnly ? "It is the only version. Delete the whole name instead." : null,
              run: onDelete,
            },
          ]}
        />
      </span>
    </li>
  );
}

interface ComparedProps {
  versions: readonly CodeVersion[];
  /** What was typed and not saved; null: nothing. */
  editor: string | null;
  pair: readonly [string, string];
  onPair: (pair: readonly [string, string]) => void;
}

function Compared({ versions, editor, pair, onPair }: ComparedProps) {
  const options = [
    ...(editor === null ? [] : [{ value: EDITOR, title: "Not saved yet" }]),
    ...versions.map(({ version, note }) => ({
      value: String(version),
      title: note ? `v${version}, ${note}` : `v${version}`,
    })),
  ];
  const textOf = (which: string) =>
    which === EDITOR
      ? (editor ?? "")
      : (versions.find(({ version }) => String(version) === which)?.source ?? "");
  const [before, after] = pair;
  return (
    <div className="flex flex-col gap-4 p-5">
      <div className="grid gap-3 sm:grid-cols-2">
        <Select label="Before" value={before} options={options} onChange={(next) => onPair([next, after])} />
        <Select label="After" value={after} options={options} onChange={(next) => onPair([before, next])} />
      </div>
      <LineDiff before={textOf(before)} after={textOf(after)} label="What differs" />
    </div>
  );
}
