import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RtcpChannel, rtcpDestination } from '../../../src/rtp/rtcp/rtcp-channel.ts';
import { RtpSocket } from '../../../src/rtp/rtp-socket.ts';
import { agreed } from '../../support/agreement.ts';

const address = '127.0.0.1';

describe('RtcpChannel', () => {
  let rtp: RtpSocket;
  let far: RtpSocket;
  let channel: RtcpChannel;
  /** Source port and text of each packet that the far end received. */
  let sent: [number, string][];
  let received: string[];

  /** Opens an RTP socket whose next port is free. */
  async function openRtp(): Promise<RtpSocket> {
    for (;;) {
      const socket = await RtpSocket.open(address, 0, () => {});
      const next = await RtpSocket.openAt(address, socket.port + 1, () => {});
      if (next !== null) {
        await new Promise<void>((resolve) => next.close(resolve));
        return socket;
      }
      socket.close();
    }
  }

  beforeEach(async () => {
    sent = [];
    received = [];
    rtp = await openRtp();
    far = await RtpSocket.open(address, 0, (bytes, from) => sent.push([from.port, String(bytes)]));
    channel = new RtcpChannel(address, rtp, (bytes) => received.push(String(bytes)));
  });

  afterEach(() => {
    channel.close();
    rtp.close();
    far.close();
  });

  const sendUntil = async (port: number) => {
    await vi.waitFor(() => {
      channel.send(Buffer.from('report'), { address, port: far.port });
      expect(sent.at(-1)?.[0]).toBe(port);
    });
  };

  it('sends from the port of RTP while no separate port is needed', async () => {
    await sendUntil(rtp.port);
  });

  it('sends and receives at the next port when a separate one is needed', async () => {
    channel.separate = true;
    await sendUntil(rtp.port + 1);
    far.send(Buffer.from('report of the far end'), { address, port: rtp.port + 1 });
    await vi.waitFor(() => expect(received).toEqual(['report of the far end']));
  });

  it('returns to the port of RTP, and frees the separate one', async () => {
    channel.separate = true;
    await sendUntil(rtp.port + 1);
    channel.separate = false;
    await sendUntil(rtp.port);
    await vi.waitFor(async () => {
      const socket = await RtpSocket.openAt(address, rtp.port + 1, () => {});
      socket?.close();
      expect(socket).not.toBeNull();
    });
  });

  it('frees a separate port that is still being opened when it closes', async () => {
    channel.separate = true;
    channel.close();
    await vi.waitFor(async () => {
      const socket = await RtpSocket.openAt(address, rtp.port + 1, () => {});
      socket?.close();
      expect(socket).not.toBeNull();
    });
  });

  it('sends from the port of RTP if the next one is taken', async () => {
    const taken = await RtpSocket.openAt(address, rtp.port + 1, () => {});
    expect(taken).not.toBeNull();
    channel.separate = true;
    await sendUntil(rtp.port);
    taken?.close();
  });
});

describe('rtcpDestination', () => {
  const agreement = (mux: boolean) => agreed({ rtcp: { mux, port: 5_001 } });

  it('is the source of RTP if both share a port', () => {
    const remote = { address: '198.51.100.7', port: 40_000 };
    expect(rtcpDestination(agreement(true), remote)).toEqual(remote);
  });

  it('is the RTCP port of the session description at the address of RTP otherwise', () => {
    const remote = { address: '198.51.100.7', port: 40_000 };
    expect(rtcpDestination(agreement(false), remote)).toEqual({ address: '198.51.100.7', port: 5_001 });
  });
});
