import { z } from 'zod';
import { eventStream } from '../../src/engine/response/event-stream.ts';
import { collect } from '../../src/message/request-body.ts';
import { defineOpenRawRoute, defineOpenRoute, defineRawRoute, defineRoute } from '../../src/route/define-route.ts';
import type { RouteGroups } from '../../src/route/route.ts';

/** Observations from inside a route. */
export class Probe {
  readonly signals: AbortSignal[] = [];
  pulled = 0;
  cancelled = 0;
  runs = 0;
  /** Resolved by the test when a waiting route may continue. */
  gate: Promise<void> = Promise.resolve();

  /** Returns an endless stream of chunks of 1 MiB. */
  endless(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: (controller) => {
        this.pulled += 1;
        controller.enqueue(new Uint8Array(1_048_576));
      },
      cancel: () => {
        this.cancelled += 1;
      },
    });
  }
}

const raw = { content: [{ status: 200, description: 'It.', mediaType: 'application/octet-stream' }] } as const;
const anything = z.object({ value: z.unknown() });

/** Routes that return what they receive, and use every kind of response. */
export function probeRoutes(probe: Probe): RouteGroups {
  return {
    probes: {
      echo: defineOpenRoute({
        method: 'POST',
        path: '/echo',
        scope: null,
        summary: 'Echo',
        query: z.record(z.string(), z.string()),
        body: z.unknown(),
        result: z.object({ body: z.unknown(), query: z.record(z.string(), z.string()) }),
        run: async ({ body, query }) => ({ body, query }),
      }),
      bytes: defineOpenRawRoute({
        ...raw,
        method: 'POST',
        path: '/bytes',
        scope: null,
        summary: 'Bytes',
        body: { kinds: ['application/json', 'text/csv', 'multipart/form-data'], maxBytes: 2_000_000 },
        run: async ({ file }) => ({ status: 200, headers: {}, body: await collect(file) }),
      }),
      farEnd: defineOpenRoute({
        method: 'GET',
        path: '/far-end',
        scope: null,
        summary: 'Far end',
        result: anything,
        run: async ({ request }) => ({ value: request.remoteAddress ?? null }),
      }),
      firstChunk: defineOpenRoute({
        method: 'POST',
        path: '/first-chunk',
        scope: null,
        summary: 'First chunk',
        body: { kinds: ['text/csv', 'multipart/form-data'], maxBytes: 20_000_000 },
        result: anything,
        async run({ file }) {
          for await (const chunk of file) return { value: chunk.byteLength };
          return { value: 0 };
        },
      }),
      unread: defineOpenRoute({
        method: 'POST',
        path: '/unread',
        scope: null,
        summary: 'Unread',
        result: anything,
        run: async () => ({ value: 'unread' }),
      }),
      one: defineOpenRoute({
        method: 'GET',
        path: '/things/:id',
        scope: null,
        summary: 'One',
        result: anything,
        run: async ({ params, request, query }) => ({
          value: { id: params.id, header: request.header('x-many'), query },
        }),
      }),
      stream: defineOpenRawRoute({
        ...raw,
        method: 'GET',
        path: '/stream',
        scope: null,
        summary: 'Stream',
        async run({ request }) {
          probe.signals.push(request.signal);
          return { status: 200, headers: {}, body: probe.endless() };
        },
      }),
      broken: defineOpenRawRoute({
        ...raw,
        method: 'GET',
        path: '/broken',
        scope: null,
        summary: 'Broken',
        async run() {
          const body = new ReadableStream<Uint8Array>({
            pull(controller) {
              controller.enqueue(new Uint8Array(10));
              controller.error(new Error('the disk'));
            },
          });
          return { status: 200, headers: { 'content-length': '100' }, body };
        },
      }),
      waits: defineOpenRoute({
        method: 'GET',
        path: '/waits',
        scope: null,
        summary: 'Waits',
        result: anything,
        async run({ request }) {
          probe.signals.push(request.signal);
          await probe.gate;
          if (request.signal.aborted) throw request.signal.reason;
          return { value: 'waited' };
        },
      }),
      nothing: defineOpenRawRoute({
        content: [{ status: 204, description: 'None.', mediaType: null }],
        method: 'GET',
        path: '/nothing',
        scope: null,
        summary: 'Nothing',
        run: async () => ({ status: 204, headers: {}, body: null }),
      }),
      events: defineOpenRawRoute({
        content: [{ status: 200, description: 'Events.', mediaType: 'text/event-stream' }],
        method: 'GET',
        path: '/events',
        scope: null,
        summary: 'Events',
        async run({ request, host }) {
          probe.signals.push(request.signal);
          async function* events() {
            yield { id: '1', event: 'first', data: 'a\nb' };
            await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
          }
          return eventStream(events(), { clock: host.clock });
        },
      }),
      address: defineRawRoute({
        ...raw,
        method: 'GET',
        path: '/address',
        scope: 'probes:read',
        summary: 'Address',
        query: z.object({ x: z.string().optional() }),
        run: async ({ apiPath, orgId }) => ({ status: 200, headers: {}, body: `${apiPath} ${orgId}` }),
      }),
      made: defineRoute({
        method: 'POST',
        path: '/made',
        aliases: ['/also-made'],
        scope: 'probes:write',
        summary: 'Make',
        body: z.object({ name: z.string() }),
        status: { anyOf: [201, 202], of: ({ value }) => (value === 'later' ? 202 : 201) },
        result: anything,
        location: ({ value }) => `/things/${value}`,
        async run({ body }) {
          probe.runs += 1;
          await probe.gate;
          return { value: z.object({ name: z.string() }).parse(body).name };
        },
      }),
    },
  };
}
