import { ScriptedOutgoingCall, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { TrunkBook } from '../../src/deployment/trunk-book.ts';
import { TrunkReports } from '../../src/deployment/trunk-reports.ts';
import { type TrunkFacts, unknownTrunkFacts } from '../../src/domain/numbers/trunk-health.ts';
import type { Cluster, NodeTrunkFacts } from '../../src/ports/cluster.ts';
import type { DialRequest, LegEnd } from '../../src/ports/telephony.ts';

const trunk = { id: 'trunk', address: 'sip.example.com', transport: 'udp', credentials: null } as const;
const request: DialRequest = { callId: 'call', destination: '+31201234567', callerNumber: '+31201234568', trunk };
const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

function dialed(book: TrunkBook, id = 'trunk'): { call: ScriptedOutgoingCall; ends: LegEnd[] } {
  const call = new ScriptedOutgoingCall('call', request);
  const ends: LegEnd[] = [];
  book.watch(id, call).onEnd((end) => ends.push(end));
  return { call, ends };
}

describe('what a process knows of its trunks', () => {
  it('has the last answer and the last failure of the trunk, but not of the called person', async () => {
    const clock = new VirtualClock();
    const book = new TrunkBook(clock, []);
    const { call, ends } = dialed(book);
    call.pickUp();
    await clock.advance(1_000);
    expect(book.facts().get('trunk')).toEqual({ ...unknownTrunkFacts, last_answer_at: '2026-01-01T09:00:00.000Z' });
    dialed(book).call.refuse('busy');
    dialed(book).call.refuse('failed', `503 ${'x'.repeat(300)}`);
    const facts = book.facts().get('trunk');
    expect(facts?.last_failure?.at).toBe('2026-01-01T09:00:01.000Z');
    expect(facts?.last_failure?.reason).toHaveLength(200);
    call.hangup();
    expect(ends).toHaveLength(1);
  });

  it('combines calls with what the adapters find out, and forgets the oldest of a thousand trunks', () => {
    const trunkSigns = new Map([['trunk', { state: 'reachable', round_trip_ms: 7 } as Partial<TrunkFacts>]]);
    const book = new TrunkBook(new VirtualClock(), [{ trunkSigns }, {}]);
    book.failed('trunk', 'no route');
    expect(book.facts().get('trunk')).toMatchObject({
      ...{ state: 'reachable', round_trip_ms: 7 },
      last_failure: { reason: 'no route' },
    });
    for (let at = 0; at < 1_000; at += 1) book.failed(`trunk ${at}`, 'no route');
    expect(book.facts().get('trunk')?.last_failure).toBeNull();
    expect(book.facts().size).toBe(1_000);
  });
});

describe('what the nodes know together', () => {
  const facts = { ...unknownTrunkFacts, state: 'reachable' } as const;

  function reports(changes: { isAlone?: boolean; known?: NodeTrunkFacts[] } = {}) {
    const written: Readonly<Record<string, TrunkFacts>>[] = [];
    const clock = new VirtualClock();
    const book = new Map<string, TrunkFacts>();
    const cluster = {
      publishTrunks: async (_node: string, published: Readonly<Record<string, TrunkFacts>>) =>
        void written.push(published),
      trunkFacts: async () => changes.known ?? [],
    } as Partial<Cluster> as Cluster;
    const all = new TrunkReports({
      ...{ cluster, clock, logger: silent, book: { facts: () => book } },
      nodeId: () => 'here',
      isAlone: () => changes.isAlone ?? false,
    });
    all.start();
    return { all, book, clock, written };
  }

  it('is published every 15 s if it has changed, once for all trunks', async () => {
    const { all, book, clock, written } = reports();
    await clock.advance(60_000);
    expect(written).toEqual([]);
    for (const id of ['a', 'b', 'c']) book.set(id, facts);
    await clock.advance(60_000);
    expect(written).toEqual([{ a: facts, b: facts, c: facts }]);
    book.delete('a');
    await clock.advance(15_000);
    expect(written).toHaveLength(2);
    await all.stop();
    book.clear();
    await clock.advance(60_000);
    expect(written).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('is neither published nor read by a process that is alone', async () => {
    const { all, book, clock, written } = reports({
      isAlone: true,
      known: [{ nodeId: 'there', trunkId: 'a', facts }],
    });
    book.set('a', facts);
    await clock.advance(60_000);
    expect(written).toEqual([]);
    expect(await all.of(['a', 'b'])).toEqual([{ nodeId: 'here', trunkId: 'a', facts }]);
    await all.stop();
  });

  it('has the present facts of this process, and the published ones of others', async () => {
    const older = { ...facts, state: 'unreachable' } as const;
    const known = ['here', 'there'].map((nodeId) => ({ nodeId, trunkId: 'a', facts: older }));
    const { all, book } = reports({ known });
    book.set('a', facts);
    expect(await all.of(['a'])).toEqual([
      { nodeId: 'here', trunkId: 'a', facts },
      { nodeId: 'there', trunkId: 'a', facts: older },
    ]);
    await all.stop();
  });
});
