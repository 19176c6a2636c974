export interface ParsedLead {
  readonly phone_number: string;
  readonly name?: string | null | undefined;
  readonly variables?: Record<string, unknown> | undefined;
}
