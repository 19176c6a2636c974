import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * The range is below the ephemeral ports of operating systems (Linux: from 32,768), so that no other socket is assigned
 * one of these ports.
 */
const firstPort = 10_000;
const lastPort = 32_000;
const attempts = 50;
/** Ports reserved for each program: SIPp uses the port of its media and the three after it. */
const portsOfProgram = 4;

/**
 * Next port to try, random at first so that processes differ. No port is tried twice in a row, because the program that
 * got it may open it later.
 */
let next = randomInt(firstPort / portsOfProgram, lastPort / portsOfProgram) * portsOfProgram;

/**
 * Returns an even port of 127.0.0.1 that was just free for UDP and TCP, as was the next port: programs use that one for
 * RTCP or SIP over TLS.
 * @throws Error after 50 attempts
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = next;
    next = port + portsOfProgram < lastPort ? port + portsOfProgram : firstPort;
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error(`No free pair of ports was found in ${attempts} attempts.`);
}

async function isFree(port: number): Promise<boolean> {
  return (await isFreeForUdp(port)) && (await isFreeForTcp(port));
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
