// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { stagesOf } from '../../../src/app/pages/call/timeline/waterfall.ts';

const latency = {
  ...{ total_ms: 640, endpointing_ms: 240, stt_final_ms: 120, first_audio_ms: 600 },
  ...{ llm_first_token_ms: 200, tts_first_byte_ms: 90 },
};

it('the waterfall has each part of the latency on one axis, without parts that were not measured', () => {
  expect(stagesOf(latency)).toEqual([
    { name: 'words', fromMs: 0, toMs: 120 },
    { name: 'endpointing', fromMs: 0, toMs: 240 },
    { name: 'model', fromMs: 240, toMs: 440 },
    { name: 'voice', fromMs: 510, toMs: 600 },
    { name: 'playout', fromMs: 600, toMs: 640 },
  ]);
  const missing = { stt_final_ms: null, llm_first_token_ms: null, tts_first_byte_ms: null, first_audio_ms: null };
  expect(stagesOf({ ...latency, ...missing })).toEqual([
    { name: 'endpointing', fromMs: 0, toMs: 240 },
    { name: 'playout', fromMs: 240, toMs: 640 },
  ]);
});
