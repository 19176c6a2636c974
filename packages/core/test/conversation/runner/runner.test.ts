import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type ConversationHost, ConversationRunner, type EventInput } from '../../../src/conversation/runner/runner.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Effect } from '../../../src/conversation/state/effects.ts';
import type { ConversationEvent } from '../../../src/conversation/state/events.ts';
import type { Ending } from '../../../src/conversation/state/phase.ts';
import { openConversation } from '../../support/conversation-state.ts';

const { config } = openConversation();
const typed = (text: string): EventInput => ({ type: 'text-typed', text });
const notice = (text: string): Effect => ({ type: 'notice', notice: { type: 'user-turn', text } });

type Advance = NonNullable<ConversationHost['advance']>;

/** A runner whose steps the test gives, and all that it calls. */
function running(advance?: Advance, { connects = true }: { connects?: boolean } = {}) {
  const clock = new VirtualClock();
  const log: string[] = [];
  const endings: Ending[] = [];
  const errors: string[] = [];
  const states: ConversationState[] = [];
  let onNotice = (_text: string): void => {};
  const runner = new ConversationRunner(config, {
    clock,
    logger: { ...silentLogger, error: (_fields, message) => void errors.push(message) },
    onNotice(told) {
      const text = 'text' in told ? told.text : told.type;
      log.push(`notice ${text}`);
      onNotice(text);
    },
    onEnd: (ending) => void endings.push(ending),
    onState: (state) => void states.push(state),
    advance,
  });
  const handler = (name: string) => ({ handle: ({ type }: Effect) => void log.push(`${name} ${type}`) });
  if (connects) runner.connect(handler('voice'), handler('leg'), handler('turn-model'));
  return {
    clock,
    runner,
    log,
    endings,
    errors,
    states,
    whenTold(listener: (text: string) => void): void {
      onNotice = listener;
    },
  };
}

/** Steps that emit these effects by the text of the event, and log the events. */
function emitting(effects: Record<string, readonly Effect[]>, events: ConversationEvent[] = []): Advance {
  return (state, event) => {
    events.push(event);
    return { state, effects: event.type === 'text-typed' ? [...(effects[event.text] ?? [])] : [] };
  };
}

describe('the effects of a step', () => {
  it('go to the handlers of voice, telephony and turn model, in order', () => {
    const { runner, log } = running(
      emitting({
        all: [
          { type: 'clear-playout' },
          { type: 'press-keys', keys: '1', toneMs: 100 },
          { type: 'cancel-turn-model' },
          notice('Hi'),
          { type: 'cancel-transfer' },
        ] as unknown as Effect[],
      }),
    );
    runner.dispatch(typed('all'));
    expect(log).toEqual([
      'voice clear-playout',
      'leg press-keys',
      'turn-model cancel-turn-model',
      'notice Hi',
      'leg cancel-transfer',
    ]);
  });

  it('end the call by a hang-up', () => {
    const ending: Ending = { reason: 'user_hangup', error: null };
    const { runner, endings } = running(emitting({ bye: [{ type: 'hang-up', ending }] }));
    runner.dispatch(typed('bye'));
    expect(endings).toEqual([ending]);
  });

  it('need handlers; without them the call ends with an error', () => {
    const { runner, endings, log } = running(emitting({ play: [{ type: 'clear-playout' } as Effect] }), {
      connects: false,
    });
    runner.dispatch(typed('play'));
    expect(endings).toEqual([{ reason: 'internal_error', error: 'The conversation was not connected.' }]);
    expect(log).toEqual([]);
  });
});

describe('an event', () => {
  it('has the time of the clock, or that of the media', async () => {
    const events: ConversationEvent[] = [];
    const { runner, clock } = running(emitting({}, events));
    await clock.advance(1_500);
    runner.dispatch(typed('a'));
    runner.dispatch(typed('b'), 1_480);
    expect(events.map(({ atMs }) => atMs)).toEqual([1_500, 1_480]);
  });

  it('that an effect causes waits for the end of the step', () => {
    const { runner, log, whenTold } = running(
      emitting({ first: [notice('first'), notice('rest')], second: [notice('second')], third: [notice('third')] }),
    );
    whenTold((text) => {
      if (text === 'first') for (const next of ['second', 'third']) runner.dispatch(typed(next));
    });
    runner.dispatch(typed('first'));
    expect(log).toEqual(['notice first', 'notice rest', 'notice second', 'notice third']);
  });

  it('is followed by a notification of observers with the new state', () => {
    const phase = { kind: 'open' as const };
    const { runner, states } = running((state) => ({ state: { ...state, phase }, effects: [] }));
    expect(runner.state.phase.kind).toBe('waiting');
    runner.dispatch(typed('a'));
    expect(states).toEqual([runner.state]);
    expect(runner.state.phase).toBe(phase);
  });
});

describe('a step that throws', () => {
  const broken: Advance = (state, event) => {
    if (event.type === 'text-typed' && event.text === 'broken') throw new Error('no such state');
    return { state, effects: event.type === 'text-typed' ? [notice(event.text)] : [] };
  };

  it('ends its call, and does not throw from dispatch', () => {
    const { runner, endings, errors } = running(broken);
    expect(() => runner.dispatch(typed('broken'))).not.toThrow();
    const ending = { reason: 'internal_error', error: 'no such state' };
    expect(endings).toEqual([ending]);
    expect(runner.state.phase).toEqual({ kind: 'closed', ending });
    expect(errors).toEqual(['conversation step failed']);
  });

  it('drops the queued events', () => {
    const { runner, log, whenTold } = running(broken);
    whenTold(() => {
      for (const next of ['broken', 'after']) runner.dispatch(typed(next));
    });
    runner.dispatch(typed('first'));
    expect(log).toEqual(['notice first']);
  });

  it('has the same outcome as an effect that throws', () => {
    const { runner, endings, whenTold } = running(broken);
    whenTold(() => {
      throw new Error('no listener');
    });
    runner.dispatch(typed('first'));
    expect(endings).toEqual([{ reason: 'internal_error', error: 'no listener' }]);
  });

  it('leaves no timers', () => {
    const { runner, clock } = running((state, event) => {
      if (event.type === 'answered') return { state: openConversation(), effects: [] };
      return broken(state, event);
    });
    runner.dispatch({ type: 'answered' });
    expect(clock.pending).toBeGreaterThan(0);
    runner.dispatch(typed('broken'));
    expect(clock.pending).toBe(0);
  });
});

describe('the timers of a state', () => {
  /** Steps into open states whose silence has lasted since these times. */
  function silentSince(sinceMs: readonly (number | null)[], fired: ConversationEvent[] = []) {
    let step = 0;
    return running((state, event) => {
      if (event.type === 'timer') {
        fired.push(event);
        return { state: { ...state, silence: { ...state.silence, sinceMs: null } }, effects: [] };
      }
      const since = sinceMs[step++] ?? null;
      const open = openConversation();
      return { state: { ...open, silence: { ...open.silence, sinceMs: since } }, effects: [] };
    });
  }
  const { timeout_ms: timeoutMs } = config.speech.silence;

  it('are dispatched as events with their time when they are due', async () => {
    const fired: ConversationEvent[] = [];
    const { runner, clock } = silentSince([0], fired);
    runner.dispatch(typed('a'));
    await clock.advance(timeoutMs - 1);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual([{ type: 'timer', name: 'silence', atMs: timeoutMs }]);
  });

  it('are cancelled when the state no longer needs them', async () => {
    const fired: ConversationEvent[] = [];
    const { runner, clock } = silentSince([0, null], fired);
    runner.dispatch(typed('a'));
    runner.dispatch(typed('b'));
    await clock.advance(timeoutMs);
    expect(fired.map((event) => 'name' in event && event.name)).not.toContain('silence');
  });

  it('are rescheduled when the state changes their time', async () => {
    const fired: ConversationEvent[] = [];
    const { runner, clock } = silentSince([0, 1_000], fired);
    runner.dispatch(typed('a'));
    runner.dispatch(typed('b'));
    await clock.advance(timeoutMs);
    expect(fired).toEqual([]);
    await clock.advance(1_000);
    expect(fired).toHaveLength(1);
  });

  it('are not set again by a step that does not change them', () => {
    const { runner, clock } = silentSince([0, 0, 0]);
    runner.dispatch(typed('a'));
    const { pending } = clock;
    let set = 0;
    const setTimer = clock.setTimer.bind(clock);
    clock.setTimer = (delayMs, run) => {
      set += 1;
      return setTimer(delayMs, run);
    };
    for (const text of ['b', 'c']) runner.dispatch(typed(text));
    expect([clock.pending, set]).toEqual([pending, 0]);
  });

  it('are dispatched at once, with the current time, if they are overdue', async () => {
    const fired: ConversationEvent[] = [];
    const { runner, clock } = silentSince([0], fired);
    clock.block(timeoutMs + 500);
    runner.dispatch(typed('a'));
    await clock.advance(0);
    expect(fired).toEqual([{ type: 'timer', name: 'silence', atMs: timeoutMs + 500 }]);
  });
});
