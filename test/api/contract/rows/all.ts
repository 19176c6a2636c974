import type { Row } from '../row.ts';
import { agentRows } from './agents.ts';
import { callRows, usageRows } from './calls.ts';
import { campaignRows, doNotCallRows, leadRows } from './campaigns.ts';
import { domainRows } from './domains.ts';
import { numberRows } from './numbers.ts';
import {
  accessRows,
  apiKeyRows,
  nodeRows,
  openRows,
  organizationRows,
  publishableKeyRows,
  webhookRows,
} from './organization.ts';
import { analysisTemplateRows, toolTemplateRows } from './templates.ts';
import { byokRows, trunkRows, voiceRows } from './trunks-and-providers.ts';

/** The contract: a valid request of every operation. */
export const rows: readonly Row[] = [
  ...accessRows,
  ...agentRows,
  ...numberRows,
  ...toolTemplateRows,
  ...analysisTemplateRows,
  ...callRows,
  ...usageRows,
  ...trunkRows,
  ...voiceRows,
  ...byokRows,
  ...domainRows,
  ...campaignRows,
  ...leadRows,
  ...doNotCallRows,
  ...organizationRows,
  ...apiKeyRows,
  ...publishableKeyRows,
  ...webhookRows,
  ...nodeRows,
  ...openRows,
];
