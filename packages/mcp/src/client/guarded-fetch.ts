import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type AddressPolicy, boundedResponse, type Clock, RefusedTarget, TargetGuard } from '@va/core/adapter';
import { Agent, type RequestInit as UndiciInit, fetch as undiciFetch } from 'undici';

/** Maximum size of one response, streamed or not. */
const maxResponseBytes = 1_048_576;
/** Time without a byte of the server after which a request fails, whatever its own time limit is. */
const silenceMs = 60_000;

/**
 * Creates `fetch` functions for MCP servers: requests go only to addresses that the policy allows (to any, for servers
 * of the host), and responses are limited to 1 MiB.
 */
export class GuardedFetch {
  readonly #guard: TargetGuard;
  readonly #guarded: Agent;
  readonly #open: Agent;

  constructor(options: { readonly clock: Clock; readonly addresses: AddressPolicy }) {
    this.#guard = new TargetGuard(options);
    const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
    this.#guarded = new Agent({ ...timeouts, connect: { lookup: this.#guard.lookup } });
    this.#open = new Agent({ ...timeouts, connect: { lookup: this.#guard.openLookup } });
  }

  /**
   * Returns `fetch` for the servers of an organization. Rejects with `RefusedTarget` if the policy forbids the address.
   * @param isOfHost true for a server of the host, which may have any address
   */
  for(orgId: string, isOfHost: boolean): FetchLike {
    return async (input, init) => {
      // Declines the stream of server-initiated messages, which the client does not use.
      if (init?.method === 'GET') return new Response(null, { status: 405 });
      const url = new URL(input);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new RefusedTarget('The URL of an MCP server begins with https:// or http://.');
      }
      if (!isOfHost) await this.#guard.check(url, orgId);
      const dispatcher = isOfHost ? this.#open : this.#guarded;
      // Node.js and undici have the same classes at run time, but declare them differently.
      const options = { ...init, redirect: 'manual', dispatcher } as UndiciInit;
      return boundedResponse((await undiciFetch(url, options)) as unknown as Response, maxResponseBytes);
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#open.destroy()]);
  }
}
