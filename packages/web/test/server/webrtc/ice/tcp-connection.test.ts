import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { TcpConnection } from '../../../../src/server/webrtc/ice/tcp-connection.ts';

/** A socket whose data is sent by the test. */
class FakeSocket extends EventEmitter {
  readonly written: string[] = [];
  readonly remoteAddress = '192.0.2.1';
  readonly remotePort = 5_000;
  writable = true;
  writableLength = 0;
  destroyed = false;
  setNoDelay(): void {}
  write(bytes: Buffer): void {
    this.written.push(bytes.toString('hex'));
  }
  destroy(): void {
    this.destroyed = true;
    this.writable = false;
    this.emit('close');
  }
}

function open() {
  const socket = new FakeSocket();
  const packets: string[] = [];
  let closed = 0;
  const connection = new TcpConnection(socket as unknown as Socket, 3, {
    onPacket: (packet) => packets.push(packet.toString('hex')),
    onClose: () => {
      closed += 1;
    },
  });
  const receive = (hex: string): void => void socket.emit('data', Buffer.from(hex, 'hex'));
  return { socket, packets, connection, receive, closed: () => closed };
}

describe('a TCP connection of ICE', () => {
  it.each([
    ['one after another', ['0002aabb', '0001cc']],
    ['in one chunk', ['0002aabb0001cc']],
    ['byte by byte', ['00', '02', 'aa', 'bb', '00', '01', 'cc']],
    ['split within a length', ['0002aabb00', '01cc']],
  ])('reads packets that arrive %s', (_, chunks) => {
    const { packets, receive } = open();
    for (const chunk of chunks) receive(chunk);
    expect(packets).toEqual(['aabb', 'cc']);
  });

  it('passes an empty packet on', () => {
    const { packets, receive } = open();
    receive('0000');
    expect(packets).toEqual(['']);
  });

  it.each([
    [2_048, false],
    [2_049, true],
  ])('with a packet of %i bytes is closed: %s', (length, isClosed) => {
    const { socket, receive, packets } = open();
    receive(length.toString(16).padStart(4, '0') + '00'.repeat(length));
    expect([socket.destroyed, packets.length]).toEqual([isClosed, isClosed ? 0 : 1]);
  });

  it('passes no packets on after it was closed by a listener', () => {
    const socket = new FakeSocket();
    const packets: Buffer[] = [];
    new TcpConnection(socket as unknown as Socket, 1, {
      onPacket: (packet, connection) => {
        packets.push(packet);
        connection.close();
      },
      onClose: () => {},
    });
    socket.emit('data', Buffer.from('0001aa0001bb', 'hex'));
    expect(packets).toHaveLength(1);
  });

  it('sends packets with their length', () => {
    const { socket, connection } = open();
    connection.send(Buffer.from('aabbcc', 'hex'));
    expect(socket.written).toEqual(['0003aabbcc']);
  });

  it.each([
    ['more than 32,768 bytes are queued', { writableLength: 32_769 }, 0],
    ['32,768 bytes are queued', { writableLength: 32_768 }, 1],
    ['the far end is gone', { writable: false }, 0],
  ])('when %s, sends or drops a packet', (_, state, count) => {
    const { socket, connection } = open();
    Object.assign(socket, state);
    connection.send(Buffer.of(1));
    expect(socket.written).toHaveLength(count);
  });

  it('reports its close, also after an error', () => {
    const { socket, connection, closed } = open();
    expect([connection.isOpen, connection.key, connection.remote]).toEqual([
      ...[true, 'tcp 3'],
      { address: '192.0.2.1', port: 5_000 },
    ]);
    socket.emit('error', new Error('reset'));
    expect(closed()).toBe(0);
    socket.destroy();
    expect([closed(), connection.isOpen]).toEqual([1, false]);
  });
});
