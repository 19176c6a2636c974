import type { ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { nextMessage, pinned, startNode } from '../support/child-process.ts';
import { pause } from '../support/ear.ts';
import { type Sipp, startSipp } from '../support/sipp.ts';
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
import { giveMediaItsProcessor, type ThreadShare, threadShares, threadTimes } from './threads.ts';

export interface MediaCase {
  readonly calls: number;
  readonly detector: Detector;
  readonly isSecure?: boolean;
  /** True to block the main thread repeatedly. */
  readonly isBlocked?: boolean;
}

/** Figures of streams, with or without a service. */
export interface BareFigures extends Lateness {
  /** Packets missed by the capture. */
  readonly dropped: number;
  readonly threads: readonly ThreadShare[];
}

export interface MediaFigures extends BareFigures {
  /** The worst of all streams by `tshark -z rtp,streams`: maximum interval between packets, and jitter of RFC 3550. */
  readonly maxDeltaMs: number;
  readonly maxJitterMs: number;
  readonly memory: Memory;
  readonly mbPerCall: number;
}

/** Compiled files to run. */
export interface MediaPrograms {
  readonly service: string;
  readonly secureCallers: string;
  readonly deafVad: string;
  readonly bareStreams: string;
}

/** Callers whose calls are all answered. */
type Callers = { readonly hungUp: () => Promise<void> };

/** Minimum share of the calls in the capture; with fewer the figures would be of a smaller load. */
const leastShareHeard = 0.95;
const callsPerSecond = 25;
const crowds = 5;
/** Delay between starts of the SIPp processes, so that five of them spread over the 20 ms of a frame. */
const betweenCrowdsMs = 104;
/** Media ports reserved per caller: more than SIPp uses for a call. */
const portsPerCaller = 4;
/** Delay after the last answer, for work done once per call. */
const settlingMs = 3_000;
/** Additional duration of the calls: longer than starting and stopping the capture takes. */
const lingeringMs = 5_000;

/**
 * Runs this number of calls that send and receive at once; measures how late the service's frames are and what the
 * calls cost.
 */
export async function measureMedia(programs: MediaPrograms, each: MediaCase): Promise<MediaFigures> {
  const service = startNode(serviceArgs(programs, each.detector), { processor: 'any' });
  const { port } = await nextMessage<{ port: number }>(service);
  if (pinned) giveMediaItsProcessor(service.pid ?? 0);
  const idle = await memoryOf(service);
  const callers = each.isSecure
    ? await callersWithSrtp(programs.secureCallers, port, each.calls)
    : await callersOfSipp(port, each.calls);
  if (each.isBlocked) service.send('block' satisfies Command);
  const { captured, threads } = await capture(service);
  const memory = await memoryOf(service);
  await callers.hungUp();
  service.disconnect();
  const lateness = latenessOf(captured.frames);
  if (lateness.streams < each.calls * leastShareHeard) {
    throw new Error(`Of ${each.calls} calls, ${lateness.streams} were up when the capture ran.`);
  }
  const mbPerCall = (memory.rssMb - idle.rssMb) / each.calls;
  return { ...lateness, ...worstOf(captured), threads, memory, mbPerCall };
}

/** Runs streams without a service, to measure the limit of Node and the machine. */
export async function measureBare({ bareStreams }: MediaPrograms, streams: number): Promise<BareFigures> {
  const service = startNode([bareStreams, 'service', String(streams)], { processor: 0 });
  const callers = startNode([bareStreams, 'callers', String(streams)], { processor: 1 });
  await Promise.all([nextMessage(service), nextMessage(callers)]);
  await pause(settlingMs);
  const { captured, threads } = await capture(service);
  service.disconnect();
  callers.disconnect();
  return { ...latenessOf(captured.frames), dropped: captured.dropped, threads };
}

async function capture({ pid = 0 }: ChildProcess): Promise<{ captured: Capture; threads: ThreadShare[] }> {
  const recording = await startCapture();
  const [before, startedAtMs] = [threadTimes(pid), performance.now()];
  await pause(capturedMs);
  const threads = threadShares(pid, before, threadTimes(pid), performance.now() - startedAtMs);
  return { captured: await recording.stop(), threads };
}

/** Returns the arguments that start the service. */
export function serviceArgs({ service, deafVad }: MediaPrograms, detector: Detector): string[] {
  return ['--expose-gc', service, detector, pathToFileURL(deafVad).href];
}

async function memoryOf(service: ChildProcess): Promise<Memory> {
  const told = nextMessage<Memory>(service);
  service.send('memory' satisfies Command);
  return await told;
}

/**
 * Starts callers in several SIPp processes. All streams of one SIPp send within the same few milliseconds of each 20,
 * unlike real callers.
 */
async function callersOfSipp(port: number, calls: number): Promise<Callers> {
  const [callers, perSecond] = [calls / crowds, callsPerSecond / crowds];
  const comingMs = (calls / callsPerSecond) * 1_000;
  const lastsMs = comingMs + settlingMs + capturedMs + lingeringMs;
  const started: Sipp[] = [];
  for (let crowd = 0; crowd < crowds; crowd++) {
    const mediaPort = callerPortsFrom + crowd * callers * portsPerCaller;
    const lasting = { minMs: lastsMs, maxMs: lastsMs };
    started.push(await startSipp({ port, number, calls: callers, perSecond, lasting, says: lineNoise, mediaPort }));
    await pause(betweenCrowdsMs);
  }
  const over = Promise.all(started.map((sipp) => sipp.over));
  await Promise.race([pause(comingMs + settlingMs), over]);
  return {
    async hungUp() {
      const ends = await over;
      const successful = ends.reduce((sum, each) => sum + each.successful, 0);
      if (successful !== calls) console.error(`Of ${calls} calls, ${calls - successful} failed.`);
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
