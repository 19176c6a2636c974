import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Client, createClient } from '@va/client';
import { describe, expect, it } from 'vitest';
import { isFree, type RunningExample, startExample } from './support/example.ts';
import { callReadmeAgent } from './support/readme-call.ts';

/** The port in the README; other ports come from the environment. */
const port = 3_000;

interface Example {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** A route of the application itself, and the credentials for it. */
  readonly own: { readonly method: string; readonly path: string };
  ownAuthorization(origin: string): Promise<string>;
  /** Returns the API key. */
  apiKey(example: RunningExample): Promise<string>;
  /** Further checks of the example. */
  also?(example: RunningExample, apiKey: string): Promise<void>;
}

const basic = (name: string, password: string): string => `Basic ${btoa(`${name}:${password}`)}`;

const examples: readonly Example[] = [
  {
    name: 'express',
    env: { ADMIN_TOKEN: 'secret' },
    own: { method: 'POST', path: '/admin/keys' },
    ownAuthorization: async () => 'Bearer secret',
    apiKey: ({ origin }) => field(origin, 'POST', '/admin/keys', 'secret', { authorization: 'Bearer secret' }),
    also: ({ origin }, apiKey) => callReadmeAgent(origin, apiKey),
  },
  {
    name: 'fastify',
    env: {},
    own: { method: 'GET', path: '/me' },
    ownAuthorization: async (origin) => `Bearer ${await signIn(origin, 'ada', 'analytical')}`,
    apiKey: ({ origin }) => signIn(origin, 'ada', 'analytical'),
    also: keepsTenantsApart,
  },
  {
    name: 'hono',
    env: {},
    own: { method: 'GET', path: '/me' },
    ownAuthorization: async (origin) => `Bearer ${await signIn(origin, 'ada', 'analytical')}`,
    apiKey: ({ origin }) => signIn(origin, 'ada', 'analytical'),
    also: keepsTenantsApart,
  },
  {
    name: 'koa',
    env: { ADMIN_PASSWORD: 'secret' },
    own: { method: 'POST', path: '/customers?name=Harbour' },
    ownAuthorization: async () => basic('admin', 'secret'),
    apiKey: ({ origin }) =>
      field(origin, 'POST', '/customers?name=Harbour', 'secret', { authorization: basic('admin', 'secret') }),
  },
  {
    name: 'node-http',
    env: { STATUS_PASSWORD: 'secret' },
    own: { method: 'GET', path: '/status' },
    ownAuthorization: async () => basic('status', 'secret'),
    apiKey: async ({ output }) => /API key: (\S+)/.exec(output())?.[1] ?? '',
  },
];

describe.each(examples)('the $name example', ({ name, env, own, ownAuthorization, apiKey, also }) => {
  it('authenticates its own routes and the API, and exits on SIGTERM', async () => {
    const example = await startExample(name, { port, env });
    const { origin } = example;

    const ownUrl = `${origin}${own.path}`;
    const wrong = await fetch(ownUrl, { method: own.method, headers: { authorization: 'Bearer wrong' } });
    expect([(await fetch(ownUrl, { method: own.method })).status, wrong.status]).toEqual([401, 401]);
    const authorization = await ownAuthorization(origin);
    const opened = await fetch(ownUrl, { method: own.method, headers: { authorization } });
    expect(opened.ok, `${opened.status} ${await opened.text()}`).toBe(true);
    expect((await fetch(`${origin}/nowhere`, { headers: { authorization } })).status).toBe(404);

    const baseUrl = `${origin}/voice`;
    const stranger = createClient({ baseUrl, apiKey: 'wrong' });
    await expect(stranger.agents.list()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    const key = await apiKey(example);
    const client = createClient({ baseUrl, apiKey: key });
    const agent = await client.agents.create({ name: 'Reception' });
    expect(await client.agents.list()).toEqual([agent]);
    expect((await client.health.get()).status).toBe('ok');

    await also?.(example, key);

    expect(await example.terminate(), example.output()).toBe(0);
    expect(await isFree(port)).toBe(true);
  });

  it('documents in its README how to start and call it', () => {
    const folder = new URL(`../examples/${name}/`, import.meta.url);
    const readme = readFileSync(new URL('README.md', folder), 'utf8');
    expect(readme).toContain([...Object.entries(env).map(([key, value]) => `${key}=${value}`), 'npm start'].join(' '));
    expect(readme).toContain('localhost:3000/voice/api/v1/agents');
    expect(readme).toContain(own.path.split('?')[0] === '/me' ? '/login' : own.path);
  });
});

it('every example with a server has a test', () => {
  const folder = new URL('../examples/', import.meta.url);
  // Examples without the API have their tests in their own folder.
  const served = readdirSync(folder).filter(
    (name) => existsSync(new URL(`${name}/server.ts`, folder)) && !existsSync(new URL(`${name}/test`, folder)),
  );
  expect(served.sort()).toEqual(examples.map(({ name }) => name).sort());
});

/** Expects that users of two organizations do not see each other's agents. */
async function keepsTenantsApart({ origin }: RunningExample): Promise<void> {
  const clientOf = async (name: string, password: string): Promise<Client> =>
    createClient({ baseUrl: `${origin}/voice`, apiKey: await signIn(origin, name, password) });
  const [ada, grace] = [await clientOf('ada', 'analytical'), await clientOf('grace', 'compiler')];
  const [agent] = await ada.agents.list();
  expect(await grace.agents.list()).toEqual([]);
  await expect(grace.agents.get(agent?.id ?? '')).rejects.toMatchObject({ code: 'agent_not_found' });
  expect((await grace.organizations.get()).name).toBe('Northern Dental');
  await expect(signIn(origin, 'ada', 'compiler')).rejects.toThrow('401');
}

async function signIn(origin: string, name: string, password: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return await field(origin, 'POST', '/login', 'token', headers, JSON.stringify({ name, password }));
}

/** Returns a field of the response of an application route. */
async function field(
  origin: string,
  method: string,
  path: string,
  key: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<string> {
  const response = await fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
  const answer: unknown = await response.json();
  return String(Object.entries(answer ?? {}).find(([name]) => name === key)?.[1]);
}
