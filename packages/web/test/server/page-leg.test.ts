import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { PageLeg } from '../../src/server/page-leg.ts';
import { WebLeg } from '../../src/server/web-leg.ts';
import type { WebRtcAudio } from '../../src/server/webrtc/web-rtc-audio.ts';

const voice = (code: number): Uint8Array => new Uint8Array(160).fill(code);

function setUp() {
  const clock = new VirtualClock();
  const sent: string[] = [];
  const webSocket = new WebLeg('pcmu', { sendAudio: () => sent.push('websocket'), clear: () => {} }, clock);
  let hear: (frame: Uint8Array | null) => void = () => {};
  let isClosed = false;
  const webRtc = {
    ...{ sending: true, aliveAtMs: 7 },
    send: () => sent.push('webrtc'),
    onFrame: (listener: typeof hear) => {
      hear = listener;
    },
    onDtmf: () => {},
    close: () => {
      isClosed = true;
    },
  };
  const leg = new PageLeg(webSocket, webRtc as unknown as WebRtcAudio);
  const frames: unknown[] = [];
  leg.onFrame((frame) => frames.push(frame?.[0] ?? null));
  return { leg, webSocket, webRtc, sent, frames, hear: (code: number) => hear(voice(code)), isClosed: () => isClosed };
}

describe('the leg of a page', () => {
  it('sends and receives over the transport in use only', () => {
    const { leg, webSocket, sent, frames, hear } = setUp();
    leg.send(voice(1));
    hear(1);
    webSocket.received(0, voice(2));
    leg.switchToWebRtc();
    leg.send(voice(1));
    hear(3);
    webSocket.received(1, voice(4));
    leg.switchToWebSocket();
    leg.send(voice(1));
    expect([sent, frames]).toEqual([
      ['websocket', 'webrtc', 'websocket'],
      [2, 3],
    ]);
  });

  it('receives nothing while it is muted', () => {
    const { leg, frames, hear } = setUp();
    leg.switchToWebRtc();
    leg.isMuted = true;
    hear(1);
    leg.isMuted = false;
    hear(2);
    expect(frames).toEqual([2]);
  });

  it('counts frames over WebRTC as played, and the jitter buffer of the browser as unplayed', () => {
    const { leg, webRtc } = setUp();
    leg.send(voice(1));
    expect(leg.unplayedMs).toBe(20);
    leg.switchToWebRtc();
    expect([leg.discardUnplayed(), leg.unplayedMs, leg.aliveAtMs]).toEqual([0, 200, 7]);
    webRtc.sending = false;
    expect([leg.unplayedMs, leg.sending]).toEqual([0, false]);
  });

  it('stays on the WebSocket without WebRTC', () => {
    const { webSocket } = setUp();
    const leg = new PageLeg(webSocket, null);
    leg.switchToWebRtc();
    expect(leg.usesWebRtc).toBe(false);
  });

  it('ends both transports', () => {
    const { leg, sent, isClosed } = setUp();
    leg.end();
    leg.send(voice(1));
    expect([isClosed(), sent]).toEqual([true, []]);
  });
});
