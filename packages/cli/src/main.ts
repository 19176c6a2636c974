#!/usr/bin/env node
import { parseArgs } from 'node:util';

// Each command is loaded when it is run: loading all of them takes a second.

const usage = `Usage: va <command> [options]

  va demo               One call to an agent in this process, shown in the terminal.
  va serve              The service: REST API and SIP.
  va migrate            Brings the database's schema up to date, before a deployment.
  va campaigns watch    Progress of a campaign, until it is over.

va <command> --help prints the options of a command.
`;

const demoUsage = `Usage: va demo [--serve | --web]    One call to an agent in this process, shown in the terminal.

  --serve        keeps running afterwards, to be called with a softphone
  --web          serves a page instead, on which you talk with the agent
  --port PORT    of that page; any free one by default
`;

const campaignsUsage = `Usage: va campaigns watch ID    Progress of a campaign, until it is over.

  --url URL    the service; VA_URL, or http://127.0.0.1:8080, by default
  --key KEY    of its API; VA_API_KEY by default
`;

const help = { type: 'boolean', short: 'h', default: false } as const;

async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args;
  if (command === 'demo') {
    const isOn = { type: 'boolean', default: false } as const;
    const options = { help, serve: isOn, web: isOn, port: { type: 'string', default: '0' } } as const;
    const { values } = parseArgs({ args: rest, options });
    if (values.help) {
      console.log(demoUsage);
    } else if (values.web) {
      const { wholeNumber } = await import('./serve/option-values.ts');
      const port = wholeNumber('--port', values.port, 0, 65_535);
      const { webDemo } = await import('./demo/web-demo.ts');
      await webDemo({ port });
    } else {
      const { demo } = await import('./demo/demo.ts');
      await demo({ serve: values.serve });
    }
    return;
  }
  if (command === 'serve') {
    const { serveOptionsOf, serveUsage } = await import('./serve/options.ts');
    const options = serveOptionsOf(rest, process.env);
    if (options === null) {
      console.log(serveUsage);
    } else {
      const { serve } = await import('./serve/serve.ts');
      await serve(options);
    }
    return;
  }
  if (command === 'migrate') {
    const { migrate } = await import('@va/storage/migrate');
    process.exitCode = await migrate(rest, { env: process.env, out: console.log, err: console.error });
    return;
  }
  if (command === 'campaigns') {
    if (asksForHelp(rest)) console.log(campaignsUsage);
    else if (rest[0] === 'watch') process.exitCode = await watchCommand(rest.slice(1));
    else {
      console.error(campaignsUsage);
      process.exitCode = 2;
    }
    return;
  }
  if (command === undefined || command === 'help' || asksForHelp([command])) {
    console.log(usage);
    return;
  }
  console.error(`Unknown command: ${command}.\n\n${usage}`);
  process.exitCode = 2;
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

async function watchCommand(args: readonly string[]): Promise<number> {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const { env, stdout: out } = process;
  const [{ watchCampaign }, { systemClock }] = await Promise.all([
    import('./campaigns/watch.ts'),
    import('@va/core/adapter'),
  ]);
  return await watchCampaign(args, { env, out, err: console.error, clock: systemClock, signal: stopping.signal });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
