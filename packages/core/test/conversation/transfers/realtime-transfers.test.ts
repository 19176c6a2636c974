import { type ScriptedReply, saying, scriptedRealtime } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../../support/phone-calls.ts';
import {
  control,
  framesOf,
  ringTransferring,
  sales,
  support,
  tools,
  transferring,
} from '../../support/transferring-call.ts';

const { keep } = phoneCalls();

describe('a speech-to-speech model', () => {
  async function ringRealtime(responses: readonly ScriptedReply[], turns: readonly string[] = ['sales please']) {
    const realtime = scriptedRealtime({ turns, responses });
    const llm_config = { provider: 'scripted_realtime', tools };
    return await ringTransferring(keep, { realtime, agent: { stt_config: null, tts_config: null, llm_config } });
  }

  it('transfers like a cascaded pipeline: the message is spoken first', async () => {
    const { call, leg } = await ringRealtime([transferring(sales)]);
    await call.speak(400);
    await call.quiet(4_500);
    expect(call.realtime?.sessions[0]?.commands).toContainEqual({
      type: 'respond',
      response: expect.any(Number),
      withTools: false,
      say: 'I put you through to sales.',
    });
    expect(leg.framesBefore).toBe(Math.ceil(framesOf('I put you through to sales.')));
    leg.settle({ type: 'accepted' });
    await call.quiet(40);
    expect(call.ended).toMatchObject({ end_reason: 'transferred', transfer_destination: sales });
  });

  it('receives the result of a refused transfer and continues', async () => {
    const { call, leg } = await ringRealtime([
      [...saying('One moment.'), ...transferring(sales)],
      saying('They are busy.'),
    ]);
    await call.speak(400);
    await call.quiet(3_500);
    leg.settle({ type: 'refused', reason: 'busy' });
    await call.quiet(2_000);
    expect(call.realtime?.sessions[0]?.commands).toContainEqual({
      type: 'tool-result',
      callId: 'call-transferCall',
      output: JSON.stringify({ error: `The caller could not be transferred to ${sales}: busy` }),
    });
    expect(call.notices).toContainEqual(expect.objectContaining({ type: 'agent-spoke', heard: 'They are busy.' }));
    expect(call.ended).toBeNull();
  });

  it('executes the transfer command', async () => {
    const { call, leg } = await ringRealtime([]);
    await call.quiet(100);
    await control(call, { destination: support, mode: 'warm', message: 'One moment please.' });
    await call.quiet(3_000);
    expect(leg.transfers).toMatchObject([{ destination: support, mode: 'warm', summary: null }]);
    leg.settle({ type: 'accepted' });
    await call.quiet(40);
    expect(call.ended).toMatchObject({ end_reason: 'transferred', transfer_destination: support });
  });
});
