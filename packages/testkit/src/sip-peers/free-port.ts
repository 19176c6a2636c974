import { createSocket } from 'node:dgram';

/** A UDP port of 127.0.0.1 that was free a moment ago, for programs that must be told one. */
export async function freePort(): Promise<number> {
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
