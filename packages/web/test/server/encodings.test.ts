import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PageUnderTest } from './page-under-test.ts';
import { WebService } from './service.ts';

let service: WebService;
afterEach(() => service.close());

const pcmu = { encoding: 'pcmu', sample_rate: 8_000, frame_ms: 20 };
const pcm16 = { encoding: 'pcm16', sample_rate: 16_000, frame_ms: 20 };

async function pageWith(audio?: unknown): Promise<PageUnderTest> {
  const { token } = await service.token();
  return await service.connect({ type: 'hello', version: 1, token, ...(audio === undefined ? {} : { audio }) });
}

describe('the encoding of a web call', () => {
  it.each([
    ['16 kHz for a page that supports it', ['pcm16', 'pcmu'], pcm16],
    ['8 kHz for a page that does not', ['pcmu'], pcmu],
    ['8 kHz for an older client, which names none', undefined, pcmu],
    ['8 kHz for a page that names unknown ones', ['opus', 'constructor', 'aac'], pcmu],
  ])('is %s', async (_, audio, expected) => {
    service = await WebService.start();
    const page = await pageWith(audio);
    expect((await page.message('ready')).audio).toEqual(expected);
  });

  it('is 8 kHz for all pages if the host wants that', async () => {
    service = await WebService.start({ web: { wideband: false } });
    const page = await pageWith(['pcm16', 'pcmu']);
    expect((await page.message('ready')).audio).toEqual(pcmu);
  });

  it.each([['pcm16'], [Array.from({ length: 21 }, () => 'pcmu')], [[1]]])('refuses a hello with %j', async (audio) => {
    service = await WebService.start();
    const page = await pageWith(audio);
    expect(await page.message('error')).toMatchObject({ code: 'invalid_message' });
  });

  it('is that of all frames, in both directions', async () => {
    service = await WebService.start();
    const page = await pageWith(['pcm16']);
    await page.message('agent-heard', { text: 'Good evening.' });
    expect(page.lengths).toEqual(new Set([640]));
    page.say(new Uint8Array(640));
    page.say(new Uint8Array(160));
    const { message } = await page.message('error', { code: 'invalid_message' });
    expect(message).toBe('A frame has 4 and 640 bytes.');
    await vi.waitFor(() => expect(page.closeCode).toBe(4_000));
  });

  it('stays the same when a lost connection is resumed', async () => {
    service = await WebService.start();
    const lost = await pageWith(['pcm16']);
    const { resume_secret: secret } = await lost.message('ready');
    await lost.message('answered');
    lost.lose();
    const page = await service.connect({ type: 'resume', version: 1, secret, received: lost.received });
    expect((await page.message('ready')).audio).toEqual(pcm16);
    page.say(new Uint8Array(640));
    await page.message('agent-heard', { text: 'Good evening.' });
    expect(page.lengths).toEqual(new Set([640]));
    page.leave();
    const call = await service.lastCall();
    expect(call.media?.received.packets).toBe(1);
  });
});
