import { describe, expect, it } from 'vitest';
import { Slots } from '../../src/async/slots.ts';

/** A task that the test ends, and that records its start. */
function task(name: string, begun: string[]) {
  let end = (): void => {};
  let fail = (): void => {};
  const outcome = new Promise<string>((resolve, reject) => {
    end = () => resolve(name);
    fail = () => reject(new Error(name));
  });
  const run = (): Promise<string> => {
    begun.push(name);
    return outcome;
  };
  return { run, end, fail };
}

type Task = ReturnType<typeof task>;

describe('Slots', () => {
  it('runs as many tasks at the same time as there are slots, and the others in order of arrival', async () => {
    const slots = new Slots(2);
    const begun: string[] = [];
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => task(name, begun)) as [Task, Task, Task, Task];
    const done = [a, b, c, d].map(({ run }) => slots.run(run));
    expect(begun).toEqual(['a', 'b']);
    b.end();
    await done[1];
    expect(begun).toEqual(['a', 'b', 'c']);
    a.end();
    c.end();
    d.end();
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd']);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('passes the slot of a task that failed to the next one, and rejects with its error', async () => {
    const slots = new Slots(1);
    const begun: string[] = [];
    const [a, b] = [task('a', begun), task('b', begun)];
    const first = slots.run(a.run);
    const second = slots.run(b.run);
    a.fail();
    await expect(first).rejects.toThrow('a');
    b.end();
    expect(await second).toBe('b');
  });

  it('frees the slot of a task that throws before its first await', async () => {
    const slots = new Slots(1);
    const broken = (): Promise<never> => {
      throw new Error('broken');
    };
    await expect(slots.run(broken)).rejects.toThrow('broken');
    expect(await slots.run(async () => 'next')).toBe('next');
  });

  it('gives the slot to the waiting task, and not to a later one', async () => {
    const slots = new Slots(1);
    const begun: string[] = [];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => task(name, begun)) as [Task, Task, Task];
    const first = slots.run(a.run);
    const second = slots.run(b.run);
    a.end();
    await first;
    const third = slots.run(c.run);
    expect(begun).toEqual(['a', 'b']);
    b.end();
    c.end();
    await Promise.all([second, third]);
    expect(begun).toEqual(['a', 'b', 'c']);
  });
});
