const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes the special characters of XML. */
export function escapedXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Returns a webhook response: an XML document with one element within `<Response>`. */
export function xmlDocument(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${body}</Response>`;
}

export function xmlResponse(document: string): Response {
  return new Response(document, { headers: { 'content-type': 'text/xml; charset=utf-8' } });
}
