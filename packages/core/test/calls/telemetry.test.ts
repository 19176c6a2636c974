import { metrics, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { calling, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/errors.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const meters = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })],
});

beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  metrics.setGlobalMeterProvider(meters);
});

afterAll(async () => {
  await meters.shutdown();
  trace.disable();
  metrics.disable();
});

beforeEach(() => spans.reset());

describe('OpenTelemetry spans and metrics of a call', () => {
  it('include a span of the call with child spans for turns and tools, and the latency of each turn', async () => {
    const call = await ring({
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'lookup' }] } },
      stt: scriptedStt({ turns: ['is it there'] }),
      llm: scriptedLlm([calling('lookup'), saying('It is.')]),
    });
    await call.speak(400);
    await call.quiet(2_000);
    call.incoming.leave();
    await call.quiet(100);

    const finished = spans.getFinishedSpans();
    const whole = finished.find(({ name }) => name === 'call');
    expect(whole?.attributes).toMatchObject({
      'va.call.id': call.ended?.id,
      'va.org.id': call.orgId,
      'va.call.direction': 'inbound',
      'va.agent.id': call.agent?.id,
      'va.call.end_reason': 'user_hangup',
    });
    const children = finished.filter(
      ({ parentSpanContext }) => parentSpanContext?.spanId === whole?.spanContext().spanId,
    );
    const names = ['execute_tool lookup', 'llm request', 'llm request', 'tts request', 'turn'];
    expect(children.map(({ name }) => name).sort()).toEqual(names);
    const turn = children.find(({ name }) => name === 'turn');
    const stored = call.ended?.latency?.turns[0];
    expect(turn?.attributes).toMatchObject({
      'va.turn.total_ms': stored?.total_ms,
      'va.turn.endpointing_ms': stored?.endpointing_ms,
    });
    const [seconds = 0, nanoseconds = 0] = turn?.duration ?? [];
    expect(seconds * 1_000 + nanoseconds / 1e6).toBeCloseTo(stored?.total_ms ?? -1, 0);

    await meters.forceFlush();
    const measures = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics));
    const total = measures.find(({ descriptor }) => descriptor.name === 'va.turn.total');
    expect(total?.dataPoints[0]?.value).toMatchObject({ count: 1, sum: stored?.total_ms });
    const active = measures.find(({ descriptor }) => descriptor.name === 'va.calls.active');
    expect(active?.dataPoints[0]?.value).toBe(0);
  });

  it('are passed to the customer’s server in the traceparent of each request', async () => {
    const call = await ring({
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'lookup' }] } },
      stt: scriptedStt({ turns: ['is it there'] }),
      llm: scriptedLlm([calling('lookup'), saying('It is.')]),
    });
    await call.speak(400);
    await call.quiet(2_000);
    call.incoming.leave();
    await call.quiet(100);

    const finished = spans.getFinishedSpans();
    const tool = finished.find(({ name }) => name === 'execute_tool lookup');
    const request = finished.find(({ name }) => name === 'webhook tool-calls');
    expect(request?.parentSpanContext?.spanId).toBe(tool?.spanContext().spanId);
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 200 });
    const { traceId, spanId } = request?.spanContext() ?? {};
    const sent = call.webhooks.messages.find(({ event }) => event === 'tool-calls');
    expect(sent?.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    expect(new Set(finished.map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  it('have the attributes of generative AI for model, tokens, tool and conversation, but no content', async () => {
    const usage = { inputTokens: 1_000, cachedInputTokens: 800, outputTokens: 20 };
    const call = await ring({
      agent: { llm_config: { provider: 'scripted', model: 'm-1', tools: [{ type: 'function', name: 'lookup' }] } },
      stt: scriptedStt({ turns: ['is it there'] }),
      llm: scriptedLlm([[...calling('lookup'), { type: 'usage', usage }], saying('It is.')]),
    });
    await call.speak(400);
    await call.quiet(2_000);
    call.incoming.leave();
    await call.quiet(100);

    const finished = spans.getFinishedSpans();
    const conversation = { 'gen_ai.conversation.id': call.ended?.id };
    const [first, second] = finished.filter(({ name }) => name === 'llm request').map(({ attributes }) => attributes);
    const request = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'm-1',
      ...conversation,
    };
    expect(first).toMatchObject({
      ...request,
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 800,
    });
    expect(second).toMatchObject(request);
    expect(second).not.toHaveProperty(['gen_ai.usage.input_tokens']);
    expect(finished.find(({ name }) => name === 'execute_tool lookup')?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'lookup',
      'gen_ai.tool.call.id': expect.stringMatching(/./),
      ...conversation,
    });
    expect(finished.find(({ name }) => name === 'call')?.attributes).toMatchObject(conversation);
    expect(finished.find(({ name }) => name === 'tts request')?.attributes).not.toHaveProperty([
      'gen_ai.operation.name',
    ]);
    const everything = JSON.stringify(finished.map(({ name, attributes, events }) => ({ name, attributes, events })));
    expect(everything).not.toMatch(/is it there|It is/);
  });

  it('truncate the names of tools that a model invents', async () => {
    const name = 'x'.repeat(5_000);
    const call = await ring({
      stt: scriptedStt({ turns: ['hello'] }),
      llm: scriptedLlm([calling(name), saying('Hello.')]),
    });
    await call.speak(400);
    await call.quiet(2_000);
    const tool = spans.getFinishedSpans().find((span) => span.name.startsWith('execute_tool'));
    expect(tool?.name).toBe(`execute_tool ${'x'.repeat(200)}`);
    expect(tool?.attributes['gen_ai.tool.name']).toHaveLength(200);
  });

  it('mark failed provider requests as errors', async () => {
    const lost = new ProviderError('scripted', 'unavailable', 'it is lost');
    const call = await ring({ stt: scriptedStt({ turns: ['hello'] }), llm: scriptedLlm([[lost]]) });
    await call.speak(400);
    await call.quiet(4_000);
    const failed = spans
      .getFinishedSpans()
      .filter(({ name, status }) => name === 'llm request' && status.code === SpanStatusCode.ERROR);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0]?.attributes).toMatchObject({ 'va.provider.kind': 'llm', 'va.provider.id': 'scripted' });
  });
});
