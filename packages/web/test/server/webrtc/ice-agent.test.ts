import { systemRandom } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { IceAgent } from '../../../src/server/webrtc/ice/ice-agent.ts';
import type { MediaPath } from '../../../src/server/webrtc/ice/media-path.ts';
import { attributes, parseStun } from '../../../src/server/webrtc/stun/message.ts';
import { write } from '../../../src/server/webrtc/stun/response.ts';

function path(port: number): MediaPath & { isOpen: boolean } {
  return { key: String(port), remote: { address: '192.0.2.1', port }, isOpen: true, send: () => {}, close: () => {} };
}

function created() {
  const clock = new VirtualClock();
  const agent = new IceAgent(clock, systemRandom, 'page');
  const check = (
    from: MediaPath,
    {
      username = `${agent.ufrag}:page`,
      password = agent.password,
      extra = [] as [number, Uint8Array][],
      type = 1,
    } = {},
  ) => {
    const list: [number, Uint8Array][] = [[attributes.username, Buffer.from(username)], ...extra];
    const bytes = write(type, Buffer.alloc(12, 7), list, password);
    const message = parseStun(bytes);
    if (message === null) throw new Error('no STUN message');
    return agent.check(message, bytes, from);
  };
  return { clock, agent, check };
}
const useCandidate: [number, Uint8Array] = [attributes.useCandidate, Buffer.alloc(0)];

describe('ICE agent', () => {
  it('answers a valid check, and sends to where it came from', async () => {
    const { clock, agent, check } = created();
    await clock.advance(500);
    const from = path(1);
    expect(check(from)?.isValid).toBe(true);
    expect(agent.selected).toBe(from);
    expect(agent.consentAtMs).toBe(clock.nowMs());
  });

  it.each([
    ['another password', { password: 'x'.repeat(24) }],
    ['another user name', { username: 'other:page' }],
    ['the user name in reverse order', { username: 'page:other' }],
  ])('ignores a check with %s', (_, options) => {
    const { agent, check } = created();
    expect(check(path(1), options)).toBeNull();
    expect(agent.selected).toBeNull();
  });

  it('ignores responses and indications', () => {
    const { check } = created();
    expect(check(path(1), { type: 0x0011 })).toBeNull();
    expect(check(path(1), { type: 0x0101 })).toBeNull();
  });

  it('keeps the path that the far end has chosen, until it chooses another one', () => {
    const { agent, check } = created();
    const [first, second, third] = [path(1), path(2), path(3)];
    check(first);
    check(second, { extra: [useCandidate] });
    check(first);
    expect(agent.selected).toBe(second);
    check(third, { extra: [useCandidate] });
    expect(agent.selected).toBe(third);
    third.isOpen = false;
    check(first);
    expect(agent.selected).toBe(first);
  });

  it('reports a role conflict to a far end that is controlled too, and unknown attributes', () => {
    const { agent, check } = created();
    const conflict = check(path(1), { extra: [[attributes.iceControlled, Buffer.alloc(8)]] });
    expect(conflict?.isValid).toBe(false);
    expect(conflict?.response.subarray(26, 28)).toEqual(Buffer.of(4, 87));
    const unknown = check(path(1), { extra: [[0x7f01, Buffer.alloc(0)]] });
    expect(unknown?.response.subarray(26, 28)).toEqual(Buffer.of(4, 20));
    expect(agent.selected).toBeNull();
  });
});
