import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Sockets and ports of a process, all threads together (Linux). */
export interface Sockets {
  readonly sockets: number;
  readonly udpPorts: number;
}

export function socketsOf(pid: number): Sockets {
  const inodes = new Set<string>();
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${descriptor}`))?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  const udp = ['udp', 'udp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
  );
  // Column ten is the inode.
  const udpPorts = udp.filter((line) => inodes.has(line.trim().split(/\s+/)[9] ?? '')).length;
  return { sockets: inodes.size, udpPorts };
}

/** Returns the target of a link; empty if the descriptor was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
