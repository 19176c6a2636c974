/** Props shared by the highlighting editor and its text-area fallback. */
export interface CodeEditorProps {
  readonly label: string;
  readonly language: 'json' | 'prompt';
  readonly value: string;
  readonly isDisabled: boolean;
  readonly onChange: (text: string) => void;
}
