import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const sockets = '/proc/self/net/udp';

/**
 * Resolves to true when a program listens on this UDP port, so that the first packet to it is not lost, and to false if
 * none does in time. Works on Linux only: on other systems, resolves to true at once.
 */
export async function untilBound(port: number, withinMs = 10_000): Promise<boolean> {
  if (!existsSync(sockets)) return true;
  const deadlineMs = performance.now() + withinMs;
  const local = new RegExp(`^\\s*\\d+: [0-9A-F]{8}:${port.toString(16).toUpperCase().padStart(4, '0')} `, 'm');
  while (performance.now() < deadlineMs) {
    if (local.test(await readFile(sockets, 'latin1'))) return true;
    await pause(5);
  }
  return false;
}
