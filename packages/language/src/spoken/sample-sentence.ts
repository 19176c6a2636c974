/** Sentences by which a voice can be judged, by primary subtag: a greeting, a question and a number. */
const sentences: ReadonlyMap<string, string> = new Map([
  ['en', 'Good morning, this is how I sound on the phone. Shall I book your table for half past seven?'],
  ['nl', 'Goedemorgen, zo klink ik aan de telefoon. Zal ik uw tafel om half acht reserveren?'],
  ['de', 'Guten Morgen, so klinge ich am Telefon. Soll ich Ihren Tisch für halb acht reservieren?'],
  ['es', 'Buenos días, así sueno por teléfono. ¿Le reservo la mesa para las siete y media?'],
  ['fr', 'Bonjour, voici ma voix au téléphone. Je réserve votre table pour dix-neuf heures trente ?'],
  ['it', 'Buongiorno, questa è la mia voce al telefono. Le prenoto il tavolo per le sette e mezza?'],
  ['pt', 'Bom dia, é assim que eu soo ao telefone. Reservo a sua mesa para as sete e meia?'],
  ['ru', 'Доброе утро, так я звучу по телефону. Забронировать вам столик на половину восьмого?'],
]);
const english = sentences.get('en') ?? '';

/**
 * Returns a text that demonstrates a voice in some six seconds; English for an unknown language.
 * @param language BCP 47 tag
 * @example sampleSentence('nl-NL')
 */
export function sampleSentence(language: string | undefined): string {
  return sentences.get((language ?? '').split(/[-_]/, 1)[0]?.toLowerCase() ?? '') ?? english;
}
