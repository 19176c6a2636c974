import type { CarrierDialRequest, LegEnd } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { CarrierOutgoingCall } from '../../../src/shared/call/outgoing-call.ts';
import { CarrierError } from '../../../src/shared/web/carrier-error.ts';
import { FakeCommands, FakeStream } from '../../support/fake-stream.ts';

function dial() {
  const clock = new VirtualClock();
  const commands = new FakeCommands();
  const stream = new FakeStream();
  let released = 0;
  const call = new CarrierOutgoingCall({
    ...{ clock, commands, logger: silentLogger },
    request: { callId: 'own', callerNumber: '+31201234567' } as CarrierDialRequest,
    refusalOf: (error) => (error instanceof CarrierError ? 'invalid-destination' : 'failed'),
    release: () => {
      released += 1;
    },
  });
  const ends: LegEnd[] = [];
  call.onEnd((end) => ends.push(end));
  const answered = call.whenAnswered().then(
    () => 'answered',
    ({ code }: { code: string }) => code,
  );
  return { clock, commands, stream, call, ends, answered, released: () => released };
}
const placed = async () => {
  const dialed = dial();
  await dialed.call.place(async () => 'c1');
  return dialed;
};
const notAnswered = (why: string, message: string): object => ({ cause: 'not-answered', why, message });

describe('an outbound call', () => {
  it('is answered when its stream opens, and ends with it', async () => {
    const { clock, call, stream, ends, answered, released } = await placed();
    expect([call.id, call.connected('c1', stream.open)]).toEqual(['c1', stream]);
    expect(await answered).toBe('answered');
    stream.end();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'remote-hangup' }]);
    expect(released()).toBe(1);
  });

  it.each([
    [new CarrierError(400, '21211', 'No such number.'), notAnswered('invalid-destination', 'No such number.')],
    [new Error('offline'), notAnswered('failed', 'offline')],
  ])('ends when the carrier refuses it: %s', async (error, end) => {
    const { call, ends, answered, released } = dial();
    await call.place(() => Promise.reject(error));
    expect([ends, await answered, released()]).toEqual([[end], 'leg_ended', 1]);
  });

  it.each([
    ['the failure of the report', 'busy', notAnswered('busy', 'Busy.')],
    ['a plain failure without one', null, notAnswered('failed', 'Busy.')],
  ] as const)('ends with %s', async (_, failure, end) => {
    const { call, ends, answered } = await placed();
    call.reported({ type: 'ended', failure, message: 'Busy.' });
    call.reported({ type: 'ended', failure: 'no-answer', message: 'Later.' });
    expect([ends, await answered]).toEqual([[end], 'leg_ended']);
  });

  it('fails and hangs up when its stream does not open within 10 s of the answer', async () => {
    const { clock, call, commands, ends } = await placed();
    call.reported({ type: 'answered' });
    await clock.advance(5_000);
    call.reported({ type: 'answered' });
    await clock.advance(4_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect([ends, commands.run]).toEqual([[notAnswered('failed', 'The media stream did not open.')], ['hang up c1']]);
  });

  it('does not wait for a stream that is open', async () => {
    const { clock, call, stream, ends } = await placed();
    call.reported({ type: 'answered' });
    call.connected('c1', stream.open);
    call.reported({ type: 'answered' });
    await clock.advance(60_000);
    expect(ends).toEqual([]);
  });

  it('takes one stream, and none after its end', async () => {
    const { call, stream } = await placed();
    call.connected('c1', stream.open);
    expect(call.connected('c1', new FakeStream().open)).toBeNull();
    const other = await placed();
    other.call.reported({ type: 'ended', failure: 'busy', message: '' });
    expect(other.call.connected('c1', stream.open)).toBeNull();
  });

  it('takes the final id of the carrier until its stream is open', async () => {
    const { call, stream } = await placed();
    call.named('c2');
    expect(call.callId).toBe('c2');
    call.connected(null, stream.open);
    call.named('c3');
    expect(call.id).toBe('c2');
  });
});

describe('hanging up an outbound call', () => {
  it('cancels it while it rings', async () => {
    const { clock, call, commands, ends } = await placed();
    call.hangup();
    call.hangup();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
    expect(commands.run).toEqual(['hang up c1']);
  });

  it('before the carrier has named its id cancels it once the id is known', async () => {
    const { call, commands, ends } = dial();
    call.hangup();
    expect([call.id, ends]).toEqual(['own', []]);
    await call.place(async () => 'c1');
    expect([commands.run, ends]).toEqual([['hang up c1'], [{ cause: 'local-hangup' }]]);
  });

  it('ends it even if the command fails', async () => {
    const { clock, call, commands, ends } = await placed();
    commands.fail = new CarrierError(500, null, 'down');
    call.hangup();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('after the answer waits until the queued audio was played', async () => {
    const { clock, call, commands, stream, ends } = await placed();
    call.connected('c1', stream.open);
    call.hangup();
    expect([commands.run, ends]).toEqual([[], []]);
    stream.played();
    await clock.advance(0);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
    expect([commands.run, stream.isClosed]).toEqual([['hang up c1'], true]);
  });

  it('ends it as a local hang-up even if the carrier reports another end first', async () => {
    const { call, ends } = dial();
    call.hangup();
    call.reported({ type: 'ended', failure: 'no-answer', message: '' });
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });
});
