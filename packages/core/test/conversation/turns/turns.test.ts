import { calling, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();
describe('a turn', () => {
  it('greets with the first message, transcribes the caller, and answers', async () => {
    const call = await ring({
      agent: { first_message: 'Hello.' },
      stt: scriptedStt({ turns: ['what time is it'] }),
      llm: scriptedLlm([saying('It is noon.')]),
    });
    await call.quiet(1_000);
    await call.speak(800);
    await call.quiet(2_000);
    call.incoming.leave();
    await call.quiet(100);

    const stored = await call.stored();
    expect(stored.messages).toEqual([
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'what time is it' },
      { role: 'assistant', content: 'It is noon.' },
    ]);
    expect(stored).toMatchObject({ status: 'ended', end_reason: 'user_hangup', error: null });
    expect(call.llm.requests[0]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'what time is it' },
    ]);
  });

  it('waits for the caller when there is no first message', async () => {
    const call = await ring({ agent: { first_message: null } });
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([]);
  });

  it('measures the latency from the last speech frame to the first frame of the reply', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['hi'] }) });
    await call.speak(400);
    await call.quiet(1_500);
    call.incoming.leave();
    await call.quiet(40);
    const { latency } = await call.stored();
    expect(latency?.turns).toHaveLength(1);
    // 550 ms of silence end the speech; the frame is sent on the next tick.
    expect(latency?.turns[0]?.endpointing_ms).toBe(560);
    expect(latency?.turns[0]?.total_ms).toBeLessThanOrEqual(580);
    expect(latency?.total_ms?.p50).toBe(latency?.turns[0]?.total_ms);
  });

  it('continues when the caller only paused', async () => {
    const call = await ring({
      agent: { speech_config: { endpointing: { min_delay_ms: 1_500 } } },
      stt: scriptedStt({ turns: ['I would like', 'two tickets'] }),
    });
    await call.speak(400);
    await call.quiet(800);
    await call.speak(400);
    await call.quiet(2_500);
    expect(call.llm.requests).toHaveLength(1);
    expect(call.llm.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'I would like two tickets' });
  });

  it('does not start from speech without words', async () => {
    const call = await ring({ stt: scriptedStt({ turns: [] }) });
    await call.speak(300);
    await call.quiet(3_000);
    expect(call.llm.requests).toHaveLength(0);
  });

  it('uses the partial transcript when the STT does not finalize in time', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['late'], delayMs: 60_000 }) });
    call.stt.streams[0]?.emit({ type: 'partial', text: 'call me back' });
    await call.speak(400);
    await call.quiet(2_900);
    expect(call.notices.map(({ type }) => type)).not.toContain('user-turn');
    await call.quiet(400);
    expect(call.notices).toContainEqual({ type: 'user-turn', text: 'call me back' });
    expect(call.llm.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'call me back' });
  });

  it('ignores words that arrive after its end', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['old words'], delayMs: 3_000 }),
      llm: scriptedLlm([saying('Yes.')]),
    });
    call.stt.streams[0]?.emit({ type: 'partial', text: 'old' });
    await call.speak(400);
    await call.quiet(9_000);
    expect(call.llm.requests).toHaveLength(1);
  });

  it('ends when the caller’s frames stop during speech', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['stop'] }) });
    await call.speak(400);
    await call.nothing(1_500);
    expect(call.llm.requests).toHaveLength(1);
  });
});

describe('an interruption', () => {
  const story = 'One two three four five six seven eight nine ten eleven twelve.';

  it('stores only the words that were heard', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['tell me', 'stop please'] }),
      llm: scriptedLlm([saying(story), saying('Stopped.')]),
    });
    await call.speak(400);
    await call.quiet(1_560);
    await call.speak(600);
    await call.quiet(1_500);
    call.incoming.leave();
    await call.quiet(40);
    const { messages } = await call.stored();
    const [, heard] = messages;
    expect(heard?.role).toBe('assistant');
    expect(heard?.content).not.toBe('');
    expect(heard?.content.length).toBeLessThan(story.length);
    expect(story.startsWith(heard?.content ?? '-')).toBe(true);
    expect(messages.slice(2)).toEqual([
      { role: 'user', content: 'stop please' },
      { role: 'assistant', content: 'Stopped.' },
    ]);
    expect(call.llm.requests[1]?.messages.at(-2)).toEqual({ role: 'assistant', content: heard?.content });
    expect(call.notices).toContainEqual({ type: 'agent-spoke', full: story, heard: heard?.content, interrupted: true });
  });

  it('sends no further agent frame', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['go on', 'wait'] }),
      llm: scriptedLlm([saying(story), saying('Ok.')]),
    });
    await call.speak(400);
    await call.quiet(1_560);
    await call.speak(520);
    const after = call.incoming.sent.length;
    await call.speak(400);
    expect(call.notices.map(({ type }) => type)).toContain('interrupted');
    expect(call.agentFrames(after)).toBe(0);
  });

  it('requires speech of a minimum length', async () => {
    const call = await ring({ agent: { first_message: story } });
    await call.quiet(500);
    await call.speak(300);
    await call.quiet(3_000);
    expect(call.notices.map(({ type }) => type)).not.toContain('interrupted');
    expect(call.notices).toContainEqual({ type: 'agent-spoke', full: story, heard: story, interrupted: false });
  });

  it('does not affect a first message that is not interruptible, and is answered after it', async () => {
    const call = await ring({
      agent: { first_message: story, speech_config: { first_message_interruptible: false } },
      stt: scriptedStt({ turns: ['hello hello'] }),
    });
    await call.quiet(500);
    await call.speak(800);
    await call.quiet(1_000);
    expect(call.llm.requests).toHaveLength(0);
    await call.quiet(2_000);
    expect(call.llm.requests).toHaveLength(1);
    expect(call.notices).toContainEqual({ type: 'agent-spoke', full: story, heard: story, interrupted: false });
  });

  it('requires min_words when set', async () => {
    const call = await ring({
      agent: { first_message: story, speech_config: { interruption: { min_words: 2 } } },
      stt: scriptedStt({ turns: ['excuse me please'] }),
    });
    await call.quiet(200);
    await call.speak(700);
    expect(call.notices.map(({ type }) => type)).not.toContain('interrupted');
    call.stt.streams[0]?.emit({ type: 'partial', text: 'excuse' });
    await call.speak(100);
    expect(call.notices.map(({ type }) => type)).not.toContain('interrupted');
    call.stt.streams[0]?.emit({ type: 'partial', text: 'excuse me' });
    await call.speak(100);
    expect(call.notices.map(({ type }) => type)).toContain('interrupted');
  });

  it('before the first audio cancels the reply, which is requested again after a noise', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['question'] }),
      llm: scriptedLlm([saying('Answer.')]),
      tts: scriptedTts({ delayMs: 700 }),
    });
    await call.speak(400);
    await call.quiet(560);
    await call.speak(600);
    expect(call.tts.cancelled).toEqual(new Set([0]));
    expect(call.agentFrames()).toBe(0);
    await call.quiet(3_000);
    expect(call.llm.requests).toHaveLength(2);
    call.incoming.leave();
    await call.quiet(40);
    expect((await call.stored()).messages).toEqual([
      { role: 'user', content: 'question' },
      { role: 'assistant', content: 'Answer.' },
    ]);
  });

  it('is possible during audio that was synthesized faster than real time', async () => {
    const call = await ring({ agent: { first_message: story }, stt: scriptedStt({ turns: ['stop'] }) });
    await call.quiet(200);
    await call.speak(800);
    expect(call.notices.map(({ type }) => type)).toContain('interrupted');
  });
});

describe('the end of a call', () => {
  it('waits until the goodbye has been played', async () => {
    const goodbye = 'Goodbye and thank you for calling.';
    const call = await ring({
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'endCall' }] } },
      stt: scriptedStt({ turns: ['bye'] }),
      llm: scriptedLlm([[...saying(goodbye), ...calling('endCall')]]),
    });
    await call.speak(300);
    await call.quiet(4_000);
    const stored = await call.stored();
    expect(stored).toMatchObject({ status: 'ended', end_reason: 'agent_hangup' });
    expect(stored.messages.at(-1)).toEqual({ role: 'assistant', content: goodbye });
    expect(call.agentFrames() * 20).toBe(Math.ceil((goodbye.length * 50) / 20) * 20);
    expect(call.incoming.end).toEqual({ cause: 'local-hangup' });
  });

  it('is forced after max_duration_seconds', async () => {
    const call = await ring({ agent: { max_duration_seconds: 10, first_message: 'Hi.' } });
    await call.quiet(9_800);
    expect(call.ended).toBeNull();
    await call.quiet(400);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'max_duration', duration_seconds: 10 });
  });

  it('follows two silence prompts and a third silence', async () => {
    const call = await ring({ agent: { silence_timeout_seconds: 5 } });
    await call.quiet(5_100);
    expect(call.tts.utterances).toHaveLength(1);
    await call.quiet(20_000);
    expect(call.tts.utterances).toHaveLength(2);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'silence_timeout' });
  });

  it('is postponed when the caller speaks', async () => {
    const call = await ring({ agent: { silence_timeout_seconds: 5 }, stt: scriptedStt({ turns: ['a', 'b', 'c'] }) });
    for (let turn = 0; turn < 3; turn++) {
      await call.quiet(4_000);
      await call.speak(300);
    }
    await call.quiet(4_500);
    expect(call.ended).toBeNull();
  });

  it('is postponed when the caller presses keys, which are emitted to the host', async () => {
    const call = await ring({ agent: { silence_timeout_seconds: 5, speech_config: { dtmf: { enabled: false } } } });
    const pressed: string[] = [];
    call.va.events.on('call.dtmf', ({ digit }) => pressed.push(digit.digit));
    for (const digit of '1234') {
      await call.quiet(4_000);
      call.incoming.press(digit);
    }
    await call.quiet(4_000);
    expect(call.tts.utterances).toEqual([]);
    expect(pressed.join('')).toBe('1234');
  });

  it('stores the caller’s partial words and the heard part of the agent’s speech', async () => {
    const call = await ring({ agent: { first_message: 'This is a rather long greeting for a phone call.' } });
    await call.quiet(1_000);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'no thanks' });
    await call.speak(200);
    call.incoming.leave();
    await call.quiet(40);
    const { messages } = await call.stored();
    expect(messages[0]).toEqual({ role: 'assistant', content: 'This is a rather long' });
    expect(messages[1]).toEqual({ role: 'user', content: 'no thanks' });
  });

  it('leaves no timer and no open stream', async () => {
    const call = await ring({ agent: { first_message: 'Hello there.' }, stt: scriptedStt({ turns: ['hi'] }) });
    await call.speak(300);
    await call.quiet(700);
    call.incoming.leave();
    await call.clock.advance(0);
    expect(call.clock.pending).toBe(call.idleTimers);
    expect(call.stt.streams[0]?.closed).toBe(true);
    expect(call.tts.openSessions).toBe(0);
    expect(call.va.activeCalls).toBe(0);
  });
});
