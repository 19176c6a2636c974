import { silentLogger } from '@va/testkit';
import { expect, it } from 'vitest';
import { CallEventLog } from '../../../src/calls/record/call-event-log.ts';
import { systemRandom } from '../../../src/ids.ts';
import { orgId, testOperations, unknownId } from '../../operations/support.ts';

it('the event log of a call stores answered-by, and no notices that are meant for listeners only', async () => {
  const { storage, clock } = testOperations();
  await storage.start();
  let stored = 0;
  const log = new CallEventLog({ storage, clock, random: systemRandom, logger: silentLogger }, orgId, unknownId, () => {
    stored += 1;
  });
  log.addNotice({ type: 'user-speaking' });
  log.addNotice({ type: 'answered-by', kind: 'voicemail' });
  log.addNotice({ type: 'interrupted' });
  await log.settled();
  const events = await storage.callEvents.list(orgId, { where: { call_id: unknownId }, limit: 10 });
  expect(events.map(({ seq, type, data }) => ({ seq, type, data }))).toEqual([
    { seq: 1, type: 'answered-by', data: { kind: 'voicemail' } },
  ]);
  expect(stored).toBe(1);
});

it('the event log of a call stores the part of an interrupted reply that was not heard', async () => {
  const { storage, clock } = testOperations();
  await storage.start();
  const log = new CallEventLog(
    { storage, clock, random: systemRandom, logger: silentLogger },
    orgId,
    unknownId,
    () => {},
  );
  log.addNotice({ type: 'agent-spoke', full: 'One at eight.', heard: 'One at', interrupted: true });
  log.addNotice({ type: 'agent-spoke', full: 'One at nine.', heard: 'One at nine.', interrupted: false });
  await log.settled();
  const events = await storage.callEvents.list(orgId, { where: { call_id: unknownId }, limit: 10 });
  expect(events.map(({ data }) => data)).toEqual([
    { role: 'assistant', content: 'One at', interrupted: true, unheard: 'eight.' },
    { role: 'assistant', content: 'One at nine.', interrupted: false },
  ]);
});
