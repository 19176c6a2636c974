import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aesVault, type Call, createVoiceAgents, folderRecordings, type VoiceAgents } from '@va/core';
import { systemClock, systemRandom } from '@va/core/adapter';
import { sip } from '@va/sip';
import { memory } from '@va/storage/memory';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { type HttpServer, startHttpServer } from '../http-server.ts';
import { allProviders, hasProviderKeys } from '../providers.ts';
import { stopSignal } from '../stop-signal.ts';
import { type DemoSpeech, playCaller, rehearse } from './caller.ts';
import { startCustomerServer } from './customer-server.ts';
import { Printer } from './printer.ts';
import { reserveTable } from './reservations.ts';
import { callerLines, firstMessage, hostedConfig, localConfig } from './restaurant.ts';

const agentNumber = '+31201234567';

/** Options of the demo call. */
export interface DemoOptions {
  /** Keeps the service running after the call, to be called from a softphone. */
  readonly serve: boolean;
}

/**
 * Runs one real call against a new service and prints it.
 *
 * @example await demo({ serve: false }); // the call that `npm run demo` shows
 */
export async function demo(options: DemoOptions): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  try {
    await runDemoCall(options, closers);
  } finally {
    for (const close of closers) await close();
  }
}

async function runDemoCall(options: DemoOptions, closers: (() => Promise<void>)[]): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'va-demo-'));
  const printer = new Printer(systemClock);
  const hosted = hasProviderKeys(process.env);
  const telephony = sip({ listen: ['udp://127.0.0.1:0'], inbound: 'open' });
  const dispatcher = webhooks({ allowPrivateTargets: true });
  const va = createVoiceAgents({
    // In memory, because creating a database in a directory takes eight seconds.
    storage: memory(),
    providers: allProviders(),
    vault: aesVault({ key: systemRandom(32) }),
    telephony: [telephony],
    webhooks: dispatcher,
    tools: [reserveTable((reservation) => printer.reservation(reservation))],
    recordings: folderRecordings({ dir: join(dir, 'recordings') }),
    logger: silentLogger,
  });

  printer.title('A voice agent, called over SIP');
  const [lines] = await Promise.all([rehearse(), va.start()]);
  closers.push(() => va.close());
  const http = await startHttpServer(va, { host: '127.0.0.1', port: 0 });
  closers.push(() => http.close());
  let secret = '';
  const customer = await startCustomerServer({
    secret: () => secret,
    onWebhook: (received) => printer.webhook(received),
  });
  closers.push(() => customer.close());

  const { id: orgId } = await va.operations.organizations.ensureDefault();
  const key = await va.operations.apiKeys.issue(orgId, { name: 'demo' });
  const api = apiClient(http, key.secret);
  const { agent } = await api.post('/agents', {
    name: 'Harbour Restaurant',
    first_message: firstMessage,
    webhook_url: customer.url,
    // The rule-based model cannot summarize.
    ...(hosted ? hostedConfig : { ...localConfig, analysis_plan: { summaryPlan: { enabled: false } } }),
  });
  secret = agent.webhook_secret;
  await api.post('/numbers', { phone_number: agentNumber, agent_id: agent.id, name: 'Reservations' });
  const target = `sip:${agentNumber}@127.0.0.1:${telephony.addresses[0]?.port}`;
  printer.line('service', `records in memory, API at ${http.url}/api/v1, SIP at ${target}`);
  const engines = hosted
    ? 'Deepgram, OpenAI and ElevenLabs'
    : 'PocketSphinx, a scripted model and flite, in this process';
  printer.line('speech', engines);

  va.events.on('call.notice', ({ notice }) => printer.notice(notice));
  const callId = await oneCall(va, target, lines, printer);
  await dispatcher.settled(callId);
  printer.title(`GET /api/v1/calls/${callId}`);
  printer.record(await api.get(`/calls/${callId}`));
  const recording = join(dir, 'recordings', orgId, `${callId}.wav`);
  console.log(`\nRecording (left the caller, right the agent): ${recording}`);
  if (!options.serve) return;

  closers.push(() => rm(dir, { recursive: true }));
  printer.title('The service stays up');
  console.log(`Call ${target} over UDP with a softphone on this machine, such as baresip or Linphone.`);
  if (!hosted)
    console.log(`It understands sentences like these: ${callerLines.map(({ text }) => `“${text}”`).join(', ')}.`);
  console.log(`The console is at ${http.consoleUrl}`);
  console.log(`Console and API take this key: ${key.secret}\nCtrl-C ends it.`);
  await stopSignal();
}

async function oneCall(
  va: VoiceAgents,
  target: string,
  lines: readonly DemoSpeech[],
  printer: Printer,
): Promise<string> {
  // Calls above a minimum length are analyzed before their report is sent.
  const ended = new Promise<Call>((resolve) => {
    va.events.once('call.analyzed', ({ call }) => resolve(call));
    va.events.once('call.ended', ({ call }) => {
      if (call.analysis_status === null) resolve(call);
    });
  });
  await playCaller(target, lines, (text) => printer.line('(says)', text, 'gray'));
  return (await ended).id;
}

interface ApiClient {
  get(path: string): Promise<Call>;
  post(path: string, body: unknown): Promise<{ agent: { id: string; webhook_secret: string } }>;
}

/** Returns a client that sends requests to the API over HTTP, as a customer does. */
function apiClient(http: HttpServer, apiKey: string): ApiClient {
  const request = async (path: string, init: RequestInit): Promise<never> => {
    const response = await fetch(`${http.url}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    });
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`${init.method} ${path} answered ${response.status}: ${JSON.stringify(body)}`);
    return body as never;
  };
  return {
    get: (path) => request(path, { method: 'GET' }),
    post: (path, body) => request(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}
