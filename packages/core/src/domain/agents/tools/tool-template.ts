import { z } from 'zod';

/** Types of tools. */
export const toolTypes = ['function', 'endCall', 'transferCall', 'pressKeys', 'host', 'mcp'] as const;

/** A tool template, as the API returns it. */
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

/** A reusable tool, copied into `llm_config.tools` of agents. */
export type ToolTemplate = z.infer<typeof toolTemplateSchema>;
/** A tool template, as stored. */
export type ToolTemplateRecord = Omit<ToolTemplate, 'org_id'>;

const templateFields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(10_000).nullable(),
  tool_type: z.enum(toolTypes),
  /** The fields of an entry of `llm_config.tools` of that type, except `type`. */
  tool_config: z.record(z.string(), z.unknown()),
};

/** Body of `PATCH /tool-templates/{id}`. */
export const updateToolTemplateSchema = z.strictObject(templateFields).partial();
/** Body of `POST /tool-templates`. */
export const createToolTemplateSchema = updateToolTemplateSchema.required({
  name: true,
  tool_type: true,
  tool_config: true,
});

/** Body of `POST /tool-templates`. */
export type NewToolTemplate = z.input<typeof createToolTemplateSchema>;
/** Body of `PATCH /tool-templates/{id}`. */
export type ToolTemplateChanges = z.input<typeof updateToolTemplateSchema>;
