import {
  decodeG711,
  frameMs,
  frameSamples,
  loadSileroVad,
  SpeechDetector,
  type SpeechEvent,
  VadBatcher,
  type VadSettings,
} from '@va/media';
import type { Stretch } from '@va/test-servers/audio';
import { VirtualClock } from '@va/testkit';

export type DetectedSpeech = SpeechEvent & { readonly atMs: number };

/** Runs the VAD on a line, frame by frame, and returns its events. */
export function detect(codes: Uint8Array, settings: VadSettings): DetectedSpeech[] {
  const events: DetectedSpeech[] = [];
  let atMs = 0;
  const judge = new VadBatcher(loadSileroVad(), new VirtualClock());
  const note = (event: SpeechEvent): unknown => events.push({ ...event, atMs });
  const detector = new SpeechDetector(judge, settings, note, fail);
  const samples = new Int16Array(frameSamples);
  for (let at = 0; at + frameSamples <= codes.length; at += frameSamples) {
    atMs += frameMs;
    detector.push(decodeG711('pcmu', codes.subarray(at, at + frameSamples), samples), atMs);
  }
  return events;
}

function fail(error: Error): never {
  throw error;
}

/** Accuracy with which the VAD follows the turns of a line. Latencies are [median, 95th percentile]. */
export interface Figures {
  readonly turns: number;
  readonly missedTurns: number;
  readonly falseStarts: number;
  readonly onsetMs: readonly [number, number];
  readonly offsetMs: readonly [number, number];
}

/** Tolerance for a start before the labelled onset. An end belongs to the preceding turn. */
const earlyMs = 50;
const lateEndMs = 3_000;

export function figuresOf(events: readonly DetectedSpeech[], turns: readonly Stretch[]): Figures {
  const starts = events.filter(({ type }) => type === 'speech-started').map(({ atMs }) => atMs);
  const ends = events.filter(({ type }) => type === 'speech-ended').map(({ atMs }) => atMs);
  const onsets: number[] = [];
  const offsets: number[] = [];
  let missedTurns = 0;
  for (const { fromMs, toMs } of turns) {
    const start = starts.find((atMs) => atMs >= fromMs - earlyMs && atMs <= toMs + 100);
    if (start !== undefined) onsets.push(start - fromMs);
    else if (!isSpeakingAt(events, fromMs)) missedTurns += 1;
    const end = ends.find((atMs) => atMs >= toMs - 100 && atMs < toMs + lateEndMs);
    if (end !== undefined) offsets.push(end - toMs);
  }
  const isWithinTurn = (atMs: number): boolean =>
    turns.some(({ fromMs, toMs }) => atMs >= fromMs - earlyMs && atMs <= toMs + 200);
  return {
    turns: turns.length,
    missedTurns,
    falseStarts: starts.filter((atMs) => !isWithinTurn(atMs)).length,
    onsetMs: [percentile(onsets, 0.5), percentile(onsets, 0.95)],
    offsetMs: [percentile(offsets, 0.5), percentile(offsets, 0.95)],
  };
}

function isSpeakingAt(events: readonly DetectedSpeech[], atMs: number): boolean {
  const before = events.filter(({ type, atMs: each }) => each <= atMs && /started|ended/.test(type));
  return before.at(-1)?.type === 'speech-started';
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
}
