import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { analysisFacts, callFacts, durationText, mailTranscript } from '../../../src/mail/call-mail/facts.ts';
import { escapeHtml, isolated, paragraph } from '../../../src/mail/call-mail/html.ts';
import { senderOf } from '../../../src/mail/sender-of.ts';

describe('durationText', () => {
  it.each([
    [0, '0:00 min'],
    [9, '0:09 min'],
    [61, '1:01 min'],
    [3_599, '59:59 min'],
    [3_600, '1:00:00 h'],
    [36_061, '10:01:01 h'],
  ])('formats %i s as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('callFacts', () => {
  const facts = (changes: Parameters<typeof sampleCall>[0]): Record<string, string> =>
    Object.fromEntries(callFacts(sampleCall(changes)));

  it('names parties, time, duration and end', () => {
    const call = sampleCall({
      caller_phone: '+31612345678',
      assistant_phone: '+31201234567',
      agent_name: 'Anna',
      answered_at: '2026-01-01T09:05:59.000Z',
      duration_seconds: 61,
      end_reason: 'user_hangup',
    });
    expect(callFacts(call)).toEqual([
      ['Caller', '+31612345678'],
      ['Agent', 'Anna'],
      ['Number', '+31201234567'],
      ['Time', '2026-01-01 09:05 UTC'],
      ['Duration', '1:01 min'],
      ['End', 'The caller hung up'],
    ]);
  });

  it('leaves out what is not known', () => {
    expect(facts({ caller_phone: null, assistant_phone: '', agent_name: null })).toEqual({ Duration: '0:00 min' });
  });

  it('says whom an outbound call was for, and where it was transferred to', () => {
    const call = { direction: 'outbound', end_reason: 'transferred', transfer_destination: 'sip:a@b' } as const;
    expect(facts(call)).toMatchObject({ Called: '+31612345678', End: 'Transferred', 'Transferred to': 'sip:a@b' });
  });

  it('names the reason of an error', () => {
    expect(facts({ end_reason: 'llm_error' }).End).toBe('Ended with an error (llm_error)');
  });
});

describe('analysisFacts', () => {
  const facts = (result: Record<string, unknown> | null) => analysisFacts(sampleCall({ analysis_result: result }));

  it.each([
    ['follow_up_date', 'Follow up date'],
    ['followUpDate', 'Follow up date'],
    ['NAME', 'Name'],
    ['_id_', 'Id'],
    ['x'.repeat(70), `X${'x'.repeat(59)}…`],
  ])('labels %s as %s', (key, label) => {
    expect(facts({ [key]: 1 })).toEqual([[label, '1']]);
  });

  it.each([
    [true, 'Yes'],
    [false, 'No'],
    [0, '0'],
    [['a', true, 3], 'a, Yes, 3'],
    [{ city: 'Utrecht' }, '{"city":"Utrecht"}'],
    ['x'.repeat(1_001), `${'x'.repeat(1_000)}…`],
  ])('shows %j', (value, text) => {
    expect(facts({ key: value })).toEqual([['Key', text]]);
  });

  it('leaves out empty values, and shows 50 at most', () => {
    expect(facts({ a: null, b: '', c: 'x' })).toEqual([['C', 'x']]);
    expect(facts(null)).toEqual([]);
    expect(facts(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, n])))).toHaveLength(50);
  });
});

describe('mailTranscript', () => {
  const kept = (contents: readonly string[]) =>
    mailTranscript(sampleCall({ messages: contents.map((content) => ({ role: 'user', content })) }));

  it('keeps a short conversation', () => {
    expect(kept(['Hello.', 'Bye.'])).toMatchObject({
      messages: [{ content: 'Hello.' }, { content: 'Bye.' }],
      omitted: 0,
    });
  });

  it('keeps 400 messages, and counts the others', () => {
    const { messages, omitted } = kept(Array.from({ length: 410 }, () => ''));
    expect([messages.length, omitted]).toEqual([400, 10]);
  });

  it('cuts a message of more than 2,000 characters', () => {
    expect(kept(['x'.repeat(2_001)]).messages[0]?.content).toBe(`${'x'.repeat(2_000)}…`);
  });

  it('stays below 80,000 characters with the markup of each message', () => {
    const { messages, omitted } = kept(Array.from({ length: 50 }, () => 'x'.repeat(1_800)));
    expect([messages.length, omitted]).toEqual([40, 10]);
  });
});

describe('texts in HTML', () => {
  it('are escaped for elements and attributes', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    );
  });

  it('keep their lines in a paragraph with the direction of its letters', () => {
    expect(paragraph('a\n<b>', 'color:red')).toBe('<p dir="auto" style="color:red">a<br>&lt;b&gt;</p>');
    expect(isolated('<שלום>')).toBe('<bdi>&lt;שלום&gt;</bdi>');
  });
});

describe('senderOf', () => {
  it.each([[undefined], [{}]])('is null for %j, which cannot send', (mail) => {
    expect(senderOf(mail as Parameters<typeof senderOf>[0])).toBeNull();
  });
});
