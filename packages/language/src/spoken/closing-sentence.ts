/** Neutral sentences that end a call, by primary subtag. */
const sentences: ReadonlyMap<string, string> = new Map([
  ['en', 'I am sorry, but I have to end our call now. Goodbye.'],
  ['nl', 'Het spijt me, maar ik moet ons gesprek nu beëindigen. Tot ziens.'],
  ['de', 'Es tut mir leid, aber ich muss unser Gespräch jetzt beenden. Auf Wiederhören.'],
  ['es', 'Lo siento, pero tengo que terminar la llamada ahora. Adiós.'],
  ['fr', 'Je suis désolé, mais je dois mettre fin à notre appel. Au revoir.'],
  ['it', 'Mi dispiace, ma ora devo terminare la chiamata. Arrivederci.'],
  ['pt', 'Lamento, mas agora tenho de terminar a chamada. Adeus.'],
  ['ru', 'Извините, но мне пора завершить разговор. До свидания.'],
]);
const english = sentences.get('en') ?? '';

/**
 * Returns a sentence with which an agent ends a call before the caller does; English for an unknown language.
 * @param language BCP 47 tag
 * @example closingSentence('nl-NL')
 */
export function closingSentence(language: string | undefined): string {
  return sentences.get((language ?? '').split(/[-_]/, 1)[0]?.toLowerCase() ?? '') ?? english;
}
