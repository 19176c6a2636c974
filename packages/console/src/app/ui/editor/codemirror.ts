import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { Decoration, EditorView, keymap, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { CodeEditorProps } from './editor-props.ts';
import { variablePattern } from './variables.ts';

export interface Editor {
  /** Replaces the text after a change from outside the editor. */
  setText(text: string): void;
  /** Moves the cursor to the end of the text and focuses the editor. */
  focus(): void;
  close(): void;
}

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '13px' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)', padding: '10px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-variable': { color: 'var(--accent)', backgroundColor: 'var(--accent-soft)', borderRadius: '4px' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
]);

const variables = new MatchDecorator({
  regexp: variablePattern,
  decoration: Decoration.mark({ class: 'cm-variable' }),
});

const highlightVariables = ViewPlugin.define(
  (view) => ({
    marks: variables.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = variables.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

/** Opens an editor within an element. */
export function openEditor(parent: HTMLElement, options: CodeEditorProps): Editor {
  const { label, language, value, isDisabled, onChange } = options;
  // Reported texts that the owner has not rendered yet. They must not overwrite what was typed since.
  const reported: string[] = [];
  let isTakingOver = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorState.readOnly.of(isDisabled),
        EditorView.editable.of(!isDisabled),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || isTakingOver) return;
          const text = update.state.doc.toString();
          reported.push(text);
          onChange(text);
        }),
        language === 'json' ? [json(), syntaxHighlighting(colours)] : highlightVariables,
        theme,
      ],
    }),
  });
  return {
    setText(text) {
      const at = reported.indexOf(text);
      if (at >= 0) {
        reported.splice(0, at + 1);
        return;
      }
      const before = view.state.doc.toString();
      if (text === before) return;
      isTakingOver = true;
      view.dispatch({ changes: { from: 0, to: before.length, insert: text } });
      isTakingOver = false;
    },
    focus() {
      view.dispatch({ selection: { anchor: view.state.doc.length } });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
