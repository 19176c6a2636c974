import { type LookupOptions, lookup } from 'node:dns';
import { isIP } from 'node:net';

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string, family: number) => void;

/**
 * Lookup for datagram sockets that resolves IP addresses synchronously: a packet leaves within `send`, and is not lost
 * if the socket closes right afterwards.
 */
export function numericLookup(host: string, options: LookupOptions | number, callback: LookupCallback): void {
  const family = isIP(host);
  if (family !== 0) callback(null, host, family);
  // Sockets pass the bare address family here, whatever their types say.
  else lookup(host, { ...(typeof options === 'number' ? { family: options } : options), all: false }, callback);
}

/**
 * Like `numericLookup`, for a socket that sends to one address repeatedly; remembers the family of the last address.
 */
export function rememberingLookup(): typeof numericLookup {
  let last = '';
  let lastFamily = 0;
  return (host, options, callback) => {
    if (host !== last) {
      last = host;
      lastFamily = isIP(host);
    }
    if (lastFamily !== 0) callback(null, host, lastFamily);
    else numericLookup(host, options, callback);
  };
}
