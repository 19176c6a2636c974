import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from '@va/test-servers/sip-peers';
import type { Failpoint } from './failpoints.ts';
import type { NodeSettings } from './node.ts';

type SharedSettings = Pick<NodeSettings, 'connectionString' | 'leaseMs'>;

/** A slot for a node; after its death, the next node takes over its ports. */
export class NodeSlot {
  readonly sipPort: number;
  readonly httpPort: number;
  /** Commits that nodes of this slot have reached. */
  readonly boundaries = new Set<string>();
  diesAt: Failpoint | null = null;
  startedAtMs = 0;
  isReady = false;
  readonly #file: string;
  readonly #settings: SharedSettings;
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();

  private constructor(file: string, settings: SharedSettings, sipPort: number, httpPort: number) {
    this.#file = file;
    this.#settings = settings;
    this.sipPort = sipPort;
    this.httpPort = httpPort;
  }

  static async open(file: string, settings: SharedSettings): Promise<NodeSlot> {
    return new NodeSlot(file, settings, await freePort(), await freePort());
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /** Resolves to true when the node serves, and to false when it died before that. */
  async start(diesAt: Failpoint | null): Promise<boolean> {
    const settings: NodeSettings = { ...this.#settings, sipPort: this.sipPort, httpPort: this.httpPort, diesAt };
    const child = spawn(process.execPath, [this.#file, JSON.stringify(settings)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.diesAt = diesAt;
    this.isReady = false;
    let complaint = '';
    child.stderr?.on('data', (chunk) => {
      complaint += chunk;
    });
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.#child = null;
        this.isReady = false;
        // Nodes die only by SIGKILL, unless the database was down when they started.
        if (code !== null && !/ECONNREFUSED|terminat|starting up|shutting down|timeout/i.test(complaint)) {
          console.error(`A node of the chaos ended by itself (${code}): ${complaint}`);
        }
        resolve();
      });
    });
    return await new Promise((resolve) => {
      child.on('message', (message: { ready?: boolean; boundary?: string }) => {
        if (message.boundary !== undefined) this.boundaries.add(message.boundary);
        if (message.ready !== true) return;
        this.isReady = true;
        this.startedAtMs = Date.now();
        resolve(true);
      });
      void this.#exited.then(() => resolve(false));
    });
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exited;
  }
}
