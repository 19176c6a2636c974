import assert from 'node:assert/strict';
import { calling, saying } from '../../scripted/scripted-llm.ts';
import { agentNumber, callerNumber, heardText, msPerLetter } from '../carrier-service.ts';
import type { CarrierTest } from '../carrier-test.ts';

const story = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen.';
const endCall = { llm_config: { provider: 'scripted', tools: [{ type: 'endCall' as const }] } };
/** Precision with which the heard text is known, in letters: marks are 200 ms apart. */
const markLetters = 200 / msPerLetter;

/** Tests of the talk within an inbound call. */
export const conversationTests: readonly CarrierTest[] = [
  {
    name: 'is answered, and the caller and the agent talk',
    async run({ start }) {
      const service = await start({ turns: ['A table, please.'], replies: [saying('For how many?')] });
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      await service.speak(call, 600);
      await service.silence(call, () => heardText(call).endsWith('For how many?'));
      call.hangUp();
      const record = await service.lastCall();
      assert.equal(record.end_reason, 'user_hangup');
      assert.deepEqual([record.caller_phone, record.assistant_phone], [callerNumber, agentNumber]);
      assert.deepEqual(
        record.messages.map(({ role, content }) => `${role}: ${content}`),
        ['assistant: Good evening.', 'user: A table, please.', 'assistant: For how many?'],
      );
    },
  },
  {
    name: 'clears the carrier’s queue when the caller interrupts, and counts only what was heard',
    async run({ start }) {
      const replies = [saying('Yes?')];
      const service = await start({ turns: ['Stop.'], replies, agent: { first_message: story } });
      const call = await service.call();
      await service.silence(call, () => heardText(call).length > 20);
      await service.speak(call, 700);
      await service.silence(call, () => heardText(call).endsWith('Yes?'));
      assert.ok(call.cleared > 0, 'The queue was not cleared.');
      const heard = heardText(call).slice(0, -'Yes?'.length);
      call.hangUp();
      const told = (await service.lastCall()).messages[0]?.content ?? '';
      assert.ok(story.startsWith(told), `The record has what was not said: ${told}`);
      const off = Math.abs(told.length - heard.length);
      assert.ok(off <= markLetters, `The caller heard "${heard}", and the record has "${told}".`);
    },
  },
  {
    name: 'takes back what is queued when the caller makes a sound, and plays it when they have said nothing',
    async run({ start }) {
      const service = await start({ turns: ['uh-huh'], agent: { first_message: story } });
      const call = await service.call();
      await service.silence(call, () => heardText(call).length > 20);
      await service.speak(call, 300);
      await service.silence(call, () => heardText(call).endsWith('fifteen.'));
      assert.ok(call.cleared > 0, 'The agent did not pause.');
      const off = Math.abs(heardText(call).length - story.length);
      assert.ok(off <= 3, `The caller heard "${heardText(call)}".`);
    },
  },
  {
    name: 'keeps little audio queued at the carrier',
    async run({ start }) {
      const service = await start({ agent: { first_message: 'A first message that takes about one second.' } });
      const call = await service.call();
      await service.silence(call, () => heardText(call).endsWith('second.'));
      assert.ok(call.mostQueued * 20 <= 300, `${call.mostQueued * 20} ms were queued.`);
      assert.ok(call.marks.length >= 3, 'There are too few marks.');
    },
  },
  {
    name: 'passes keys of the caller on',
    async run({ start }) {
      const service = await start({ replies: [saying('Thank you.')] });
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      for (const digit of '42#') call.press(digit);
      await service.silence(call, () => heardText(call).endsWith('Thank you.'));
      call.hangUp();
      const { messages } = await service.lastCall();
      assert.ok(
        messages.some(({ content }) => content.includes('42')),
        'The keys are in no message.',
      );
    },
  },
  {
    name: 'presses keys at the far end',
    async run({ start, keys }) {
      const service = await start();
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      const before = call.heard.length;
      await service.control({ type: 'send-dtmf', digits: '12#' });
      // Letters and silence are constant; tones are not.
      const tones = (): number => call.heard.slice(before).filter((frame) => new Set(frame).size > 8).length;
      await service.silence(call, () => (keys === 'commands' ? call.keys === '12#' : tones() >= 12));
    },
  },
  {
    name: 'is hung up after the last word was heard, however late the carrier plays it',
    async run({ start }) {
      const service = await start({ server: { faults: { delayMs: 700 } } });
      const call = await service.call();
      // The next words follow without a pause, so the queue of the carrier does not become empty.
      await service.silence(call, () => call.marks.length > 0);
      await service.control({ type: 'say', content: 'Goodbye, see you soon.', end_after: true });
      await service.silence(call, () => call.ended);
      assert.equal(heardText(call), 'Good evening.Goodbye, see you soon.');
    },
  },
  {
    name: 'is hung up when the agent ends it',
    async run({ start }) {
      const service = await start({
        agent: endCall,
        turns: ['Bye.'],
        replies: [[{ type: 'text', text: 'Goodbye, see you soon.' }, ...calling('endCall')]],
      });
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      await service.speak(call, 600);
      await service.silence(call, () => call.ended);
      assert.equal(heardText(call), 'Good evening.Goodbye, see you soon.');
      assert.equal((await service.lastCall()).end_reason, 'agent_hangup');
    },
  },
  {
    name: 'goes on when frames are missing',
    async run({ start, countsLoss }) {
      const server = { faults: { losesEvery: 5 } };
      const service = await start({ turns: ['A table.'], replies: [saying('Fine.')], server });
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      await service.speak(call, 600);
      await service.silence(call, () => heardText(call).endsWith('Fine.'));
      call.hangUp();
      const lost = (await service.lastCall()).media?.received.packets_lost ?? 0;
      assert.equal(lost > 0, countsLoss);
    },
  },
  {
    name: 'goes on when the stream has malformed messages',
    async run({ start }) {
      const server = { faults: { sendsGarbage: true } } as const;
      const service = await start({ turns: ['A table.'], replies: [saying('Fine.')], server });
      const call = await service.call();
      await service.silence(call, () => heardText(call).includes('Good evening.'));
      await service.speak(call, 600);
      await service.silence(call, () => heardText(call).endsWith('Fine.'));
    },
  },
];
