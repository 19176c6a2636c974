/** The far end of a connection, as a server passes it along with a Fetch request. */
export interface RemoteAddress {
  readonly remoteAddress: string | null;
}

interface NodeServerBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: unknown } | null } | null;
}

/**
 * Returns the address of the far end in `RemoteAddress` or the bindings of @hono/node-server; null for other values.
 */
export function remoteAddressOf(from: unknown): string | null {
  const { remoteAddress, incoming }: Partial<RemoteAddress> & NodeServerBindings = Object(from);
  const address = remoteAddress ?? incoming?.socket?.remoteAddress;
  return typeof address === 'string' ? address : null;
}
