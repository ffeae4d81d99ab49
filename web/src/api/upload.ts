/** Sends a file as the body of a request. XMLHttpRequest, because fetch does not report how much has been sent. */
import { problemFrom, unreachable } from "./problem";
import { session } from "./session";
import { keyHeaders } from "./session-keys";

/** The answer as JSON; `onProgress` gets the fraction that has been sent. */
export function upload<Answer>(
  path: string,
  file: Blob,
  onProgress: (fraction: number) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries(keyHeaders())) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", "application/zip");
    request.upload.onprogress = (event) => onProgress(event.total > 0 ? event.loaded / event.total : 0);
    request.onerror = () => reject(unreachable());
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status < 400) return resolve(body as Answer);
      if (request.status === 401) session.set("closed");
      reject(problemFrom(request.status, body));
    };
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
