import { z } from 'zod';

export const toolTypes = ['function', 'endCall', 'transferCall'] as const;

export const toolTemplateSchema = z.object({
  id: z.uuid(),
  org_id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  tool_type: z.enum(toolTypes),
  tool_config: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A tool kept for use in agents, into whose `llm_config.tools` it is copied. */
export type ToolTemplate = z.infer<typeof toolTemplateSchema>;
export type ToolTemplateRecord = Omit<ToolTemplate, 'org_id'>;

const templateFields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(10_000).nullable(),
  tool_type: z.enum(toolTypes),
  /** What an entry of `llm_config.tools` of that type has beside its `type`. */
  tool_config: z.record(z.string(), z.unknown()),
};

export const updateToolTemplateSchema = z.strictObject(templateFields).partial();
export const createToolTemplateSchema = updateToolTemplateSchema.required({
  name: true,
  tool_type: true,
  tool_config: true,
});

export type NewToolTemplate = z.input<typeof createToolTemplateSchema>;
export type ToolTemplateChanges = z.input<typeof updateToolTemplateSchema>;
