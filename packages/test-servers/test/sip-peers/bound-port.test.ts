import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { untilBound } from '../../src/sip-peers/bound-port.ts';
import { freePort } from '../../src/sip-peers/index.ts';

describe.skipIf(!existsSync('/proc/self/net/udp'))('waiting for a bound port (Linux)', () => {
  it('ends once a socket has the port', async () => {
    const port = await freePort();
    const socket = createSocket('udp4');
    const waiting = untilBound(port);
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    expect(await waiting).toBe(true);
    socket.close();
  });

  it('ends without success after its time limit', async () => {
    expect(await untilBound(await freePort(), 20)).toBe(false);
  });
});
