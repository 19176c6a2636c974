/** A browser's WebSocket whose far end is the test. */
export class FakeWebSocket {
  static readonly OPEN = 1;
  static readonly all: FakeWebSocket[] = [];
  readonly url: string;
  readyState = 0;
  binaryType = 'blob';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null = null;
  onclose: (() => void) | null = null;
  /** Messages of the page: parsed JSON, or the bytes of audio. */
  readonly sent: unknown[] = [];
  closeCode: number | undefined;

  constructor(url: string) {
    this.url = url;
    FakeWebSocket.all.push(this);
  }

  /** Returns the connection that was opened last. */
  static get last(): FakeWebSocket {
    const last = FakeWebSocket.all.at(-1);
    if (last === undefined) throw new Error('No WebSocket was opened.');
    return last;
  }

  send(data: string | Uint8Array): void {
    this.sent.push(typeof data === 'string' ? JSON.parse(data) : data);
  }

  close(code?: number): void {
    this.readyState = 3;
    this.closeCode = code;
  }

  open(): void {
    this.readyState = FakeWebSocket.OPEN;
    this.onopen?.();
  }

  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  receiveAudio(sequence: number, frame: Uint8Array): void {
    const data = new Uint8Array(4 + frame.length);
    new DataView(data.buffer).setUint32(0, sequence);
    data.set(frame, 4);
    this.onmessage?.({ data: data.buffer });
  }

  /** Ends the connection without a close of the page. */
  lose(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

/** The service's response to `hello` and `resume`. */
export const ready = {
  ...{ type: 'ready', version: 1, call_id: 'c', resume_secret: 's', resume_url: null, resume_within_ms: 10_000 },
  audio: { encoding: 'pcmu', sample_rate: 8_000, frame_ms: 20 },
} as const;
