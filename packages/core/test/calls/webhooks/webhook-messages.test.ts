import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type Assistant, emptyAssistant } from '../../../src/calls/assistant.ts';
import {
  assistantMessage,
  assistantRequestMessage,
  commonMessage,
  endingMessage,
  reportMessage,
  toolCallList,
} from '../../../src/calls/webhooks/webhook-messages.ts';
import { llmConfigSchema } from '../../../src/domain/agents/agent.ts';
import type { Call } from '../../../src/domain/calls/call.ts';

describe('commonMessage', () => {
  it('names call, agent, number and customer', () => {
    const call = sampleCall({
      id: 'call-1',
      status: 'in-progress',
      agent_id: 'agent-1',
      agent_name: 'Anna',
      metadata: { shop: 7 },
    });
    expect(commonMessage(call, 'Main line')).toEqual({
      call: { id: 'call-1', type: 'inboundPhoneCall', status: 'in-progress' },
      agent: { id: 'agent-1', name: 'Anna' },
      phoneNumber: { number: '+31201234567', name: 'Main line' },
      customer: { number: '+31612345678' },
      metadata: { shop: 7 },
    });
  });

  it('has no agent before one is known, and metadata in any case', () => {
    expect(commonMessage(sampleCall(), null)).toMatchObject({ agent: null, metadata: {}, phoneNumber: { name: null } });
  });

  it.each<[Partial<Call>, string, string]>([
    [{ direction: 'inbound', status: 'queued' }, 'inboundPhoneCall', 'ringing'],
    [{ direction: 'outbound', status: 'connecting' }, 'outboundPhoneCall', 'ringing'],
    [{ direction: 'web', status: 'ended' }, 'webCall', 'ended'],
    [{ direction: 'outbound', status: 'failed' }, 'outboundPhoneCall', 'ended-with-error'],
  ])('writes %j as %s and %s', (changes, type, status) => {
    expect(commonMessage(sampleCall(changes), null).call).toMatchObject({ type, status });
  });
});

describe('assistantRequestMessage', () => {
  it.each([
    [true, 'realtime'],
    [false, 'pipeline'],
  ])('says which kind of agent is saved: %s', (isRealtime, pipeline) => {
    expect(assistantRequestMessage(sampleCall(), null, isRealtime).call).toMatchObject({ pipeline });
  });
});

describe('assistantMessage', () => {
  const assistant: Assistant = {
    ...emptyAssistant,
    agentId: 'agent-1',
    name: 'Anna',
    firstMessage: 'Hello {{name|there}}.',
    llmConfig: llmConfigSchema.parse({
      provider: 'openai',
      tools: [{ type: 'function', name: 'book', server: { url: 'https://customer.test/tool', secret: 's3cret' } }],
    }),
    maxDurationSeconds: 300,
  };

  it('has the first message as it is spoken, and as it is written without variables', () => {
    const spoken = (variables: Call['variables']): unknown =>
      assistantMessage(assistant, sampleCall({ variables })).firstMessage;
    expect(spoken({ name: 'Jan' })).toBe('Hello Jan.');
    expect(spoken({})).toBe('Hello there.');
    expect(spoken(null)).toBe('Hello {{name|there}}.');
  });

  it('has no secrets', () => {
    const message = assistantMessage(assistant, sampleCall());
    expect(JSON.stringify(message)).not.toContain('s3cret');
    expect(message).toMatchObject({ llm_config: { tools: [{ name: 'book' }] }, maxDurationSeconds: 300 });
  });

  it('has null for what is not configured', () => {
    expect(assistantMessage(emptyAssistant, sampleCall())).toMatchObject({
      id: null,
      firstMessage: null,
      stt_config: null,
      llm_config: null,
      tts_config: null,
      analysisPlan: null,
    });
  });
});

describe('endingMessage', () => {
  it.each<[Partial<Call>, Record<string, unknown>]>([
    [{ status: 'ended', end_reason: 'user_hangup' }, { endReason: 'user_hangup' }],
    [
      { status: 'failed', end_reason: 'busy', error: '486' },
      { endReason: 'busy', error: '486' },
    ],
    [
      { status: 'ended', end_reason: 'transferred', transfer_destination: '+31205550100' },
      { endReason: 'transferred', transferDestination: '+31205550100' },
    ],
  ])('of %j is %j', (changes, message) => {
    expect(endingMessage(sampleCall(changes))).toEqual(message);
  });
});

describe('reportMessage', () => {
  it('has the cost by item, in the spelling of webhooks', () => {
    const item = {
      provider: 'openai',
      model: 'm',
      kind: 'input_tokens',
      quantity: 100,
      unit: 'token',
      price: 0.01,
      is_estimate: true,
      own_key: false,
    } as const;
    const { costBreakdown, cost } = reportMessage(sampleCall({ cost: 0.01, cost_breakdown: [item] }));
    const { is_estimate: _, own_key: __, ...same } = item;
    expect([cost, costBreakdown]).toEqual([0.01, [{ ...same, isEstimate: true, ownKey: false }]]);
  });

  it('names the failure of the analysis only if there is one', () => {
    expect(reportMessage(sampleCall())).not.toHaveProperty('analysisError');
    expect(reportMessage(sampleCall({ analysis_error: 'too long' }))).toMatchObject({ analysisError: 'too long' });
  });

  it('has variables in any case, and the destination of a transfer only if there was one', () => {
    expect(reportMessage(sampleCall())).toMatchObject({ variables: {} });
    expect(reportMessage(sampleCall())).not.toHaveProperty('transferDestination');
  });
});

describe('toolCallList', () => {
  it('has the arguments as an object', () => {
    const request = { id: 'call-1', name: 'book', arguments: '{"people":2}' };
    expect(toolCallList(request, { people: 2 })).toEqual({
      toolCallList: [{ id: 'call-1', type: 'function', function: { name: 'book', arguments: { people: 2 } } }],
    });
  });
});
