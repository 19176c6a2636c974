import { library } from '../../scripts/tsup-library.ts';

export default library({
  entry: [
    'src/catalog.ts',
    'src/openai/index.ts',
    'src/ai-sdk/index.ts',
    'src/deepgram/index.ts',
    'src/elevenlabs/index.ts',
    'src/assemblyai/index.ts',
    'src/cartesia/index.ts',
    'src/gemini/index.ts',
    'src/xai/index.ts',
    'src/onnx-turn-model/index.ts',
    'src/onnx-turn-model/inference-worker.ts',
  ],
});
