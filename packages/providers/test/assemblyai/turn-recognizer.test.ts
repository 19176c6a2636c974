import { describe, expect, it } from 'vitest';
import { TurnRecognizer } from '../../src/assemblyai/turn-recognizer.ts';
import { FakeRecognizerHost } from '../recognizer-host.ts';

function setUp(settings: { turn_detection?: 'vendor' | 'pipeline'; format_turns?: boolean } = {}) {
  const host = new FakeRecognizerHost();
  const recognizer = new TurnRecognizer(host, settings, ['Roma'], (terms) => `wss://host?${terms}`);
  const turn = (
    order: number,
    transcript: string,
    flags: { end?: boolean; formatted?: boolean; language?: string } = {},
  ) =>
    recognizer.received({
      type: 'Turn',
      turn_order: order,
      transcript,
      end_of_turn: flags.end === true,
      turn_is_formatted: flags.formatted === true,
      ...(flags.language !== undefined && { language_code: flags.language }),
    });
  return { host, recognizer, turn };
}

describe('TurnRecognizer', () => {
  it('ends a turn with its formatted words, once', () => {
    const { host, turn } = setUp();
    turn(0, 'a table');
    turn(0, 'a table for two', { end: true });
    turn(0, 'A table for two.', { end: true, formatted: true });
    turn(0, 'A table for two.', { end: true, formatted: true });
    expect(host.take()).toEqual(['turn-started', 'partial a table', 'final A table for two.', 'turn-ended']);
    expect(host.settledCount).toBe(1);
  });

  it('uses the words without formatting after 500 ms', async () => {
    const { host, turn } = setUp();
    turn(0, 'yes', { end: true });
    await host.clock.advance(499);
    expect(host.take()).toEqual(['turn-started']);
    await host.clock.advance(1);
    expect(host.take()).toEqual(['final yes', 'turn-ended']);
  });

  it('does not wait for formatting that was not requested', () => {
    const { host, turn } = setUp({ format_turns: false });
    turn(0, 'yes', { end: true });
    expect(host.take()).toEqual(['turn-started', 'final yes', 'turn-ended']);
  });

  it('forces the end of a turn after 20 s without a message', async () => {
    const { host, turn } = setUp();
    turn(0, 'yes');
    await host.clock.advance(20_000);
    expect(host.sent).toEqual([{ type: 'ForceEndpoint' }]);
    await host.clock.advance(1_000);
    expect(host.take()).toEqual(['turn-started', 'partial yes', 'final yes', 'turn-ended']);
  });

  it('ends a turn after 21 s also without a connection', async () => {
    const { host, turn } = setUp();
    turn(0, 'yes');
    host.isConnected = false;
    await host.clock.advance(21_000);
    expect(host.take()).toEqual(['turn-started', 'partial yes', 'final yes', 'turn-ended']);
  });

  it('accepts turn numbers from 0 again on another connection', () => {
    const { host, recognizer, turn } = setUp({ format_turns: false });
    turn(3, 'one', { end: true });
    recognizer.opened();
    turn(0, 'two', { end: true });
    expect(host.take().filter((event) => event.startsWith('final'))).toEqual(['final one', 'final two']);
  });

  it('responds to finalize at once when the service ends turns', () => {
    const { host, recognizer } = setUp();
    recognizer.finalize();
    expect(host.take()).toEqual(['finalized']);
  });

  it('ignores messages that are no turns', () => {
    const { host, recognizer } = setUp();
    recognizer.received({ type: 'Turn', turn_order: '0', transcript: 'yes' });
    recognizer.received({ type: 'Unknown' });
    expect(host.take()).toEqual([]);
  });
});

describe('TurnRecognizer when the pipeline ends turns', () => {
  const pipeline = { turn_detection: 'pipeline', format_turns: false } as const;

  it('responds to each finalize with the words of the turn', () => {
    const { host, recognizer, turn } = setUp(pipeline);
    turn(0, 'yes');
    recognizer.finalize();
    recognizer.finalize();
    turn(0, 'yes please', { end: true });
    expect(host.take()).toEqual(['partial yes', 'final yes please', 'finalized', 'finalized']);
    expect(host.clock.pending).toBe(0);
  });

  it('responds to finalize after a second when the service does not', async () => {
    const { host, recognizer, turn } = setUp(pipeline);
    turn(0, 'yes');
    recognizer.finalize();
    await host.clock.advance(1_000);
    expect(host.take()).toEqual(['partial yes', 'final yes', 'finalized']);
  });

  it('keeps the audio of a turn without a connection, and finalizes it on the next one', async () => {
    const { host, recognizer, turn } = setUp(pipeline);
    host.isConnected = false;
    recognizer.finalize();
    await host.clock.advance(10_000);
    expect(host.take()).toEqual([]);
    expect(host.settledCount).toBe(0);
    host.isConnected = true;
    recognizer.opened();
    expect(host.sent).toEqual([{ type: 'ForceEndpoint' }]);
    turn(0, 'yes', { end: true });
    expect(host.take()).toEqual(['final yes', 'finalized']);
  });

  it('reports the language of the first version of a turn', () => {
    const { host, recognizer, turn } = setUp({ turn_detection: 'pipeline' });
    const emitted: unknown[] = [];
    host.emit = (event) => void emitted.push(event);
    turn(0, 'ja', { end: true, language: 'nl' });
    turn(0, 'Ja.', { end: true, formatted: true });
    expect(emitted).toEqual([{ type: 'final', text: 'Ja.', language: 'nl' }]);
    recognizer.stop();
    expect(host.clock.pending).toBe(0);
  });
});
