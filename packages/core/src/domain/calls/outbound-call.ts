import { z } from 'zod';
import { createAgentSchema, updateAgentSchema } from '../agents/agent.ts';
import { budgetSchema } from '../agents/budget.ts';
import { dtmfKeysSchema } from '../numbers/dtmf-keys.ts';
import { toE164 } from '../numbers/phone-number.ts';
import { sipUriPattern } from '../numbers/sip-uri.ts';
import { recordIdSchema } from '../records/record-id.ts';

/** An E.164 number in its stored form, or a SIP address unchanged. */
export const destinationSchema = z
  .string()
  .trim()
  .max(255)
  .transform((text, context) => {
    const destination = sipUriPattern.test(text) ? text : toE164(text);
    if (destination !== null) return destination;
    context.issues.push({
      code: 'custom',
      input: text,
      message:
        'expected an international number in E.164, such as +31201234567, or a SIP address, such as ' +
        'sip:reception@example.com',
      params: { code: 'invalid_phone_number' },
    });
    return z.NEVER;
  });

/** An agent for one call: like a saved one, without a required name. */
const inlineAgentSchema = createAgentSchema.partial();

/** Makes a refinement run even if the object has other faults, so that all faults are reported together. */
const alsoBesideOtherFaults = {
  when: ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null,
};

/** Body of `POST /calls/outbound`. */
export const outboundCallSchema = z
  .strictObject({
    destination: destinationSchema,
    agent_id: recordIdSchema,
    /** The complete configuration, instead of a saved agent. */
    agent: inlineAgentSchema,
    /** Settings that replace those of the saved agent; a nested config is replaced as a whole. */
    agent_override: updateAgentSchema,
    number_id: recordIdSchema,
    first_message: z.string().max(10_000),
    variables: z.record(z.string().min(1).max(100), z.unknown()),
    /** Echoed in every webhook of the call. */
    metadata: z.record(z.string(), z.unknown()),
    max_duration_seconds: z.int().min(10).max(43_200),
    /** Replaces the budget of the agent. */
    budget: budgetSchema.nullable(),
    /** Pressed once the call is answered, such as `ww204` for an extension; the agent begins after the last one. */
    send_digits: dtmfKeysSchema,
    ring_timeout_seconds: z.int().min(5).max(300),
  })
  .partial()
  .required({ destination: true })
  .refine(({ agent_id, agent }) => agent_id !== undefined || agent !== undefined, {
    ...alsoBesideOtherFaults,
    path: ['agent_id'],
    error: 'agent_id or agent is required',
    params: { code: 'missing_field' },
  })
  .refine(({ agent_id, agent }) => agent_id === undefined || agent === undefined, {
    ...alsoBesideOtherFaults,
    path: ['agent'],
    error: 'not together with agent_id',
    params: { code: 'invalid_field' },
  })
  .refine(({ agent_id, agent_override }) => agent_override === undefined || agent_id !== undefined, {
    ...alsoBesideOtherFaults,
    path: ['agent_override'],
    error: 'only together with agent_id',
    params: { code: 'invalid_field' },
  });

/** Body of `POST /calls/outbound`. */
export type NewOutboundCall = z.input<typeof outboundCallSchema>;

/** Response of `POST /calls/outbound`. */
export const outboundAnswerSchema = z.object({
  success: z.literal(true),
  call_id: z.uuid(),
  room_name: z.string(),
  status: z.literal('dialing'),
});
/** Response of `POST /calls/outbound`. */
export type OutboundAnswer = z.infer<typeof outboundAnswerSchema>;
