import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Loaded untyped: types of Preact would add those of the DOM. */
type Choices = (session: object) => Promise<readonly { readonly value: string; readonly label: string }[]>;
let references: Readonly<Record<'agentChoices' | 'trunkChoices' | 'numberChoices', Choices>>;

beforeEach(async () => {
  vi.stubGlobal('document', { baseURI: 'https://example.com/voice/console/' });
  const source = '../../src/app/pages/numbers/references.ts';
  references = await import(source);
});
afterEach(() => void vi.unstubAllGlobals());

const list = async (): Promise<object[]> => [
  { id: 'a', name: 'One', number: '+31201234567' },
  { id: 'b', name: null, number: '+31207654321' },
];
const client = { agents: { list }, trunks: { list }, numbers: { list } };

describe('the options of a field that references other records', () => {
  it.each([
    ['agentChoices', 'agents:read', 'One'],
    ['trunkChoices', 'trunks:read', 'One'],
    ['numberChoices', 'numbers:read', '+31201234567 · One'],
  ] as const)('with %s need the scope %s', async (name, scope, label) => {
    expect((await references[name]({ client, scopes: [scope] }))[0]).toEqual({ value: 'a', label });
    expect(await references[name]({ client, scopes: ['calls:read'] })).toEqual([]);
  });

  it('show the number of a line without a name', async () => {
    const [, second] = await references.numberChoices({ client, scopes: ['*'] });
    expect(second).toEqual({ value: 'b', label: '+31207654321' });
  });
});
