import type { Endpoint } from '@va/media';

/** A path to a far end: a remote UDP address or a TCP connection. */
export interface MediaPath {
  /** Key that is unique per port. */
  readonly key: string;
  readonly remote: Endpoint;
  readonly isOpen: boolean;
  /** Sends a packet; the buffer may be reused afterwards. Never throws. */
  send(bytes: Uint8Array): void;
  close(): void;
}
