import type { ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { nextMessage, startNode } from '../support/child-process.ts';
import { pause } from '../support/ear.ts';
import { startSipp } from '../support/sipp.ts';
import { type Capture, startCapture } from './capture.ts';
import { type Lateness, latenessOf } from './lateness.ts';
import {
  type Command,
  callerPortsFrom,
  capturedMs,
  type Detector,
  lineNoise,
  type Memory,
  number,
} from './settings.ts';
import { type ThreadShare, threadShares, threadTimes } from './threads.ts';

export interface MediaCase {
  readonly calls: number;
  readonly detector: Detector;
  readonly isSecure?: boolean;
  /** Whether the service's own thread is taken again and again. */
  readonly isBlocked?: boolean;
}

export interface MediaFigures extends Lateness {
  /** Packets that the capture missed. */
  readonly dropped: number;
  /** By `tshark -z rtp,streams`, the worst of all streams: between two packets, and the jitter of RFC 3550. */
  readonly maxDeltaMs: number;
  readonly maxJitterMs: number;
  readonly threads: readonly ThreadShare[];
  readonly memory: Memory;
  readonly mbPerCall: number;
}

/** Files to run, compiled. */
export interface MediaPrograms {
  readonly service: string;
  readonly secureCallers: string;
  readonly deafVad: string;
}

/** Callers who have all been answered, and the end of them. */
type Callers = { readonly hungUp: () => Promise<void> };

const callsPerSecond = 25;
/** After the last answer, for what is done once for a call. */
const settlingMs = 3_000;
/** Longer than it takes to begin the capture and to end it. */
const lingeringMs = 5_000;

/** So many calls that hear and speak at once: how late the service's frames leave, and what the calls cost. */
export async function measureMedia(programs: MediaPrograms, each: MediaCase): Promise<MediaFigures> {
  // The service may use both processors: its threads are what is looked at.
  const service = startNode(serviceArgs(programs, each.detector), { processor: 'any' });
  const { port } = await nextMessage<{ port: number }>(service);
  const { pid = 0 } = service;
  const idle = await memoryOf(service);
  const callers = each.isSecure
    ? await callersWithSrtp(programs.secureCallers, port, each.calls)
    : await callersOfSipp(port, each.calls);
  if (each.isBlocked) service.send('block' satisfies Command);
  const recording = await startCapture();
  const [before, startedAtMs] = [threadTimes(pid), performance.now()];
  await pause(capturedMs);
  const threads = threadShares(pid, before, threadTimes(pid), performance.now() - startedAtMs);
  const captured = await recording.stop();
  const memory = await memoryOf(service);
  await callers.hungUp();
  service.disconnect();
  const mbPerCall = (memory.rssMb - idle.rssMb) / each.calls;
  return { ...latenessOf(captured.frames), ...worstOf(captured), threads, memory, mbPerCall };
}

/** How the service is started. */
export function serviceArgs({ service, deafVad }: MediaPrograms, detector: Detector): string[] {
  return ['--expose-gc', service, detector, pathToFileURL(deafVad).href];
}

async function memoryOf(service: ChildProcess): Promise<Memory> {
  const told = nextMessage<Memory>(service);
  service.send('memory' satisfies Command);
  return await told;
}

async function callersOfSipp(port: number, calls: number): Promise<Callers> {
  const comingMs = (calls / callsPerSecond) * 1_000;
  const lastsMs = comingMs + settlingMs + capturedMs + lingeringMs;
  const { over } = await startSipp({
    ...{ port, number, calls, perSecond: callsPerSecond },
    ...{ lasting: { minMs: lastsMs, maxMs: lastsMs }, says: lineNoise, mediaPort: callerPortsFrom },
  });
  await Promise.race([pause(comingMs + settlingMs), over]);
  return {
    async hungUp() {
      const { successful, failed } = await over;
      if (successful !== calls) console.error(`Of ${calls} calls, ${failed} failed and ${successful} did not.`);
    },
  };
}

async function callersWithSrtp(program: string, port: number, calls: number): Promise<Callers> {
  const args = [program, `sip:${number}@127.0.0.1:${port}`, String(calls), String(callsPerSecond)];
  const callers = startNode(args, { processor: 1 });
  await nextMessage(callers);
  await pause(settlingMs);
  return {
    async hungUp() {
      const gone = new Promise((resolve) => callers.once('exit', resolve));
      callers.send('stop');
      await gone;
    },
  };
}

function worstOf({ dropped, streams }: Capture): Pick<MediaFigures, 'dropped' | 'maxDeltaMs' | 'maxJitterMs'> {
  return {
    dropped,
    maxDeltaMs: streams.reduce((most, { maxDeltaMs }) => Math.max(most, maxDeltaMs), 0),
    maxJitterMs: streams.reduce((most, { maxJitterMs }) => Math.max(most, maxJitterMs), 0),
  };
}
