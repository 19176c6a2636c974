import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime';
import { RealtimeServer } from '@va/testkit/provider-servers';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { until } from '../options.ts';

/** The vendor's own agent client, which reads every item and parses every event with its schemas. */
it('RealtimeServer serves a turn with a tool call to @openai/agents-realtime', async () => {
  const call = { id: 'call_1', name: 'opening_hours', arguments: '{"day":"friday"}' };
  const server = await RealtimeServer.start({
    dialect: 'openai',
    transcripts: ['When are you open?'],
    replies: [{ text: 'Let me see.', toolCalls: [call] }, { text: 'Until ten.' }],
  });
  const asked: string[] = [];
  const hours = tool({
    name: 'opening_hours',
    description: 'Returns the opening hours of a day.',
    parameters: z.object({ day: z.string() }),
    execute: ({ day }) => {
      asked.push(day);
      return 'until 22:00';
    },
  });
  const transport = new OpenAIRealtimeWebSocket({ url: `${server.url}/realtime?model=gpt-realtime` });
  const agent = new RealtimeAgent({ name: 'Desk', instructions: 'Be brief.', tools: [hours] });
  const session = new RealtimeSession(agent, {
    transport,
    model: 'gpt-realtime',
    config: { audio: { input: { turnDetection: null } } },
  });
  onTestFinished(async () => {
    session.close();
    await server.close();
  });
  const errors: unknown[] = [];
  const spoken: string[] = [];
  let audioBytes = 0;
  session.on('error', ({ error }) => errors.push(error));
  session.on('audio', ({ data }) => {
    audioBytes += data.byteLength;
  });
  session.on('agent_end', (_context, _agent, text) => spoken.push(text));
  await session.connect({ apiKey: 'key' });
  session.sendAudio(new Uint8Array(9_600).fill(7).buffer, { commit: true });
  await until(() => (server.connections[0]?.items.length ?? 0) === 1);
  transport.sendEvent({ type: 'response.create' });
  await until(() => errors.length > 0 || spoken.includes('Until ten.'));

  expect(errors).toEqual([]);
  expect(asked).toEqual(['friday']);
  expect(audioBytes).toBeGreaterThan(0);
  const items = server.connections[0]?.items ?? [];
  expect(items.find(({ type }) => type === 'function_call_output')).toMatchObject({
    callId: 'call_1',
    text: 'until 22:00',
  });
  const messages = session.history.flatMap((item) =>
    item.type === 'message' ? item.content.map((part) => ('transcript' in part ? part.transcript : null)) : [],
  );
  expect(messages).toEqual(['When are you open?', 'Let me see.', 'Until ten.']);
  const called = session.history.find((item) => item.type === 'function_call');
  expect(called).toMatchObject({ name: 'opening_hours', status: 'completed', output: 'until 22:00' });
});
