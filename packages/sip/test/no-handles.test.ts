import { type Clock, systemClock, type Timer } from '@va/core/adapter';
import { tone } from '@va/test-servers/audio';
import { EchoHost } from '@va/test-servers/sip-peers';
import { createSipCaller } from '@va/testkit/sip-caller';
import { expect, it } from 'vitest';
import { sip } from '../src/sip.ts';
import { until } from './support/until.ts';

/** The system's clock, with the timers that are pending. */
class CountingClock implements Clock {
  readonly pending = new Set<Timer>();

  nowMs(): number {
    return systemClock.nowMs();
  }

  wallMs(): number {
    return systemClock.wallMs();
  }

  setTimer(delayMs: number, run: () => void): Timer {
    const set = systemClock.setTimer(delayMs, () => {
      this.pending.delete(timer);
      run();
    });
    const timer: Timer = {
      cancel: () => {
        this.pending.delete(timer);
        set.cancel();
      },
    };
    this.pending.add(timer);
    return timer;
  }
}

class CountingHost extends EchoHost {
  override readonly clock = new CountingClock();
}

const socketTypes = ['UDPWrap', 'TCPServerWrap', 'TCPSocketWrap'];

function sockets(): number {
  return process.getActiveResourcesInfo().filter((name) => socketTypes.includes(name)).length;
}

it.each(['udp', 'tcp'] as const)(
  'agent leaves no socket and no timer behind when it closes with calls over %s',
  async (transport) => {
    const before = sockets();
    const host = new CountingHost();
    const telephony = sip({ listen: ['udp://127.0.0.1:0', 'tcp://127.0.0.1:0'], mediaWorkers: 0 });
    await telephony.start(host);
    const port = telephony.addresses.find((each) => each.transport === transport)?.port;
    const calls = await Promise.all(
      [1, 2, 3].map(() => createSipCaller().dial(`sip:+31201234567@127.0.0.1:${port}`, { transport })),
    );
    await Promise.all(calls.map((call) => call.say(tone(100))));
    await calls[0]?.hangup();
    await calls[1]?.vanish();
    expect(host.clock.pending.size).toBeGreaterThan(0);
    await telephony.close();
    await until(() => host.clock.pending.size === 0, 'all timers are canceled');
    expect(await calls[2]?.ended).toMatchObject({ by: 'far-end' });
    await calls[2]?.hangup();
    await until(() => sockets() <= before, 'all sockets are closed');
    expect(host.ends).toHaveLength(3);
  },
);
