import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipResponse } from '../../src/message/message.ts';
import { DatagramAgent } from '../support/datagram-agent.ts';
import { hardMessages } from '../support/hard-messages.ts';
import { wire } from '../support/messages.ts';

/** The messages of RFC 4475 and RFC 5118 as files, with a table of what they shall lead to. */
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

/** Beside the status of the table. */
const alternatives: Readonly<Record<string, readonly number[]>> = {
  // An unknown method is "not implemented", one that is known but not ours "not allowed".
  'rfc4475/intmeth.dat': [501],
  'rfc4475/esc02.dat': [501],
  'rfc4475/mismatch02.dat': [400],
  // The Date of a call is nothing to us: the section allows to ignore it.
  'rfc4475/baddate.dat': [486],
  // It has a To tag, and belongs to no call of ours.
  'rfc4475/wsinv.dat': [481],
  // No registrar: there is nothing to prove who one is for.
  'rfc4475/regaut01.dat': [405],
};

/** What the agent answers to a message that it understands: its user refuses each call with 486. */
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

  describe('the messages of RFC 4475 and RFC 5118', () => {
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
  it.skip(`the messages of RFC 4475 and RFC 5118: ${table} is not there`);
}

describe('messages that are hard to read', () => {
  it.each(hardMessages)('$what', ({ text, status }) => {
    expect(finalStatus(wire(text))).toBe(status);
  });
});
