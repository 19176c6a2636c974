import { can, type Session } from '../../session/session.ts';
import type { Choice } from '../../ui/form/form-state.ts';

/** Returns the agents as options; empty without the scope to read them. */
export async function agentChoices({ client, scopes }: Session): Promise<readonly Choice[]> {
  if (!can(scopes, 'agents:read')) return [];
  return (await client.agents.list()).map(({ id, name }) => ({ value: id, label: name }));
}

export async function trunkChoices({ client, scopes }: Session): Promise<readonly Choice[]> {
  if (!can(scopes, 'trunks:read')) return [];
  return (await client.trunks.list()).map(({ id, name }) => ({ value: id, label: name }));
}

export async function numberChoices({ client, scopes }: Session): Promise<readonly Choice[]> {
  if (!can(scopes, 'numbers:read')) return [];
  return (await client.numbers.list()).map(({ id, number, name }) => ({
    value: id,
    label: name === null ? number : `${number} · ${name}`,
  }));
}
