interface Placeholder {
  readonly name: string;
  /** Text after `|`; null without one. */
  readonly fallback: string | null;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds `{{name}}` and `{{name|default}}` in linear time: templates come from tenants, and a backtracking regular
 * expression could block the process.
 */
function* placeholdersOf(text: string): Generator<Placeholder> {
  const brace = /[{}]/g;
  let open = text.indexOf('{{');
  while (open >= 0) {
    // In `{{{name}}}` the innermost braces count.
    while (text[open + 2] === '{') open += 1;
    brace.lastIndex = open + 2;
    const close = brace.exec(text)?.index;
    if (close === undefined) return;
    let next = close;
    if (text.startsWith('}}', close)) {
      const [name, fallback] = split(text.slice(open + 2, close));
      if (name !== '') {
        next = close + 2;
        yield { name, fallback, start: open, end: next };
      }
    }
    open = text.indexOf('{{', next);
  }
}

function split(content: string): [name: string, fallback: string | null] {
  const bar = content.indexOf('|');
  return bar < 0 ? [content.trim(), null] : [content.slice(0, bar).trim(), content.slice(bar + 1).trim()];
}

/** Maximum length of a filled text: a prompt of 100 kB may name a variable of 1 MB thousands of times. */
const maxFilledCharacters = 400_000;

/**
 * Fills `{{name}}` and `{{name|default}}` with the variables' values as text; objects as JSON. A missing or null
 * variable gives the default, which is empty if absent. Placeholders inside values are not filled. The result is cut
 * off after 400,000 characters, or after the length of `text` if that is greater.
 *
 * @example fillTemplate('Hello {{name|there}}.', {}); // 'Hello there.'
 */
export function fillTemplate(text: string, variables: Readonly<Record<string, unknown>>): string {
  let filled = '';
  let end = 0;
  for (const placeholder of placeholdersOf(text)) {
    filled += text.slice(end, placeholder.start) + textOf(placeholder, variables);
    end = placeholder.end;
    if (filled.length > maxFilledCharacters) break;
  }
  return (filled + text.slice(end)).slice(0, Math.max(maxFilledCharacters, text.length));
}

/** Returns the variables of a text that have neither a value nor a default. */
export function missingVariables(text: string, variables: Readonly<Record<string, unknown>>): string[] {
  const missing = new Set<string>();
  for (const { name, fallback } of placeholdersOf(text)) {
    if (fallback === null && variableOf(variables, name) === null) missing.add(name);
  }
  return [...missing];
}

function textOf({ name, fallback }: Placeholder, variables: Readonly<Record<string, unknown>>): string {
  const value = variableOf(variables, name);
  if (value === null) return fallback ?? '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function variableOf(variables: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(variables, name) ? (variables[name] ?? null) : null;
}
