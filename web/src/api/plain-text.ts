/** Answers of the lab without characters that change the direction of writing: names and texts come from scripts, and
 * with such a character one name could reorder the words around it. Removed here, before any component sees the text. */

const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

export const withoutDirections = (text: string): string => text.replace(DIRECTION, "");

/** The same answer, whose text and JSON are read without these characters. */
export function plainAnswer(response: Response): Response {
  const readText = response.text.bind(response);
  response.text = async () => withoutDirections(await readText());
  response.json = async () => JSON.parse(await response.text());
  return response;
}
