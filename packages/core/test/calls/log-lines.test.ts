import { inspect } from 'node:util';
import { calling, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/errors.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

interface Line {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that keeps every line before redaction. */
function keeping(lines: Line[], bindings: Record<string, unknown> = {}): Logger {
  const log = (fields: Record<string, unknown>, message: string): void => {
    lines.push({ message, fields: { ...bindings, ...fields } });
  };
  const child = (more: Record<string, unknown>): Logger => keeping(lines, { ...bindings, ...more });
  return { debug: log, info: log, warn: log, error: log, child };
}

const { keep } = phoneCalls();
const secret = 'whsec_cGxhbnRlZC1zZWNyZXQtdGhhdC1ub2JvZHktcmVhZHM=';
let lines: Line[] = [];

afterEach(() => {
  lines = [];
});

/** A call in which a provider, a tool, the customer's server, the recording and the recognizer fail. */
async function troubledCall(): Promise<PhoneCall> {
  const lost = new ProviderError('scripted', 'unavailable', 'it is lost');
  const stt = scriptedStt({ turns: ['is it there', 'and now'] });
  const call = keep(
    new PhoneCall({
      stt,
      llm: scriptedLlm([calling('lookup'), [lost], saying('It is.')]),
      recordings: {
        create: () => Promise.reject(new Error('disk full')),
        open: async () => null,
        delete: async () => false,
      },
      service: { logger: keeping(lines) },
    }),
  );
  Object.assign(call.webhooks, { request: () => Promise.reject(new Error('the dispatcher rejected')) });
  await call.prepare({
    webhook_secret: secret,
    recording_enabled: true,
    llm_config: {
      provider: 'scripted',
      messages: [],
      tools: [{ type: 'function', name: 'lookup' }],
      fallbacks: [{ provider: 'scripted' }],
    },
  });
  lines.length = 0;
  await call.dial();
  await call.speak(400);
  await call.quiet(3_000);
  stt.streams[0]?.fail(new ProviderError('scripted', 'connection', 'it hung up'));
  await call.quiet(500);
  call.incoming.leave();
  await call.quiet(1_000);
  return call;
}

describe('log lines of a call', () => {
  it('all have its callId', async () => {
    const call = await troubledCall();
    const id = (await call.stored()).id;
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter(({ fields }) => fields.callId !== id)).toEqual([]);
  });

  it('contain no secret', async () => {
    await troubledCall();
    expect(lines.length).toBeGreaterThan(4);
    expect(inspect(lines, { depth: 12 })).not.toContain(secret.slice(6, 30));
  });
});
