import { createHmac } from 'node:crypto';
import { WebSocket } from 'ws';
import { hrClock } from '../support/hr-clock.ts';
import { frameMs, type Phone } from '../support/phones/phone.ts';
import { type Line, PhoneBank } from '../support/phones/phone-bank.ts';
import { twilioAccount, twilioNumber } from './settings.ts';

/** A carrier plays audio this long after its arrival at an empty queue. */
const playoutDelayMs = 100;

/**
 * Callers behind Twilio: a signed webhook, and a media stream whose marks come back when the audio before them was
 * played.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
export class TwilioPhones extends PhoneBank {
  readonly #voiceUrl: string;
  readonly #sockets: WebSocket[] = [];

  constructor(mountUrl: string) {
    super('utterance');
    this.#voiceUrl = `${mountUrl}/telephony/twilio/voice`;
  }

  async close(): Promise<void> {
    const closed = this.#sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.#sockets) socket.close(1000);
    await Promise.all(closed);
  }

  protected async connect(index: number, phone: Phone): Promise<Line> {
    const callSid = `CA${String(index).padStart(32, '0')}`;
    const streamSid = `MZ${String(index).padStart(32, '0')}`;
    const twiml = await this.#announce(callSid, `+316${String(index).padStart(8, '0')}`);
    const url = /<Stream url="([^"]*)"/.exec(twiml)?.[1];
    const token = /name="token" value="([^"]*)"/.exec(twiml)?.[1];
    if (url === undefined || token === undefined) throw new Error(`A call was refused: ${twiml}`);
    const headers = { 'x-twilio-signature': signature(url, {}) };
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.#sockets.push(socket);
    await new Promise((resolve) => socket.once('open', resolve));
    const send = (message: object): void => socket.send(JSON.stringify(message));
    const start = { callSid, streamSid, tracks: ['inbound'], customParameters: { token } };
    send({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    send({ event: 'start', sequenceNumber: '1', streamSid, start });
    await new Promise<void>((resolve) => {
      this.#listen(socket, phone, () => resolve());
    });
    return { phone, send: sender(socket, streamSid) };
  }

  /** Returns the service's answer to an incoming call. */
  async #announce(callSid: string, from: string): Promise<string> {
    const form = {
      ...{ AccountSid: twilioAccount.sid, ApiVersion: '2010-04-01', CallSid: callSid, CallStatus: 'ringing' },
      ...{ Direction: 'inbound', From: from, To: twilioNumber },
    };
    const response = await fetch(this.#voiceUrl, {
      method: 'POST',
      headers: { 'x-twilio-signature': signature(this.#voiceUrl, form) },
      body: new URLSearchParams(form),
    });
    return await response.text();
  }

  #listen(socket: WebSocket, phone: Phone, onFirst: () => void): void {
    let playedAtMs = 0;
    let marks: { readonly text: string; readonly timer: NodeJS.Timeout }[] = [];
    const giveBack = (text: string): void => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    };
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(String(data)) as {
        readonly event: string;
        readonly media?: { readonly payload: string };
      };
      if (message.media !== undefined) {
        onFirst();
        playedAtMs = Math.max(playedAtMs, hrClock.nowMs() + playoutDelayMs) + frameMs;
        this.hear(phone, Buffer.from(message.media.payload, 'base64'), 0);
      } else if (message.event === 'mark') {
        const text = String(data);
        const timer = setTimeout(() => {
          marks = marks.filter((each) => each.timer !== timer);
          giveBack(text);
        }, playedAtMs - hrClock.nowMs());
        marks.push({ text, timer });
      } else if (message.event === 'clear') {
        playedAtMs = 0;
        for (const { text, timer } of marks) {
          clearTimeout(timer);
          giveBack(text);
        }
        marks = [];
      }
    });
  }
}

function sender(socket: WebSocket, streamSid: string): (frame: Uint8Array) => void {
  const payloads = new WeakMap<Uint8Array, string>();
  let chunk = 0;
  return (frame) => {
    const payload = payloads.get(frame) ?? Buffer.from(frame).toString('base64');
    payloads.set(frame, payload);
    chunk += 1;
    const timestamp = (chunk - 1) * frameMs;
    const media = `{"track":"inbound","chunk":"${chunk}","timestamp":"${timestamp}","payload":"${payload}"}`;
    const head = `{"event":"media","sequenceNumber":"${chunk + 1}","streamSid":"${streamSid}"`;
    if (socket.readyState === socket.OPEN) socket.send(`${head},"media":${media}}`);
  };
}

/** @see https://www.twilio.com/docs/usage/security */
function signature(url: string, form: Readonly<Record<string, string>>): string {
  const fields = Object.entries(form)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((field) => field.join(''));
  return createHmac('sha1', twilioAccount.token)
    .update(url + fields.join(''))
    .digest('base64');
}
