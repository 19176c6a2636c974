import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { UpMessage } from '../../src/protocol/messages.ts';
import { firstMessage } from '../../src/server/first-message.ts';
import type { PageConnection, PageListener } from '../../src/server/page-connection.ts';

function setUp() {
  const clock = new VirtualClock();
  const seen: unknown[] = [];
  let listener: PageListener | null = null;
  const connection = {
    listen: (next: PageListener | null) => {
      listener = next;
    },
    fail: (code: string) => seen.push(code),
  };
  firstMessage(connection as unknown as PageConnection, clock, (message) => seen.push(message));
  return { clock, seen, listener: () => listener };
}

const hello: UpMessage = { type: 'hello', version: 1, token: 't' };
const resume: UpMessage = { type: 'resume', version: 1, secret: 's', received: 0 };

describe('the first message of a connection', () => {
  it.each([hello, resume])('is passed on: %j', async (message) => {
    const { clock, seen, listener } = setUp();
    listener()?.onMessage(message);
    expect([seen, listener(), clock.pending]).toEqual([[message], null, 0]);
  });

  it.each<[string, (listener: PageListener | null) => void, string]>([
    ['another message', (listener) => listener?.onMessage({ type: 'hang-up' }), 'invalid_message'],
    ['audio', (listener) => listener?.onAudio(0, new Uint8Array(160)), 'invalid_message'],
    ['another version', (listener) => listener?.onMessage({ ...hello, version: 2 }), 'unsupported_version'],
  ])('refuses %s', (_, send, code) => {
    const { clock, seen, listener } = setUp();
    send(listener());
    expect([seen, listener(), clock.pending]).toEqual([[null, code], null, 0]);
  });

  it('has to come within 5 s', async () => {
    const { clock, seen } = setUp();
    await clock.advance(4_999);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual([null, 'hello_timeout']);
  });

  it('is null when the page closes the connection before', async () => {
    const { clock, seen, listener } = setUp();
    listener()?.onClose(true);
    await clock.advance(10_000);
    expect(seen).toEqual([null]);
  });
});
