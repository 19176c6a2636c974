/** Matches a placeholder of a prompt, such as `{{name}}`. */
export const variablePattern: RegExp = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Returns the distinct placeholder names in the texts. */
export function variablesOf(...texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) => [...text.matchAll(variablePattern)].map(([, name = '']) => name));
  return [...new Set(names)];
}
