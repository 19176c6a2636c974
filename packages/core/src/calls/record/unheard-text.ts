/**
 * Returns the rest of a reply behind the words that the caller heard; empty if all was heard, or if the heard words are
 * not the beginning of the reply.
 */
export function unheardText(full: string, heard: string): string {
  const [all, begun] = [full, heard].map((text) => text.trim().replace(/\s+/g, ' '));
  if (all === undefined || begun === undefined || !all.startsWith(begun)) return '';
  return all.slice(begun.length).trim();
}
