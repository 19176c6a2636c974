import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultSpeechConfig } from '@va/core/adapter';
import { saying, scriptedLlm, scriptedStt, silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { ConversationRunner, type EffectHandler } from '../../src/conversation/runner/runner.ts';
import type { ConversationConfig } from '../../src/conversation/state/config.ts';
import { step } from '../../src/conversation/step.ts';
import { defaultTurnPolicy } from '../../src/conversation/turns/default-turn-policy.ts';
import { defaultContextSettings } from '../../src/domain/agents/context-settings.ts';
import type { NewControlCommand } from '../../src/domain/calls/call-control.ts';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring, keep } = phoneCalls();
const story = 'One two three four five six seven eight nine ten eleven twelve.';

const config: ConversationConfig = {
  firstMessage: 'Good evening.',
  systemPrompt: [],
  tools: [],
  context: defaultContextSettings,
  speech: defaultSpeechConfig,
  turnPolicy: defaultTurnPolicy,
  turnModel: null,
  reading: { language: 'en', normalize: true, pronunciations: [] },
  language: 'en',
  languages: [],
  judgesTurns: false,
  isRealtime: false,
  greetsWhenHeard: false,
  canTransfer: false,
  canPressKeys: false,
  answering: null,
  farewell: 'Goodbye.',
  maxDurationMs: 600_000,
  maxToolSteps: 5,
};

/** Files that execute effects; all others belong to the reducer. */
const runners = [
  'runner/pipeline.ts',
  'runner/prepared-speech.ts',
  'runner/realtime-pipeline.ts',
  'runner/runner.ts',
  'runner/running-tools.ts',
];

describe('1. nothing awaits between a check and its use', () => {
  it('the reducer has no await, promise, clock or timer', () => {
    const folder = fileURLToPath(new URL('../../src/conversation/', import.meta.url));
    const rules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !runners.includes(name))
      .map((name) => ({ name, source: readFileSync(`${folder}/${name}`, 'utf8') }));
    expect(rules.length).toBeGreaterThan(20);
    const withoutComments = /\/\*[\s\S]*?\*\/|\/\/.*/g;
    const impure = rules.filter(({ source }) =>
      /\bawait |\basync (function|\()|\bPromise\b|\bsetTimeout\b|\bDate\.now\b|\.nowMs\(/.test(
        source.replace(withoutComments, ''),
      ),
    );
    expect(impure.map(({ name }) => name)).toEqual([]);
  });

  it('answers a turn that starts when the agent resumes after a noise', async () => {
    const call = await ring({
      agent: { first_message: story },
      stt: scriptedStt({ turns: ['', 'is it open'] }),
      llm: scriptedLlm([saying('Yes.')]),
    });
    await call.quiet(400);
    await call.speak(600);
    // The agent resumes two seconds after the noise; the caller starts to speak in the same frame.
    await call.quiet(1_980);
    await call.speak(800);
    await call.quiet(2_500);
    expect(call.tts.utterances).toEqual([[story], ['Yes.']]);
  });

  it.each(['agent-speaking', 'interrupted', 'user-turn', 'latency', 'agent-spoke'] as const)(
    'executes commands of the host that are sent within a step, at %s',
    async (type) => {
      const call = keep(
        new PhoneCall({ stt: scriptedStt({ turns: ['hello', 'anything else'] }), llm: scriptedLlm([saying('Yes.')]) }),
      );
      await call.prepare({ first_message: story });
      const answers: Promise<unknown>[] = [];
      call.va.events.on('call.notice', ({ callId, notice }) => {
        if (notice.type !== type || answers.length > 0) return;
        const control = (command: NewControlCommand): unknown =>
          answers.push(call.va.operations.calls.control(call.orgId, callId, command));
        control({ type: 'mute-assistant' });
        control({ type: 'unmute-assistant' });
        control({ type: 'say', content: 'By the way.' });
      });
      await call.dial();
      await call.quiet(1_500);
      await call.speak(600);
      await call.quiet(2_000);
      await call.speak(600);
      await call.quiet(3_000);
      expect(await Promise.all(answers)).toHaveLength(answers.length);
      expect(call.tts.utterances.flat()).toContain('By the way.');
      expect(call.llm.requests.at(-1)?.messages.at(-1)).toMatchObject({ content: 'anything else' });
    },
  );

  it('queues events that effects dispatch until all effects of the step have run', () => {
    const order: string[] = [];
    const runner = new ConversationRunner(config, {
      clock: new VirtualClock(),
      logger: silentLogger,
      onNotice: () => {},
      onEnd: () => {},
      advance(state, event) {
        order.push(`step ${event.type}`);
        return step(state, event);
      },
    });
    const voice: EffectHandler = {
      handle({ type }) {
        order.push(type);
        // Dispatches synchronously, as the media plane does.
        if (type === 'open-utterance') runner.dispatch({ type: 'mute-changed', isMuted: true });
        if (type === 'clear-playout') runner.dispatch({ type: 'playout-cleared', cut: [] });
      },
    };
    runner.connect(voice, { handle() {} });
    runner.dispatch({ type: 'answered' });
    expect(order).toEqual([
      'step answered',
      'open-utterance',
      'speak',
      'end-utterance',
      'step mute-changed',
      'cancel-utterance',
      'clear-playout',
      'step playout-cleared',
    ]);
    runner.dispatch({ type: 'leg-ended', reason: 'user_hangup', error: null });
  });

  it('ends the call once when several parties hang up at the same time', async () => {
    const call = await ring({ agent: { first_message: story } });
    await call.quiet(300);
    const { id } = await call.stored();
    const hangUp = (): Promise<unknown> => call.va.operations.calls.control(call.orgId, id, { type: 'end-call' });
    // A command that arrives too late is rejected.
    const settled = Promise.allSettled([hangUp(), hangUp()]);
    call.incoming.leave();
    call.incoming.hangup();
    await call.nothing(100);
    for (const outcome of await settled) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'call_not_active' });
    }
    expect(call.webhooks.events.filter((event) => event === 'end-of-call-report')).toHaveLength(1);
    expect(await call.stored()).toMatchObject({ status: 'ended' });
  });
});
