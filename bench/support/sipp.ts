import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLoad } from './load.ts';
import { callerScenario, type Lasting } from './sipp-scenario.ts';

export interface SippRun {
  /** Port of the called service on 127.0.0.1; `number` is the called number. */
  readonly port: number;
  readonly number: string;
  /** Total number of calls; unlimited by default. */
  readonly calls?: number;
  /** Maximum concurrent calls; all of them by default. */
  readonly atOnce?: number;
  readonly perSecond: number;
  readonly lasting: Lasting;
  /** Audio that each caller sends in a loop: G.711 μ-law. By default none is sent. */
  readonly says?: Uint8Array;
  /** First media port of the callers. */
  readonly mediaPort: number;
}

/** SIPp's counters over the whole run. */
export interface SippFigures {
  readonly successful: number;
  readonly failed: number;
  readonly retransmissions: number;
  /** SIPp's error message for the first failed call; empty if none failed. */
  readonly complaint: string;
}

export interface Sipp {
  /** Resolves when the last call has ended. */
  readonly over: Promise<SippFigures>;
  /** Starts no more calls and lets the present ones end. */
  stop(): void;
}

const forever = 2 ** 31 - 1;
const complaintChars = 1_000;

/** Makes calls with SIPp (Debian package `sip-tester`) in its own process. */
export async function startSipp(run: SippRun): Promise<Sipp> {
  const { port, number, calls = forever, atOnce = calls, perSecond, lasting, says, mediaPort } = run;
  const dir = await mkdtemp(join(tmpdir(), 'va-bench-sipp-'));
  if (says !== undefined) await writeFile(join(dir, 'says.ul'), says);
  await writeFile(join(dir, 'caller.xml'), callerScenario(lasting, says === undefined ? null : 'says.ul'));
  const sipp = startLoad(
    'sipp',
    [
      ...[`127.0.0.1:${port}`, '-sf', 'caller.xml', '-s', number, '-i', '127.0.0.1', '-mp', String(mediaPort)],
      ...['-m', String(calls), '-r', String(perSecond), '-l', String(atOnce)],
      ...['-nostdin', '-buff_size', '4000000', '-trace_stat', '-stf', 'figures.csv', '-fd', '1'],
      ...['-trace_err', '-error_file', 'errors.log'],
    ],
    dir,
  );
  return {
    over: figuresAfter(sipp.ended, dir),
    stop: () => sipp.stop('SIGUSR1'),
  };
}

async function figuresAfter(ended: Promise<number>, dir: string): Promise<SippFigures> {
  try {
    await ended;
    const complaints = await readFile(join(dir, 'errors.log'), 'utf8').catch(() => '');
    return figuresOf(await readFile(join(dir, 'figures.csv'), 'utf8'), complaints.slice(0, complaintChars));
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Reads the last line of the table, which has the totals. */
function figuresOf(csv: string, complaint: string): SippFigures {
  const [names = [], ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(';'));
  const last = rows.at(-1) ?? [];
  const sumOf = (name: string): number => Number(last[names.indexOf(name)] ?? Number.NaN);
  return {
    successful: sumOf('SuccessfulCall(C)'),
    failed: sumOf('FailedCall(C)'),
    retransmissions: sumOf('Retransmissions(C)'),
    complaint,
  };
}
