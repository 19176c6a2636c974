import { createSocket, type Socket } from 'node:dgram';
import { systemClock, systemRandom } from '@va/core';
import { afterEach, describe, expect, it } from 'vitest';
import { PortPool } from '../../src/rtp/port-pool.ts';
import { RtpLeg } from '../../src/rtp/rtp-leg.ts';

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

describe('the ports for media', () => {
  it('are the even ones of the range, until there is none left', async () => {
    const pool = new PortPool({ min, max: min + 3 }, systemRandom);
    const ports = [(await legOf(pool)).port, (await legOf(pool)).port];
    expect(ports.sort()).toEqual([42_002, 42_004]);
    await expect(legOf(pool)).rejects.toMatchObject({ code: 'rtp_port_unavailable' });
  });

  it('are used again when they are free, the one that has been free longest first', async () => {
    const pool = new PortPool({ min, max: min + 5 }, systemRandom);
    const [first, second] = [await legOf(pool), await legOf(pool)];
    const { port } = first;
    first.close();
    second.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const third = await legOf(pool);
    expect(third.port).not.toBe(port);
    expect((await legOf(pool)).port).toBe(port);
  });

  it('that another program has are passed over', async () => {
    const socket = createSocket('udp4');
    stranger = socket;
    await new Promise<void>((resolve) => void socket.bind(42_002, address, resolve));
    const pool = new PortPool({ min, max: min + 3 }, systemRandom);
    expect((await legOf(pool)).port).toBe(42_004);
    await expect(legOf(pool)).rejects.toMatchObject({ code: 'rtp_port_unavailable' });
  });

  it('are what the system gives where there is no range', async () => {
    const pool = new PortPool(undefined, systemRandom);
    expect((await legOf(pool)).port).toBeGreaterThan(1_023);
  });
});
