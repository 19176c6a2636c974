import { watchCall, watchCalls } from './call-events.ts';
import { watchCampaign } from './campaign-progress.ts';
import type { Client, LeadImportQuery } from './client-types.ts';
import { type Csv, readCsv } from './csv.ts';
import { readHealth } from './health.ts';
import { watchLive } from './live-events.ts';
import type { Operation } from './operation-table.ts';
import { operations } from './operations.ts';
import { allPages } from './pages.ts';
import { openRecording } from './recording.ts';
import { isObject } from './request/errors.ts';
import { idCount, requestOf } from './request/request-of.ts';
import type { RequestOptions } from './request/request-options.ts';
import { type ClientOptions, Transport } from './request/transport.ts';

type MethodGroup = Record<string, (...args: never[]) => unknown>;

/**
 * Creates a client of the REST API.
 * @example
 * const client = createClient({ baseUrl: 'https://example.com/voice', apiKey: 'va_live_…' });
 * const agent = await client.agents.create({ name: 'Reception' });
 */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const groups: Record<string, MethodGroup> = {};
  for (const [name, group] of Object.entries(operations)) groups[name] = methodsOf(transport, group);
  const { calls, campaigns, leads, voices, health } = operations;
  const client = {
    ...groups,
    calls: {
      ...groups.calls,
      events: (...[id, given]: Parameters<Client['calls']['events']>) =>
        watchCall(transport, requestOf(calls.events, [id]), given),
      watch: (...[given]: Parameters<Client['calls']['watch']>) =>
        watchCalls(transport, requestOf(calls.watch, []), given),
      live: (...[query, given]: Parameters<Client['calls']['live']>) =>
        watchLive(transport, requestOf(calls.live, [query]), given),
      recording: (...[id, given]: Parameters<Client['calls']['recording']>) =>
        openRecording(transport, requestOf(calls.recording, [id]), given),
    },
    campaigns: {
      ...groups.campaigns,
      events: (...[id, given]: Parameters<Client['campaigns']['events']>) =>
        watchCampaign(transport, requestOf(campaigns.events, [id]), given),
    },
    leads: {
      ...groups.leads,
      async import(campaignId: string, csv: Csv, query?: LeadImportQuery, given?: RequestOptions) {
        const request = requestOf(leads.import, [campaignId, query]);
        const headers = { 'content-type': 'text/csv' };
        return await transport.json({ ...request, headers, body: await readCsv(csv) }, given);
      },
      async export(...[id, given]: Parameters<Client['leads']['export']>) {
        const headers = { accept: 'text/csv' };
        const { body } = await transport.open({ ...requestOf(leads.export, [id]), headers }, given);
        return body ?? new Blob([]).stream();
      },
    },
    voices: {
      ...groups.voices,
      async sample(...[body, given]: Parameters<Client['voices']['sample']>) {
        const request = { ...requestOf(voices.sample, [body]), headers: { accept: 'audio/wav' } };
        const response = await transport.open(request, given, { limit: 0 });
        return await response.blob();
      },
    },
    health: { get: (given?: RequestOptions) => readHealth(transport, requestOf(health.get, []), given) },
  };
  // The type of the table guarantees that every operation exists; results are not validated.
  return client as Client;
}

function methodsOf(transport: Transport, group: Readonly<Record<string, Operation>>): MethodGroup {
  const methods: MethodGroup = {};
  for (const [name, operation] of Object.entries(group)) {
    methods[name] = methodOf(transport, operation);
    if (operation.pages !== undefined) methods.all = pagesOf(transport, operation, operation.pages);
  }
  return methods;
}

function methodOf(transport: Transport, operation: Operation): MethodGroup[string] {
  const given = idCount(operation) + (operation.takes === undefined ? 0 : 1);
  return async (...args: readonly unknown[]) => {
    const answer = await transport.json(requestOf(operation, args), toOptions(args[given]));
    if (operation.gives === 'nothing') return;
    return operation.wrap === undefined || !isObject(answer) ? answer : answer[operation.wrap];
  };
}

function pagesOf(transport: Transport, operation: Operation, key: string): MethodGroup[string] {
  const given = idCount(operation) + 1;
  return (...args: readonly unknown[]) => allPages(transport, requestOf(operation, args), key, toOptions(args[given]));
}

function toOptions(value: unknown): RequestOptions {
  return isObject(value) ? value : {};
}
