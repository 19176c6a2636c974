import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { synthesize } from '@va/local-speech';
import { sourceProgram } from '@va/test-servers/programs';
import { createSipCaller } from '@va/testkit/sip-caller';
import { expect, onTestFinished, vi } from 'vitest';
import { isFree } from './example.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const tools = new URL('../../examples/express/tools.ts', import.meta.url);
const toolsPort = 4_000;

/** Returns the bodies of the README's curl commands, by path relative to `/voice/api/v1`. */
function curlBodies(): ReadonlyMap<string, string> {
  const commands = readme.matchAll(/^curl localhost:3000\/voice\/api\/v1(\/\S+) .* -d '(\{[\s\S]*?\})'$/gm);
  return new Map([...commands].map(([, path = '', body = '']) => [path, body]));
}

/** Creates the README's agent and number with its curl commands, runs its tool server, and calls the agent over SIP. */
export async function callReadmeAgent(origin: string, apiKey: string): Promise<void> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const bodies = curlBodies();
  await startTools(secret);
  const post = async (path: string, fill: (body: string) => string): Promise<unknown> => {
    const response = await fetch(`${origin}/voice/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: fill(bodies.get(path) ?? ''),
    });
    expect(response.status, await response.clone().text()).toBe(201);
    return await response.json();
  };
  const created = await post('/agents', (body) => body.replace("'$WEBHOOK_SECRET'", secret));
  const { agent } = created as { agent: { id: string } };
  await post('/numbers', (body) => body.replace('<the id that came back>', agent.id));

  const target = /`(sip:\+\d+@127\.0\.0\.1:5060)`/.exec(readme)?.[1] ?? '';
  const question = await synthesize('when are you open on friday', { voice: 'rms' });
  const goodbye = await synthesize('no thank you goodbye', { voice: 'rms' });
  const call = await createSipCaller().dial(target);
  let spokenAtMs = call.answeredAtMs;
  for (const words of [question, goodbye]) {
    await call.waitForSpeech({ afterMs: spokenAtMs, timeoutMs: 30_000 });
    await call.waitForSilence({ ms: 800, timeoutMs: 30_000 });
    ({ endedAtMs: spokenAtMs } = await call.say(words));
  }
  expect(await call.ended).toMatchObject({ by: 'far-end' });
  const record = await vi.waitFor(async () => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${origin}/voice/api/v1/calls?status=ended`, { headers });
    const { calls } = (await response.json()) as { calls: { id: string; end_reason: string }[] };
    expect(calls).toHaveLength(1);
    const [{ id } = { id: '' }] = calls;
    return await (await fetch(`${origin}/voice/api/v1/calls/${id}`, { headers })).text();
  });
  expect(record).toContain('We are open from six to eleven. Anything else?');
  expect(record).toContain('agent_hangup');
}

async function startTools(secret: string): Promise<void> {
  expect(await isFree(toolsPort), `port ${toolsPort}, which the README's tool server listens on, is in use`).toBe(true);
  const child = spawn(process.execPath, [await sourceProgram(tools)], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: 'inherit',
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await vi.waitFor(() => fetch(`http://localhost:${toolsPort}/`), { interval: 200 });
}
