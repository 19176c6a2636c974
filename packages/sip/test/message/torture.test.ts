import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipResponse } from '../../src/message/message.ts';
import { DatagramAgent } from '../support/datagram-agent.ts';
import { hardMessages } from '../support/hard-messages.ts';
import { wire } from '../support/messages.ts';

/** The messages of RFC 4475 and RFC 5118 as files, with a table of the expected results. */
const folder =
  process.env.SIP_TORTURE_DIR ?? fileURLToPath(new URL('../../../../../shared/data/sip-torture', import.meta.url));
const table = join(folder, 'expected.tsv');

let agent: DatagramAgent;

beforeEach(async () => {
  agent = await DatagramAgent.open();
});
afterEach(() => agent.close());

function finalStatus(bytes: Uint8Array): number | null {
  const answers = agent.answersTo(bytes).filter((each): each is SipResponse => each.kind === 'response');
  return answers.map(({ status }) => status).find((status) => status >= 200) ?? null;
}

/** Accepted in addition to the status of the table. */
const alternatives: Readonly<Record<string, readonly number[]>> = {
  // An unknown method gets 501 Not Implemented, a known but unsupported one 405 Method Not Allowed.
  'rfc4475/intmeth.dat': [501],
  'rfc4475/esc02.dat': [501],
  'rfc4475/mismatch02.dat': [400],
  // The Date of a call is not used: the section allows ignoring it.
  'rfc4475/baddate.dat': [486],
  // It has a To tag, but belongs to no existing call.
  'rfc4475/wsinv.dat': [481],
  // The agent is not a registrar, so it asks for no credentials.
  'rfc4475/regaut01.dat': [405],
};

/** Response of the agent to a valid message: its user rejects each call with 486. */
const understood: Readonly<Record<string, number>> = {
  INVITE: 486,
  OPTIONS: 200,
  REGISTER: 405,
  MESSAGE: 405,
  BYE: 481,
};

if (existsSync(table)) {
  const rows = readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

  describe('messages of RFC 4475 and RFC 5118', () => {
    it.each(rows.filter(([file]) => file !== 'rfc4475/test.dat'))('%s (%s)', (file = '', ...cells) => {
      const [, kind, , action = ''] = cells;
      const bytes = readFileSync(join(folder, file));
      const status = finalStatus(bytes);
      const method = /^\s*(\S+)/.exec(bytes.toString('latin1'))?.[1] ?? '';
      const processed = understood[method] ?? 501;
      if (kind === 'response') expect(status).toBeNull();
      else {
        const wanted = action === 'process' ? [processed] : action === 'either' ? [processed, 400] : [Number(action)];
        expect([...wanted, ...(alternatives[file] ?? [])]).toContain(status);
      }
    });
  });
} else if (!process.env.CI) {
  it.skip(`messages of RFC 4475 and RFC 5118: ${table} is missing`);
}

describe('messages that are hard to parse', () => {
  it.each(hardMessages)('$what', ({ text, status }) => {
    expect(finalStatus(wire(text))).toBe(status);
  });
});
