import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ToolOutcome } from '@va/core/adapter';

/** Maximum length of a result that is passed to the model; more text does not help in a phone call. */
const maxCharacters = 16_384;
const cutNote = ' … (cut)';

/**
 * Converts the result of an MCP tool: structured content unchanged if it is short enough, else its texts. A result of
 * only other content, such as images and audio, is an error.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result
 */
export function outcomeOf(result: CallToolResult): ToolOutcome {
  const text = result.content.map(textOf).filter((each) => each !== null);
  if (result.isError === true) return { ok: false, error: cut(text.join('\n')) || 'The tool failed.' };
  const { structuredContent } = result;
  if (structuredContent !== undefined && JSON.stringify(structuredContent).length <= maxCharacters) {
    return { ok: true, result: structuredContent };
  }
  if (text.length > 0) return { ok: true, result: cut(text.join('\n')) };
  if (result.content.length > 0) {
    const kinds = [...new Set(result.content.map(({ type }) => type))].join(' and ');
    return { ok: false, error: `The tool answered with ${kinds}, which cannot be used in a phone call.` };
  }
  return { ok: true, result: structuredContent === undefined ? null : cut(JSON.stringify(structuredContent)) };
}

function textOf(part: CallToolResult['content'][number]): string | null {
  if (part.type === 'text') return part.text;
  if (part.type === 'resource_link') return `${part.title ?? part.name}: ${part.uri}`;
  if (part.type === 'resource' && 'text' in part.resource) return part.resource.text;
  return null;
}

function cut(text: string): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - cutNote.length)}${cutNote}`;
}
