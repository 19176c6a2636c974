import { VaError } from '@va/core';
import type {
  CallDisplay,
  CallerInput,
  CallGrant,
  Clock,
  DisplayEvent,
  IncomingCall,
  LegEnd,
  MediaLeg,
  Party,
  RejectCause,
  Timer,
} from '@va/core/adapter';
import { type AudioFormat, formatOf } from '@va/media';
import {
  type DownMessage,
  protocolVersion,
  resumeWithinMs,
  type UpMessage,
  type WebCallAudio,
  type WebCallEncoding,
} from '../protocol/messages.ts';
import type { PageConnection } from './page-connection.ts';
import { PageLeg } from './page-leg.ts';
import { PageTools } from './page-tools.ts';
import { WebLeg } from './web-leg.ts';
import { webParty } from './web-party.ts';
import { OfferError } from './webrtc/sdp/offer.ts';
import { WebRtcAudio } from './webrtc/web-rtc-audio.ts';
import type { WebRtcSetup } from './webrtc/web-rtc-connection.ts';

/** Maximum wait for the playback of queued audio before a hang-up. */
const lastWordsMs = 2_000;
/** Time without a message after which a connection counts as lost: pages send `played` five times per second. */
const lostAfterMs = 4_000;

/** Time within which a page must offer WebRTC; afterwards the WebSocket is used. */
const chooseWithinMs = 10_000;
const audioOf: Readonly<Record<WebCallEncoding, WebCallAudio>> = {
  pcmu: { encoding: 'pcmu', sample_rate: 8_000, frame_ms: 20 },
  pcm16: { encoding: 'pcm16', sample_rate: 16_000, frame_ms: 20 },
};

export interface PageCallOptions {
  readonly grant: CallGrant;
  readonly clock: Clock;
  readonly connection: PageConnection;
  readonly encoding: WebCallEncoding;
  readonly resumeSecret: string;
  /** Null to use the URL of the call. */
  readonly resumeUrl: string | null;
  /** Null without WebRTC. */
  readonly webRtc?: WebRtcSetup | null;
  /** True if the page announced an offer. The call is then answered only once the transport is chosen. */
  readonly awaitsOffer?: boolean;
  /** Called once, when the call has ended. */
  readonly release: () => void;
}

/** A call from a page. Its connection may be lost and replaced by another one. */
export class PageCall implements IncomingCall {
  readonly id: string;
  readonly from: Party = webParty;
  readonly to: Party = webParty;
  readonly grant: CallGrant;
  readonly format: AudioFormat;
  readonly #options: PageCallOptions;
  readonly #webSocket: WebLeg;
  readonly #webRtc: WebRtcAudio | null;
  readonly #leg: PageLeg;
  /** Set until a page that announced an offer has chosen the transport of its audio; otherwise null. */
  #choosing: { readonly timer: Timer; readonly waiting: (() => void)[] } | null = null;
  readonly #tools = new PageTools((message) => this.#send(message));
  #connection: PageConnection | null = null;
  #input: CallerInput | null = null;
  #isAnswered = false;
  #isLeaving = false;
  #end: LegEnd | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;
  /** Messages to send once the page reconnects. */
  #unsent: DownMessage[] = [];
  #timer: Timer | null = null;

  constructor(options: PageCallOptions) {
    this.#options = options;
    this.id = `web-${options.grant.callId}`;
    this.grant = options.grant;
    const { webRtc = null, awaitsOffer = false, encoding } = options;
    this.format = formatOf(encoding);
    this.#webSocket = new WebLeg(
      encoding,
      {
        sendAudio: (sequence, frame) => this.#connection?.sendAudio(sequence, frame),
        clear: (sequence) => this.#send({ type: 'clear', sequence }),
      },
      options.clock,
    );
    this.#webRtc = webRtc && this.#openWebRtc(webRtc);
    this.#leg = new PageLeg(this.#webSocket, this.#webRtc);
    if (webRtc !== null && awaitsOffer) {
      const timer = options.clock.setTimer(chooseWithinMs, () => this.#fallBack());
      this.#choosing = { timer, waiting: [] };
    }
    this.#connect(options.connection);
  }

  ring(): void {}

  answer(): Promise<MediaLeg> {
    return new Promise((resolve, reject) => {
      const answer = (): void => {
        if (this.#end !== null) {
          reject(new VaError('leg_ended', 'The caller hung up before the call was answered.'));
          return;
        }
        if (!this.#isAnswered) {
          this.#isAnswered = true;
          this.#send({ type: 'answered' });
        }
        resolve(this.#leg);
      };
      if (this.#choosing === null) answer();
      else this.#choosing.waiting.push(answer);
    });
  }

  reject(_cause: RejectCause): void {
    this.#over({ cause: 'local-hangup' });
  }

  /** Hangs up when the queued audio has been played, after 2 s at the latest. */
  hangup(): void {
    if (this.#isLeaving || this.#end !== null) return;
    this.#isLeaving = true;
    const waitMs = this.#connection === null ? 0 : Math.min(lastWordsMs, this.#leg.unplayedMs);
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(waitMs, () => this.#over({ cause: 'local-hangup' }));
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#onEnd = listener;
    if (this.#end !== null) listener(this.#end);
  }

  openDisplay(input: CallerInput): CallDisplay {
    this.#input = input;
    return {
      show: (event) => this.#send(toMessage(event)),
      runTool: (call, signal) => this.#tools.run(call, signal),
    };
  }

  /** Replaces the connection by a new one of the page. */
  resume(connection: PageConnection, received: number): void {
    const before = this.#connection;
    this.#connection = null;
    before?.listen(null);
    before?.fail('replaced', 'Another connection has taken over the call.');
    this.#connect(connection);
    this.#webSocket.reconnected(received);
    if (this.#isAnswered) connection.send({ type: 'answered' });
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const message of unsent) connection.send(message);
  }

  #connect(connection: PageConnection): void {
    const { grant, encoding, resumeSecret, resumeUrl } = this.#options;
    this.#connection = connection;
    connection.setEncoding(encoding);
    connection.listen({
      onAudio: (sequence, frame) => {
        if (!this.#leg.isMuted) this.#webSocket.received(sequence, frame);
      },
      onMessage: (message) => this.#receive(message),
      onClose: (left) => this.#disconnected(left),
    });
    connection.send({
      type: 'ready',
      version: protocolVersion,
      call_id: grant.callId,
      audio: audioOf[encoding],
      resume_secret: resumeSecret,
      resume_url: resumeUrl,
      resume_within_ms: resumeWithinMs,
      webrtc: this.#webRtc !== null,
    });
    this.#webSocket.aliveAtMs = this.#options.clock.nowMs();
    this.#watch();
  }

  /**
   * Terminates a connection that was lost without a close. Ends the call if its WebRTC connection receives nothing for
   * 10 s.
   */
  #watch(): void {
    const { clock } = this.#options;
    if (this.#isLeaving) return;
    const dueMs = Math.max(0, this.#webSocket.aliveAtMs + lostAfterMs - clock.nowMs());
    this.#timer?.cancel();
    this.#timer = clock.setTimer(dueMs, () => {
      if (clock.nowMs() - this.#webSocket.aliveAtMs >= lostAfterMs) this.#connection?.terminate();
      else if (this.#leg.usesWebRtc && (this.#webRtc?.silentMs ?? 0) > resumeWithinMs) this.#lost();
      else this.#watch();
    });
  }

  #disconnected(left: boolean): void {
    this.#connection = null;
    this.#webSocket.disconnected();
    if (left) {
      this.#over(this.#isAnswered ? { cause: 'remote-hangup' } : { cause: 'canceled' });
      return;
    }
    if (this.#isLeaving || this.#end !== null) {
      this.#over({ cause: 'local-hangup' });
      return;
    }
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(resumeWithinMs, () => this.#lost());
  }

  #lost(): void {
    this.#over({ cause: 'transport-error', message: 'The connection to the page was lost.' });
  }

  #receive(message: UpMessage): void {
    this.#webSocket.aliveAtMs = this.#options.clock.nowMs();
    switch (message.type) {
      case 'played':
        this.#webSocket.played(message.sequence);
        if (this.#leg.usesWebRtc || !this.#isAnswered) this.#send({ type: 'alive' });
        return;
      case 'text':
        this.#input?.text(message.text);
        return;
      case 'keys':
        this.#webSocket.pressed(message.keys);
        return;
      case 'tool-result':
        this.#tools.settle(message.id, { ok: true, result: message.result });
        return;
      case 'tool-error':
        this.#tools.settle(message.id, { ok: false, error: message.error });
        return;
      case 'hang-up':
        this.#over(this.#isAnswered ? { cause: 'remote-hangup' } : { cause: 'canceled' });
        return;
      case 'mute':
        this.#leg.isMuted = message.muted;
        return;
      case 'offer':
        this.#takeOffer(message);
        return;
      case 'use-websocket':
        this.#fallBack();
        return;
      case 'hello':
      case 'resume':
        this.#connection?.fail('invalid_message', 'The call has begun already.');
    }
  }

  #openWebRtc(setup: WebRtcSetup): WebRtcAudio {
    return new WebRtcAudio(setup, this.#options.encoding, {
      onConnected: () => {
        this.#leg.switchToWebRtc();
        this.#chosen();
      },
      // The page makes another connection or falls back to the WebSocket.
      onClosed: () => {},
      onFailed: () => {},
    });
  }

  #takeOffer({ sdp, id }: Extract<UpMessage, { type: 'offer' }>): void {
    const offer = id === undefined ? {} : { id };
    try {
      if (this.#webRtc === null) throw new OfferError('unacceptable', 'The service does not offer WebRTC.');
      this.#send({ type: 'answer', sdp: this.#webRtc.answer(sdp), ...offer });
    } catch (thrown) {
      if (!(thrown instanceof OfferError)) throw thrown;
      this.#send({ type: 'offer-refused', message: thrown.message, ...offer });
    }
  }

  #fallBack(): void {
    this.#leg.switchToWebSocket();
    this.#webRtc?.close();
    this.#chosen();
  }

  #chosen(): void {
    const choosing = this.#choosing;
    this.#choosing = null;
    choosing?.timer.cancel();
    for (const answer of choosing?.waiting ?? []) answer();
  }

  #send(message: DownMessage): void {
    if (this.#connection !== null) this.#connection.send(message);
    else if (this.#end === null && this.#unsent.length < 200) this.#unsent.push(message);
  }

  #over(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#timer?.cancel();
    this.#leg.end();
    this.#chosen();
    this.#tools.abandon();
    this.#options.release();
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    // The listener sends the end of the call to the page, which requires the open connection.
    onEnd?.(end);
    this.#connection?.listen(null);
    this.#connection?.close();
    this.#connection = null;
  }
}

function toMessage(event: DisplayEvent): DownMessage {
  if (event.type !== 'user-text') return event;
  return { type: 'user-text', text: event.text, final: event.isFinal };
}
