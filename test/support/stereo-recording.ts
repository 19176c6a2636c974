import type { Call } from '@va/core';
import { createResampler } from '@va/media';
import { fromWav } from '@va/test-servers/audio';
import type { TestService } from './service.ts';

/** Root mean square level of a section of 8 kHz audio, on a scale of 32,768. */
export function level(pcm: Int16Array, fromMs = 0, toMs = Number.POSITIVE_INFINITY): number {
  const part = pcm.subarray(fromMs * 8, Math.min(pcm.length, toMs * 8));
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length));
}

export interface StereoRecording {
  readonly caller: Int16Array;
  readonly agent: Int16Array;
  readonly sampleRateHz: number;
  readonly durationMs: number;
}

/** Downloads the recording of a call through the API. */
export async function recordingOf(service: Pick<TestService, 'api'>, call: Call): Promise<StereoRecording> {
  const response = await service.api(`/calls/${call.id}/recording`);
  if (response.status !== 200) throw new Error(`the recording returned ${response.status}`);
  const file = Buffer.from(await response.arrayBuffer());
  const sampleRateHz = file.readUInt32LE(24);
  const stereo = fromWav(file);
  const side = (channel: 0 | 1) => stereo.filter((_, index) => index % 2 === channel);
  const caller = side(0);
  return { caller, agent: side(1), sampleRateHz, durationMs: (caller.length / sampleRateHz) * 1_000 };
}

/** Converts a recording to 8 kHz. */
export function narrowed({ caller, agent, sampleRateHz, durationMs }: StereoRecording): StereoRecording {
  const rateHz = 8_000;
  const convert = (side: Int16Array): Int16Array => createResampler(sampleRateHz, rateHz)(side);
  return { caller: convert(caller), agent: convert(agent), sampleRateHz: rateHz, durationMs };
}

export function callDurationMs(call: Call): number {
  return Date.parse(call.ended_at ?? '') - Date.parse(call.answered_at ?? '');
}
