import type { Storage } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { expect, it } from 'vitest';
import { campaignServices } from './campaign-services.ts';

const service = campaignServices();

it('the scheduler runs one pass per second, regardless of the number of campaigns', async () => {
  const storage = memory();
  let looks = 0;
  const watched: Storage = {
    ...storage,
    across: {
      ...storage.across,
      campaigns: {
        ...storage.across.campaigns,
        claim: async (claim) => {
          looks += 1;
          return await storage.across.campaigns.claim(claim);
        },
      },
    },
  };
  const my = await service({}, { storage: watched });
  for (let n = 0; n < 5; n += 1) await my.campaign(20, { calls_per_minute: 60, max_concurrent_calls: 50 });
  await my.clock.advance(1_000);
  const [before, dialed] = [looks, my.dialed.length];
  await my.clock.advance(10_000);
  expect(my.dialed.length - dialed).toBe(50);
  expect(looks - before).toBeLessThan(15);
});

it('the scheduler starts the next pass at once while campaigns wait for slots', async () => {
  const my = await service({}, { limits: { maxConcurrentCalls: 1 } });
  await my.campaign(1, { name: 'Holds the line' });
  expect(my.live).toHaveLength(1);
  const later = { schedule_start_time: '12:00' };
  for (let n = 0; n < 30; n += 1) await my.campaign(1, { ...later, name: `Waits for noon ${n}` });
  await my.campaign([{ phone_number: '+31612349999' }], { name: 'Is due' });
  await my.refuse(my.live[0], 'busy');
  await my.clock.advance(1_100);
  expect(my.dialed.at(-1)).toBe('+31612349999');
});
