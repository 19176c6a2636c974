import type { LegEnd, TransferRequest } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { StreamedCall } from '../../../src/shared/call/streamed-call.ts';
import { CarrierError } from '../../../src/shared/web/carrier-error.ts';
import { FakeCommands, FakeStream } from '../../support/fake-stream.ts';

function streaming(commands: FakeCommands = new FakeCommands(true)) {
  const clock = new VirtualClock();
  const stream = new FakeStream();
  const done: string[] = [];
  const context = { commands, clock, logger: silentLogger };
  const onEnd = (): void => void done.push('stream ended');
  const call = new StreamedCall('c1', '+31201234567', context, { open: stream.open, onEnd });
  const transfer = (changes: Partial<TransferRequest> = {}) => {
    const signal = new AbortController().signal;
    const request = { destination: '+31207654321', mode: 'blind', signal, ...changes } as TransferRequest;
    return stream.settings?.transfer(request);
  };
  return { clock, commands, stream, call, done, transfer };
}

/** Commands that can press keys; null stands for keys that the carrier does not support. */
class PressingCommands extends FakeCommands {
  pressing: Promise<void> | null = Promise.resolve();
  press(callId: string, keys: string, toneMs: number): Promise<void> | null {
    this.run.push(`press ${keys} of ${callId} for ${toneMs} ms`);
    return this.pressing;
  }
}

describe('the end of the stream', () => {
  it('hangs up a call that outlives it', async () => {
    const { clock, commands, stream, done } = streaming();
    stream.end();
    await clock.advance(0);
    expect([commands.run, done]).toEqual([['hang up c1'], ['stream ended']]);
  });

  it('is the end of a call that does not outlive it', async () => {
    const { clock, commands, stream, done } = streaming(new FakeCommands(false));
    stream.end();
    await clock.advance(0);
    expect([commands.run, done]).toEqual([[], ['stream ended']]);
  });

  it('is reported although the command to hang up fails', async () => {
    const { clock, commands, stream, done } = streaming();
    commands.fail = new CarrierError(500, null, 'down');
    stream.end();
    await clock.advance(0);
    expect(done).toEqual(['stream ended']);
  });

  it('does not hang up a call that the carrier ended', async () => {
    const { clock, commands, stream, call, done } = streaming();
    call.endedByCarrier();
    await clock.advance(0);
    expect([stream.isClosed, commands.run, done]).toEqual([true, [], ['stream ended']]);
  });

  it('does not hang up a far end that was transferred', async () => {
    const { clock, commands, stream, done, transfer } = streaming();
    expect(await transfer()).toEqual({ type: 'accepted' });
    stream.end();
    await clock.advance(0);
    expect(commands.run).toEqual(['transfer c1 to +31207654321 from +31201234567']);
    expect(done).toEqual(['stream ended']);
  });

  it('is reported after the outcome of a transfer that runs', async () => {
    const { clock, stream, done, transfer } = streaming();
    const transferring = transfer()?.then(({ type }) => done.push(`transfer ${type}`));
    stream.end();
    await transferring;
    await clock.advance(0);
    expect(done).toEqual(['transfer accepted', 'stream ended']);
  });
});

describe('hanging up', () => {
  it('waits until the queued audio was played', async () => {
    const { clock, commands, stream, call } = streaming();
    const ends: LegEnd[] = [];
    void call.hangUp((end) => ends.push(end));
    await clock.advance(0);
    expect([commands.run, ends]).toEqual([[], []]);
    stream.played();
    await clock.advance(0);
    expect([commands.run, ends]).toEqual([['hang up c1'], [{ cause: 'local-hangup' }]]);
  });

  it('leaves a transferred far end connected', async () => {
    const { commands, call, transfer } = streaming();
    await transfer();
    const ends: LegEnd[] = [];
    await call.hangUp((end) => ends.push(end));
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
    expect(commands.run).not.toContain('hang up c1');
  });

  it('ends a far end whose transfer was refused', async () => {
    const { clock, commands, stream, call, transfer } = streaming();
    commands.refusal = 'busy';
    expect(await transfer()).toEqual({ type: 'refused', reason: 'busy' });
    void call.hangUp(() => {});
    stream.played();
    await clock.advance(0);
    expect(commands.run.at(-1)).toBe('hang up c1');
  });
});

describe('a transfer', () => {
  it('that is warm fails, and sends no command', async () => {
    const { commands, transfer } = streaming();
    expect(await transfer({ mode: 'warm' })).toMatchObject({ type: 'failed' });
    expect(commands.run).toEqual([]);
  });

  it('that was aborted before fails, and sends no command', async () => {
    const { commands, transfer } = streaming();
    expect(await transfer({ signal: AbortSignal.abort() })).toMatchObject({ type: 'failed' });
    expect(commands.run).toEqual([]);
  });

  it.each([
    [new CarrierError(404, null, 'gone'), 'The call is over.'],
    [new CarrierError(422, '1', 'No.'), 'No.'],
    [new Error('offline'), 'offline'],
  ])('fails with the message of %s', async (error, message) => {
    const { commands, transfer } = streaming();
    commands.fail = error;
    expect(await transfer()).toEqual({ type: 'failed', message });
  });
});

describe('DTMF', () => {
  it('is absent without a command of the carrier', () => {
    expect(streaming().stream.settings?.press).toBeUndefined();
  });

  it('is sent by the command', () => {
    const { commands, stream } = streaming(new PressingCommands());
    expect(stream.settings?.press?.('1#', 130)).toBe(true);
    expect(commands.run).toEqual(['press 1# of c1 for 130 ms']);
  });

  it('is not sent by the command if the carrier does not support the keys', () => {
    const commands = new PressingCommands();
    commands.pressing = null;
    expect(streaming(commands).stream.settings?.press?.('A', 130)).toBe(false);
  });

  it('that fails is lost without an error', async () => {
    const commands = new PressingCommands();
    commands.pressing = Promise.reject(new Error('offline'));
    expect(streaming(commands).stream.settings?.press?.('1', 130)).toBe(true);
    await expect(commands.pressing).rejects.toThrow('offline');
  });
});
