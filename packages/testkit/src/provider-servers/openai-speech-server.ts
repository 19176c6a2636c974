import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer, objectOf } from './local-server.ts';

/** A request for speech. */
export interface OpenAiSpeechRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request for a transcript. */
export interface OpenAiTranscriptionRequest {
  readonly headers: IncomingHttpHeaders;
  /** Text fields of the form. */
  readonly fields: Readonly<Record<string, string>>;
  /** The uploaded file. */
  readonly file: Uint8Array;
}

/** Fault of the next request to the OpenAI speech server. */
export type OpenAiSpeechFault =
  /** An error response; it may repeat the key, as gateways do. */
  | { readonly status: number; readonly code?: string; readonly repeatsKey?: boolean }
  /** Success without audio, or with an empty transcript. */
  | 'empty'
  /** Success with JSON of another shape. */
  | 'garbage'
  /** Audio in chunks of an odd number of bytes. */
  | 'odd-bytes'
  /** Never responds. */
  | 'hang'
  /** Sends the first chunk of the audio, and then nothing. */
  | 'stall'
  /** Sends audio without an end. */
  | 'endless';

/** Options of the OpenAI speech server. */
export interface OpenAiSpeechServerOptions {
  /** Transcripts in the order of the requests. Default: "turn". */
  readonly transcripts?: readonly string[];
}

const sampleRateHz = 24_000;
/** Audio per character of the input. */
const msPerCharacter = 20;
const chunkMs = 100;

/**
 * Speech and transcription of OpenAI and compatible services: `/v1/audio/speech` with streamed PCM of 24 kHz, and
 * `/v1/audio/transcriptions` for WAV files.
 *
 * @example const server = await OpenAiSpeechServer.start(); openaiSpeech({ baseURL: server.url })
 */
export class OpenAiSpeechServer {
  readonly spoken: OpenAiSpeechRequest[] = [];
  readonly transcribed: OpenAiTranscriptionRequest[] = [];
  readonly #server = new LocalServer();
  readonly #transcripts: string[];
  readonly #faults: OpenAiSpeechFault[] = [];

  constructor({ transcripts = [] }: OpenAiSpeechServerOptions = {}) {
    this.#transcripts = [...transcripts];
  }

  static async start(options: OpenAiSpeechServerOptions = {}): Promise<OpenAiSpeechServer> {
    const server = new OpenAiSpeechServer(options);
    server.#server.http.on('request', (request, response) => void server.#answer(request, response));
    await server.#server.listen();
    return server;
  }

  /** Base URL for the client. */
  get url(): string {
    return `http://${this.#server.host}/v1`;
  }

  /** Fails the next requests, one fault each. */
  failNext(...faults: OpenAiSpeechFault[]): void {
    this.#faults.push(...faults);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers, url } = request;
    const fault = this.#faults.shift();
    if (url === '/v1/audio/speech') {
      const body = objectOf(Buffer.concat(chunks).toString('utf8'));
      this.spoken.push({ headers, body });
      if (!failed(response, fault, headers)) await speak(response, body, fault);
    } else if (url === '/v1/audio/transcriptions') {
      const form = await readForm(headers, Buffer.concat(chunks));
      if (form === null) return sendError(response, 400, 'the body is not multipart/form-data');
      this.transcribed.push({ headers, ...form });
      if (!failed(response, fault, headers)) this.#transcribe(response, form, fault);
    } else sendError(response, 404, 'no such endpoint');
  }

  #transcribe(response: ServerResponse, { fields, file }: MultipartForm, fault: OpenAiSpeechFault | undefined): void {
    const invalid = invalidTranscription(fields, wavDurationMs(file));
    if (invalid !== null) sendError(response, 400, invalid);
    else if (fault === 'garbage') sendJson(response, 200, { segments: [] });
    else sendJson(response, 200, { text: fault === 'empty' ? '' : (this.#transcripts.shift() ?? 'turn') });
  }
}

function invalidTranscription({ model }: MultipartForm['fields'], durationMs: number | null): string | null {
  if (model === undefined) return 'model is required';
  if (durationMs === null) return 'the file is not PCM WAV of one channel';
  return durationMs < 100 ? 'the audio is shorter than 0.1 seconds' : null;
}

/** Responds with a fault that both endpoints have; returns false for other faults. */
function failed(
  response: ServerResponse,
  fault: OpenAiSpeechFault | undefined,
  { authorization }: IncomingHttpHeaders,
): boolean {
  if (fault === 'hang') return true;
  if (typeof fault !== 'object') return false;
  const said = fault.repeatsKey === true ? ` for ${authorization}` : '';
  sendError(response, fault.status, `Fault ${fault.status}${said}`, null, fault.code ?? null);
  return true;
}

async function speak(
  response: ServerResponse,
  { input, model, voice, response_format }: Readonly<Record<string, unknown>>,
  fault: OpenAiSpeechFault | undefined,
): Promise<void> {
  for (const [name, value] of Object.entries({ input, model, voice })) {
    if (typeof value !== 'string' || value === '') return sendError(response, 400, `${name} is required`, name);
  }
  if (String(input).length > 4_096) return sendError(response, 400, 'input has more than 4096 characters', 'input');
  if (response_format !== 'pcm') return sendError(response, 400, 'this server sends pcm only', 'response_format');
  if (fault === 'garbage') return sendJson(response, 200, { audio: [] });
  response.writeHead(200, { 'content-type': 'audio/pcm' });
  response.flushHeaders();
  const durationMs = fault === 'empty' ? 0 : String(input).length * msPerCharacter;
  const audio = toneOf(durationMs);
  const step = (chunkMs * sampleRateHz * 2) / 1_000 + (fault === 'odd-bytes' ? 1 : 0);
  for (let at = 0; at < audio.length && !response.destroyed; at += step) {
    response.write(audio.subarray(at, at + step));
    if (fault === 'stall') return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (fault === 'endless' && !response.destroyed) {
    response.write(toneOf(1_000));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

/** Returns a tone of 440 Hz as 16-bit PCM. */
function toneOf(durationMs: number): Uint8Array {
  const samples = Int16Array.from({ length: (durationMs * sampleRateHz) / 1_000 }, (_, at) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / sampleRateHz)),
  );
  return new Uint8Array(samples.buffer);
}

interface MultipartForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Uint8Array;
}

async function readForm(headers: IncomingHttpHeaders, body: Buffer): Promise<MultipartForm | null> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null);
  const file = form?.get('file');
  if (form === null || !(file instanceof Blob)) return null;
  const fields = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  return { fields, file: new Uint8Array(await file.arrayBuffer()) };
}

/** Returns the duration of a WAV file with a header of 44 bytes; null for other files. */
function wavDurationMs(file: Uint8Array): number | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tag = (at: number): string => Buffer.from(file.subarray(at, at + 4)).toString('latin1');
  if (file.length < 44 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE' || tag(36) !== 'data') return null;
  const isMonoPcm = view.getUint16(20, true) === 1 && view.getUint16(22, true) === 1;
  const bytes = view.getUint32(40, true);
  return isMonoPcm && bytes === file.length - 44 ? (bytes * 1_000) / view.getUint32(28, true) : null;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  param: string | null = null,
  code: string | null = null,
): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param, code } });
}
