import { tone } from '@va/test-servers/audio';
import { EchoHost } from '@va/test-servers/sip-peers';
import { createSipCaller } from '@va/testkit/sip-caller';
import { expect, it } from 'vitest';
import { sip } from '../src/sip.ts';
import { until } from './support/until.ts';

const ours = ['UDPWrap', 'TCPServerWrap', 'TCPSocketWrap', 'Timeout'];

function handles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => ours.includes(name));
}

it.each(['udp', 'tcp'] as const)(
  'agent leaves no socket and no timer behind when it closes with calls over %s',
  async (transport) => {
    const before = handles();
    const host = new EchoHost();
    const telephony = sip({ listen: ['udp://127.0.0.1:0', 'tcp://127.0.0.1:0'] });
    await telephony.start(host);
    const port = telephony.addresses.find((each) => each.transport === transport)?.port;
    const calls = await Promise.all(
      [1, 2, 3].map(() => createSipCaller().dial(`sip:+31201234567@127.0.0.1:${port}`, { transport })),
    );
    await Promise.all(calls.map((call) => call.say(tone(100))));
    await calls[0]?.hangup();
    await calls[1]?.vanish();
    await telephony.close();
    expect(await calls[2]?.ended).toMatchObject({ by: 'far-end' });
    await calls[2]?.hangup();
    await until(() => handles().length <= before.length, `only ${before} are left of ${handles()}`);
    expect(host.ends).toHaveLength(3);
  },
);
