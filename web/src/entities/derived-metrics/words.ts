/** Names in expressions. Pure. */

/** A word of the lab, which stands for the episode reward unless it is quoted. */
const ALIAS = "return";

/** A name as it is written in an expression: in quotes where it needs them. */
export function quotedName(name: string): string {
  if (name !== ALIAS && /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name)) return name;
  return name.includes("`") ? `"${name}"` : `\`${name}\``;
}
