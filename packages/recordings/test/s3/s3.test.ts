import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingStore } from '@va/core/adapter';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type S3RecordingsOptions, s3Recordings } from '../../src/s3/index.ts';
import { credentials, S3Server } from './s3-server.ts';

const orgId = '00000000-0000-7000-8000-00000000000a';
const callId = '00000000-0000-7000-8000-000000000001';
const object = `/calls/recordings/${orgId}/${callId}.wav`;
const stores: RecordingStore[] = [];
let server: S3Server;
let spoolDir: string;

beforeEach(async () => {
  server = await S3Server.start();
  spoolDir = await mkdtemp(join(tmpdir(), 'va-spool-'));
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close?.();
  await server.close();
  await rm(spoolDir, { recursive: true });
});

function open(more: Partial<S3RecordingsOptions> = {}): RecordingStore {
  const place = { bucket: 'calls', prefix: 'recordings/', endpoint: server.url, credentials, spoolDir };
  const store = s3Recordings({ ...place, logger: { warn() {} }, ...more });
  stores.push(store);
  return store;
}

async function record(store: RecordingStore, id = callId): Promise<void> {
  const sink = await store.create(orgId, id);
  sink.write(Int16Array.from({ length: 3_200 }, (_, n) => n));
  await sink.close();
}

async function stored(): Promise<Buffer> {
  return await vi.waitFor(
    async () => {
      const found = server.objects.get(object);
      if (found === undefined || (await spooled()).length > 0) throw new Error('The recording is not uploaded yet.');
      return found;
    },
    { interval: 10 },
  );
}

async function spooled(): Promise<string[]> {
  return await readdir(join(spoolDir, orgId)).catch(() => []);
}

async function bytesOf(stream: ReadableStream<Uint8Array> | undefined): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

describe('recordings in a bucket', () => {
  it('are uploaded after the call, and deleted from the spool folder', async () => {
    const store = open();
    await record(store);
    const whole = await stored();
    expect(whole.subarray(0, 4).toString()).toBe('RIFF');
    expect(whole.readUInt32LE(40)).toBe(6_400);
    const found = await store.open(orgId, callId);
    expect(found).toMatchObject({ byteLength: 6_444, contentType: 'audio/wav' });
    expect(await bytesOf(found?.read())).toEqual(whole);
    expect(await bytesOf(found?.read({ start: 10, end: 19 }))).toEqual(whole.subarray(10, 20));
  });

  it('can be read before they are uploaded, and are uploaded when the bucket has recovered', async () => {
    server.failures = 1;
    const store = open();
    await record(store);
    expect((await store.open(orgId, callId))?.url).toBeUndefined();
    expect(await bytesOf((await store.open(orgId, callId))?.read())).toHaveLength(6_444);
    expect(await stored()).toHaveLength(6_444);
  });

  it('have a presigned URL that expires', async () => {
    const store = open();
    await record(store);
    await stored();
    const { url = '' } = (await store.open(orgId, callId)) ?? {};
    expect((await fetch(url)).status).toBe(200);
    const link = (await store.link?.(orgId, callId, 3_600)) ?? '';
    server.aheadMs = 301_000;
    expect((await fetch(url)).status).toBe(403);
    expect(await (await fetch(link)).arrayBuffer()).toHaveProperty('byteLength', 6_444);
    expect((await fetch(link.replace(callId, orgId))).status).toBe(403);
    server.aheadMs = 3_601_000;
    expect((await fetch(link)).status).toBe(403);
  });

  it('are deleted from the bucket and from the spool folder', async () => {
    const store = open();
    await record(store);
    await stored();
    expect(await store.delete(orgId, callId)).toBe(true);
    expect(server.objects.size).toBe(0);
    expect(await store.open(orgId, callId)).toBeNull();
    expect(await store.delete(orgId, callId)).toBe(false);
    server.failures = 100;
    await record(store);
    expect(await store.delete(orgId, callId)).toBe(true);
    expect([await spooled(), server.objects.size]).toEqual([[], 0]);
  });

  it('of a process that died are completed and uploaded by the next one', async () => {
    const header = Buffer.alloc(44);
    header.write('RIFF');
    await mkdir(join(spoolDir, orgId));
    await writeFile(join(spoolDir, orgId, `${callId}.wav`), Buffer.concat([header, Buffer.alloc(1_000, 7)]));
    expect(await open().open(orgId, '00000000-0000-7000-8000-0000000000ff')).toBeNull();
    expect((await stored()).readUInt32LE(40)).toBe(1_000);
  });

  it('stay in the spool folder when the service stops before the upload', async () => {
    server.failures = 100;
    const store = open();
    await record(store);
    await vi.waitFor(() => expect(server.requests.some((each) => each.startsWith('PUT'))).toBe(true));
    await store.close?.();
    expect(await spooled()).toEqual([`${callId}.wav`]);
  });

  it('cannot be opened with a wrong secret', async () => {
    const store = open({ credentials: { ...credentials, secretAccessKey: 'another' } });
    await expect(store.open(orgId, callId)).rejects.toThrow();
  });
});
