import { describe, expect, it } from 'vitest';
import type { ServedTool } from '../../src/ports/tool-servers.ts';
import { servedToolsOf } from '../../src/tools/served-tools.ts';

function served(...names: string[]): ServedTool[] {
  return names.map((name) => ({ name, description: '', parameters: { type: 'object' } }));
}

function namesOf(...from: Parameters<typeof servedToolsOf>): string[] {
  return servedToolsOf(...from).map(({ name }) => name);
}

describe('servedToolsOf', () => {
  it('returns all tools of the server without an allow list', () => {
    expect(namesOf(served('find', 'book'), {})).toEqual(['find', 'book']);
  });

  it('returns only the allowed tools, which are listed by the names of the server', () => {
    expect(namesOf(served('find', 'book', 'book.now'), { allow: ['book.now', 'gone'], prefix: 'crm_' })).toEqual([
      'crm_book_now',
    ]);
    expect(namesOf(served('find'), { allow: [] })).toEqual([]);
  });

  it('replaces characters that models do not accept, and keeps the tool with its own name', () => {
    const [tool] = servedToolsOf(served('tables/find free'), {});
    expect(tool).toMatchObject({ name: 'tables_find_free', served: { name: 'tables/find free' } });
  });

  it('cuts the name with its prefix to 64 characters', () => {
    expect(namesOf(served('x'.repeat(64)), { prefix: 'crm_' })).toEqual([`crm_${'x'.repeat(60)}`]);
  });
});
