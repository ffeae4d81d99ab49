/** A message of the lab: what is between backticks is code. */
export function TextWithCode({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, i) =>
    i % 2 === 1 ? (
      <code key={i} className="figures rounded-sm bg-sunken px-1 text-[0.92em] text-ink">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
