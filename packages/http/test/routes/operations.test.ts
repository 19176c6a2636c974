import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Route, RouteGroups, ScopedRequest } from '../../src/route/route.ts';
import { routes } from '../../src/routes/routes.ts';
import { recordedOperations } from '../support/recorded-operations.ts';
import { requestOf } from '../support/request.ts';

const org = 'acme';
const params = { id: 'an id', lead_id: 'a lead', template_id: 'a template', provider: 'a provider' };
const query = { limit: '5' };
const body = { name: 'x' };
const file: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => [][Symbol.iterator]() as never };
const scopes = ['calls:read'];
const signal = expect.any(AbortSignal);

/** Calls of the operations by `group.name` of the route, of which each has exactly one. */
const expected: Readonly<Record<string, readonly unknown[]>> = {
  'agents.list': ['agents.list', org, query],
  'agents.create': ['agents.create', org, body],
  'agents.get': ['agents.get', org, params.id],
  'agents.update': ['agents.update', org, params.id, body],
  'agents.addTool': ['agents.addTool', org, params.id, body],
  'agents.tryTool': ['agents.tryTool', org, params.id, body],
  'agents.delete': ['agents.delete', org, params.id],
  'toolTemplates.list': ['toolTemplates.list', org, query],
  'toolTemplates.create': ['toolTemplates.create', org, body],
  'toolTemplates.get': ['toolTemplates.get', org, params.id],
  'toolTemplates.update': ['toolTemplates.update', org, params.id, body],
  'toolTemplates.delete': ['toolTemplates.delete', org, params.id],
  'numbers.list': ['numbers.list', org, query],
  'numbers.register': ['numbers.register', org, body],
  'numbers.get': ['numbers.get', org, params.id],
  'numbers.update': ['numbers.update', org, params.id, body],
  'numbers.delete': ['numbers.delete', org, params.id],
  'calls.list': ['calls.list', org, query],
  'calls.get': ['calls.get', org, params.id],
  'calls.delete': ['calls.delete', org, params.id],
  'calls.place': ['calls.place', org, body],
  'calls.createWebCall': ['calls.createWebCall', org, body, null],
  'calls.control': ['calls.control', org, params.id, body],
  'calls.listen': ['calls.supervise', org, params.id, 'listen'],
  'calls.takeOver': ['calls.supervise', org, params.id, 'talk'],
  'calls.events': ['calls.events', org, params.id, { lastEventId: '41', signal }],
  'calls.watch': ['calls.watch', org, { lastEventId: '41', signal }],
  'calls.live': ['calls.live', org, query, { signal }],
  'calls.recording': ['calls.recording', org, params.id],
  'calls.peaks': ['calls.peaks', org, params.id, query],
  'usage.list': ['usage.list', org, query],
  'statistics.get': ['statistics.get', org, query],
  'trunks.list': ['trunks.list', org, query],
  'trunks.create': ['trunks.create', org, body],
  'trunks.get': ['trunks.get', org, params.id],
  'trunks.healthOfAll': ['trunks.healthOfAll', org],
  'trunks.health': ['trunks.health', org, params.id],
  'trunks.update': ['trunks.update', org, params.id, body],
  'trunks.delete': ['trunks.delete', org, params.id],
  'voices.list': ['voices.list', org],
  'voices.sample': ['voices.sample', org, body, { signal }],
  'byok.list': ['byok.list', org],
  'byok.set': ['byok.set', org, body],
  'byok.delete': ['byok.delete', org, body],
  'byok.deleteOf': ['byok.deleteOf', org, params.provider],
  'byok.config': ['byok.config'],
  'domains.get': ['mailDomains.get', org],
  'domains.add': ['mailDomains.add', org, body],
  'domains.delete': ['mailDomains.delete', org],
  'domains.available': ['mailDomains.available', org],
  'domains.select': ['mailDomains.select', org, body],
  'domains.verify': ['mailDomains.verify', org],
  'domains.refresh': ['mailDomains.refresh', org],
  'webhookDeliveries.list': ['webhookDeliveries.list', org, query],
  'webhookDeliveries.redeliver': ['webhookDeliveries.redeliver', org, params.id],
  'webhookDeliveries.test': ['webhookDeliveries.test', org, params.id],
  'analysisTemplates.list': ['analysisTemplates.list', org, query],
  'analysisTemplates.create': ['analysisTemplates.create', org, body],
  'analysisTemplates.get': ['analysisTemplates.get', org, params.template_id],
  'analysisTemplates.update': ['analysisTemplates.update', org, params.template_id, body],
  'analysisTemplates.delete': ['analysisTemplates.delete', org, params.template_id],
  'organizations.get': ['organizations.get', org],
  'campaigns.list': ['campaigns.list', org, query],
  'campaigns.create': ['campaigns.create', org, body],
  'campaigns.get': ['campaigns.get', org, params.id],
  'campaigns.events': ['campaigns.events', org, params.id, { signal }],
  'campaigns.update': ['campaigns.update', org, params.id, body],
  'campaigns.delete': ['campaigns.delete', org, params.id],
  'leads.list': ['leads.list', org, params.id, query],
  'leads.add': ['leads.add', org, params.id, body],
  'leads.addMany': ['leads.addMany', org, params.id, body],
  'leads.import': ['leads.importCsv', org, params.id, file, query],
  'leads.export': ['leads.exportCsv', org, params.id],
  'leads.remove': ['leads.remove', org, params.id, params.lead_id],
  'doNotCall.list': ['doNotCall.list', org, query],
  'doNotCall.add': ['doNotCall.add', org, body],
  'doNotCall.delete': ['doNotCall.delete', org, params.id],
  'apiKeys.list': ['apiKeys.list', org, query],
  'apiKeys.create': ['apiKeys.issue', org, body, scopes],
  'apiKeys.delete': ['apiKeys.revoke', org, params.id, scopes],
  'publishableKeys.list': ['publishableKeys.list', org, query],
  'publishableKeys.create': ['publishableKeys.create', org, body, scopes],
  'publishableKeys.get': ['publishableKeys.get', org, params.id],
  'publishableKeys.update': ['publishableKeys.update', org, params.id, body, scopes],
  'publishableKeys.delete': ['publishableKeys.revoke', org, params.id],
};
/** Routes that respond without an operation. */
const withoutOperation = ['access.get', 'nodes.list', 'health.get'];

const groups: RouteGroups = routes;
const all: ReadonlyMap<string, Route> = new Map(
  Object.entries(groups).flatMap(([group, named]) =>
    Object.entries(named).map(([name, route]): [string, Route] => [`${group}.${name}`, route]),
  ),
);

async function callsOf(name: string): Promise<readonly (readonly unknown[])[]> {
  const recording = { contentType: 'audio/wav', byteLength: 1, read: () => new ReadableStream<Uint8Array>() };
  const empty: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
  };
  const { operations, calls } = recordedOperations({ ...recording, ...empty });
  const request = requestOf({ headers: { 'last-event-id': '41' } });
  const principal = { orgId: org, scopes, keyId: 'key' };
  const host = { clock: new VirtualClock() };
  const given = { host, operations, apiPath: '/api/v1', params, query, body, file, request, orgId: org, principal };
  await all.get(name)?.handle(given as unknown as ScopedRequest);
  return calls;
}

describe('the routes', () => {
  it('are all listed here', () => {
    expect([...all.keys()].sort()).toEqual([...Object.keys(expected), ...withoutOperation].sort());
  });

  it.each(Object.entries(expected))('%s calls its operation for the organization of the key', async (name, call) => {
    expect(await callsOf(name)).toEqual([call]);
  });

  it.each([...all].filter(([name, { method }]) => method !== 'GET' && name !== 'calls.listen'))(
    '%s needs a scope to write',
    (_name, { scope }) => {
      expect(scope).toMatch(/^[a-z-]+:write$/);
    },
  );

  it.each([...all].filter(([name, { method }]) => method === 'GET' && !withoutOperation.includes(name)))(
    '%s needs a scope to read',
    (_name, { scope }) => {
      expect(scope).toMatch(/^[a-z-]+:read$/);
    },
  );

  it.each([...all].filter(([, { path }]) => path.includes(':')))(
    '%s describes the error for a missing resource',
    (_name, { errors }) => {
      expect(errors[404]).toEqual(expect.arrayContaining([expect.stringMatching(/_not_found$/)]));
    },
  );
});
