import { type OpenLinked, RequestError } from '@va/core/adapter';
import { serveRecording } from '../engine/response/recording.ts';
import { defineOpenRawRoute } from '../route/define-route.ts';
import type { RouteGroups } from '../route/route.ts';

/** Returns the route `/recordings/{link}`, which serves the recording of a signed link and needs no key. */
export function linkedRecordings(open: OpenLinked): RouteGroups[string] {
  return {
    get: defineOpenRawRoute({
      method: 'GET',
      path: '/recordings/:link',
      scope: null,
      summary: 'Get a recording by its signed link',
      content: [
        { status: 200, description: 'The recording.', mediaType: 'audio/wav' },
        { status: 206, description: 'The requested range of the recording.', mediaType: 'audio/wav' },
      ],
      errors: { 404: ['recording_not_found'], 416: ['range_not_satisfiable'] },
      async run({ params, request }) {
        const recording = await open(params.link);
        // The response does not reveal whether the link or the recording is unknown.
        if (recording === null)
          throw new RequestError(404, 'recording_not_found', 'The recording does not exist, or the link is invalid.');
        return serveRecording(recording, request);
      },
    }),
  };
}
