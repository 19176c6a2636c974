import { access } from './access.ts';
import { agents } from './agents.ts';
import { analysisTemplates } from './analysis-templates.ts';
import { apiKeys } from './api-keys.ts';
import { byok } from './byok.ts';
import { calls } from './calls.ts';
import { campaigns } from './campaigns.ts';
import { doNotCall } from './do-not-call.ts';
import { health } from './health.ts';
import { leads } from './leads.ts';
import { domains } from './mail-domains.ts';
import { nodes } from './nodes.ts';
import { numbers } from './numbers.ts';
import { organizations } from './organizations.ts';
import { publishableKeys } from './publishable-keys.ts';
import { trunks } from './sip-trunks.ts';
import { statistics } from './statistics.ts';
import { toolTemplates } from './tool-templates.ts';
import { usage } from './usage.ts';
import { voices } from './voices.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';

/** All operations of the REST API, by group and name. */
export const routes = {
  agents,
  toolTemplates,
  numbers,
  calls,
  usage,
  statistics,
  trunks,
  voices,
  byok,
  domains,
  webhookDeliveries,
  analysisTemplates,
  organizations,
  campaigns,
  leads,
  doNotCall,
  apiKeys,
  access,
  publishableKeys,
  nodes,
  health,
};

/** Type of the routes, from which the types of a client are derived. */
export type RouteTable = typeof routes;
