import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket as TcpSocket } from 'node:net';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckResult } from '../../../src/server/webrtc/ice/ice-agent.ts';
import type { MediaPath } from '../../../src/server/webrtc/ice/media-path.ts';
import { type PortUser, WebRtcPort } from '../../../src/server/webrtc/ice/web-rtc-port.ts';
import { attributes } from '../../../src/server/webrtc/stun/message.ts';
import { write } from '../../../src/server/webrtc/stun/response.ts';

const answer = Buffer.from('answer');

/** Accepts every check of its name. */
class FakeUser implements PortUser {
  readonly ufrag: string;
  readonly received: string[] = [];
  paths: MediaPath[] = [];

  constructor(ufrag: string) {
    this.ufrag = ufrag;
  }

  check(_message: unknown, _bytes: Buffer, path: MediaPath): CheckResult {
    this.paths.push(path);
    return { response: answer, isValid: true };
  }

  receive(packet: Buffer): void {
    this.received.push(packet.toString());
  }

  isSelected(path: MediaPath): boolean {
    return this.paths[0]?.key === path.key;
  }
}

function check(ufrag: string): Buffer {
  return write(1, Buffer.alloc(12, 7), [[attributes.username, Buffer.from(`${ufrag}:page`)]], 'password');
}

function framed(...packets: readonly Buffer[]): Buffer {
  return Buffer.concat(
    packets.flatMap((packet) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(packet.length);
      return [length, packet];
    }),
  );
}

describe('WebRTC port', () => {
  let clock: VirtualClock;
  let port: WebRtcPort;
  const udp: Socket[] = [];
  const tcp: TcpSocket[] = [];

  beforeEach(async () => {
    clock = new VirtualClock();
    port = await WebRtcPort.open({ clock, address: '127.0.0.1', port: 0, tcp: true });
  });
  afterEach(async () => {
    for (const each of udp.splice(0)) each.close();
    for (const each of tcp.splice(0)) each.destroy();
    await port.close();
    expect(clock.pending).toBe(0);
  });

  async function browser(): Promise<{ send(packet: Buffer): void; received: string[] }> {
    const socket = createSocket('udp4');
    udp.push(socket);
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const received: string[] = [];
    socket.on('message', (bytes) => received.push(bytes.toString()));
    return { send: (packet) => socket.send(packet, port.port, '127.0.0.1'), received };
  }

  async function dial(): Promise<{ socket: TcpSocket; isClosed: () => boolean }> {
    const socket = connect(port.port, '127.0.0.1');
    tcp.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    let isClosed = false;
    socket.on('close', () => {
      isClosed = true;
    });
    return { socket, isClosed: () => isClosed };
  }

  it('passes packets of an address to the connection that its check named', async () => {
    const [anna, ben] = [new FakeUser('anna'), new FakeUser('ben')];
    port.add(anna);
    port.add(ben);
    const [one, two] = [await browser(), await browser()];
    one.send(Buffer.from([0x80, 1]));
    one.send(check('anna'));
    two.send(check('ben'));
    await vi.waitFor(() => expect([one.received, two.received]).toEqual([['answer'], ['answer']]));
    one.send(Buffer.from('\u0016one'));
    two.send(Buffer.from('\u0016two'));
    await vi.waitFor(() => expect([anna.received, ben.received]).toEqual([['\u0016one'], ['\u0016two']]));
    port.remove(anna);
    one.send(Buffer.from('\u0016more'));
    two.send(Buffer.from('\u0016last'));
    await vi.waitFor(() => expect(ben.received).toHaveLength(2));
    expect(anna.received).toHaveLength(1);
  });

  it('keeps at most 16 addresses of a connection, and the chosen one among them', async () => {
    const user = new FakeUser('anna');
    port.add(user);
    const browsers = [];
    for (let n = 0; n < 18; n++) {
      const each = await browser();
      each.send(check('anna'));
      await vi.waitFor(() => expect(each.received).toHaveLength(1));
      browsers.push(each);
    }
    for (const [n, each] of browsers.entries()) each.send(Buffer.from(`\u0016${n}`));
    await vi.waitFor(() => expect(user.received).toContain('\u001617'));
    expect(user.received.sort()).toEqual(
      [0, ...Array.from({ length: 15 }, (_, n) => n + 3)].map((n) => `\u0016${n}`).sort(),
    );
  });

  it('takes packets over TCP, however they are split', async () => {
    const user = new FakeUser('anna');
    port.add(user);
    const { socket } = await dial();
    const bytes = framed(check('anna'), Buffer.from('\u0016one'), Buffer.from('\u0016two'));
    for (const byte of bytes) socket.write(Buffer.of(byte));
    const [received] = await once(socket, 'data');
    expect(received).toEqual(framed(answer));
    await vi.waitFor(() => expect(user.received).toEqual(['\u0016one', '\u0016two']));
  });

  it.each([
    ['a packet that is too long', Buffer.from('ffff', 'hex')],
    ['something else than a check', framed(Buffer.from('\u0016hello'), Buffer.alloc(4))],
    ['a check of nobody', framed(check('nobody'))],
  ])('closes a TCP connection that begins with %s', async (name, bytes) => {
    const { socket, isClosed } = await dial();
    socket.write(bytes);
    await vi.waitFor(() => expect([name, isClosed()]).toEqual([name, true]));
  });

  it('closes a TCP connection without a check after 5 s', async () => {
    const { isClosed } = await dial();
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    await clock.advance(4_900);
    expect(isClosed()).toBe(false);
    await clock.advance(200);
    await vi.waitFor(() => expect(isClosed()).toBe(true));
  });

  it('takes at most 16 TCP connections of an address that have not been checked', async () => {
    const dialed: Awaited<ReturnType<typeof dial>>[] = [];
    for (let n = 0; n < 17; n++) dialed.push(await dial());
    await vi.waitFor(() =>
      expect(dialed.map(({ isClosed }) => isClosed())).toEqual([...new Array(16).fill(false), true]),
    );
    port.add(new FakeUser('anna'));
    const [first] = dialed;
    if (first === undefined) throw new Error('nothing was dialed');
    first.socket.write(framed(check('anna')));
    await once(first.socket, 'data');
    const another = await dial();
    another.socket.write(framed(check('anna')));
    await once(another.socket, 'data');
  });

  it('does not open without its TCP port', async () => {
    await expect(WebRtcPort.open({ clock, address: '127.0.0.1', port: port.port, tcp: true })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});
