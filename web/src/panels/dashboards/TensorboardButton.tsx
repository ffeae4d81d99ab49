/** Opens TensorBoard for one run or a comparison in a tab of its own; says why when it cannot. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { openTensorboard, tensorboardOfferQuery } from "@/entities/dashboards/queries";
import { Button } from "@/ui/Button";
import { toast, toastProblem } from "@/ui/toasts";

export interface TensorboardButtonProps {
  runIds: readonly string[];
  small?: boolean;
}

export function TensorboardButton({ runIds, small }: TensorboardButtonProps) {
  const first = runIds[0] ?? "";
  const offer = useQuery({ ...tensorboardOfferQuery(first), enabled: first !== "" });
  const reason = offer.data?.can_open === false ? [offer.data.reason, offer.data.next_step].join(" ") : null;
  const open = useMutation({ mutationFn: openInTab });
  return (
    <Button
      small={small}
      icon="chart"
      reason={first === "" ? "Choose a run first." : reason}
      disabled={open.isPending}
      onClick={() => open.mutate(runIds)}
    >
      {open.isPending ? "Starting TensorBoard…" : "Open TensorBoard"}
    </Button>
  );
}

/** The tab is opened while the click is fresh: later the browser would take it for an unwanted one. */
async function openInTab(runIds: readonly string[]): Promise<void> {
  const tab = window.open("", "_blank");
  try {
    const board = await openTensorboard(runIds);
    if (board.url && tab && !tab.closed) tab.location.replace(board.url);
    else if (board.url) toast("TensorBoard is ready.", { link: { title: "Open", href: board.url } });
    else {
      tab?.close();
      toast([board.message, board.next_step].filter(Boolean).join(" "), { tone: "warn", shown_ms: 9_000 });
    }
  } catch (error) {
    tab?.close();
    toastProblem(error);
  }
}
