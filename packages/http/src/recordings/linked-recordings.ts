import { type OpenLinked, RequestError } from '@va/core';
import { serveRecording } from '../engine/recording.ts';
import { defineOpenRawRoute } from '../routes/define-route.ts';
import type { RouteGroups } from '../routes/route.ts';

/** `/recordings/{link}`: what the service's own links to recordings open, for whoever has one. */
export function linkedRecordings(open: OpenLinked): RouteGroups[string] {
  return {
    get: defineOpenRawRoute({
      method: 'GET',
      path: '/recordings/:link',
      scope: null,
      summary: 'Get the recording that a link names',
      content: [
        { status: 200, description: 'The recording.', mediaType: 'audio/wav' },
        { status: 206, description: 'The range of it that was asked for.', mediaType: 'audio/wav' },
      ],
      errors: { 404: ['recording_not_found'], 416: ['range_not_satisfiable'] },
      async run({ params, request }) {
        const recording = await open(params.link);
        // Whether it was the link that is wrong is for nobody to find out.
        if (recording === null) throw new RequestError(404, 'recording_not_found', 'There is no such recording.');
        return serveRecording(recording, request);
      },
    }),
  };
}
