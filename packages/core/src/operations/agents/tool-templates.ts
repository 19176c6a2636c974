import { timestamp } from '../../clock/timestamp.ts';
import { toolSchema } from '../../domain/agents/tools/tool.ts';
import { withKnownSecret, withoutSecret } from '../../domain/agents/tools/tool-secrets.ts';
import {
  createToolTemplateSchema,
  type NewToolTemplate,
  type ToolTemplate,
  type ToolTemplateChanges,
  type ToolTemplateRecord,
  updateToolTemplateSchema,
} from '../../domain/agents/tools/tool-template.ts';
import { RequestError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type PageQuery, parsePage } from '../../input/page-query.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import type { RecordDependencies } from '../dependencies.ts';

/** Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `tool_template_not_found`. */
export interface ToolTemplateOperations {
  /** Input: `createToolTemplateSchema`; the config must fit the type. */
  create(orgId: string, input: NewToolTemplate): Promise<ToolTemplate>;
  get(orgId: string, id: string): Promise<ToolTemplate>;
  /** Newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: PageQuery): Promise<ToolTemplate[]>;
  /** Input: `updateToolTemplateSchema`. Changes the given keys only; a new type requires a config that fits it. */
  update(orgId: string, id: string, input: ToolTemplateChanges): Promise<ToolTemplate>;
  delete(orgId: string, id: string): Promise<void>;
}

/** Creates the operations on tool templates; `createOperations` creates all groups. */
export function createToolTemplateOperations({ storage, clock, random }: RecordDependencies): ToolTemplateOperations {
  return {
    async create(orgId, input) {
      const written = omitUndefined(parseInput(createToolTemplateSchema, input));
      checkConfig(written);
      const now = timestamp(clock);
      const record: ToolTemplateRecord = {
        id: uuidv7(clock, random),
        description: null,
        ...written,
        created_at: now,
        updated_at: now,
      };
      await storage.toolTemplates.insert(orgId, record);
      return toTemplate(orgId, record);
    },

    async get(orgId, id) {
      checkId('tool_template', id);
      return toTemplate(orgId, requireFound(await storage.toolTemplates.get(orgId, id), 'tool_template', id));
    },

    async list(orgId, query = {}) {
      const records = await storage.toolTemplates.list(orgId, parsePage(query));
      return records.map((record) => toTemplate(orgId, record));
    },

    async update(orgId, id, input) {
      checkId('tool_template', id);
      const changes = omitUndefined(parseInput(updateToolTemplateSchema, input));
      const record = await storage.transaction(async (tx) => {
        const before = requireFound(await tx.toolTemplates.get(orgId, id), 'tool_template', id);
        checkConfig({ ...before, ...changes });
        const { tool_config: written } = changes;
        const kept = written === undefined ? {} : { tool_config: withKnownSecret(written, before.tool_config) };
        return await tx.toolTemplates.update(orgId, id, { ...changes, ...kept, updated_at: timestamp(clock) });
      });
      return toTemplate(orgId, requireFound(record, 'tool_template', id));
    },

    async delete(orgId, id) {
      checkId('tool_template', id);
      if (!(await storage.toolTemplates.delete(orgId, id))) throw notFound('tool_template', id);
    },
  };
}

/** Checks that type and config together form a valid entry of `llm_config.tools`. */
function checkConfig({ tool_type, tool_config }: Pick<ToolTemplateRecord, 'tool_type' | 'tool_config'>): void {
  try {
    parseInput(toolSchema, { ...tool_config, type: tool_type });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw invalidInput(error.faults.map((fault) => ({ ...fault, path: `tool_config.${fault.path}` })));
  }
}

/** Converts a record to its API form. */
function toTemplate(orgId: string, record: ToolTemplateRecord): ToolTemplate {
  return { ...record, tool_config: withoutSecret(record.tool_config), org_id: orgId };
}
