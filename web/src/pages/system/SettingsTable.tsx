/** Every setting with its value; those changed by an environment variable are marked. */
import { useQuery } from "@tanstack/react-query";
import type { Setting } from "@/api/types";
import { settingsQuery } from "@/entities/system/queries";
import { formatBytes } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";

export function SettingsTable() {
  const settings = useQuery(settingsQuery);
  return (
    <Panel
      title="Settings"
      flush
      actions={
        <span className="text-xs text-ink-3">Set by environment variables, read when the lab starts</span>
      }
    >
      {settings.isPending && (
        <div className="p-4">
          <Loading lines={8} />
        </div>
      )}
      {settings.isError && <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && (
        <section className="overflow-x-auto" aria-label="Table of settings" tabIndex={0}>
          <table className="w-full min-w-2xl text-left text-sm">
            <thead className="label text-ink-3">
              <tr className="border-b">
                {["Variable", "Value", "Default", "What it does"].map((head) => (
                  <th key={head} scope="col" className="px-4 py-2 font-semibold">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {settings.data.map((setting) => (
                <SettingRow key={setting.name} setting={setting} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  );
}

function SettingRow({ setting }: { setting: Setting }) {
  const isChanged = setting.value !== setting.default;
  const text = (value: Setting["value"]) => {
    if (value === null) return "none";
    return setting.name.endsWith("_bytes") && typeof value === "number" ? formatBytes(value) : String(value);
  };
  return (
    <tr className="border-b align-top last:border-0">
      <td className="figures px-4 py-2 text-xs leading-6">{setting.variable}</td>
      <td className="figures px-4 py-2 text-xs leading-6">
        <span className="flex flex-wrap items-center gap-2">
          {text(setting.value)}
          {isChanged && <Badge tone="strong">changed</Badge>}
        </span>
      </td>
      <td className="figures px-4 py-2 text-xs leading-6 text-ink-3">{text(setting.default)}</td>
      <td className="px-4 py-2 text-ink-2">{setting.description}</td>
    </tr>
  );
}
