import { type ScriptedTts, scriptedTts, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { PriceList } from '../../../src/costs/price-list.ts';
import type { CostItem } from '../../../src/domain/costs/cost-item.ts';
import { ProviderError } from '../../../src/errors.ts';
import { aesVault } from '../../../src/node/aes-vault.ts';
import type { Provider } from '../../../src/ports/providers/provider.ts';
import type { TtsSessionOptions } from '../../../src/ports/providers/text-to-speech.ts';
import { faultsOf, refusal, testOperations, unknownId } from '../support.ts';

const scripted = { tts_config: { provider: 'scripted' } };
const entry = { id: 'scripted', name: 'S', category: 'tts', docsUrl: 'https://example.com', models: [], voices: [] };
const prices = new PriceList({
  currency: 'EUR',
  prices: [{ provider: 'scripted', kind: 'tts_characters', price: 0.01, per: 'character' }],
});

interface World extends ReturnType<typeof testOperations> {
  readonly opened: TtsSessionOptions[];
  readonly used: CostItem[];
  organization(fields?: Record<string, unknown>): Promise<string>;
}

function world(tts: ScriptedTts = scriptedTts()): World {
  const opened: TtsSessionOptions[] = [];
  const used: CostItem[] = [];
  const provider: Provider = {
    ...tts,
    catalog: entry,
    open(options: TtsSessionOptions) {
      opened.push(options);
      return tts.open(options);
    },
  };
  const service = testOperations({
    vault: aesVault({ key: Buffer.alloc(32, 7) }),
    logger: silentLogger,
    providers: [provider],
    prices,
    currency: 'EUR',
    onVoiceSampled: ({ usage }) => used.push(...usage),
  });
  return {
    ...service,
    opened,
    used,
    organization: async (fields = {}) =>
      (await service.operations.organizations.create({ name: 'Harbour', ...fields })).id,
  };
}

describe('voices.sample', () => {
  it('returns a mono WAV file of 16 kHz from a provider that speaks G.711 only', async () => {
    const tts = scriptedTts({ msPerLetter: 10 });
    const { operations, organization } = world(tts);
    const audio = await operations.voices.sample(await organization(), { ...scripted, text: ' Hello. ' });
    const header = new DataView(audio.buffer, audio.byteOffset);
    expect(Buffer.from(audio.subarray(0, 4)).toString()).toBe('RIFF');
    expect([header.getUint16(22, true), header.getUint32(24, true), header.getUint16(34, true)]).toEqual([
      1, 16_000, 16,
    ]);
    // Six letters of 10 ms at 32 bytes a millisecond.
    expect(header.getUint32(40, true)).toBe(6 * 10 * 32);
    expect(audio.length).toBe(44 + 6 * 10 * 32);
    expect(tts.utterances).toEqual([['Hello.']]);
    expect(tts.openSessions).toBe(0);
  });

  it.each([
    [{ language: 'nl-NL' }, 'Goedemorgen', 'nl-NL'],
    [{ tts_config: { provider: 'scripted', language: 'de' }, language: 'nl' }, 'Guten Morgen', 'de'],
    [{}, 'Good morning', undefined],
    [{ language: 'xx' }, 'Good morning', 'xx'],
  ])('speaks the sentence of the language: %j', async (input, beginning, language) => {
    const tts = scriptedTts();
    const { operations, organization, opened } = world(tts);
    await operations.voices.sample(await organization(), { ...scripted, ...input });
    expect(tts.utterances[0]?.[0]).toMatch(new RegExp(`^${beginning}`));
    expect(opened[0]?.language).toBe(language);
  });

  it('cuts audio after 30 s', async () => {
    const tts = scriptedTts({ msPerLetter: 1_000 });
    const { operations, organization } = world(tts);
    const audio = await operations.voices.sample(await organization(), { ...scripted, text: 'x'.repeat(200) });
    expect(audio.length).toBe(44 + 30_000 * 32);
    expect(tts.cancelled).toEqual(new Set([0]));
  });

  it('makes one sample for all who wait for it, and repeats it without cost', async () => {
    const tts = scriptedTts({ delayMs: 100 });
    const { operations, organization, clock, storage, used } = world(tts);
    const [one, other] = [await organization({ credit_balance: 10 }), await organization({ credit_balance: 10 })];
    const waiting = [operations.voices.sample(one, scripted), operations.voices.sample(other, scripted)];
    await clock.advance(100);
    const [first, second] = await Promise.all(waiting);
    expect(first).toEqual(second);
    expect(await operations.voices.sample(other, scripted)).toEqual(first);
    expect(tts.utterances).toHaveLength(1);
    expect(used.map(({ kind }) => kind).sort()).toEqual(['tts_characters', 'tts_seconds']);
    const quantity = used.find(({ kind }) => kind === 'tts_characters')?.quantity ?? 0;
    expect(quantity).toBeGreaterThan(50);
    expect((await storage.organizations.get(one, one))?.credit_balance).toBeCloseTo(10 - quantity * 0.01);
    expect((await storage.organizations.get(other, other))?.credit_balance).toBe(10);
  });

  it('does not share samples of texts of an organization, or made with its own key', async () => {
    const tts = scriptedTts();
    const { operations, organization, opened, storage } = world(tts);
    const [one, other] = [await organization({ credit_balance: 10 }), await organization()];
    const text = 'Welcome at the harbour.';
    await operations.voices.sample(one, { ...scripted, text });
    await operations.voices.sample(other, { ...scripted, text });
    expect(tts.utterances).toHaveLength(2);
    await operations.voices.sample(other, scripted);
    await operations.byok.set(one, { provider: 'scripted', api_key: 'key-of-one' });
    const { credit_balance: before } = (await storage.organizations.get(one, one)) ?? {};
    await operations.voices.sample(one, scripted);
    await operations.voices.sample(one, scripted);
    expect(opened.map(({ apiKey }) => apiKey)).toEqual([undefined, undefined, undefined, 'key-of-one']);
    expect((await storage.organizations.get(one, one))?.credit_balance).toBe(before);
  });

  it.each([{ minutes_balance: 0 }, { credit_balance: 0 }])('refuses an organization with %j', async (fields) => {
    const tts = scriptedTts();
    const { operations, organization } = world(tts);
    const error = await refusal(operations.voices.sample(await organization(fields), scripted));
    expect([error.status, error.code]).toEqual([402, 'insufficient_credits']);
    expect(tts.utterances).toEqual([]);
  });

  it('refuses a fourth sample of an organization at a time, and a seventeenth of all', async () => {
    const tts = scriptedTts({ stalls: true });
    const { operations, organization, clock } = world(tts);
    const organizations = await Promise.all(Array.from({ length: 6 }, () => organization()));
    const sample = (orgId: string, text: string) => operations.voices.sample(orgId, { ...scripted, text });
    const outcomes = organizations.slice(0, 5).flatMap((orgId) => ['a', 'b', 'c'].map((text) => sample(orgId, text)));
    const late = Promise.allSettled(outcomes);
    await clock.advance(0);
    const [first = '', , , , , last = ''] = organizations;
    const fourth = await refusal(sample(first, 'd'));
    expect([fourth.status, fourth.code, fourth.retryAfterSeconds]).toEqual([429, 'rate_limit_exceeded', 2]);
    const sixteenth = refusal(sample(last, 'a'));
    await clock.advance(0);
    expect((await refusal(sample(last, 'b'))).status).toBe(429);
    await clock.advance(20_000);
    expect((await sixteenth).status).toBe(504);
    expect((await late).map(({ status }) => status)).toEqual(Array(15).fill('rejected'));
    expect(tts.openSessions).toBe(0);
  });

  it('stops when the last listener has left, and not before', async () => {
    const tts = scriptedTts({ delayMs: 1_000 });
    const { operations, organization, clock } = world(tts);
    const orgId = await organization();
    const [one, other, third] = [new AbortController(), new AbortController(), new AbortController()];
    const heard = [one, other].map(({ signal }) => operations.voices.sample(orgId, scripted, { signal }));
    const settled = Promise.allSettled(heard);
    await clock.advance(100);
    one.abort(new Error('gone'));
    await clock.advance(1_000);
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const left = operations.voices.sample(orgId, { ...scripted, text: 'Bye.' }, { signal: third.signal });
    const leaving = expect(left).rejects.toThrow('gone');
    await clock.advance(100);
    third.abort(new Error('gone'));
    await leaving;
    expect(tts.cancelled).toEqual(new Set([1]));
    expect(tts.openSessions).toBe(0);
    const again = operations.voices.sample(orgId, { ...scripted, text: 'Bye.' });
    await clock.advance(1_000);
    expect((await again).length).toBeGreaterThan(44);
    expect(clock.pending).toBe(0);
  });

  it('reports a failure without the words of the vendor, and tries again', async () => {
    let failures = 1;
    const quoting = new ProviderError('scripted', 'auth', 'Incorrect key sk-secret <body>');
    const { operations, organization } = world(scriptedTts({ refuseAt: () => (failures-- > 0 ? quoting : null) }));
    const orgId = await organization();
    const error = await refusal(operations.voices.sample(orgId, scripted));
    expect([error.status, error.code]).toEqual([502, 'provider_error']);
    expect(error.message).toBe('The provider scripted made no sample: it refused the key.');
    expect((await operations.voices.sample(orgId, scripted)).length).toBeGreaterThan(44);
  });

  it('refuses what an agent could not have, long texts, and unknown organizations', async () => {
    const { operations, organization } = world();
    const orgId = await organization();
    const faults = async (input: object) =>
      faultsOf(await refusal(operations.voices.sample(orgId, { ...scripted, ...input })));
    expect(await faults({ tts_config: { provider: 'nobody' } })).toEqual(['tts_config.provider invalid_reference']);
    expect(await faults({ tts_config: { provider: 'scripted', pitch: 2 } })).toEqual([
      'tts_config.pitch unknown_field',
    ]);
    expect(await faults({ text: 'x'.repeat(201) })).toEqual(['text invalid_field']);
    expect(await faults({ text: ' ' })).toEqual(['text invalid_field']);
    expect(await faults({ colour: 1 })).toEqual(['colour unknown_field']);
    expect((await refusal(operations.voices.sample(unknownId, scripted))).code).toBe('organization_not_found');
  });
});
