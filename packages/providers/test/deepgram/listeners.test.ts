import type { SttEvent } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { FluxListener } from '../../src/deepgram/flux-listener.ts';
import { NovaListener } from '../../src/deepgram/nova-listener.ts';
import type { ListenerHost } from '../../src/deepgram/stream.ts';
import { named } from '../recognition.ts';

function setUp(settings: object = {}) {
  const clock = new VirtualClock();
  const events: SttEvent[] = [];
  const controls: string[] = [];
  let settledCount = 0;
  const connection = { control: ({ type }: { type: string }) => void controls.push(type) };
  const state = { isConnected: true };
  const host = {
    clock,
    logger: silentLogger,
    emit: (event: SttEvent) => void events.push(event),
    connection: {
      get current() {
        return state.isConnected ? connection : undefined;
      },
      succeeded: () => undefined,
      settled: () => {
        settledCount++;
      },
    },
  } as unknown as ListenerHost;
  const target = {
    id: 'deepgram',
    apiKey: 'key',
    model: 'nova-3',
    settings,
    updatesKeyterms: true,
    ...settings,
  } as never;
  const take = () => named(events.splice(0));
  return { clock, host, target, connection: connection as never, controls, state, take, settled: () => settledCount };
}

const results = (transcript: string, flags: object = {}) => ({
  type: 'Results',
  channel: { alternatives: [{ transcript }] },
  is_final: false,
  ...flags,
});
const final = { is_final: true };
const finalized = { is_final: true, from_finalize: true };

describe('NovaListener', () => {
  function nova() {
    const set = setUp();
    return { ...set, listener: new NovaListener(set.host, set.target, []) };
  }

  it('reports each partial once, and words that are final without a request', () => {
    const { listener, take, settled } = nova();
    for (const text of ['', 'a', 'a', 'a table']) listener.received(results(text));
    listener.received(results('a table', final));
    listener.received(results('', final));
    expect(take()).toEqual(['partial a', 'partial a table', 'final a table']);
    expect(settled()).toBe(2);
  });

  it('responds to each finalize', () => {
    const { clock, listener, controls, take } = nova();
    listener.finalize();
    listener.finalize();
    listener.received(results('yes', finalized));
    listener.received(results('', finalized));
    expect(take()).toEqual(['final yes', 'finalized', 'finalized']);
    expect(controls).toEqual(['Finalize', 'Finalize']);
    expect(clock.pending).toBe(0);
  });

  it('does not take a final from before the finalize as its response', () => {
    const { listener, take } = nova();
    listener.finalize();
    listener.received(results('a table', final));
    listener.received(results('for two', finalized));
    expect(take()).toEqual(['final a table', 'final for two', 'finalized']);
  });

  it('ignores a response that comes after the timeout, except its words', async () => {
    const { clock, listener, take } = nova();
    listener.received(results('yes'));
    listener.finalize();
    await clock.advance(1_000);
    expect(take()).toEqual(['partial yes', 'final yes', 'finalized']);
    listener.received(results('', finalized));
    expect(take()).toEqual([]);
  });

  it('sends the finalize on the next connection if there is none', async () => {
    const { clock, listener, connection, controls, state, take } = nova();
    state.isConnected = false;
    listener.finalize();
    await clock.advance(5_000);
    expect(take()).toEqual([]);
    listener.opened(connection);
    expect(controls).toEqual(['Finalize']);
    await clock.advance(1_000);
    expect(take()).toEqual(['finalized']);
  });

  it.each([{}, 'text', null, { type: 'Metadata' }, { type: 'Error', description: 'no' }])('ignores %j', (message) => {
    const { listener, take } = nova();
    listener.received(message);
    expect(take()).toEqual([]);
  });
});

describe('FluxListener', () => {
  function flux(settings: object = {}) {
    const set = setUp(settings);
    const listener = new FluxListener(set.host, set.target, []);
    const receive = (event: string, turn_index: number, transcript = '') =>
      listener.received({ type: 'TurnInfo', event, turn_index, transcript });
    return { ...set, listener, receive };
  }

  it('reports a turn with a probable end and its continuation', () => {
    const { clock, receive, take } = flux();
    receive('StartOfTurn', 0);
    receive('Update', 0, 'a table');
    receive('EagerEndOfTurn', 0, 'a table');
    receive('EagerEndOfTurn', 0, 'a table');
    receive('TurnResumed', 0, 'a table');
    receive('EndOfTurn', 0, 'a table for two');
    expect(take()).toEqual([
      'turn-started',
      'partial a table',
      'turn-ending',
      'turn-resumed',
      'final a table for two',
      'turn-ended',
    ]);
    expect(clock.pending).toBe(0);
  });

  it('ends a turn without words', () => {
    const { receive, take } = flux();
    receive('StartOfTurn', 0);
    receive('EndOfTurn', 0);
    expect(take()).toEqual(['turn-started', 'turn-ended']);
  });

  it('ignores late messages about a turn that has ended', () => {
    const { receive, take } = flux();
    receive('StartOfTurn', 3, 'yes');
    receive('EndOfTurn', 3, 'yes');
    take();
    receive('Update', 3, 'yes please');
    receive('Update', 4, '');
    expect(take()).toEqual([]);
  });

  it('reports a turn once when it is transcribed again on another connection', () => {
    const { listener, receive, take } = flux();
    receive('StartOfTurn', 7, 'a table');
    receive('EagerEndOfTurn', 7, 'a table');
    listener.opened();
    receive('StartOfTurn', 0, 'a');
    receive('EndOfTurn', 0, 'a table');
    expect(take()).toEqual([
      'turn-started',
      'partial a table',
      'turn-ending',
      'turn-resumed',
      'partial a',
      'final a table',
      'turn-ended',
    ]);
  });

  it('ends a turn with the words so far 2 s after the time limit of the service', async () => {
    const { clock, receive, take } = flux({ eot_timeout_ms: 3_000 });
    receive('StartOfTurn', 0, 'yes');
    await clock.advance(4_999);
    expect(take()).toEqual(['turn-started', 'partial yes']);
    await clock.advance(1);
    expect(take()).toEqual(['final yes', 'turn-ended']);
  });

  it('asks the service to end the turn first, if the account may', async () => {
    const { clock, controls, receive, take } = flux({ forcesEndOfTurn: true });
    receive('StartOfTurn', 0, 'yes');
    await clock.advance(7_000);
    expect(controls).toEqual(['ForceEndTurn']);
    take();
    await clock.advance(1_000);
    expect(take()).toEqual(['final yes', 'turn-ended']);
  });
});
