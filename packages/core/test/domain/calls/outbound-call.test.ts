import { describe, expect, it } from 'vitest';
import { outboundCallSchema } from '../../../src/domain/calls/outbound-call.ts';
import { webCallSchema } from '../../../src/domain/calls/web-call.ts';
import { parseInput } from '../../../src/input/parse-input.ts';
import { faultsOf, refusal, unknownId } from '../../operations/support.ts';

const destination = '+31201234567';

async function faults(input: object): Promise<string[]> {
  return faultsOf(await refusal((async () => parseInput(outboundCallSchema, input))()));
}

describe('the destination of an outbound call', () => {
  it.each([
    ['+31 (0)20 123-4567', destination],
    ['0031201234567', destination],
    [' sip:reception@example.com ', 'sip:reception@example.com'],
    ['SIPS:100@pbx.example.com:5061;transport=tls', 'SIPS:100@pbx.example.com:5061;transport=tls'],
    ['sip:+31201234567@[2001:db8::1]', 'sip:+31201234567@[2001:db8::1]'],
  ])('accepts %j', (written, expected) => {
    expect(outboundCallSchema.parse({ destination: written, agent_id: unknownId }).destination).toBe(expected);
  });

  it.each([
    ['020 1234567'],
    ['reception@example.com'],
    ['sip:example.com'],
    ['sip:a@b@c'],
    ['sip:a b@example.com'],
    ['sip:a@example.com?Replaces=1'],
    ['sip:"a"<b@example.com>'],
    [''],
  ])('refuses %j', async (written) => {
    expect(await faults({ destination: written, agent_id: unknownId })).toEqual(['destination invalid_phone_number']);
  });
});

describe('the agent of an outbound call', () => {
  it.each([
    ['a saved one', { agent_id: unknownId }],
    ['a saved one with changes', { agent_id: unknownId, agent_override: { first_message: 'Hi.' } }],
    ['a complete configuration without a name', { agent: { first_message: 'Hi.' } }],
  ])('may be %s', (_case, fields) => {
    expect(outboundCallSchema.safeParse({ destination, ...fields }).success).toBe(true);
  });

  it.each([
    ['is required', {}, ['agent_id missing_field']],
    ['is given once', { agent_id: unknownId, agent: {} }, ['agent invalid_field']],
    ['is a saved one if it is overridden', { agent: {}, agent_override: {} }, ['agent_override invalid_field']],
    [
      'is reported together with other faults',
      { max_duration_seconds: '10', agent_override: {} },
      ['max_duration_seconds invalid_field', 'agent_id missing_field', 'agent_override invalid_field'],
    ],
  ])('%s', async (_case, fields, expected) => {
    expect(await faults({ destination, ...fields })).toEqual(expected);
  });
});

describe('the limits of an outbound call', () => {
  it.each([
    ['max_duration_seconds', 10, 43_200],
    ['ring_timeout_seconds', 5, 300],
  ])('are integers of %s from %i to %i', (field, least, most) => {
    const isAccepted = (value: number): boolean =>
      outboundCallSchema.safeParse({ destination, agent_id: unknownId, [field]: value }).success;
    expect([least - 1, least, most, most + 1, least + 0.5].map(isAccepted)).toEqual([false, true, true, false, false]);
  });

  it.each([
    ['ww204', true],
    ['*#A0D', true],
    ['1'.repeat(100), true],
    ['1'.repeat(101), false],
    ['', false],
    ['12E', false],
    ['1 2', false],
  ])('hold for the digits %j: %s', (digits, isAccepted) => {
    const call = { destination, agent_id: unknownId, send_digits: digits };
    expect(outboundCallSchema.safeParse(call).success).toBe(isAccepted);
  });

  it.each([
    [{ max_cost: 0.5 }, { max_cost: 0.5, warn_at: 0.8, message: null }],
    [
      { max_cost: 1e6, warn_at: 1, message: ' Bye. ' },
      { max_cost: 1e6, warn_at: 1, message: 'Bye.' },
    ],
    [null, null],
    [{ max_cost: 0 }, undefined],
    [{ max_cost: 1_000_001 }, undefined],
    [{ max_cost: 1, warn_at: 0 }, undefined],
    [{ max_cost: 1, warn_at: 1.01 }, undefined],
    [{ max_cost: 1, message: ' ' }, undefined],
  ])('hold for the budget %j', (budget, expected) => {
    const parsed = outboundCallSchema.safeParse({ destination, agent_id: unknownId, budget });
    expect(parsed.data?.budget).toEqual(expected);
  });
});

describe('the variables and metadata of a web call', () => {
  const isAccepted = (length: number): boolean[] => {
    const bounded = { a: 'x'.repeat(length - '{"a":""}'.length) };
    const calls = [{ variables: bounded }, { metadata: bounded }];
    return calls.map((fields) => webCallSchema.safeParse({ agent_id: unknownId, ...fields }).success);
  };

  it('are at most 16,384 characters of JSON each', () => {
    expect([isAccepted(16_384), isAccepted(16_385)]).toEqual([
      [true, true],
      [false, false],
    ]);
  });
});
