import { tone } from '@va/test-servers/audio';
import { describe, expect, it, vi } from 'vitest';
import { toolResult } from '../support/customer.ts';
import { startHosted } from '../support/hosted-agent.ts';
import { callAgent, exchange } from '../support/short-call.ts';

const story = 'Once upon a time there was a harbour, and in the harbour lay a ship, and on the ship lived a cook.';

describe('an agent on Deepgram, OpenAI and ElevenLabs', () => {
  it.concurrent('runs a tool, and can be interrupted', async (context) => {
    const service = await startHosted(context, {
      firstMessage: 'Good evening.',
      turns: ['a table for friday', 'tell me a story', 'stop please'],
      answerTool: toolResult({ table: 'twelve' }),
    });
    service.openai.reply(
      { toolCalls: [{ id: 'call_1', name: 'look_up', arguments: '{"day":"friday"}' }] },
      { text: 'Table twelve is free.' },
      { text: story },
      { text: 'All right.' },
    );
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

    expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
    const [told, ...others] = record.messages.filter(({ content }) => content.startsWith('Once upon'));
    expect(others).toEqual([]);
    expect(story.startsWith(told?.content ?? 'nothing')).toBe(true);
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
      { toolCallList: [{ id: 'call_1', function: { name: 'look_up', arguments: { day: 'friday' } } }] },
    ]);
    expect(service.openai.requests[1]?.body.messages).toContainEqual(
      expect.objectContaining({ role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('twelve') }),
    );
    // Deepgram does not answer a Finalize without pending audio, and each such request would delay the turn by a
    // second.
    expect(service.deepgram.connections.map(({ unansweredFinalizes }) => unansweredFinalizes)).toEqual([0]);
    const heardLoudMs = call.heard().frames.filter(({ loud, atMs }) => loud && atMs >= storyAtMs).length * 20;
    expect(heardLoudMs).toBeLessThan(3_000);
  });

  it.concurrent('understands a sentence during which the connection to Deepgram breaks', async (context) => {
    const service = await startHosted(context, {
      firstMessage: 'Good evening.',
      turns: ['i would like to book a table for two people', 'goodbye'],
    });
    // Half-way through the caller's two seconds of speech.
    service.deepgram.failNext({ breakAfterBytes: 8_500 });
    const call = await callAgent(service);
    const { endedAtMs } = await call.say(tone(2_000));
    await call.waitForSpeech({ afterMs: endedAtMs });
    await call.waitForSilence({ ms: 300 });
    await exchange(call);
    await call.hangup();
    const record = await service.ended(1);
    expect(service.deepgram.connections).toHaveLength(2);
    expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
    expect(record.messages).toEqual([
      { role: 'assistant', content: 'Good evening.' },
      { role: 'user', content: 'i would like to book a table for two people' },
      { role: 'assistant', content: 'Okay.' },
      { role: 'user', content: 'goodbye' },
      { role: 'assistant', content: 'Okay.' },
    ]);
  });

  it.concurrent('speaks the rest of a sentence when the connection to ElevenLabs breaks', async (context) => {
    const firstMessage = 'Good evening, and welcome to the Harbour Restaurant.';
    const service = await startHosted(context, { firstMessage, turns: ['hello'] });
    service.elevenlabs.failNext({ breakAfterPieces: 1 });
    const call = await callAgent(service, { silenceMs: 1_000 });
    const saidMs = call.heard().frames.filter(({ loud }) => loud).length * 20;
    await exchange(call);
    await call.hangup();
    const record = await service.ended(1);
    expect(service.elevenlabs.connections).toHaveLength(2);
    // 40 ms per character; the word at which the connection broke is spoken again.
    const [leastMs, mostMs] = [firstMessage.length * 40, (firstMessage.length + 'evening,'.length) * 40];
    expect(saidMs).toBeGreaterThanOrEqual(leastMs - 60);
    expect(saidMs).toBeLessThanOrEqual(mostMs + 60);
    expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
    expect(record.messages).toEqual([
      { role: 'assistant', content: firstMessage },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Okay.' },
    ]);
  });

  it.concurrent('continues after six interrupted replies whose contexts ElevenLabs keeps open', async (context) => {
    const times = 6;
    const service = await startHosted(context, {
      firstMessage: 'Good evening.',
      turns: [...Array.from({ length: times }, (_, at) => `question ${at}`), 'goodbye'],
      voiceBehaviour: { drainMs: 4_000 },
    });
    service.openai.reply(...Array(times).fill({ text: story }), { text: 'Goodbye.' });
    const call = await callAgent(service);
    let { endedAtMs } = await call.say(tone(400));
    for (let at = 1; at <= times; at++) {
      await call.waitForSpeech({ afterMs: endedAtMs });
      ({ endedAtMs } = await call.say(tone(900)));
    }
    await call.waitForSpeech({ afterMs: endedAtMs });
    await call.waitForSilence({ ms: 300 });
    await call.hangup();
    const record = await service.ended(1);
    expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup', error: null });
    expect(record.messages.at(-1)).toEqual({ role: 'assistant', content: 'Goodbye.' });
    expect(service.elevenlabs.connections.every(({ mostOpen }) => mostOpen <= 5)).toBe(true);
  });

  it.concurrent('fails the call and reports it when Deepgram stays unavailable', async (context) => {
    const service = await startHosted(context, { firstMessage: 'Good evening.', turns: [] });
    const call = await callAgent(service);
    await service.deepgram.close();
    expect(await call.ended).toMatchObject({ by: 'far-end' });
    const record = await service.ended(1);
    expect(record).toMatchObject({ status: 'failed', end_reason: 'stt_error', error: expect.stringMatching(/./) });
    await vi.waitFor(() =>
      expect(service.customer.of('end-of-call-report')).toMatchObject([
        { call: { id: record.id, status: 'ended-with-error' }, endReason: 'stt_error', error: record.error },
      ]),
    );
  });
});
