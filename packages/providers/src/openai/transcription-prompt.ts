/** `whisper-1` accepts a list of keywords, the transcribe models a text; the others accept neither. */
export function promptOf(model: string, hints: readonly string[]): { readonly prompt?: string } {
  if (hints.length === 0 || model.includes('diarize') || model === 'gpt-realtime-whisper') return {};
  const list = hints.join(', ');
  return { prompt: /whisper/i.test(model) ? list : `The caller may say: ${list}.` };
}
