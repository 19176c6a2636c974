import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderFault, ReferenceViolation, UniqueViolation } from '../../src/errors.ts';
import { fromProvider, toInvalidField } from '../../src/input/provider-failure.ts';
import { invalidReference, rethrowReference } from '../../src/input/references.ts';
import { checkId, requireFound } from '../../src/input/require-found.ts';
import { refusal, unknownId } from '../operations/support.ts';

const failing = (thrown: unknown): Promise<never> => Promise.reject(thrown);

describe('fromProvider', () => {
  it('returns the result of the provider', async () => {
    expect(await fromProvider(Promise.resolve('voices'))).toBe('voices');
  });

  it.each<[ProviderFault, number, string]>([
    ['timeout', 504, 'provider_timeout'],
    ['auth', 502, 'provider_error'],
    ['quota', 502, 'provider_error'],
    ['connection', 502, 'provider_error'],
    ['invalid_request', 502, 'provider_error'],
  ])('converts the fault %s to a %i with the message of the provider', async (fault, status, code) => {
    const error = await refusal(fromProvider(failing(new ProviderError('acme', fault, 'out of order'))));
    expect(error).toMatchObject({ status, code, message: 'acme: out of order' });
  });

  it('rethrows an error that is not of a provider', async () => {
    const thrown = new TypeError('a defect');
    await expect(fromProvider(failing(thrown))).rejects.toBe(thrown);
  });
});

describe('toInvalidField', () => {
  const convert = (thrown: unknown): Promise<never> => failing(thrown).catch(toInvalidField('tts_config.voice'));

  it.each([400, 422])('converts a status of %i to the fault of the field', async (status) => {
    const error = await refusal(convert(new ProviderError('acme', 'invalid_request', 'no such voice', { status })));
    expect(error.status).toBe(400);
    expect(error.faults).toEqual([{ path: 'tts_config.voice', code: 'invalid_field', message: 'acme: no such voice' }]);
  });

  it.each([
    ['another status', new ProviderError('acme', 'auth', 'no such key', { status: 401 })],
    ['no status', new ProviderError('acme', 'timeout', 'no answer')],
    ['another error with such a status', Object.assign(new Error('a defect'), { status: 400 })],
  ])('rethrows an error with %s', async (_case, thrown) => {
    await expect(convert(thrown)).rejects.toBe(thrown);
  });
});

describe('references to other records', () => {
  it('names the resource of the field and the id', () => {
    expect(invalidReference('sip_trunk_id', unknownId)).toMatchObject({
      status: 400,
      faults: [{ path: 'sip_trunk_id', code: 'invalid_reference', message: `there is no sip trunk ${unknownId}` }],
    });
  });

  it('converts the violation of the storage, with the id that was written', () => {
    const violation = new ReferenceViolation('agent_id');
    const convert = (): never => rethrowReference(violation, { agent_id: unknownId, name: 'Reception' });
    expect(convert).toThrow(`there is no agent ${unknownId}`);
  });

  it('rethrows other violations', () => {
    const violation = new UniqueViolation('phone_number');
    expect(() => rethrowReference(violation, {})).toThrow(violation);
  });
});

describe('missing records', () => {
  it('returns a record that there is', () => {
    expect(requireFound('record', 'agent', unknownId)).toBe('record');
  });

  it('throws a 404 that names the resource in code and message', async () => {
    const error = await refusal((async () => requireFound(null, 'sip_trunk', unknownId))());
    expect([error.status, error.code]).toEqual([404, 'sip_trunk_not_found']);
    expect(error.message).toBe(`There is no sip trunk "${unknownId}".`);
  });

  it('throws the same for an id that is no UUID, of which it repeats 64 characters', async () => {
    const error = await refusal((async () => checkId('agent', `"${'x'.repeat(1_000)}`))());
    expect([error.status, error.code]).toEqual([404, 'agent_not_found']);
    expect(error.message).toBe(`There is no agent "\\"${'x'.repeat(63)}".`);
  });

  it('accepts a UUID', () => {
    expect(() => checkId('agent', unknownId)).not.toThrow();
  });
});
