import { initialTables } from './0001-initial-tables.ts';
import { wholeService } from './0002-whole-service.ts';
import { mediaOfCalls } from './0003-media-of-calls.ts';
import { webhooksThatArrive } from './0004-webhooks-that-arrive.ts';
import { afterTheCall } from './0005-after-the-call.ts';
import { severalNodes } from './0006-several-nodes.ts';
import { campaignsThatDial } from './0007-campaigns-that-dial.ts';
import { secretsOfOrganizations } from './0008-secrets-of-organizations.ts';
import { webhooksInOrder } from './0009-webhooks-in-order.ts';
import { leadsByStatus } from './0010-leads-by-status.ts';
import { mediaSourceOfTrunks } from './0011-media-source-of-trunks.ts';
import { everyOrganizationSigns } from './0012-every-organization-signs.ts';
import { dialPolicies } from './0013-dial-policies.ts';
import { failedDials } from './0014-failed-dials.ts';
import { sealedSecretsInRecords } from './0015-sealed-secrets-in-records.ts';
import { webhookSequence } from './0016-webhook-sequence.ts';
import { typesOfTrunks } from './0017-types-of-trunks.ts';
import { costBreakdowns } from './0018-cost-breakdowns.ts';
import { budgets } from './0019-budgets.ts';
import { webCalls } from './0020-web-calls.ts';
import { callStatistics } from './0021-call-statistics.ts';
import { wordsOfTranscripts } from './0022-words-of-transcripts.ts';
import { publishableKeys } from './0023-publishable-keys.ts';
import { detailsOfNodes } from './0024-details-of-nodes.ts';
import { supervision } from './0025-supervision.ts';
import { statisticsOfDays } from './0026-statistics-of-days.ts';
import type { Migration } from './migration.ts';

/** All migrations, in order. */
export const migrations: readonly Migration[] = [
  initialTables,
  wholeService,
  mediaOfCalls,
  webhooksThatArrive,
  afterTheCall,
  severalNodes,
  campaignsThatDial,
  secretsOfOrganizations,
  webhooksInOrder,
  leadsByStatus,
  mediaSourceOfTrunks,
  everyOrganizationSigns,
  dialPolicies,
  failedDials,
  sealedSecretsInRecords,
  webhookSequence,
  typesOfTrunks,
  costBreakdowns,
  budgets,
  webCalls,
  callStatistics,
  wordsOfTranscripts,
  publishableKeys,
  detailsOfNodes,
  supervision,
  statisticsOfDays,
];
