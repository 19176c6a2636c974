import type { LegEnd } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { CarrierIncomingCall, type CarrierIncomingOptions } from '../../../src/shared/call/incoming-call.ts';
import { partyOf } from '../../../src/shared/call/party.ts';
import { FakeCommands, FakeStream } from '../../support/fake-stream.ts';

function ringing(changes: Partial<CarrierIncomingOptions> = {}) {
  const clock = new VirtualClock();
  const commands = new FakeCommands(true);
  const stream = new FakeStream();
  const done: string[] = [];
  const call = new CarrierIncomingCall({
    ...{ clock, commands, logger: silentLogger, callId: 'c1', decisionMs: 13_000 },
    ...{ from: partyOf('+31612345678'), to: partyOf('+31201234567') },
    dialed: {} as CarrierIncomingOptions['dialed'],
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    accept: () => void done.push('accepted'),
    refuse: (cause) => done.push(`refused: ${cause}`),
    release: () => done.push('released'),
    ...changes,
  });
  const ends: LegEnd[] = [];
  call.onEnd((end) => ends.push(end));
  return { clock, commands, stream, call, ends, done };
}
const codeOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'answered',
    ({ code }: { code: string }) => code,
  );

describe('an inbound call', () => {
  it('is answered when its stream opens', async () => {
    const { clock, call, stream, done } = ringing();
    const answer = codeOf(call.answer());
    expect([done, call.connected(null, stream.open)]).toEqual([['accepted'], stream]);
    expect(await answer).toBe('answered');
    await clock.advance(60_000);
    expect(call.isOver).toBe(false);
    expect(call.answer()).toBe(call.answer());
  });

  it('takes no stream before it is answered, and no second one', () => {
    const { call, stream } = ringing();
    expect(call.connected(null, stream.open)).toBeNull();
    void call.answer();
    call.connected(null, stream.open);
    expect(call.connected(null, new FakeStream().open)).toBeNull();
  });

  it('is refused as overloaded when no agent decides in time', async () => {
    const { clock, ends, done } = ringing();
    await clock.advance(12_999);
    expect(done).toEqual([]);
    await clock.advance(1);
    expect([done, ends]).toEqual([['refused: overloaded', 'released'], [{ cause: 'local-hangup' }]]);
  });

  it('is canceled when its stream does not open within 10 s of the answer', async () => {
    const { clock, call, ends } = ringing();
    const answer = codeOf(call.answer());
    await clock.advance(10_000);
    expect([ends, await answer]).toEqual([[{ cause: 'canceled' }], 'leg_ended']);
  });

  it('ends with the error when the carrier cannot accept it', async () => {
    const { call, ends } = ringing({ accept: () => Promise.reject(new Error('down')) });
    expect(await codeOf(call.answer())).toBe('leg_ended');
    expect(ends).toEqual([{ cause: 'transport-error', message: 'down' }]);
  });

  it.each<[string, (call: CarrierIncomingCall) => void, string[], LegEnd]>([
    ['rejected', (call) => call.reject('busy'), ['refused: busy', 'released'], { cause: 'local-hangup' }],
    ['hung up', (call) => call.hangup(), ['refused: declined', 'released'], { cause: 'local-hangup' }],
    ['abandoned', (call) => call.abandoned(), ['refused: declined', 'released'], { cause: 'canceled' }],
    ['ended by the carrier', (call) => call.endedByCarrier(), ['released'], { cause: 'canceled' }],
  ])('that is %s before the answer cannot be answered any more', async (_, act, expected, end) => {
    const { clock, call, ends, done } = ringing();
    act(call);
    act(call);
    expect([done, ends, await codeOf(call.answer())]).toEqual([expected, [end], 'leg_ended']);
    expect(clock.pending).toBe(0);
  });

  it('is not abandoned after it was accepted', () => {
    const { call, ends } = ringing();
    void call.answer();
    call.abandoned();
    expect(ends).toEqual([]);
  });

  it('reports its end to a listener that is added later', () => {
    const { call } = ringing();
    call.reject('declined');
    const late: LegEnd[] = [];
    call.onEnd((end) => late.push(end));
    expect(late).toEqual([{ cause: 'local-hangup' }]);
  });
});

describe('an answered call', () => {
  function answered() {
    const started = ringing();
    void started.call.answer();
    started.call.connected(null, started.stream.open);
    return started;
  }
  const request = { mode: 'blind', destination: '+31207654321', keysOnAnswer: null, summary: null } as const;
  const transfer = (stream: FakeStream, changes: object = {}) =>
    stream.settings?.transfer({ ...request, signal: new AbortController().signal, ...changes });

  it('that outlives its stream is hung up when the stream ends', async () => {
    const { clock, commands, stream, ends } = answered();
    stream.end();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'remote-hangup' }]);
    expect(commands.run).toEqual(['hang up c1']);
  });

  it('needs no command when the carrier ended it', async () => {
    const { clock, call, commands, ends } = answered();
    call.endedByCarrier();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'remote-hangup' }]);
    expect(commands.run).toEqual([]);
  });

  it('is transferred with the called number as caller id, and stays connected afterwards', async () => {
    const { clock, call, commands, stream, ends } = answered();
    expect(await transfer(stream)).toEqual({ type: 'accepted' });
    call.hangup();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
    expect(commands.run).toEqual(['transfer c1 to +31207654321 from +31201234567']);
  });

  it('continues when its transfer is refused, and is hung up later', async () => {
    const { clock, call, commands, stream } = answered();
    commands.refusal = 'busy';
    expect(await transfer(stream)).toEqual({ type: 'refused', reason: 'busy' });
    call.hangup();
    stream.played();
    await clock.advance(0);
    expect(commands.run.at(-1)).toBe('hang up c1');
  });

  it.each([
    ['warm', { mode: 'warm' }, 'A warm transfer needs transfer_trunk_id of the number.'],
    ['aborted', { signal: AbortSignal.abort() }, 'The transfer was aborted.'],
  ])('does not ask the carrier for a transfer that is %s', async (_, changes, message) => {
    const { commands, stream } = answered();
    expect(await transfer(stream, changes)).toEqual({ type: 'failed', message });
    expect(commands.run).toEqual([]);
  });
});
