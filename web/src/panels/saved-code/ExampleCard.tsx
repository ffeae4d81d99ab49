/** Working code to begin with: pressing it opens it in the editor. */
import type { CodeExample } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { TextWithCode } from "@/ui/states";

export interface ExampleCardProps {
  example: CodeExample;
  /** What it is written for; absent where that is no question. */
  badge?: string;
  onBegin: () => void;
}

export function ExampleCard({ example, badge, onBegin }: ExampleCardProps) {
  return (
    <li className="relative flex min-w-0 flex-col gap-2 rounded-md border bg-surface p-4 hover:border-line-strong">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <button
          type="button"
          onClick={onBegin}
          className="text-left text-sm font-semibold after:absolute after:inset-0"
        >
          {example.title}
        </button>
        {badge && <Badge>{badge}</Badge>}
      </div>
      <p className="text-sm text-ink-2">
        <TextWithCode text={example.about} />
      </p>
      <pre className="mt-auto max-h-36 overflow-hidden rounded-sm bg-sunken p-3 font-mono text-2xs leading-4 text-ink-2">
        {codeOf(example)}
      </pre>
    </li>
  );
}

/** Its text at the beginning is what the card says already. */
const codeOf = ({ source }: CodeExample): string => source.replace(/^"""[\s\S]*?"""\s*/, "");
