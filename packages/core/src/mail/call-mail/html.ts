const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Text in whichever direction its first letters are written, with its line breaks. */
export function paragraph(text: string, style: string): string {
  return `<p dir="auto" style="${style}">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
}

/** Text in its own direction, where the text around it has another one and its place is to stay. */
export function isolated(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** A whole page around its `<body>`; `title` is escaped already. */
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
