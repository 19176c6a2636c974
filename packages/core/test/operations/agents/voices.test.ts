import { scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type Voice, voicesSchema } from '../../../src/domain/agents/speech/voice.ts';
import { aesVault } from '../../../src/node/aes-vault.ts';
import type { Operations } from '../../../src/operations/operations.ts';
import { refusal, testOperations, unknownId } from '../support.ts';

function voice(id: string, provider: string): Voice {
  return { id, name: id, language: 'en-US', description: { en: 'A voice', nl: 'Een stem' }, provider };
}

const local = { ...scriptedTts(), id: 'local', isLocal: true, voices: [voice('anna', 'local')] };
const hosted = { ...scriptedTts(), id: 'hosted', voices: [voice('ben', 'hosted'), voice('cleo', 'hosted')] };
const second = { ...scriptedTts(), id: 'hosted_fast', vendor: 'hosted', voices: [voice('dan', 'hosted_fast')] };
const library = { ...scriptedTts(), id: 'elevenlabs' };
const entry = { id: 'hosted', name: 'Hosted', category: 'tts', docsUrl: 'https://example.com', models: [], voices: [] };

async function organization(fields: Record<string, unknown> = {}): Promise<{ operations: Operations; orgId: string }> {
  const vault = aesVault({ key: Buffer.alloc(32, 7) });
  const providers = [local, { ...hosted, catalog: entry }, second, library];
  const { operations } = testOperations({ vault, providers });
  const { id } = await operations.organizations.create({ name: 'Harbour', ...fields });
  return { operations, orgId: id };
}

async function voiceIds({ operations, orgId }: Awaited<ReturnType<typeof organization>>): Promise<string[]> {
  return (await operations.voices.list(orgId)).voices.map(({ id }) => id);
}

describe('voices', () => {
  it('lists only hosted voices when local models are not approved', async () => {
    expect(await voiceIds(await organization())).toEqual(['ben', 'cleo', 'dan']);
  });

  it.each([
    [{ plan: 'enterprise', local_models_approved: true }, true],
    [{ plan: 'enterprise', local_models_approved: false }, false],
    [{ plan: 'pro', local_models_approved: true }, false],
  ])('with %j includes local voices: %s', async (fields, included) => {
    expect((await voiceIds(await organization(fields))).includes('anna')).toBe(included);
  });

  it('omits the voices of a vendor for which the organization has its own key', async () => {
    const own = await organization({ plan: 'enterprise', local_models_approved: true });
    await own.operations.byok.set(own.orgId, { provider: 'hosted', api_key: 'key' });
    expect(await voiceIds(own)).toEqual(['anna']);
    await own.operations.byok.delete(own.orgId, { provider: 'hosted' });
    expect(await voiceIds(own)).toEqual(['anna', 'ben', 'cleo', 'dan']);
  });

  it('lists the five realtime voices separately', async () => {
    const { operations, orgId } = await organization();
    const listed = await operations.voices.list(orgId);
    expect(listed.xai_realtime_voices).toEqual([
      { id: 'ara', name: 'Ara', style: 'female, professional' },
      { id: 'rex', name: 'Rex', style: 'male, friendly' },
      { id: 'sal', name: 'Sal', style: 'neutral, calm' },
      { id: 'eve', name: 'Eve', style: 'female, warm' },
      { id: 'leo', name: 'Leo', style: 'male, energetic' },
    ]);
    expect(voicesSchema.parse(listed)).toEqual(listed);
  });

  it('returns an empty list when no provider has voices', async () => {
    const { operations } = testOperations();
    const { id } = await operations.organizations.create({ name: 'Harbour' });
    expect((await operations.voices.list(id)).voices).toEqual([]);
  });

  it('returns 404 for an unknown organization', async () => {
    const { operations } = await organization();
    for (const id of [unknownId, 'nobody']) {
      expect(await refusal(operations.voices.list(id))).toMatchObject({ status: 404, code: 'organization_not_found' });
    }
  });
});
