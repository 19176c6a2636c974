import { type Client, createClient, type Recording } from '@va/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thrownBy } from '../../packages/client/test/support/client-of.ts';
import { type Api, openApi } from '../api/support/api.ts';
import { recordedBytes } from '../api/support/recordings.ts';
import { memoryStorage } from '../api/support/storages.ts';

describe('calls.recording of the client', () => {
  let api: Api;
  let client: Client;
  let id: string;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
    const tenant = await api.tenant();
    client = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    ({ id } = await tenant.addCall());
    api.recordings.recorded.add(id);
  });
  afterAll(() => api.close());

  const bytesOf = async ({ body }: Recording): Promise<Uint8Array> =>
    new Uint8Array(await new Response(body).arrayBuffer());

  it('returns the recording as a stream', async () => {
    const recording = await client.calls.recording(id);
    expect(recording).toMatchObject({ contentType: 'audio/wav', byteLength: recordedBytes.length, range: null });
    expect(await bytesOf(recording)).toEqual(recordedBytes);
  });

  it('returns the requested range', async () => {
    const part = await client.calls.recording(id, { range: { start: 10, end: 19 } });
    expect(part).toMatchObject({ byteLength: 10, range: { start: 10, end: 19, totalBytes: recordedBytes.length } });
    expect(await bytesOf(part)).toEqual(recordedBytes.slice(10, 20));
    const rest = await client.calls.recording(id, { range: { start: 900 } });
    expect(await bytesOf(rest)).toEqual(recordedBytes.slice(900));
    const beyond = thrownBy(client.calls.recording(id, { range: { start: recordedBytes.length } }));
    expect(await beyond).toMatchObject({ status: 416, code: 'range_not_satisfiable' });
  });

  it('throws for a call of another organization, and for one without a recording', async () => {
    const tenant = await api.tenant();
    const other = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    expect(await thrownBy(other.calls.recording(id))).toMatchObject({ code: 'call_not_found' });
    const { id: silent } = await tenant.addCall();
    expect(await thrownBy(other.calls.recording(silent))).toMatchObject({ code: 'recording_not_found' });
  });
});
