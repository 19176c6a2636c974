import { RecordingLinks, systemClock } from '@va/core/adapter';
import { expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { createTestHost, recordedBytes } from '../support/host.ts';

const origin = 'http://localhost';

async function open(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await handler.fetch(new Request(`${origin}${path}`, { headers }));
}

const { host, orgId, addCall } = await createTestHost();
const recordings = {
  create: () => Promise.reject(new Error('Recording is disabled.')),
  open: (org: string, call: string) => host.operations.calls.recording(org, call),
  delete: async () => false,
};
const links = new RecordingLinks(
  { key: new Uint8Array(32).fill(1) },
  { clock: systemClock, recordings, baseUrl: '/api/v1/recordings' },
);
const handler = createHandler({ ...host, openLinkedRecording: links.open });

it('a link to a recording needs no key, and serves ranges', async () => {
  const { id } = await addCall({ room_name: 'recorded' });
  const link = (await links.link(orgId, id, 60)) ?? '';
  const whole = await open(link);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(whole.headers.get('cache-control')).toBe('no-store');
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(recordedBytes);
  const part = await open(link, { range: 'bytes=10-19' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/1000']);
});

it('an invalid link is refused like an unknown recording', async () => {
  const { id } = await addCall({ room_name: 'recorded' });
  const link = (await links.link(orgId, id, 60)) ?? '';
  for (const wrong of [`${link}x`, '/api/v1/recordings/x', `/api/v1/recordings/${id}`]) {
    const answer = await open(wrong);
    expect([wrong, answer.status]).toEqual([wrong, 404]);
    expect(await answer.json()).toMatchObject({ code: 'recording_not_found' });
  }
});

it('the route of linked recordings does not exist without a key for links', async () => {
  const { status } = await createHandler(host).fetch(new Request(`${origin}/api/v1/recordings/x`));
  expect(status).toBe(404);
});
