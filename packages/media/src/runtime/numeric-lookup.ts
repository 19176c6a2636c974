import { type LookupOptions, lookup } from 'node:dns';
import { isIP } from 'node:net';

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string, family: number) => void;

/**
 * The lookup of a datagram socket, which answers at once where there is nothing to look up: a packet then leaves
 * within `send`, and is not lost when the socket closes right after it.
 */
export function numericLookup(host: string, options: LookupOptions | number, callback: LookupCallback): void {
  const family = isIP(host);
  if (family !== 0) callback(null, host, family);
  // Sockets pass the bare address family here, whatever their types say.
  else lookup(host, { ...(typeof options === 'number' ? { family: options } : options), all: false }, callback);
}

/** The same for a socket that sends to one address again and again: what it is, is found out once. */
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
