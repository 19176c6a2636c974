import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type AddressPolicy, boundedResponse, type Clock, RefusedTarget, TargetGuard } from '@va/core/adapter';
import { Agent, type RequestInit as UndiciInit, fetch as undiciFetch } from 'undici';

/** Of one response, streamed or not. */
const maxResponseBytes = 1_048_576;
/** A server that sends nothing for so long is given up, whatever the session waits for. */
const silenceMs = 60_000;

/** `fetch` for one organization's servers: only to addresses of a policy, and with bounded responses. */
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

  /** @param isHosts true for a server of the host, which may have any address */
  for(orgId: string, isHosts: boolean): FetchLike {
    return async (input, init) => {
      // The session asks and is answered; a stream for what the server may want to say would only cost a connection.
      if (init?.method === 'GET') return new Response(null, { status: 405 });
      const url = new URL(input);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new RefusedTarget('The URL of an MCP server begins with https:// or http://.');
      }
      if (!isHosts) await this.#guard.check(url, orgId);
      const dispatcher = isHosts ? this.#open : this.#guarded;
      // The same classes at run time; only the declarations of Node.js and undici differ.
      const options = { ...init, redirect: 'manual', dispatcher } as UndiciInit;
      return boundedResponse((await undiciFetch(url, options)) as unknown as Response, maxResponseBytes);
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#open.destroy()]);
  }
}
