/** A part of a stream. */
export interface StreamPart {
  readonly type: string;
}

/**
 * The part of `LanguageModelV2`, `LanguageModelV3` and `LanguageModelV4` of `@ai-sdk/provider` that the adapter uses.
 * `doStream` receives options in the shape that all three versions share.
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>;
}
