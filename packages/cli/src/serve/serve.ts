import { join } from 'node:path';
import { createVoiceAgents, folderRecordings, type Storage } from '@va/core';
import { sip } from '@va/sip';
import { pglite } from '@va/storage/pglite';
import { postgres } from '@va/storage/postgres';
import { webhooks } from '@va/webhooks';
import { startHttpServer } from '../http-server.ts';
import { allProviders } from '../providers.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** Such as `udp://0.0.0.0:5060`. */
  readonly sip: readonly string[];
  /** The address that SIP peers reach this machine at, where it is not the one listened on. */
  readonly publicAddress?: string;
  readonly dataDir: string;
  /** PostgreSQL instead of the folder. */
  readonly databaseUrl?: string;
  readonly publicUrl?: string;
  readonly allowPrivateWebhooks: boolean;
}

/** Runs the service until SIGINT or SIGTERM. */
export async function serve(options: ServeOptions): Promise<void> {
  const telephony = sip({
    listen: options.sip,
    ...(options.publicAddress === undefined ? {} : { publicAddress: options.publicAddress }),
  });
  const va = createVoiceAgents({
    storage: storageOf(options),
    providers: allProviders(),
    telephony: [telephony],
    webhooks: webhooks({ allowPrivateTargets: options.allowPrivateWebhooks }),
    recordings: folderRecordings({ dir: join(options.dataDir, 'recordings') }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
  });
  await va.start();
  const organization = await va.operations.organizations.ensureDefault();
  const keys = await va.operations.apiKeys.list(organization.id);
  const http = await startHttpServer(va, options);
  console.log(`API  ${http.url}/api/v1`);
  for (const { transport, address, port } of telephony.addresses) console.log(`SIP  ${transport}://${address}:${port}`);
  if (keys.length === 0) {
    const { secret } = await va.operations.apiKeys.issue(organization.id, { name: 'first key' });
    console.log(`Key  ${secret}\n     (shown this once: Authorization: Bearer <key>)`);
  }

  await stopSignal();
  console.log('Draining: live calls may finish for 30 s.');
  await va.close({ drainMs: 30_000 });
  await http.close();
}

function storageOf({ databaseUrl, dataDir }: ServeOptions): Storage {
  if (databaseUrl === undefined) return pglite({ dir: join(dataDir, 'db') });
  return postgres({ connectionString: databaseUrl, migrations: 'auto' });
}

export async function stopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
