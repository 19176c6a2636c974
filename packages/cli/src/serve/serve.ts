import { join } from 'node:path';
import {
  createVoiceAgents,
  defaultOrganizationId,
  folderRecordings,
  type VoiceAgents,
  type VoiceAgentsOptions,
} from '@va/core';
import type { Storage } from '@va/core/adapter';
import { prometheus } from '@va/http/prometheus';
import { resend } from '@va/mail/resend';
import { smtp } from '@va/mail/smtp';
import { s3Recordings } from '@va/recordings/s3';
import { type SipOptions, sip } from '@va/sip';
import { pglite } from '@va/storage/pglite';
import { postgres } from '@va/storage/postgres';
import { webCallScript } from '@va/web/server';
import { webhooks } from '@va/webhooks';
import { startHttpServer } from '../http-server.ts';
import { allProviders, hostedProviders } from '../providers.ts';
import { stopSignal } from '../stop-signal.ts';
import { bucketOf, type RetentionDays, retentionOf, smtpOf } from './environment.ts';
import { keepPrivate } from './private-files.ts';
import { sipLines } from './sip-lines.ts';
import { openSocketTelephony, type SocketTelephony, socketLines } from './socket-telephony.ts';
import { openVault, type ServedVault } from './vault.ts';

/** Options of `va serve`. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** Null to run without SIP. */
  readonly sip: SipOptions | null;
  readonly sockets: SocketTelephony;
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  /** URL of a PostgreSQL database; by default the database is in the data directory. */
  readonly databaseUrl?: string;
  readonly publicUrl?: string;
  readonly allowPrivateWebhooks: boolean;
  /** Enables `pocketsphinx`, `scripted` and `flite`, which are for demos and trials only. */
  readonly localSpeech: boolean;
  /** Ends a call after this time without media; 15 s by default. Before the first frame, the time is at least 30 s. */
  readonly mediaTimeoutSeconds?: number;
}

/** Runs the service until SIGINT or SIGTERM. */
export async function serve(options: ServeOptions): Promise<void> {
  await keepPrivate(options.dataDir);
  const sipTelephony = options.sip === null ? null : sip(options.sip);
  const { env } = process;
  const [mailServer, bucket, retention] = [smtpOf(env), bucketOf(env), retentionOf(env)];
  const storage = storageOf(options);
  const vault = await openVault(options.dataDir, env);
  const va = createVoiceAgents({
    storage,
    // Only keys of the default organization may see the whole deployment.
    operators: [defaultOrganizationId],
    vault: vault.vault,
    providers: options.localSpeech ? allProviders() : hostedProviders(),
    telephony: [...(sipTelephony === null ? [] : [sipTelephony]), ...openSocketTelephony(options.sockets)],
    webhooks: webhooks({ allowPrivateTargets: options.allowPrivateWebhooks }),
    recordings:
      bucket === null
        ? folderRecordings({ dir: join(options.dataDir, 'recordings') })
        : s3Recordings({ ...bucket, spoolDir: join(options.dataDir, 'recordings-spool') }),
    ...(env.VA_RECORDING_LINK_KEY ? { recordingLinks: { key: env.VA_RECORDING_LINK_KEY } } : {}),
    mail: {
      ...(env.RESEND_API_KEY ? { provider: resend() } : {}),
      ...(mailServer === null ? {} : { sender: smtp(mailServer) }),
      ...(env.VA_MAIL_FROM ? { from: env.VA_MAIL_FROM } : {}),
    },
    ...mediaTimeoutOf(options),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
  });
  const { VA_METRICS_TOKEN: bearerToken } = env;
  // Created before the start, so that no event is missed.
  const metrics = bearerToken ? { metrics: { source: prometheus(va), bearerToken } } : {};
  const closers: (() => Promise<void>)[] = [];
  try {
    await va.start();
    closers.push(() => va.close({ drainMs: 30_000 }));
    const { trustedProxies } = options;
    const files = options.sockets.web === null ? {} : { '/va-web.js': await webCallScript() };
    const http = await startHttpServer(va, options, { ...metrics, trustedProxies }, files);
    closers.push(() => http.close());
    console.log(`API  ${http.url}/api/v1`);
    console.log(`Console  ${http.consoleUrl}`);
    const sipAddresses =
      sipTelephony === null || options.sip === null ? [] : sipLines(sipTelephony.addresses, options.sip);
    const startLines = [...sipAddresses, ...socketLines(options.sockets, options.publicUrl ?? '')];
    for (const line of startLines) console.log(line);
    await printVaultStatus(vault, storage);
    await applyRetention(va, retention);
    await printFirstKey(va);
    await stopSignal();
    console.log('Draining: live calls may finish for 30 s.');
  } finally {
    for (const close of closers) await close();
  }
}

function mediaTimeoutOf({ mediaTimeoutSeconds: seconds }: ServeOptions): Pick<VoiceAgentsOptions, 'mediaTimeout'> {
  if (seconds === undefined) return {};
  return { mediaTimeout: { initialMs: Math.max(30, seconds) * 1_000, generalMs: seconds * 1_000 } };
}

/** Sets the retention of the deployment's own organization; unset values stay unchanged. */
async function applyRetention({ operations }: VoiceAgents, retention: RetentionDays): Promise<void> {
  if (Object.keys(retention).length === 0) return;
  const { id } = await operations.organizations.ensureDefault();
  await operations.organizations.update(id, retention);
}

async function printFirstKey({ operations }: VoiceAgents): Promise<void> {
  const { id: orgId } = await operations.organizations.ensureDefault();
  const keys = await operations.apiKeys.list(orgId);
  if (keys.length > 0) return;
  const { secret } = await operations.apiKeys.issue(orgId, { name: 'first key' });
  console.log(`Key  ${secret}\n     (shown this once: Authorization: Bearer <key>)`);
}

async function printVaultStatus({ vault, keyFile, hasPreviousKeys }: ServedVault, storage: Storage): Promise<void> {
  if (keyFile !== null)
    console.log(`Vault  its key is in ${keyFile}: keep a copy. Other nodes need it as VA_VAULT_KEY.`);
  if (!hasPreviousKeys) return;
  const { resealed, unreadable } = await vault.rotate(storage);
  console.log(`Vault  ${resealed} secrets sealed with the new key, ${unreadable.length} cannot be opened.`);
}

function storageOf({ databaseUrl, dataDir }: ServeOptions): Storage {
  if (databaseUrl === undefined) return pglite({ dir: join(dataDir, 'db') });
  return postgres({ connectionString: databaseUrl, migrations: 'auto' });
}
