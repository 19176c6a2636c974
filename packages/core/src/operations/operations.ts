import type { RandomBytes } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { RecordingStore } from '../ports/recordings.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { Vault } from '../ports/vault.ts';
import { type AgentOperations, createAgentOperations } from './agents.ts';
import { type AnalysisTemplateOperations, createAnalysisTemplateOperations } from './analysis-templates.ts';
import { type ApiKeyOperations, createApiKeyOperations } from './api-keys.ts';
import { type CallOperations, createCallOperations } from './calls.ts';
import { type CampaignOperations, createCampaignOperations } from './campaigns.ts';
import { createLeadOperations, type LeadOperations } from './leads.ts';
import { createPhoneNumberOperations, type PhoneNumberOperations } from './numbers.ts';
import { createOrganizationOperations, type OrganizationOperations } from './organizations.ts';
import { createSipTrunkOperations, type SipTrunkOperations } from './sip-trunks.ts';
import { createToolTemplateOperations, type ToolTemplateOperations } from './tool-templates.ts';
import { createUsageOperations, type UsageOperations } from './usage.ts';

/** What the API does, without HTTP: each tenant operation takes the organization first. */
export interface Operations {
  readonly agents: AgentOperations;
  readonly analysisTemplates: AnalysisTemplateOperations;
  readonly apiKeys: ApiKeyOperations;
  readonly calls: CallOperations;
  readonly campaigns: CampaignOperations;
  readonly leads: LeadOperations;
  readonly numbers: PhoneNumberOperations;
  readonly organizations: OrganizationOperations;
  readonly toolTemplates: ToolTemplateOperations;
  readonly trunks: SipTrunkOperations;
  readonly usage: UsageOperations;
}

export interface OperationsDependencies {
  readonly storage: Storage;
  readonly recordings: RecordingStore;
  /** Without one, what needs a secret kept answers 503. */
  readonly vault?: Vault | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

export function createOperations(deps: OperationsDependencies): Operations {
  return {
    agents: createAgentOperations(deps),
    analysisTemplates: createAnalysisTemplateOperations(deps),
    apiKeys: createApiKeyOperations(deps),
    calls: createCallOperations(deps),
    campaigns: createCampaignOperations(deps),
    leads: createLeadOperations(deps),
    numbers: createPhoneNumberOperations(deps),
    organizations: createOrganizationOperations(deps),
    toolTemplates: createToolTemplateOperations(deps),
    trunks: createSipTrunkOperations(deps),
    usage: createUsageOperations(deps),
  };
}
