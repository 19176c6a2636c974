import { afterEach } from 'vitest';
import type { VoiceAgentsOptions } from '../../src/service/service-options.ts';
import { CampaignService } from './campaign-service.ts';

type Start = (agent?: Record<string, unknown>, options?: Partial<VoiceAgentsOptions>) => Promise<CampaignService>;

/**
 * Creates a function that starts services and closes them after each test. Call it at the top of each test file,
 * because imported modules are shared between files.
 */
export function campaignServices(): Start {
  const open: CampaignService[] = [];
  afterEach(async () => {
    for (const service of open.splice(0)) await service.close();
  });
  return async (agent = {}, options = {}) => {
    const made = new CampaignService(options);
    open.push(made);
    return await made.start(agent);
  };
}

export const statuses = async (service: CampaignService, id: string): Promise<string[]> =>
  (await service.leads(id)).map(({ status }) => status);
