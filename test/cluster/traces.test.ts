import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { callTo, newNumber, newOrganization, startNode, type TestNode } from './support.ts';

const spans = new InMemorySpanExporter();
let server: PostgresServer;
let nodes: TestNode[];
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  server = await startPostgres();
  nodes = [await startNode(server.connectionString), await startNode(server.connectionString)];
});
afterAll(async () => {
  await Promise.all(nodes.map(({ va }) => va.close({ drainMs: 100 })));
  await server.stop();
  trace.disable();
  context.disable();
});

it('adds a command to the trace of the request that sent it to another node, with a link to the call', async () => {
  const [owner, other] = nodes;
  if (owner === undefined || other === undefined) throw new Error('expected two nodes');
  const number = newNumber();
  const orgId = await newOrganization(owner, number);
  const caller = callTo(owner, number);
  const id = await vi.waitFor(async () => {
    const { calls } = await owner.va.operations.calls.list(orgId, { status: 'in-progress' });
    const [call] = calls;
    if (call === undefined) throw new Error('the call was not answered');
    return call.id;
  });
  const request = trace.getTracer('test').startSpan('POST /calls/{id}/control');
  await context.with(trace.setSpan(context.active(), request), () =>
    other.va.operations.calls.control(orgId, id, { type: 'say', content: 'One moment.' }),
  );
  request.end();
  caller.leave();
  await vi.waitFor(() => expect(spans.getFinishedSpans().map(({ name }) => name)).toContain('call'));
  const finished = spans.getFinishedSpans();
  const call = finished.find(({ name }) => name === 'call');
  const command = finished.find(({ name }) => name === 'command say');
  expect(command?.spanContext().traceId).toBe(request.spanContext().traceId);
  expect(command?.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
  expect(command?.links.map((link) => link.context.spanId)).toEqual([call?.spanContext().spanId]);
});
