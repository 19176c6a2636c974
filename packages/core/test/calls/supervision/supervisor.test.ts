import { callerFrame, ScriptedLeg, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { Supervisor, type SupervisorOptions } from '../../../src/calls/supervision/supervisor.ts';

/** Frames of the encoding of the line that are not silent, and silence. */
const [loud, silent] = [callerFrame(true), callerFrame(false)];

function joined(options: Partial<SupervisorOptions> = {}) {
  const leg = new ScriptedLeg();
  const said: Uint8Array[] = [];
  const errors: string[] = [];
  let lost = 0;
  const supervisor = new Supervisor({
    leg,
    encoding: 'pcmu',
    speak: null,
    onLost() {
      lost += 1;
    },
    logger: { ...silentLogger, error: (_fields, message) => void errors.push(message) },
    ...options,
  });
  return { supervisor, leg, said, errors, lost: () => lost };
}

function talking() {
  const said: Uint8Array[] = [];
  return { ...joined({ speak: (frame) => void said.push(frame.slice()) }), said };
}

describe('a person who listens', () => {
  it('hears the caller and the agent', () => {
    const { supervisor, leg } = joined();
    supervisor.write(loud, silent);
    supervisor.write(silent, loud);
    supervisor.write(silent, silent);
    const [caller, agent, nobody] = leg.sent;
    expect(leg.sent.map(({ length }) => length)).toEqual([160, 160, 160]);
    expect(caller).toEqual(agent);
    expect(caller).not.toEqual(nobody);
  });

  it('is not heard', () => {
    const { leg, said } = joined();
    leg.hear(loud);
    leg.press('5');
    expect(said).toEqual([]);
  });
});

describe('a person who speaks', () => {
  it('hears the caller alone', () => {
    const { supervisor, leg } = talking();
    supervisor.write(loud, loud);
    supervisor.write(silent, loud);
    expect(leg.sent).toEqual([loud, silent]);
  });

  it('is heard, also as silence where a frame is missing', () => {
    const { leg, said } = talking();
    leg.hear(loud);
    leg.hear(null);
    expect(said).toHaveLength(2);
    expect(said[0]).toEqual(loud);
    expect(new Set(said[1])).toEqual(new Set([0xff]));
  });

  it('neither hears nor is heard after leaving', () => {
    const { supervisor, leg, said } = talking();
    supervisor.close();
    leg.hear(loud);
    supervisor.write(loud, loud);
    expect([said, leg.sent]).toEqual([[], []]);
  });
});

describe('a connection that is lost', () => {
  it('is reported once, after three seconds', () => {
    const { supervisor, leg, lost } = joined();
    leg.sending = false;
    for (let n = 0; n < 149; n += 1) supervisor.write(loud, silent);
    expect(lost()).toBe(0);
    for (let n = 0; n < 300; n += 1) supervisor.write(loud, silent);
    expect(lost()).toBe(1);
  });

  it('is timed from its last frame', () => {
    const { supervisor, leg, lost } = joined();
    for (const sending of [false, true, false]) {
      leg.sending = sending;
      for (let n = 0; n < 149; n += 1) supervisor.write(loud, silent);
    }
    expect(lost()).toBe(0);
  });

  it('stops the audio of the person, without throwing, if sending fails', () => {
    const { supervisor, leg, errors } = joined();
    let sent = 0;
    leg.send = () => {
      sent += 1;
      throw new Error('closed');
    };
    for (let n = 0; n < 3; n += 1) expect(() => supervisor.write(loud, silent)).not.toThrow();
    expect([sent, errors]).toEqual([1, ['the audio of a supervisor failed']]);
  });
});
