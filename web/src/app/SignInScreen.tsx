/** Shown when this browser is not signed in: how to get a sign-in link, and a field for the token. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { ProblemError } from "@/api/problem";
import { openSession, refusedLink } from "@/api/session";
import { useStore } from "@/lib/store";

export default function SignInScreen() {
  const { token, setToken, refused, submit } = useTokenForm();
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <form onSubmit={submit} className="w-full max-w-md rounded-md border bg-surface p-5 sm:p-8">
        <h1 className="font-mono text-sm font-bold tracking-wider">{"RL LAB // GYM MANAGER"}</h1>
        <RefusedLink />
        <p className="mt-4 text-sm text-ink-2">This browser is not signed in. In a terminal, run</p>
        <Command>rl-lab sign-in</Command>
        <p className="mt-2 text-sm text-ink-2">
          It opens this page, signed in, or prints a link that works once, for 30 seconds. If you use another
          home folder, add <code className="figures whitespace-nowrap">--home</code>.
        </p>
        <p className="mt-4 border-t pt-4 text-sm text-ink-2">
          Or paste the token from the file <code className="figures">token</code> in the lab’s home folder (
          <code className="figures">~/.rl-lab/token</code>).
        </p>
        <label htmlFor="token" className="label mt-4 mb-1.5 block">
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

function useTokenForm() {
  const client = useQueryClient();
  const [token, setToken] = useState("");
  const [refused, setRefused] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRefused(null);
    refusedLink.set(null);
    try {
      await openSession({ token: token.trim() });
      await client.invalidateQueries();
    } catch (error) {
      const wrong = error instanceof ProblemError && error.status === 401;
      setRefused(wrong ? "This token is not valid." : (error as Error).message);
    }
  };
  return { token, setToken, refused, submit };
}

/** The lab's own words about the link that brought the visitor here; what to do next follows below it. */
function RefusedLink() {
  const refused = useStore(refusedLink);
  if (refused === null) return null;
  return (
    <p role="status" className="mt-4 rounded-sm border border-warn bg-warn-soft p-3 text-sm text-ink">
      {refused.message}
    </p>
  );
}

const Command = ({ children }: { children: ReactNode }) => (
  <code className="figures mt-2 block rounded-sm border bg-sunken px-3 py-2 text-sm select-all">
    {children}
  </code>
);
