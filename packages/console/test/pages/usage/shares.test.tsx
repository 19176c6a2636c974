// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { type Share, Shares } from '../../../src/app/pages/usage/shares.tsx';
import { show } from '../../support/show.tsx';
import { textOf } from '../../support/user.ts';

const share = (name: string, value: number): Share => ({ key: name, name, value, shown: String(value) });

function shown(...shares: readonly Share[]): readonly (readonly (string | undefined)[])[] {
  const { element } = show(<Shares shares={shares} />);
  return [...element.querySelectorAll('li')].map((item) => [
    textOf(item),
    item.querySelector<HTMLElement>('.bar')?.style.width,
  ]);
}

describe('shares of a whole', () => {
  it('are sorted, with bars in relation to the largest', () => {
    expect(shown(share('b', 1), share('a', 4), share('c', 2))).toEqual([
      ['a4', '100%'],
      ['c2', '50%'],
      ['b1', '25%'],
    ]);
  });

  it('keep the order of equal ones', () => {
    expect(shown(share('b', 1), share('a', 1)).map(([text]) => text)).toEqual(['b1', 'a1']);
  });

  it('have no bars if all are zero', () => {
    expect(shown(share('a', 0), share('b', 0)).map(([, width]) => width)).toEqual(['0%', '0%']);
  });

  it('leave the list of their owner as it was', () => {
    const shares = [share('b', 1), share('a', 4)];
    show(<Shares shares={shares} />);
    expect(shares.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it('may be none', () => {
    expect(shown()).toEqual([]);
  });
});
