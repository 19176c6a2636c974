export function isBackchannel(text: string, _language: string | undefined, _more: readonly string[]): boolean {
  return /^(uh-huh|mm-hmm|ja ja)$/i.test(text);
}
export function answersQuestion(text: string, _language: string | undefined): boolean {
  return /^(yeah|ja)$/i.test(text);
}
