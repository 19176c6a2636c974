import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const attempts = 50;

/**
 * Returns a port of 127.0.0.1 that was just free for UDP and TCP, for programs that need a port number. It is below the
 * ephemeral ports of the system (on Linux 32,768 and up), so that no other socket is assigned it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(10_000, 32_000);
    if ((await isFreeForUdp(port)) && (await isFreeForTcp(port))) return port;
  }
  throw new Error(`No free port was found in ${attempts} attempts.`);
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  return await new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind(port, '127.0.0.1', () => {
      socket.close(() => resolve(true));
    });
  });
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => {
      server.close(() => resolve(true));
    });
  });
}
