import type { AudioFormat, LanguageModel } from '@va/core/adapter';
import { ScriptedIncomingCall, ScriptedWebhooks, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();
const greeting = 'Welcome to the bakery.';

/** A call whose answer waits until the test allows it. */
class PatientCall extends ScriptedIncomingCall {
  #letAnswer: () => void = () => {};
  readonly #allowed = new Promise<void>((resolve) => {
    this.#letAnswer = resolve;
  });

  override async answer(): ReturnType<ScriptedIncomingCall['answer']> {
    await this.#allowed;
    return await super.answer();
  }

  letAnswer(): void {
    this.#letAnswer();
  }
}

async function prepared(options: ConstructorParameters<typeof PhoneCall>[0] = {}): Promise<PhoneCall> {
  const call = keep(new PhoneCall(options));
  await call.prepare({ first_message: greeting, ...options.agent });
  return call;
}

describe('a ringing call', () => {
  it('connects its providers and synthesizes the first message, so that the first frame has audio', async () => {
    const connected: string[] = [];
    const connect: NonNullable<LanguageModel['connect']> = ({ config }) => {
      connected.push(config.provider);
    };
    const llm = Object.assign(scriptedLlm([saying('All right.')]), { connect });
    const call = await prepared({ llm, tts: scriptedTts({ delayMs: 400 }) });
    const incoming = new PatientCall({ to: dialedNumber });
    await call.ringUp(incoming);
    await call.clock.advance(600);
    expect([call.stt.streams.length, call.tts.openSessions, connected]).toEqual([1, 1, ['scripted']]);
    expect(call.tts.utterances).toEqual([[greeting]]);
    expect([incoming.rang, incoming.answered]).toEqual([true, false]);
    incoming.letAnswer();
    await call.quiet(100);
    expect(incoming.sent.length).toBeGreaterThan(0);
    expect(incoming.sent[0]?.[0]).toBe(0x2a);
    await call.quiet(2_000);
    expect(call.tts.utterances).toHaveLength(1);
    expect(call.notices).toContainEqual(expect.objectContaining({ type: 'agent-spoke', heard: greeting }));
  });

  it('is answered when the first audio of its greeting is ready, or after one second', async () => {
    const call = await prepared({ tts: scriptedTts({ delayMs: 600 }) });
    await call.ringUp();
    await call.clock.advance(590);
    expect(call.incoming.answered).toBe(false);
    await call.clock.advance(20);
    expect(call.incoming.answered).toBe(true);

    const slow = await prepared({ tts: scriptedTts({ delayMs: 5_000 }) });
    await slow.ringUp();
    await slow.clock.advance(990);
    expect(slow.incoming.answered).toBe(false);
    await slow.clock.advance(20);
    expect(slow.incoming.answered).toBe(true);
    await slow.quiet(5_500);
    expect(slow.tts.utterances).toHaveLength(1);
    expect(slow.notices).toContainEqual({ type: 'agent-speaking', text: greeting });
  });

  it('closes its providers and is not charged when the caller hangs up', async () => {
    const call = await prepared({ tts: scriptedTts({ delayMs: 600 }) });
    await call.ringUp();
    await call.clock.advance(300);
    call.incoming.leave({ cause: 'canceled' });
    await call.clock.advance(40);
    expect(call.stt.streams.map(({ closed }) => closed)).toEqual([true]);
    expect(call.tts.openSessions).toBe(0);
    expect(call.tts.cancelled).toEqual(new Set([0]));
    expect(call.ended).toMatchObject({ end_reason: 'caller_abandoned', answered_at: null, cost: null });
    const { logs } = await call.va.operations.usage.list(call.orgId, {});
    expect(logs).toEqual([]);
    await call.clock.advance(1_000);
    expect(call.clock.pending).toBe(call.idleTimers);
    expect(call.incoming.answered).toBe(false);
  });

  it('synthesizes the greeting again after the answer when that failed during ringing', async () => {
    let broke = false;
    const tts = scriptedTts({
      breakAt: () => {
        if (broke) return null;
        broke = true;
        return new Error('not now');
      },
    });
    const call = await prepared({ tts });
    await call.dial();
    await call.quiet(2_500);
    expect(tts.utterances).toEqual([[greeting], [greeting]]);
    expect(call.notices).toContainEqual(expect.objectContaining({ type: 'agent-spoke', heard: greeting }));
  });

  it('is rejected when a provider refuses to open', async () => {
    const stt = scriptedStt();
    stt.open = () => {
      throw new Error('the key is not valid');
    };
    const call = await prepared({ stt });
    await call.ringUp();
    await call.clock.advance(100);
    expect([call.incoming.answered, call.incoming.rejected]).toEqual([false, 'error']);
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'stt_error', answered_at: null });
  });

  it('reconnects its providers when the leg has a different encoding than expected', async () => {
    class Surprising extends ScriptedIncomingCall {
      override async answer(): ReturnType<ScriptedIncomingCall['answer']> {
        const leg = await super.answer();
        const format: AudioFormat = { encoding: 'pcma', sampleRateHz: 8_000 };
        return Object.defineProperty(leg, 'format', { value: format });
      }
    }
    const call = await prepared();
    await call.ringUp(new Surprising({ to: dialedNumber }));
    await call.nothing(2_000);
    expect(call.stt.streams.map(({ closed, options }) => [closed, options.format.encoding])).toEqual([
      [true, 'pcmu'],
      [false, 'pcma'],
    ]);
    expect(call.tts.openSessions).toBe(1);
    expect(call.notices).toContainEqual(expect.objectContaining({ type: 'agent-spoke', heard: greeting }));
    expect(call.ended).toBeNull();
  });

  it('connects no provider before the assistant-request has chosen the agent', async () => {
    const webhooks = new ScriptedWebhooks();
    let answer: () => void = () => {};
    webhooks.outcome = async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { ok: true, status: 200, body: { assistant: { firstMessage: 'Hi.' } }, latencyMs: 1 };
    };
    const call = await prepared({ webhooks, agent: { webhook_events: ['assistant-request'] } });
    await call.ringUp();
    await call.clock.advance(500);
    expect([call.stt.streams.length, call.tts.openSessions]).toEqual([0, 0]);
    answer();
    await call.clock.advance(20);
    expect(call.tts.utterances).toEqual([['Hi.']]);
  });
});
