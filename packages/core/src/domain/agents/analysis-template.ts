import { z } from 'zod';

/** An analysis template, as the API returns it. */
export const analysisTemplateSchema = z.object({
  id: z.uuid(),
  org_id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  system_prompt: z.string(),
  /** May contain the placeholder `{transcript}`. */
  user_prompt: z.string(),
  /** A JSON Schema (draft 2020-12 or 7) of type object. */
  schema: z.record(z.string(), z.unknown()),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Extracts structured data from a transcript. Copied into agents, not referenced by them. */
export type AnalysisTemplate = z.infer<typeof analysisTemplateSchema>;
/** An analysis template, as stored. */
export type AnalysisTemplateRecord = Omit<AnalysisTemplate, 'org_id'>;

const templateFields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(10_000).nullable(),
  system_prompt: z.string().min(1).max(100_000),
  user_prompt: z.string().min(1).max(100_000),
  schema: z.record(z.string(), z.unknown()),
  is_active: z.boolean(),
};

/** Body of `PATCH /analysis-templates/{template_id}`. */
export const updateAnalysisTemplateSchema = z.strictObject(templateFields).partial();
/** Body of `POST /analysis-templates`. */
export const createAnalysisTemplateSchema = updateAnalysisTemplateSchema.required({
  name: true,
  system_prompt: true,
  user_prompt: true,
  schema: true,
});

/** Body of `POST /analysis-templates`. */
export type NewAnalysisTemplate = z.input<typeof createAnalysisTemplateSchema>;
/** Body of `PATCH /analysis-templates/{template_id}`. */
export type AnalysisTemplateChanges = z.input<typeof updateAnalysisTemplateSchema>;
