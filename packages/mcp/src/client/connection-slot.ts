import type { Logger } from '@va/core/adapter';
import type { McpConnection } from './connection.ts';

/** Holds one connection: opened on first use, and again after its end. Concurrent callers share one attempt. */
export class ConnectionSlot {
  readonly #open: (timeoutMs: number) => Promise<McpConnection>;
  #current: McpConnection | null = null;
  #opening: Promise<McpConnection> | null = null;

  constructor(open: (timeoutMs: number) => Promise<McpConnection>) {
    this.#open = open;
  }

  /** Returns the connection. Rejects for all waiting callers if it cannot be opened; the next caller tries again. */
  async get(timeoutMs: number): Promise<McpConnection> {
    if (this.#current?.isClosed === false) return this.#current;
    const opening = this.#opening ?? this.#open(timeoutMs);
    this.#opening = opening;
    try {
      this.#current = await opening;
      return this.#current;
    } finally {
      if (this.#opening === opening) this.#opening = null;
    }
  }

  /** Makes the next caller open another connection in place of this one. */
  discard(connection: McpConnection): void {
    if (this.#current === connection) this.#current = null;
  }

  /** Closes the connection, also one that is being opened. */
  close(logger: Logger): void {
    this.#current?.close(logger);
    this.#opening?.then(
      (connection) => connection.close(logger),
      () => {},
    );
  }
}
