import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/client/tool-result.ts';

const maxCharacters = 16_384;
const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
const audio = { type: 'audio' as const, data: 'AAAA', mimeType: 'audio/wav' };

describe('outcomeOf', () => {
  it.each<[string, CallToolResult, unknown]>([
    ['structured content', { content: [text('x')], structuredContent: { table: 7 } }, { table: 7 }],
    ['texts', { content: [text('a'), image, text('b')] }, 'a\nb'],
    [
      'a linked resource',
      { content: [{ type: 'resource_link', uri: 'https://a.example', name: 'menu' }] },
      'menu: https://a.example',
    ],
    [
      'a linked resource with a title',
      { content: [{ type: 'resource_link', uri: 'https://a.example', name: 'menu', title: 'The menu' }] },
      'The menu: https://a.example',
    ],
    ['an embedded text', { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'Soup.' } }] }, 'Soup.'],
    ['no content', { content: [] }, null],
  ])('returns %s', (_, result, expected) => {
    expect(outcomeOf(result)).toEqual({ ok: true, result: expected });
  });

  it.each<[string, CallToolResult, string]>([
    ['an error with texts', { isError: true, content: [text('We'), text('are full.')] }, 'We\nare full.'],
    ['an error without a text', { isError: true, content: [image] }, 'The tool failed.'],
    ['an image', { content: [image] }, 'The tool answered with image, which cannot be used in a phone call.'],
    [
      'several kinds of content',
      { content: [image, audio, image] },
      'The tool answered with image and audio, which cannot be used in a phone call.',
    ],
  ])('returns %s as a failure', (_, result, error) => {
    expect(outcomeOf(result)).toEqual({ ok: false, error });
  });

  it.each<[string, CallToolResult]>([
    ['text', { content: [text('x'.repeat(maxCharacters + 1))] }],
    ['structured content', { content: [], structuredContent: { text: 'x'.repeat(maxCharacters) } }],
  ])('cuts %s to the maximum length', (_, given) => {
    const outcome = outcomeOf(given);
    const result = outcome.ok ? String(outcome.result) : '';
    expect(result).toHaveLength(maxCharacters);
    expect(result).toMatch(/x … \(cut\)$/);
  });

  it('cuts errors to the maximum length', () => {
    const outcome = outcomeOf({ isError: true, content: [text('x'.repeat(maxCharacters + 1))] });
    expect(outcome.ok ? '' : outcome.error).toHaveLength(maxCharacters);
  });

  it('prefers texts to structured content beyond the maximum length', () => {
    const structuredContent = { text: 'x'.repeat(maxCharacters) };
    expect(outcomeOf({ content: [text('short')], structuredContent })).toEqual({ ok: true, result: 'short' });
  });
});
