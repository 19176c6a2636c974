import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { PortPool } from '../../src/rtp/port-pool.ts';
import { RtpLeg } from '../../src/rtp/rtp-leg.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';

const address = '127.0.0.1';
const min = 42_001;
const legs: RtpLeg[] = [];
let stranger: Socket | null = null;

function legOf(pool: PortPool): Promise<RtpLeg> {
  return pool.open(address, async (port) => {
    const onClosed = (): void => pool.release(port);
    const leg = await RtpLeg.open({ clock: systemClock, random: systemRandom, address, port, onClosed });
    legs.push(leg);
    return leg;
  });
}

afterEach(() => {
  for (const leg of legs.splice(0)) leg.close();
  stranger?.close();
  stranger = null;
});

describe('the RTP port pool', () => {
  it('provides the even ports of the range until none is left', async () => {
    const pool = new PortPool({ min, max: min + 3 }, systemRandom);
    const ports = [(await legOf(pool)).port, (await legOf(pool)).port];
    expect(ports.sort()).toEqual([42_002, 42_004]);
    await expect(legOf(pool)).rejects.toMatchObject({ code: 'rtp_port_unavailable' });
  });

  it('reuses released ports, the most recent ones last', async () => {
    const pool = new PortPool({ min, max: min + 15 }, systemRandom);
    const [first, second] = [await legOf(pool), await legOf(pool)];
    const recent = [first.port, second.port];
    first.close();
    second.close();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    for (let i = 0; i < 3; i++) expect(recent).not.toContain((await legOf(pool)).port);
    const others = [await legOf(pool), await legOf(pool), await legOf(pool), await legOf(pool), await legOf(pool)];
    expect(others.map(({ port }) => port)).toEqual(expect.arrayContaining(recent));
  });

  it.each([19, 999])('does not assign ports at equal distances in a range of %i', async (width) => {
    const pool = new PortPool({ min: 20_000, max: 20_000 + width }, systemRandom);
    const ports: number[] = [];
    for (let i = 0; i < 8; i++) ports.push(await pool.open(address, (port) => Promise.resolve(port)));
    const steps = ports.slice(1).map((port, i) => port - (ports[i] ?? 0));
    expect(new Set(ports).size).toBe(8);
    expect(steps.every((step) => step === steps[0])).toBe(false);
  });

  it('starts at a random port of the range', async () => {
    const pools = Array.from({ length: 20 }, () => new PortPool({ min: 20_000, max: 20_018 }, systemRandom));
    const firsts = await Promise.all(pools.map((pool) => pool.open(address, (port) => Promise.resolve(port))));
    expect(new Set(firsts).size).toBeGreaterThan(2);
  });

  it('skips ports that another program uses', async () => {
    const socket = createSocket('udp4');
    stranger = socket;
    await new Promise<void>((resolve) => void socket.bind(42_002, address, resolve));
    const pool = new PortPool({ min, max: min + 3 }, systemRandom);
    expect((await legOf(pool)).port).toBe(42_004);
    await expect(legOf(pool)).rejects.toMatchObject({ code: 'rtp_port_unavailable' });
  });

  it('uses a port of the operating system when there is no range', async () => {
    const pool = new PortPool(undefined, systemRandom);
    expect((await legOf(pool)).port).toBeGreaterThan(1_023);
  });
});
