import { ProviderError } from '@va/core';
import { ScriptedIncomingCall, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring, keep } = phoneCalls();
const lost = new ProviderError('scripted', 'connection', 'the socket broke');
const refused = new ProviderError('scripted', 'auth', 'the key is not valid');

describe('a provider failure', () => {
  it('of the STT stream fails the call and sends the end-of-call-report', async () => {
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

  it('of the LLM before its first token causes one retry', async () => {
    const llm = scriptedLlm([[lost], saying('Here I am.')]);
    const call = await ring({ stt: scriptedStt({ turns: ['hello'] }), llm });
    await call.speak(300);
    await call.quiet(2_000);
    expect(call.ended).toBeNull();
    expect(call.tts.utterances).toEqual([['Here I am.']]);
  });

  it('of the LLM fails the call after the retry, or at once when the error is not retryable', async () => {
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

  it('of the TTS in the middle of an utterance resumes with the remaining text', async () => {
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

  it('of the TTS fails the call when it repeats', async () => {
    const call = await ring({
      agent: { first_message: 'Welcome to the bakery.' },
      tts: scriptedTts({ breakAt: () => lost }),
    });
    await call.quiet(3_000);
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'tts_error' });
  });
});

describe('a caller', () => {
  it('has a caller_phone of at most 255 characters', async () => {
    const call = keep(new PhoneCall());
    await call.prepare();
    await call.dial(new ScriptedIncomingCall({ to: '+31201234567', from: 'x'.repeat(10_000) }));
    expect((await call.stored()).caller_phone).toBe('x'.repeat(255));
  });

  it('whose audio stops fails the call after the media timeout', async () => {
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

  it('on hold is exempt from the media timeout', async () => {
    const call = await ring({ agent: { silence_timeout_seconds: 120 } });
    await call.quiet(1_000);
    call.incoming.receiving = false;
    await call.nothing(40_000);
    expect(call.ended).toBeNull();
    call.incoming.receiving = true;
    await call.nothing(15_200);
    expect(call.ended).toMatchObject({ end_reason: 'transport_error' });
  });

  it('who never sent audio gets the longer initial media timeout', async () => {
    const call = await ring({ agent: { silence_timeout_seconds: 120 } });
    await call.nothing(29_000);
    expect(call.ended).toBeNull();
    await call.nothing(1_500);
    expect(call.ended).toMatchObject({ end_reason: 'transport_error' });
  });

  it('who hangs up during ringing ends the call as caller_abandoned', async () => {
    const call = keep(new PhoneCall());
    call.webhooks.outcome = () => new Promise(() => {});
    await call.prepare({ webhook_events: ['assistant-request', 'status-update', 'end-of-call-report'] });
    await call.dial();
    call.incoming.leave({ cause: 'canceled' });
    await call.nothing(100);
    // The assistant-request webhook never gets a response; the call must not wait for its timeout.
    expect(call.incoming.rang).toBe(true);
    expect(call.incoming.answered).toBe(false);
    expect(await call.stored()).toMatchObject({ status: 'ended', end_reason: 'caller_abandoned', duration_seconds: 0 });
  });
});

describe('an inbound call', () => {
  it('to an unknown number is rejected and leaves no record', async () => {
    const call = keep(new PhoneCall());
    await call.prepare();
    await call.dial(new ScriptedIncomingCall({ to: '+31999999999' }));
    expect(call.incoming.rejected).toBe('not-found');
    await expect(call.stored()).rejects.toThrow('no call was stored');
  });

  it('to an inactive agent is rejected and recorded', async () => {
    const call = await ring({ agent: { is_active: false } });
    expect(call.incoming.rejected).toBe('unavailable');
    expect(await call.stored()).toMatchObject({ status: 'failed', end_reason: 'rejected_inactive' });
  });

  it('to an agent without a tts_config records the missing field', async () => {
    const call = await ring({ agent: { tts_config: null } });
    expect(call.incoming.rejected).toBe('error');
    expect(await call.stored()).toMatchObject({
      status: 'failed',
      end_reason: 'internal_error',
      error: expect.stringContaining('tts_config'),
    });
  });

  it('to an agent with an unregistered provider records the registered providers', async () => {
    const agent = { llm_config: { provider: 'nonesuch' } };
    const call = await ring({ agent, service: { agents: { checkProviders: false } } });
    expect(await call.stored()).toMatchObject({ status: 'failed', error: expect.stringMatching(/nonesuch.*scripted/) });
  });
});

describe('the service', () => {
  it('admits no call at its limit, and admits calls again after one has ended', async () => {
    const call = await ring({ service: { limits: { maxConcurrentCalls: 1 } } });
    expect(call.admits).toBe(false);
    call.incoming.leave();
    await call.quiet(40);
    expect(call.admits).toBe(true);
  });

  it('ends and reports live calls when it is closed', async () => {
    const call = await ring({ agent: { first_message: 'Hello.' } });
    await call.quiet(500);
    await call.close();
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'service_shutdown' });
    expect(call.webhooks.events.at(-1)).toBe('end-of-call-report');
    expect(call.clock.pending).toBe(0);
  });
});
