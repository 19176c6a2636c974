import { ProviderError } from '@va/core';
import { calling, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
const tool = { type: 'function', name: 'book', parameters: { type: 'object' } };
const withTool = { llm_config: { provider: 'scripted', tools: [tool, { type: 'endCall' }] } };
const lost = new ProviderError('scripted', 'connection', 'lost');

describe('a conversation continues', () => {
  it('when the STT does not respond to finalize', async () => {
    const call = await ring({ stt: scriptedStt() });
    const [stream] = call.stt.streams;
    let asked = 0;
    Object.assign(stream ?? {}, {
      finalize() {
        asked += 1;
        if (asked === 1) return;
        stream?.emit({ type: 'final', text: `turn ${asked}` });
        stream?.emit({ type: 'finalized' });
      },
    });
    for (let turn = 0; turn < 3; turn++) {
      await call.speak(400);
      await call.quiet(5_000);
    }
    expect(call.llm.requests).toHaveLength(2);
  });

  it('when a noise cancels the reply to a tool result', async () => {
    const call = await ring({
      agent: withTool,
      stt: scriptedStt({ turns: ['book a table'] }),
      llm: scriptedLlm([
        [...saying('One moment.'), ...calling('book')],
        [2_000, ...saying('Table seven is yours.')],
        saying('Table seven is yours.'),
      ]),
    });
    await call.speak(300);
    await call.quiet(1_700);
    await call.speak(600);
    await call.quiet(6_000);
    expect(call.llm.requests).toHaveLength(3);
    expect(call.notices).toContainEqual(
      expect.objectContaining({ type: 'agent-spoke', heard: 'Table seven is yours.' }),
    );
  });

  it('with the tool result when a noise occurs while the tool runs', async () => {
    const call = await ring({
      agent: withTool,
      stt: scriptedStt({ turns: ['book a table'] }),
      llm: scriptedLlm([[...saying('Let me look that up in the book for you.'), ...calling('book')], saying('Done.')]),
    });
    call.webhooks.outcome = async () => {
      await new Promise<void>((resolve) => call.clock.setTimer(3_000, resolve));
      return { ok: true, status: 200, body: { result: 'ok' }, latencyMs: 3_000 };
    };
    await call.speak(300);
    await call.quiet(900);
    await call.speak(700);
    await call.quiet(5_000);
    expect(call.notices.map(({ type }) => type)).toContain('interrupted');
    expect(call.tts.utterances.at(-1)).toEqual(['Done.']);
  });

  it('when the model reuses the id of an earlier tool call', async () => {
    const call = await ring({
      agent: withTool,
      stt: scriptedStt({ turns: ['book', 'book again'] }),
      llm: scriptedLlm([
        calling('book', {}, 'call_0'),
        saying('Done.'),
        calling('book', {}, 'call_0'),
        saying('Done again.'),
      ]),
    });
    for (let turn = 0; turn < 2; turn++) {
      await call.speak(300);
      await call.quiet(2_500);
    }
    expect(call.webhooks.of('tool-calls')).toHaveLength(2);
    expect(call.tts.utterances.at(-1)).toEqual(['Done again.']);
    const ids = call.llm.requests[3]?.messages.flatMap((message) =>
      message.role === 'tool' ? [message.toolCallId] : [],
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('with a second request when the model returns an empty reply', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['hello'] }), llm: scriptedLlm([[], saying('Hello.')]) });
    await call.speak(300);
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['Hello.']]);
  });

  it('when the model fails in the middle of its reply', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['hello'] }),
      llm: scriptedLlm([[...saying('Let me see. '), lost], saying('Here it is.')]),
    });
    await call.speak(300);
    await call.quiet(4_000);
    expect(call.ended).toBeNull();
    expect(call.tts.utterances).toEqual([['Let me see.'], ['Here it is.']]);
    expect(call.llm.requests[1]?.messages.at(-1)).toEqual({ role: 'assistant', content: 'Let me see.' });
  });

  it('when the caller puts the call on hold, without silence prompts', async () => {
    const call = await ring();
    call.incoming.receiving = false;
    await call.nothing(45_000);
    expect(call.tts.utterances).toEqual([]);
    expect(call.ended).toBeNull();
    call.incoming.receiving = true;
    await call.quiet(10_500);
    expect(call.tts.utterances).toHaveLength(1);
  });
});

describe('a turn that only the STT detected', () => {
  it('is a single turn, regardless of the number of partials', async () => {
    const call = await ring();
    for (const text of ['call', 'call me', 'call me back', 'call me back tomorrow']) {
      call.stt.streams[0]?.emit({ type: 'partial', text });
      await call.quiet(400);
    }
    await call.quiet(1_000);
    const turns = call.notices.filter(({ type }) => type === 'user-turn');
    expect(turns).toEqual([{ type: 'user-turn', text: 'call me back tomorrow' }]);
  });
});

describe('the model', () => {
  it('receives its own text when it continues after a tool call', async () => {
    const call = await ring({
      agent: withTool,
      stt: scriptedStt({ turns: ['book a table'] }),
      llm: scriptedLlm([[...saying('Let me check that for you right away.'), ...calling('book')], saying('Done.')]),
    });
    await call.speak(300);
    await call.quiet(1_000);
    expect(call.llm.requests[1]?.messages.at(-2)).toMatchObject({ content: 'Let me check that for you right away.' });
  });
});

describe('an ending call', () => {
  const goodbye = 'Goodbye and thank you for calling.';
  const closing = [...saying(goodbye), ...calling('endCall')];

  it('still ends normally when the model fails after endCall', async () => {
    const call = await ring({
      agent: withTool,
      stt: scriptedStt({ turns: ['bye'] }),
      llm: scriptedLlm([[...closing, lost]]),
    });
    await call.speak(300);
    await call.quiet(4_000);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'agent_hangup' });
    expect(call.ended?.messages.at(-1)?.content).toBe(goodbye);
  });

  it('still ends normally when the STT fails during the goodbye, which plays to its end', async () => {
    const call = await ring({ agent: withTool, stt: scriptedStt({ turns: ['bye'] }), llm: scriptedLlm([closing]) });
    await call.speak(300);
    await call.quiet(1_000);
    call.stt.streams[0]?.fail(lost);
    await call.quiet(3_000);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'agent_hangup' });
    expect(call.ended?.messages.at(-1)?.content).toBe(goodbye);
  });

  it('hangs up only after the buffer of the far end has been played', async () => {
    const call = await ring({ agent: withTool, stt: scriptedStt({ turns: ['bye'] }), llm: scriptedLlm([closing]) });
    await call.speak(300);
    await call.quiet(4_000);
    const lastSpoken = call.incoming.sent.findLastIndex((frame) => frame.some((code) => code !== 0xff));
    expect(call.incoming.sent.length - 1 - lastSpoken).toBeGreaterThanOrEqual(14);
  });

  it('hangs up after a timeout when the goodbye is never synthesized', async () => {
    const call = await ring({
      agent: withTool,
      stt: scriptedStt({ turns: ['bye'] }),
      llm: scriptedLlm([closing]),
      tts: scriptedTts({ delayMs: 1_000_000 }),
    });
    await call.speak(300);
    await call.quiet(29_000);
    expect(call.ended).toBeNull();
    await call.quiet(3_000);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'agent_hangup' });
  });
});
