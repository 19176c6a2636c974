import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { messagesOfEvents } from '../../../src/calls/record/event-messages.ts';
import type { CallEvent, CallEventContent } from '../../../src/domain/calls/call-event.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { recordId, startedAt } from '../../support/sample-records.ts';

const callId = recordId('7', 1);
const otherCallId = recordId('7', 2);

let storage: Storage;

beforeEach(async () => {
  storage = memory();
  await storage.organizations.insert(orgId, organizationOf(orgId, new VirtualClock()));
});

const user = (content: string): CallEventContent => ({ type: 'transcript', data: { role: 'user', content } });
const agent = (content: string): CallEventContent => ({
  type: 'transcript',
  data: { role: 'assistant', content, interrupted: false },
});

async function store(contents: readonly CallEventContent[], id = callId, from = 1): Promise<void> {
  const events = contents.map((content, n): CallEvent => {
    const seq = from + n;
    return { id: recordId(id === callId ? 'b' : 'c', seq), call_id: id, seq, ...content, created_at: startedAt };
  });
  await storage.callEvents.insertMany(orgId, events);
}

const messages = async (): Promise<string[]> =>
  (await messagesOfEvents(storage, orgId, callId)).map(({ role, content }) => `${role}: ${content}`);

describe('messagesOfEvents', () => {
  it('returns what both sides said, in order', async () => {
    await store([agent('Hello.'), user('Is it open?'), agent('Yes.')]);
    expect(await messages()).toEqual(['assistant: Hello.', 'user: Is it open?', 'assistant: Yes.']);
  });

  it('keeps the last of several events of a turn of the agent, which has everything that was heard', async () => {
    await store([user('Hi'), agent('We are open.'), agent('We are open. Until nine.'), user('Thanks')]);
    expect(await messages()).toEqual(['user: Hi', 'assistant: We are open. Until nine.', 'user: Thanks']);
  });

  it('keeps turns of the agent apart that do not continue each other', async () => {
    await store([agent('Hello.'), agent('Are you still there?')]);
    expect(await messages()).toEqual(['assistant: Hello.', 'assistant: Are you still there?']);
  });

  it('keeps a caller who repeats the beginning of a sentence', async () => {
    await store([user('I would'), user('I would like tea')]);
    expect(await messages()).toEqual(['user: I would', 'user: I would like tea']);
  });

  it('leaves out what nobody heard, other events, and other calls', async () => {
    const status: CallEventContent = { type: 'status', data: { status: 'in-progress', end_reason: null, error: null } };
    await store([status, agent(''), user('Hi'), { type: 'dtmf', data: { digit: '1', durationMs: 80 } }]);
    await store([user('Wrong number')], otherCallId);
    expect(await messages()).toEqual(['user: Hi']);
  });

  it('reads calls of more events than one page', async () => {
    const long = Array.from({ length: 2_345 }, (_, n) => user(`Word ${n}`));
    await store(long);
    const read = await messages();
    expect([read.length, read.at(0), read.at(-1)]).toEqual([2_345, 'user: Word 0', 'user: Word 2344']);
  });

  it('is empty for a call without events', async () => {
    expect(await messages()).toEqual([]);
  });
});
