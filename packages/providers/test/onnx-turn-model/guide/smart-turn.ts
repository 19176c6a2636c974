import type { TurnModelOptions } from '@va/core';
import { onnxTurnModel } from '@va/providers/onnx-turn-model';

export const turnModel: TurnModelOptions = {
  model: onnxTurnModel({ file: 'models/smart-turn-v3.2-cpu.onnx' }),
  deadlineMs: 100,
};
