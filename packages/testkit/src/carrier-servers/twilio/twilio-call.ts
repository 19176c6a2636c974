import type { Clock } from '@va/core/adapter';
import { WebSocket } from 'ws';
import { objectOf, textOf } from '../../provider-servers/local-server.ts';
import { StreamPlayback } from '../stream-playback.ts';
import { twilioSignature } from './twilio-signature.ts';

export interface TwilioCallOptions {
  readonly accountSid: string;
  readonly authToken: string;
  readonly clock: Clock;
  /** Faults of the media stream; none by default. */
  readonly faults?: TwilioStreamFaults | undefined;
}

export interface TwilioStreamFaults {
  /** Presents this token in place of the one of the document. */
  readonly token?: string;
  /** Signs the upgrade with this token in place of the account's. */
  readonly authToken?: string;
  /** Leaves out each n-th frame of the caller. */
  readonly losesEvery?: number;
}

/** A call as Twilio has it: executes TwiML documents, and plays the stream's audio to its phone. */
export class TwilioCall {
  readonly sid: string;
  readonly #options: TwilioCallOptions;
  #socket: WebSocket | null = null;
  #playback: StreamPlayback | null = null;
  #chunk = 0;
  #sequence = 1;
  #streamSid = '';
  /** Destination that a `<Dial>` has connected; null without. */
  dialed: string | null = null;
  /** `busy` or `rejected` for a refused call; null otherwise. */
  refused: string | null = null;
  /** URL of the stream, once a document has named it. */
  streamUrl = '';
  /** Token of the document that connected the stream. */
  token = '';
  /** True once the call is over. */
  ended = false;
  /** Names of the marks that the service has sent. */
  readonly marks: string[] = [];
  #onEnd: () => void = () => {};
  #onStream: () => void = () => {};

  constructor(sid: string, options: TwilioCallOptions) {
    this.sid = sid;
    this.#options = options;
  }

  /** Audio that the phone has heard, in frames of 20 ms. */
  get heard(): readonly Uint8Array[] {
    return this.#playback?.played ?? [];
  }

  /** Most frames that were queued at once. */
  get mostQueued(): number {
    return this.#playback?.mostQueued ?? 0;
  }

  /** Number of `clear` messages. */
  get cleared(): number {
    return this.#playback?.cleared ?? 0;
  }

  get isStreaming(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  /** Calls the listener when the media stream has started. */
  onStream(listener: () => void): void {
    this.#onStream = listener;
  }

  /** Executes a TwiML document, as far as the service uses TwiML. */
  execute(twiml: string): void {
    const refused = /<Reject reason="(\w+)"/.exec(twiml)?.[1];
    const dialed = /<Dial[^>]*><(?:Number|Sip)>([^<]*)</.exec(twiml)?.[1];
    const url = /<Stream url="([^"]*)"/.exec(twiml)?.[1];
    const token = /<Parameter name="token" value="([^"]*)"/.exec(twiml)?.[1] ?? '';
    this.token = token === '' ? this.token : token;
    if (url !== undefined) this.#stream(unescaped(url), token);
    else if (dialed !== undefined) this.#dial(unescaped(dialed));
    else {
      this.refused = refused ?? null;
      this.end();
    }
  }

  /** Sends 20 ms of the phone's audio. */
  say(frame: Uint8Array): void {
    this.#chunk += 1;
    const every = this.#options.faults?.losesEvery;
    if (every !== undefined && this.#chunk % every === 0) return;
    const media = {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp: String((this.#chunk - 1) * 20),
      payload: Buffer.from(frame).toString('base64'),
    };
    this.#send({ event: 'media', media });
  }

  press(digit: string): void {
    this.#send({ event: 'dtmf', dtmf: { track: 'inbound_track', digit } });
  }

  hangUp(): void {
    this.#send({ event: 'stop', stop: { accountSid: this.#options.accountSid, callSid: this.sid } });
    this.#socket?.close();
    this.end();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.#playback?.stop();
    this.#socket?.close();
    this.#onEnd();
  }

  #dial(destination: string): void {
    this.dialed = destination;
    this.#send({ event: 'stop', stop: { accountSid: this.#options.accountSid, callSid: this.sid } });
    const socket = this.#socket;
    this.#socket = null;
    this.#playback?.stop();
    socket?.close();
  }

  #stream(url: string, token: string): void {
    const { accountSid, authToken, clock, faults } = this.#options;
    if (/[?#]/.test(url)) throw new Error(`Error 31920: a stream's URL has no query, but this one has: ${url}`);
    this.streamUrl = url;
    const signature = twilioSignature(faults?.authToken ?? authToken, url);
    const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signature } });
    this.#socket = socket;
    this.#streamSid = `MZ${this.sid.slice(2)}`;
    const playback = new StreamPlayback(clock, (name) => this.#send({ event: 'mark', mark: { name } }));
    this.#playback = playback;
    socket.on('open', () => {
      socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
      const start = {
        accountSid,
        callSid: this.sid,
        streamSid: this.#streamSid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: { token: faults?.token ?? token },
      };
      this.#send({ event: 'start', start });
      this.#onStream();
    });
    socket.on('message', (data) => this.#receive(objectOf(textOf(data)), playback));
    socket.on('error', () => {});
    // The document stands still at <Connect> until the stream ends; without a further verb the call is over.
    socket.on('close', () => {
      if (this.#socket === socket) this.end();
    });
  }

  #receive(message: Record<string, unknown>, playback: StreamPlayback): void {
    if (message.streamSid !== this.#streamSid) throw new Error('Twilio ignores messages without the stream’s SID.');
    const fields = (value: unknown): Record<string, unknown> =>
      typeof value === 'object' && value !== null ? { ...value } : {};
    switch (message.event) {
      case 'media':
        playback.push(Buffer.from(String(fields(message.media).payload), 'base64'));
        return;
      case 'mark':
        this.marks.push(String(fields(message.mark).name));
        playback.mark(String(fields(message.mark).name));
        return;
      case 'clear':
        playback.clear();
        return;
      default:
        throw new Error(`Twilio does not know the event ${String(message.event)}.`);
    }
  }

  #send(message: object): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const numbered = { sequenceNumber: String(this.#sequence++), streamSid: this.#streamSid };
    this.#socket.send(JSON.stringify({ ...numbered, ...message }));
  }
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => characters[name] ?? '');
}
