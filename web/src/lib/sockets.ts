/** The part of a WebSocket that the page uses; a fake in a test is an object with these members. */

export interface Socket {
  binaryType: string;
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** The full address of a path such as /api/live; a Worker does not know the page's host. */
export function socketAddress(path: string): string {
  const scheme = window.location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${window.location.host}${path}`;
}

/** The only cast: the browser's own type has wider handler types than we use. */
export const openSocket = (address: string): Socket => new WebSocket(address) as unknown as Socket;
