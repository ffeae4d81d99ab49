/** A title above a field that has no visible label of its own. */
export function Labelled({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span aria-hidden="true" className="text-xs">
        {title}
      </span>
      {children}
    </div>
  );
}
