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
