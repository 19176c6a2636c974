import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Clock } from '../ports/clock.ts';

const defaultPath =
  process.platform === 'win32'
    ? `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';
/** Minimum interval between checks of the file's modification time. */
const checkEveryMs = 5_000;

/**
 * The names of the machine's hosts file, and `localhost` (RFC 6761 §6.3). They are read without `getaddrinfo`, which
 * runs in libuv's thread pool, where slow names of one tenant hold up all others.
 */
export class HostsFile {
  readonly #clock: Clock;
  readonly #path: string;
  #names: ReadonlyMap<string, readonly string[]> = new Map();
  #checkedMs = Number.NEGATIVE_INFINITY;
  #changedMs = Number.NaN;

  constructor(clock: Clock, path: string = defaultPath) {
    this.#clock = clock;
    this.#path = path;
  }

  /** Returns the addresses of a name; empty when the file does not have it. */
  addressesOf(name: string): readonly string[] {
    this.#refresh();
    const known = this.#names.get(name.toLowerCase());
    if (known !== undefined) return known;
    return /(?:^|\.)localhost$/i.test(name) ? ['127.0.0.1', '::1'] : [];
  }

  /** Reads synchronously: the file is small, and asynchronous reads would wait for the thread pool. */
  #refresh(): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#checkedMs < checkEveryMs) return;
    this.#checkedMs = nowMs;
    try {
      const { mtimeMs } = statSync(this.#path);
      if (mtimeMs === this.#changedMs) return;
      this.#names = parseHosts(readFileSync(this.#path, 'utf8'));
      this.#changedMs = mtimeMs;
    } catch {
      // A machine without the file has no such names.
    }
  }
}

/** @see hosts(5) */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), address]);
    }
  }
  return names;
}
