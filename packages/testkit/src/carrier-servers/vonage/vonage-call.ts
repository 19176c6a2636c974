import { decodeG711, encodeG711, legAudio } from '@va/media';
import { objectOf } from '../../provider-servers/local-server.ts';
import { CarrierCall, type CarrierCallOptions, type CarrierMessage } from '../carrier-call.ts';
import type { StreamPlayback } from '../stream-playback.ts';
import { fieldsOf } from '../texts.ts';

const contentType = /^audio\/l16;rate=(8000|16000)$/;

/** Vonage's side of a call: executes NCCOs (Nexmo call control objects). */
export class VonageCall extends CarrierCall {
  constructor(id: string, options: CarrierCallOptions) {
    super(id, { ...options, returnsClearedMarks: false });
  }

  /** Executes an NCCO, as far as the service uses its actions. */
  execute(ncco: unknown): void {
    const [first] = Array.isArray(ncco) ? ncco : [];
    const { action, endpoint } = fieldsOf(first);
    const target = fieldsOf(Array.isArray(endpoint) ? endpoint[0] : null);
    if (first === undefined) {
      this.refused = true;
      this.end();
    } else if (action === 'connect' && target.type === 'websocket') {
      const [, rate] = contentType.exec(String(target['content-type'])) ?? [];
      if (rate === undefined) throw new Error('The content type of the WebSocket is wrong.');
      this.encoding = rate === '16000' ? 'pcm16' : 'pcmu';
      const { token } = this.options.faults ?? {};
      const uri = String(target.uri);
      this.open(token === undefined ? uri : uri.replace(/[^/]*$/, token));
    } else if (action === 'connect') {
      this.transferredTo = target.type === 'phone' ? `+${String(target.number)}` : String(target.uri);
      this.closeStream();
    } else throw new Error(`Vonage does not know the action ${String(action)}.`);
  }

  get #rateHz(): number {
    return legAudio[this.encoding].sampleRateHz;
  }

  protected startMessages(): readonly object[] {
    return [{ event: 'websocket:connected', 'content-type': `audio/l16;rate=${this.#rateHz}` }];
  }

  protected stopMessages(): readonly object[] {
    return [];
  }

  protected audioMessage(frame: Uint8Array): CarrierMessage {
    if (this.encoding === 'pcm16') return Uint8Array.from(frame);
    const samples = decodeG711('pcmu', frame);
    return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  }

  protected keyMessage(digit: string): CarrierMessage {
    return { event: 'websocket:dtmf', digit, duration: 260 };
  }

  protected markMessage(name: string): CarrierMessage {
    return { event: 'websocket:notify', payload: { mark: name } };
  }

  protected receive(data: Buffer, isBinary: boolean, playback: StreamPlayback): void {
    if (isBinary) {
      const frameBytes = this.#rateHz / 25;
      if (data.length !== frameBytes) throw new Error(`A message has ${frameBytes} bytes, not ${data.length}.`);
      if (this.encoding === 'pcm16') {
        playback.push(data);
        return;
      }
      const samples = new Int16Array(data.length / 2);
      for (let n = 0; n < samples.length; n++) samples[n] = data.readInt16LE(2 * n);
      playback.push(encodeG711('pcmu', samples));
      return;
    }
    const message = objectOf(String(data));
    if (message.action === 'clear') {
      playback.clear();
      this.send({ event: 'websocket:cleared' });
    } else if (message.action === 'notify') {
      const name = String(fieldsOf(message.payload).mark);
      this.marks.push(name);
      playback.mark(name);
    } else throw new Error(`Vonage does not know the action ${String(message.action)}.`);
  }
}
