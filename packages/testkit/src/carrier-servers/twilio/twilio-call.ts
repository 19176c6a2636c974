import type { ClientOptions } from 'ws';
import { objectOf } from '../../provider-servers/local-server.ts';
import { CarrierCall, type CarrierCallOptions, type CarrierMessage } from '../carrier-call.ts';
import type { StreamPlayback } from '../stream-playback.ts';
import { fieldsOf, unescapedXml } from '../texts.ts';
import { twilioSignature } from './twilio-signature.ts';

/** Options of a call at the Twilio server, with the account that signs its webhooks. */
interface TwilioCallOptions extends CarrierCallOptions {
  readonly accountSid: string;
  readonly authToken: string;
}

/** Twilio's side of a call: executes TwiML documents. */
export class TwilioCall extends CarrierCall {
  readonly #account: TwilioCallOptions;
  readonly #streamSid: string;
  #sequence = 1;
  /** Token of the document that connected the stream. */
  token = '';

  constructor(sid: string, options: TwilioCallOptions) {
    super(sid, options);
    this.#account = options;
    this.#streamSid = `MZ${sid.slice(2)}`;
  }

  /** Executes a TwiML document, as far as the service uses TwiML. */
  execute(twiml: string): void {
    const dialed = /<Dial[^>]*><(?:Number|Sip)>([^<]*)</.exec(twiml)?.[1];
    const url = /<Connect><Stream url="([^"]*)"/.exec(twiml)?.[1];
    const token = /<Parameter name="token" value="([^"]*)"/.exec(twiml)?.[1];
    if (url !== undefined) {
      if (/[?#]/.test(url)) throw new Error(`Error 31920: a stream's URL has no query, but this one has: ${url}`);
      this.token = token ?? '';
      this.open(unescapedXml(url));
    } else if (dialed !== undefined) {
      this.transferredTo = unescapedXml(dialed);
      for (const message of this.stopMessages()) this.send(message);
      this.closeStream();
    } else {
      this.refused = /<Reject reason="(?:busy|rejected)"/.test(twiml);
      this.end();
    }
  }

  protected override handshake(url: string): ClientOptions {
    const { authToken, faults } = this.#account;
    const secret = faults?.forgesStream === true ? 'forged' : authToken;
    return { headers: { 'x-twilio-signature': twilioSignature(secret, url) } };
  }

  protected override numbered(message: object): object {
    return { sequenceNumber: String(this.#sequence++), streamSid: this.#streamSid, ...message };
  }

  protected startMessages(): readonly object[] {
    const { accountSid, faults } = this.#account;
    const start = {
      accountSid,
      callSid: this.id,
      streamSid: this.#streamSid,
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
      customParameters: { token: faults?.token ?? this.token },
    };
    return [
      { event: 'connected', protocol: 'Call', version: '1.0.0' },
      { event: 'start', streamSid: this.#streamSid, start },
    ];
  }

  protected stopMessages(): readonly object[] {
    return [{ event: 'stop', stop: { accountSid: this.#account.accountSid, callSid: this.id } }];
  }

  protected audioMessage(frame: Uint8Array, chunk: number): CarrierMessage {
    const media = {
      track: 'inbound',
      chunk: String(chunk),
      timestamp: String((chunk - 1) * 20),
      payload: Buffer.from(frame).toString('base64'),
    };
    return { event: 'media', media };
  }

  protected keyMessage(digit: string): CarrierMessage {
    return { event: 'dtmf', dtmf: { track: 'inbound_track', digit } };
  }

  protected markMessage(name: string): CarrierMessage {
    return { event: 'mark', mark: { name } };
  }

  protected receive(data: Buffer, isBinary: boolean, playback: StreamPlayback): void {
    const message = isBinary ? {} : objectOf(String(data));
    if (message.streamSid !== this.#streamSid) throw new Error('Twilio ignores messages without the stream’s SID.');
    switch (message.event) {
      case 'media':
        playback.push(Buffer.from(String(fieldsOf(message.media).payload), 'base64'));
        return;
      case 'mark':
        this.marks.push(String(fieldsOf(message.mark).name));
        playback.mark(String(fieldsOf(message.mark).name));
        return;
      case 'clear':
        playback.clear();
        return;
      default:
        throw new Error(`Twilio does not know the event ${String(message.event)}.`);
    }
  }
}
