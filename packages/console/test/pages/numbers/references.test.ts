// @vitest-environment happy-dom
import { sampleAgent } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { agentChoices, numberChoices, trunkChoices } from '../../../src/app/pages/numbers/references.ts';
import { sampleNumber, sampleTrunk } from '../../support/records.ts';
import { sessionWith } from '../../support/session.ts';

const one = { id: 'a', name: 'One' };
const client = {
  agents: { list: async () => [sampleAgent(one)] },
  trunks: { list: async () => [sampleTrunk(one)] },
  numbers: {
    list: async () => [sampleNumber(one), sampleNumber({ id: 'b', name: null, number: '+31207654321' })],
  },
};

describe('the options of a field that references other records', () => {
  it.each([
    ['agents', agentChoices, 'agents:read', 'One'],
    ['trunks', trunkChoices, 'trunks:read', 'One'],
    ['numbers', numberChoices, 'numbers:read', '+31201234567 · One'],
  ] as const)('to %s need a scope', async (_, choices, scope, label) => {
    expect((await choices(sessionWith(client, { scopes: [scope] })))[0]).toEqual({ value: 'a', label });
    expect(await choices(sessionWith(client, { scopes: ['calls:read'] }))).toEqual([]);
  });

  it('show the number of a line without a name', async () => {
    const [, second] = await numberChoices(sessionWith(client));
    expect(second).toEqual({ value: 'b', label: '+31207654321' });
  });
});
