import { inspect } from 'node:util';
import { memory } from '@va/storage/memory';
import { ScriptedIncomingCall, saying, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { ByokProvider } from '../../src/domain/accounts/byok.ts';
import { aesVault } from '../../src/node/aes-vault.ts';
import type { Logger } from '../../src/ports/logger.ts';
import type { TextToSpeech, TtsSessionOptions } from '../../src/ports/providers/text-to-speech.ts';
import { OwnKeys } from '../../src/providers/own-keys.ts';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();
const vault = aesVault({ key: Buffer.alloc(32, 7) });

function entry(id: string): ByokProvider {
  return { id, name: id, category: 'stt', docsUrl: 'https://example.com', models: [], voices: [] };
}

/** Starts a service with providers of two vendors that record the keys they are opened with. */
async function setUp(more: { vault?: typeof vault; logger?: Logger } = { vault }) {
  const sessions: TtsSessionOptions[] = [];
  const requests: (string | undefined)[] = [];
  const speaking = scriptedTts();
  const tts: TextToSpeech = {
    ...speaking,
    formats: speaking.formats,
    vendor: 'acme',
    open(options) {
      sessions.push(options);
      return speaking.open(options);
    },
  };
  const thinking = scriptedLlm([saying('First.'), saying('Second.')]);
  const llm = {
    ...thinking,
    vendor: 'acme',
    catalog: entry('acme'),
    stream(request: Parameters<typeof thinking.stream>[0]) {
      requests.push(request.apiKey);
      return thinking.stream(request);
    },
  };
  const stt = { ...scriptedStt({ turns: ['hello'] }), catalog: entry('scripted') };
  const storage = memory();
  const call = keep(new PhoneCall({ service: { storage, providers: [stt, llm, tts], ...more } }));
  await call.prepare();
  return { call, storage, byok: call.va.operations.byok, stt, sessions, requests };
}

async function talk(call: PhoneCall): Promise<void> {
  await call.dial();
  await call.quiet(200);
  await call.speak(600);
  await call.quiet(1_500);
}

describe('provider keys of an organization', () => {
  it('are passed to every provider of their vendor', async () => {
    const { call, byok, stt, sessions, requests } = await setUp();
    await byok.set(call.orgId, { provider: 'acme', api_key: 'acme-1' });
    await talk(call);
    expect(sessions.map(({ apiKey }) => apiKey)).toEqual(['acme-1']);
    expect(requests).toEqual(['acme-1']);
    expect(stt.streams.map(({ options }) => options.apiKey)).toEqual([undefined]);
  });

  it('are not used for other organizations', async () => {
    const { call, byok, sessions, requests } = await setUp();
    const { id: otherId } = await call.va.operations.organizations.create({ name: 'Another' });
    await byok.set(otherId, { provider: 'acme', api_key: 'other-1' });
    await talk(call);
    expect(sessions.map((options) => 'apiKey' in options)).toEqual([false]);
    expect(requests).toEqual([undefined]);
  });

  it('take effect with the next call', async () => {
    const { call, byok, sessions } = await setUp();
    for (const key of ['acme-1', 'acme-2']) {
      await byok.set(call.orgId, { provider: 'acme', api_key: key });
      await call.dial(new ScriptedIncomingCall({ to: dialedNumber }));
      call.incoming.leave();
      await call.nothing(100);
    }
    await byok.delete(call.orgId, { provider: 'acme' });
    await call.dial(new ScriptedIncomingCall({ to: dialedNumber }));
    expect(sessions.map(({ apiKey }) => apiKey)).toEqual(['acme-1', 'acme-2', undefined]);
  });

  it('fail the call when they cannot be decrypted, instead of using the host’s key', async () => {
    const { call, storage, byok, sessions } = await setUp();
    const keys = await byok.set(call.orgId, { provider: 'acme', api_key: 'acme-1' });
    await storage.secrets.update(call.orgId, keys.acme_secret_id ?? '', { ciphertext: 'AAAA' });
    await call.dial();
    expect(sessions).toEqual([]);
    expect(call.incoming.rejected).toBe('error');
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'internal_error' });
    expect(call.ended?.error).toContain('cannot be opened');
  });

  it('fail the call when they are missing from the vault', async () => {
    const { call, storage, byok, sessions } = await setUp();
    const keys = await byok.set(call.orgId, { provider: 'acme', api_key: 'acme-1' });
    await storage.secrets.delete(call.orgId, keys.acme_secret_id ?? '');
    await call.dial();
    expect(sessions).toEqual([]);
    expect(call.ended?.error).toContain('acme is not in the vault');
  });

  it('do not appear in logs or when printed', async () => {
    const lines: string[] = [];
    const note = (fields: Record<string, unknown>, message: string): void => {
      lines.push(`${message} ${inspect(fields, { depth: 10 })}`);
    };
    const logger: Logger = { ...silentLogger, debug: note, info: note, warn: note, error: note, child: () => logger };
    const { call, byok } = await setUp({ vault, logger });
    await byok.set(call.orgId, { provider: 'acme', api_key: 'acme-secret' });
    await talk(call);
    call.incoming.leave();
    await call.nothing(100);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain('acme-secret');
    const keys = new OwnKeys(new Map([['acme', 'acme-secret']]));
    expect(inspect(keys, { showHidden: true, depth: 5 }) + JSON.stringify(keys)).not.toContain('acme-secret');
  });
});
