// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/dom';
import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import { confirm } from '../../../src/app/ui/dialog/confirm.tsx';
import { showPage } from '../../support/show.tsx';
import { dialog, press } from '../../support/user.ts';

function ask(title = 'Delete Anna?'): Promise<boolean> {
  let answer = Promise.resolve(false);
  void act(() => {
    answer = confirm({ title, text: 'Past calls stay.', action: 'Delete' });
  });
  return answer;
}

describe('the confirmation of an action', () => {
  it.each([
    ['true by its action', 'Delete', true],
    ['false by Cancel', 'Cancel', false],
    ['false by its close button', 'Close', false],
  ])('is answered %s', async (_, button, isConfirmed) => {
    showPage(null);
    const answer = ask();
    expect(dialog('Delete Anna?').textContent).toContain('Past calls stay.');
    press(button);
    expect(await answer).toBe(isConfirmed);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is answered false on Esc', async () => {
    showPage(null);
    const answer = ask();
    fireEvent(dialog('Delete Anna?'), new Event('cancel', { cancelable: true }));
    expect(await answer).toBe(false);
  });

  it('is answered false when another one replaces it', async () => {
    showPage(null);
    const first = ask('First?');
    const second = ask('Second?');
    expect(await first).toBe(false);
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    press('Delete');
    expect(await second).toBe(true);
  });

  it('focuses Cancel, so that Enter does not confirm it', () => {
    showPage(null);
    void ask();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  });
});
