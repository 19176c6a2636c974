import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RtpSocket } from '../../src/rtp/rtp-socket.ts';

describe('RtpSocket', () => {
  const opened: RtpSocket[] = [];

  afterEach(() => {
    for (const socket of opened.splice(0)) socket.close();
  });

  const open = async (onPacket: (text: string, port: number) => void = () => {}, address = '127.0.0.1') => {
    const socket = await RtpSocket.open(address, 0, (bytes, from) => onPacket(String(bytes), from.port));
    opened.push(socket);
    return socket;
  };

  it.each(['127.0.0.1', '::1'])('exchanges packets at %s', async (address) => {
    const received: [string, number][] = [];
    const near = await open(() => {}, address);
    const far = await open((text, port) => received.push([text, port]), address);
    near.send(Buffer.from('one'), { address, port: far.port });
    await vi.waitFor(() => expect(received).toEqual([['one', near.port]]));
  });

  it.each([0, -1, 65_536])('drops a packet to the invalid port %i, and sends the next one', async (port) => {
    const received: string[] = [];
    const near = await open();
    const far = await open((text) => received.push(text));
    near.send(Buffer.from('lost'), { address: '127.0.0.1', port });
    near.send(Buffer.from('next'), { address: '127.0.0.1', port: far.port });
    await vi.waitFor(() => expect(received).toEqual(['next']));
  });

  it('continues after packets to a closed port', async () => {
    const received: string[] = [];
    const near = await open();
    const far = await open((text) => received.push(text));
    const gone = createSocket('udp4');
    gone.bind(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address();
    gone.close();
    await once(gone, 'close');
    for (let i = 0; i < 3; i++) near.send(Buffer.from('lost'), { address: '127.0.0.1', port });
    near.send(Buffer.from('next'), { address: '127.0.0.1', port: far.port });
    await vi.waitFor(() => expect(received).toEqual(['next']));
  });

  it('sends nothing once it is closed, and closes once', async () => {
    const received: string[] = [];
    const near = await open();
    const far = await open((text) => received.push(text));
    const closed = vi.fn();
    await new Promise<void>((resolve) => near.close(resolve));
    near.close(closed);
    near.send(Buffer.from('late'), { address: '127.0.0.1', port: far.port });
    const other = await open();
    other.send(Buffer.from('after'), { address: '127.0.0.1', port: far.port });
    await vi.waitFor(() => expect(received).toEqual(['after']));
    expect(closed).not.toHaveBeenCalled();
  });

  it('rejects a port that is taken; openAt resolves to null instead', async () => {
    const { port } = await open();
    await expect(RtpSocket.open('127.0.0.1', port, () => {})).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await RtpSocket.openAt('127.0.0.1', port, () => {})).toBeNull();
  });

  it('resolves to null for a port beyond 65,535', async () => {
    expect(await RtpSocket.openAt('127.0.0.1', 65_536, () => {})).toBeNull();
  });
});
