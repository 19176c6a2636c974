import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../src/', import.meta.url);

describe('the code of the client', () => {
  it('imports only types from the packages of the service', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const taken = files.flatMap((name) => {
      const source = readFileSync(new URL(name, folder), 'utf8');
      return [...source.matchAll(/^(import|export) (type )?[^;]*?from '([^.'][^']*)'/gm)].map((match) => ({
        from: match[3] ?? '',
        isType: match[2] !== undefined,
      }));
    });
    const loaded = new Set(taken.filter(({ isType }) => !isType).map(({ from }) => from));
    expect([...loaded].sort()).toEqual(['eventsource-parser', 'ky']);
    const types = new Set(taken.filter(({ isType }) => isType).map(({ from }) => from));
    expect([...types].sort()).toEqual(['@va/core', '@va/http/types']);
  });
});
