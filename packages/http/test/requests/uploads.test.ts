import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { type Mounted, mount, mountings } from '../support/mounts.ts';
import { createProbeHost, type ProbeHost } from '../support/probe-host.ts';
import { Probe, probeRoutes } from '../support/probe-routes.ts';
import { sendRaw } from '../support/raw-http.ts';

const csv = `phone_number,name\n+31612345678,"Zoë, 👋"\n`.repeat(2_000);

describe.each(mountings)('a file sent to $name', (mounting) => {
  let probed: ProbeHost;
  let mounted: Mounted;

  beforeAll(async () => {
    probed = createProbeHost();
    mounted = await mount(mounting, (options = {}) => createEngine(probed.host, probeRoutes(new Probe()), options));
  });

  afterAll(async () => {
    await mounted.close();
  });

  beforeEach(() => {
    probed.logged.length = 0;
  });

  async function send(path: string, body: NonNullable<RequestInit['body']>, type?: string): Promise<Response> {
    const headers = type === undefined ? {} : { 'content-type': type };
    return await fetch(`${mounted.url}${path}`, { method: 'POST', body, headers });
  }

  function form(...parts: readonly [string, string | Blob, string?][]): FormData {
    const data = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, value, fileName);
    }
    return data;
  }

  it('is read unchanged', async () => {
    const response = await send('/bytes', csv, 'text/csv; charset=utf-8');
    expect([response.status, await response.text()]).toEqual([200, csv]);
  });

  it('is read from a form with other fields', async () => {
    const body = form(['dry_run', 'true'], ['file', new Blob([csv]), 'leads.csv'], ['more', new Blob(['x']), 'x.csv']);
    const response = await send('/bytes', body);
    expect([response.status, await response.text()]).toEqual([200, csv]);
  });

  it('is reported as missing in a form without one', async () => {
    const response = await send('/bytes', form(['name', 'value']));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'missing_field', param: 'file' });
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['nothing in it', 'multipart/form-data; boundary=b', ''],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
  ])('is refused in a form with %s', async (_case, type, body) => {
    const response = await send('/bytes', body, type);
    expect(response.status).toBe(400);
    expect((await fetch(`${mounted.url}/things/1`)).status).toBe(200);
    expect(probed.logged).toEqual([]);
  });

  it('is refused if its media type is not accepted', async () => {
    const response = await send('/first-chunk', '{}', 'application/xml');
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      message: expect.stringContaining('text/csv or multipart/form-data'),
    });
  });

  // A body parser of the host refuses bodies above its own limit.
  if (mounting.isParsedBefore !== true) {
    it('is refused if it is too large, with and without its length, alone and in a form', async () => {
      const large = new Uint8Array(2_000_001);
      const streamed = new ReadableStream({
        start(controller) {
          controller.enqueue(large);
          controller.close();
        },
      });
      const forms = [large, form(['file', new Blob([large]), 'large.csv'])];
      for (const body of [...forms, streamed]) {
        const headers = body instanceof FormData ? {} : { 'content-type': 'text/csv' };
        const response = await fetch(`${mounted.url}/bytes`, { method: 'POST', body, headers, ...{ duplex: 'half' } });
        expect([response.status, await response.json()]).toMatchObject([413, { code: 'body_too_large' }]);
      }
      expect((await fetch(`${mounted.url}/things/1`)).status).toBe(200);
    });
  }

  it('can be read in part, and its connection is reused', async () => {
    const file = `${'x'.repeat(300_000)}`;
    const boundary = 'b0undary';
    const part =
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; ` +
      `filename="a"\r\n\r\n${file}\r\n--${boundary}--\r\n`;
    const requests = [
      ['text/csv', file],
      [`multipart/form-data; boundary=${boundary}`, part],
    ].map(([type, body = '']) => {
      const head = `Host: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}`;
      return `POST ${mounted.path}/first-chunk HTTP/1.1\r\n${head}\r\n\r\n${body}`;
    });
    const last = `GET ${mounted.path}/things/2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const answer = await sendRaw(mounted.origin, [...requests, last].join(''));
    expect(answer.match(/HTTP\/1.1 200/g)).toHaveLength(3);
    expect(answer).toContain('"id":"2"');
  });
});
