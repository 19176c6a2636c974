import { describe, expect, it } from 'vitest';
import { Conversation } from '../../src/realtime/conversation.ts';
import { heardPart, SpokenItems } from '../../src/realtime/spoken-items.ts';

function setUp() {
  const conversation = new Conversation([]);
  return { conversation, items: new SpokenItems(conversation, 2) };
}

describe('SpokenItems', () => {
  it('adds an item to the conversation when it is first passed to the pipeline', () => {
    const { conversation, items } = setUp();
    items.added('a', undefined);
    expect(conversation.entries).toEqual([]);
    const item = items.pass('a', undefined);
    expect(items.pass('a', undefined)).toBe(item);
    expect(conversation.entries).toHaveLength(1);
  });

  it('returns the withheld items of a response, once', () => {
    const { items } = setUp();
    items.added('a', undefined);
    items.added('b', undefined);
    items.added('c', 'call-1');
    items.added('d', 'call-2');
    items.pass('a', undefined);
    items.passCall('call-1', undefined);
    expect(items.takeWithheld()).toEqual(['b', 'd']);
    expect(items.takeWithheld()).toEqual([]);
  });

  it('forgets an item only if the pipeline has read nothing of it', () => {
    const { items } = setUp();
    const entry = items.pass('a', undefined).entry;
    items.pass('b', undefined);
    entry.text = 'Good';
    items.read('b');
    expect(items.forget('a')).toBe(true);
    expect(entry.text).toBe('');
    expect(items.forget('b')).toBe(false);
    expect(items.forget('unknown')).toBe(false);
  });

  it('keeps the newest 50 items', () => {
    const { items } = setUp();
    for (let at = 0; at < 51; at++) items.pass(`${at}`, undefined);
    expect(items.get('0')).toBeUndefined();
    expect(items.get('1')).toBeDefined();
    expect(items.get('50')).toBeDefined();
  });
});

it.each([
  ['One two three four', 0, ''],
  ['One two three four', 0.24, ''],
  ['One two three four', 0.5, 'One two'],
  ['One two three four', 0.99, 'One two three'],
  ['One two three four', 1, 'One two three four'],
  ['  One\ntwo', 0.5, '  One'],
  ['', 1, ''],
])('heardPart of %j with the share %s is %j', (text, share, expected) => {
  expect(heardPart(text, share)).toBe(expected);
});
