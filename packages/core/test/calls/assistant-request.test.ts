import { ScriptedWebhooks, scriptedRealtime, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const phones = phoneCalls();
async function ring(answer: unknown, agent: Record<string, unknown> = {}): Promise<PhoneCall> {
  const webhooks = new ScriptedWebhooks();
  webhooks.answer = () => answer;
  const call = await phones.ring({
    webhooks,
    stt: scriptedStt({ turns: ['hello'] }),
    agent: {
      first_message: 'Saved greeting.',
      webhook_events: ['assistant-request', 'status-update', 'end-of-call-report'],
      ...agent,
    },
  });
  return call;
}

describe('assistant-request', () => {
  it('is sent while the call rings, with the known fields of the call', async () => {
    const call = await ring({});
    expect(call.webhooks.of('assistant-request')).toEqual([
      {
        call: { id: expect.any(String), type: 'inboundPhoneCall', status: 'ringing', pipeline: 'pipeline' },
        agent: { id: call.agent?.id, name: call.agent?.name },
        phoneNumber: { number: dialedNumber, name: null },
        customer: { number: '+31612345678' },
        metadata: {},
      },
    ]);
    await call.quiet(500);
    expect(call.tts.utterances).toEqual([['Saved greeting.']]);
  });

  it('reports the realtime pipeline when the agent has a speech-to-speech model', async () => {
    const webhooks = new ScriptedWebhooks();
    const llm_config = { provider: 'scripted_realtime' };
    const agent = { webhook_events: ['assistant-request'], llm_config };
    const call = await phones.ring({ webhooks, realtime: scriptedRealtime(), agent });
    expect(call.webhooks.of('assistant-request')).toMatchObject([{ call: { pipeline: 'realtime' } }]);
  });

  it('is not sent when webhook_events does not list it', async () => {
    const call = await ring({}, { webhook_events: null });
    expect(call.webhooks.events).toEqual(['status-update']);
  });

  it('replaces only the config blocks that the response contains', async () => {
    const call = await ring({ assistant: { firstMessage: 'Hello Ms Jansen.' }, maxDurationSeconds: 10 });
    await call.quiet(500);
    expect(call.tts.utterances).toEqual([['Hello Ms Jansen.']]);
    await call.quiet(10_000);
    expect(call.ended).toMatchObject({ end_reason: 'max_duration' });
    const [first] = call.webhooks.of('status-update');
    expect(first?.assistant).toMatchObject({ firstMessage: 'Hello Ms Jansen.', stt_config: { provider: 'scripted' } });
  });

  it('speaks the error of the response and ends the call', async () => {
    const call = await ring({ error: 'Your account is blocked.' });
    await call.quiet(3_000);
    expect(call.tts.utterances).toEqual([['Your account is blocked.']]);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'rejected_by_webhook' });
    expect(call.ended?.messages).toEqual([{ role: 'assistant', content: 'Your account is blocked.' }]);
  });

  it.each(['', '  ', null])('continues the call when error is %j', async (error) => {
    const call = await ring({ assistant: { firstMessage: 'Hi there.' }, maxDurationSeconds: 60, error });
    await call.quiet(500);
    expect(call.tts.utterances).toEqual([['Hi there.']]);
    expect(call.ended).toBeNull();
  });

  it('ignores only the invalid fields of the response', async () => {
    const call = await ring({
      assistant: { firstMessage: 'Hello Ms Jansen.', stt_config: null, first_message: 'x' },
      maxDurationSeconds: 5,
    });
    await call.quiet(7_000);
    expect(call.tts.utterances[0]).toEqual(['Hello Ms Jansen.']);
    expect(call.ended).toBeNull();
    expect(call.webhooks.ignored).toEqual([
      'maxDurationSeconds: Too small: expected number to be >=10',
      'assistant.stt_config: Invalid input: expected object, received null',
      'assistant.first_message: is not a known field',
    ]);
  });

  it.each([['a string'], [{ assistant: 'nonsense' }], [{ maxDurationSeconds: -1 }], [null]])(
    'uses the saved agent when the response is %j',
    async (answer) => {
      const call = await ring(answer);
      await call.quiet(500);
      expect(call.tts.utterances).toEqual([['Saved greeting.']]);
    },
  );
});

describe('webhooks of a call', () => {
  it('arrive in the documented order', async () => {
    const call = await ring({});
    await call.quiet(1_500);
    call.incoming.leave();
    await call.quiet(40);
    expect(call.webhooks.events).toEqual(['assistant-request', 'status-update', 'status-update', 'end-of-call-report']);
    expect(call.webhooks.of('status-update').map((message) => (message.call as { status: string }).status)).toEqual([
      'in-progress',
      'ended',
    ]);
    expect(call.webhooks.of('end-of-call-report')[0]).toMatchObject({
      endReason: 'user_hangup',
      error: null,
      messages: [{ role: 'assistant', content: 'Saved greeting.' }],
      durationSeconds: 2,
      variables: {},
    });
  });

  it('keep going to the first agent’s server when it switches to an agent without a webhook_url', async () => {
    const webhooks = new ScriptedWebhooks();
    const call = phones.keep(new PhoneCall({ webhooks }));
    await call.prepare({ webhook_url: 'https://first.test/hook', webhook_events: null, name: 'First' });
    const second = await call.va.operations.agents.create(call.orgId, {
      ...{ name: 'Second', stt_config: call.agent?.stt_config, llm_config: call.agent?.llm_config },
      tts_config: call.agent?.tts_config,
    });
    await call.va.operations.agents.update(call.orgId, call.agent?.id ?? '', {
      webhook_events: ['assistant-request', 'status-update', 'end-of-call-report'],
    });
    webhooks.answer = () => ({ assistantId: second.id });
    await call.dial();
    call.incoming.leave();
    await call.quiet(40);
    const sent = webhooks.messages.map(({ event, target, message }) => [event, target.url, message.agent]);
    const [asked, named] = [call.agent, second].map((agent) => ({ id: agent?.id, name: agent?.name }));
    expect(sent).toEqual([
      ['assistant-request', 'https://first.test/hook', asked],
      ['status-update', 'https://first.test/hook', named],
      ['status-update', 'https://first.test/hook', named],
      ['end-of-call-report', 'https://first.test/hook', named],
    ]);
  });

  it('are limited to webhook_events', async () => {
    const call = await ring({}, { webhook_events: ['end-of-call-report'] });
    call.incoming.leave();
    await call.quiet(40);
    expect(call.webhooks.events).toEqual(['end-of-call-report']);
  });
});
