import type { Call } from '@va/core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavHeader } from '../../../packages/core/src/node/wav-header.ts';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

const markup = '<img src=x onerror="document.title=\'owned\'">';
const latency = {
  ...{ total_ms: 640, endpointing_ms: 240, stt_final_ms: 120, first_audio_ms: 600 },
  ...{ llm_first_token_ms: 200, tts_first_byte_ms: 90 },
};

/** Three minutes of stereo: the caller in the first half, the agent in the second. */
function recording(seconds = 180): Uint8Array {
  const samples = new Int16Array(seconds * 8_000 * 2);
  for (let frame = 0; frame < seconds * 8_000; frame += 1) {
    const isCaller = frame < seconds * 4_000;
    samples[frame * 2 + (isCaller ? 0 : 1)] = Math.round(12_000 * Math.sin(frame / 8));
  }
  return Buffer.concat([wavHeader(samples.byteLength), Buffer.from(samples.buffer)]);
}

describe.skipIf(!hasChromium())('the page of a call in Chromium (Debian: chromium)', () => {
  let service: ConsoleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startConsoleService();
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function addCall(changes: Partial<Call> = {}): Promise<Call> {
    const at = '2026-01-01T12:00:00.000Z';
    const call = await service.addCall({
      ...{ created_at: at, started_at: at, answered_at: at, duration_seconds: 180, agent_name: 'Reception' },
      ...{
        recording_url: 'https://example.com/recording',
        summary: `A table. ${markup}`,
        analysis_status: 'completed',
      },
      ...{ cost: 0.25, latency: { turns: [latency], total_ms: { p50: 640, p95: 700 }, interruptions_ms: [180] } },
      ...{ messages: [{ role: 'user', content: 'From the record.' }] },
      cost_breakdown: [
        ...[
          {
            provider: 'openai',
            model: 'gpt',
            kind: 'input_tokens',
            quantity: 1_200,
            unit: 'token',
            price: 0.2,
          } as const,
        ],
      ].map((item) => ({ ...item, is_estimate: true, own_key: false })),
      media: {
        received: { packets: 9_000, packets_lost: 12, packets_dropped: 3, jitter_ms: 4 },
        ...{ sent: { packets: 9_000, packets_lost: null, jitter_ms: null }, round_trip_ms: 40 },
      },
      ...changes,
    });
    service.recordings.bytes.set(call.id, recording());
    await service.addEvents(call, [
      { atSeconds: 0, type: 'status', data: { status: 'in-progress', end_reason: null, error: null } },
      { atSeconds: 4, type: 'transcript', data: { role: 'assistant', content: 'Good day.', interrupted: false } },
      { atSeconds: 90, type: 'transcript', data: { role: 'user', content: `A table for two. ${markup}` } },
      { atSeconds: 91, type: 'latency', data: latency },
      { atSeconds: 92, type: 'tool-call', data: { id: 'a', name: 'book', arguments: { guests: 2 } } },
      { atSeconds: 93, type: 'tool-result', data: { id: 'a', name: 'book', ok: false, error: `Full. ${markup}` } },
      {
        ...{ atSeconds: 120, type: 'transcript' },
        data: { role: 'assistant', content: 'I am sorry, we', interrupted: true, unheard: `are full. ${markup}` },
      },
      { atSeconds: 121, type: 'dtmf', data: { digit: '5', durationMs: 90 } },
      { atSeconds: 180, type: 'status', data: { status: 'ended', end_reason: 'user_hangup', error: null } },
    ]);
    return call;
  }

  async function open(call: Pick<Call, 'id'>, scopes: readonly string[] = ['*']): Promise<Page> {
    return await openConsole(browser, service.url, await service.key(scopes), `#/calls/${call.id}`);
  }

  it('shows messages and events as text, never as markup', async () => {
    const page = await open(await addCall());
    const lines = page.locator('.timeline > li.line');
    await page.getByText('A table for two.').waitFor();
    expect(await lines.count()).toBe(3);
    expect(await lines.nth(1).textContent()).toContain(markup);
    await lines.nth(2).getByText('interrupted by the caller').waitFor();
    expect(await lines.nth(2).locator('.unheard').textContent()).toBe(`(Not heard:) are full. ${markup}`);
    expect(await lines.nth(0).locator('.unheard').count()).toBe(0);
    await page.getByText('Keypad: 5').waitFor();
    await page.locator('.tool summary').click();
    await page.getByText('"guests": 2').waitFor();
    await page.locator('.tool').getByText('Full.').waitFor();
    await page.getByText('Reply after 640 ms').click();
    await page.locator('.waterfall').getByText('440 ms').waitFor();
    await page.getByText('9,000 packets · 12 lost').waitFor();
    await page.getByRole('cell', { name: '1,200 token' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expectClean(page);
  });

  it('plays the recording with the key, and follows the transcript', async () => {
    const page = await open(await addCall());
    const ranges: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/recording?')) ranges.push(request.headers().range);
    });
    await page.locator('.waves canvas').first().waitFor();
    await page.getByRole('button', { name: 'Go to 1:30' }).click();
    await page.locator('[aria-current=true]').getByText('I am sorry, we').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Go to 0:04' }).click();
    await page.locator('[aria-current=true]').getByText('A table for two.').waitFor();
    expect(ranges).toEqual(['bytes=0-8388607']);
    expectClean(page);
  });

  it('plays a recording from a store of another origin', async () => {
    service.recordings.url = 'https://recordings.example.com/one.wav';
    try {
      const page = await open(await addCall());
      await page.locator('.waves canvas').first().waitFor();
      await page.getByRole('button', { name: 'Go to 1:30' }).click();
      await page.locator('[aria-current=true]').getByText('I am sorry, we').waitFor();
      expectClean(page);
    } finally {
      service.recordings.url = null;
    }
  });

  it('shows the messages of a call whose events were deleted', async () => {
    const call = await service.addCall({ messages: [{ role: 'user', content: 'From the record.' }] });
    await service.addEvents(call, [
      { atSeconds: 180, type: 'status', data: { status: 'ended', end_reason: 'user_hangup', error: null } },
    ]);
    const page = await open(call);
    await page.getByText('From the record.').waitFor();
    await page.getByText('There is no recording of this call.').waitFor();
    expect(await page.locator('.player').count()).toBe(0);
  });

  it('erases a call after a confirmation', async () => {
    const call = await addCall({ caller_phone: '+31201110000' });
    const page = await open(call);
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('button', { name: 'Erase the call' }).click();
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
    await page.locator('.call-table').waitFor();
    expect(await page.getByText('+31201110000').count()).toBe(0);
    await expect(service.va.operations.calls.get(service.orgId, call.id)).rejects.toMatchObject({ status: 404 });
    expectClean(page);
  });

  it('shows the delivery attempts of webhooks, and redelivers one', async () => {
    const call = await addCall();
    const at = '2026-01-01T12:03:00.000Z';
    await service.storage.webhookDeliveries.insert(service.orgId, {
      ...{ id: crypto.randomUUID(), webhook_id: 'msg_1', agent_id: null, call_id: call.id, event: 'call-ended' },
      ...{ url: 'https://example.com/hook', status: 'failed', status_code: 500, payload: { text: markup } },
      attempts: [{ at, status_code: 500, latency_ms: 80, error: 'Internal Server Error' }],
      ...{ created_at: at, updated_at: at, delivered_at: null },
    });
    const page = await open(call);
    await page.getByText('call-ended').click();
    await page.getByText('Internal Server Error').waitFor();
    const sent = page.waitForRequest((request) => request.url().endsWith('/redeliver'));
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await sent;
    await page.locator('.deliveries').getByRole('alert').or(page.getByText('Queued again.')).first().waitFor();
  });

  it('offers no action to a key that may only read, and the service refuses it', async () => {
    const call = await addCall();
    const page = await open(call, ['calls:read']);
    await page.getByText('A table for two.').waitFor();
    expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
    expect(await page.getByText('Webhooks').count()).toBe(0);
    const headers = { authorization: `Bearer ${await service.key(['calls:read'])}` };
    const address = new URL(`../api/v1/calls/${call.id}`, service.url);
    expect((await fetch(address, { method: 'DELETE', headers })).status).toBe(403);
  });

  it('does not show the call of another organization', async () => {
    const call = await addCall();
    const other = await service.va.operations.organizations.create({ name: 'Other' });
    const page = await openConsole(browser, service.url, await service.key(['*'], other.id), `#/calls/${call.id}`);
    await page.getByRole('alert').getByText('There is no call').first().waitFor();
    expect(await page.getByText('A table for two.').count()).toBe(0);
  });
});
