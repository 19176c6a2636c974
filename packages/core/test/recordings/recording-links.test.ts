import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { uuidv7 } from '../../src/ids.ts';
import type { RecordingStore, StoredRecording } from '../../src/ports/recordings.ts';
import { RecordingLinks } from '../../src/recordings/recording-links.ts';

const clock = new VirtualClock();
const key = new Uint8Array(32).fill(7);
const [orgId, callId, otherId] = [uuidv7(clock), uuidv7(clock), uuidv7(clock)];
const recording: StoredRecording = { contentType: 'audio/wav', byteLength: 1, read: () => new ReadableStream() };
const recordings: RecordingStore = {
  create: () => Promise.reject(new Error('this store does not record')),
  open: async (org, call) => (org === orgId && call === callId ? recording : null),
  delete: async () => false,
};
const baseUrl = 'https://example.com/api/v1/recordings';
const links = new RecordingLinks({ key }, { clock, recordings, baseUrl });

async function newLink(of = callId, seconds = 60): Promise<string> {
  const link = await links.link(orgId, of, seconds);
  expect(link?.startsWith(`${baseUrl}/`)).toBe(true);
  return link?.slice(baseUrl.length + 1) ?? '';
}

it('a recording link opens its recording until it expires', async () => {
  const link = await newLink();
  expect(await links.open(link)).toBe(recording);
  await clock.advance(59_000);
  expect(await links.open(link)).toBe(recording);
  await clock.advance(2_000);
  expect(await links.open(link)).toBeNull();
});

it('a recording link opens nothing when the recording is gone', async () => {
  expect(await links.open(await newLink(otherId))).toBeNull();
});

it('a recording link opens nothing when any part of it was changed', async () => {
  const link = await newLink();
  const [org = '', call = '', endsAt = '', signature = ''] = link.split('.');
  const changed = [
    [otherId, call, endsAt, signature],
    [org, otherId, endsAt, signature],
    [org, call, String(Number(endsAt) + 1), signature],
    [org, call, endsAt, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
    [org, call, endsAt, ''],
    [org, call, endsAt, `${signature}a`],
    [org, call, endsAt, signature, 'more'],
    [org, call],
    ['', '', '', ''],
    ['../../etc/passwd', call, endsAt, signature],
  ].map((parts) => parts.join('.'));
  for (const each of changed) expect([each, await links.open(each)]).toEqual([each, null]);
});

it('a recording link opens nothing when it was signed with another key', async () => {
  const others = new RecordingLinks({ key: Buffer.alloc(32, 8).toString('base64') }, { clock, recordings, baseUrl });
  expect(await others.open(await newLink())).toBeNull();
});

it('RecordingLinks refuses a weak key', () => {
  expect(() => new RecordingLinks({ key: 'secret' }, { clock, recordings, baseUrl })).toThrow(
    expect.objectContaining({ code: 'invalid_recording_link_key' }),
  );
});
