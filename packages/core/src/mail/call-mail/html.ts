const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Formats text in the direction of its first letters, with its line breaks. */
export function paragraph(text: string, style: string): string {
  return `<p dir="auto" style="${style}">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
}

/** Isolates text whose direction differs from its surroundings. */
export function isolated(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** Wraps a `<body>` into a page; `title` is escaped already. */
export function htmlDocument(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<title>${title}</title>
</head>
${body}
</html>
`;
}
