/** The unit of telephone audio: 20 ms at 8 kHz. */
export const sampleRateHz = 8_000;
export const frameMs = 20;
export const frameSamples = 160;
