import { saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { ControlAnswer, NewControlCommand } from '../../src/domain/calls/call-control.ts';
import { refusal } from '../operations/support.ts';
import type { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

async function command(call: PhoneCall, body: NewControlCommand): Promise<ControlAnswer> {
  const { id } = await call.stored();
  return await call.va.operations.calls.control(call.orgId, id, body);
}

function systemPrompts(call: PhoneCall, request: number): string[] {
  const messages = call.llm.requests[request]?.messages ?? [];
  return messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
}

describe('a control command', () => {
  it('say: makes the agent speak the content', async () => {
    const call = await ring();
    await call.quiet(100);
    const answer = await command(call, { type: 'say', content: 'One moment.' });
    expect(answer).toEqual({ success: true, message: expect.any(String), command_id: expect.any(String) });
    await call.quiet(3_000);
    expect(call.tts.utterances).toEqual([['One moment.']]);
    expect(call.ended).toBeNull();
  });

  it('say: ignores interruptions when not interruptible, and ends the call when end_after is set', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['stop'] }) });
    await call.quiet(100);
    const content = 'This call is being closed now by our staff, thank you for your patience.';
    await command(call, { type: 'say', content, end_after: true, interruptible: false });
    await call.quiet(200);
    await call.speak(1_500);
    await call.quiet(10_000);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'api_hangup' });
    expect(call.ended?.messages).toContainEqual({ role: 'assistant', content });
  });

  it('inject-context: adds a system message, and requests a reply only with trigger_response', async () => {
    const llm = scriptedLlm([saying('It is ready.')]);
    const call = await ring({ llm });
    await call.quiet(100);
    await command(call, { type: 'inject-context', content: 'The order is ready.' });
    await call.quiet(500);
    expect(llm.requests).toHaveLength(0);
    await command(call, { type: 'inject-context', content: 'Say so.', trigger_response: true });
    await call.quiet(3_000);
    expect(systemPrompts(call, 0)).toEqual(['Be brief.', 'The order is ready.', 'Say so.']);
    expect(call.tts.utterances).toEqual([['It is ready.']]);
    expect((await call.stored()).messages).toEqual([]);
  });

  it('mute-assistant: defers the reply until the agent is unmuted', async () => {
    const llm = scriptedLlm([saying('Here I am.')]);
    const call = await ring({ llm, stt: scriptedStt({ turns: ['hello'] }) });
    await call.quiet(100);
    await command(call, { type: 'mute-assistant' });
    await call.speak(300);
    await call.quiet(25_000);
    expect([llm.requests.length, call.agentFrames()]).toEqual([0, 0]);
    await command(call, { type: 'unmute-assistant' });
    await call.quiet(2_000);
    expect(call.tts.utterances[0]).toEqual(['Here I am.']);
  });

  it('mute-assistant: stops the agent in the middle of an utterance', async () => {
    const call = await ring({ agent: { first_message: 'A long greeting that goes on and on for quite a while.' } });
    await call.quiet(600);
    await command(call, { type: 'mute-assistant' });
    const from = call.incoming.sent.length;
    await call.quiet(1_000);
    expect(call.agentFrames(from)).toBe(0);
  });

  it('set-variables: fills the variables into later prompts', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['hello'] }),
      agent: {
        llm_config: { provider: 'scripted', messages: [{ role: 'system', content: 'Call them {{ name | friend }}.' }] },
      },
    });
    await call.quiet(100);
    await command(call, { type: 'set-variables', variables: { name: 'Ann {{x}}' } });
    await call.speak(300);
    await call.quiet(2_000);
    expect(systemPrompts(call, 0)).toEqual(['Call them Ann {{x}}.']);
    expect((await call.stored()).variables).toEqual({ name: 'Ann {{x}}' });
  });

  it('set-variables: updates the key terms of the recognizer', async () => {
    const stt = scriptedStt({ turns: ['hello'] });
    const call = await ring({
      stt,
      agent: {
        stt_config: { provider: 'scripted', keyterms: ['Trattoria', '{{ name }}', '{{ name | caller }} street'] },
      },
    });
    await call.quiet(100);
    expect(stt.streams[0]?.hints).toEqual(['Trattoria', 'caller street']);
    await command(call, { type: 'set-variables', variables: { name: 'Janssen' } });
    expect(stt.streams[0]?.hints).toEqual(['Trattoria', 'Janssen', 'Janssen street']);
    await command(call, { type: 'set-variables', variables: { name: 'x'.repeat(101) } });
    expect(stt.streams[0]?.hints).toEqual(['Trattoria']);
  });

  it('end-call: speaks the message before it ends the call', async () => {
    const call = await ring();
    await call.quiet(100);
    await command(call, { type: 'end-call', message: 'Goodbye.' });
    expect(call.ended).toBeNull();
    await call.quiet(5_000);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'api_hangup' });
    expect(call.tts.utterances).toEqual([['Goodbye.']]);
  });

  it('returns 503 when the telephony adapter does not support it', async () => {
    const call = await ring();
    await call.quiet(100);
    const error = await refusal(command(call, { type: 'transfer', destination: '+31612345678' }));
    expect([error.status, error.code]).toEqual([503, 'unavailable']);
  });

  it('send-dtmf: sends the digits to the far end', async () => {
    const call = await ring();
    await call.quiet(100);
    await command(call, { type: 'send-dtmf', digits: '1w2#', duration_ms: 160 });
    expect(call.incoming.pressed).toEqual([{ digits: '1w2#', toneMs: 160 }]);
  });

  it('is executed once when its command_id is repeated', async () => {
    const call = await ring();
    await call.quiet(100);
    const body = { type: 'say', content: 'Once.', command_id: 'c-1' } as const;
    const answers = [
      await command(call, body),
      await command(call, body),
      await command(call, { ...body, content: 'x' }),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await call.quiet(3_000);
    expect(call.tts.utterances).toEqual([['Once.']]);
  });

  it('returns 409 after the end of the call', async () => {
    const call = await ring();
    await call.quiet(100);
    call.incoming.leave();
    await call.quiet(100);
    for (const body of [{ type: 'say', content: 'x' }, { type: 'end-call' }] as const) {
      const error = await refusal(command(call, body));
      expect([error.status, error.code]).toEqual([409, 'call_not_active']);
    }
  });
});
