/**
 * Input that its type refuses, such as the JSON of a request may be: for tests of what operations validate themselves.
 */
export function untyped(input: unknown): never {
  return input as never;
}
