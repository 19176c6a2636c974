import type { MessageFields } from '../message-fields.ts';
import type { RealtimeItem } from './script.ts';

/** Status of a conversation item in the Realtime API. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** Returns the complete item with its role and content, as the vendors send it. */
export function wireItem(item: RealtimeItem, status: ItemStatus = 'completed'): MessageFields {
  const common = { id: item.id, object: 'realtime.item', type: item.type };
  if (item.type === 'function_call_output') return { ...common, call_id: item.callId, output: item.text };
  if (item.type === 'function_call') {
    return { ...common, status, name: item.text, call_id: item.callId, arguments: item.arguments ?? '' };
  }
  return { ...common, status, role: item.role ?? 'user', content: contentOf(item) };
}

function contentOf(item: RealtimeItem): MessageFields[] {
  switch (item.content) {
    case undefined:
      return [];
    case 'input_audio':
      return [{ type: 'input_audio', transcript: item.transcript ?? null }];
    case 'output_audio':
      return [{ type: 'output_audio', transcript: item.text }];
    default:
      return [{ type: item.content, text: item.text }];
  }
}

/** Returns the usage of a response. The service counts tokens, this server characters. */
export function usageOf(items: readonly RealtimeItem[]): MessageFields {
  const output = items.reduce((sum, { text }) => sum + text.length, 0);
  return {
    total_tokens: output + 10,
    input_tokens: 10,
    output_tokens: output,
    input_token_details: { cached_tokens: 0, text_tokens: 10, audio_tokens: 0 },
    output_token_details: { text_tokens: 0, audio_tokens: output },
  };
}
