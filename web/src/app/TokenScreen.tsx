/** Shown when this browser is not signed in: asks for the token and explains where to find it. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ProblemError } from "@/api/problem";
import { openSession } from "@/api/session";

export function TokenScreen() {
  const client = useQueryClient();
  const [token, setToken] = useState("");
  const [refused, setRefused] = useState<string | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRefused(null);
    try {
      await openSession(token.trim());
      await client.invalidateQueries();
    } catch (error) {
      const wrong = error instanceof ProblemError && error.status === 401;
      setRefused(wrong ? "This token is not valid." : (error as Error).message);
    }
  };

  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <form onSubmit={submit} className="w-full max-w-md rounded-md border bg-surface p-8">
        <h1 className="font-mono text-sm font-bold tracking-wider">{"RL LAB // GYM MANAGER"}</h1>
        <p className="mt-4 text-sm text-ink-2">
          This browser is not signed in yet. Open the address that{" "}
          <code className="figures whitespace-nowrap">rl-lab serve</code> printed, or paste the token from the
          file <code className="figures">token</code> in the lab’s home folder (
          <code className="figures">~/.rl-lab/token</code>).
        </p>
        <label htmlFor="token" className="label mt-6 mb-1.5 block">
          Token
        </label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
          aria-invalid={refused !== null}
          aria-describedby="token-refused"
          className="figures h-10 w-full rounded-sm border border-line-strong bg-bg px-3 aria-invalid:border-warn"
        />
        <p id="token-refused" role="alert" className="mt-1.5 min-h-5 text-sm text-warn">
          {refused}
        </p>
        <button
          type="submit"
          disabled={token.trim() === ""}
          className="mt-2 h-10 w-full rounded-sm bg-ink text-sm font-medium text-on-ink disabled:opacity-50"
        >
          Open the lab
        </button>
      </form>
    </main>
  );
}
