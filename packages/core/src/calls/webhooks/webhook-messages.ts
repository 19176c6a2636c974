import { withoutModelSecrets, withoutPlanSecrets } from '../../domain/agents/model-secrets.ts';
import { withoutSecrets } from '../../domain/agents/tools/tool-secrets.ts';
import type { Call, CallDirection } from '../../domain/calls/call.ts';
import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { Assistant } from '../assistant.ts';
import { webhookStatus } from '../ending.ts';
import { fillTemplate } from '../template.ts';

const callTypes: Record<CallDirection, string> = {
  inbound: 'inboundPhoneCall',
  outbound: 'outboundPhoneCall',
  web: 'webCall',
};

/** Returns the fields that every webhook of a call has. */
export function commonMessage(call: Call, numberName: string | null): Record<string, unknown> {
  return {
    call: callMessage(call),
    agent: call.agent_id === null ? null : { id: call.agent_id, name: call.agent_name },
    phoneNumber: { number: call.assistant_phone, name: numberName },
    customer: { number: call.caller_phone },
    metadata: call.metadata ?? {},
  };
}

function callMessage(call: Call): Record<string, unknown> {
  return { id: call.id, type: callTypes[call.direction], status: webhookStatus(call.status) };
}

/** @param isRealtime whether the saved agent uses a speech-to-speech model */
export function assistantRequestMessage(
  call: Call,
  numberName: string | null,
  isRealtime: boolean,
): Record<string, unknown> {
  const pipeline = isRealtime ? 'realtime' : 'pipeline';
  return { ...commonMessage(call, numberName), call: { ...callMessage(call), pipeline } };
}

/** Returns the resolved configuration in webhook form: without secrets, and with the first message as spoken. */
export function assistantMessage(assistant: Assistant, { variables }: Call): Record<string, unknown> {
  const { llmConfig, analysisPlan, firstMessage } = assistant;
  return {
    id: assistant.agentId,
    name: assistant.name,
    firstMessage: firstMessage === null || variables === null ? firstMessage : fillTemplate(firstMessage, variables),
    stt_config: assistant.sttConfig,
    llm_config:
      llmConfig === null ? null : { ...withoutModelSecrets(llmConfig), tools: withoutSecrets(llmConfig.tools) },
    tts_config: assistant.ttsConfig,
    analysisPlan: analysisPlan === null ? null : withoutPlanSecrets(analysisPlan),
    maxDurationSeconds: assistant.maxDurationSeconds,
  };
}

export function toolCallList(call: ToolCallRequest, args: Record<string, unknown>): Record<string, unknown> {
  return { toolCallList: [{ id: call.id, type: 'function', function: { name: call.name, arguments: args } }] };
}

/** Returns the fields that a terminal status-update adds. */
export function endingMessage(call: Call): Record<string, unknown> {
  const error = call.status === 'failed' ? { error: call.error } : {};
  return { endReason: call.end_reason, ...error, ...transferMessage(call) };
}

function transferMessage({ transfer_destination: destination }: Call): Record<string, unknown> {
  return destination === null ? {} : { transferDestination: destination };
}

export function reportMessage(call: Call): Record<string, unknown> {
  return {
    startedAt: call.started_at,
    endedAt: call.ended_at,
    durationSeconds: call.duration_seconds,
    endReason: call.end_reason,
    error: call.error,
    ...transferMessage(call),
    summary: call.summary,
    messages: call.messages,
    analysis: call.analysis_result,
    ...(call.analysis_error === null ? {} : { analysisError: call.analysis_error }),
    recordingUrl: call.recording_url,
    cost: call.cost,
    costBreakdown: call.cost_breakdown.map(({ is_estimate, own_key, ...item }) => ({
      ...item,
      isEstimate: is_estimate,
      ownKey: own_key,
    })),
    variables: call.variables ?? {},
  };
}
