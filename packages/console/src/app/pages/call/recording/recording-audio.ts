import type { Client } from '@va/client';

/** Bytes per request: about four minutes of stereo at 8 kHz. */
const partBytes = 8_388_608;
/** Maximum number of parts, about two hours, because the browser keeps them in memory. */
const maxParts = 32;

/**
 * Loads a recording in parts and returns it as one blob, because an `audio` element cannot send an API key.
 * @param onShare called with the loaded share, from 0 to 1
 */
export async function loadRecording(
  client: Client,
  callId: string,
  options: { readonly signal: AbortSignal; readonly onShare: (share: number) => void },
): Promise<Blob> {
  const { signal, onShare } = options;
  const parts: Blob[] = [];
  let type = 'audio/wav';
  for (let part = 0, start = 0; part < maxParts; part += 1) {
    const range = { start, end: start + partBytes - 1 };
    const recording = await client.calls.recording(callId, { range, signal, redirect: false });
    parts.push(await new Response(recording.body).blob());
    type = recording.contentType;
    const { range: given } = recording;
    start = (given?.end ?? 0) + 1;
    onShare(given === null ? 1 : start / given.totalBytes);
    if (given === null || start >= given.totalBytes) break;
  }
  return new Blob(parts, { type });
}
