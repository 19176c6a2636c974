import { type CallEvent, createClient } from '@va/client';
import { createSipCaller, type SipCall } from '@va/testkit/sip-caller';
import { agentNumber, startDeployment } from './deployment.ts';
import { freePort } from './free-port.ts';

// Shows several nodes on one machine: both get calls, any node controls any call, a restart loses no call, and a crash
// loses only the calls of that node. Prints a line for each of these facts; throws if one is not true.
const ports = {
  ...{ database: await freePort(), sip: await freePort(), api: await freePort() },
  a: [await freePort(), await freePort()] as const,
  b: [await freePort(), await freePort()] as const,
};
const deployment = await startDeployment(ports);
const client = createClient({ baseUrl: `http://127.0.0.1:${ports.api}`, apiKey: deployment.apiKey });
const events: CallEvent[] = [];
/**
 * Interval between requests while waiting. A key has 100 requests per minute at each node; when they are used up, the
 * client waits for the next minute.
 */
const betweenLooksMs = 500;
const watching = new AbortController();

try {
  await until('both balancers have found both nodes', async () => (await client.calls.list()).calls.length === 0);
  void watch();
  await pause(3_000);

  const calls = [await dial(), await dial(), await dial(), await dial()];
  const [onA, onB] = [answeredBy('a'), answeredBy('b')];
  check('calls go to both nodes in turn', onA.length === 2 && onB.length === 2);

  for (const id of [...onA, ...onB]) await client.calls.control(id, { type: 'say', content: 'One moment please.' });
  await until('any node controls any call, and tells of all of them', async () =>
    [...onA, ...onB].every((id) => events.some((event) => event.call_id === id && event.type === 'transcript')),
  );

  const restarting = deployment.endNode('a', 'SIGTERM');
  await pause(2_500);
  const during = [await dial(), await dial()];
  check('a node that drains gets no new calls', answeredBy('a').length === 2 && answeredBy('b').length === 4);
  // The caller may hear the agent before the answer is stored, so that the list may lag behind.
  await until('and those that it has go on', async () => {
    const { calls: live } = await client.calls.list({ status: 'in-progress' });
    return live.length === calls.length + during.length;
  });
  await hangUp(calls);
  await restarting;
  await deployment.startNode('a');
  await pause(3_000);
  await hangUp(during);
  const { calls: ended } = await client.calls.list();
  check(
    'a rolling restart costs no call',
    ended.every(({ end_reason }) => end_reason === 'user_hangup'),
  );

  const last = [await dial(), await dial(), await dial(), await dial()];
  await deployment.endNode('b', 'SIGKILL');
  const diedAtMs = performance.now();
  const late = await dial();
  check('a call after the death of a node is answered by another', answeredBy('a').length >= 5);
  await until('the calls of the dead node end as worker_lost', async () => {
    const { calls: lost } = await client.calls.list({ end_reason: 'worker_lost' });
    return lost.length === 2;
  });
  const tookS = (performance.now() - diedAtMs) / 1_000;
  check(`within 30 s (${tookS.toFixed(1)} s)`, tookS < 30);
  await Promise.all([...last, late].map((call) => call.vanish()));
  console.log('All of it is as it should be.');
} finally {
  watching.abort();
  await deployment.stop();
}

async function dial(): Promise<SipCall> {
  const call = await createSipCaller().dial(`sip:${agentNumber}@127.0.0.1:${ports.sip}`);
  await call.waitForSpeech();
  return call;
}

async function hangUp(calls: readonly SipCall[]): Promise<void> {
  const countLive = async () => (await client.calls.list({ status: ['connecting', 'in-progress'] })).calls.length;
  const others = (await countLive()) - calls.length;
  await Promise.all(calls.map((call) => call.hangup()));
  await until('the calls are on record as ended', async () => (await countLive()) <= others);
}

/** Returns the ids of the calls that a node has answered since its first start. */
function answeredBy(name: string): string[] {
  return deployment.lines.flatMap((line) => new RegExp(`^${name} answered (.+)$`).exec(line)?.[1] ?? []);
}

async function watch(): Promise<void> {
  try {
    for await (const event of client.calls.watch({ signal: watching.signal })) events.push(event);
  } catch (error) {
    if (!watching.signal.aborted) throw error;
  }
}

function check(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`It is not so that ${what}.`);
  console.log(`✓ ${what}`);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + 60_000;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > untilMs) throw new Error(`It is not so that ${what}.`);
    await pause(betweenLooksMs);
  }
  console.log(`✓ ${what}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
