#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { systemClock } from '@va/core';
import { watchCampaign } from './campaigns/watch.ts';
import { demo } from './demo/demo.ts';
import { migrate } from './migrate/migrate.ts';
import { serve } from './serve/serve.ts';

const usage = `Usage: va <command>

  va demo [--serve]     One call to an agent in this process, told in the terminal. --serve stays up afterwards.
  va serve              The service: API and SIP.
      --port 8080           of the API
      --host 127.0.0.1      of the API
      --sip udp://0.0.0.0:5060   where SIP is listened for; may be repeated (udp, tcp)
      --inbound trunks|open   who may call: your SIP trunks alone, or anybody, such as a softphone in a trial
      --public-address IP   the address that callers reach this machine at, where it differs
      --public-url URL      where the API is reached from outside
      --data ./va-data      database and recordings; DATABASE_URL (PostgreSQL) replaces the database
      --trunk-network 10.20.0.0/16   address, block or name of your network that trunks may be at; may be repeated
      --allow-private-webhooks   let webhooks go to this machine and its network
      --local-speech        offer the providers pocketsphinx, scripted and flite too; for demos and trials
  va migrate            Brings the database's schema up to date, before a deployment.
      --plan                prints the SQL instead
      --postgres URL        the server; DATABASE_URL by default
      --schema va           in that server
      --dir DIR             the folder of an embedded database; ./va-data/db by default
  va campaigns watch ID   How far a campaign is, until it is over.
      --url URL             the service; VA_URL, or http://127.0.0.1:8080, by default
      --key KEY             of its API; VA_API_KEY by default
`;

async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args;
  if (command === 'demo') {
    const { values } = parseArgs({ args: rest, options: { serve: { type: 'boolean', default: false } } });
    await demo({ serve: values.serve });
    return;
  }
  if (command === 'serve') {
    await serveCommand(rest);
    return;
  }
  if (command === 'migrate') {
    process.exitCode = await migrate(rest, { env: process.env, out: console.log, err: console.error });
    return;
  }
  if (command === 'campaigns' && rest[0] === 'watch') {
    process.exitCode = await watchCommand(rest.slice(1));
    return;
  }
  console.log(usage);
  if (command !== undefined && command !== '--help' && command !== 'help') process.exitCode = 2;
}

async function watchCommand(args: readonly string[]): Promise<number> {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const { env, stdout: out } = process;
  return await watchCampaign(args, { env, out, err: console.error, clock: systemClock, signal: stopping.signal });
}

async function serveCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8080' },
      host: { type: 'string', default: '127.0.0.1' },
      sip: { type: 'string', multiple: true, default: ['udp://0.0.0.0:5060', 'tcp://0.0.0.0:5060'] },
      inbound: { type: 'string', default: 'trunks' },
      'public-address': { type: 'string' },
      'public-url': { type: 'string' },
      data: { type: 'string', default: './va-data' },
      'trunk-network': { type: 'string', multiple: true, default: [] },
      'allow-private-webhooks': { type: 'boolean', default: false },
      'local-speech': { type: 'boolean', default: false },
    },
  });
  const { 'public-address': publicAddress, 'public-url': publicUrl } = values;
  const databaseUrl = process.env.DATABASE_URL;
  await serve({
    host: values.host,
    port: parsePort(values.port),
    sip: values.sip,
    inbound: inboundOf(values.inbound),
    dataDir: values.data,
    trunkNetworks: values['trunk-network'],
    allowPrivateWebhooks: values['allow-private-webhooks'],
    localSpeech: values['local-speech'],
    ...(publicAddress === undefined ? {} : { publicAddress }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new Error(`--port ${text} is not a port: expected a number from 0 to 65535.`);
}

function inboundOf(text: string): 'trunks' | 'open' {
  if (text === 'trunks' || text === 'open') return text;
  throw new Error(`--inbound ${text} is unknown: expected trunks or open.`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
