/** The name of saved code in a list, as a link that covers its row, with what one should know before opening it. */
import { Link } from "@tanstack/react-router";
import type { Code } from "@/api/types";
import type { WorkbenchTab } from "@/pages/workbench/search";
import { Badge } from "@/ui/Badge";

export function CodeTitle({ code, tab, isUnsaved }: { code: Code; tab: WorkbenchTab; isUnsaved: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-2">
      <Link
        to="/workbench"
        search={{ tab, name: code.name }}
        className="ring-inside truncate font-medium after:absolute after:inset-0"
      >
        {code.name}
      </Link>
      {isUnsaved && <Badge tone="warn">unsaved changes</Badge>}
      {code.versions[0]?.check?.is_usable === false && <Badge tone="warn">does not work</Badge>}
    </p>
  );
}

export function CodeNote({ code }: { code: Code }) {
  const note = code.note || code.versions[0]?.note;
  return note ? <p className="truncate text-xs text-ink-3">{note}</p> : null;
}
