import type { TransferOutcome } from '@va/core/adapter';
import { callerFrame, calling, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import wavefile from 'wavefile';
import { PhoneCall, type PhoneCallOptions } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';
import { addTransferTrunk } from '../../support/transfer-trunk.ts';

const { keep } = phoneCalls();
const desk = '+31200000001';
const letter = (code: number): Uint8Array => new Uint8Array(160).fill(code);

/** Answers a call to a number whose transfers go through a trunk. */
async function ring(options: PhoneCallOptions = {}): Promise<PhoneCall> {
  const call = keep(new PhoneCall({ stt: scriptedStt({ turns: ['the desk please', 'hello'] }), ...options }));
  await call.prepare(options.agent);
  await addTransferTrunk(call);
  await call.dial();
  await call.quiet(100);
  return call;
}

/** Requests a transfer by command and waits until the destination is dialed. */
async function transfer(call: PhoneCall, mode: 'blind' | 'warm' = 'blind') {
  await call.control({ type: 'transfer', destination: desk, mode });
  await call.quiet(1_000);
  const [far] = call.telephony.dialed;
  if (far === undefined) throw new Error('no destination was dialed');
  return far;
}

describe('a transfer through a trunk', () => {
  it('bridges audio and DTMF when the destination answers, until either side hangs up', async () => {
    const call = await ring();
    const far = await transfer(call);
    expect(far.request).toMatchObject({
      destination: desk,
      callerNumber: '+31201234567',
      trunk: { address: 'sip.test' },
    });
    far.pickUp();
    await call.quiet(100);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'transferred', transfer_destination: desk });
    expect([call.incoming.end, far.end]).toEqual([null, null]);
    const [toCaller, toDesk] = [call.incoming.sent.length, far.sent.length];
    call.incoming.hear(letter(0x21));
    far.hear(letter(0x42));
    far.hear(null);
    call.incoming.press('5');
    await call.nothing(500);
    expect(far.sent.slice(toDesk).map(([code]) => code)).toEqual([0x21]);
    expect(call.incoming.sent.slice(toCaller).map(([code]) => code)).toEqual([0x42, 0xff]);
    expect(far.pressed).toEqual([{ digits: '5', toneMs: 100 }]);
    expect(call.va.activeCalls).toBe(1);
    far.leave();
    await call.nothing(100);
    expect(call.incoming.end).toEqual({ cause: 'local-hangup' });
    expect(call.va.activeCalls).toBe(0);
  });

  it('plays the clip of the agent from its start until the agent is back', async () => {
    const wav = new wavefile.WaveFile();
    wav.fromScratch(1, 8_000, '16', new Int16Array(8_000).fill(8_000));
    const call = await ring({
      service: { clips: { waltz: wav.toBuffer() } },
      agent: { speech_config: { hold: { clip: 'waltz', volume: 0.5 } } },
    });
    const isMusic = (frame: Uint8Array): boolean => frame.every((code) => code === frame[0] && code < 0xf0);
    const frames = (): Uint8Array[] => call.incoming.sent;
    expect(frames().some(isMusic)).toBe(false);
    const far = await transfer(call);
    await call.quiet(500);
    expect(frames().slice(-10).every(isMusic)).toBe(true);
    far.refuse('busy');
    await call.quiet(4_000);
    expect(frames().slice(-10).some(isMusic)).toBe(false);
    expect(call.ended).toBeNull();
  });

  it('presses the digits of a blind transfer when the destination answers', async () => {
    const call = await ring();
    await call.control({ type: 'transfer', destination: desk, send_digits: 'w204#' });
    await call.quiet(1_000);
    const [far] = call.telephony.dialed;
    expect(far?.pressed).toEqual([]);
    far?.pickUp();
    await call.quiet(100);
    expect(far?.pressed).toEqual([{ digits: 'w204#', toneMs: 100 }]);
    expect(call.ended?.end_reason).toBe('transferred');
  });

  it('presses the digits of a warm transfer before it asks the destination', async () => {
    const llm = scriptedLlm([saying('Notes.'), saying('Will you take the call?')]);
    const call = await ring({ llm });
    await call.control({ type: 'transfer', destination: desk, mode: 'warm', send_digits: 'WW2' });
    await call.quiet(6_000);
    const [far] = call.telephony.dialed;
    far?.pickUp();
    await call.quiet(2_000);
    expect(far?.pressed).toEqual([{ digits: 'WW2', toneMs: 100 }]);
    expect(call.tts.utterances.flat()).not.toContain('Will you take the call?');
    await call.quiet(1_000);
    expect(call.tts.utterances.flat()).toContain('Will you take the call?');
  });

  it.each(['caller', 'destination'] as const)('hangs up both legs when the audio of the %s stops', async (who) => {
    const call = await ring({ service: { mediaTimeout: { initialMs: 30_000, generalMs: 5_000 } } });
    const far = await transfer(call);
    far.pickUp();
    for (let ms = 0; ms < 10_000; ms += 1_000) {
      call.incoming.hear(letter(0x21));
      far.hear(letter(0x42));
      await call.nothing(1_000);
    }
    expect([call.incoming.end, far.end]).toEqual([null, null]);
    const there = who === 'caller' ? far : call.incoming;
    for (let ms = 0; ms < 7_000; ms += 1_000) {
      there.hear(letter(0x21));
      await call.nothing(1_000);
    }
    expect([call.incoming.end, far.end]).toEqual([{ cause: 'local-hangup' }, { cause: 'local-hangup' }]);
    expect([call.va.activeCalls, call.ended?.end_reason]).toEqual([0, 'transferred']);
  });

  it('detects lost audio by packet counts when the legs forward frames themselves', async () => {
    const call = await ring({ service: { mediaTimeout: { initialMs: 30_000, generalMs: 5_000 } } });
    const far = await transfer(call);
    let packets = 0;
    const statistics = async () => ({
      received: { packets, packetsLost: 0, packetsDropped: 0, jitterMs: 0 },
      sent: { packets: 0, packetsLost: null, jitterMs: null },
      roundTripMs: null,
    });
    for (const leg of [call.incoming, far]) Object.assign(leg, { forwardTo: () => true, statistics });
    far.pickUp();
    for (let ms = 0; ms < 20_000; ms += 1_000) {
      packets += 50;
      await call.nothing(1_000);
    }
    expect([call.incoming.end, far.end]).toEqual([null, null]);
    await call.nothing(7_000);
    expect([call.incoming.end, far.end]).toEqual([{ cause: 'local-hangup' }, { cause: 'local-hangup' }]);
  });

  it('stays connected while the caller is on hold', async () => {
    const call = await ring({ service: { mediaTimeout: { initialMs: 30_000, generalMs: 5_000 } } });
    const far = await transfer(call);
    far.pickUp();
    await call.quiet(100);
    call.incoming.receiving = false;
    for (let ms = 0; ms < 60_000; ms += 1_000) {
      far.hear(letter(0x42));
      await call.nothing(1_000);
    }
    expect([call.incoming.end, far.end]).toEqual([null, null]);
  });

  it('is billed until either side hangs up, while duration_seconds remains that of the conversation', async () => {
    const call = await ring({
      service: {
        pricing: { currency: 'EUR', perMinute: 0.6 },
        mediaTimeout: { initialMs: 900_000, generalMs: 900_000 },
      },
    });
    const far = await transfer(call);
    far.pickUp();
    await call.quiet(100);
    const talkedSeconds = call.ended?.duration_seconds ?? 0;
    await call.nothing(600_000);
    far.leave();
    await call.nothing(100);
    const { operations } = call.va;
    const usage = await operations.usage.list(call.orgId, {});
    const seconds = talkedSeconds + 600;
    expect(usage.logs).toMatchObject([{ duration_seconds: seconds, cost: expect.closeTo(seconds / 100, 6) }]);
    expect(usage.logs[0]?.minutes_used).toBeCloseTo(seconds / 60, 4);
    expect(await operations.calls.get(call.orgId, call.ended?.id ?? '')).toMatchObject({
      duration_seconds: talkedSeconds,
      cost: usage.logs[0]?.cost,
    });
  });

  it('hangs up the destination when the caller hangs up', async () => {
    const call = await ring();
    const far = await transfer(call);
    far.pickUp();
    await call.quiet(100);
    call.incoming.leave();
    await call.nothing(100);
    expect(far.end).toEqual({ cause: 'local-hangup' });
    expect(call.ended?.end_reason).toBe('transferred');
  });

  it('stops dialing when the caller hangs up before the answer', async () => {
    const call = await ring();
    const far = await transfer(call);
    call.incoming.leave();
    await call.nothing(100);
    expect(far.end).toEqual({ cause: 'local-hangup' });
    expect(call.ended?.end_reason).toBe('user_hangup');
  });

  it('returns to the agent when the destination is busy, and gives the model the reason', async () => {
    const call = await ring();
    const far = await transfer(call);
    far.refuse('busy', '486 Busy Here');
    await call.quiet(1_000);
    expect(call.ended).toBeNull();
    const told = call.llm.requests.at(-1)?.messages.at(-1);
    expect(told).toMatchObject({ role: 'system', content: expect.stringContaining('486 Busy Here') });
    expect(call.agentFrames()).toBeGreaterThan(0);
  });

  it('uses the network transfer when the leg supports it', async () => {
    const call = keep(new PhoneCall());
    const asked: string[] = [];
    const answer: { outcome: TransferOutcome } = { outcome: { type: 'accepted' } };
    Object.assign(call.incoming, {
      transfer: async ({ destination }: { destination: string }) => {
        asked.push(destination);
        return answer.outcome;
      },
    });
    await call.prepare();
    await call.dial();
    await call.control({ type: 'transfer', destination: desk });
    await call.quiet(1_000);
    expect(asked).toEqual([desk]);
    expect(call.telephony.dialed).toEqual([]);
    expect(call.ended?.end_reason).toBe('transferred');
  });

  it('falls back to dialing through the trunk when the network refuses the transfer', async () => {
    const call = await ring();
    Object.assign(call.incoming, { transfer: async () => ({ type: 'refused', reason: '603 Declined' }) });
    const far = await transfer(call);
    far.pickUp();
    await call.quiet(100);
    expect(call.ended?.end_reason).toBe('transferred');
  });
});

describe('a warm transfer', () => {
  const replies = [saying('A caller about a table.'), saying('Shall I connect you?')];

  it.each([
    ['1', 'transferred', null],
    ['2', undefined, { cause: 'local-hangup' }],
  ])('is decided by key %s of the destination', async (key, endReason, farEnd) => {
    const call = await ring({ llm: scriptedLlm([saying('Ann wants a table.'), ...replies, saying('Sorry.')]) });
    const far = await transfer(call, 'warm');
    far.pickUp();
    for (let ms = 0; ms < 3_000; ms += 20) {
      far.hear(callerFrame(false));
      await call.quiet(20);
    }
    expect(far.sent.some((frame) => frame.some((code) => code !== 0xff))).toBe(true);
    const prompt = call.llm.requests.find(({ messages }) => messages[0]?.content.includes('another line'));
    expect(prompt?.messages[0]?.content).toContain('Ann wants a table.');
    expect(call.ended).toBeNull();
    far.press(key);
    await call.quiet(1_000);
    expect([call.ended?.end_reason, far.end]).toEqual([endReason, farEnd]);
    if (endReason === undefined) {
      const told = call.llm.requests.at(-1)?.messages.at(-1);
      expect(told?.content).toContain('declined the call');
    }
  });

  it('is accepted when the destination agrees in speech', async () => {
    const call = await ring({
      llm: scriptedLlm([saying('Notes.'), saying('Do you take it?'), calling('accept_call')]),
    });
    const far = await transfer(call, 'warm');
    far.pickUp();
    for (let ms = 0; ms < 6_000 && call.ended === null; ms += 20) {
      far.hear(callerFrame(ms >= 2_500 && ms < 3_300));
      await call.quiet(20);
    }
    expect(call.ended?.end_reason).toBe('transferred');
  });

  it('is declined when the destination says nothing', async () => {
    const call = await ring({ llm: scriptedLlm([saying('Notes.'), ...replies, saying('Sorry.')]) });
    const far = await transfer(call, 'warm');
    far.pickUp();
    await call.quiet(50_000);
    expect(far.end).toEqual({ cause: 'local-hangup' });
    expect(call.ended).toBeNull();
  });
});
