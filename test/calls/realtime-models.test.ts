import { openaiRealtime } from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';
import { tone } from '@va/test-servers/audio';
import { levelVad } from '@va/testkit';
import { RealtimeServer } from '@va/testkit/provider-servers';
import { describe, expect, it, vi } from 'vitest';
import { toolResult } from '../support/customer.ts';
import { startService } from '../support/service.ts';
import { callAgent, exchange } from '../support/short-call.ts';

const story = 'Once upon a time there was a harbour, and in the harbour lay a ship, and on the ship lived a cook.';

describe('an agent on a speech-to-speech model', () => {
  it.concurrent.for(['xai', 'openai'] as const)(
    'of %s greets, runs a tool, and can be interrupted',
    async (dialect, context) => {
      const apiKey = 'key';
      const server = await RealtimeServer.start({
        dialect,
        transcripts: ['a table for friday', 'tell me a story', 'stop please'],
        replies: [
          { toolCalls: [{ id: 'call_1', name: 'look_up', arguments: '{"day":"friday"}' }] },
          { text: 'Table twelve is free.' },
          { text: story },
          { text: 'All right.' },
        ],
      });
      const service = await startService({
        answerTool: toolResult({ table: 'twelve' }),
        agent: {
          providers: [
            dialect === 'xai'
              ? xaiRealtime({ apiKey, baseUrl: server.url })
              : openaiRealtime({ apiKey, baseUrl: server.url }),
          ],
          vad: levelVad(),
          config: {
            first_message: 'Good evening.',
            llm_config: {
              provider: dialect === 'xai' ? 'vendor_realtime' : 'openai_realtime',
              tools: [{ type: 'function', name: 'look_up' }],
            },
            // Long enough that a delay on a busy machine does not split a turn.
            speech_config: { vad: { min_silence_ms: 400 }, endpointing: { min_delay_ms: 400 } },
          },
        },
      });
      context.onTestFinished(async () => {
        await service.close();
        await server.close();
      });
      const call = await callAgent(service);
      await exchange(call);
      const asked = await call.say(tone(400));
      const storyAtMs = await call.waitForSpeech({ afterMs: asked.endedAtMs });
      await call.waitForSpeech({ afterMs: storyAtMs + 1_000 });
      const barged = await call.say(tone(900));
      await call.waitForSpeech({ afterMs: barged.endedAtMs });
      await call.waitForSilence({ ms: 300 });
      await call.hangup();
      const record = await service.ended(1);

      expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup', error: null });
      const [told, ...others] = record.messages.filter(({ content }) => content.startsWith('Once upon'));
      expect(others).toEqual([]);
      expect(story).toContain(told?.content ?? 'nothing');
      expect(told?.content.length).toBeLessThan(story.length / 2 + 20);
      expect(record.messages.filter((message) => message !== told)).toEqual([
        { role: 'assistant', content: 'Good evening.' },
        { role: 'user', content: 'a table for friday' },
        { role: 'assistant', content: 'Table twelve is free.' },
        { role: 'user', content: 'tell me a story' },
        { role: 'user', content: 'stop please' },
        { role: 'assistant', content: 'All right.' },
      ]);
      expect(service.customer.of('tool-calls')).toMatchObject([
        { toolCallList: [{ function: { name: 'look_up', arguments: { day: 'friday' } } }] },
      ]);
      await vi.waitFor(() => expect(service.customer.of('end-of-call-report')).toHaveLength(1));
      const sent = server.connections[0]?.events.map(({ event }) => event.type) ?? [];
      expect(sent).toContain('conversation.item.truncate');
      expect(record.latency?.turns.length).toBeGreaterThanOrEqual(3);
    },
  );
});
