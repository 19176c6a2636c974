import { describe, expect, it } from 'vitest';
import { idCount, requestOf } from '../../src/request/request-of.ts';

const lead = { at: 'DELETE /campaigns/:id/leads/:lead_id', gives: 'nothing' } as const;

describe('requestOf', () => {
  it('fills ids in the order of the path', () => {
    expect(requestOf(lead, ['c1', 'l1'])).toEqual({ method: 'DELETE', path: 'campaigns/c1/leads/l1' });
    expect(idCount(lead)).toBe(2);
  });

  it.each([
    ['a/b', 'a%2Fb'],
    ['a?b#c', 'a%3Fb%23c'],
    ['../x', '..%2Fx'],
    ['...', '...'],
    ['%2e%2e', '%252e%252e'],
    ['ä b', '%C3%A4%20b'],
  ])('encodes the id %j', (id, encoded) => {
    expect(requestOf({ at: 'GET /agents/:id' }, [id]).path).toBe(`agents/${encoded}`);
  });

  it.each(['', '.', '..', undefined, null, 7, {}])('refuses the id %j', (id) => {
    expect(() => requestOf({ at: 'GET /agents/:id' }, [id])).toThrow(TypeError);
  });

  it('passes the argument after the ids as body or query', () => {
    expect(requestOf({ at: 'PATCH /agents/:id', takes: 'body' }, ['a', { name: 'x' }])).toEqual({
      ...{ method: 'PATCH', path: 'agents/a', json: { name: 'x' } },
    });
    expect(requestOf({ at: 'GET /calls', takes: 'query' }, [{ limit: 5 }])).toMatchObject({ query: { limit: 5 } });
    for (const query of [undefined, null, 'x']) {
      expect(requestOf({ at: 'GET /calls', takes: 'query' }, [query])).not.toHaveProperty('query');
    }
  });
});
