import type { Flow } from '../../src/transport/flow.ts';

/** A flow without a socket that records what was sent. */
export function fakeFlow(reliable = false): Flow & { readonly sent: Uint8Array[] } {
  const sent: Uint8Array[] = [];
  return {
    transport: reliable ? 'tcp' : 'udp',
    reliable,
    remote: { address: '127.0.0.1', port: 5_099 },
    advertised: { address: '127.0.0.1', port: 5_060 },
    open: true,
    sent,
    send: (bytes) => sent.push(bytes),
  };
}
