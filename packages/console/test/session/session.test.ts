// @vitest-environment happy-dom
import { ApiError } from '@va/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { can, isUnauthorized, resumeHostSession, session, signIn, signOut } from '../../src/app/session/session.ts';

const requests: { url: string; authorization: string | null }[] = [];
let respond: () => Response;

beforeEach(() => {
  vi.stubGlobal('fetch', async (input: Request | URL | string, init?: RequestInit) => {
    const { url, headers } = new Request(input, init);
    requests.push({ url, authorization: headers.get('authorization') });
    return respond();
  });
  respond = () =>
    Response.json({ organization_id: 'o', scopes: ['calls:read'], subject: 'Anna', is_operator: false, success: true });
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
  requests.length = 0;
});

describe('the session', () => {
  it('of an API key sends it and keeps it', async () => {
    await signIn('va_live_1');
    expect(session.value).toMatchObject({ organizationId: 'o', scopes: ['calls:read'], apiKey: 'va_live_1' });
    expect(requests).toEqual([{ url: 'https://example.com/voice/api/v1/access', authorization: 'Bearer va_live_1' }]);
  });

  it('of the host sends no key, which would override its cookies', async () => {
    await resumeHostSession();
    expect(session.value).toMatchObject({ subject: 'Anna', isOperator: false, apiKey: null });
    expect(requests).toMatchObject([{ authorization: null }]);
  });

  it('is null when the host knows no user', async () => {
    respond = () => Response.json({ code: 'unauthorized', message: 'No session.' }, { status: 401 });
    await resumeHostSession();
    expect(session.value).toBeNull();
  });

  it('stays as it is when a key is refused', async () => {
    await signIn('va_live_1');
    const before = session.value;
    respond = () => Response.json({ code: 'unauthorized', message: 'Unknown key.' }, { status: 401 });
    await expect(signIn('wrong')).rejects.toSatisfy(isUnauthorized);
    expect(session.value).toBe(before);
  });
});

describe('can', () => {
  it.each([
    [['calls:read'], true],
    [['*'], true],
    [['calls:write'], false],
    [[], false],
  ])('with the scopes %j allows calls:read: %s', (scopes, isAllowed) => {
    expect(can(scopes, 'calls:read')).toBe(isAllowed);
  });
});

describe('isUnauthorized', () => {
  const facts = { code: 'x', message: '', param: null, errors: [], requestId: null, retryAfterMs: null };
  it.each([
    [new ApiError({ ...facts, status: 401 }), true],
    [new ApiError({ ...facts, status: 403 }), false],
    [new Error('offline'), false],
    [null, false],
  ])('of %j is %s', (thrown, expected) => {
    expect(isUnauthorized(thrown)).toBe(expected);
  });
});
