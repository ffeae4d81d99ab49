/** The part of a WebSocket that the page uses; a fake in a test is an object with these members. */

export interface Socket {
  binaryType: string;
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** The only cast: the browser's own type has wider handler types than we use. */
export const openSocket = (address: string): Socket => new WebSocket(address) as unknown as Socket;
