import { defaultTurnPolicy, type TurnPolicy } from '@va/core';
import { saying, scriptedLlm, scriptedRealtime, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall, PhoneCallOptions } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';
import {
  type ScriptedPrediction,
  type ScriptedTurnModel,
  scriptedTurnModel,
} from '../../support/scripted-turn-model.ts';

const { ring } = phoneCalls();

/** Ends a turn 250 ms after the last speech by a high probability, 2 s after it by a low one, else by the settings. */
function policyOf(seen: (number | null)[] = []): Partial<TurnPolicy> {
  return {
    end: {
      ...defaultTurnPolicy.end,
      endsAtMs(situation) {
        const { endProbability, lastSpeechAtMs } = situation.user;
        seen.push(endProbability);
        if (endProbability === null) return defaultTurnPolicy.end.endsAtMs(situation);
        return lastSpeechAtMs + (endProbability > 0.5 ? 250 : 2_000);
      },
    },
  };
}

interface Options extends PhoneCallOptions {
  readonly model: ScriptedTurnModel;
  readonly turns?: readonly string[];
  readonly deadlineMs?: number;
}

/** Rings an agent that says nothing first, and whose detector ends speech after 200 ms. */
async function ringWith({ model, turns = ['hello there'], deadlineMs, ...options }: Options): Promise<PhoneCall> {
  const turnModel = deadlineMs === undefined ? { model } : { model, deadlineMs };
  return await ring({
    stt: scriptedStt({ turns }),
    llm: scriptedLlm([saying('Yes.')]),
    ...options,
    agent: { speech_config: { vad: { min_silence_ms: 200 } }, ...options.agent },
    service: { turnPolicy: policyOf(), ...options.service, turnModel },
  });
}

function endpointingMs(call: PhoneCall): (number | null)[] {
  return call.notices.flatMap((notice) => (notice.type === 'latency' ? [notice.turn.endpointing_ms] : []));
}

function turnsOf(call: PhoneCall): string[] {
  return call.notices.flatMap((notice) => (notice.type === 'user-turn' ? [notice.text] : []));
}

/** Answers after some time on the call's clock. */
function after(ms: number, answer: number, clock: () => PhoneCall): ScriptedPrediction {
  return () => new Promise((resolve) => clock().clock.setTimer(ms, () => resolve(answer)));
}

describe('a turn model and a policy that reads its answer', () => {
  it('end turns earlier or later than the policy alone', async () => {
    const model = scriptedTurnModel([0.95, 0.1, new Error('out of order')]);
    const call = await ringWith({ model, turns: ['I am done.', 'I would like', 'thank you'] });
    for (let turn = 0; turn < 3; turn++) {
      await call.speak(600);
      await call.quiet(4_000);
    }
    expect(endpointingMs(call)).toEqual([250, 2_000, 500]);
    expect(turnsOf(call)).toEqual(['I am done.', 'I would like', 'thank you']);
  });

  it('request one estimate in each lasting pause, with the audio of the turn', async () => {
    const model = scriptedTurnModel([0.1]);
    const call = await ringWith({ model });
    await call.quiet(3_000);
    await call.speak(1_000);
    await call.quiet(100);
    await call.speak(400);
    await call.quiet(120);
    expect(model.inputs).toHaveLength(0);
    await call.quiet(40);
    expect(model.inputs).toHaveLength(1);
    await call.quiet(1_000);
    expect(model.inputs).toHaveLength(1);
    const [input] = model.inputs;
    expect(input).toMatchObject({ sampleRateHz: 8_000, text: '' });
    // Half a second before the turn, 1.5 s of it, and the pause.
    const lengthMs = (input?.audio.length ?? 0) / 8;
    expect(lengthMs).toBeGreaterThanOrEqual(2_140);
    expect(lengthMs).toBeLessThanOrEqual(2_180);
    const loud = (atMs: number): boolean => Math.abs(input?.audio[atMs * 8] ?? 0) > 500;
    expect([400, 600, 1_400, 1_550, 1_900].map(loud)).toEqual([false, true, true, false, true]);
    expect(loud(lengthMs - 100)).toBe(false);
  });

  it('passes at most the last 8 s', async () => {
    const model = scriptedTurnModel([0.1]);
    const call = await ringWith({ model });
    await call.speak(12_000);
    await call.quiet(200);
    expect(model.inputs.map(({ audio }) => audio.length)).toEqual([64_000]);
  });

  it('forgets the answer when the caller goes on, and asks again in the next pause', async () => {
    const seen: (number | null)[] = [];
    const model = scriptedTurnModel([0.2, 0.9]);
    const call = await ringWith({ model, service: { turnPolicy: policyOf(seen) }, turns: ['one', 'two'] });
    await call.speak(600);
    await call.quiet(600);
    expect(seen.at(-1)).toBe(0.2);
    await call.speak(600);
    seen.length = 0;
    await call.quiet(240);
    expect(seen[0]).not.toBe(0.2);
    await call.quiet(500);
    expect(model.inputs).toHaveLength(2);
    expect(turnsOf(call)).toEqual(['one two']);
  });

  it('drops a late answer, and an answer for a pause that is over', async () => {
    let call: PhoneCall | null = null;
    const current = (): PhoneCall => call as PhoneCall;
    const model = scriptedTurnModel([after(60, 0.95, current), after(40, 0.95, current), 0.1]);
    call = await ringWith({ model, turns: ['one', 'two'] });
    await call.speak(600);
    await call.quiet(3_000);
    expect(endpointingMs(call)).toEqual([500]);
    expect(model.inputs[0]?.signal.aborted).toBe(true);

    await call.speak(600);
    await call.quiet(160);
    expect(model.inputs[1]?.signal.aborted).toBe(false);
    await call.speak(100);
    expect(model.inputs[1]?.signal.aborted).toBe(true);
    await call.quiet(3_000);
    expect(endpointingMs(call)).toEqual([500, 2_000]);
  });

  it('waits for an answer as long as deadlineMs permits', async () => {
    let call: PhoneCall | null = null;
    const model = scriptedTurnModel([after(60, 0.1, () => call as PhoneCall)]);
    call = await ringWith({ model, deadlineMs: 80 });
    await call.speak(600);
    await call.quiet(3_000);
    expect(endpointingMs(call)).toEqual([2_000]);
  });

  it('makes at most 20 requests in a turn, one at a time', async () => {
    let active = 0;
    let most = 0;
    let call: PhoneCall | null = null;
    const answer = async (): Promise<number> => {
      active += 1;
      most = Math.max(most, active);
      await new Promise<void>((resolve) => call?.clock.setTimer(30, resolve));
      active -= 1;
      return 0.1;
    };
    const model = scriptedTurnModel([answer]);
    call = await ringWith({ model, agent: { speech_config: { endpointing: { max_turn_ms: 0 } } } });
    for (let pause = 0; pause < 24; pause++) {
      await call.speak(200);
      await call.quiet(240);
    }
    expect(model.inputs).toHaveLength(20);
    expect(most).toBe(1);
    await call.quiet(4_000);
    await call.speak(400);
    await call.quiet(300);
    expect(model.inputs).toHaveLength(21);
  });
});

describe('a turn model that uses the words', () => {
  it('is asked again when they change in the pause', async () => {
    const model = scriptedTurnModel([0.1, 0.9], { usesText: true });
    const call = await ringWith({ model, stt: scriptedStt({ turns: ['I would like a table'], delayMs: 100 }) });
    await call.speak(600);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'I would' });
    await call.quiet(2_500);
    expect(model.inputs.map(({ text }) => text)).toEqual(['I would', 'I would like a table']);
    // The last words come 300 ms after the last speech, and the answer with them.
    expect(endpointingMs(call)).toEqual([300]);
  });

  it('is not asked again for the same words', async () => {
    const model = scriptedTurnModel([0.1], { usesText: true });
    const call = await ringWith({ model, turns: ['hello there'] });
    await call.speak(600);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'hello there' });
    await call.quiet(1_500);
    expect(model.inputs.map(({ text }) => text)).toEqual(['hello there']);
  });
});

describe('the turn model', () => {
  it('is asked for agents with a speech-to-speech model, without words', async () => {
    const model = scriptedTurnModel([0.1]);
    const call = await ringWith({
      model,
      realtime: scriptedRealtime({ turns: ['hello'], responses: [saying('Yes.')] }),
      agent: {
        stt_config: null,
        tts_config: null,
        llm_config: { provider: 'scripted_realtime' },
        speech_config: { vad: { min_silence_ms: 200 } },
      },
    });
    await call.speak(600);
    await call.quiet(4_000);
    expect(model.inputs.map(({ text }) => text)).toEqual(['']);
    expect(endpointingMs(call)).toEqual([2_000]);
  });

  it('is not asked when the recognizer detects the end of turns', async () => {
    const model = scriptedTurnModel([0.1]);
    const call = await ringWith({ model, stt: scriptedStt({ turns: ['hello'], judgesTurns: true }) });
    await call.speak(600);
    await call.quiet(1_000);
    expect(model.inputs).toHaveLength(0);
  });

  it('is opened and closed with the service, and its last request is aborted with the call', async () => {
    const model = scriptedTurnModel([() => new Promise(() => {})]);
    const call = await ringWith({ model, deadlineMs: 10_000 });
    expect(model.life).toEqual(['open']);
    await call.speak(600);
    await call.quiet(200);
    expect(model.inputs[0]?.signal.aborted).toBe(false);
    call.incoming.leave();
    await call.quiet(40);
    expect(model.inputs[0]?.signal.aborted).toBe(true);
    await call.close();
    expect(model.life).toEqual(['open', 'close']);
  });

  it('prevents the start of the service when it cannot be opened', async () => {
    const model = { ...scriptedTurnModel([1]), open: () => Promise.reject(new Error('no such file')) };
    await expect(ringWith({ model })).rejects.toThrow('no such file');
  });
});
