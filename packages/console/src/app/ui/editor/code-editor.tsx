import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Editor } from './codemirror.ts';
import type { CodeEditorProps } from './editor-props.ts';

/**
 * A text editor with highlighting that is loaded on demand. Shows a plain text area until then, and if loading fails.
 */
export function CodeEditor(props: CodeEditorProps): JSX.Element {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    let isGone = false;
    void import('./codemirror.ts').then(
      ({ openEditor }) => {
        if (isGone || parent.current === null) return;
        const { label, language, value, isDisabled } = latest.current;
        const onChange = (text: string): void => latest.current.onChange(text);
        const hadFocus = parent.current.nextElementSibling === document.activeElement;
        editor.current = openEditor(parent.current, { label, language, value, isDisabled, onChange });
        if (hadFocus) editor.current.focus();
        setLoaded(true);
      },
      // Keep the text area.
      () => {},
    );
    return () => {
      isGone = true;
      editor.current?.close();
    };
  }, []);
  useEffect(() => editor.current?.setText(props.value), [props.value]);
  return (
    <div class={`code ${props.language}`}>
      <div ref={parent} />
      {!isLoaded && (
        <textarea
          aria-label={props.label}
          rows={props.language === 'prompt' ? 14 : 8}
          disabled={props.isDisabled}
          value={props.value}
          onInput={(event) => props.onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
