import { expect, it } from 'vitest';
import { createClient } from '../src/index.ts';

it('the client stops an endless stream on abort, even if its fetch ignores the signal', async () => {
  let isCancelled = false;
  const endless = (): Response => {
    const event = `event: state\ndata: ${JSON.stringify({ type: 'state', call_id: 'a' })}\n\n`;
    const body = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new TextEncoder().encode(event)),
      cancel() {
        isCancelled = true;
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const client = createClient({ baseUrl: 'http://localhost', apiKey: 'key', fetch: async () => endless() });
  const leaving = new AbortController();
  const read = async (): Promise<number> => {
    let events = 0;
    for await (const _ of client.calls.live({}, { signal: leaving.signal })) {
      events += 1;
      if (events === 10) leaving.abort(new Error('left'));
      if (events > 20) throw new Error('The stream goes on.');
    }
    return events;
  };
  await expect(read()).rejects.toThrow('left');
  expect(isCancelled).toBe(true);
});
