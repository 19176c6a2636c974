/** What an editor of text shows and reports. */
export interface CodeEditorProps {
  readonly label: string;
  readonly language: 'json' | 'prompt';
  readonly value: string;
  readonly isDisabled: boolean;
  readonly onChange: (text: string) => void;
}
