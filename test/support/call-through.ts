import type { Clock, RandomBytes } from '@va/core/adapter';
import { decodeG711, RtpLeg } from '@va/media';
import { parseNameAddr, RtpSession, targetOf, UserAgent } from '@va/sip';
import { silentLogger } from '@va/testkit';
import type { ImpairingRelay } from './impairing-relay.ts';

const frameBytes = 160;
const frameMs = 20;
const silence = new Uint8Array(frameBytes).fill(0xff);
const loud = 500;

export interface CallThroughOptions {
  readonly uri: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** A relay between both sides; null when they exchange media directly. */
  readonly media: ImpairingRelay | null;
}

/** A phone in an answered call. It sends a frame every 20 ms while it listens or speaks. */
export interface PhoneCall {
  readonly sentFrames: number;
  /** Includes concealed frames. */
  readonly heardFrames: number;
  readonly loudFrames: number;
  listen(ms: number): Promise<void>;
  /** Sends G.711 μ-law audio. */
  say(codes: Uint8Array): Promise<void>;
  hangUp(): Promise<void>;
}

/** Replaces the audio port of an offer or answer. */
function withPort(description: Uint8Array, port: number): Uint8Array {
  const text = new TextDecoder().decode(description);
  return new TextEncoder().encode(text.replace(/^m=audio \d+/m, `m=audio ${port}`));
}

function portOf(description: Uint8Array): number {
  return Number(/^m=audio (\d+)/m.exec(new TextDecoder().decode(description))?.[1]);
}

/** Calls a SIP address over UDP; resolves when the call is answered. */
export async function callThrough({ uri, clock, random, media: relay }: CallThroughOptions): Promise<PhoneCall> {
  const address = '127.0.0.1';
  const agent = await UserAgent.open({ clock, random, logger: silentLogger, listen: [`udp://${address}:0`] });
  const [to, from, target] = [parseNameAddr(`<${uri}>`), parseNameAddr(`<sip:caller@${address}>`), targetOf(uri)];
  const flow = target === null ? null : agent.flowTo({ ...target, transport: 'udp' });
  if (to === null || from === null || flow === null) throw new Error(`${uri} is not a dialable SIP address`);
  const leg = await RtpLeg.open({ clock, random, address });
  const session = new RtpSession({ leg, codecs: ['pcmu'], address, random });
  const media = {
    offer: () => (relay === null ? session.offer() : withPort(session.offer(), relay.port)),
    answer: (offer: Uint8Array) => session.answer(offer),
    accept(answer: Uint8Array) {
      if (relay === null) return session.accept(answer);
      relay.lead(portOf(answer));
      return session.accept(withPort(answer, relay.port));
    },
    hold: (isHeld: boolean) => session.hold(isHeld),
    receiveDigit() {},
    close: () => session.close(),
  };
  let [sentFrames, heardFrames, loudFrames] = [0, 0, 0];
  leg.onFrame((frame) => {
    heardFrames += 1;
    if (frame !== null && decodeG711('pcmu', frame).some((sample) => Math.abs(sample) > loud)) loudFrames += 1;
  });
  await new Promise<void>((resolve, reject) => {
    const onEnd = (end: { readonly cause: string }): void => reject(new Error(`the call ended: ${end.cause}`));
    agent.invite({ uri, from, to, flow, media }, { onProgress() {}, onAnswered: resolve, onEnd });
  });
  const startedAtMs = clock.nowMs();
  /** Does not wait when it is behind schedule. */
  const send = async (codes: Uint8Array): Promise<void> => {
    const waitMs = startedAtMs + sentFrames * frameMs - clock.nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    leg.send(codes);
    sentFrames += 1;
  };
  return {
    get sentFrames() {
      return sentFrames;
    },
    get heardFrames() {
      return heardFrames;
    },
    get loudFrames() {
      return loudFrames;
    },
    async listen(ms) {
      for (let sent = 0; sent < ms / frameMs; sent += 1) await send(silence);
    },
    async say(codes) {
      for (let at = 0; at + frameBytes <= codes.length; at += frameBytes) {
        await send(codes.subarray(at, at + frameBytes));
      }
    },
    hangUp: () => agent.close(),
  };
}
