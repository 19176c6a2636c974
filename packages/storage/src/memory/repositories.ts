import { type Call, type CallFilter, ReferenceViolation, type Repositories, UniqueViolation } from '@va/core';
import { deleteRow, getRow, insertRow, listRows, pageOf, updateRow } from './rows.ts';
import type { Tables } from './tables.ts';

/**
 * How a step reaches the tables: `read` sees what is committed, `write` is alone with them until it returns or throws.
 * A step that throws has changed nothing.
 */
export interface Access {
  read<T>(step: (tables: Tables) => T): Promise<T>;
  write<T>(step: (tables: Tables) => T): Promise<T>;
}

export function memoryRepositories({ read, write }: Access): Repositories {
  return {
    organizations: {
      insert: (organization) => write((t) => insertRow(t.organizations, organization.id, organization)),
      get: (orgId) => read((t) => getRow(t.organizations, orgId, orgId)),
      list: () => read((t) => [...t.organizations.values()].map((row) => structuredClone(row.record))),
    },
    apiKeys: {
      insert: (key) =>
        write((t) => {
          if ([...t.apiKeys.values()].some(({ record }) => record.hash === key.hash)) throw new UniqueViolation('hash');
          insertRow(t.apiKeys, key.org_id, key);
        }),
      findByHash: (hash) =>
        read((t) =>
          structuredClone([...t.apiKeys.values()].find(({ record }) => record.hash === hash)?.record ?? null),
        ),
      list: (orgId) => read((t) => structuredClone(listRows(t.apiKeys, orgId))),
    },
    agents: {
      insert: (orgId, agent) => write((t) => insertRow(t.agents, orgId, agent)),
      get: (orgId, id) => read((t) => getRow(t.agents, orgId, id)),
      list: (orgId, page) => read((t) => pageOf(listRows(t.agents, orgId), page)),
      update: (orgId, id, changes) => write((t) => updateRow(t.agents, orgId, id, changes)),
      delete: (orgId, id) =>
        write((t) => {
          if (!deleteRow(t.agents, orgId, id)) return false;
          unassign(t, orgId, id, {});
          return true;
        }),
    },
    numbers: {
      insert: (orgId, number) =>
        write((t) => {
          checkAgent(t, orgId, number.agent_id);
          if (findNumber(t, number.number) !== undefined) throw new UniqueViolation('number');
          insertRow(t.numbers, orgId, number);
        }),
      get: (orgId, id) => read((t) => getRow(t.numbers, orgId, id)),
      list: (orgId, page) => read((t) => pageOf(listRows(t.numbers, orgId), page)),
      update: (orgId, id, changes) =>
        write((t) => {
          if (getRow(t.numbers, orgId, id) === null) return null;
          checkAgent(t, orgId, changes.agent_id);
          return updateRow(t.numbers, orgId, id, changes);
        }),
      delete: (orgId, id) => write((t) => deleteRow(t.numbers, orgId, id)),
      unassignAgent: (orgId, agentId, updatedAt) =>
        write((t) => unassign(t, orgId, agentId, { updated_at: updatedAt })),
      findByNumber: (number) =>
        read((t) => {
          const row = findNumber(t, number);
          return row === undefined ? null : { orgId: row.orgId, number: structuredClone(row.record) };
        }),
    },
    calls: {
      insert: (orgId, call) => write((t) => insertRow(t.calls, orgId, call)),
      get: (orgId, id) => read((t) => getRow(t.calls, orgId, id)),
      list: (orgId, filter, page) =>
        read((t) => {
          const calls = listRows(t.calls, orgId, (call) => matches(call, filter));
          return { calls: pageOf(calls, page), total: calls.length };
        }),
      update: (orgId, id, expected, changes) =>
        write((t) => {
          const call = getRow(t.calls, orgId, id);
          return call && expected.includes(call.status) ? updateRow(t.calls, orgId, id, changes) : null;
        }),
    },
  };
}

function checkAgent(tables: Tables, orgId: string, agentId: string | null | undefined): void {
  if (agentId && tables.agents.get(agentId)?.orgId !== orgId) throw new ReferenceViolation('agent_id');
}

function unassign(tables: Tables, orgId: string, agentId: string, changes: { updated_at?: string }): void {
  for (const { id } of listRows(tables.numbers, orgId, (number) => number.agent_id === agentId)) {
    updateRow(tables.numbers, orgId, id, { ...changes, agent_id: null });
  }
}

function findNumber(tables: Tables, number: string): ReturnType<Tables['numbers']['get']> {
  return [...tables.numbers.values()].find(({ record }) => record.number === number);
}

function matches(call: Call, filter: CallFilter): boolean {
  const { statuses, createdFrom, createdBefore, agentId, numberId, campaignId, direction, phone, endReason } = filter;
  return (
    (statuses === undefined || statuses.includes(call.status)) &&
    (createdFrom === undefined || call.created_at >= createdFrom) &&
    (createdBefore === undefined || call.created_at < createdBefore) &&
    (agentId === undefined || call.agent_id === agentId) &&
    (numberId === undefined || call.number_id === numberId) &&
    (campaignId === undefined || call.campaign_id === campaignId) &&
    (direction === undefined || call.direction === direction) &&
    (phone === undefined || call.caller_phone === phone || call.assistant_phone === phone) &&
    (endReason === undefined || call.end_reason === endReason)
  );
}
