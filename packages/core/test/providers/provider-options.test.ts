import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sttConfigSchema } from '../../src/domain/agents/agent.ts';
import { optionIssues } from '../../src/providers/provider-options.ts';

const common = ['provider', 'model'];
const provider = {
  id: 'acme',
  optionsSchema: z.object({
    speed: z.number().max(2).optional(),
    model: z.string().startsWith('acme-').optional(),
  }),
};

describe('optionIssues', () => {
  it('accepts the common settings and those of the provider', () => {
    expect(optionIssues(provider, { provider: 'acme', model: 'acme-1', speed: 1 }, common)).toEqual([]);
    expect(optionIssues({ id: 'plain' }, { provider: 'plain', model: 'x' }, common)).toEqual([]);
  });

  it('names the accepted settings when one is unknown', () => {
    expect(optionIssues(provider, { provider: 'acme', sped: 1 }, common)).toEqual([
      { path: ['sped'], message: 'unknown setting of the provider acme; accepted are provider, model, speed' },
    ]);
  });

  it('reports values that the provider does not accept, of common settings too', () => {
    expect(optionIssues(provider, { speed: 3, model: 'other' }, common).map(({ path }) => path)).toEqual([
      ['speed'],
      ['model'],
    ]);
  });
});

describe('stt_config.keyterms', () => {
  const parse = (keyterms: unknown) => sttConfigSchema.safeParse({ provider: 'deepgram', keyterms });

  it('accepts words and phrases', () => {
    expect(parse(['Trattoria', 'osso buco']).success).toBe(true);
  });

  it.each([
    ['an empty term', ['']],
    ['a term of 101 characters', ['x'.repeat(101)]],
    ['101 terms', Array(101).fill('x')],
    ['more than 1,500 characters in all', Array(16).fill('x'.repeat(100))],
    ['a text', 'Trattoria'],
  ])('refuses %s', (_, keyterms) => {
    expect(parse(keyterms).success).toBe(false);
  });
});
