import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttackedService, startAttackedService, type Tenant } from './attacked-service.ts';

const scripted = { provider: 'scripted' };
const draft7 = 'http://json-schema.org/draft-07/schema#';
const template = { name: 'T', messages: [{ role: 'system', content: 'Fill {{schema}}' }] };

/** A schema whose references double at each level, with 2^levels paths. */
function doubling(levels: number): object {
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, n) => {
      const next = { $ref: `#/$defs/d${n + 1}` };
      return [`d${n}`, { allOf: [next, next] }];
    }),
  );
  return { type: 'object', $defs: { ...$defs, [`d${levels}`]: {} }, allOf: [{ $ref: '#/$defs/d0' }] };
}

function nested(levels: number): object {
  let schema: object = { type: 'object' };
  for (let level = 0; level < levels; level += 1) schema = { not: schema };
  return { type: 'object', properties: { inner: schema } };
}

/** Validating an enum of objects against the draft-7 metaschema takes quadratic time. */
const enumOf = (count: number): object => ({
  $schema: draft7,
  type: 'object',
  properties: { a: { enum: Array.from({ length: count }, (_, n) => ({ n })) } },
});

const plan = (schema: object): object => ({
  structuredDataPlan: { enabled: true, schema, messages: [{ role: 'system', content: '{{schema}}' }] },
});

let service: AttackedService;
let attacker: Tenant;
let neighbour: Tenant;

beforeAll(async () => {
  service = await startAttackedService();
  attacker = await service.tenant('Attacker');
  neighbour = await service.tenant('Neighbour');
});
afterAll(() => service.close());

describe('hostile schemas and texts of a tenant', () => {
  it.each([
    [
      'an enum of 30,000 objects in an analysis template',
      '/analysis-templates',
      { ...template, schema: enumOf(30_000) },
      400,
    ],
    ['an enum of 30,000 objects in an agent', '/agents', { name: 'A', analysis_plan: plan(enumOf(30_000)) }, 400],
    ['60 levels of doubling references', '/agents', { name: 'A', analysis_plan: plan(doubling(60)) }, 400],
    ['1,000 levels', '/agents', { name: 'A', analysis_plan: plan(nested(1_000)) }, 400],
    [
      'a thousand patterns',
      '/agents',
      {
        name: 'A',
        analysis_plan: plan({
          type: 'object',
          patternProperties: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`^(a+)+${n}$`, {}])),
        }),
      },
      400,
    ],
    [
      'a prompt of 1 MB',
      '/agents',
      { name: 'A', llm_config: { ...scripted, messages: prompt('{'.repeat(900_000)) } },
      400,
    ],
    ['a first message of opening braces', '/agents', { name: 'A', first_message: '{'.repeat(10_000) }, 201],
    ['a first message of spaces in braces', '/agents', { name: 'A', first_message: `{{${' '.repeat(9_990)}` }, 201],
    [
      'a prompt of 100 kB of opening braces',
      '/agents',
      { name: 'A', llm_config: { ...scripted, messages: prompt('{'.repeat(100_000)) } },
      201,
    ],
    ['a pattern that backtracks', '/agents', { name: 'A', analysis_plan: plan(pattern('^(a+)+$')) }, 201],
  ])('%s is answered without blocking other tenants', async (_, path, json, status) => {
    const attack = attacker.send('POST', path, json);
    expect((await neighbour.send('GET', '/agents')).status).toBe(200);
    const answer = await attack;
    expect(answer.status, answer.text.slice(0, 500)).toBe(status);
    // Even the error is short.
    if (status === 400) expect(answer.text.length).toBeLessThan(64_000);
  });

  it('a template of spaces in an outbound call does not block the call or other tenants', async () => {
    const agent = { stt_config: scripted, llm_config: scripted, tts_config: scripted };
    const number = await attacker.send('POST', '/numbers', { phone_number: '+31201234567' });
    const trunk = { name: 'M', provider: 'p', address: 'sip.example.com', numbers: ['+31201234567'] };
    await attacker.send('POST', '/sip-trunks', trunk);
    const call = {
      ...{ destination: '+31201234568', number_id: number.body.number.id, variables: { a: '{{'.repeat(10_000) } },
      agent: {
        ...agent,
        first_message: `{{${' '.repeat(9_990)}`,
        llm_config: { ...scripted, messages: prompt('{{ '.repeat(30_000)) },
      },
    };
    const attack = attacker.send('POST', '/calls/outbound', call);
    expect((await neighbour.send('GET', '/agents')).status).toBe(200);
    const placed = await attack;
    expect(placed.status, placed.text).toBe(201);
    expect((await neighbour.send('GET', '/agents')).status).toBe(200);
    const end = await attacker.send('POST', `/calls/${placed.body.call_id}/control`, { type: 'end-call' });
    expect(end.status).toBe(200);
  });
});

function prompt(content: string): object[] {
  return [{ role: 'system', content }];
}

function pattern(source: string): object {
  return { type: 'object', properties: { a: { type: 'string', pattern: source } } };
}
