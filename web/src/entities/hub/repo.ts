/** Names of repositories on the Hub. Pure. */
const REPO = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

const ADDRESS = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/([\w.-]+\/[\w.-]+)(\/.+)?/;

/** The name, also from the address of its page; what is typed otherwise. */
export function repoOf(typed: string): string {
  const address = ADDRESS.exec(typed.trim());
  return address?.[1] && !address[2] ? address[1] : typed.trim();
}

export function problemOfRepo(repo: string): string | null {
  const name = repoOf(repo);
  if (REPO.test(name) && name.length <= 96) return null;
  const example = ADDRESS.exec(name)?.[1] ?? "user/name";
  return `Write ${example}: letters, digits, dots and hyphens.`;
}

/** A name that says what the model is; without a known user the reader adds it. */
export function suggestRepo(user: string, algorithm: string, envId: string): string {
  const name = `${algorithm.toLowerCase()}-${envId.replace(/[^\w.-]+/g, "-")}`;
  return user ? `${user}/${name}` : name;
}

export const userOf = (repo: string): string => repoOf(repo).split("/")[0] ?? "";
