import { describe, expect, it } from 'vitest';
import { DtmfSender, type DtmfStep, dtmfDurationMs } from '../../../src/rtp/dtmf/dtmf-sender.ts';

function stepsOf(keys: string, toneMs: number): DtmfStep[] {
  const sender = new DtmfSender();
  sender.press(keys, toneMs);
  return drain(sender);
}

function drain(sender: DtmfSender): DtmfStep[] {
  const steps: DtmfStep[] = [];
  for (let step = sender.next(); step !== null; step = sender.next()) steps.push(step);
  return steps;
}

/** Formats steps: a digit for each packet, an exclamation mark after end packets, a dot for silence. */
function written(steps: readonly DtmfStep[]): string {
  return steps
    .map((step) => (step.kind === 'pause' ? '.' : `${step.packet.digit}${step.packet.end ? '!' : ''}`))
    .join('');
}

describe('DTMF keys to send', () => {
  it('become a packet every 20 ms, three end packets, and silence before the next key', () => {
    expect(written(stepsOf('5#', 100))).toBe('55555!5!5!...#####!#!#!...');
  });

  it.each([
    ['5', 100],
    ['12w3W', 90],
    ['9', 5],
  ])('take as long as their steps: %s at %i ms', (keys, toneMs) => {
    expect(dtmfDurationMs(keys, toneMs)).toBe(stepsOf(keys, toneMs).length * 20);
  });

  it('have a marked first packet and increasing durations', () => {
    const packets = stepsOf('7', 90).flatMap((step) => (step.kind === 'event' ? [step.packet] : []));
    expect(packets.map(({ first }) => first)).toEqual([true, false, false, false, false, false, false]);
    expect(packets.map(({ durationMs }) => durationMs)).toEqual([20, 40, 60, 80, 90, 90, 90]);
    expect(packets.map(({ end }) => end)).toEqual([false, false, false, false, true, true, true]);
  });

  it('have at least 60 ms between the end of a digit and the next one', () => {
    const steps = stepsOf('11', 60);
    const second = steps.findLastIndex((step) => step.kind === 'event' && step.packet.first);
    expect(second * 20 - 60).toBeGreaterThanOrEqual(60);
  });

  it.each([
    ['w', 25],
    ['W', 50],
  ])('include a pause for %s', (key, frames) => {
    expect(written(stepsOf(key, 100))).toBe('.'.repeat(frames));
  });

  it.each([
    [0, 40],
    [Number.NaN, 40],
    [20, 40],
    [400, 400],
    [1_000_000, 6_000],
  ])('with a tone of %s ms last %s ms', (toneMs, durationMs) => {
    const packets = stepsOf('1', toneMs).flatMap((step) => (step.kind === 'event' ? [step.packet] : []));
    expect(packets.at(-1)).toEqual({ digit: '1', durationMs, first: false, end: true });
    expect(durationMs * 8).toBeLessThan(65_536);
  });

  it('accept letters in either case and ignore other characters', () => {
    expect(written(stepsOf('a x😀D', 40))).toBe('AA!A!A!...DD!D!D!...');
  });

  it('are sent in sequence when more are pressed meanwhile', () => {
    const sender = new DtmfSender();
    sender.press('1', 40);
    const first = sender.next();
    sender.press('2', 40);
    sender.press('', 40);
    expect(written([...(first === null ? [] : [first]), ...drain(sender)])).toBe('11!1!1!...22!2!2!...');
    expect(sender.next()).toBeNull();
  });
});
