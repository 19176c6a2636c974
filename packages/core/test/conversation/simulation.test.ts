import { type NewControlCommand, ProviderError, RequestError } from '@va/core';
import type { LlmRequest } from '@va/core/adapter';
import {
  calling,
  type ScriptedReply,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedRealtime,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PhoneCall } from '../support/phone-call.ts';
import { PromiseClock } from '../support/promise-clock.ts';

type Act =
  | { readonly kind: 'speak' | 'quiet' | 'nothing'; readonly ms: number }
  | { readonly kind: 'words'; readonly text: string; readonly final: boolean }
  | { readonly kind: 'key'; readonly digit: string }
  | { readonly kind: 'judgment'; readonly type: 'turn-started' | 'turn-ending' | 'turn-resumed' | 'turn-ended' }
  | { readonly kind: 'command'; readonly command: NewControlCommand };

const command: fc.Arbitrary<NewControlCommand> = fc.constantFrom<NewControlCommand[]>(
  { type: 'say', content: 'Your order is ready.' },
  { type: 'say', content: 'Please hold the line.', interruptible: false },
  { type: 'say', content: 'We close now.', end_after: true },
  { type: 'inject-context', content: 'The order is ready.' },
  { type: 'inject-context', content: 'Tell them now.', trigger_response: true },
  { type: 'mute-assistant' },
  { type: 'unmute-assistant' },
  { type: 'set-variables', variables: { name: 'Ann' } },
  { type: 'end-call', message: 'Goodbye then.' },
);

const passing: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('speak', 'quiet', 'quiet', 'nothing'),
  ms: fc.integer({ min: 1, max: 80 }).map((ticks) => ticks * 20),
});

const words: fc.Arbitrary<Act> = fc.record({
  kind: fc.constant('words'),
  text: fc.constantFrom('well', 'well then', 'uh-huh', 'yeah', 'no wait', 'my number is zero six', 'Is it open?', ''),
  final: fc.boolean(),
});

const judgment: fc.Arbitrary<Act> = fc.record({
  kind: fc.constant('judgment'),
  type: fc.constantFrom('turn-started', 'turn-ending', 'turn-resumed', 'turn-ended'),
});

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: passing },
  { weight: 2, arbitrary: words },
  { weight: 1, arbitrary: fc.constantFrom(...'12#*').map((digit) => ({ kind: 'key', digit }) as const) },
  { weight: 1, arbitrary: judgment },
  { weight: 1, arbitrary: command.map((each) => ({ kind: 'command', command: each }) as const) },
);

const reply: fc.Arbitrary<ScriptedReply> = fc.oneof(
  fc
    .constantFrom('Yes.', 'One moment, let me look that up for you.', 'First this. Then that. And at last the other.')
    .map(saying),
  fc.constant<ScriptedReply>([{ type: 'text', text: 'Let me see. ' }, 300, { type: 'text', text: 'There it is.' }]),
  fc.constant(calling('lookup')),
  fc.constant<ScriptedReply>([...saying('Checking.'), ...calling('lookup')]),
  fc.constant<ScriptedReply>([200, new ProviderError('scripted', 'unavailable', 'overloaded')]),
  fc.constant(calling('endCall')),
);

const scene = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 25 }),
  replies: fc.array(reply, { minLength: 1, maxLength: 6 }),
  ttsDelayMs: fc.constantFrom(0, 60, 400),
  toolDelayMs: fc.constantFrom(0, 700, 12_000),
  breakEvery: fc.constantFrom(0, 3),
  /** The STT recognizes nothing in every n-th turn; 0 disables this. */
  noiseEvery: fc.constantFrom(0, 2, 3),
  judgesTurns: fc.boolean(),
  isRealtime: fc.constantFrom(false, false, true),
  speech: fc.record({
    interruption: fc.record({
      min_words: fc.constantFrom(0, 0, 2),
      resume_after_ms: fc.constantFrom(0, 700, 2_000),
      during_tools: fc.boolean(),
      ignore_backchannels: fc.boolean(),
      echo_warmup_ms: fc.constantFrom(0, 1_000),
    }),
    endpointing: fc.record({ mode: fc.constantFrom('adaptive', 'fixed'), max_turn_ms: fc.constantFrom(0, 3_000) }),
    preemptive: fc.record({ enabled: fc.boolean(), stable_ms: fc.constantFrom(0, 200) }),
    filler: fc.record({
      phrases: fc.constantFrom([], ['One moment.', 'Just a second.']),
      delay_ms: fc.constantFrom(0, 800),
    }),
    dtmf: fc.record({ max_digits: fc.constantFrom(0, 2) }),
  }),
});

type Scene = typeof scene extends fc.Arbitrary<infer S> ? S : never;

/** Plays a scene to its end. */
async function play(scene: Scene): Promise<PhoneCall> {
  const { acts, replies, ttsDelayMs, toolDelayMs, breakEvery, isRealtime } = scene;
  const webhooks = new ScriptedWebhooks();
  const turns = Array.from({ length: 60 }, (_, i) =>
    scene.noiseEvery > 0 && i % scene.noiseEvery === 1 ? '' : `turn ${i}`,
  );
  const lost = new ProviderError('scripted', 'connection', 'lost');
  const call = new PhoneCall({
    clock: new PromiseClock(),
    webhooks,
    stt: scriptedStt({ turns, judgesTurns: scene.judgesTurns }),
    realtime: scriptedRealtime({ turns, responses: replies, delayMs: ttsDelayMs }),
    tts: scriptedTts({
      delayMs: ttsDelayMs,
      breakAt: (_text, utterance) => (breakEvery > 0 && utterance % breakEvery === 1 ? lost : null),
    }),
    // The ids of tool calls repeat in each reply, as with servers that restart their numbering.
    llm: scriptedLlm((_request, index) => replies[index % replies.length] ?? []),
  });
  webhooks.outcome = async () => {
    await new Promise<void>((resolve) => call.clock.setTimer(toolDelayMs, resolve));
    return { ok: true, status: 200, body: { result: 'found' }, latencyMs: toolDelayMs };
  };
  await call.prepare({
    first_message: 'Hello, how can I help you today?',
    speech_config: scene.speech,
    llm_config: {
      provider: isRealtime ? 'scripted_realtime' : 'scripted',
      tools: [{ type: 'endCall' }, { type: 'function', name: 'lookup' }],
    },
  });
  await call.dial();
  for (const each of acts) {
    if (call.ended !== null) break;
    if (each.kind === 'command') await control(call, each.command);
    else if (each.kind === 'words')
      call.stt.streams[0]?.emit({ type: each.final ? 'final' : 'partial', text: each.text });
    else if (each.kind === 'judgment') call.stt.streams[0]?.emit({ type: each.type });
    else if (each.kind === 'key') call.incoming.press(each.digit);
    else await call[each.kind](each.ms);
    checkWhileItRuns(call);
  }
  if (call.ended === null) await control(call, { type: 'unmute-assistant' });
  if (call.ended === null) await checkAttention(call);
  call.incoming.leave();
  await call.quiet(60);
  // The end-of-call-report waits up to 60 s for the summary.
  await call.nothing(61_000);
  return call;
}

async function control(call: PhoneCall, body: NewControlCommand): Promise<void> {
  const { id } = await call.stored();
  await call.va.operations.calls.control(call.orgId, id, body).catch((error: unknown) => {
    // A call can end before its record is updated.
    if (!(error instanceof RequestError && error.code === 'call_not_active')) throw error;
  });
}

/**
 * Checks that a caller who speaks is answered once the line is free, within a few attempts, whatever happened before.
 */
async function checkAttention(call: PhoneCall): Promise<void> {
  const count = (type: string): number => call.notices.filter((notice) => notice.type === type).length;
  do await call.quiet(5_000);
  while (call.ended === null && count('tool-call') > count('tool-result'));
  const before = repliesAskedFor(call);
  for (let attempt = 0; attempt < 4 && call.ended === null && repliesAskedFor(call) === before; attempt += 1) {
    await call.speak(700);
    await call.quiet(5_000);
  }
  // The agent may have been saying goodbye.
  if (call.ended === null) expect(repliesAskedFor(call)).toBeGreaterThan(before);
}

function repliesAskedFor(call: PhoneCall): number {
  const commands = call.realtime?.sessions.flatMap((session) => session.commands) ?? [];
  const responses = commands.filter((command) => command.type === 'respond' && command.say === null);
  return call.llm.requests.length + responses.length;
}

function checkWhileItRuns(call: PhoneCall): void {
  // No agent audio is sent after an interruption until the agent speaks again.
  if (call.interruptedAtFrame !== null) expect(call.agentFrames(call.interruptedAtFrame)).toBe(0);
}

function checkPairing(requests: readonly LlmRequest[]): void {
  for (const { messages } of requests) {
    const called = messages
      .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
      .map(({ id }) => id);
    const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []));
    expect(answered).toEqual(called);
  }
}

async function checkEnd(call: PhoneCall): Promise<void> {
  const stored = await call.stored();
  expect(['ended', 'failed']).toContain(stored.status);
  expect(stored.end_reason).not.toBe('internal_error');
  const statuses = call.webhooks.of('status-update').map((message) => (message.call as { status: string }).status);
  expect(statuses).toEqual(['in-progress', stored.status === 'ended' ? 'ended' : 'ended-with-error']);
  expect(call.webhooks.of('end-of-call-report')).toHaveLength(1);

  // The transcript has only what was played.
  const heard = new Set(call.notices.flatMap((notice) => (notice.type === 'agent-spoke' ? [notice.heard] : [])));
  for (const { role, content } of stored.messages) if (role === 'assistant') expect(heard).toContain(content);

  const toolCalls = call.notices.flatMap((notice) => (notice.type === 'tool-call' ? [notice.call.id] : []));
  const toolResults = call.notices.flatMap((notice) => (notice.type === 'tool-result' ? [notice.callId] : []));
  expect([...toolResults].sort()).toEqual([...toolCalls].sort());
  checkPairing(call.llm.requests);

  expect(call.stt.streams.every(({ closed }) => closed)).toBe(true);
  expect(call.tts.openSessions).toBe(0);
  expect(call.va.activeCalls).toBe(0);
}

describe('a random conversation', () => {
  it('keeps the invariants of the pipeline', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (each) => {
        const call = await play(each);
        await checkEnd(call);
        await call.close();
        // Only timers of the scene’s slow tools and voices may remain.
        await call.clock.advance(15_000);
        expect(call.clock.pending).toBe(0);
      }),
      { numRuns: Number(process.env.VA_SIMULATIONS ?? 300), seed: Number(process.env.VA_SEED ?? 20_260_101) },
    );
  });

  it('is deterministic', async () => {
    const each: Scene = {
      noiseEvery: 0,
      judgesTurns: false,
      isRealtime: false,
      speech: {
        interruption: {
          min_words: 0,
          resume_after_ms: 2_000,
          during_tools: true,
          ignore_backchannels: true,
          echo_warmup_ms: 0,
        },
        endpointing: { mode: 'adaptive', max_turn_ms: 0 },
        preemptive: { enabled: true, stable_ms: 200 },
        filler: { phrases: [], delay_ms: 0 },
        dtmf: { max_digits: 0 },
      },
      acts: [
        { kind: 'quiet', ms: 400 },
        { kind: 'speak', ms: 900 },
        { kind: 'quiet', ms: 1_600 },
        { kind: 'speak', ms: 300 },
        { kind: 'quiet', ms: 1_600 },
      ],
      replies: [saying('First this. Then that.'), calling('lookup')],
      ttsDelayMs: 60,
      toolDelayMs: 700,
      breakEvery: 0,
    };
    const [one, two] = [await play(each), await play(each)];
    expect(two.notices).toEqual(one.notices);
    expect(two.incoming.sent.length).toBe(one.incoming.sent.length);
    await one.close();
    await two.close();
  });
});
