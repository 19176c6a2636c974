// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/dom';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CodeEditor } from '../../../src/app/ui/editor/code-editor.tsx';
import type { CodeEditorProps } from '../../../src/app/ui/editor/editor-props.ts';
import { keepPlainEditor } from '../../support/plain-editor.ts';
import { applyReplacements } from '../../support/replaced-modules.ts';
import { show } from '../../support/show.tsx';
import { type } from '../../support/user.ts';

const source = '../../../src/app/ui/editor/codemirror.ts';

/** Replaces the highlighting editor by one that records its calls. */
async function scriptEditor() {
  const editor = { setText: vi.fn(), focus: vi.fn(), close: vi.fn() };
  const openEditor = vi.fn((_parent: HTMLElement, _options: CodeEditorProps) => editor);
  vi.doMock(source, () => ({ openEditor }));
  onTestFinished(async () => {
    vi.doUnmock(source);
    await applyReplacements();
  });
  await applyReplacements();
  return { editor, openEditor };
}

const props: CodeEditorProps = {
  label: 'Prompt',
  language: 'prompt',
  value: 'Greet',
  isDisabled: false,
  onChange: () => {},
};
const textArea = (): HTMLElement | null => screen.queryByRole('textbox', { name: 'Prompt' });

describe('the editor of a text', () => {
  it('is a text area until the highlighting one is loaded', async () => {
    const { openEditor } = await scriptEditor();
    const onChange = vi.fn();
    show(<CodeEditor {...props} onChange={onChange} />);
    expect(textArea()).toHaveProperty('value', 'Greet');
    type(textArea() as HTMLElement, 'Greet the caller');
    expect(onChange.mock.calls).toEqual([['Greet the caller']]);
    await waitFor(() => expect(textArea()).toBeNull());
    expect(openEditor.mock.calls[0]?.[1]).toMatchObject({ label: 'Prompt', language: 'prompt', value: 'Greet' });
  });

  it('keeps the focus when it is replaced', async () => {
    const { editor } = await scriptEditor();
    show(<CodeEditor {...props} />);
    textArea()?.focus();
    await waitFor(() => expect(textArea()).toBeNull());
    expect(editor.focus).toHaveBeenCalledTimes(1);
  });

  it('does not take the focus if the text area does not have it', async () => {
    const { editor } = await scriptEditor();
    show(<CodeEditor {...props} />);
    await waitFor(() => expect(textArea()).toBeNull());
    expect(editor.focus).not.toHaveBeenCalled();
  });

  it('passes new texts on, and calls the last function of its owner', async () => {
    const { editor, openEditor } = await scriptEditor();
    const [first, second] = [vi.fn(), vi.fn()];
    const { rerender } = show(<CodeEditor {...props} onChange={first} />);
    await waitFor(() => expect(textArea()).toBeNull());
    rerender(<CodeEditor {...props} value="Discarded" onChange={second} />);
    expect(editor.setText.mock.lastCall).toEqual(['Discarded']);
    openEditor.mock.calls[0]?.[1].onChange('typed');
    expect([first.mock.calls, second.mock.calls]).toEqual([[], [['typed']]]);
  });

  it('closes the highlighting one when it is removed', async () => {
    const { editor } = await scriptEditor();
    const { unmount } = show(<CodeEditor {...props} />);
    await waitFor(() => expect(textArea()).toBeNull());
    unmount();
    await waitFor(() => expect(editor.close).toHaveBeenCalledTimes(1));
  });

  it('stays a text area if the highlighting one cannot be loaded', async () => {
    await keepPlainEditor();
    const onChange = vi.fn();
    show(<CodeEditor {...props} language="json" isDisabled onChange={onChange} />);
    await expect(import(source)).rejects.toThrow();
    expect(textArea()).toHaveProperty('disabled', true);
    expect(textArea()?.getAttribute('rows')).toBe('8');
  });
});
