import { percentile } from '../support/statistics.ts';
import type { CapturedFrame } from './capture.ts';
import { frameMs, lateMs } from './settings.ts';

const samplesPerMs = 8;

export interface Lateness {
  readonly streams: number;
  readonly frames: number;
  /** Share of late or missing frames, in percent of all that were due. */
  readonly latePct: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

/**
 * Computes how late each frame was sent. The RTP timestamps give the times at which frames are due, relative to the
 * earliest frame of the stream. A frame missing in the timestamps counts as late.
 */
export function latenessOf(frames: readonly CapturedFrame[]): Lateness {
  const streams = new Map<string, CapturedFrame[]>();
  for (const frame of frames) {
    const known = streams.get(frame.stream);
    if (known === undefined) streams.set(frame.stream, [frame]);
    else known.push(frame);
  }
  const lateBy: number[] = [];
  let leftOut = 0;
  for (const stream of streams.values()) {
    const sinceMs = stream.map((frame) => frame.atMs - dueMs(frame, stream[0]));
    const earliestMs = sinceMs.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
    for (const each of sinceMs) lateBy.push(each - earliestMs);
    leftOut += slotsOf(stream) - stream.length;
  }
  const late = lateBy.filter((ms) => ms > lateMs).length;
  return {
    streams: streams.size,
    frames: lateBy.length,
    latePct: ((late + leftOut) / (lateBy.length + leftOut)) * 100,
    p99Ms: percentile(lateBy, 0.99),
    p999Ms: percentile(lateBy, 0.999),
    maxMs: lateBy.reduce((most, each) => Math.max(most, each), 0),
  };
}

/** Returns the time at which a frame is due, in milliseconds after the first frame of the stream. */
function dueMs(frame: CapturedFrame, first: CapturedFrame = frame): number {
  return ((frame.timestamp - first.timestamp) | 0) / samplesPerMs;
}

function slotsOf(stream: readonly CapturedFrame[]): number {
  const last = stream.at(-1);
  return last === undefined ? 0 : Math.max(stream.length, dueMs(last, stream[0]) / frameMs + 1);
}
