import type { LegEnd } from '@va/core/adapter';
import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/shared/call/call-commands.ts';
import { CarrierCallEnd } from '../../../src/shared/call/call-end.ts';
import { sipFailure } from '../../../src/shared/call/sip-failure.ts';
import { CarrierError } from '../../../src/shared/web/carrier-error.ts';
import { RecentIds } from '../../../src/shared/web/recent-ids.ts';

describe('run', () => {
  it.each([
    ['null for a command that succeeds', null, null],
    ['that the call is over for a status 404', new CarrierError(404, null, 'gone'), 'The call is over.'],
    ['the message of another refusal', new CarrierError(500, null, 'down'), 'down'],
    ['the message of another error', new Error('offline'), 'offline'],
  ])('resolves to %s', async (_, error, message) => {
    const command = async (): Promise<void> => {
      if (error !== null) throw error;
    };
    expect(await run('c1', command, silentLogger)).toBe(message);
  });
});

describe('the end of a call', () => {
  const first: LegEnd = { cause: 'remote-hangup' };

  it('is the first one that is set', () => {
    const end = new CarrierCallEnd();
    const seen: LegEnd[] = [];
    end.onEnd((each) => seen.push(each));
    expect([end.isOver, end.set(first), end.set({ cause: 'canceled' }), end.isOver]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    end.report();
    end.report();
    expect(seen).toEqual([first]);
  });

  it('is reported to a listener that is added later', () => {
    const end = new CarrierCallEnd();
    end.set(first);
    end.report();
    const seen: LegEnd[] = [];
    end.onEnd((each) => seen.push(each));
    expect(seen).toEqual([first]);
  });
});

it.each([
  [404, 'invalid-destination'],
  [486, 'busy'],
  [600, 'busy'],
  [603, 'declined'],
  [480, 'no-answer'],
  [500, 'failed'],
  [0, 'failed'],
])('sipFailure › of %i is %s', (status, failure) => {
  expect(sipFailure(status)).toBe(failure);
});

it('recent ids › forget the oldest of more than 1,024', () => {
  const ids = new RecentIds();
  for (let n = 0; n < 1_024; n++) expect(ids.add(`id ${n}`)).toBe(true);
  expect(ids.add('id 0')).toBe(false);
  ids.add('id 1024');
  expect([ids.add('id 1'), ids.add('id 0')]).toEqual([false, true]);
});
