import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { displayStateOf } from '../../../src/calls/session/display-state.ts';
import { LiveObserver } from '../../../src/calls/session/live-observer.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import { planTransfer } from '../../../src/conversation/transfer/transfer.ts';
import type { LiveEvent } from '../../../src/domain/calls/live-event.ts';
import { LiveFeed } from '../../../src/live/live-feed.ts';
import { orgId } from '../../operations/support.ts';
import {
  callerTurn,
  heardSpeech,
  openConversation,
  said,
  speakingAgent,
  thinkingTurn,
} from '../../support/conversation-state.ts';
import { recordId } from '../../support/sample-records.ts';

const callId = recordId('7');
const running = enter(emptyLedger, { id: 'call-1', name: 'lookup', arguments: '{}' });

/** An observer of one call, and a reader who may watch it. */
function observing() {
  const clock = new VirtualClock();
  const feed = new LiveFeed({
    cluster: null,
    clock,
    logger: silentLogger,
    nodeId: () => 'node-1',
    isAlone: () => true,
  });
  const observer = new LiveObserver({ feed, clock, orgId, callId });
  const metered: boolean[] = [];
  const watch = () => {
    const leaving = new AbortController();
    const tail = feed.join(orgId, null, leaving.signal);
    return { take: (): readonly LiveEvent[] => tail.take(), leave: () => leaving.abort() };
  };
  return {
    clock,
    observer,
    watch,
    metered,
    media: { setMetered: (isMetered: boolean) => void metered.push(isMetered) },
  };
}

const typesOf = (events: readonly LiveEvent[]): string[] => events.map(({ type }) => type);

/** Returns the event `state` that a reader receives for a state of the conversation. */
function shown(state: ConversationState): Record<string, unknown> {
  const { observer, watch } = observing();
  const { take } = watch();
  observer.observe(state);
  return { ...take().find(({ type }) => type === 'state') };
}

describe('the state of a live call', () => {
  it.each<[string, ConversationState, string, string | null]>([
    ['nobody speaks', openConversation(), 'listening', 'caller'],
    ['the caller speaks', openConversation({ userTurn: callerTurn() }), 'listening', null],
    ['the caller pauses', openConversation({ userTurn: callerTurn({ kind: 'ending' }) }), 'listening', 'end_of_turn'],
    ['the model replies', openConversation({ agentTurn: thinkingTurn(0) }), 'thinking', 'model'],
    [
      'a reply is due',
      openConversation({ reply: { due: { answers: null, toolSteps: 0 }, preemption: null } }),
      'thinking',
      'model',
    ],
    ['a tool runs', openConversation({ tools: running }), 'thinking', 'tool'],
    [
      'a tool runs for a reply',
      openConversation({ tools: running, agentTurn: thinkingTurn(0, { llm: null }) }),
      'thinking',
      'tool',
    ],
    [
      'the voice is being made',
      openConversation({ agentTurn: thinkingTurn(0, { speeches: [heardSpeech('Hi.', { started: false })] }) }),
      'thinking',
      'voice',
    ],
    ['the agent speaks', speakingAgent('Hello.'), 'speaking', null],
    [
      'the agent is paused',
      speakingAgent('Hello.', { agentTurn: thinkingTurn(0, { paused: { sinceMs: 0, quietSinceMs: null } }) }),
      'listening',
      'interruption',
    ],
    [
      'the caller is transferred',
      planTransfer(speakingAgent('Hello.'), {
        destination: '+31205550100',
        mode: 'blind',
        keysOnAnswer: null,
        callId: null,
        summary: null,
      }),
      'speaking',
      'transfer',
    ],
  ])('when %s', (_what, state, floor, waitsFor) => {
    expect(shown(state)).toMatchObject({ state: floor, waits_for: waitsFor });
    expect(displayStateOf(state)).toBe(floor);
  });

  it('has the time to the end of the turn, the tools, and who is muted', () => {
    const ending = openConversation({ userTurn: callerTurn({ kind: 'ending', lastSpeechAtMs: 0 }) });
    expect(shown(ending)).toMatchObject({ remaining_ms: 225, caller_speaks: false });
    expect(shown(openConversation({ tools: running }))).toMatchObject({ tools: ['lookup'], remaining_ms: null });
    const state = openConversation();
    const playout = { ...state.playout, isMuted: true, isTakenOver: true };
    expect(shown({ ...state, playout })).toMatchObject({ is_muted: true, is_taken_over: true });
  });
});

describe('LiveObserver', () => {
  it('publishes nothing while nobody watches, and the present state to a reader who joins', () => {
    const { observer, watch } = observing();
    observer.observe(openConversation({ userTurn: callerTurn({ text: 'I would' }) }));
    expect(watch().take()).toMatchObject([
      { type: 'state', call_id: callId, caller_speaks: true },
      { type: 'partial-transcript', content: 'I would' },
    ]);
  });

  it('publishes what changes, once', () => {
    const { observer, watch } = observing();
    const { take } = watch();
    observer.observe(openConversation({ userTurn: callerTurn({ text: 'I' }) }));
    take();
    const next = openConversation({ userTurn: callerTurn({ text: 'I would' }) });
    observer.observe(next);
    expect(take()).toMatchObject([{ type: 'partial-transcript', content: 'I would' }]);
    observer.observe(next);
    observer.observe({ ...next, silence: { sinceMs: null, prompts: 1 } });
    expect(take()).toEqual([]);
  });

  it('publishes an empty transcript when words were dropped', () => {
    const { observer, watch } = observing();
    const { take } = watch();
    observer.observe(openConversation({ userTurn: callerTurn({ text: 'uh' }) }));
    take();
    observer.observe(openConversation());
    expect(take()).toMatchObject([
      { type: 'partial-transcript', content: '' },
      { type: 'state', caller_speaks: false },
    ]);
  });

  it('does not repeat an end of the turn that moves by less than 50 ms', () => {
    const { observer, watch } = observing();
    const { take } = watch();
    const endingAt = (lastSpeechAtMs: number) =>
      observer.observe(openConversation({ userTurn: callerTurn({ kind: 'ending', lastSpeechAtMs }) }));
    endingAt(1_000);
    take();
    endingAt(1_049);
    expect(take()).toEqual([]);
    endingAt(1_100);
    expect(typesOf(take())).toEqual(['state']);
  });

  it('publishes the words that the agent begins to say, and no other notices', () => {
    const { observer, watch } = observing();
    const { take } = watch();
    observer.notice({ type: 'agent-speaking', text: 'Hello.' });
    observer.notice({ type: 'user-turn', text: 'Hi' });
    expect(take()).toMatchObject([{ type: 'agent-speech', content: 'Hello.' }]);
  });

  it('measures the loudness while somebody watches', () => {
    const { observer, watch, media, metered } = observing();
    observer.opened(media);
    expect(metered).toEqual([]);
    const { take, leave } = watch();
    observer.observe(openConversation());
    expect(metered).toEqual([true]);
    observer.levels({ callerDb: -20, agentDb: -60 });
    expect(take()).toContainEqual(expect.objectContaining({ type: 'levels', caller_db: -20, agent_db: -60 }));
    leave();
    observer.observe(openConversation({ entries: [said('Hi')] }));
    expect(metered).toEqual([true, false]);
  });

  it('publishes the last level to a reader who joins, unless nobody was watching before', () => {
    const { observer, watch, media } = observing();
    observer.opened(media);
    const first = watch();
    observer.observe(openConversation());
    observer.levels({ callerDb: -20, agentDb: -60 });
    const second = watch();
    expect(typesOf(second.take())).toContain('levels');
    first.leave();
    second.leave();
    observer.observe(openConversation({ entries: [said('Hi')] }));
    expect(typesOf(watch().take())).toEqual(['state']);
  });

  it('publishes nothing to a reader who joins after the end', () => {
    const { observer, watch } = observing();
    observer.observe(openConversation());
    const ending = { reason: 'user_hangup', error: null } as const;
    observer.observe(openConversation({ phase: { kind: 'closed', ending } }));
    expect(watch().take()).toEqual([]);
    observer.observe(openConversation());
    observer.close();
    expect(watch().take()).toEqual([]);
  });
});
