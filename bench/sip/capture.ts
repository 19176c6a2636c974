import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startLoad } from '../support/load.ts';
import { servicePorts } from './settings.ts';

/** Captured bytes per packet: the headers down to RTP, because captured bytes cost CPU time of the same machine. */
const snapBytes = 80;
/** Buffer of the capture in MiB: room for two seconds of packets. */
const bufferMib = 16;
const decoding = ['-d', `udp.port==${servicePorts.min}-${servicePorts.max},rtp`];
const run = promisify(execFile);

/** An RTP packet with the time at which the kernel sent it. */
export interface CapturedFrame {
  readonly atMs: number;
  readonly stream: string;
  readonly sequence: number;
  readonly timestamp: number;
}

export interface Capture {
  readonly frames: readonly CapturedFrame[];
  /** Packets lost by the capture itself. */
  readonly dropped: number;
  /** Output of `tshark -z rtp,streams` for each stream. */
  readonly streams: readonly StreamFigures[];
}

interface StreamFigures {
  readonly lost: number;
  readonly maxDeltaMs: number;
  readonly maxJitterMs: number;
}

export interface Recording {
  /** Stops the capture and reads it. */
  stop(): Promise<Capture>;
}

/** Captures the media sent by the service on loopback (Debian package `tshark`); resolves when it has started. */
export async function startCapture(): Promise<Recording> {
  const dir = await mkdtemp(join(tmpdir(), 'va-bench-capture-'));
  const path = join(dir, 'media.pcap');
  // RTP uses even ports, RTCP odd ones.
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

/** Returns the milliseconds since midnight UTC, which a number holds more precisely than those since 1970. */
function millisecondsOf(epoch: string): number {
  const [seconds = '', fraction = ''] = epoch.split('.');
  return (Number(seconds) % 86_400) * 1_000 + Number(`0.${fraction}`) * 1_000;
}

/**
 * Returns the figures of each stream. The columns are counted from that of the lost packets, because the payload type
 * before it may contain spaces.
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
