/** A config.json dropped on the lab opens the form with its settings; nothing starts. */
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { runnersQuery } from "@/entities/runners/queries";
import type { FileConfig } from "@/entities/runs/config-file";
import { chunk } from "@/lib/chunks";
import { configDrop } from "@/panels/config-drop/config-drop";
import { toast, toastProblem } from "@/ui/toasts";

const route = getRouteApi("/");
const reader = chunk(() => import("@/entities/runs/config-file"));

export function useOpenDropped(onOpened: () => void) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const open = async (config: FileConfig, fileName: string) => {
    const { formOf } = await reader();
    const { found, problem } = formOf(fileName, config, await client.ensureQueryData(runnersQuery));
    if (!found) return toast(problem, { tone: "warn" });
    const others = { way: undefined, name: undefined, tags: undefined, solved: undefined };
    await navigate({ search: (s) => ({ ...s, ...others, ...found }), resetScroll: false });
    onOpened();
    toast(`The form has the settings of “${fileName}”.`);
  };
  return configDrop((config, fileName) => void open(config, fileName).catch(toastProblem));
}
