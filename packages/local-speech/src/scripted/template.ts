/** Values that a template can refer to: the groups of the rule's match, and the last result of a tool. */
export interface TemplateValues {
  readonly match?: RegExpExecArray | undefined;
  readonly toolResult?: unknown;
}

const placeholder = /\$(\d)|\$<(\w+)>|\{\{\s*(?:toolResult|result)((?:\.\w+)*)\s*\}\}/g;

/**
 * Replaces `$1`, `$<name>` and `{{result.path.to.value}}` (or `{{toolResult.…}}`); a missing value becomes an empty
 * text.
 */
export function fillTemplate(template: string, { match, toolResult }: TemplateValues): string {
  return template.replace(placeholder, (_, index?: string, name?: string, path?: string) => {
    if (index !== undefined) return match?.[Number(index)] ?? '';
    if (name !== undefined) return match?.groups?.[name] ?? '';
    return shown(at(toolResult, (path ?? '').split('.').filter(Boolean)));
  });
}

/** Replaces the placeholders in every string inside `value`. */
export function fillDeep(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') return fillTemplate(value, values);
  if (Array.isArray(value)) return value.map((item) => fillDeep(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillDeep(item, values)]));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
    value,
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
