import type { Endpoint } from '@va/media';

/** A way to a far end through the port: an address behind the UDP socket, or a TCP connection. */
export interface MediaPath {
  /** Identifies the path among those of the port. */
  readonly key: string;
  readonly remote: Endpoint;
  readonly isOpen: boolean;
  /** Sends a packet; the buffer may be reused afterwards. Never throws. */
  send(bytes: Uint8Array): void;
  close(): void;
}
