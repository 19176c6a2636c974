import type { AgentRecord } from '../domain/agent.ts';
import type { AnalysisTemplateRecord } from '../domain/analysis-template.ts';
import type { ApiKeyRecord } from '../domain/api-key.ts';
import type { ByokKeyRecord } from '../domain/byok.ts';
import type { CallRecord } from '../domain/call.ts';
import type { CallCommandRecord } from '../domain/call-control.ts';
import type { CallEvent } from '../domain/call-event.ts';
import type { CampaignRecord } from '../domain/campaign.ts';
import type { DoNotCallEntry } from '../domain/do-not-call.ts';
import type { IdempotencyRecord } from '../domain/idempotency-record.ts';
import type { LeadRecord } from '../domain/lead.ts';
import type { MailDomainRecord } from '../domain/mail-domain.ts';
import type { OrganizationRecord } from '../domain/organization.ts';
import type { PhoneNumberRecord } from '../domain/phone-number.ts';
import type { SealedSecret } from '../domain/sealed-secret.ts';
import type { SipTrunkRecord } from '../domain/sip-trunk.ts';
import type { ToolTemplateRecord } from '../domain/tool-template.ts';
import type { UsageLog } from '../domain/usage-log.ts';
import type { WebhookDelivery } from '../domain/webhook-delivery.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';

/** The type of the records of each collection. */
export interface RecordTypes {
  organizations: OrganizationRecord;
  apiKeys: ApiKeyRecord;
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
  idempotency: IdempotencyRecord;
}

export type CollectionName = keyof RecordTypes;
