// @vitest-environment happy-dom
import { EditorView } from '@codemirror/view';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Editor, openEditor } from '../../../src/app/ui/editor/codemirror.ts';
import type { CodeEditorProps } from '../../../src/app/ui/editor/editor-props.ts';

interface Opened {
  readonly editor: Editor;
  readonly view: EditorView;
  readonly texts: readonly string[];
  /** Types a text at the end. */
  readonly type: (text: string) => void;
}

function open(options: Partial<CodeEditorProps> = {}): Opened {
  const parent = document.createElement('div');
  document.body.append(parent);
  const texts: string[] = [];
  const onChange = (text: string): void => void texts.push(text);
  const editor = openEditor(parent, {
    ...{ label: 'Prompt', language: 'prompt', value: 'Greet', isDisabled: false, onChange },
    ...options,
  });
  const view = EditorView.findFromDOM(parent);
  if (view === null) throw new Error('The editor was not opened.');
  onTestFinished(() => {
    editor.close();
    parent.remove();
  });
  const type = (text: string): void => view.dispatch({ changes: { from: view.state.doc.length, insert: text } });
  return { editor, view, texts, type };
}

const textIn = (view: EditorView): string => view.state.doc.toString();

describe('the highlighting editor', () => {
  it('reports what is typed', () => {
    const { type, texts } = open();
    type(' the');
    type(' caller');
    expect(texts).toEqual(['Greet the', 'Greet the caller']);
  });

  it('takes over a text from outside without reporting it', () => {
    const { editor, view, texts } = open();
    editor.setText('Discarded');
    expect([textIn(view), texts]).toEqual(['Discarded', []]);
  });

  it('does not lose what is typed while its owner renders an earlier text', () => {
    const { editor, view, type } = open();
    type(' a');
    type(' b');
    editor.setText('Greet a');
    expect(textIn(view)).toBe('Greet a b');
    editor.setText('Greet a b');
    expect(textIn(view)).toBe('Greet a b');
    // All reported texts are rendered by now, so that this one comes from outside.
    editor.setText('Greet a');
    expect(textIn(view)).toBe('Greet a');
  });

  it('is named by its label', () => {
    const { view } = open({ label: 'Metadata', language: 'json', value: '{"a": 1}' });
    expect(view.contentDOM.getAttribute('aria-label')).toBe('Metadata');
    expect(textIn(view)).toBe('{"a": 1}');
  });

  it('cannot be edited while it is disabled', () => {
    const { view } = open({ isDisabled: true });
    expect([view.state.readOnly, view.contentDOM.getAttribute('contenteditable')]).toEqual([true, 'false']);
  });

  it('marks the variables of a prompt', () => {
    const { view } = open({ value: 'Greet {{name}} of {{ city }}, not {name}.' });
    const marked = [...view.contentDOM.querySelectorAll('.cm-variable')].map(({ textContent }) => textContent);
    expect(marked).toEqual(['{{name}}', '{{ city }}']);
  });

  it('moves the cursor to the end when it takes the focus of the text area', () => {
    const { editor, view } = open();
    const focus = vi.spyOn(view, 'focus').mockImplementation(() => {});
    editor.focus();
    expect([view.state.selection.main.anchor, focus.mock.calls.length]).toEqual([5, 1]);
  });
});
