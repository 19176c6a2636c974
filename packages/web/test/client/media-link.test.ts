import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The part of `MediaLink` under test. Its module is loaded untyped, because it uses types of the DOM. */
interface Link {
  readonly transport: 'webrtc' | 'websocket' | null;
  start(isOffered: boolean): void;
  answered(message: { readonly sdp: string; readonly id?: number }): void;
  refused(message: { readonly id?: number }): void;
  resumed(): void;
  close(): void;
}
const source = '../../src/client/media-link.ts';
const { MediaLink }: { MediaLink: new (...args: readonly unknown[]) => Link } = await import(source);

/** A peer connection whose offers are made, and whose states are set, by the test. */
class FakePeer {
  static readonly all: FakePeer[] = [];
  onconnectionstatechange: (() => void) | null = null;
  ontrack: ((event: object) => void) | null = null;
  connectionState = 'new';
  localDescription: { sdp: string } | null = null;
  readonly accepted: string[] = [];
  isClosed = false;
  packetsReceived = 0;
  finishOffer: (sdp: string) => void = () => {};
  failOffer: () => void = () => {};
  readonly #offer = new Promise<{ sdp: string }>((resolve, reject) => {
    this.finishOffer = (sdp) => resolve({ sdp });
    this.failOffer = () => reject(new Error('closed'));
  });

  constructor() {
    FakePeer.all.push(this);
  }

  addTrack(): object {
    return {};
  }
  createOffer(): Promise<{ sdp: string }> {
    return this.#offer;
  }
  async setLocalDescription(description: { sdp: string }): Promise<void> {
    this.localDescription = description;
  }
  async setRemoteDescription({ sdp }: { sdp: string }): Promise<void> {
    this.accepted.push(sdp);
  }
  async getStats(): Promise<Map<string, object>> {
    return new Map([['in', { type: 'inbound-rtp', packetsReceived: this.packetsReceived }]]);
  }
  close(): void {
    this.isClosed = true;
  }
  enter(state: string): void {
    this.connectionState = state;
    this.onconnectionstatechange?.();
  }
  connect(): void {
    this.ontrack?.({ streams: [{}], track: {} });
    this.enter('connected');
  }
}

function link(transport: 'auto' | 'webrtc' | 'websocket') {
  const seen: unknown[] = [];
  const sent: object[] = [];
  const audio = {
    microphone: { getAudioTracks: () => [{}] },
    playStream: () => seen.push('stream'),
    playFrames: async () => void seen.push('frames'),
  };
  const listener = {
    send: (message: { type: string; sdp?: string }) => {
      sent.push(message);
      seen.push(message.sdp ?? message.type);
    },
    onLost: (isLost: boolean) => seen.push(isLost ? 'lost' : 'back'),
    onFailed: ({ code }: { code: string }) => seen.push(code),
  };
  return { of: new MediaLink(transport, audio, listener), seen, sent };
}
const peer = (index: number): FakePeer => {
  const found = FakePeer.all[index];
  if (found === undefined) throw new Error(`There is no peer connection ${index}.`);
  return found;
};
const settle = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(0));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('RTCPeerConnection', FakePeer);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  FakePeer.all.length = 0;
});

describe('the transport of the audio', () => {
  it.each([
    ['auto', false, ['frames'], 'websocket'],
    ['websocket', true, ['frames'], 'websocket'],
    ['webrtc', false, ['connection-failed'], null],
  ] as const)('with the option %s and WebRTC offered: %s emits %j', async (wanted, isOffered, expected, transport) => {
    const { of, seen } = link(wanted);
    of.start(isOffered);
    await settle();
    expect([seen, of.transport]).toEqual([expected, transport]);
  });

  it('is WebRTC once it connects, and is monitored', async () => {
    const { of, seen } = link('auto');
    of.start(true);
    peer(0).finishOffer('offer 0');
    await settle();
    of.answered({ sdp: 'answer 0' });
    peer(0).connect();
    expect([of.transport, peer(0).accepted]).toEqual(['webrtc', ['answer 0']]);
    peer(0).packetsReceived = 50;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual(['offer 0', 'stream', 'back']);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(seen.slice(3)).toEqual(['lost']);
    expect([FakePeer.all.length, peer(0).isClosed, of.transport]).toEqual([2, true, null]);
  });

  it.each([
    ['it is not connected in time', async () => await vi.advanceTimersByTimeAsync(2_000)],
    ['it fails', async () => peer(0).enter('failed')],
    ['the offer cannot be made', async () => peer(0).failOffer()],
  ])('falls back to the WebSocket when %s', async (_, happen) => {
    const { of, seen } = link('auto');
    of.start(true);
    await happen();
    await settle();
    expect([seen, of.transport]).toEqual([['use-websocket', 'frames', 'back'], 'websocket']);
    expect(peer(0).isClosed).toBe(true);
  });

  it('fails after 10 s if there is no fallback', async () => {
    const { of, seen } = link('webrtc');
    of.start(true);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(['connection-failed']);
  });

  it('ignores the offer of a connection that was replaced', async () => {
    const { of, seen } = link('auto');
    of.start(true);
    of.resumed();
    peer(1).finishOffer('offer 1');
    await settle();
    peer(0).finishOffer('offer 0');
    await settle();
    expect(seen).toEqual(['offer 1']);
  });

  it('keeps a new connection when the offer of the replaced one fails', async () => {
    const { of, seen } = link('auto');
    of.start(true);
    of.resumed();
    peer(0).failOffer();
    peer(1).finishOffer('offer 1');
    await settle();
    expect([seen, peer(1).isClosed]).toEqual([['offer 1'], false]);
  });

  it.each([
    ['ignores the answer of an earlier offer', 1, []],
    ['accepts the answer of the last offer', 2, ['answer']],
    ['accepts an answer without an id, as services send it that predate the id', undefined, ['answer']],
  ])('%s', async (_, id, accepted) => {
    const { of, sent } = link('auto');
    of.start(true);
    peer(0).finishOffer('offer 0');
    await settle();
    of.resumed();
    peer(1).finishOffer('offer 1');
    await settle();
    expect(sent).toEqual([
      { type: 'offer', sdp: 'offer 0', id: 1 },
      { type: 'offer', sdp: 'offer 1', id: 2 },
    ]);
    of.answered({ sdp: 'answer', ...(id !== undefined && { id }) });
    expect([peer(0).accepted, peer(1).accepted]).toEqual([[], accepted]);
  });

  it.each([
    ['keeps trying when an earlier offer was refused', 1, false],
    ['gives up when the last offer was refused', 2, true],
    ['gives up on a refusal without an id', undefined, true],
  ])('%s', async (_, id, isClosed) => {
    const { of, sent } = link('auto');
    of.start(true);
    of.resumed();
    of.refused(id === undefined ? {} : { id });
    await settle();
    expect([peer(1).isClosed, sent]).toEqual([isClosed, isClosed ? [{ type: 'use-websocket' }] : []]);
  });

  it('does nothing after it was closed', async () => {
    const { of, seen } = link('auto');
    of.start(true);
    of.close();
    peer(0).failOffer();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toEqual([]);
  });
});
