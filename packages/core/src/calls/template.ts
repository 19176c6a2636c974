const placeholder = /\{\{\s*([^{}|]+?)\s*(?:\|([^{}]*))?\}\}/g;

/**
 * Fills `{{name}}`, or `{{name|default}}`, with the variables' values as text; an object as JSON. A variable that is not there, or is
 * null, leaves the default, which is empty. Values are texts, never templates themselves.
 */
export function fillTemplate(text: string, variables: Readonly<Record<string, unknown>>): string {
  return text.replace(placeholder, (_, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined || value === null) return (fallback ?? '').trim();
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

/** The variables that the text needs: without them, and without a default, `fillTemplate` would leave a gap. */
export function missingVariables(text: string, variables: Readonly<Record<string, unknown>>): string[] {
  const missing = new Set<string>();
  for (const [, name = '', fallback] of text.matchAll(placeholder)) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (fallback === undefined && (value === undefined || value === null)) missing.add(name);
  }
  return [...missing];
}
