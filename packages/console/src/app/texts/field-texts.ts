/** Words of a field of a form. */
export interface FieldText {
  readonly label: string;
  readonly help?: string;
}

/** Words of fields by their path. */
export type FieldTexts = Readonly<Record<string, FieldText>>;
