import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { answerJson } from '../../packages/webhooks/test/support/customer-server.ts';
import { toolResult } from '../support/customer.ts';
import { scriptedAgent, toolWords } from '../support/scripted-agent.ts';
import { startService } from '../support/service.ts';
import { callAgent, callerSound, exchange } from '../support/short-call.ts';

type Fault = (response: ServerResponse) => void;

const faults: readonly [name: string, fault: Fault, error: RegExp][] = [
  ['answers 500', (response) => response.writeHead(500).end('no'), /500/],
  [
    'answers 500 with an error',
    (response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"The kitchen is closed."}');
    },
    /^The kitchen is closed\.$/,
  ],
  ['answers garbage', (response) => response.writeHead(200).end('<html>}{'), /./],
  [
    'answers a different tool call',
    (response) => answerJson(response, { results: [{ toolCallId: 'x', result: 1 }] }),
    /./,
  ],
  ['closes the connection without a response', (response) => response.destroy(), /./],
  ['never answers', () => {}, /10 seconds/],
];

describe('a tool whose server', () => {
  it.concurrent.for(faults)(
    '%s returns a tool error, and the conversation continues',
    async ([, fault, error], { onTestFinished }) => {
      const service = await startService({
        agent: scriptedAgent({ turns: [toolWords, 'hello'] }),
        answerTool: (response) => fault(response),
      });
      onTestFinished(() => service.close());
      const call = await callAgent(service);
      const { endedAtMs } = await call.say(callerSound);
      await call.waitForSpeech({ afterMs: endedAtMs, timeoutMs: 15_000 });
      await call.waitForSilence({ ms: 300 });
      const results = service.notices.filter((notice) => notice.type === 'tool-result');
      expect(results).toMatchObject([{ name: 'look_up', outcome: { ok: false, error: expect.stringMatching(error) } }]);
      await exchange(call);
      await call.hangup();
      const record = await service.ended(1);
      expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
      expect(record.messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant', 'user', 'assistant']);
    },
  );

  it.concurrent('answers plain text passes that text to the model', async ({ onTestFinished }) => {
    const service = await startService({
      agent: scriptedAgent({ turns: [toolWords] }),
      answerTool: (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('table twelve'),
    });
    onTestFinished(() => service.close());
    const call = await callAgent(service);
    await exchange(call);
    await call.hangup();
    await service.ended(1);
    const results = service.notices.filter((notice) => notice.type === 'tool-result');
    expect(results).toMatchObject([{ outcome: { ok: true, result: 'table twelve' } }]);
  });

  it.concurrent('recovers is used again', async ({ onTestFinished }) => {
    let broken = true;
    const works = toolResult('table twelve');
    const service = await startService({
      agent: scriptedAgent({ turns: [toolWords, toolWords] }),
      answerTool: (response, message) => {
        if (broken) response.writeHead(500).end();
        else works(response, message);
        broken = false;
      },
    });
    onTestFinished(() => service.close());
    const call = await callAgent(service);
    await exchange(call);
    await exchange(call);
    await call.hangup();
    const record = await service.ended(1);
    expect(record.messages.at(-1)).toEqual({ role: 'assistant', content: 'I found table twelve.' });
    expect(service.customer.of('tool-calls')).toHaveLength(2);
  });
});
