/** WebSockets of the lab, as narrow as the page uses them; a fake in a test is an object with these members. */

export interface Socket {
  binaryType: string;
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** The full address of a path such as /api/live; a Worker cannot work it out by itself. */
export function socketAddress(path: string): string {
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${window.location.host}${path}`;
}

/** The one cast: the handlers of the browser's own type take `this` and more events than we read. */
export const openSocket = (address: string): Socket => new WebSocket(address) as unknown as Socket;
