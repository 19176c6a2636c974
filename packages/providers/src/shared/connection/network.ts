import { createHostLookup } from '@va/core/adapter';
import { Agent, type RequestInfo, type RequestInit, fetch as undiciFetch } from 'undici';

/** Resolves hosts of providers outside libuv's thread pool, where an unresponsive DNS server blocks everything else. */
export const hostLookup = createHostLookup();

const agent = new Agent({ connect: { lookup: hostLookup } });

/** `fetch` whose connections use {@link hostLookup}: the global one accepts no `lookup`. */
export const providerFetch: typeof fetch = async (input, init) => {
  // The same classes at run time; only the declarations of Node.js and undici differ.
  const options = { ...init, dispatcher: agent } as RequestInit;
  return (await undiciFetch(input as RequestInfo, options)) as unknown as Response;
};
