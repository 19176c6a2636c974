import { ProviderError } from '@va/core';
import { ScriptedIncomingCall, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring, keep } = phoneCalls();
const lost = new ProviderError('scripted', 'connection', 'the socket broke');
const refused = new ProviderError('scripted', 'auth', 'the key is not valid');

describe('a provider that fails', () => {
  it('in recognition, for good: ends the call as failed, with the report', async () => {
    const call = await ring({ agent: { first_message: 'Hello.' } });
    await call.quiet(100);
    call.stt.streams[0]?.fail(lost);
    await call.quiet(100);
    expect(call.ended).toMatchObject({
      status: 'failed',
      end_reason: 'stt_error',
      error: expect.stringContaining('socket broke'),
    });
    expect(call.incoming.end).toEqual({ cause: 'local-hangup' });
    expect(call.webhooks.events).toEqual(['status-update', 'status-update', 'end-of-call-report']);
    expect(call.webhooks.of('status-update')[1]).toMatchObject({
      call: { status: 'ended-with-error' },
      endReason: 'stt_error',
      error: expect.stringContaining('socket broke'),
    });
  });

  it('in the model, before it gave anything: is asked once more', async () => {
    const llm = scriptedLlm([[lost], saying('Here I am.')]);
    const call = await ring({ stt: scriptedStt({ turns: ['hello'] }), llm });
    await call.speak(300);
    await call.quiet(2_000);
    expect(call.ended).toBeNull();
    expect(call.tts.utterances).toEqual([['Here I am.']]);
  });

  it('in the model, twice or without hope: ends the call as failed', async () => {
    for (const replies of [
      [[lost], [lost]],
      [[refused], saying('never')],
    ]) {
      const call = await ring({ stt: scriptedStt({ turns: ['hello'] }), llm: scriptedLlm(replies) });
      await call.speak(300);
      await call.quiet(2_000);
      expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'llm_error' });
    }
  });

  it('in synthesis, in the middle of a word: what is left is said in a new utterance', async () => {
    let broke = false;
    const tts = scriptedTts({
      breakAt: () => {
        if (broke) return null;
        broke = true;
        return lost;
      },
    });
    const reply = 'Welcome to the bakery on the corner.';
    const call = await ring({ stt: scriptedStt({ turns: ['hello'] }), llm: scriptedLlm([saying(reply)]), tts });
    await call.speak(300);
    await call.quiet(4_000);
    const [first, second] = tts.utterances;
    expect(first).toEqual([reply]);
    expect(reply.endsWith(second?.join(' ') ?? '-')).toBe(true);
    expect(second?.join(' ').length).toBeLessThan(reply.length);
    call.incoming.leave();
    await call.quiet(40);
    expect((await call.stored()).messages.at(-1)).toEqual({ role: 'assistant', content: reply });
  });

  it('in synthesis, again and again: ends the call as failed', async () => {
    const call = await ring({
      agent: { first_message: 'Welcome to the bakery.' },
      tts: scriptedTts({ breakAt: () => lost }),
    });
    await call.quiet(3_000);
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'tts_error' });
  });
});

describe('a caller', () => {
  it('with a name without end is recorded under the start of it', async () => {
    const call = keep(new PhoneCall());
    await call.prepare();
    await call.dial(new ScriptedIncomingCall({ to: '+31201234567', from: 'x'.repeat(10_000) }));
    expect((await call.stored()).caller_phone).toBe('x'.repeat(255));
  });

  it('who vanishes without a word ends the call when the media time-out has passed', async () => {
    const call = await ring({ agent: { first_message: 'Hello.', silence_timeout_seconds: 60 } });
    await call.quiet(1_000);
    await call.nothing(14_800);
    expect(call.ended).toBeNull();
    await call.nothing(400);
    expect(call.ended).toMatchObject({
      status: 'failed',
      end_reason: 'transport_error',
      error: 'No audio from the caller for 15 s.',
    });
    expect(call.webhooks.events.at(-1)).toBe('end-of-call-report');
  });

  it('who has put the call on hold is not taken for lost', async () => {
    const call = await ring({ agent: { silence_timeout_seconds: 120 } });
    await call.quiet(1_000);
    call.incoming.receiving = false;
    await call.nothing(40_000);
    expect(call.ended).toBeNull();
    call.incoming.receiving = true;
    await call.nothing(15_200);
    expect(call.ended).toMatchObject({ end_reason: 'transport_error' });
  });

  it('from whom never anything came is waited for longer', async () => {
    const call = await ring({ agent: { silence_timeout_seconds: 120 } });
    await call.nothing(29_000);
    expect(call.ended).toBeNull();
    await call.nothing(1_500);
    expect(call.ended).toMatchObject({ end_reason: 'transport_error' });
  });

  it('who gives up while it rings has abandoned the call', async () => {
    const call = keep(new PhoneCall());
    call.webhooks.outcome = () => new Promise(() => {});
    await call.prepare({ webhook_events: ['assistant-request', 'status-update', 'end-of-call-report'] });
    await call.dial();
    call.incoming.leave({ cause: 'canceled' });
    await call.nothing(100);
    // The customer's server never answers: the webhook's own time-out would be next, and the call does not wait for it.
    expect(call.incoming.rang).toBe(true);
    expect(call.incoming.answered).toBe(false);
    expect(await call.stored()).toMatchObject({ status: 'ended', end_reason: 'caller_abandoned', duration_seconds: 0 });
  });
});

describe('a call that is not answered', () => {
  it('to an unknown number is refused, and leaves no record', async () => {
    const call = keep(new PhoneCall());
    await call.prepare();
    await call.dial(new ScriptedIncomingCall({ to: '+31999999999' }));
    expect(call.incoming.rejected).toBe('not-found');
    await expect(call.stored()).rejects.toThrow('no call was stored');
  });

  it('to an inactive agent is refused and recorded', async () => {
    const call = await ring({ agent: { is_active: false } });
    expect(call.incoming.rejected).toBe('unavailable');
    expect(await call.stored()).toMatchObject({ status: 'failed', end_reason: 'rejected_inactive' });
  });

  it('for an agent that is not complete says what is missing', async () => {
    const call = await ring({ agent: { tts_config: null } });
    expect(call.incoming.rejected).toBe('error');
    expect(await call.stored()).toMatchObject({
      status: 'failed',
      end_reason: 'internal_error',
      error: expect.stringContaining('tts_config'),
    });
  });

  it('for a provider that is not registered names those that are', async () => {
    const agent = { llm_config: { provider: 'nonesuch' } };
    const call = await ring({ agent, service: { agents: { checkProviders: false } } });
    expect(await call.stored()).toMatchObject({ status: 'failed', error: expect.stringMatching(/nonesuch.*scripted/) });
  });
});

describe('the service', () => {
  it('admits no further call when it is full, and does again when one has ended', async () => {
    const call = await ring({ service: { limits: { maxConcurrentCalls: 1 } } });
    expect(call.admits).toBe(false);
    call.incoming.leave();
    await call.quiet(40);
    expect(call.admits).toBe(true);
  });

  it('ends live calls when it is closed, and reports them', async () => {
    const call = await ring({ agent: { first_message: 'Hello.' } });
    await call.quiet(500);
    await call.close();
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'service_shutdown' });
    expect(call.webhooks.events.at(-1)).toBe('end-of-call-report');
    expect(call.clock.pending).toBe(0);
  });
});
