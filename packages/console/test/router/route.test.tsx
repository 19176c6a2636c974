// @vitest-environment happy-dom
import { waitFor } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { navigate, route, setQuery } from '../../src/app/router/route.ts';
import { goTo } from '../support/show.tsx';

describe('the route', () => {
  it('follows the fragment of the URL', () => {
    goTo('#/calls/a%2Fb?q=late+table');
    expect(route.value).toEqual({ path: ['calls', 'a/b'], query: { q: 'late table' } });
  });

  it('changes by a navigation, which adds an entry to the history', async () => {
    goTo('#/agents');
    const before = history.length;
    navigate(['agents', 'a/b'], { tab: 'x', none: null });
    expect(location.hash).toBe('#/agents/a%2Fb?tab=x');
    expect(history.length).toBe(before + 1);
    await waitFor(() => expect(route.value).toEqual({ path: ['agents', 'a/b'], query: { tab: 'x' } }));
  });

  it('changes its query in place, and keeps the rest of it', () => {
    goTo('#/calls?q=table&status=failed');
    const before = history.length;
    setQuery({ status: null, from: '2026-01-01' });
    expect(route.value).toEqual({ path: ['calls'], query: { q: 'table', from: '2026-01-01' } });
    expect([location.hash, history.length]).toEqual(['#/calls?q=table&from=2026-01-01', before]);
  });
});
