import { inspect } from 'node:util';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { askHost, type MayCall, type PlannedCall, type Verdict } from '../../../src/campaigns/dialing/may-call.ts';
import { sampleLead } from '../../support/sample-records.ts';

const lead = sampleLead(1, {
  id: 'lead-1',
  campaign_id: 'campaign-1',
  phone_number: '+31612345678',
  name: 'Ann',
  variables: { city: 'Utrecht' },
  status: 'calling',
});

function ask(mayCall: MayCall | undefined): { clock: VirtualClock; logged: string[]; verdict: Promise<Verdict> } {
  const clock = new VirtualClock();
  const logged: string[] = [];
  const logger = { ...silentLogger, warn: (fields: object, message: string) => logged.push(inspect(fields), message) };
  const verdict = askHost({ mayCall, clock, logger }, 'org-1', lead);
  return { clock, logged, verdict };
}

describe('askHost', () => {
  it('allows the call if the host does not decide', async () => {
    expect(await ask(undefined).verdict).toBe('yes');
  });

  it.each([
    ['yes', true],
    ['no', false],
  ] as const)('returns %s for %s, also of a promise', async (verdict, answer) => {
    expect(await ask(() => answer).verdict).toBe(verdict);
    expect(await ask(async () => answer).verdict).toBe(verdict);
  });

  it('passes the planned call to the host', async () => {
    const asked: PlannedCall[] = [];
    await ask((planned) => {
      asked.push(planned);
      return true;
    }).verdict;
    expect(asked).toEqual([
      {
        orgId: 'org-1',
        campaignId: 'campaign-1',
        leadId: 'lead-1',
        phoneNumber: '+31612345678',
        name: 'Ann',
        variables: { city: 'Utrecht' },
      },
    ]);
  });

  it.each<[string, MayCall]>([
    [
      'throws',
      () => {
        throw new Error('the list is down');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('the list is down'))],
  ])('returns unknown when the host %s', async (_case, mayCall) => {
    const { verdict, logged } = ask(mayCall);
    expect(await verdict).toBe('unknown');
    expect(logged.join()).toMatch(/the list is down[\s\S]*mayCall failed/);
  });

  it('waits 5 s for the host, and ignores a later rejection', async () => {
    let reject: (reason: Error) => void = () => {};
    const { clock, verdict, logged } = ask(
      () =>
        new Promise((_resolve, refuse) => {
          reject = refuse;
        }),
    );
    const verdicts: Verdict[] = [];
    void verdict.then((each) => verdicts.push(each));
    await clock.advance(4_999);
    expect(verdicts).toEqual([]);
    await clock.advance(1);
    expect(verdicts).toEqual(['unknown']);
    expect(logged.join()).toContain('mayCall timed out');
    reject(new Error('too late'));
    await clock.advance(1_000);
  });
});
