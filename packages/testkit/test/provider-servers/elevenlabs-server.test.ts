import { ElevenLabsServer } from '@va/testkit/provider-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

let server: ElevenLabsServer;
beforeEach(async () => {
  server = await ElevenLabsServer.start();
});
afterEach(() => server.close());

function connect(headers: Record<string, string>): WebSocket {
  return new WebSocket(`${server.url}/v1/text-to-speech/voice/multi-stream-input?model_id=m`, { headers });
}

describe('the ElevenLabs server', () => {
  it('closes a connection that opens a sixth context', async () => {
    const socket = connect({ 'xi-api-key': 'key' });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (let at = 0; at < 6; at++) socket.send(JSON.stringify({ text: ' ', context_id: `context-${at}` }));
    expect(await closed).toBe(1008);
  });

  it('refuses a connection without a key', async () => {
    const socket = connect({});
    const refused = new Promise<Error>((resolve) => socket.once('error', resolve));
    expect((await refused).message).toContain('401');
  });
});
