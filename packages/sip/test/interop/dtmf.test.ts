import { createSipCaller } from '@va/testkit/sip-caller';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { until } from '../support/until.ts';

let telephony: SipTelephony;
let host: AnsweringHost;

beforeEach(async () => {
  host = new AnsweringHost();
  telephony = sip({ listen: ['udp://127.0.0.1:0'] });
  await telephony.start(host);
});
afterEach(() => telephony.close());

it.each(['pcmu', 'pcma'] as const)('each DTMF digit sent to a caller arrives once in a call with %s', async (codec) => {
  const answered = host.answered();
  const uri = `sip:+31201234567@127.0.0.1:${telephony.addresses[0]?.port}`;
  const call = await createSipCaller().dial(uri, { codec });
  const leg = await (await answered).leg;
  // Paced by the caller's packets.
  leg.onFrame(() => leg.send(new Uint8Array(160).fill(0x2a)));
  leg.sendDtmf?.('19*#A', 80);
  leg.sendDtmf?.('00', 120);
  await until(() => call.heard().digits.length === 7, 'all digits are heard', 10_000);
  const frames = call.heard().frames.length;
  await until(() => call.heard().frames.length > frames + 5, 'the audio goes on');
  await call.hangup();
  expect(
    call
      .heard()
      .digits.map(({ digit }) => digit)
      .join(''),
  ).toBe('19*#A00');
  // A digit whose packets pause for 150 ms on a loaded machine ends early, but no digit is longer than it was pressed.
  const durationsMs = call.heard().digits.map(({ durationMs }) => durationMs);
  expect(Math.max(...durationsMs.slice(0, 5))).toBe(80);
  expect(Math.max(...durationsMs.slice(5))).toBe(120);
});
