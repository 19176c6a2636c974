import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const attempts = 20;

/** Returns a port of 127.0.0.1 that was just free for UDP and TCP, for programs that need a port number. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    const port = await freeUdpPort();
    if (await isFreeForTcp(port)) return port;
  }
  return await freeUdpPort();
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, '127.0.0.1', resolve);
  });
  const { port } = socket.address();
  await new Promise<void>((resolve) => {
    socket.close(resolve);
  });
  return port;
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
