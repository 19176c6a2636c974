import { parseRtp } from '@va/media';
import { describe, expect, it } from 'vitest';
import { readEnvelope } from '../../src/message/envelope.ts';
import { parseNameAddrs } from '../../src/message/name-addr.ts';
import { parseMessage } from '../../src/message/parse.ts';
import { serializeMessage } from '../../src/message/serialize.ts';
import { decodeUser, parseUri } from '../../src/message/uri.ts';
import { agree } from '../../src/sdp/agreement.ts';
import { parseSessionDescription } from '../../src/sdp/session-description.ts';
import { writeAnswer } from '../../src/sdp/write.ts';
import { StreamFramer } from '../../src/transport/stream-framer.ts';
import { DatagramAgent } from '../support/datagram-agent.ts';
import { hardMessages } from '../support/hard-messages.ts';
import { offerText, requestText, wire } from '../support/messages.ts';

// An assertion takes longer than the parsing of a message: in loops, only a violation makes one.

/** A seeded generator, so that each run uses the same mutations. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const morsels = [
  '\r\n',
  '"',
  '<',
  '>',
  ';',
  ',',
  ':',
  '@',
  '%',
  '\0',
  '\\',
  '=',
  ' ',
  'é',
  '[',
  ']',
  '-1',
  '4294967296',
];

function mutate(source: Uint8Array, below: (limit: number) => number): Uint8Array {
  let bytes = Buffer.from(source);
  for (let count = 1 + below(4); count > 0; count--) {
    const at = below(bytes.length + 1);
    const kind = below(4);
    if (kind === 0 && at < bytes.length) bytes[at] = below(256);
    else if (kind === 1) bytes = bytes.subarray(0, at);
    else if (kind === 2) {
      const from = below(bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, from + below(40)), bytes.subarray(at)]);
    } else {
      const morsel = Buffer.from(morsels[below(morsels.length)] ?? '');
      bytes = Buffer.concat([bytes.subarray(0, at), morsel, bytes.subarray(at)]);
    }
  }
  return bytes;
}

describe('mutated input', () => {
  it('of SIP messages is parsed or rejected, 100,000 times, and parsed messages can be serialized', () => {
    const below = seeded(1);
    const source = wire(requestText({ sdp: offerText, headers: ['Route: <sip:a;lr>, "b" <sip:c@d>'] }));
    let accepted = 0;
    const kinds = new Set<string>();
    for (let i = 0; i < 100_000; i++) {
      const bytes = mutate(source, below);
      const result = parseMessage(bytes);
      for (const item of new StreamFramer().push(bytes)) kinds.add(item.kind);
      if (!result.ok) continue;
      const { message } = result;
      if (typeof readEnvelope(message) !== 'string') accepted += 1;
      parseNameAddrs([...message.headers.all('Contact'), ...message.headers.all('Route')]);
      if (message.kind === 'request') {
        const uri = parseUri(message.uri);
        if (uri !== null) decodeUser(uri);
      }
      if (!parseMessage(serializeMessage(message)).ok)
        throw new Error(`not serialized as parsed: ${Buffer.from(bytes)}`);
    }
    for (const kind of kinds) expect(['message', 'fault', 'ping']).toContain(kind);
    expect(accepted).toBeGreaterThan(10_000);
    expect(accepted).toBeLessThan(100_000);
  });

  it('of every hard message is handled by a whole agent, 100,000 times, and leaves nothing behind', async () => {
    const below = seeded(4);
    const agent = await DatagramAgent.open();
    const statuses = new Set<number>();
    for (let i = 0; i < 100_000; i++) {
      const text = hardMessages[below(hardMessages.length)]?.text ?? '';
      const source = wire(text.replaceAll('call-1', `call-${i}`));
      for (const answer of agent.answersTo(mutate(source, below))) {
        if (answer.kind === 'response') statuses.add(answer.status);
      }
      // All state has expired after the longest timer.
      if (i % 2_000 === 1_999) {
        await agent.clock.advance(32_000);
        expect(agent.clock.pending).toBe(0);
      }
    }
    expect(agent.invites).toBeGreaterThan(1_000);
    for (const status of [200, 400, 405, 415, 416, 420, 481, 486, 501, 505]) expect(statuses).toContain(status);
    await agent.close();
  });

  it('of a stream never makes it buffer more than one message of the maximum size', () => {
    const below = seeded(5);
    const framer = new StreamFramer();
    const source = wire(requestText({ sdp: offerText }));
    for (let i = 0; i < 20_000; i++) {
      const chunk = mutate(source, below);
      const items = framer.push(chunk);
      const most = items.some(({ kind }) => kind === 'fault') ? 0 : 32_768 + 65_536 + 4 + chunk.length;
      if (framer.pendingBytes > most) expect(framer.pendingBytes).toBeLessThanOrEqual(most);
    }
  });

  it('of session descriptions is answered or rejected', () => {
    const below = seeded(2);
    const source = wire(offerText);
    let answered = 0;
    for (let i = 0; i < 5_000; i++) {
      const description = parseSessionDescription(mutate(source, below));
      const agreement = description && agree(description, ['pcmu', 'pcma']);
      if (description === null || agreement === null) continue;
      const local = { address: '127.0.0.1', port: 4_000 };
      const answer = writeAnswer({ sessionId: 1, version: 1, local }, description, agreement);
      if (parseSessionDescription(answer) !== null) answered += 1;
    }
    expect(answered).toBeGreaterThan(500);
  });

  it('of RTP packets is parsed or rejected, and no payload exceeds its packet', () => {
    const below = seeded(3);
    const source = Uint8Array.from({ length: 40 }, (_, i) => (i === 0 ? 0xb2 : i));
    for (let i = 0; i < 20_000; i++) {
      const bytes = mutate(source, below);
      const packet = parseRtp(bytes);
      const most = bytes.length - 12;
      if (packet !== null && packet.payload.length > most) expect(packet.payload.length).toBeLessThanOrEqual(most);
    }
  });
});
