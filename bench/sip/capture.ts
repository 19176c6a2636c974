import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startLoad } from '../support/load.ts';
import { servicePorts } from './settings.ts';

/** Enough for the headers down to RTP's; what is captured costs time on the same processors. */
const snapBytes = 80;
/** Two seconds of all that is captured. */
const bufferMib = 16;
const decoding = ['-d', `udp.port==${servicePorts.min}-${servicePorts.max},rtp`];
const run = promisify(execFile);

/** One RTP packet as the kernel saw it leave. */
export interface CapturedFrame {
  readonly atMs: number;
  readonly stream: string;
  readonly sequence: number;
  readonly timestamp: number;
}

export interface Capture {
  readonly frames: readonly CapturedFrame[];
  /** Packets that the capture itself lost. */
  readonly dropped: number;
  /** What `tshark -z rtp,streams` says of each stream. */
  readonly streams: readonly StreamFigures[];
}

export interface StreamFigures {
  readonly lost: number;
  readonly maxDeltaMs: number;
  readonly maxJitterMs: number;
}

export interface Recording {
  /** Ends it, and reads what was captured. */
  stop(): Promise<Capture>;
}

/** Captures the media that the service sends on loopback (Debian package `tshark`); resolves when it has begun. */
export async function startCapture(): Promise<Recording> {
  const dir = await mkdtemp(join(tmpdir(), 'va-bench-capture-'));
  const path = join(dir, 'media.pcap');
  // RTP has the even ports, reports the odd ones.
  const filter = `udp and src portrange ${servicePorts.min}-${servicePorts.max} and udp[1] & 1 = 0`;
  const args = ['-q', '-i', 'lo', '-s', String(snapBytes), '-B', String(bufferMib), '-P', '-w', path, '-f', filter];
  const dumpcap = startLoad('dumpcap', args);
  await dumpcap.said(/File: /);
  return {
    async stop() {
      dumpcap.stop('SIGINT');
      await dumpcap.ended;
      const dropped = Number(/received\/dropped on interface '[^']*': \d+\/(\d+)/.exec(dumpcap.output())?.[1]);
      try {
        return { frames: await framesIn(path), dropped, streams: await streamsIn(path) };
      } finally {
        await rm(dir, { recursive: true });
      }
    },
  };
}

async function tshark(path: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await run('tshark', ['-n', '-r', path, ...decoding, ...args], { maxBuffer: 1 << 30 });
  return stdout.split('\n').filter((line) => line !== '');
}

async function framesIn(path: string): Promise<CapturedFrame[]> {
  const fields = ['frame.time_epoch', 'rtp.ssrc', 'rtp.seq', 'rtp.timestamp'].flatMap((name) => ['-e', name]);
  const lines = await tshark(path, ['-Y', 'rtp', '-T', 'fields', ...fields]);
  return lines.map((line) => {
    const [epoch = '', stream = '', sequence, timestamp] = line.split('\t');
    return { atMs: millisecondsOf(epoch), stream, sequence: Number(sequence), timestamp: Number(timestamp) };
  });
}

/** Of the day: the whole would leave no room for microseconds. */
function millisecondsOf(epoch: string): number {
  const [seconds = '', fraction = ''] = epoch.split('.');
  return (Number(seconds) % 86_400) * 1_000 + Number(`0.${fraction}`) * 1_000;
}

/**
 * Times, addresses, SSRC and payload stand before the columns that count from the right: the payload may have spaces.
 */
async function streamsIn(path: string): Promise<StreamFigures[]> {
  const lines = await tshark(path, ['-q', '-z', 'rtp,streams']);
  return lines
    .filter((line) => line.includes('127.0.0.1'))
    .map((line) => {
      const after = /\d+ +(-?\d+) \([^)]*\) +([\d. -]+)/.exec(line);
      const [, , maxDelta, , , maxJitter] = (after?.[2] ?? '').trim().split(/ +/).map(Number);
      return { lost: Number(after?.[1]), maxDeltaMs: maxDelta ?? Number.NaN, maxJitterMs: maxJitter ?? Number.NaN };
    });
}
