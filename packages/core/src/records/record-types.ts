import type { ApiKeyRecord } from '../domain/accounts/api-key.ts';
import type { ByokKeyRecord } from '../domain/accounts/byok.ts';
import type { MailDomainRecord } from '../domain/accounts/mail-domain.ts';
import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { PublishableKeyRecord } from '../domain/accounts/publishable-key.ts';
import type { AgentRecord } from '../domain/agents/agent.ts';
import type { AnalysisTemplateRecord } from '../domain/agents/analysis-template.ts';
import type { ToolTemplateRecord } from '../domain/agents/tools/tool-template.ts';
import type { CallRecord } from '../domain/calls/call.ts';
import type { CallCommandRecord } from '../domain/calls/call-control.ts';
import type { CallEvent } from '../domain/calls/call-event.ts';
import type { CallStatisticsRecord } from '../domain/calls/call-statistics.ts';
import type { SupervisionGrantRecord } from '../domain/calls/supervision.ts';
import type { UsageLog } from '../domain/calls/usage-log.ts';
import type { WebCallGrantRecord } from '../domain/calls/web-call.ts';
import type { CampaignRecord } from '../domain/campaigns/campaign.ts';
import type { DoNotCallEntry } from '../domain/campaigns/do-not-call.ts';
import type { LeadRecord } from '../domain/campaigns/lead.ts';
import type { PhoneNumberRecord } from '../domain/numbers/phone-number.ts';
import type { SipTrunkRecord } from '../domain/numbers/sip-trunk.ts';
import type { IdempotencyRecord } from '../domain/records/idempotency-record.ts';
import type { SealedSecret } from '../domain/records/sealed-secret.ts';
import type { WebhookDelivery } from '../domain/webhooks/webhook-delivery.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';

/** Record type of each collection. */
export interface RecordTypes {
  organizations: OrganizationRecord;
  apiKeys: ApiKeyRecord;
  publishableKeys: PublishableKeyRecord;
  agents: AgentRecord;
  trunks: SipTrunkRecord;
  numbers: PhoneNumberRecord;
  calls: CallRecord;
  callEvents: CallEvent;
  callCommands: CallCommandRecord;
  toolTemplates: ToolTemplateRecord;
  analysisTemplates: AnalysisTemplateRecord;
  byokKeys: ByokKeyRecord;
  secrets: SealedSecret;
  mailDomains: MailDomainRecord;
  campaigns: CampaignRecord;
  leads: LeadRecord;
  doNotCall: DoNotCallEntry;
  webhookDeliveries: WebhookDelivery;
  webhookEndpoints: WebhookEndpoint;
  usageLogs: UsageLog;
  callStatistics: CallStatisticsRecord;
  idempotency: IdempotencyRecord;
  webCallGrants: WebCallGrantRecord;
  supervisionGrants: SupervisionGrantRecord;
}

/** Name of a collection. */
export type CollectionName = keyof RecordTypes;
