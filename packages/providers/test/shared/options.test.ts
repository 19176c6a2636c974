import type { Logger } from '@va/core/adapter';
import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { languageSubtagOf, pick, readOptions } from '../../src/shared/options/options.ts';

const schema = z.object({ speed: z.number().min(0.5).optional(), mode: z.enum(['a', 'b']).optional() });

function read(config: Record<string, unknown>) {
  const warnings: object[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
  return { settings: readOptions(schema, config, 'mine', logger), warnings };
}

describe('readOptions', () => {
  it('returns the settings of the schema, without other fields of the config', () => {
    const { settings, warnings } = read({ provider: 'mine', model: 'm', speed: 1, mode: undefined });
    expect(settings).toEqual({ speed: 1 });
    expect(warnings).toEqual([]);
  });

  it.each([
    [{ speed: '1', mode: 'a' }, { mode: 'a' }],
    [{ speed: 0.1, mode: 'a' }, { mode: 'a' }],
    [{ speed: 1, mode: 'c' }, { speed: 1 }],
    [{ speed: null, mode: null }, {}],
  ])('drops and logs only the invalid settings of %j', (config, expected) => {
    const { settings, warnings } = read(config);
    expect(settings).toEqual(expected);
    expect(warnings).toEqual([{ provider: 'mine', issues: expect.any(String) }]);
  });
});

it.each([
  ['en-US', 'en'],
  ['EN', 'en'],
  ['zh-Hant-TW', 'zh'],
  ['multi', 'multi'],
  [undefined, undefined],
])('languageSubtagOf %s is %s', (tag, expected) => {
  expect(languageSubtagOf(tag)).toBe(expected);
});

it('pick returns the named settings that are set', () => {
  const settings: { a?: number; b?: boolean; c?: string } = { a: 0, b: false };
  expect(pick(settings, ['a', 'b', 'c'])).toEqual({ a: 0, b: false });
});
