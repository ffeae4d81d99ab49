/** TRAIN is always whole; a long name of what it trains takes the lines below it. */
export function TrainLabel({ of }: { of: string | null }) {
  if (of === null) return "Train";
  return (
    <span className="min-w-0">
      Train{" "}
      <span className="block text-2xs leading-3 font-normal tracking-normal text-balance whitespace-normal normal-case">
        {of}
      </span>
    </span>
  );
}
