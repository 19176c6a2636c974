// @vitest-environment happy-dom
import type { CallEvent } from '@va/client';
import { expect, it } from 'vitest';
import { noteOf } from '../../../src/app/pages/live/call/notes.ts';

const transfer = { destination: '+31201234567', mode: 'warm', status: 'failed' };

it.each<[string, object, string | null]>([
  ['status', { status: 'in-progress' }, 'Status: In progress'],
  ['status', { status: 'of-a-later-version' }, 'Status: of-a-later-version'],
  ['answered-by', { kind: 'machine' }, 'Answered by: machine'],
  ['language', { language: 'nl' }, 'The conversation goes on in nl.'],
  ['transfer', { ...transfer, reason: null }, 'Transfer (warm) to +31201234567: failed'],
  ['transfer', { ...transfer, reason: 'busy' }, 'Transfer (warm) to +31201234567: failed (busy)'],
  ['take-over', { status: 'ended' }, 'The call was handed back to the agent.'],
  ['budget', { scope: 'call', level: 'exceeded' }, 'Budget of the call: exceeded'],
  ['dtmf', { digit: '#' }, 'The caller pressed #'],
  ['transcript', { role: 'user', content: 'Hello' }, null],
  ['of-a-later-version', {}, null],
])('the note of a %s event with %j › is %j', (type, data, text) => {
  expect(noteOf({ id: '1', call_id: 'c', at: '', type, data } as unknown as CallEvent)).toBe(text);
});
