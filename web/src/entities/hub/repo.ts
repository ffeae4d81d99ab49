/** Names of repositories on the Hub. Pure. */
const REPO = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

export const problemOfRepo = (repo: string): string | null =>
  REPO.test(repo.trim()) && repo.trim().length <= 96
    ? null
    : "Write user/name: letters, digits, dots and hyphens.";

/** A name that says what the model is; without a known user the reader adds it. */
export function suggestRepo(user: string, algorithm: string, envId: string): string {
  const name = `${algorithm.toLowerCase()}-${envId.replace(/[^\w.-]+/g, "-")}`;
  return user ? `${user}/${name}` : name;
}

export const userOf = (repo: string): string => repo.trim().split("/")[0] ?? "";
