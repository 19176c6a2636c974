import { type SipTelephony, sip } from '@va/sip';
import { EchoHost } from '@va/test-servers/sip-peers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSipCaller } from '../../src/sip-caller/index.ts';

function tone(ms: number): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, i) => Math.round(8_000 * Math.sin((2 * Math.PI * 440 * i) / 8_000)));
}

describe.each(['udp', 'tcp'] as const)('SIP caller over %s', (transport) => {
  let telephony: SipTelephony;
  let host: EchoHost;
  let uri: string;

  beforeEach(async () => {
    host = new EchoHost();
    // Media runs in this thread, so that no frame arrives before the listener is registered: each one is counted.
    telephony = sip({ listen: [`${transport}://127.0.0.1:0`], mediaWorkers: 0 });
    await telephony.start(host);
    uri = `sip:+31201234567@127.0.0.1:${telephony.addresses[0]?.port}`;
  });
  afterEach(() => telephony.close());

  it.each(['pcmu', 'pcma'] as const)('receives its own words from an echo in %s', async (codec) => {
    const call = await createSipCaller().dial(uri, { transport, codec });
    const spoken = await call.say(tone(300));
    const heardAtMs = await call.waitForSpeech();
    const loud = () => call.heard().frames.filter((frame) => frame.loud);
    await vi.waitFor(() => expect(loud()).toHaveLength(15));
    const silentSinceMs = await call.waitForSilence({ ms: 100 });
    await call.hangup();
    expect(spoken.complete).toBe(true);
    expect(loud()).toHaveLength(15);
    expect(heardAtMs).toBe(loud()[0]?.atMs);
    expect(heardAtMs).toBeGreaterThanOrEqual(spoken.startedAtMs);
    expect(silentSinceMs).toBe(loud().at(-1)?.atMs);
    expect(silentSinceMs).toBeGreaterThanOrEqual(spoken.endedAtMs);
    expect(host.ends).toEqual([{ cause: 'remote-hangup' }]);
    expect(await call.ended).toMatchObject({ by: 'caller' });
  });

  it('sends DTMF digits that arrive once each', async () => {
    const call = await createSipCaller().dial(uri, { transport });
    await call.sendDtmf('12#');
    await call.hangup();
    expect(host.digits).toEqual(['1', '2', '#']);
    expect(host.lost).toBe(0);
  });

  it('reports a hang-up of the far end', async () => {
    const call = await createSipCaller().dial(uri, { transport });
    host.calls[0]?.hangup();
    expect(await call.ended).toMatchObject({ by: 'far-end' });
    await expect(call.waitForSpeech()).rejects.toMatchObject({ code: 'caller_wait_failed' });
    expect(host.ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('vanishes without a message', async () => {
    const call = await createSipCaller().dial(uri, { transport });
    await call.vanish();
    expect(await call.ended).toMatchObject({ by: 'caller' });
    expect(host.ends).toEqual([]);
  });

  it('reports the reason of a rejection', async () => {
    host.full = true;
    await expect(createSipCaller().dial(uri, { transport })).rejects.toMatchObject({ code: 'call_refused' });
  });
});
