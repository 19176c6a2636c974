import { onTestFinished, vi } from 'vitest';
import type { FormSchema } from '../../src/app/data/schema.ts';

const text: FormSchema = { type: 'string', maxLength: 200 };
const longText: FormSchema = { type: 'string', maxLength: 10_000 };
const flag: FormSchema = { type: 'boolean' };
const id: FormSchema = { type: 'string', format: 'uuid' };
const orNull = (schema: FormSchema): FormSchema => ({ anyOf: [schema, { type: 'null' }] });
const integer = (minimum: number, maximum: number): FormSchema => ({ type: 'integer', minimum, maximum });
const object = (properties: Readonly<Record<string, FormSchema>>): FormSchema => ({ type: 'object', properties });

const assignment = { name: orNull(text), agent_id: orNull(id), transfer_trunk_id: orNull(id), is_active: flag };

const functionTool = object({
  type: { const: 'function' },
  name: text,
  description: longText,
  parameters: { type: 'object' },
  async: flag,
});

/** A part of each component of the API's description from which forms are generated. */
const schemas: Readonly<Record<string, FormSchema>> = {
  NewPublishableKey: object({
    name: text,
    agents: { type: 'array', items: id },
    origins: { type: 'array', items: { type: 'string' } },
    minutes_per_day: integer(1, 100_000),
  }),
  NewPhoneNumber: object({ phone_number: { type: 'string', maxLength: 100 }, ...assignment }),
  PhoneNumberChanges: object(assignment),
  NewSipTrunk: {
    oneOf: [
      object({
        type: { const: 'sip' },
        name: text,
        address: text,
        auth_username: orNull(text),
        auth_password: orNull(text),
        numbers: { type: 'array', items: { type: 'string' } },
        is_active: flag,
      }),
      object({
        type: { const: 'twilio' },
        name: text,
        account: object({ account_sid: text }),
        credentials: object({ auth_token: text }),
        is_active: flag,
      }),
    ],
  },
  NewCampaign: object({
    name: text,
    agent_id: id,
    number_id: orNull(id),
    schedule_start_time: { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' },
    schedule_end_time: { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' },
    timezone: text,
    schedule_days: {
      type: 'array',
      items: { type: 'string', enum: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
    },
    max_attempts: integer(1, 20),
  }),
  AgentChanges: object({
    name: text,
    business_name: orNull(text),
    first_message: orNull(longText),
    is_active: flag,
    metadata: orNull({ type: 'object' }),
    llm_config: orNull(
      object({
        provider: text,
        model: text,
        temperature: { type: 'number', minimum: 0, maximum: 2 },
        messages: { type: 'array', items: object({}) },
        tools: {
          type: 'array',
          items: {
            anyOf: [
              functionTool,
              object({ type: { const: 'endCall' }, message: text }),
              object({ type: { const: 'mcp' }, server: object({ url: text }) }),
            ],
          },
        },
      }),
    ),
    stt_config: orNull(object({ provider: text, language: text })),
    speech_config: orNull(
      object({
        endpointing: object({
          preset: { type: 'string', enum: ['quick', 'balanced', 'patient'] },
          min_delay_ms: integer(0, 10_000),
        }),
      }),
    ),
    tts_config: orNull(object({ provider: text, voiceId: text })),
    analysis_plan: orNull(object({ summaryPlan: object({ enabled: flag }) })),
    webhook_url: orNull(text),
    webhook_secret: text,
    max_duration_seconds: integer(10, 43_200),
    silence_timeout_seconds: orNull(integer(1, 3_600)),
    recording_enabled: flag,
    budget: orNull(object({ max_cost: { type: 'number', minimum: 0 } })),
  }),
};

/** Serves the description of the API until the end of the test. */
export function serveSchemas(): void {
  vi.stubGlobal('fetch', async () => Response.json({ components: { schemas } }));
  onTestFinished(() => void vi.unstubAllGlobals());
}
