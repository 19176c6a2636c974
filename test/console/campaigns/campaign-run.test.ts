import { levelVad, ScriptedTelephony, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

const patience = { interval: 50 };

describe.skipIf(!hasChromium())('a campaign that is watched in the console (Debian: chromium)', () => {
  const telephony = new ScriptedTelephony();
  let service: ConsoleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startConsoleService({
      service: {
        telephony: [telephony],
        providers: [scriptedStt(), scriptedLlm([saying('Goodbye.')]), scriptedTts({ msPerLetter: 10 })],
        vad: levelVad(),
      },
    });
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('runs from its start to its end, with the outcome of each lead', async () => {
    const { agents, campaigns, leads, numbers, trunks } = service.va.operations;
    const agent = await agents.create(service.orgId, {
      name: 'Anna',
      first_message: 'Hello.',
      stt_config: { provider: 'scripted' },
      llm_config: { provider: 'scripted' },
      tts_config: { provider: 'scripted' },
    });
    const number = await numbers.register(service.orgId, { phone_number: '+31201234567', agent_id: agent.id });
    const line = { provider: 'acme', address: 'sip.example.com', numbers: [number.phone_number] };
    await trunks.create(service.orgId, { name: 'Carrier', ...line });
    const { id } = await campaigns.create(service.orgId, {
      ...{ name: 'Spring', agent_id: agent.id, number_id: number.id },
      ...{ schedule_start_time: '00:00', schedule_end_time: '23:59', timezone: 'UTC' },
      schedule_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      max_attempts: 1,
    });
    for (const phone_number of ['+31612345601', '+31612345602', '+31612345603']) {
      await leads.add(service.orgId, id, { phone_number });
    }

    const page = await openConsole(browser, service.url, await service.key(), `#/campaigns/${id}`);
    await page.getByRole('button', { name: 'Start' }).click();
    const done = new Set<object>();
    await vi.waitFor(async () => {
      for (const call of telephony.dialed) {
        if (done.has(call)) continue;
        done.add(call);
        if (call.request.destination.endsWith('3')) call.refuse('busy');
        else {
          call.pickUp();
          setTimeout(() => call.leave(), 500);
        }
      }
      expect(done.size).toBe(3);
    }, patience);
    await page.getByRole('heading', { level: 1 }).getByText('Completed').waitFor();
    const row = (phone: string) => page.getByRole('row').filter({ hasText: phone });
    for (const phone of ['+31612345601', '+31612345602']) await row(phone).getByText('Completed').waitFor();
    await row('+31612345603').getByText('Failed').waitFor();
    expect((await campaigns.get(service.orgId, id)).status).toBe('completed');
    expectClean(page);
  });
});
