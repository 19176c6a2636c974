import { type ConsoleSession, can } from '../../session/session.ts';
import type { FieldChoice } from '../../ui/form/form-state.ts';

/** Returns the agents as options; empty without the scope to read them. */
export async function agentChoices({ client, scopes }: ConsoleSession): Promise<readonly FieldChoice[]> {
  if (!can(scopes, 'agents:read')) return [];
  return (await client.agents.list()).map(({ id, name }) => ({ value: id, label: name }));
}

export async function trunkChoices({ client, scopes }: ConsoleSession): Promise<readonly FieldChoice[]> {
  if (!can(scopes, 'trunks:read')) return [];
  return (await client.trunks.list()).map(({ id, name }) => ({ value: id, label: name }));
}

export async function numberChoices({ client, scopes }: ConsoleSession): Promise<readonly FieldChoice[]> {
  if (!can(scopes, 'numbers:read')) return [];
  return (await client.numbers.list()).map(({ id, number, name }) => ({
    value: id,
    label: name === null ? number : `${number} · ${name}`,
  }));
}
