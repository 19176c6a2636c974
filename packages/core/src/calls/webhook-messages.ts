import type { Call, CallDirection } from '../domain/call.ts';
import type { ToolCallRequest } from '../ports/language-model.ts';
import type { Assistant } from './assistant.ts';
import { webhookStatus } from './ending.ts';

const callTypes: Record<CallDirection, string> = {
  inbound: 'inboundPhoneCall',
  outbound: 'outboundPhoneCall',
  web: 'webCall',
};

/** What every webhook of a call says of it. */
export function commonMessage(call: Call, numberName: string | null): Record<string, unknown> {
  return {
    call: { id: call.id, type: callTypes[call.direction], status: webhookStatus(call.status) },
    phoneNumber: { number: call.assistant_phone, name: numberName },
    customer: { number: call.caller_phone },
    metadata: call.metadata ?? {},
  };
}

export function assistantRequestMessage(call: Call, numberName: string | null): Record<string, unknown> {
  const common = commonMessage(call, numberName);
  return { ...common, call: { ...(common.call as Record<string, unknown>), pipeline: 'pipeline' } };
}

/** The resolved configuration as webhooks show it: without the secrets of tools. */
export function assistantMessage(assistant: Assistant): Record<string, unknown> {
  const { llmConfig } = assistant;
  const tools = llmConfig?.tools.map((tool) =>
    tool.type === 'function' && tool.server !== undefined ? { ...tool, server: { url: tool.server.url } } : tool,
  );
  return {
    id: assistant.agentId,
    name: assistant.name,
    firstMessage: assistant.firstMessage,
    stt_config: assistant.sttConfig,
    llm_config: llmConfig === null ? null : { ...llmConfig, tools },
    tts_config: assistant.ttsConfig,
    analysisPlan: assistant.analysisPlan,
    maxDurationSeconds: assistant.maxDurationSeconds,
  };
}

export function toolCallList(call: ToolCallRequest, args: Record<string, unknown>): Record<string, unknown> {
  return { toolCallList: [{ id: call.id, type: 'function', function: { name: call.name, arguments: args } }] };
}

/** What a terminal status-update adds. */
export function endingMessage(call: Call): Record<string, unknown> {
  return { endReason: call.end_reason, ...(call.status === 'failed' ? { error: call.error } : {}) };
}

export function reportMessage(call: Call): Record<string, unknown> {
  return {
    startedAt: call.started_at,
    endedAt: call.ended_at,
    durationSeconds: call.duration_seconds,
    endReason: call.end_reason,
    error: call.error,
    summary: call.summary,
    messages: call.messages,
    analysis: call.analysis_result,
    ...(call.analysis_error === null ? {} : { analysisError: call.analysis_error }),
    recordingUrl: call.recording_url,
    cost: call.cost,
    variables: call.variables ?? {},
  };
}
