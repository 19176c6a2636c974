import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewAgent } from '@va/core';
import type { LanguageModel } from '@va/core/adapter';
import {
  calling,
  expectConversation,
  personaCaller,
  type SimulatedConversation,
  type SimulationOptions,
  saying,
  scriptedLlm,
  showConversation,
  simulateConversation,
} from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';

type WrittenTools = NonNullable<NonNullable<NewAgent['llm_config']>['tools']>;

const lookup = { type: 'function', name: 'lookup', parameters: { type: 'object' } } as const;
const story = 'One two three four five six seven eight nine ten eleven twelve.';

function agent(changes: Partial<NewAgent> = {}, tools: Readonly<WrittenTools> = []): NewAgent {
  return { name: 'Anna', llm_config: { provider: 'openai', messages: [], tools: [...tools] }, ...changes };
}

async function simulate(options: Partial<SimulationOptions>): Promise<SimulatedConversation> {
  return await simulateConversation({ agent: agent(), caller: ['Hello.'], llm: [saying('Hi.')], ...options });
}

describe('simulateConversation', () => {
  it('lets the caller wait for the greeting and for each answer, and hang up at the end', async () => {
    const { transcript, lines, endReason, requests } = await simulate({
      agent: agent({ first_message: 'Good evening.' }),
      caller: ['Is it open?', 'Thank you.'],
      llm: [saying('It is.'), saying('Goodbye.')],
    });
    expect(transcript.map(({ content }) => content)).toEqual([
      'Good evening.',
      'Is it open?',
      'It is.',
      'Thank you.',
      'Goodbye.',
    ]);
    // Heard from the first frame on for 780 ms; half a second of silence; 660 ms of speech; 225 ms and a frame.
    expect(lines.map(({ atMs }) => atMs).slice(0, 3)).toEqual([20, 2_185, 2_200]);
    expect(endReason).toBe('user_hangup');
    expect(requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'Thank you.' });
  });

  it('is deterministic in virtual time', async () => {
    const options = { agent: agent({ first_message: story }), caller: ['One.', 'Two.'] };
    expect(await simulate(options)).toEqual(await simulate(options));
  });

  it('runs tools as functions, and passes their results, errors and delays on', async () => {
    const { tools } = await simulate({
      agent: agent({}, [lookup]),
      llm: [
        [...calling('lookup', { n: 1 }, 'a'), ...calling('lookup', { n: 2 }, 'b'), ...calling('lookup', { n: 3 }, 'c')],
        saying('There.'),
      ],
      tools: {
        lookup: async ({ n }, { wait }) => {
          if (n === 2) throw new Error('no such thing');
          await wait(n === 1 ? 700 : 60_000);
          return { found: n };
        },
      },
    });
    expect(tools).toMatchObject([
      { name: 'lookup', args: { n: 1 }, durationMs: 700, outcome: { result: { found: 1 } } },
      { args: { n: 2 }, durationMs: 0, outcome: { error: 'no such thing' } },
      { args: { n: 3 }, durationMs: 10_000, outcome: { error: 'timeout: no answer within 10 seconds' } },
    ]);
  });

  it('lets the caller interrupt the agent, send DTMF and be silent', async () => {
    const interrupted = await simulate({
      agent: agent({ first_message: story }),
      caller: [{ says: 'stop please', overAgentMs: 900 }],
      llm: [saying('Stopped.')],
    });
    const [greeting] = interrupted.lines;
    // 900 ms, and the quarter of a second until the interruption: 19 letters of 60 ms.
    expect(greeting?.text).toBe('One two three four');
    expectConversation(interrupted).said('stopped', { after: { said: 'stop please' } });
    const pressed = await simulate({ caller: [{ presses: '12#' }, { waitsMs: 12_000 }] });
    expect(pressed.transcript.map(({ content }) => content)).toEqual([
      '[keys pressed: 12]',
      'Hi.',
      'Are you still there?',
    ]);
  });

  it('continues when the agent has no answer', async () => {
    const { transcript, durationMs } = await simulate({
      agent: agent({ speech_config: { silence: { timeout_ms: 600_000 } } }),
      caller: ['Hello?', 'Bye.'],
      llm: [calling('nothing'), calling('nothing'), calling('nothing')],
    });
    expect(transcript.filter(({ role }) => role === 'user')).toHaveLength(2);
    expect(durationMs).toBeGreaterThan(16_000);
  });

  it('replaces variables, and returns them', async () => {
    const { transcript, requests, variables } = await simulate({
      agent: agent({
        first_message: 'Hello {{name}}.',
        llm_config: { provider: 'openai', messages: [{ role: 'system', content: 'You talk with {{name}}.' }] },
      }),
      variables: { name: 'Jan' },
    });
    expect(transcript[0]?.content).toBe('Hello Jan.');
    expect(requests[0]?.messages[0]).toEqual({ role: 'system', content: 'You talk with Jan.' });
    expect(variables).toEqual({ name: 'Jan' });
  });

  it('ends when the agent hangs up, regardless of the caller’s remaining lines', async () => {
    const { transcript, endReason } = await simulate({
      agent: agent({}, [{ type: 'endCall' }]),
      caller: ['Bye.', 'One more thing.'],
      llm: [[...saying('Goodbye.'), ...calling('endCall')]],
    });
    expect(transcript).toHaveLength(2);
    expect(endReason).toBe('agent_hangup');
  });

  it('simulates a transfer that succeeds, and one that is refused', async () => {
    const transferring: Partial<SimulationOptions> = {
      agent: agent({}, [{ type: 'transferCall', destinations: [{ type: 'number', number: '+31201111111' }] }]),
      llm: [calling('transferCall', { destination: '+31201111111' }), saying('They are busy.')],
    };
    expect((await simulate(transferring)).endReason).toBe('transferred');
    const refused = await simulate({ ...transferring, transfer: { type: 'refused', reason: 'busy' } });
    expectConversation(refused).calledTool('transferCall').said('busy').ended('user_hangup');
  });

  it('reports the failure of a provider', async () => {
    const { endReason, error } = await simulate({ llm: [[new Error('no credit left')]] });
    expect([endReason, error]).toEqual(['llm_error', 'no credit left']);
  });

  it('waits for a real model without letting virtual time run into time-outs', async () => {
    const slow: LanguageModel = {
      kind: 'llm',
      id: 'real',
      async *stream() {
        for (let reads = 0; reads < 400; reads += 1) await readFile(import.meta.filename);
        yield { type: 'text', text: 'Here I am.' };
      },
    };
    const { lines, endReason } = await simulate({ llm: slow });
    expect(lines.map(({ text }) => text)).toContain('Here I am.');
    expect(endReason).toBe('user_hangup');
  });

  it('runs tools at a real server, with signatures', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(String(request.headers['webhook-signature']));
      response.setHeader('content-type', 'application/json').end('{"result":"seven"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const conversation = await simulate({
      agent: agent({}, [lookup]),
      llm: [calling('lookup'), saying('Seven.')],
      serverUrl: `http://127.0.0.1:${port}/hook`,
    });
    expect(conversation.tools[0]?.outcome).toEqual({ result: 'seven' });
    expect(seen).toEqual([expect.stringMatching(/^v1,/)]);
  });

  it('rejects an agent without tool handlers, or without a model', async () => {
    await expect(simulate({ agent: agent({}, [lookup]) })).rejects.toMatchObject({
      code: 'missing_tool_handler',
      message: expect.stringContaining('lookup'),
    });
    await expect(simulate({ agent: { name: 'Anna' } })).rejects.toMatchObject({ code: 'invalid_simulation' });
    await expect(simulate({ agent: { ...agent(), name: '' } })).rejects.toMatchObject({ status: 400 });
  });
});

describe('personaCaller', () => {
  it('says the lines of the model, passes the conversation to it, and hangs up when it does', async () => {
    const model = scriptedLlm([saying('Are you open?'), saying('[hangs up]')]);
    const conversation = await simulate({
      agent: agent({ first_message: 'Good evening.' }),
      caller: personaCaller({ model, persona: 'Jan, who is hungry.' }),
      llm: [saying('We are.')],
    });
    expect(conversation.transcript.map(({ content }) => content)).toEqual([
      'Good evening.',
      'Are you open?',
      'We are.',
    ]);
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'Good evening.' },
      { role: 'assistant', content: 'Are you open?' },
      { role: 'user', content: 'We are.' },
    ]);
    expect(model.requests[0]?.messages[0]?.content).toContain('Jan, who is hungry.');
  });

  it('hangs up after the maximum number of lines', async () => {
    const model = scriptedLlm([saying('Go on.')]);
    const { transcript } = await simulate({ caller: personaCaller({ model, persona: 'Patient.', maxLines: 2 }) });
    expect(transcript.filter(({ role }) => role === 'user')).toHaveLength(2);
  });
});

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

describe('showConversation', () => {
  it('lists utterances and events in order, with their times', async () => {
    const shown = showConversation(
      await simulate({
        agent: agent({}, [lookup]),
        llm: [calling('lookup', { day: 'Monday' }), saying('It is.')],
        tools: { lookup: () => 'free' },
      }),
    );
    expect(shown.split('\n').map((line) => line.trim().replace(/^[\d.]+ s +/, ''))).toEqual([
      'caller: Hello.',
      'lookup({"day":"Monday"}) → "free"',
      'agent: It is.',
      'ended: user_hangup',
    ]);
  });
});
