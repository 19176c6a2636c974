import type { LatencyStages } from './turn-latency.ts';

type StageName = 'words' | 'endpointing' | 'model' | 'voice' | 'playout';

export interface LatencyStage {
  readonly name: StageName;
  /** Offset from the end of the caller's speech. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Lays out the latency stages of a turn on one axis; omits those without a measurement. */
export function stagesOf(latency: LatencyStages): LatencyStage[] {
  const { endpointing_ms: endpointing, stt_final_ms: words, llm_first_token_ms: token } = latency;
  const { tts_first_byte_ms: voice, first_audio_ms: audio, total_ms: total } = latency;
  const stages: LatencyStage[] = [];
  const add = (name: StageName, fromMs: number, toMs: number): void => {
    const from = Math.max(0, fromMs);
    stages.push({ name, fromMs: from, toMs: Math.max(from, toMs) });
  };
  if (words !== null) add('words', 0, words);
  add('endpointing', 0, endpointing);
  if (token !== null) add('model', endpointing, endpointing + token);
  if (voice !== null && audio !== null) add('voice', audio - voice, audio);
  add('playout', audio ?? endpointing, total);
  return stages;
}
