import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Router } from '../../src/engine/router.ts';
import { defineOpenRoute } from '../../src/route/define-route.ts';
import type { Method, Route } from '../../src/route/route.ts';
import { routes } from '../../src/routes/routes.ts';

function route(method: Method, path: string, ...aliases: readonly string[]): Route {
  const summary = `${method} ${path}`;
  return defineOpenRoute({ method, path, aliases, scope: null, summary, result: z.null(), run: async () => null });
}

describe('the router', () => {
  const router = new Router([
    route('GET', '/calls/:id'),
    route('GET', '/calls/:id/recording'),
    route('POST', '/calls/outbound'),
    route('POST', '/calls/:id/control'),
    route('GET', '/calls/outbound/today'),
    route('DELETE', '/byok/:provider'),
    route('DELETE', '/byok'),
    route('DELETE', '/campaigns/:id/leads/:lead_id'),
    route('GET', '/organizations', '/account'),
  ]);

  const found = (method: string, path: string): unknown => {
    const match = router.match(method, path);
    if (match === null) return null;
    return 'route' in match ? [match.route.summary, match.params] : match.methods;
  };

  it('returns the route and its decoded parameters', () => {
    expect(found('GET', '/calls/7')).toEqual(['GET /calls/:id', { id: '7' }]);
    expect(found('GET', '/calls/a%2Fb%20c')).toEqual(['GET /calls/:id', { id: 'a/b c' }]);
    expect(found('DELETE', '/campaigns/1/leads/2')).toEqual([
      'DELETE /campaigns/:id/leads/:lead_id',
      { id: '1', lead_id: '2' },
    ]);
    expect(found('DELETE', '/byok')).toEqual(['DELETE /byok', {}]);
  });

  it('converts a UUID to lower case', () => {
    const id = '0190e9a0-7c3b-7aaa-8bbb-c0ffee000001';
    expect(found('GET', `/calls/${id.toUpperCase()}`)).toEqual(['GET /calls/:id', { id }]);
    expect(found('GET', '/calls/OUTBOUND')).toEqual(['GET /calls/:id', { id: 'OUTBOUND' }]);
  });

  it('prefers literal segments, among the routes of the method', () => {
    expect(found('POST', '/calls/outbound')).toEqual(['POST /calls/outbound', {}]);
    expect(found('GET', '/calls/outbound')).toEqual(['GET /calls/:id', { id: 'outbound' }]);
    expect(found('GET', '/calls/outbound/today')).toEqual(['GET /calls/outbound/today', {}]);
    expect(found('POST', '/calls/outbound/control')).toEqual(['POST /calls/:id/control', { id: 'outbound' }]);
  });

  it('matches HEAD as GET, and a route by its alias', () => {
    expect(found('HEAD', '/account')).toEqual(['GET /organizations', {}]);
  });

  it('returns the methods of a path', () => {
    expect(found('PUT', '/calls/outbound')).toEqual(['POST', 'GET']);
    expect(found('POST', '/calls/7')).toEqual(['GET']);
  });

  it('returns null for an unknown path or a malformed parameter', () => {
    for (const path of [
      '',
      '/',
      '/call',
      '/calls/',
      '/calls/7/',
      '/calls//recording',
      '/calls/%',
      '/calls/%ff',
      '/CALLS/7',
    ]) {
      expect([path, found('GET', path)]).toEqual([path, null]);
    }
  });

  it('refuses two routes for one method and path', () => {
    expect(() => new Router([route('GET', '/a'), route('GET', '/b', '/a')])).toThrow(
      'Two routes are defined for GET /a',
    );
  });

  it('accepts the routes of the API', () => {
    const all = Object.values<Record<string, Route>>(routes).flatMap((group) => Object.values(group));
    const api = new Router(all);
    for (const one of all) expect(api.match(one.method, one.path.replaceAll(':', ''))).toMatchObject({ route: one });
  });
});
