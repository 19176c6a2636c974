/** Parsed JSON object of a message whose fields are not known. */
export type MessageFields = Record<string, unknown>;
