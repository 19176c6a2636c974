import type { ClientOptions } from 'ws';
import { objectOf } from '../../provider-servers/local-server.ts';
import { CarrierCall, type CarrierCallOptions, type CarrierMessage } from '../carrier-call.ts';
import { uuidOf } from '../carrier-server.ts';
import type { StreamPlayback } from '../stream-playback.ts';
import { fieldsOf, unescapedXml } from '../texts.ts';

/** Maximum size in bytes of the audio of one `playAudio` message. */
const maxAudioBytes = 16_000;

/** Plivo's side of a call: executes XML documents, and reports checkpoints only when they were played. */
export class PlivoCall extends CarrierCall {
  readonly #streamId: string;
  #sequence = 1;

  constructor(id: string, options: CarrierCallOptions) {
    super(id, { ...options, returnsClearedMarks: false });
    this.#streamId = uuidOf(`stream ${id}`);
  }

  /** Executes an XML document, as far as the service uses Plivo's XML. */
  execute(xml: string): void {
    const [, attributes = '', url] = /<Stream ([^>]*)>([^<]*)<\/Stream>/.exec(xml) ?? [];
    const dialed = /<Dial[^>]*><(?:Number|User)>([^<]*)</.exec(xml)?.[1];
    if (url !== undefined) {
      for (const needed of ['bidirectional="true"', 'keepCallAlive="true"', 'contentType="audio/x-mulaw;rate=8000"']) {
        if (!attributes.includes(needed)) throw new Error(`The stream has no ${needed}.`);
      }
      const { token } = this.options.faults ?? {};
      const named = unescapedXml(url);
      this.open(token === undefined ? named : named.replace(/[^/]*$/, token));
    } else if (dialed !== undefined) {
      this.transferredTo = unescapedXml(dialed);
      this.closeStream();
    } else {
      this.refused = /<Hangup reason="(?:busy|rejected)"/.test(xml);
      this.end();
    }
  }

  /** Requests the sub-protocol. The WebSocket client fails if the service does not confirm it. */
  protected override handshake(): ClientOptions & { readonly protocols: readonly string[] } {
    return { protocols: ['audio.plivo.com'] };
  }

  protected override numbered(message: object): object {
    return { sequenceNumber: this.#sequence++, streamId: this.#streamId, ...message };
  }

  protected startMessages(): readonly object[] {
    const start = {
      callId: this.id,
      streamId: this.#streamId,
      accountId: 'MAXXXXXXXXXXXXXXXXXX',
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000 },
    };
    return [{ event: 'start', start, extra_headers: '' }];
  }

  /** Returns no messages: Plivo ends a stream by closing its connection. */
  protected stopMessages(): readonly object[] {
    return [];
  }

  protected audioMessage(frame: Uint8Array, chunk: number): CarrierMessage {
    const timestamp = String(1_705_312_200_000 + (chunk - 1) * 20);
    const payload = Buffer.from(frame).toString('base64');
    return { event: 'media', media: { track: 'inbound', timestamp, chunk, payload } };
  }

  protected keyMessage(digit: string): CarrierMessage {
    return { event: 'dtmf', dtmf: { track: 'inbound', digit, timestamp: '1705312200000' } };
  }

  protected markMessage(name: string): CarrierMessage {
    return { event: 'playedStream', name };
  }

  protected receive(data: Buffer, isBinary: boolean, playback: StreamPlayback): void {
    const message = isBinary ? {} : objectOf(String(data));
    switch (message.event) {
      case 'playAudio': {
        const { contentType, sampleRate, payload } = fieldsOf(message.media);
        const audio = Buffer.from(String(payload), 'base64');
        if (contentType !== 'audio/x-mulaw' || sampleRate !== 8_000 || audio.length > maxAudioBytes) {
          throw new Error(`Plivo does not play ${String(contentType)} at ${String(sampleRate)} Hz.`);
        }
        playback.push(audio);
        return;
      }
      case 'checkpoint':
        this.#check(message);
        this.marks.push(String(message.name));
        playback.mark(String(message.name));
        return;
      case 'clearAudio':
        this.#check(message);
        playback.clear();
        this.send({ event: 'clearedAudio' });
        return;
      case 'sendDTMF':
        this.keys += String(message.dtmf);
        return;
      default:
        throw new Error(`Plivo does not know the event ${String(message.event)}.`);
    }
  }

  #check({ streamId }: Record<string, unknown>): void {
    if (streamId !== this.#streamId) throw new Error('Plivo ignores this message without the id of the stream.');
  }
}
