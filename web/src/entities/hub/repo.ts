/** Names of repositories on the Hub. Pure. */
const REPO = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

const ADDRESS = /^(?:https?:\/\/)?(?:huggingface\.co|hf\.co)\/([\w.-]+\/[\w.-]+)/;

export function problemOfRepo(repo: string): string | null {
  const name = repo.trim();
  if (REPO.test(name) && name.length <= 96) return null;
  const example = ADDRESS.exec(name)?.[1] ?? "user/name";
  return `Write ${example}: letters, digits, dots and hyphens.`;
}

/** A name that says what the model is; without a known user the reader adds it. */
export function suggestRepo(user: string, algorithm: string, envId: string): string {
  const name = `${algorithm.toLowerCase()}-${envId.replace(/[^\w.-]+/g, "-")}`;
  return user ? `${user}/${name}` : name;
}

export const userOf = (repo: string): string => repo.trim().split("/")[0] ?? "";
