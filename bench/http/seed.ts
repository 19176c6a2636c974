import { createOperations, systemClock, systemRandom } from '@va/core/adapter';
import { postgres } from '@va/storage/postgres';
import { ScriptedWebhooks } from '@va/testkit';
import pg from 'pg';

export interface Seed {
  readonly orgId: string;
  readonly apiKey: string;
  readonly agentId: string;
  /** Agent of a tenth of the calls. */
  readonly rareAgentId: string;
}

/**
 * Creates an organization with this number of calls of two agents over a year, with all end reasons. The database
 * generates them.
 */
export async function seed(connectionString: string, calls: number): Promise<Seed> {
  const storage = postgres({ connectionString, migrations: 'auto' });
  await storage.start();
  const recordings = {
    create: () => Promise.reject(new Error('Recording is disabled.')),
    open: async () => null,
    delete: async () => false,
  };
  const webhooks = new ScriptedWebhooks();
  const operations = createOperations({ storage, recordings, webhooks, clock: systemClock, random: systemRandom });
  const { id: orgId } = await operations.organizations.ensureDefault();
  const { secret: apiKey } = await operations.apiKeys.issue(orgId, { name: 'bench' });
  const agent = await operations.agents.create(orgId, {
    name: 'Reception',
    first_message: 'Hello, how can I help you?',
    stt_config: { provider: 'deepgram', model: 'nova-3', language: 'en' },
    llm_config: {
      provider: 'openai',
      model: 'gpt-4o-mini',
      messages: [{ role: 'system', content: 'You answer the phone of a restaurant. Be brief and friendly.' }],
      tools: [{ type: 'endCall' }],
    },
    tts_config: { provider: 'elevenlabs', voiceId: 'v' },
  });
  const rare = await operations.agents.create(orgId, { name: 'Night desk' });
  await storage.close();
  await insertCalls(connectionString, { orgId, calls, agentId: agent.id, rareAgentId: rare.id });
  return { orgId, apiKey, agentId: agent.id, rareAgentId: rare.id };
}

const batch = 50_000;

async function insertCalls(
  connectionString: string,
  { orgId, calls, agentId, rareAgentId }: { orgId: string; calls: number; agentId: string; rareAgentId: string },
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (let from = 0; from < calls; from += batch) {
    await client.query(
      `insert into va.calls (id, org_id, caller_phone, assistant_phone, status, started_at, answered_at, ended_at,
         duration_seconds, summary, messages, room_name, agent_id, agent_name, phone_number, direction, end_reason,
         created_at, updated_at)
       select gen_random_uuid(), $1, '+316' || lpad((n % 90000)::text, 8, '0'), '+31201234567',
         case when n % 100 = 0 then 'failed' else 'ended' end, at, at, at + interval '1 minute', 60,
         'They asked for a table.',
         '[{"role":"assistant","content":"Hello, how can I help you?"},
           {"role":"user","content":"A table for two at eight, please."}]',
         'call-' || n, case when n % 10 = 0 then $3::uuid else $2::uuid end, 'Reception', '+31201234567', 'inbound',
         case when n % 100 = 0 then 'llm_error' when n % 3 = 0 then 'agent_hangup' else 'user_hangup' end, at, at
       from (select n, timestamptz '2026-01-01' + n * (interval '365 days' / $6::double precision) as at
             from generate_series($4::int, $5::int) as n) as numbered`,
      [orgId, agentId, rareAgentId, from, Math.min(from + batch, calls) - 1, calls],
    );
  }
  await client.query('vacuum analyze va.calls');
  await client.query('vacuum analyze va.call_counts');
  await client.end();
}
