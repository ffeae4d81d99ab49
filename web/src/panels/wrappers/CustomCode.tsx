/** Which saved code a wrapper of the user's own is. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { codesQuery } from "@/entities/codes/queries";
import { Select } from "@/ui/Select";
import { LoadFailed } from "@/ui/states";
import { codeOptions } from "./custom";

export interface CustomCodeProps {
  /** NAME or NAME@vN; empty while none is chosen. */
  value: string;
  error: string | undefined;
  onChange: (code: string) => void;
}

export function CustomCode({ value, error, onChange }: CustomCodeProps) {
  const id = useId();
  const codes = useQuery(codesQuery("environment"));
  return (
    <div className="mt-2 flex flex-col gap-1">
      <label htmlFor={id} className="text-xs">
        Code
      </label>
      <Select
        id={id}
        label="Code of the wrapper"
        value={value}
        options={codeOptions(codes.data ?? [], value)}
        invalid={error !== undefined}
        onChange={onChange}
      />
      {error && (
        <p role="alert" className="text-xs text-warn">
          {error}
        </p>
      )}
      {codes.isError && (
        <LoadFailed what="saved code" error={codes.error} onRetry={() => void codes.refetch()} />
      )}
      {codes.data?.length === 0 && (
        <p className="text-xs text-ink-2">
          Nothing is saved yet.{" "}
          <Link
            to="/workbench"
            search={{ tab: "environments", name: "new" }}
            className="underline underline-offset-4"
          >
            Write a wrapper
          </Link>
        </p>
      )}
    </div>
  );
}
