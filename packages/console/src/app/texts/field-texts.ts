/** Label and help text of a form field. */
export interface FieldText {
  readonly label: string;
  readonly help?: string;
}

/** Texts of fields by path. */
export type FieldTexts = Readonly<Record<string, FieldText>>;
