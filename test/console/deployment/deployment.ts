import { type Clock, systemClock } from '@va/core/adapter';
import { vendorCatalog } from '@va/providers/catalog';
import { levelVad } from '@va/testkit';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { addAccounts } from './accounts.ts';
import { addAgents } from './agents.ts';
import { addPastCalls } from './calls.ts';
import { addCampaigns } from './campaigns.ts';
import { type LiveScene, liveParts, startLiveScene } from './live-scene.ts';
import { seededRandom } from './random.ts';
import type { RecordIds } from './screens.ts';
import { addDeliveries } from './webhooks.ts';

/** A service of a dental practice, with all that the console can show. */
export interface Deployment {
  readonly service: ConsoleService;
  /** The clock of the service: it starts on a Thursday morning in March 2026. */
  readonly clock: Clock;
  readonly live: LiveScene;
  readonly ids: RecordIds;
  close(): Promise<void>;
}

const startMs = Date.parse('2026-03-12T10:24:00.000Z');

/** Starts the service on PGlite. Its time, ids and figures are the same each time, apart from milliseconds. */
export async function startDeployment(): Promise<Deployment> {
  const originMs = systemClock.nowMs();
  const clock: Clock = {
    nowMs: () => systemClock.nowMs(),
    wallMs: () => startMs + systemClock.nowMs() - originMs,
    setTimer: (delayMs, run) => systemClock.setTimer(delayMs, run),
  };
  const random = seededRandom(99);
  const parts = liveParts();
  const service = await startConsoleService({
    service: {
      ...{ telephony: [parts.telephony], providers: parts.providers, tools: parts.tools, vad: levelVad(), clock },
      random: (count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)),
      ...{ catalog: vendorCatalog, currency: 'EUR', mediaTimeout: { initialMs: 600_000, generalMs: 600_000 } },
    },
  });
  const agents = await addAgents(service);
  const [anna, ben, emma, , lina] = agents;
  if (anna === undefined || ben === undefined || emma === undefined || lina === undefined) {
    throw new Error('the agents are missing');
  }
  await addAccounts(service, [anna.id, ben.id, emma.id]);
  const campaign = await addCampaigns(service, emma.id, startMs);
  const call = await addPastCalls(service, {
    nowMs: startMs,
    agents: [
      [anna, 6],
      [ben, 3],
    ],
    campaign: { id: campaign, agent: emma },
  });
  const delivery = await addDeliveries(service, { agent: emma, callId: call, nowMs: startMs });
  const live = await startLiveScene(service, parts, clock);
  return {
    ...{ service, clock, live },
    ids: { agent: anna.id, incompleteAgent: lina.id, call, campaign, delivery, liveCall: live.callId },
    async close() {
      live.close();
      await service.close();
    },
  };
}
