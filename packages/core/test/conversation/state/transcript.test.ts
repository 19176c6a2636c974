import { describe, expect, it } from 'vitest';
import { emptyLedger, enter, settle } from '../../../src/conversation/state/tools/tool-ledger.ts';
import { entryMessages, transcriptMessages } from '../../../src/conversation/state/transcript.ts';
import { replied, said } from '../../support/conversation-state.ts';

const call = { id: 'call-1', name: 'lookup', arguments: '{}' };
const cutOff = replied('We are open until nine. ', { heard: 'We are open', interrupted: true });

describe('transcriptMessages', () => {
  it('contains what was said and heard, in order, without context and turns without words', () => {
    const entries = [
      said('Hello'),
      replied('Hi.'),
      said(''),
      replied('Never heard.', { heard: '' }),
      { role: 'system', text: 'The caller is a member.' } as const,
      cutOff,
    ];
    expect(transcriptMessages(entries)).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'assistant', content: 'We are open' },
    ]);
  });
});

describe('entryMessages', () => {
  it('has the words of the agent as far as they were heard, or all of them while they are spoken', () => {
    expect(entryMessages(cutOff, emptyLedger, false)).toEqual([{ role: 'assistant', content: 'We are open' }]);
    expect(entryMessages(cutOff, emptyLedger, true)).toEqual([
      { role: 'assistant', content: 'We are open until nine.' },
    ]);
  });

  it.each([
    ['a turn of the caller', said('')],
    ['a reply', replied('Never heard.', { heard: '' })],
  ])('is empty for %s without words', (_what, entry) => {
    expect(entryMessages(entry, emptyLedger, false)).toEqual([]);
  });

  it('has one output for each tool call, even of a reply without words', () => {
    const other = { ...call, id: 'call-2' };
    const ledger = settle(enter(enter(emptyLedger, call), other), 'call-1', { ok: true, result: { free: 3 } });
    expect(entryMessages(replied('', { toolCalls: [call, other] }), ledger, false)).toEqual([
      { role: 'assistant', content: '', toolCalls: [call, other] },
      { role: 'tool', toolCallId: 'call-1', content: '{"free":3}' },
      { role: 'tool', toolCallId: 'call-2', content: '{"error":"no result"}' },
    ]);
  });
});
