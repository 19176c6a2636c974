import { legAudio } from '@va/media';
import { objectOf } from '../../provider-servers/local-server.ts';
import { CarrierCall, type CarrierCallOptions, type CarrierMessage } from '../carrier-call.ts';
import type { StreamPlayback } from '../stream-playback.ts';
import { fieldsOf } from '../texts.ts';

/** Each n-th chunk is overtaken by the next one. */
const overtakenEvery = 7;

/** A call at Telnyx: it continues when its stream ends, and chunks may overtake each other. */
export class TelnyxCall extends CarrierCall {
  readonly #sessionId: string;
  #sequence = 1;
  #overtaken: object | null = null;

  constructor(id: string, sessionId: string, options: CarrierCallOptions) {
    super(id, options);
    this.#sessionId = sessionId;
  }

  /** Opens the media stream that a request asked for. */
  stream(url: string, codec: unknown): void {
    this.encoding = codec === 'L16' ? 'pcm16' : 'pcmu';
    const { token } = this.options.faults ?? {};
    this.open(token === undefined ? url : url.replace(/[^/]*$/, token));
  }

  transfer(to: string): void {
    this.transferredTo = to;
  }

  protected override streamClosed(): void {}

  protected override send(message: CarrierMessage): void {
    const overtaken = this.#overtaken;
    const chunk = typeof message === 'object' && 'media' in message ? fieldsOf(message.media).chunk : undefined;
    if (chunk !== undefined && Number(chunk) % overtakenEvery === 0) {
      this.#overtaken = message as object;
      return;
    }
    super.send(message);
    if (overtaken === null) return;
    this.#overtaken = null;
    super.send(overtaken);
  }

  protected override numbered(message: object): object {
    return { sequence_number: String(this.#sequence++), stream_id: `stream-${this.id}`, ...message };
  }

  protected startMessages(): readonly object[] {
    const start = {
      user_id: 'user',
      call_control_id: this.id,
      call_session_id: this.#sessionId,
      media_format: {
        encoding: this.encoding === 'pcm16' ? 'L16' : 'PCMU',
        sample_rate: legAudio[this.encoding].sampleRateHz,
        channels: 1,
      },
    };
    return [
      { event: 'connected', version: '1.0.0' },
      { event: 'start', start },
    ];
  }

  protected stopMessages(): readonly object[] {
    return [{ event: 'stop', stop: { call_control_id: this.id } }];
  }

  protected audioMessage(frame: Uint8Array, chunk: number): CarrierMessage {
    const payload = this.#onWire(Buffer.from(frame)).toString('base64');
    const media = { track: 'inbound', chunk: String(chunk), timestamp: String((chunk - 1) * 20), payload };
    return { event: 'media', media };
  }

  /** Swaps the bytes of L16, unless its samples are little-endian. */
  #onWire(audio: Buffer): Buffer {
    const isSwapped = this.encoding === 'pcm16' && this.options.faults?.littleEndian !== true;
    return isSwapped ? audio.swap16() : audio;
  }

  protected keyMessage(digit: string): CarrierMessage {
    return { event: 'dtmf', dtmf: { digit } };
  }

  protected markMessage(name: string): CarrierMessage {
    return { event: 'mark', mark: { name } };
  }

  protected receive(data: Buffer, isBinary: boolean, playback: StreamPlayback): void {
    const message = isBinary ? {} : objectOf(String(data));
    switch (message.event) {
      case 'media': {
        const audio = Buffer.from(String(fieldsOf(message.media).payload), 'base64');
        const audioMs = audio.length / legAudio[this.encoding].bytesPerMs;
        if (audioMs < 20) throw new Error(`Error 100004: a payload has 20 ms at least, not ${audioMs}.`);
        playback.push(this.#onWire(audio));
        return;
      }
      case 'mark': {
        const name = String(fieldsOf(message.mark).name);
        this.marks.push(name);
        playback.mark(name);
        return;
      }
      case 'clear':
        playback.clear();
        return;
      default:
        throw new Error(`Error 100003: Telnyx does not know the event ${String(message.event)}.`);
    }
  }
}
