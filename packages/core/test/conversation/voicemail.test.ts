import { encodeG711 } from '@va/media';
import { describe, expect, it } from 'vitest';
import { PlacedCall } from '../support/placed-call.ts';

/** Returns frame n of a 1 kHz beep in μ-law. */
function beep(n: number): Uint8Array {
  const samples = Int16Array.from(
    { length: 160 },
    (_, i) => 8_000 * Math.sin((2 * Math.PI * 1_000 * (n * 160 + i)) / 8_000),
  );
  return encodeG711('pcmu', samples);
}

describe('an outbound call', () => {
  it('greets a person 500 ms after their hello, without a request to the model', async () => {
    const call = new PlacedCall();
    await call.quiet(400);
    expect(call.tts.utterances).toEqual([]);
    await call.speak(600, 'Hello?');
    await call.quiet(460);
    expect(call.answeredBy).toBeNull();
    await call.quiet(100);
    expect(call.answeredBy?.kind).toBe('human');
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['Hello,', 'this is Anna.']]);
    expect(call.llm.requests).toHaveLength(0);
  });

  it('answers with the model when there is no first message', async () => {
    const call = new PlacedCall({ firstMessage: null });
    await call.speak(600, 'Hello?');
    await call.quiet(2_000);
    expect(call.llm.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'Hello?' });
  });

  it('greets after 4 s when the callee says nothing', async () => {
    const call = new PlacedCall();
    await call.quiet(3_980);
    expect(call.tts.utterances).toEqual([]);
    await call.quiet(100);
    expect(call.answeredBy).toMatchObject({ kind: 'silence' });
    expect(call.tts.utterances).toEqual([['Hello,', 'this is Anna.']]);
  });

  it('leaves its message after the beep of a voicemail, and hangs up', async () => {
    const call = new PlacedCall({ voicemailMessage: 'Please call us back.' });
    await call.speak(1_800, 'You have reached Jan. Please leave a message after the tone.');
    await call.speak(600);
    expect(call.answeredBy?.kind).toBe('voicemail');
    await call.quiet(800);
    expect(call.tts.utterances).toEqual([]);
    await call.hear(400, beep);
    await call.quiet(200);
    expect(call.tts.utterances).toEqual([['Please call us back.']]);
    await call.quiet(3_000);
    expect(call.ending).toEqual({ reason: 'voicemail', error: null });
    expect(call.llm.requests).toHaveLength(0);
  });

  it('leaves its message 3 s after the greeting when there is no beep', async () => {
    const call = new PlacedCall({ voicemailMessage: 'Please call us back.' });
    await call.speak(2_000, 'Please leave a message after the tone.');
    await call.quiet(2_900);
    expect(call.tts.utterances).toEqual([]);
    await call.quiet(200);
    expect(call.tts.utterances).toEqual([['Please call us back.']]);
  });

  it('hangs up on a voicemail when there is no message to leave', async () => {
    const call = new PlacedCall();
    await call.speak(2_000, 'Please leave a message after the tone.');
    await call.quiet(40);
    expect(call.ending).toEqual({ reason: 'voicemail', error: null });
    expect(call.tts.utterances).toEqual([]);
  });

  it('answers a screening service with the model', async () => {
    const call = new PlacedCall();
    await call.speak(2_000, 'Please record your name and reason for calling.');
    await call.quiet(2_000);
    expect(call.answeredBy?.kind).toBe('screening');
    expect(
      call.llm.requests[0]?.messages.some(({ role, content }) => role === 'system' && content.includes('screening')),
    ).toBe(true);
    expect(call.tts.utterances).toEqual([['All right.']]);
  });

  it('decides within 4 s after a greeting without recognized words', async () => {
    const call = new PlacedCall();
    await call.speak(3_200);
    await call.quiet(4_000);
    expect(call.answeredBy).not.toBeNull();
    expect(call.answeredBy?.atMs).toBeLessThanOrEqual(3_200 + 4_000);
  });
});
