import { defaultTurnPolicy, type TurnPolicy, type TurnSign, type TurnSituation } from '@va/core';
import { saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();
const story = 'One two three four five six seven eight nine ten eleven twelve.';

/** Starts a call with this policy; the caller says the turns. */
async function ringWith(turnPolicy: Partial<TurnPolicy>, turns: string[], first: string | null = null) {
  return await ring({
    agent: { first_message: first },
    stt: scriptedStt({ turns }),
    llm: scriptedLlm([saying('Yes.'), saying('Of course.')]),
    service: { turnPolicy },
  });
}

/** Returns the time from the caller's last audio to the end of the turn, in milliseconds. */
async function endpointingMs(call: PhoneCall): Promise<number | undefined> {
  await call.quiet(5_000);
  const latencies = call.notices.flatMap((notice) => (notice.type === 'latency' ? [notice.turn.endpointing_ms] : []));
  return latencies[0];
}

describe('custom turn policy › end', () => {
  it('ends a turn when the strategy decides so', async () => {
    const seen: TurnSituation[] = [];
    const call = await ringWith(
      {
        end: {
          ...defaultTurnPolicy.end,
          endsAtMs(situation) {
            seen.push(situation);
            return situation.user.text.endsWith('?')
              ? situation.user.lastSpeechAtMs + 2_000
              : defaultTurnPolicy.end.endsAtMs(situation);
          },
        },
      },
      ['is it open?'],
    );
    await call.speak(600);
    expect(await endpointingMs(call)).toBe(2_000);
    expect(seen.at(-1)).toMatchObject({
      settings: { endpointing: { mode: 'adaptive', min_delay_ms: 500 } },
      user: { kind: 'ending', text: 'is it open?', isVoiced: true, awaitsWords: false },
      agent: { isActive: false },
      floor: { holders: ['caller'], canReply: false },
    });
  });

  it('does not end a turn after a pause when the strategy returns null or infinity', async () => {
    for (const never of [null, Number.POSITIVE_INFINITY]) {
      const end = { ...defaultTurnPolicy.end, endsAtMs: () => never, limitAtMs: () => null };
      const call = await ringWith({ end }, ['hello']);
      await call.speak(600);
      await call.quiet(10_000);
      expect(call.notices.filter(({ type }) => type === 'user-turn')).toHaveLength(0);
    }
  });
});

describe('custom turn policy › start', () => {
  it('ignores speech and words that start no turn', async () => {
    const signs: TurnSign[] = [];
    const call = await ringWith(
      {
        start: {
          startsTurn(_situation, sign) {
            signs.push(sign);
            return sign.type === 'words' && sign.text.startsWith('Anna');
          },
        },
      },
      ['hello'],
    );
    await call.speak(600);
    await call.quiet(2_000);
    expect(call.notices.filter(({ type }) => type === 'user-speaking')).toHaveLength(0);
    call.stt.streams[0]?.emit({ type: 'final', text: 'what a day' });
    await call.quiet(2_000);
    expect(call.llm.requests).toHaveLength(0);
    call.stt.streams[0]?.emit({ type: 'final', text: 'Anna are you there' });
    await call.quiet(2_000);
    expect(call.llm.requests.at(-1)?.messages.at(-1)).toMatchObject({ content: 'Anna are you there' });
    expect(signs).toEqual([
      { type: 'speech' },
      { type: 'words', text: 'what a day' },
      { type: 'words', text: 'Anna are you there' },
    ]);
  });
});

describe('custom turn policy › interruption', () => {
  it('prevents interruptions when the strategy forbids them', async () => {
    const interruption = { ...defaultTurnPolicy.interruption, mayInterrupt: () => false };
    const call = await ringWith({ interruption }, ['stop it please'], story);
    await call.quiet(400);
    await call.speak(1_500);
    await call.quiet(1_000);
    expect(call.notices.filter(({ type }) => type === 'interrupted')).toHaveLength(0);
  });

  it('does not interrupt a goodbye, even when the strategy always permits it', async () => {
    const interruption = { ...defaultTurnPolicy.interruption, mayInterrupt: () => true, interruptsAtMs: () => 0 };
    const call = await ringWith({ interruption }, ['wait'], story);
    await call.quiet(400);
    const { id } = await call.stored();
    await call.va.operations.calls.control(call.orgId, id, {
      type: 'end-call',
      message: 'We are closing now, good night and until tomorrow.',
    });
    await call.speak(800);
    await call.quiet(4_000);
    expect(call.notices.flatMap((notice) => (notice.type === 'agent-spoke' ? [notice.interrupted] : []))).toEqual([
      true,
      false,
    ]);
  });
});

describe('custom turn policy › mute', () => {
  it('mutes the caller while the strategy decides so', async () => {
    const call = await ringWith({ mute: { mutesCaller: ({ agent }) => agent.isHeard } }, ['stop'], story);
    await call.quiet(400);
    await call.speak(1_000);
    await call.quiet(300);
    expect(call.notices.map(({ type }) => type)).not.toContain('user-speaking');
  });
});

describe('custom turn policy › times in the past', () => {
  const past = { endsAtMs: () => 0, limitAtMs: () => 0, interruptsAtMs: () => 0, resumesAtMs: () => 0 };

  it.each(['endsAtMs', 'limitAtMs', 'interruptsAtMs', 'resumesAtMs'] as const)(
    'completes each step when %s always returns one',
    async (name) => {
      const { end, interruption } = defaultTurnPolicy;
      const changed = { [name]: past[name] };
      const turnPolicy = { end: { ...end, ...changed }, interruption: { ...interruption, ...changed } };
      const call = await ringWith(turnPolicy, ['hello', 'is it open?'], story);
      for (let turn = 0; turn < 2; turn++) {
        await call.speak(600);
        await call.quiet(3_000);
      }
      call.incoming.leave();
      await call.quiet(40);
      expect(await call.stored()).toMatchObject({ end_reason: 'user_hangup' });
    },
  );
});

describe('custom turn policy › errors', () => {
  it('ends the call with internal_error when a strategy throws', async () => {
    const call = await ringWith(
      {
        start: {
          startsTurn() {
            throw new Error('out of order');
          },
        },
      },
      ['hello'],
    );
    await call.speak(600);
    await call.quiet(500);
    expect(await call.stored()).toMatchObject({ end_reason: 'internal_error', error: 'out of order' });
  });
});
