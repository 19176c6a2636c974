import { voiceSampleSchema, voicesSchema } from '@va/core';
import { component } from '../route/components.ts';
import { defineRawRoute, defineRoute } from '../route/define-route.ts';

export const voices = {
  list: defineRoute({
    method: 'GET',
    path: '/voices',
    scope: 'voices:read',
    summary: 'List the available voices',
    description:
      'Local voices are listed only for organizations approved for them on the enterprise plan. Voices of a ' +
      "provider used with a customer-supplied key are not listed, because they are in the customer's own " +
      'library. Voices of the realtime mode are selected with `llm_config.voice`.',
    result: component('Voices', voicesSchema),
    run: ({ operations, orgId }) => operations.voices.list(orgId),
  }),
  sample: defineRawRoute({
    method: 'POST',
    path: '/voices/sample',
    scope: 'agents:write',
    summary: 'Listen to a voice',
    description:
      'Synthesizes `text`, or a standard sentence, with the voice of a `tts_config`: one channel of 16-bit ' +
      'samples at 16 kHz, at most 30 s. The organization’s own key of the provider is used, or else its credit ' +
      'is charged by the prices of the host. Recent samples are returned again without cost. At most 20 a ' +
      'minute.',
    body: component('NewVoiceSample', voiceSampleSchema),
    content: [{ status: 200, description: 'The sample.', mediaType: 'audio/wav' }],
    errors: {
      400: ['invalid_reference'],
      402: ['insufficient_credits'],
      502: ['provider_error'],
      503: ['unavailable'],
      504: ['provider_timeout'],
    },
    limit: () => ({ name: 'voiceSample', key: '' }),
    async run({ operations, orgId, body, request }) {
      const audio = await operations.voices.sample(orgId, body, { signal: request.signal });
      const headers = {
        'content-type': 'audio/wav',
        'content-length': String(audio.byteLength),
        'cache-control': 'no-store',
      };
      return { status: 200, headers, body: audio };
    },
  }),
};
