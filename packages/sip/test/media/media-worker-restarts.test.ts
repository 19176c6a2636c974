import { MediaWorkers, PortPool, systemRandom } from '@va/media';
import { killThreads, watchThreads } from '@va/test-servers/threads';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

watchThreads();

const address = '127.0.0.1';
let clock: VirtualClock;
let workers: MediaWorkers;

beforeEach(async () => {
  clock = new VirtualClock();
  const ports = new PortPool(undefined, systemRandom);
  workers = await MediaWorkers.start(1, ports, { clock, logger: silentLogger, opus: false });
});
afterEach(async () => {
  await workers.close();
});

async function expectNone(): Promise<void> {
  await expect(workers.open(address)).rejects.toMatchObject({ code: 'sip_media_worker' });
}

describe('a media worker that dies', () => {
  it('is replaced at once', async () => {
    await killThreads();
    expect((await workers.open(address)).port).toBeGreaterThan(0);
  });

  it('is replaced after 1 s, then 2 s, if its replacements die too', async () => {
    await killThreads();
    await workers.open(address);
    await killThreads();
    await expectNone();
    await clock.advance(1_000);
    await workers.open(address);
    await killThreads();
    await clock.advance(1_999);
    await expectNone();
    await clock.advance(1);
    expect((await workers.open(address)).port).toBeGreaterThan(0);
  });

  it('is replaced at once again after a minute without a death', async () => {
    await killThreads();
    await workers.open(address);
    await clock.advance(60_000);
    await killThreads();
    expect((await workers.open(address)).port).toBeGreaterThan(0);
  });

  it('is not replaced once the workers are closed', async () => {
    await killThreads();
    await workers.open(address);
    await killThreads();
    await workers.close();
    expect(clock.pending).toBe(0);
  });
});
