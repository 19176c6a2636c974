/**
 * Returns the key terms as a prompt: a list for Whisper, a sentence for other models. Returns no prompt for models that
 * accept none.
 */
export function promptOf(model: string, hints: readonly string[]): { readonly prompt?: string } {
  if (hints.length === 0 || model.includes('diarize') || model === 'gpt-realtime-whisper') return {};
  const list = hints.join(', ');
  return { prompt: /whisper/i.test(model) ? list : `The caller may say: ${list}.` };
}
