import { createVoiceAgents } from '@va/core';
import { memory } from '@va/storage/memory';
import { callerFrame, levelVad, ScriptedTelephony, silentLogger } from '@va/testkit';
import { OpenAiServer, OpenAiSpeechServer } from '@va/testkit/provider-servers';
import { webhooks } from '@va/webhooks';
import { expect, it, vi } from 'vitest';
import { agent } from '../agent.ts';
import { selfHosted } from '../models.ts';

const phone_number = '+31201234567';

it('serves a whole call with models in its own network, without any key', async () => {
  const chat = await OpenAiServer.start();
  chat.reply({ text: 'For how many people?' });
  const speech = await OpenAiSpeechServer.start({ transcripts: ['A table, please.'] });
  const telephony = new ScriptedTelephony();
  const va = createVoiceAgents({
    storage: memory(),
    providers: selfHosted({ transcription: speech.url, chat: chat.url, speech: speech.url }),
    telephony: [telephony],
    webhooks: webhooks(),
    vad: levelVad(),
    logger: silentLogger,
  });
  await va.start();
  const { id: orgId } = await va.operations.organizations.ensureDefault();
  const { id } = await va.operations.agents.create(orgId, { ...agent, recording_enabled: false });
  await va.operations.numbers.register(orgId, { phone_number, agent_id: id });
  const ended = new Promise<string>((resolve) => {
    va.events.once('call.ended', ({ call }) => resolve(call.id));
  });

  const call = telephony.ring(phone_number);
  await vi.waitFor(() => expect(call.answered).toBe(true), 5_000);
  const spoken = (): string => speech.spoken.map(({ body }) => String(body.input)).join(' ');
  let frames = 0;
  // The caller speaks for half a second after the greeting.
  const greetingFrames = 150;
  const line = setInterval(() => {
    const isSpeaking = frames >= greetingFrames && frames < greetingFrames + 25;
    call.hear(callerFrame(isSpeaking));
    frames += 1;
  }, 20);
  await vi.waitFor(() => expect(spoken()).toContain('For how many people?'), { timeout: 20_000 });
  clearInterval(line);
  call.leave();

  const { messages } = await va.operations.calls.get(orgId, await ended);
  expect(messages.map(({ role }) => role).slice(0, 2)).toEqual(['assistant', 'user']);
  expect(messages[1]?.content).toBe('A table, please.');
  expect(speech.transcribed).toHaveLength(1);
  expect(speech.transcribed[0]?.fields).toMatchObject({ language: 'en', prompt: expect.stringContaining('Harbour') });
  expect(spoken()).toContain('Harbour Restaurant, good evening.');
  expect(speech.spoken[0]?.headers.authorization).toBeUndefined();
  await va.close({ drainMs: 0 });
  await chat.close();
  await speech.close();
}, 40_000);
