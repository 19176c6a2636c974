// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import type { NoteKind, TimelineItem } from '../../../src/app/pages/call/timeline/timeline.ts';
import { Timeline } from '../../../src/app/pages/call/timeline/timeline-view.tsx';
import { show } from '../../support/show.tsx';
import { textOf } from '../../support/user.ts';

const line = (text: string, fromMs: number | null = 0): TimelineItem => ({
  ...{ type: 'line', role: 'user', text, isInterrupted: false, unheard: '' },
  fromMs,
  toMs: fromMs === null ? null : fromMs + 1_000,
});
const itemTexts = (): readonly string[] => screen.getAllByRole('listitem').map(textOf);

describe('the timeline', () => {
  it.each<[NoteKind, string, string]>([
    ['dtmf', '5', 'Keypad: 5'],
    ['language', 'nl', 'Language: nl'],
    ['answered-by', 'human', 'Answered by: human'],
    ['transfer', '+31201234567 · warm · accepted', 'Transfer: +31201234567 · warm · accepted'],
    ['take-over', 'started', 'Take-over: started'],
    ['budget', 'call · reached · 2 / 2', 'Budget: call · reached · 2 / 2'],
  ])('names a note of the kind %s', (kind, text, words) => {
    show(<Timeline items={[{ type: 'note', kind, text }]} current={null} onSeek={null} />);
    expect(itemTexts()).toEqual([words]);
  });

  it('has times that cannot be played without a recording', () => {
    show(<Timeline items={[line('Hello.', 65_000)]} current={null} onSeek={null} />);
    expect(itemTexts()).toEqual(['Caller1:05Hello.']);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('has no times without events', () => {
    show(<Timeline items={[line('Hello.', null)]} current={null} onSeek={() => {}} />);
    expect(itemTexts()).toEqual(['CallerHello.']);
  });

  it('plays from a line', () => {
    const onSeek = vi.fn();
    show(<Timeline items={[line('Hello.', 65_000)]} current={null} onSeek={onSeek} />);
    fireEvent.click(screen.getByRole('button', { name: 'Go to 1:05' }));
    expect(onSeek.mock.calls).toEqual([[65_000]]);
  });

  it.each([
    ['a result', { ok: true, result: { free: 3 } } as const, 'find Request{ "size": 2 }Answer{ "free": 3 }'],
    ['a result of nothing', { ok: true } as const, 'find Request{ "size": 2 }Answernull'],
    ['an error', { ok: false, error: 'down' } as const, 'find failedRequest{ "size": 2 }Answerdown'],
  ])('shows a tool with %s', (_, outcome, words) => {
    const result = { id: 'a', name: 'find', ...outcome };
    const tool: TimelineItem = { type: 'tool', name: 'find', request: { size: 2 }, result };
    show(<Timeline items={[tool]} current={null} onSeek={null} />);
    expect(itemTexts()).toEqual([words]);
  });

  it('says that nothing was said', () => {
    show(<Timeline items={[]} current={null} onSeek={null} />);
    expect(screen.getByText('Nothing was said.')).toBeTruthy();
  });

  it('scrolls to the line that is played, and leaves one in view where it is', () => {
    const items = [line('One.'), line('Two.', 1_000), line('Three.', 2_000)];
    const { rerender } = show(<Timeline items={items} current={null} onSeek={null} />);
    const list = screen.getByRole('list');
    Object.defineProperty(list, 'clientHeight', { value: 90 });
    screen.getAllByRole('listitem').forEach((item, at) => {
      Object.defineProperty(item, 'offsetTop', { value: at * 60 });
      Object.defineProperty(item, 'offsetHeight', { value: 60 });
    });
    rerender(<Timeline items={items} current={2} onSeek={null} />);
    // A third of the list is above the line.
    expect(list.scrollTop).toBe(120 - 30);
    expect(screen.getByRole('listitem', { current: true }).textContent).toContain('Three.');
    list.scrollTop = 60;
    rerender(<Timeline items={items} current={1} onSeek={null} />);
    expect(list.scrollTop).toBe(60);
  });
});
